//! Tests of the rules.

mod card_plays;
mod cards;
mod facts;
#[path = "../../../../benches/plain/alto_ahi.rs"]
mod plain;
mod plain_cards;
mod play;
mod properties;
mod refusals;
mod solve;

use crate::game::{Game, Notation, Step};
use crate::games::conformance;

use super::{AltoAhi, Beside, CardCount, Drawn, Effect, Move, Options};

/// A game after steps written in one line, each of them checked: moves, and `=push` where that card is drawn.
fn after(options: &Options, seats: usize, steps: &str) -> AltoAhi {
    let mut game = AltoAhi::new(options, seats).expect("possible options");
    for token in steps.split_whitespace() {
        step(&mut game, token).unwrap_or_else(|error| panic!("{token} in {steps}: {error}"));
    }
    game
}

/// Makes one step, if it is legal.
fn step(game: &mut AltoAhi, token: &str) -> Result<(), String> {
    let step = match token.strip_prefix('=') {
        Some(card) => {
            let drawn = Drawn { card: effect(card) };
            game.check_chance(&drawn).map_err(|error| error.to_string())?;
            Step::Chance(drawn)
        }
        None => {
            let mv: Move = token.parse().map_err(|error: super::NotAMove| error.to_string())?;
            game.check(mv).map_err(|error| error.to_string())?;
            Step::Move(mv)
        }
    };
    game.apply(step);
    Ok(())
}

fn effect(id: &str) -> Effect {
    Effect::ALL.into_iter().find(|effect| effect.id() == id).expect("a card")
}

fn deck(cards: &[(Effect, u16)]) -> Option<Vec<CardCount>> {
    Some(cards.iter().map(|&(effect, count)| CardCount { effect, count }).collect())
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
        conformance::check::<AltoAhi>(&small, seats, 2, 100);
        conformance::check::<AltoAhi>(&strict, seats, 3, 40);
        conformance::check::<AltoAhi>(&repeating, seats, 8, 36);
    }
}

#[test]
fn keeps_the_promises_of_a_game_with_cards() {
    let cards = Options { cards: true, ..Options::default() };
    let small = Options { size: 5, walls: Some(4), repetition: 4, ..cards.clone() };
    // Two cards of each effect, and barriers enough to carry them all out.
    let even =
        Options { size: 7, deck: deck(&Effect::ALL.map(|effect| (effect, 2))), max_plies: Some(80), ..cards.clone() };
    let one = Options { size: 3, walls: Some(2), deck: deck(&[(Effect::MoveWall, 1)]), ..cards.clone() };
    for seats in [2, 4] {
        conformance::check::<AltoAhi>(&Options { max_plies: Some(60), ..cards.clone() }, seats, 1, 60);
        conformance::check::<AltoAhi>(&small, seats, 2, 100);
        conformance::check::<AltoAhi>(&even, seats, 1, 80);
        conformance::check::<AltoAhi>(&one, seats, 8, 36);
    }
}
