//! Searches by alpha-beta.

use super::node::Place;
use crate::bots::follow::{Choice, Strategy};
use crate::bots::options::Options;
use crate::bots::search::{Budget, Search};
use crate::bots::wire::{Hello, Question};
use crate::chance::Draws;
use crate::games::passage::{Move, Passage};

/// The strategy.
pub struct Minimax {
    search: Search<Place>,
    budget: Budget,
    draws: Draws,
}

impl Strategy<Passage> for Minimax {
    fn sit_down(hello: &Hello, options: &Options) -> Minimax {
        Minimax { search: Search::new(hello.seat), budget: Budget::new(hello, options), draws: hello.draws() }
    }

    fn choose(&mut self, game: &Passage, question: &Question) -> Choice<Move> {
        let found = self.search.best(&Place::of(game), &self.budget.limits(question), &mut self.draws);
        Choice { mv: found.mv, info: Some(found.info()) }
    }
}
