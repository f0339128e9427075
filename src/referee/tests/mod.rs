//! Whole games under a simulated clock, and single events where their order is the point.

mod clocks;
mod lateness;
mod output;
mod plain_clock;
mod simulation;

use simulation::{Bot, Fault, Match, bot, draws, play, setup, setup_of};

use crate::clock::Span;
use crate::record::outcome::{GameResult, Reason};
use crate::record::verify::{Finding, verify};
use crate::referee::Setup;
use crate::seat::{BySeat, Seat};
use crate::table::GameName;

fn bots(seats: usize, seed: &str, bad: Option<(usize, u64, Fault)>) -> Vec<Bot> {
    let fault = |seat: usize| bad.filter(|(at, ..)| *at == seat).map(|(_, turn, fault)| (turn, fault));
    (0..seats).map(|seat| bot(&format!("{seed}/{seat}"), fault(seat))).collect()
}

fn game(seats: usize, seed: &str, bad: Option<(usize, u64, Fault)>) -> Match {
    Match { setup: setup(seats, seed), bots: bots(seats, seed, bad), cuts: None }
}

#[test]
fn random_bots_play_whole_games_and_every_log_verifies() {
    let mut won = [0; 4];
    for number in 0..1000 {
        let seats = if number % 3 == 0 { 4 } else { 2 };
        let played = play(game(seats, &format!("random {number}"), None));
        assert_eq!(played.end.outcome.result, GameResult::Decided);
        assert!(played.kills.is_empty());
        assert!(played.verified.seed_checked);
        played.end.outcome.winner().into_iter().for_each(|seat| won[seat.index()] += 1);
    }
    assert!(won.iter().all(|&wins| wins > 20), "{won:?}");
}

#[test]
fn equal_seeds_give_byte_equal_logs_however_the_bytes_are_cut() {
    for number in 0..200 {
        let seats = if number % 2 == 0 { 4 } else { 2 };
        let (fault, _) = Fault::ALL[number % Fault::ALL.len()];
        let bad = (number % 3 > 0).then_some((number % seats, 1 + number as u64 % 5, fault));
        let seed = format!("equal {number}");
        let whole = play(game(seats, &seed, bad));
        assert_eq!(whole.text(), play(game(seats, &seed, bad)).text());
        for cuts in ["a", "b"] {
            let cut = Match { cuts: Some(draws(cuts)), ..game(seats, &seed, bad) };
            assert_eq!(whole.text(), play(cut).text(), "{bad:?}");
        }
        let other = play(game(seats, &format!("{seed}'"), bad));
        assert_ne!(whole.verified.game_sha256, other.verified.game_sha256);
    }
}

#[test]
fn every_fault_is_charged_to_its_seat_at_every_turn() {
    for (fault, kind) in Fault::ALL {
        for seats in [2, 4] {
            for seat in 0..seats {
                for turn in 1..5 {
                    let seed = format!("faults {turn}");
                    is_charged(setup(seats, &seed), &seed, (seat, turn, fault), kind);
                }
            }
        }
    }
}

