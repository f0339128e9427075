//! How a tournament ends: bots that are disqualified, pairings that are halted, and a referee that is stopped.

use std::time::{Duration, Instant};

use arbitro::record::outcome::{GameResult, Reason};
use arbitro::seat::BySeat;
use arbitro::tournament::Entrant;
use arbitro::tournament::folder;
use arbitro::tournament::plan::Header;
use arbitro::tournament::run::{Ending, MOST_UNRESOLVED, Progress};

use crate::support::{Cup, NoDirector, Stop, all_meet, header, options, round, wait_until};

#[test]
fn a_bot_that_fails_again_and_again_is_disqualified_at_the_same_game_however_many_run_at_once() {
    let of = |at_once: usize| {
        // It crashes at its third turn.
        let field = header(&["random", "faulty mode=exit turn=3", "greedy"]);
        let cup = Cup::new(Header { disqualify_after: 3, ..field }, [all_meet(3, 3)]);
        let mut told = Vec::new();
        let summary = cup.play_with(at_once, &mut NoDirector, |progress| {
            if let Progress::Disqualified { bot } = progress {
                told.push(bot);
            }
        });
        assert_eq!((summary.ending, summary.counted), (Ending::Complete, 18));
        assert_eq!((told, summary.disqualified), (vec![Entrant(1)], vec![Entrant(1)]));
        let again = cup.play(at_once);
        assert_eq!((again.played, again.disqualified), (0, vec![Entrant(1)]), "it stays so");
        let record = folder::read(&cup.path()).expect("a tournament");
        let logs = cup.logs().len();
        (record.played, logs)
    };
    let (one, logs) = of(1);
    let at_fault = |played: &arbitro::tournament::played::Played| {
        let seat = played.seats.seats().find(|(_, bot)| bot.0 == 1).map(|(seat, _)| seat)?;
        Some((played.is_forfeited(), played.ranks.as_ref().expect("it is decided")[seat]))
    };
    let fates: Vec<(bool, u8)> = one.iter().filter_map(at_fault).collect();
    let lost = fates.iter().filter(|(forfeited, _)| *forfeited).count();
    assert!(fates.iter().all(|&(_, rank)| rank == 2) && fates.len() == 12, "{fates:?}");
    // The set in which it happens is played to its end.
    assert_eq!(lost, 8, "{fates:?}");
    assert!(fates[..4].iter().all(|&(forfeited, _)| !forfeited), "what came before counts as it was played");
    assert_eq!(logs, 18 - lost, "those were not played, or not kept");
    let comparable = |played: Vec<arbitro::tournament::played::Played>| {
        let plain = played.into_iter().map(|mut game| {
            game.sha256 = arbitro::chance::Hex32([0; 32]);
            game.host.took_us = 0;
            game.host.thought_us = BySeat::collect([0, 0]);
            game
        });
        plain.collect::<Vec<_>>()
    };
    let one = comparable(one);
    for at_once in [2, 8] {
        let (other, others_logs) = of(at_once);
        assert_eq!((comparable(other), others_logs), (one.clone(), logs));
    }
}

#[test]
fn a_bot_that_crashes_in_every_game_loses_them_and_the_tournament_goes_on() {
    let cup = Cup::new(header(&["random", "faulty mode=exit turn=0", "greedy"]), [all_meet(3, 1)]);
    let mut faults = Vec::new();
    let summary = cup.play_with(2, &mut NoDirector, |progress| {
        if let Progress::Finished { game, faults: shown, clean, .. } = progress {
            assert!(clean);
            faults.extend(shown.iter().map(|fault| (game.seats[fault.seat], fault.kind, fault.words.clone())));
        }
    });
    assert_eq!((summary.ending, summary.counted, summary.unresolved), (Ending::Complete, 6, 0));
    assert_eq!(faults.len(), 4);
    assert!(faults.iter().all(|(bot, kind, _)| (bot.0, *kind) == (1, "exited")), "{faults:?}");
    for game in cup.record().played {
        let crashed = game.seats.iter().position(|bot| bot.0 == 1);
        let charged = game.faults.iter().map(|fault| fault.seat.index()).next();
        assert_eq!(crashed, charged);
    }
}

