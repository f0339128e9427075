//! The table of section 6: each fault at the start, on turn and off turn, and the order of blame.

use arbitro::clock::Span;
use arbitro::protocol::limits::Limits;
use arbitro::record::entry::{Exit, FaultKind, Note};
use arbitro::referee::{Event, Gone, Usage};
use arbitro::seat::Seat;

use crate::arena::{Arena, setup};
use crate::document::table;

const ZERO: Seat = Seat::new(0);
const ONE: Seat = Seat::new(1);

/// A game in which every limit is soon reached.
fn arena() -> Arena {
    let mut setup = setup("alto-ahi", "{}", 2);
    setup.limits = Limits {
        line_bytes: 100,
        output_bytes: 150,
        unasked_lines: 2,
        stderr_bytes: 200,
        memory_bytes: Some(300),
        processes: Some(3),
        open_files: Some(7),
        cpu_ms: Some(500),
        scratch_bytes: Some(600),
        ..Limits::default()
    };
    Arena::new(setup)
}

/// The seat does what is to be charged so, as far as it can now.
fn misdeed(arena: &mut Arena, seat: Seat, kind: FaultKind) {
    let turn = arena.referee.turn();
    match kind {
        FaultKind::NotStarted => {
            arena.event(Event::Gone { seat, how: Gone::NotStarted("no such file".to_owned()) });
        }
        FaultKind::Startup | FaultKind::Timeout => {
            arena.wait(Span::from_secs(600));
            arena.event(Event::Tick);
            arena.wait(Span::from_secs(1));
            arena.event(Event::Tick);
        }
        FaultKind::Unreadable => arena.write(seat, b"thinking\n"),
        FaultKind::TooLong => arena.write(seat, &[b'{'; 101]),
        FaultKind::Illegal => {
            arena.write(seat, format!("{{\"type\":\"move\",\"turn\":{turn},\"move\":\"e9\"}}\n").as_bytes());
        }
        FaultKind::Unasked => (0..3).for_each(|_| arena.write(seat, b"{\"type\":\"resign\",\"turn\":0}\n")),
        FaultKind::OutputLimit => arena.write(seat, &[b'\n'; 151]),
        FaultKind::StderrLimit => arena.event(Event::Stderr { seat, bytes: &[b'!'; 201] }),
        FaultKind::MemoryLimit => arena.uses(seat, Usage { memory_bytes: 301, ..Usage::default() }),
        FaultKind::ProcessLimit => arena.uses(seat, Usage { processes: 4, ..Usage::default() }),
        FaultKind::OpenFilesLimit => arena.uses(seat, Usage { open_files: 8, ..Usage::default() }),
        FaultKind::CpuLimit => arena.uses(seat, Usage { cpu: Span::from_ms(501), ..Usage::default() }),
        FaultKind::ScratchLimit => arena.uses(seat, Usage { scratch_bytes: 601, ..Usage::default() }),
        FaultKind::FileLimit => {
            arena.event(Event::Gone { seat, how: Gone::Exited(Exit::Signal(25)) });
        }
        FaultKind::Exited => arena.event(Event::Gone { seat, how: Gone::Exited(Exit::Code(0)) }),
        FaultKind::Closed => arena.event(Event::Gone { seat, how: Gone::Closed }),
        FaultKind::Resigned => {
            arena.write(seat, format!("{{\"type\":\"resign\",\"turn\":{turn}}}\n").as_bytes());
        }
    }
}

fn ready(arena: &mut Arena, seat: Seat) {
    arena.write(seat, b"{\"type\":\"ready\"}\n");
}

#[test]
fn who_computes_while_it_is_frozen_is_noted_once_a_question_and_not_charged() {
    let mut arena = Arena::ready(setup("alto-ahi", "{}", 2));
    let used = |ms| Usage { cpu_frozen: Span::from_ms(ms), ..Usage::default() };
    let awake = |arena: &Arena| arena.notes().iter().filter(|note| matches!(note, Note::Awake { .. })).count();
    [19, 20, 90].into_iter().for_each(|ms| arena.uses(ONE, used(ms)));
    assert_eq!(awake(&arena), 1);
    arena.play("e2");
    arena.uses(ONE, used(30));
    assert_eq!((awake(&arena), arena.faults().len()), (2, 0));
}