#[test]
fn faults_are_charged_in_every_game_at_every_seat_in_mid_turn_and_mid_card_too() {
    let cards = (GameName::AltoAhi, r#"{"size":5,"walls":2,"cards":true}"#);
    let plain = GameName::ALL.iter().map(|&game| (game, "{}"));
    for (game, options) in plain.chain([cards]) {
        for &seats in game.seats() {
            for seat in 0..seats {
                for turn in 1..8 {
                    let fault = [(Fault::Crash, "exited"), (Fault::Illegal, "illegal"), (Fault::Silent, "timeout")];
                    let (fault, kind) = fault[turn as usize % 3];
                    let seed = format!("{game} {turn}");
                    is_charged(setup_of(game, options, seats, &seed), &seed, (seat, turn, fault), kind);
                }
            }
        }
    }
}

/// Plays a game in which one seat is bad at a turn of its own, and looks who was charged with what.
fn is_charged(setup: Setup, seed: &str, bad: (usize, u64, Fault), kind: &str) {
    let (seat, seats) = (bad.0, setup.players.len());
    let name = setup.game;
    let played = play(Match { setup, bots: bots(seats, seed, Some(bad)), cuts: None });
    let faults = played.faults();
    let context = format!("{name}: {bad:?}: {faults:?}\n{}", played.text());
    let Some(first) = faults.first() else {
        // The game may end before the seat is asked so often, or before it is asked again.
        assert!(matches!(played.end.outcome.reason, Reason::Rules(_)), "{context}");
        return;
    };
    assert_eq!(faults.len(), 1, "{context}");
    assert_eq!((first.0, first.2.as_str()), (seat as u64, kind), "{context}");
    assert_eq!(played.kills, [Seat::new(seat)], "{context}");
    assert_eq!(played.ranks()[seat], seats as u8, "{context}");
    if seats == 2 {
        assert_eq!(played.end.outcome.reason, Reason::Faults, "{context}");
    } else {
        assert!(played.text().contains("{\"leave\":"), "{context}");
    }
}

#[test]
fn a_forged_die_or_card_is_found_with_its_ply() {
    let dice = (GameName::AltoRiesgo, "{}", ["D", "A"]);
    let card = (GameName::AltoAhi, r#"{"size":5,"cards":true}"#, ["\"card\":\"push\"", "\"card\":\"halt\""]);
    for (game, options, [drawn, forged]) in [dice, card] {
        let setup = setup_of(game, options, 2, "forged");
        let played = play(Match { setup, bots: bots(2, "forged", None), cuts: None });
        let lines: Vec<&str> = played.text().lines().collect();
        let is_forgeable = |line: &&str| line.starts_with("{\"chance\":") && line.contains(drawn);
        let at = lines.iter().rposition(is_forgeable).expect("it was drawn once");
        let ply = lines[..at].iter().filter(|line| line.starts_with("{\"move\":")).count() as u64;
        let mut forged_lines: Vec<String> = lines.iter().map(|line| (*line).to_owned() + "\n").collect();
        forged_lines[at] = forged_lines[at].replacen(drawn, forged, 1);
        match verify(forged_lines.concat().as_bytes()) {
            Err(Finding::Differs { line, ply: found, what }) => {
                assert_eq!((line, found), (at + 1, ply), "{what}");
                assert!(what.contains("seed draws"), "{what}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_fault_at_the_start_loses_and_two_at_the_start_tie() {
    for (fault, kind) in Fault::ALL {
        if matches!(fault, Fault::CrashAfterAnswer | Fault::OtherTurn | Fault::Illegal | Fault::NoMove | Fault::Resign)
        {
            continue; // None of these can be done to a `hello`.
        }
        let kind = if kind == "timeout" { "startup" } else { kind };
        for seats in [2, 4] {
            let played = play(game(seats, "start", Some((1, 0, fault))));
            assert_eq!(played.faults(), [(1, 0, kind.to_owned())], "{fault:?}");
            assert_eq!(played.ranks()[1], seats as u8);
        }
        let all_bad = |seed: &str, seats: usize, good: usize| Match {
            setup: setup(seats, seed),
            bots: (0..seats).map(|seat| bot(seed, (seat >= good).then_some((0, fault)))).collect(),
            cuts: None,
        };
        assert_eq!(play(all_bad("none", 2, 0)).end.outcome.reason, Reason::NobodyReady);
        assert_eq!(play(all_bad("one of four", 4, 1)).ranks(), [1, 2, 2, 2]);
        let two = play(all_bad("two of four", 4, 2)).ranks();
        assert!(two == [1, 2, 3, 3] || two == [2, 1, 3, 3] || two == [1, 1, 3, 3], "{two:?}");
    }
}

#[test]
fn in_which_order_programs_fail_to_start_does_not_change_the_game() {
    let dies_after = |ms: u64| -> Bot {
        Box::new(move |message| match message["type"].as_str().unwrap() {
            "hello" => vec![(Span::from_ms(ms), simulation::Act::Exit(1))],
            _ => vec![],
        })
    };
    let failing = |first: u64, second: u64| {
        let (one, other) = (bot("order/1", None), bot("order/3", None));
        let bots = vec![dies_after(first), one, dies_after(second), other];
        play(Match { setup: setup(4, "order"), bots, cuts: None })
    };
    let (rising, falling) = (failing(10, 20), failing(20, 10));
    let exited = |seat| (seat, 0, "exited".to_owned());
    assert_eq!(rising.faults(), [exited(0), exited(2)]);
    assert_eq!(falling.faults(), [exited(0), exited(2)]);
    assert_eq!(rising.verified.game_sha256, falling.verified.game_sha256);
}

#[test]
fn later_faults_rank_better() {
    let turns = [3, 1, 2];
    let bots = (0..4).map(|seat| bot("later", turns.get(seat).map(|&turn| (turn, Fault::Garbage)))).collect();
    let mut setup = setup(4, "later");
    setup.options = r#"{"size":9}"#.to_owned();
    let played = play(Match { setup, bots, cuts: None });
    assert_eq!(played.ranks(), [2, 4, 3, 1]);
}

#[test]
fn an_answer_before_the_crash_counts_and_may_win() {
    // Seat 0 steps straight to its goal and dies after each answer it could still give: the last one ends the game.
    let path = ["b2", "b3"];
    let mut at = 0;
    let runner: Bot = Box::new(move |message| match message["type"].as_str().unwrap() {
        "hello" => vec![(Span::ZERO, simulation::write("{\"type\":\"ready\"}\n"))],
        "turn" => {
            at += 1;
            let legal = message["legal"].as_array().unwrap();
            let token = path.iter().rev().find(|token| legal.iter().any(|mv| mv == *token)).unwrap();
            let answer = simulation::write(&simulation::answer(message["turn"].as_u64().unwrap(), token));
            let dies = (at == 2).then_some((Span::ZERO, simulation::Act::Exit(3)));
            [(Span::ZERO, answer)].into_iter().chain(dies).collect()
        }
        _ => vec![],
    });
    let waiter = bot("waiter", None);
    let mut setup = setup(2, "win");
    setup.options = r#"{"size":3,"walls":0}"#.to_owned();
    setup.players = BySeat::collect(["runner".to_owned(), "waiter".to_owned()]);
    let played = play(Match { setup, bots: vec![runner, waiter], cuts: None });
    assert!(played.faults().is_empty() || played.ranks() == [2, 1], "{}", played.text());
}

#[test]
fn strikes_tolerate_late_and_illegal_answers_and_nothing_else() {
    for (fault, kind) in Fault::ALL {
        let mut bad = game(2, "strikes", Some((0, 2, fault)));
        bad.setup.limits.strikes = 1;
        let played = play(bad);
        let tolerated = played.text().contains("\"tolerated\":true");
        let drawn = played.text().contains("\"by\":\"strike\"");
        assert_eq!(tolerated, ["timeout", "illegal"].contains(&kind), "{fault:?}");
        assert_eq!(tolerated, drawn);
        // A line without an end is late, and then spoils the next one.
        let spoilt = matches!(fault, Fault::NoLineEnd);
        assert_eq!(played.end.outcome.reason == Reason::Faults, !tolerated || spoilt, "{fault:?}: {}", played.text());
    }
}

#[test]
fn lenient_skips_so_many_unreadable_lines_a_turn() {
    let noisy = |lines: u64| -> Bot {
        let mut inner = bot("noisy", None);
        Box::new(move |message| {
            let mut acts = inner(message);
            if message["type"] == "turn" {
                (0..lines).for_each(|_| acts.insert(0, (Span::ZERO, simulation::write("debug\n"))));
            }
            acts
        })
    };
    for (lines, faults) in [(2, 0), (3, 1)] {
        let mut game = Match { setup: setup(2, "lenient"), bots: vec![noisy(lines), bot("quiet", None)], cuts: None };
        game.setup.limits.lenient = 2;
        assert_eq!(play(game).faults().len(), faults);
    }
}

#[test]
fn an_opening_is_played_first_and_costs_no_clock() {
    let mut opened = game(2, "opening", None);
    opened.setup.opening = ["c2", "c4", "a1h"].map(str::to_owned).to_vec();
    let played = play(opened);
    assert_eq!(played.text().matches("\"by\":\"opening\"").count(), 3);
    let first = played.text().lines().find(|line| line.contains("\"turn\":1,")).unwrap();
    assert!(first.contains("\"ply\":4,\"turn\":1,\"seat\":1"), "{first}");
}
