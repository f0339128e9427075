//! Plays what looks best one move ahead.

use super::node::Place;
use crate::bots::follow::{Choice, Strategy};
use crate::bots::options::Options;
use crate::bots::search::Node;
use crate::bots::wire::{Hello, Question};
use crate::chance::Draws;
use crate::games::crecer::{Crecer, Move};

/// The strategy: looks one move ahead.
pub struct Greedy(Draws);

impl Strategy<Crecer> for Greedy {
    fn sit_down(hello: &Hello, _: &Options) -> Greedy {
        Greedy(hello.draws())
    }

    fn choose(&mut self, game: &Crecer, _: &Question) -> Choice<Move> {
        let best = best_moves(&Place::of(game));
        best[self.0.below(best.len() as u32) as usize].into()
    }
}

/// The moves that are best one move ahead, all alike.
pub(super) fn best_moves(place: &Place) -> Vec<Move> {
    let me = place.mover();
    let mut children = Vec::new();
    place.expand(me, &mut children);
    let worths: Vec<i32> = children.iter().map(|child| child.node.worth_at_once(me)).collect();
    let best = worths.iter().max().expect("a seat to move has a move");
    children.iter().zip(&worths).filter(|(_, worth)| *worth == best).map(|(child, _)| child.mv).collect()
}
