//! Tests of the rules.

mod facts;
mod play;
mod properties;
mod refusals;
mod solve;

use crate::game::{Game, Notation, Step};
use crate::games::conformance;

use super::{AltoAhi, Beside, Move, Options};

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
