//! Nothing that a program started survives its game, whatever it did to.
//!
//! Each test first sees the processes alive, by the same search that afterwards finds none.

use arbitro::host::Report;

use crate::support::{finish, has_python, marker, processes_with, read_line, reports_until, start_marked, wait_for};

/// Starts a script, waits until it says that it is ready and its marker is found on `alive` processes, and finishes it.
/// The number of leftovers that were reported.
fn leftovers_of(name: &str, script: &str, alive: usize) -> u32 {
    let marker = marker(name);
    let mut player = start_marked(&marker, script);
    assert_eq!(read_line(&mut player.stdout), "ready\n");
    wait_for("the processes of the test are found", || processes_with(&marker).len() == alive);
    let leftovers = finish(&mut player);
    assert_eq!(processes_with(&marker), Vec::<i32>::new(), "nothing is left");
    leftovers
}

#[test]
fn a_plain_program_leaves_nothing() {
    assert_eq!(leftovers_of("plain", "echo ready; exec sleep 100", 1), 0);
}

#[test]
fn a_shell_around_the_program_dies_with_it() {
    assert_eq!(leftovers_of("wrapped", "sh -c 'echo ready; sleep 100; true'; true", 3), 2);
}

#[test]
fn a_daemon_of_its_own_session_that_holds_the_pipes_dies() {
    let script = "(setsid sh -c 'echo ready; sleep 100; true' &) & wait; exec sleep 100";
    assert_eq!(leftovers_of("daemon", script, 3), 2);
}

#[test]
fn a_daemon_whose_program_ended_before_dies_and_nobody_waits_for_the_pipes_to_close() {
    let marker = marker("survivor");
    let mut player = start_marked(&marker, "setsid sh -c 'echo ready; sleep 100; true' & exit 3");
    assert_eq!(read_line(&mut player.stdout), "ready\n");
    reports_until(&mut player, |report| matches!(report, Report::Exited(_)));
    wait_for("the daemon is found", || processes_with(&marker).len() == 2);
    assert_eq!(finish(&mut player), 2);
    assert_eq!(processes_with(&marker), Vec::<i32>::new());
}

#[test]
fn a_program_that_ignores_polite_signals_dies() {
    assert_eq!(leftovers_of("deaf", "trap '' TERM INT HUP QUIT; echo ready; while :; do sleep 100; done", 2), 1);
}

#[test]
fn a_program_that_stops_itself_dies() {
    assert_eq!(leftovers_of("stopped", "echo ready; kill -STOP $$; echo never", 1), 0);
}

#[test]
fn a_storm_of_processes_in_sessions_of_their_own_dies() {
    let script = "i=0; while [ $i -lt 50 ]; do setsid sleep 100 & i=$((i+1)); done; echo ready; exec sleep 100";
    assert_eq!(leftovers_of("storm", script, 51), 50);
}

#[test]
fn what_a_thread_started_after_the_first_one_ended_dies() {
    if !has_python() {
        return;
    }
    // The first thread of the process ends, and the search does not see the process any more; the second holds a child
    // in a session of its own.
    let script = r#"
import ctypes, subprocess, threading, time
def second():
    subprocess.Popen(["sleep", "100"], start_new_session=True)
    print("ready", flush=True)
    time.sleep(100)
threading.Thread(target=second).start()
ctypes.CDLL(None).pthread_exit(None)
"#;
    assert_eq!(leftovers_of("threads", &format!("exec python3 -c '{script}'"), 1), 1);
}

#[test]
fn chains_of_processes_that_fork_and_leave_all_the_time_die() {
    // Each link starts the next in a new session and ends; a hundred steps at most, should the test itself die.
    let marker = marker("comets");
    let link = r#"n=$1; [ "$n" -gt 0 ] && setsid sh -c "$LINK" link $((n-1)) & exit 0"#;
    let script = format!(
        "LINK='{link}'; export LINK; for i in 1 2 3 4; do sh -c \"$LINK\" link 2000 & done; echo ready; exec sleep 100"
    );
    let mut player = start_marked(&marker, &script);
    assert_eq!(read_line(&mut player.stdout), "ready\n");
    wait_for("the chains are found", || processes_with(&marker).len() > 2);
    finish(&mut player);
    assert_eq!(processes_with(&marker), Vec::<i32>::new());
}