#[test]
fn what_can_happen_at_the_start_is_charged_with_turn_0() {
    let table = table("6. Faults", "kind");
    for kind in FaultKind::ALL {
        let mut arena = arena();
        ready(&mut arena, ONE);
        misdeed(&mut arena, ZERO, kind);
        let charged: Vec<(Seat, u64, FaultKind)> =
            arena.faults().iter().map(|fault| (fault.seat, fault.turn, fault.kind)).collect();
        let expected = match table.cell(kind.as_str(), "at the start").as_str() {
            "yes" => vec![(ZERO, 0, kind)],
            // Time that runs out is charged as what it is there.
            _ if kind == FaultKind::Timeout => vec![(ZERO, 0, FaultKind::Startup)],
            _ => vec![],
        };
        assert_eq!(charged, expected, "{kind:?}");
    }
}

#[test]
fn what_happens_on_turn_is_charged_at_once() {
    for kind in FaultKind::ALL {
        if matches!(kind, FaultKind::NotStarted | FaultKind::Startup) {
            continue; // Both are of the start.
        }
        let mut arena = arena();
        Seat::first(2).for_each(|seat| ready(&mut arena, seat));
        misdeed(&mut arena, ZERO, kind);
        let [fault] = arena.faults()[..] else { panic!("{kind:?}: {:?}", arena.faults()) };
        assert_eq!((fault.seat, fault.turn, fault.kind), (ZERO, 1, kind));
        assert_eq!(fault.found.is_some(), matches!(kind, FaultKind::Illegal | FaultKind::Unreadable), "{kind:?}");
        assert_eq!(arena.killed, [ZERO], "{kind:?}");
        assert_eq!(arena.end.as_ref().unwrap().outcome.winner(), Some(ONE), "{kind:?}");
        let overs: Vec<Seat> =
            arena.sent.iter().filter(|(_, line)| line.contains("\"over\"")).map(|(seat, _)| *seat).collect();
        assert_eq!(overs, [ONE], "{kind:?}: a bot that is out gets no over");
    }
}

#[test]
fn what_can_happen_off_turn_is_noted_and_charged_when_the_seat_is_asked() {
    let table = table("6. Faults", "kind");
    for kind in FaultKind::ALL {
        if matches!(kind, FaultKind::NotStarted | FaultKind::Startup | FaultKind::Timeout) {
            assert_eq!(table.cell(kind.as_str(), "can be off turn"), "no");
            continue; // They are about a question that is open.
        }
        let mut arena = arena();
        Seat::first(2).for_each(|seat| ready(&mut arena, seat));
        misdeed(&mut arena, ONE, kind);
        assert!(arena.faults().is_empty() && arena.end.is_none(), "{kind:?}");
        let stopped: Vec<FaultKind> = arena
            .notes()
            .iter()
            .filter_map(|note| match note {
                Note::Stopped { seat, kind, .. } => {
                    assert_eq!(*seat, ONE);
                    Some(*kind)
                }
                _ => None,
            })
            .collect();
        let can_be = table.cell(kind.as_str(), "can be off turn") == "yes";
        assert_eq!(stopped, if can_be { vec![kind] } else { vec![] }, "{kind:?}");
        arena.play("e2");
        let charged: Vec<(Seat, u64, FaultKind)> =
            arena.faults().iter().map(|fault| (fault.seat, fault.turn, fault.kind)).collect();
        assert_eq!(charged, if can_be { vec![(ONE, 2, kind)] } else { vec![] }, "{kind:?}");
        let asked = arena.sent.iter().filter(|(seat, line)| *seat == ONE && line.contains("\"turn\"")).count();
        assert_eq!(asked, usize::from(!can_be), "{kind:?}: a program that was stopped is asked nothing");
    }
}

