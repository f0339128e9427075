//! What a bot uses is seen, whatever it does to hide it.

use std::time::Instant;

use arbitro::host::line::Line;
use arbitro::host::{Confinement, Player, Report};
use arbitro::referee::Usage;

use crate::support::{PATIENCE, arbitro, has_python, program, read_line, reports_until};

/// What a script in Python uses once it has said that it is ready; it waits for the end of its input then. Nothing where
/// there is no Python.
fn used_by(script: &str, memory_limit: Option<u64>) -> Option<Usage> {
    used_once(script, memory_limit, |_| true)
}

/// The same, once it is so.
fn used_once(script: &str, memory_limit: Option<u64>, is_so: impl Fn(&Usage) -> bool) -> Option<Usage> {
    let script = format!("import os, sys, time\n{script}\nprint('ready', flush=True)\nsys.stdin.read()");
    let program = has_python().then(|| program(&["python3", "-c", &script]))?;
    let mut player = Player::start(arbitro(), None, &program, &Confinement::default()).expect("a player starts");
    reports_until(&mut player, |report| matches!(report, Report::Started { .. }));
    assert_eq!(read_line(&mut player.stdout), "ready\n");
    let (mut line, begun) = (Line::new(player, None, false), Instant::now());
    loop {
        let used = line.used(memory_limit).expect("it runs");
        if is_so(&used) {
            return Some(used);
        }
        assert!(begun.elapsed() < PATIENCE, "{used:?}");
    }
}

#[test]
fn threads_are_counted() {
    let script =
        "import threading\nfor _ in range(20): threading.Thread(target=threading.Event().wait, daemon=True).start()";
    let Some(used) = used_by(script, None) else { return };
    assert_eq!((used.processes, used.threads), (1, 21));
}

#[test]
fn what_lives_on_when_the_first_thread_ended_is_seen() {
    let script = "
import ctypes, threading
def second():
    global kept
    while open('/proc/self/stat').read().rpartition(') ')[2][0] != 'Z': time.sleep(0.001)
    kept = bytearray(b'x') * (64 << 20), [os.dup(0) for _ in range(40)]
    print('ready', flush=True)
    time.sleep(100)
threading.Thread(target=second).start()
ctypes.CDLL(None).pthread_exit(None)";
    let Some(used) = used_by(script, None) else { return };
    assert!(used.memory_bytes > 64 << 20 && used.open_files > 40 && used.processes == 1, "{used:?}");
    let used = used_by(script, Some(1 << 20)).expect("there is a Python");
    assert!(used.memory_bytes > 64 << 20, "looked at closely: {used:?}");
}

#[test]
fn memory_of_a_process_that_closed_itself_to_others_is_seen() {
    // Root sees it all the same.
    let script = "import ctypes\nctypes.CDLL(None).prctl(4, 0)\nkept = bytearray(b'x') * (64 << 20)";
    let Some(used) = used_by(script, Some(1 << 20)) else { return };
    assert!(used.memory_bytes > 64 << 20, "{used:?}");
}

#[test]
fn ended_processes_are_none_but_count_as_threads_until_somebody_waits_for_them() {
    let ended = "
children = [os.fork() or os._exit(0) for _ in range(20)]
for child in children: os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)";
    let Some(used) = used_by(ended, None) else { return };
    assert_eq!((used.processes, used.threads), (1, 21));
    // Those whose parent ended first come to the keeper, which reaps them once they are seen.
    let orphans = "
for _ in range(20):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        if os.fork() == 0:
            while os.getppid() == child: time.sleep(0.001)
        os._exit(0)
    os.close(write)
    os.read(read, 1)
    os.waitpid(child, 0)";
    let used = used_once(orphans, None, |used| used.threads == 1).expect("there is a Python");
    assert_eq!(used.processes, 1);
}
