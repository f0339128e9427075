//! Takes what looks best one move ahead.

use super::node::Place;
use crate::bots::follow::{Choice, Strategy};
use crate::bots::options::Options;
use crate::bots::search::{End, Node, WIN};
use crate::bots::wire::{Hello, Question};
use crate::chance::Draws;
use crate::games::passage::{Move, Passage};
use crate::seat::Seat;

/// The strategy: looks one move ahead.
pub struct Greedy(Draws);

impl Strategy<Passage> for Greedy {
    fn sit_down(hello: &Hello, _: &Options) -> Greedy {
        Greedy(hello.draws())
    }

    fn choose(&mut self, game: &Passage, _: &Question) -> Choice<Move> {
        let best = best_moves(game);
        best[self.0.below(best.len() as u32) as usize].into()
    }
}

/// The moves that are best one move ahead, all alike.
pub fn best_moves(game: &Passage) -> Vec<Move> {
    let place = Place::of(game);
    let me = place.mover();
    let mut children = Vec::new();
    place.expand(me, &mut children);
    let worths: Vec<i32> = children.iter().map(|child| worth(&child.node, me)).collect();
    let best = worths.iter().max().expect("a seat to move has a move");
    children.iter().zip(&worths).filter(|(_, worth)| *worth == best).map(|(child, _)| child.mv).collect()
}

fn worth(place: &Place, me: Seat) -> i32 {
    match place.end() {
        Some(End::Won(seat)) if seat == me => WIN,
        Some(End::Won(_)) => -WIN,
        Some(End::Drawn) => 0,
        None => place.worth(me),
    }
}
