//! Walks the shortest way, and places barriers when it is behind.

use super::race::Race;
use crate::bots::follow::{Choice, Strategy};
use crate::bots::options::Options;
use crate::bots::wire::{Hello, Question};
use crate::chance::Draws;
use crate::games::alto_ahi::{AltoAhi, Move, Position};

/// A rival that arrives within so many rounds is stopped even where that gains nothing in the race.
const NEAR_ROUNDS: i32 = 3;

/// The strategy: looks one move ahead.
pub struct Greedy(Draws);

impl Strategy<AltoAhi> for Greedy {
    fn sit_down(hello: &Hello, _: &Options) -> Greedy {
        Greedy(hello.draws())
    }

    fn choose(&mut self, game: &AltoAhi, _: &Question) -> Choice<Move> {
        let best = best_moves(game.position());
        best[self.0.below(best.len() as u32) as usize].into()
    }
}

/// The moves that are best one move ahead, all alike.
fn best_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let me = position.to_move();
    let now = Race::from(position);
    let just_walks = now.lead(me) > 0 && moves.iter().any(|mv| matches!(mv, Move::To(_)));
    let is_rival_near = now.first_rival(me) < NEAR_ROUNDS * position.seats_in().len() as i32;
    let mut best = Vec::new();
    let mut best_worth = i32::MIN;
    for mv in moves {
        let is_step = matches!(mv, Move::To(_));
        if just_walks && !is_step {
            continue;
        }
        let mut next = *position;
        next.play(mv);
        // Half a turn decides between moves that are alike in the race: barriers are worth keeping, unless it is late.
        let worth = 2 * Race::from(&next).lead(me) + i32::from(is_step != is_rival_near);
        if worth > best_worth {
            best.clear();
            best_worth = worth;
        }
        if worth == best_worth {
            best.push(mv);
        }
    }
    best
}
