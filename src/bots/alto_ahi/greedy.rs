//! Walks the shortest way, and places barriers when it is behind.

use super::race::Race;
use crate::bots::follow::{Choice, Strategy};
use crate::bots::options::Options;
use crate::bots::wire::{Hello, Question};
use crate::chance::Draws;
use crate::game::{Game, Step};
use crate::games::alto_ahi::{AltoAhi, Move};

/// A rival that arrives within so many rounds is stopped even where that gains nothing in the race.
const NEAR_ROUNDS: i32 = 3;

/// The strategy: looks one move ahead.
pub struct Greedy(Draws);

impl Strategy<AltoAhi> for Greedy {
    fn sit_down(hello: &Hello, _: &Options) -> Greedy {
        Greedy(hello.draws())
    }

    fn choose(&mut self, game: &AltoAhi, _: &Question) -> Choice<Move> {
        let best = best_moves(game);
        best[self.0.below(best.len() as u32) as usize].into()
    }
}

/// The moves that are best one move ahead, all alike. A card is taken only when there is nothing else to do.
fn best_moves(game: &AltoAhi) -> Vec<Move> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    if moves.len() > 1 {
        moves.retain(|&mv| mv != Move::Card);
    }
    let is_step = |mv: Move| matches!(mv, Move::To(_));
    let me = game.position().to_move();
    let now = Race::from(game);
    if now.lead(me) > 0 && moves.iter().any(|&mv| is_step(mv)) {
        moves.retain(|&mv| is_step(mv));
    }
    let is_rival_near = now.first_rival(me) < NEAR_ROUNDS * game.position().seats_in().len() as i32;
    // Half a turn decides between moves that are alike in the race: barriers are worth keeping, unless it is late.
    let worth = |mv: Move| 2 * after(game, mv).lead(me) + i32::from(is_step(mv) != is_rival_near);
    let worths: Vec<i32> = moves.iter().map(|&mv| worth(mv)).collect();
    let best = worths.iter().max().expect("a seat to move has a move");
    moves.iter().zip(&worths).filter(|(_, worth)| *worth == best).map(|(&mv, _)| mv).collect()
}

fn after(game: &AltoAhi, mv: Move) -> Race {
    let mut next = game.clone();
    next.apply(Step::Move(mv));
    Race::from(&next)
}