#[test]
fn what_is_within_a_limit_or_has_none_is_no_fault() {
    let all = Usage {
        memory_bytes: 300,
        processes: 3,
        threads: 128,
        open_files: 7,
        cpu: Span::from_ms(500),
        cpu_frozen: Span::ZERO,
        scratch_bytes: 600,
        scratch_files: 10_000,
        scratch_hidden: false,
    };
    let mut arena = arena();
    arena.uses(ZERO, all);
    Seat::first(2).for_each(|seat| ready(&mut arena, seat));
    arena.uses(ZERO, all);
    arena.uses(ONE, all);
    assert!(arena.faults().is_empty() && arena.notes().iter().all(|note| !matches!(note, Note::Stopped { .. })));
    let mut setup = setup("alto-ahi", "{}", 2);
    setup.limits = Limits { memory_bytes: None, processes: None, open_files: None, cpu_ms: None, ..setup.limits };
    let mut arena = Arena::new(setup);
    let most = u64::MAX;
    arena.uses(
        ZERO,
        Usage {
            memory_bytes: most,
            processes: most,
            threads: most,
            open_files: most,
            cpu: Span(most),
            cpu_frozen: Span(most),
            scratch_bytes: most,
            scratch_files: 1,
            scratch_hidden: false,
        },
    );
    assert!(arena.faults().is_empty());
}

#[test]
fn threads_are_counted_with_the_processes() {
    for (threads, processes, charged) in [(512, 64, false), (513, 64, true), (128, 1, false), (129, 1, true)] {
        let mut setup = setup("alto-ahi", "{}", 2);
        setup.limits.processes = Some(processes);
        let mut arena = Arena::new(setup);
        Seat::first(2).for_each(|seat| ready(&mut arena, seat));
        arena.uses(ZERO, Usage { threads, ..Usage::default() });
        let kinds: Vec<FaultKind> = arena.faults().iter().map(|fault| fault.kind).collect();
        assert_eq!(kinds, if charged { vec![FaultKind::ProcessLimit] } else { vec![] }, "{threads} of {processes}");
    }
}

#[test]
fn the_first_fault_in_the_stream_decides() {
    let charged = |text: &str| {
        let mut arena = arena();
        Seat::first(2).for_each(|seat| ready(&mut arena, seat));
        arena.write(ZERO, text.as_bytes());
        arena.faults().first().map(|fault| fault.kind)
    };
    let illegal = "{\"type\":\"move\",\"turn\":1,\"move\":\"e9\"}\n";
    let good = "{\"type\":\"move\",\"turn\":1,\"move\":\"e2\"}\n";
    let bad_info = "{\"type\":\"move\",\"turn\":1,\"move\":\"e9\",\"info\":3}\n";
    let long = "{".repeat(101);
    assert_eq!(charged(&format!("oops\n{illegal}")), Some(FaultKind::Unreadable));
    assert_eq!(charged(&format!("{illegal}oops\n")), Some(FaultKind::Illegal));
    assert_eq!(charged(bad_info), Some(FaultKind::Unreadable), "an info that is refused comes before the move");
    assert_eq!(charged(&format!("{long}\n{good}")), Some(FaultKind::TooLong));
    assert_eq!(charged(&format!("{good}oops\n")), None, "it is off turn by then");
}

#[test]
fn a_second_answer_and_one_that_comes_early_are_passed_over() {
    let mut arena = arena();
    Seat::first(2).for_each(|seat| ready(&mut arena, seat));
    arena.write(ONE, b"{\"type\":\"move\",\"turn\":2,\"move\":\"e8\"}\n");
    arena.play("e2");
    arena.write(ZERO, b"{\"type\":\"move\",\"turn\":1,\"move\":\"e3\"}\n");
    assert_eq!(arena.referee.plies(), 1, "neither was taken for an answer");
    assert_eq!(arena.asked(), Some(ONE));
    let ignored = arena.notes().iter().filter(|note| matches!(note, Note::Ignored { .. })).count();
    assert_eq!(ignored, 2);
    arena.play("e8");
    assert_eq!(arena.referee.plies(), 2);
}
