//! Time at its edges: deadlines to the nanosecond, and the referee's own lateness.

use super::simulation::{answer, setup};
use crate::clock::{Moment, Span};
use crate::record::entry::{End, Exit};
use crate::record::outcome::{GameResult, Reason};
use crate::referee::{Effect, Event, Gone, Referee, Setup};
use crate::seat::Seat;

const ZERO: Seat = Seat::new(0);
const READY: &[u8] = b"{\"type\":\"ready\"}\n";
const MS: u64 = 1_000_000;

/// A referee with the first question sent to seat 0 at moment 1000, and a second for each move.
struct Asked {
    referee: Referee,
    effects: Vec<Effect>,
}

const SENT: u64 = 1000;
const DEADLINE: u64 = SENT + 1000 * MS;

impl Asked {
    fn new(change: impl FnOnce(&mut Setup)) -> Asked {
        let mut setup = setup(2, "lateness");
        setup.clock.set_clock("unlimited").unwrap();
        setup.clock.move_limit = Some(Span::from_secs(1));
        change(&mut setup);
        let mut asked = Asked { effects: Vec::new(), referee: Referee::new(setup, 0, &mut Vec::new()).unwrap() };
        for seat in Seat::first(2) {
            asked.event(0, Event::Sending { seat });
            asked.event(0, Event::Bytes { seat, bytes: READY });
        }
        asked.event(SENT, Event::Sending { seat: ZERO });
        asked
    }

    fn event(&mut self, at: u64, event: Event) {
        self.referee.handle(Moment(at), event, &mut self.effects);
    }

    fn bytes(&mut self, at: u64, text: &str) {
        self.event(at, Event::Bytes { seat: ZERO, bytes: text.as_bytes() });
    }

    fn end(&self) -> Option<&End> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Done(end) => Some(&**end),
            _ => None,
        })
    }

    fn result(&self) -> Option<(GameResult, Reason)> {
        self.end().map(|end| (end.outcome.result, end.outcome.reason))
    }
}

const LOST: Option<(GameResult, Reason)> = Some((GameResult::Decided, Reason::Faults));
const VOID: Option<(GameResult, Reason)> = Some((GameResult::Void, Reason::RefereeLate));

#[test]
fn an_answer_at_the_deadline_counts() {
    let mut asked = Asked::new(|_| {});
    asked.bytes(DEADLINE, &answer(1, "c2"));
    assert_eq!(asked.referee.plies(), 1);
    assert_eq!(asked.result(), None);
}

#[test]
fn silence_is_a_timeout_after_as_long_again_as_the_referee_was_late() {
    let mut asked = Asked::new(|_| {});
    assert_eq!(asked.referee.deadline(), Some(Moment(DEADLINE + 1)));
    asked.event(DEADLINE, Event::Tick);
    assert_eq!(asked.referee.deadline(), Some(Moment(DEADLINE + 1)), "a spurious tick changes nothing");
    asked.event(DEADLINE + 50_000, Event::Tick);
    assert_eq!(asked.referee.deadline(), Some(Moment(DEADLINE + 100_000)));
    assert_eq!(asked.result(), None);
    asked.event(DEADLINE + 100_000, Event::Tick);
    assert_eq!(asked.result(), LOST);
}

#[test]
fn an_answer_that_was_there_when_the_referee_woke_late_is_void() {
    let mut asked = Asked::new(|_| {});
    asked.bytes(DEADLINE + 1, &answer(1, "c2"));
    assert_eq!(asked.result(), VOID);
    assert!(asked.end().unwrap().game_seed.is_none(), "the game will be played again on this seed");
}

#[test]
fn an_answer_in_the_grace_is_void_and_after_it_late() {
    let mut asked = Asked::new(|_| {});
    asked.event(DEADLINE + 5_000 * MS, Event::Tick);
    asked.bytes(DEADLINE + 5_999 * MS, &answer(1, "c2"));
    assert_eq!(asked.result(), VOID);

    let mut asked = Asked::new(|_| {});
    asked.event(DEADLINE + 5_000 * MS, Event::Tick);
    asked.bytes(DEADLINE + 6_000 * MS, &answer(1, "c2"));
    assert_eq!(asked.result(), LOST, "the grace is a second at most");
}

