//! Searches by alpha-beta, in every game that can say how its positions look to a search.

use super::follow::{Choice, Strategy};
use super::options::Options;
use super::search::{Budget, Node, Search};
use super::wire::{Hello, Question};
use crate::chance::Draws;
use crate::game::Game;

/// A game that can be searched.
pub trait Searched: Game {
    /// Its positions, as a search sees them.
    type Place: Node<Move = Self::Move> + 'static;

    /// Where it stands.
    fn place(&self) -> Self::Place;
}

/// The strategy.
pub struct Minimax<G: Searched> {
    search: Search<G::Place>,
    budget: Budget,
    draws: Draws,
}

impl<G: Searched> Strategy<G> for Minimax<G> {
    fn sit_down(hello: &Hello, options: &Options) -> Minimax<G> {
        Minimax { search: Search::new(hello.seat), budget: Budget::new(hello, options), draws: hello.draws() }
    }

    fn choose(&mut self, game: &G, question: &Question) -> Choice<G::Move> {
        let found = self.search.best(&game.place(), &self.budget.limits(question), &mut self.draws);
        Choice { mv: found.mv, info: Some(found.info()) }
    }
}
