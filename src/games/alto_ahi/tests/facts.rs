//! Figures and positions from outside: `fixtures/perft/alto-ahi.json`.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use crate::game::{Game, Step, perft};

use super::super::{AltoAhi, Barrier, Beside, Move, Options, Square};
use super::{after, list};

pub(super) fn facts() -> Value {
    serde_json::from_str(include_str!("../../../../fixtures/perft/alto-ahi.json")).expect("the fixture is JSON")
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
const SHALLOW: u64 = 400_000;

#[test]
fn perft_from_the_start() {
    assert_eq!(check_perft("from_the_start", 0, SHALLOW), 50);
}

#[test]
fn perft_of_positions() {
    assert_eq!(check_perft("positions", 0, SHALLOW), 168);
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_perft_from_the_start() {
    assert_eq!(check_perft("from_the_start", SHALLOW, u64::MAX), 9);
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_perft_of_positions() {
    assert_eq!(check_perft("positions", SHALLOW, u64::MAX), 21);
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
#[ignore = "deep: run with --release --ignored"]
fn deep_published_perft_of_depth_five() {
    let published = facts()["published_9x9_depth_5_and_6"][0].as_u64().expect("a figure");
    assert_eq!(perft_by_transpositions(3, 2), published);
}

/// The same game seen in a mirror, with the files in the opposite order.
fn mirrored(mv: Move) -> Move {
    match mv {
        Move::To(square) => Move::To(Square::new(8 - square.file(), square.rank())),
        Move::Barrier(barrier) => Move::Barrier(Barrier::new(7 - barrier.file(), barrier.rank(), barrier.lie())),
        Move::Card | Move::Rival(_) | Move::Pass => mv,
    }
}

/// The positions after so many plies from the start, each with its mirror and how often it came up, in any order of
/// moves and in either of the two.
fn positions_after(plies: u32) -> BTreeMap<Box<[u8]>, (AltoAhi, AltoAhi, u64)> {
    let start = after(&Options::default(), 2, "");
    let mut positions = BTreeMap::from([(key(&start, &start), (start.clone(), start, 1))]);
    for _ in 0..plies {
        let mut next = BTreeMap::new();
        for (game, mirror, times) in positions.values() {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            for mv in moves {
                let (mut game, mut mirror) = (game.clone(), mirror.clone());
                game.apply(Step::Move(mv));
                mirror.apply(Step::Move(mirrored(mv)));
                next.entry(key(&game, &mirror)).or_insert((game, mirror, 0)).2 += times;
            }
        }
        positions = next;
    }
    positions
}

/// The perft of the start to a depth of `first` + `rest`, where positions after `first` plies that came up before, in
/// another order or in a mirror, are counted once and multiplied.
fn perft_by_transpositions(first: u32, rest: u32) -> u64 {
    positions_after(first).values().map(|(game, _, times)| times * perft(game, rest).expect("no chance")).sum()
}

#[test]
fn transpositions_and_mirrors_do_not_change_a_perft() {
    assert_eq!(perft_by_transpositions(2, 1), 2_062_264);
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_perft_by_transpositions() {
    assert_eq!(perft_by_transpositions(3, 1), 247_569_030);
}

/// The canonical bytes of a position or of its mirror, whichever come first.
fn key(game: &AltoAhi, mirror: &AltoAhi) -> Box<[u8]> {
    let [mut bytes, mut mirror_bytes] = [Vec::new(), Vec::new()];
    game.encode(&mut bytes);
    mirror.encode(&mut mirror_bytes);
    bytes.min(mirror_bytes).into_boxed_slice()
}

/// Depth 6 has three million million leaves. Positions after three and after four plies that came up before, in another
/// order or in a mirror, are counted once; two threads share the latter by their keys.
#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_published_perft_of_depth_six() {
    const THREADS: u8 = 2;
    let published = facts()["published_9x9_depth_5_and_6"][1].as_u64().expect("a figure");
    let third = positions_after(3);
    let behind = |mine: u8| {
        let mut known: HashMap<Box<[u8]>, u32> = HashMap::new();
        let mut sum = 0;
        for (game, mirror, times) in third.values() {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            for mv in moves {
                let (mut game, mut mirror) = (game.clone(), mirror.clone());
                game.apply(Step::Move(mv));
                mirror.apply(Step::Move(mirrored(mv)));
                let key = key(&game, &mirror);
                if key.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)) % THREADS == mine {
                    let count = || perft(&game, 2).expect("no chance") as u32;
                    sum += times * u64::from(*known.entry(key).or_insert_with(count));
                }
            }
        }
        sum
    };
    let sum: u64 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|mine| scope.spawn(move || behind(mine))).collect();
        threads.into_iter().map(|thread| thread.join().expect("it counts")).sum()
    });
    assert_eq!(sum, published);
}
