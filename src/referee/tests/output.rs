//! What a bot writes too much, and that it makes no difference how it is cut.

use super::simulation::setup;
use crate::clock::Moment;
use crate::protocol::limits::Limits;
use crate::record::entry::{Entry, FaultKind};
use crate::referee::{Effect, Event, Referee};
use crate::seat::Seat;

/// What seat 0 is charged with at its first turn, when it writes this in pieces of so many bytes; nothing if it is not.
fn charged(text: &str, pieces: usize) -> Option<FaultKind> {
    let mut setup = setup(2, "output");
    // The `ready` fits exactly.
    setup.limits = Limits { line_bytes: 16, output_bytes: 40, ..Limits::default() };
    let mut effects = Vec::new();
    let mut referee = Referee::new(setup, 0, &mut effects).unwrap();
    for seat in Seat::first(2) {
        referee.handle(Moment(0), Event::Sending { seat }, &mut effects);
        referee.handle(Moment(0), Event::Bytes { seat, bytes: b"{\"type\":\"ready\"}\n" }, &mut effects);
    }
    referee.handle(Moment(0), Event::Sending { seat: Seat::new(0) }, &mut effects);
    for bytes in text.as_bytes().chunks(pieces) {
        referee.handle(Moment(1), Event::Bytes { seat: Seat::new(0), bytes }, &mut effects);
    }
    effects.iter().find_map(|effect| match effect {
        Effect::Log(Entry::Fault(fault)) => Some(fault.kind),
        _ => None,
    })
}

#[test]
fn the_limit_that_is_reached_first_decides_however_the_bytes_are_cut() {
    let blank = |lines: usize| "\n".repeat(lines);
    let cases = [
        (blank(40), None),
        (blank(41), Some(FaultKind::OutputLimit)),
        (blank(24) + &"x".repeat(16), None),
        (blank(23) + &"x".repeat(30), Some(FaultKind::TooLong)),
        (blank(24) + &"x".repeat(30), Some(FaultKind::OutputLimit)),
        (blank(38) + "{}\n", Some(FaultKind::OutputLimit)),
        (blank(37) + "{}\n", Some(FaultKind::Unreadable)),
    ];
    for (text, kind) in cases {
        for pieces in [1, 2, 3, 7, 16, 17, 64] {
            assert_eq!(charged(&text, pieces), kind, "{text:?} in pieces of {pieces}");
        }
    }
}