#[test]
fn noise_does_not_put_off_the_flag() {
    let mut asked = Asked::new(|_| {});
    asked.bytes(DEADLINE - 1, "\n\n");
    asked.bytes(DEADLINE + 10, "\n");
    asked.bytes(DEADLINE + 19, "{\"type\"");
    assert_eq!(asked.result(), None);
    asked.bytes(DEADLINE + 20, "\n");
    assert_eq!(asked.result(), LOST);
}

#[test]
fn the_deadline_is_for_the_complete_line() {
    let mut asked = Asked::new(|_| {});
    let line = answer(1, "c2");
    asked.bytes(DEADLINE - MS, line.trim_end());
    asked.event(DEADLINE + 1, Event::Tick);
    asked.event(DEADLINE + 2, Event::Tick);
    assert_eq!(asked.result(), LOST);
    let words = format!("{:?}", asked.effects);
    assert!(words.contains("came without a line end"), "{words}");
}

#[test]
fn late_comes_before_unreadable_illegal_and_gone() {
    for what in ["debug\n", "{\"type\":\"move\",\"turn\":1}\n"] {
        let mut asked = Asked::new(|_| {});
        asked.event(DEADLINE + 100, Event::Tick);
        asked.bytes(DEADLINE + 150, what);
        asked.event(DEADLINE + 200, Event::Tick);
        assert_eq!(asked.result(), LOST);
        assert!(format!("{:?}", asked.effects).contains("kind: Timeout"), "{what}");
    }
    let mut asked = Asked::new(|_| {});
    asked.event(DEADLINE + 100, Event::Gone { seat: ZERO, how: Gone::Exited(Exit::Signal(9)) });
    asked.event(DEADLINE + 200, Event::Tick);
    assert!(format!("{:?}", asked.effects).contains("Fault { seat: seat 0, turn: 1, kind: Timeout"));
}

#[test]
fn an_overrun_inside_the_margin_counts_and_is_reported() {
    let mut asked = Asked::new(|setup| setup.clock.margin = Span::from_ms(20));
    asked.bytes(DEADLINE + 20 * MS, &answer(1, "c2"));
    assert_eq!(asked.referee.plies(), 1);
    assert!(format!("{:?}", asked.effects).contains("overrun: Span(20000000)"));
    let mut asked = Asked::new(|setup| setup.clock.margin = Span::from_ms(20));
    asked.event(DEADLINE + 20 * MS + 1, Event::Tick);
    asked.event(DEADLINE + 20 * MS + 2, Event::Tick);
    assert_eq!(asked.result(), LOST);
}

#[test]
fn a_seat_that_died_off_turn_is_out_when_it_is_asked_and_not_before() {
    let one = Seat::new(1);
    let mut asked = Asked::new(|_| {});
    asked.event(SENT + 1, Event::Gone { seat: one, how: Gone::Exited(Exit::Code(1)) });
    assert_eq!(asked.result(), None);
    assert!(asked.effects.iter().any(|effect| matches!(effect, Effect::Kill(seat) if *seat == one)));
    asked.bytes(SENT + 2, &answer(1, "c2"));
    assert_eq!(asked.result(), LOST);
    assert_eq!(asked.end().unwrap().outcome.winner(), Some(ZERO));
}

#[test]
fn an_interrupted_or_broken_game_counts_for_nobody() {
    for (event, result) in [
        (Event::Stop, (GameResult::Aborted, Reason::Interrupted)),
        (Event::Broken, (GameResult::Void, Reason::Infrastructure)),
        (Event::Panicked, (GameResult::Void, Reason::Panic)),
    ] {
        let mut asked = Asked::new(|_| {});
        asked.event(SENT + 1, event);
        assert_eq!(asked.result(), Some(result));
        asked.bytes(SENT + 2, &answer(1, "c2"));
        assert_eq!(asked.referee.plies(), 0, "nothing happens after the end");
    }
}
