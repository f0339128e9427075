//! A tournament that tells what nobody reads: it goes on, and ends when it is to end.

use std::fs::{File, OpenOptions};
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::pipe::fcntl_setpipe_size;
use rustix::process::Signal;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Action, tcflow};

use crate::running::Running;
use crate::support::{Place, wait_until};
use crate::tournament::{THREE, cup, journaled};

/// A terminal that somebody holds, as by Ctrl-S: whoever writes to it waits. It is one as long as the first end lives.
fn held_terminal() -> (OwnedFd, File) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
    grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("a terminal of our own");
    let name = ptsname(&ours, Vec::new()).expect("a terminal with a name");
    let terminal = rustix::fs::open(
        name,
        rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY | rustix::fs::OFlags::CLOEXEC,
        Mode::empty(),
    );
    let terminal = terminal.expect("a terminal that can be opened");
    tcflow(&terminal, Action::OOff).expect("a terminal that can be held");
    (ours, terminal.into())
}

/// A pipe for events that is full after a page, and whoever could read it.
fn narrow_pipe(place: &Place, name: &str) -> File {
    mknodat(CWD, place.path(name), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
    // Both ends, so that nobody waits for the other one.
    let reader = OpenOptions::new().read(true).write(true).open(place.path(name)).expect("a pipe that can be opened");
    fcntl_setpipe_size(reader.as_fd(), 4096).expect("a small pipe");
    reader
}

#[test]
fn a_terminal_and_a_pipe_that_nobody_reads_hold_up_no_game() {
    let (place, (_ours, terminal)) = (Place::new(), held_terminal());
    let _reader = narrow_pipe(&place, "events");
    place.write("cup.toml", cup("kind = \"round-robin\"\nrounds = 4", "", &THREE));
    let ended = Running::start_telling(place.command("run --out o --events events -v"), terminal).wait();
    assert_eq!((ended.code, journaled(&place, "o").len()), (Some(0), 24));
    assert!(ended.stdout.starts_with("  1. "), "{}", ended.stdout);
    place.is_empty_of_processes();
}

#[test]
fn a_tournament_that_nobody_reads_is_stopped_at_once() {
    let (place, (_ours, terminal)) = (Place::new(), held_terminal());
    let _reader = narrow_pipe(&place, "events");
    let slow = [THREE[0], ("bob", "[\"random\", \"sleep=5ms\"]"), ("cy", "[\"random\", \"sleep=5ms\"]")];
    place.write("cup.toml", cup("kind = \"round-robin\"\nrounds = 200", "", &slow));
    let run = Running::start_telling(place.command("run --out o --events events -v"), terminal);
    // More than the pipe holds.
    wait_until("games are finished", || place.path("o/journal.jsonl").exists() && journaled(&place, "o").len() > 20);
    let family = run.family_of(2);
    run.signal(Signal::TERM);
    let ended = run.wait();
    assert_eq!(ended.code, Some(75));
    assert!(!family.iter().any(|process| process.is_alive()), "{family:?}");
    place.is_empty_of_processes();
}

#[test]
fn a_pipe_of_events_that_nobody_reads_is_told_of() {
    let place = Place::new();
    let _reader = narrow_pipe(&place, "events");
    place.write("cup.toml", cup("kind = \"round-robin\"\nrounds = 4", "", &THREE));
    let ran = place.run("run --out o --events events").code(0);
    let told = "events are no longer written to events: nobody reads them";
    assert!(ran.stderr().contains(told), "{}", ran.shown());
}
