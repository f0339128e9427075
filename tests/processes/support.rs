//! What the tests of processes share: starting programs, reading what they write, and looking for what is left.

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};

use arbitro::host::{Confinement, Player, Program, Report};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// No wait in these tests is longer.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The product: what keepers and launchers are.
pub fn arbitro() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_arbitro"))
}

pub fn words(argv: &[&str]) -> Vec<OsString> {
    argv.iter().map(OsString::from).collect()
}

/// The program of a command, in the root directory, with nothing added to its environment.
pub fn program(argv: &[&str]) -> Program {
    Program::find(&words(argv), Path::new("/"), &[]).expect("the command of a test can be started")
}

/// Starts a command without limits.
pub fn start(argv: &[&str]) -> Player {
    Player::start(arbitro(), None, &program(argv), &Confinement::default()).expect("a player is started")
}

/// Starts a script of the shell with a marker in its environment, which everything that it starts inherits.
pub fn start_marked(marker: &str, script: &str) -> Player {
    start_marked_in(marker, script, &Confinement::default())
}

/// The same, held by this.
pub fn start_marked_in(marker: &str, script: &str, confinement: &Confinement) -> Player {
    let program =
        Program::find(&words(&["/bin/sh", "-c", script]), Path::new("/"), &[("MARKER".into(), marker.into())]);
    let program = program.expect("the command of a test can be started");
    Player::start(arbitro(), None, &program, confinement).expect("a player is started")
}

/// Starts a script of the shell.
pub fn start_sh(script: &str) -> Player {
    start(&["/bin/sh", "-c", script])
}

/// Waits for reports until one is as wanted; all of them, that one last.
pub fn reports_until(player: &mut Player, wanted: impl Fn(&Report) -> bool) -> Vec<Report> {
    let deadline = Instant::now() + PATIENCE;
    let mut all = Vec::new();
    loop {
        all.append(&mut player.read_reports());
        if all.iter().any(&wanted) {
            return all;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        assert!(!left.is_zero() && !player.is_over(), "the report did not come, only {all:?}");
        wait_readable(&player.control(), left);
    }
}

/// Waits until something can be read, or so long.
pub fn wait_readable(from: &impl std::os::fd::AsFd, left: Duration) {
    let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
    let _ = poll(&mut [PollFd::new(from, PollFlags::IN)], Some(&left));
}

/// Finishes a player; the number of leftovers.
pub fn finish(player: &mut Player) -> u32 {
    let reports = player.wait_empty(Instant::now() + PATIENCE);
    match reports.last() {
        Some(&Report::Empty { leftovers }) => leftovers,
        _ => panic!("the player was not emptied: {reports:?}"),
    }
}

/// Reads from one of a player's pipes until what came is as wanted, or the pipe ends.
pub fn read_until(pipe: &mut Option<OwnedFd>, wanted: impl Fn(&str) -> bool) -> String {
    let deadline = Instant::now() + PATIENCE;
    let pipe = pipe.as_ref().expect("the pipe is open");
    let mut text = Vec::new();
    loop {
        let mut piece = [0; 4096];
        match rustix::io::read(pipe, &mut piece) {
            Ok(0) => break,
            Ok(length) => text.extend_from_slice(&piece[..length]),
            Err(rustix::io::Errno::AGAIN) => {
                let left = deadline.saturating_duration_since(Instant::now());
                assert!(!left.is_zero(), "only this came: {:?}", String::from_utf8_lossy(&text));
                wait_readable(pipe, left);
            }
            Err(error) => panic!("the pipe cannot be read: {error}"),
        }
        if wanted(&String::from_utf8_lossy(&text)) {
            break;
        }
    }
    String::from_utf8(text).expect("test programs write UTF-8")
}

/// Reads one line.
pub fn read_line(pipe: &mut Option<OwnedFd>) -> String {
    read_until(pipe, |text| text.ends_with('\n'))
}

/// Reads all that a program writes until nobody holds the pipe any more.
pub fn read_to_end(pipe: &mut Option<OwnedFd>) -> String {
    read_until(pipe, |_| false)
}

/// Whether a process runs, not just waits to be reaped.
pub fn process_is_alive(pid: i32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

/// Whether there is a Python to test with. Where everything must be tested, there has to be one.
pub fn has_python() -> bool {
    let found = Program::find(&words(&["python3"]), Path::new("/"), &[]).is_ok();
    assert!(found || std::env::var_os("CI").is_none_or(|ci| ci != "true"), "python3 not found");
    if !found {
        println!("skipped: python3 not found");
    }
    found
}

/// The processes of the machine that have a text in their arguments or their environment, ended ones not counted.
pub fn processes_with(marker: &str) -> Vec<i32> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("/proc is there").flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let holds = |file: &str| {
            let mut bytes = Vec::new();
            let opened = fs::File::open(entry.path().join(file));
            opened.is_ok_and(|mut file| file.read_to_end(&mut bytes).is_ok())
                && bytes.windows(marker.len()).any(|window| window == marker.as_bytes())
        };
        if holds("cmdline") || holds("environ") {
            found.push(pid);
        }
    }
    found
}

/// Waits until a condition holds.
pub fn wait_for(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "never came true: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A text that no other test and no other run uses.
pub fn marker(name: &str) -> String {
    format!("arbitro-test-{name}-{}", std::process::id())
}
