//! The figures, positions and games of `fixtures/passage.json`.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{at, layout, listed, open, play, squares, step, tokens};
use crate::chance::{Seed, Streams};
use crate::game::{EndReason, Game, Notation, Step, Turn, perft};
use crate::games::passage::{Colour, Move, Options, Phase, Position, Square, Squares};

/// The fixture; a field that no test names would not be read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    #[serde(rename = "note")]
    _note: String,
    pub neighbours: BTreeMap<String, Vec<String>>,
    pub perft: Vec<Perft>,
    no_legal_move: Vec<NoLegalMove>,
    games: Vec<Recorded>,
    counts: Counts,
    random_play: RandomPlay,
    pub perfect_play: PerfectPlay,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Perft {
    pub layout: String,
    pub starter: Colour,
    perft: Vec<u64>,
    perft_bridge_on_neutral_false: Vec<u64>,
    first_moves: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoLegalMove {
    layout: String,
    red: Vec<String>,
    black: Vec<String>,
    to_move: Colour,
    geometric: String,
    legal: String,
    rival_legal: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    layout: String,
    starter: Colour,
    moves: String,
    legal_counts: Vec<u64>,
    winner: Colour,
    red: Vec<String>,
    black: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Counts {
    bag_draws: usize,
    layouts_when_moving_starts: usize,
    immobile_pawn_at_start: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RandomPlay {
    games: u64,
    max_plies: u32,
    finished_permille: u64,
    branching_mean_tenths: u64,
    branching_max: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerfectPlay {
    pub layouts: usize,
    pub draws: usize,
}

impl Facts {
    /// The recorded games: discs, starter and moves.
    pub fn recorded(&self) -> impl Iterator<Item = (&str, Colour, &str)> {
        self.games.iter().map(|game| (&*game.layout, game.starter, &*game.moves))
    }
}

pub fn facts() -> Facts {
    serde_json::from_str(include_str!("../../../../fixtures/passage.json")).unwrap()
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    let mut words: Vec<String> = moves.into_iter().map(|mv| mv.token().to_string()).collect();
    words.sort();
    words
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(String::from).collect()
}

#[test]
fn the_board_is_the_one_of_the_facts() {
    let facts = facts();
    assert_eq!(facts.neighbours.len(), Squares::BOARD.len());
    for (name, around) in &facts.neighbours {
        let square = Square::named(name).unwrap();
        assert_eq!(square.alone().around(), squares(around), "{name}");
    }
}

fn perft_to(depths: std::ops::Range<usize>) {
    for fact in facts().perft {
        for bridge_on_neutral in [true, false] {
            let expected = if bridge_on_neutral { &fact.perft } else { &fact.perft_bridge_on_neutral_false };
            let game = open(&Options { bridge_on_neutral, ..layout(&fact.layout, fact.starter) });
            for depth in depths.clone() {
                assert_eq!(perft(&game, depth as u32), Ok(expected[depth - 1]), "{} at {depth}", fact.layout);
            }
        }
    }
}

#[test]
fn perft_agrees() {
    perft_to(1..4);
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_perft_agrees() {
    perft_to(4..5);
}

#[test]
fn the_first_moves_are_those_of_the_facts() {
    for fact in facts().perft {
        let game = open(&layout(&fact.layout, fact.starter));
        assert_eq!(sorted(game.position().legal_moves()), words(&fact.first_moves));
    }
}

#[test]
fn a_seat_with_every_move_banned_passes() {
    for fact in facts().no_legal_move {
        let pawns = [squares(&fact.red), squares(&fact.black)];
        let position = Position::new(fact.layout.parse().unwrap(), pawns, fact.to_move, true);
        assert_eq!(sorted(listed(&position.geometric(fact.to_move))), words(&fact.geometric));
        let mut game = at(position, &Options::default());
        assert_eq!(tokens(&game), words(&fact.legal));
        assert_eq!(game.count_legal(), 1);
        assert!(words(&fact.geometric).iter().all(|mv| game.check(mv.parse().unwrap()).is_err()));
        game.apply(Step::Move(Move::Pass));
        assert_eq!(game.turn(), Turn::Seat(fact.to_move.rival().seat()));
        assert_eq!(sorted(game.position().legal_moves()), words(&fact.rival_legal));
    }
}

#[test]
fn the_recorded_games_replay() {
    for fact in facts().games {
        let mut game = open(&layout(&fact.layout, fact.starter));
        let moves = words(&fact.moves);
        assert_eq!(moves.len(), fact.legal_counts.len());
        for (ply, (mv, count)) in moves.iter().zip(&fact.legal_counts).enumerate() {
            assert_eq!((game.count_legal(), tokens(&game).len() as u64), (*count, *count), "ply {ply}");
            assert_eq!(game.end(), None, "ply {ply}");
            play(&mut game, mv);
        }
        let Turn::Over(ranking) = game.turn() else { panic!("the game is not over") };
        assert_eq!((ranking.winner(), game.end()), (Some(fact.winner.seat()), Some(EndReason::Goal)));
        assert_eq!(game.position().pawns(Colour::Red), squares(&fact.red));
        assert_eq!(game.position().pawns(Colour::Black), squares(&fact.black));
        assert!(game.position().is_home(fact.winner));
    }
}

/// Every order of `reds` red discs and as many black ones as make up `count`.
fn orders(count: usize, reds: u32) -> impl Iterator<Item = String> {
    (0u32..1 << count)
        .filter(move |bits| bits.count_ones() == reds)
        .map(move |bits| (0..count).map(|place| if bits >> place & 1 == 1 { 'R' } else { 'B' }).collect())
}

#[test]
fn every_start_is_counted_and_leaves_every_pawn_a_move() {
    let counts = facts().counts;
    let bags: Vec<String> = orders(12, 6).collect();
    let mut starts = BTreeSet::new();
    let mut immobile = 0;
    for bag in &bags {
        for outer in orders(6, 3) {
            let discs = format!("{}{}{}", &outer[..3], &bag[..11], &outer[3..]).parse().unwrap();
            let starter = Colour::of_letter(bag.chars().last().unwrap()).unwrap();
            let position = Position::start(discs, starter, true);
            immobile += position.immobile().len() + Position::start(discs, starter.rival(), true).immobile().len();
            assert!(starts.insert((position.discs(Colour::Red).bits(), starter)));
        }
    }
    assert_eq!(bags.len(), counts.bag_draws);
    assert_eq!(starts.len(), counts.layouts_when_moving_starts);
    assert_eq!(immobile, counts.immobile_pawn_at_start);
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_random_play_looks_like_the_sample() {
    let fact = facts().random_play;
    let mut luck = Streams::new(Seed::from_text("random play"));
    let (mut finished, mut plies, mut choices, mut most) = (0, 0, 0, 0);
    // More games than the sample has, so that this side adds little error of its own.
    let games = 10 * fact.games;
    for _ in 0..games {
        let mut game = open(&Options { max_plies: fact.max_plies, repetition: 0, ..Options::default() });
        while game.end().is_none() {
            if game.phase == Phase::Moving {
                let count = game.count_legal();
                (plies, choices, most) = (plies + 1, choices + count, most.max(count));
            }
            step(&mut game, &mut luck);
        }
        finished += u64::from(game.end() == Some(EndReason::Goal));
    }
    // A share of 108 in a thousand among 400 games has a standard error of about 16 in a thousand: three of them are 48.
    let permille = 1000 * finished / games;
    assert!(permille.abs_diff(fact.finished_permille) < 50, "{permille} ‰ finished");
    let tenths = 10 * choices / plies;
    assert!(tenths.abs_diff(fact.branching_mean_tenths) <= 2, "a mean of {tenths} tenths of a move");
    assert!(most >= fact.branching_max, "at most {most} moves");
}
