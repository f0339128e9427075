//! Tests of the rules against figures and positions from outside, in `fixtures/perft/alto-ahi.json`.

use serde_json::Value;

use crate::game::{Game, Notation, Step, perft};

use crate::games::conformance;

use super::{AltoAhi, Beside, Move, Options};

fn facts() -> Value {
    serde_json::from_str(include_str!("../../../fixtures/perft/alto-ahi.json")).expect("the fixture is JSON")
}

fn number(fact: &Value, key: &str) -> u64 {
    fact[key].as_u64().unwrap_or_else(|| panic!("{key} in {fact}"))
}

/// The default options, with the size and the barriers that a fact names.
fn options_of(fact: &Value) -> Options {
    Options {
        size: fact["size"].as_u64().unwrap_or(9) as usize,
        walls: fact["walls"].as_u64().map(|walls| walls as u8),
        ..Options::default()
    }
}

/// A game after moves written in one line, each of them checked.
fn after(options: &Options, seats: usize, moves: &str) -> AltoAhi {
    let mut game = AltoAhi::new(options, seats).expect("possible options");
    for token in moves.split_whitespace() {
        let mv: Move = token.parse().unwrap_or_else(|error| panic!("{token} in {moves}: {error}"));
        game.check(mv).unwrap_or_else(|error| panic!("{token} in {moves}: {error}"));
        game.apply(Step::Move(mv));
    }
    game
}

fn list(game: &AltoAhi) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves.into_iter().map(|mv| mv.token().to_string()).collect()
}

/// The figures of a fact for each reading of the rules: its key, and the options that it means.
fn readings(fact: &Value) -> Vec<(&'static str, Options)> {
    let options = options_of(fact);
    let edge_none = Options { edge: Beside::None, ..options.clone() };
    let behind_side = Options { pawn_behind: Beside::Side, ..options.clone() };
    let readings = [
        ("perft", options),
        ("edge_none", edge_none.clone()),
        ("perft_edge_none", edge_none),
        ("perft_pawn_behind_side", behind_side),
    ];
    readings.into_iter().filter(|(key, _)| !fact[*key].is_null()).collect()
}

/// Checks every perft figure with fewer leaves than `below` and at least `from`; says how many those were.
fn check_perft(section: &str, from: u64, below: u64) -> usize {
    let facts = facts();
    let mut checked = 0;
    for fact in facts[section].as_array().expect("a list of positions") {
        for (key, options) in readings(fact) {
            let game = after(&options, number(fact, "seats") as usize, fact["moves"].as_str().unwrap_or(""));
            for (depth, expected) in (1..).zip(fact[key].as_array().expect("a list of figures")) {
                let expected = expected.as_u64().expect("a figure");
                if (from..below).contains(&expected) {
                    assert_eq!(perft(&game, depth), Ok(expected), "{key} {depth} of {fact}");
                    checked += 1;
                }
            }
        }
    }
    checked
}

/// What a debug build counts in a few seconds, and a release build alone.
const SHALLOW: u64 = 1_000_000;

#[test]
fn perft_from_the_start() {
    assert_eq!(check_perft("from_the_start", 0, SHALLOW), 53);
}

#[test]
fn perft_of_positions() {
    assert_eq!(check_perft("positions", 0, SHALLOW), 180);
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_perft_from_the_start() {
    assert_eq!(check_perft("from_the_start", SHALLOW, u64::MAX), 6);
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_perft_of_positions() {
    assert_eq!(check_perft("positions", SHALLOW, u64::MAX), 9);
}

#[test]
fn pawn_moves_of_the_known_positions() {
    for fact in facts()["pawn_moves"].as_array().expect("a list of positions") {
        for (key, options) in [
            ("pawn_moves", Options::default()),
            ("pawn_moves_edge_none", Options { edge: Beside::None, ..Options::default() }),
            ("pawn_moves_pawn_behind_side", Options { pawn_behind: Beside::Side, ..Options::default() }),
        ] {
            let Some(expected) = fact[key].as_str() else { continue };
            let game = after(&options, number(fact, "seats") as usize, fact["moves"].as_str().expect("moves"));
            let mut pawn_moves: Vec<String> = list(&game).into_iter().filter(|token| token.len() == 2).collect();
            pawn_moves.sort();
            assert_eq!(pawn_moves.join(" "), expected, "{key} of {fact}");
            if let (Some(all), "pawn_moves") = (fact["all"].as_u64(), key) {
                assert_eq!(game.count_legal(), all, "all moves of {fact}");
            }
        }
    }
}

#[test]
fn openings_are_legal() {
    for opening in facts()["openings_all_legal"].as_array().expect("a list of openings") {
        after(&Options::default(), 2, opening.as_str().expect("moves"));
    }
}

#[test]
fn keeps_the_promises_of_a_game() {
    let small = Options { size: 5, walls: Some(3), ..Options::default() };
    let strict = Options { edge: Beside::None, pawn_behind: Beside::Side, max_plies: Some(40), ..small.clone() };
    let repeating = Options { size: 3, walls: Some(1), repetition: 3, ..Options::default() };
    for seats in [2, 4] {
        conformance::check::<AltoAhi>(&Options::default(), seats, 1, 324);
        conformance::check::<AltoAhi>(&small, seats, 4, 100);
        conformance::check::<AltoAhi>(&strict, seats, 4, 40);
        conformance::check::<AltoAhi>(&repeating, seats, 20, 36);
    }
}