#[test]
fn a_pairing_that_comes_to_nothing_is_halted_and_taken_up_again_the_next_time() {
    let cup = Cup::new(header(&["random", "greedy"]), [round(&[&[0, 1]], 6)]);
    let stop = Stop::new();
    let mut broken = cup.means(1);
    // No keeper can be started from here: that is nobody's fault.
    broken.referee_exe = "/nonexistent".into();
    let (mut halted, mut voids) = (Vec::new(), 0);
    let tell = &mut |progress: Progress| match progress {
        Progress::Halted { bots } => halted.push(bots.clone()),
        Progress::Void { reason, log, .. } => {
            assert!(reason == Reason::Infrastructure && log.exists(), "{reason:?}");
            voids += 1;
        }
        _ => {}
    };
    let summary = arbitro::tournament::run::run(cup.open(), &broken, &mut NoDirector, stop.readable(), tell).unwrap();
    // Games are counted in sets, so one more than need be is tried; and the worker may have begun the next set when the
    // teller halts the pairing.
    let need = u64::from(MOST_UNRESOLVED).next_multiple_of(2);
    let tried = summary.unresolved;
    assert!([need, need + 2].contains(&tried), "{tried}");
    assert_eq!((summary.ending, summary.counted), (Ending::Incomplete, tried));
    assert_eq!((halted.len(), summary.halted), (1, vec![vec![Entrant(0), Entrant(1)]]));
    assert_eq!(voids, tried, "each of them was played twice");
    let summary = cup.play(2);
    assert_eq!((summary.ending, summary.counted, summary.played), (Ending::Complete, 12, 12 - tried));
    assert_eq!(summary.unresolved, tried, "a game that stayed void stays so");
    let record = folder::read(&cup.path()).expect("a tournament");
    let (void, decided) = record.played.split_at(tried as usize);
    assert!(void.iter().all(|game| (game.result, game.voids, &game.ranks) == (GameResult::Void, 1, &None)));
    assert!(decided.iter().all(|game| (game.result, game.voids) == (GameResult::Decided, 0)));
}

#[test]
fn a_referee_that_is_stopped_leaves_no_bot_and_no_log_of_what_does_not_count() {
    let field =
        Header { options: options(r#"{"size":5,"walls":0}"#, 2), ..header(&["random sleep=30ms", "random sleep=30s"]) };
    for reuse in [0, 3] {
        let cup = Cup::new(Header { reuse, ..field.clone() }, [round(&[&[0, 1]], 12)]);
        let (stop, mut started, mut told) = (Stop::new(), 0, Vec::new());
        let mut asked = None;
        let summary = cup.play_opened(cup.open(), 3, &mut NoDirector, &stop, |progress| match progress {
            Progress::Started { .. } => {
                started += 1;
                if started == 3 {
                    wait_until("all bots run", || cup.processes().len() >= 6);
                    asked = Some(Instant::now());
                    stop.stop();
                }
            }
            Progress::Stopping => told.push("stopping"),
            Progress::Ended(_) => told.push("ended"),
            Progress::Counted { .. } => told.push("counted"),
            _ => {}
        });
        let took = asked.expect("three games began").elapsed();
        assert!(took < Duration::from_secs(10), "{took:?}");
        let summary = summary.expect("nothing fails");
        assert_eq!((summary.ending, summary.counted), (Ending::Interrupted, 0));
        assert_eq!(told, ["stopping", "ended"]);
        assert_eq!(cup.processes(), [0; 0]);
        assert_eq!(cup.record().played, []);
    }
}

#[test]
fn nothing_begins_when_it_is_stopped_before() {
    let cup = Cup::new(header(&["random", "greedy"]), [round(&[&[0, 1]], 2)]);
    let stop = Stop::new();
    stop.stop();
    let summary = cup.play_opened(cup.open(), 2, &mut NoDirector, &stop, |_| {}).expect("nothing fails");
    assert_eq!((summary.ending, summary.counted), (Ending::Interrupted, 0));
    assert_eq!(cup.record().played, []);
    assert_eq!(cup.play(2).ending, Ending::Complete);
}
