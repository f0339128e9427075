//! Positions of Passage as a search sees them.

use std::rc::Rc;

use super::worth;
use crate::bots::minimax::Searched;
use crate::bots::search::{Child, End, MAX_DEPTH, Node};
use crate::game::Game;
use crate::games::passage::{Colour, LegResult, Move, Passage, Position, Terms};
use crate::seat::Seat;

/// A position of one leg, from the first placement to the end.
///
/// A search looks no further than the end of the leg: of the first one, only the result matters to the second.
#[derive(Clone)]
pub struct Place {
    position: Position,
    plies: u32,
    end: Option<End>,
    /// What the discs are worth to red where the search began before all of them lay, and 0 after that: what they are
    /// good for shows in the moves then.
    discs: i32,
    leg: Rc<Leg>,
}

impl Place {
    /// Where a game stands in which a seat is to move.
    pub fn of(game: &Passage) -> Place {
        let place =
            Place { position: *game.position(), plies: game.plies(), end: None, discs: 0, leg: Rc::new(Leg::of(game)) };
        Place { discs: if place.is_placing() { place.worth_of_discs() } else { 0 }, ..place }
    }

    fn is_placing(&self) -> bool {
        !self.position.free_outer().is_empty()
    }

    fn worth_of_discs(&self) -> i32 {
        worth::of_discs(&self.position, Colour::Red)
    }

    /// The position after one more disc. With the last one the pawns begin to move: of all layouts there is none on which
    /// that ends anything.
    fn placed(&self, position: Position) -> Place {
        let next = Place { position, ..self.clone() };
        Place { discs: next.worth_of_discs(), ..next }
    }

    fn moved(&self, position: Position) -> Place {
        let (leg, plies) = (&self.leg, self.plies + 1);
        let result = leg.terms.ending(&self.position, &position, plies, leg.occurrences(position.key()));
        Place { position, plies, end: result.map(|result| leg.end(result)), ..self.clone() }
    }

    fn child(&self, mv: Move) -> Child<Place> {
        let node = self.after(mv);
        Child { mv, order: node.worth(self.mover()), node }
    }
}

impl Searched for Passage {
    type Place = Place;

    fn place(&self) -> Place {
        Place::of(self)
    }
}

impl Node for Place {
    type Move = Move;
    const DECISIVE: i32 = 100;

    fn mover(&self) -> Seat {
        self.position.to_move().seat()
    }

    fn end(&self) -> Option<End> {
        self.end
    }

    fn expand(&self, _: Seat, out: &mut Vec<Child<Place>>) {
        if self.is_placing() {
            out.extend(self.position.free_outer().iter().map(|hole| self.child(Move::Place(hole))));
        } else {
            out.extend(self.position.legal_moves().into_iter().map(|mv| self.child(mv)));
        }
    }

    fn after(&self, mv: Move) -> Place {
        let position = self.position.after(mv);
        match mv {
            Move::Place(_) => self.placed(position),
            Move::Step { .. } | Move::Pass => self.moved(position),
        }
    }

    fn worth(&self, me: Seat) -> i32 {
        let to_red = worth::lead(&self.position, Colour::Red) + self.discs;
        if me == Colour::Red.seat() { to_red } else { -to_red }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.position.key().to_le_bytes());
        Colour::BOTH.iter().for_each(|&colour| out.extend(self.position.discs(colour).bits().to_le_bytes()));
        out.extend([self.leg.number, self.discs as u8]);
        // Positions that have occurred often only become more, so that their number tells which they are.
        out.extend((self.leg.often.len() as u32).to_le_bytes());
        // Only when the limit is in sight do plies decide anything.
        let left = self.leg.max_plies - self.plies;
        if left <= MAX_DEPTH {
            out.push(left as u8);
        }
    }
}

/// What all positions that a search looks at have in common.
struct Leg {
    terms: Terms,
    repetition: u32,
    max_plies: u32,
    number: u8,
    /// The seat that won the leg before this one: it wins the game unless it loses this leg.
    leader: Option<Seat>,
    /// The keys, in order, of the positions that draw the leg if they occur once more. Positions that a search meets
    /// twice on its own way do not count: they would only do so if somebody wanted them yet again.
    often: Vec<u64>,
}

impl Leg {
    fn of(game: &Passage) -> Leg {
        let options = game.options();
        Leg {
            terms: *game.terms(),
            repetition: options.repetition,
            max_plies: options.max_plies,
            number: game.leg(),
            leader: game.results().iter().find_map(|result| result.winner),
            often: occurred_often(game.occurred(), options.repetition),
        }
    }

    /// How often a position has occurred when it occurs now, as far as that decides anything.
    fn occurrences(&self, key: u64) -> u32 {
        if self.often.binary_search(&key).is_ok() { self.repetition } else { 1 }
    }

    /// How the game stands when this leg ends so, which is how it ends unless there is another leg.
    fn end(&self, result: LegResult) -> End {
        match (result.winner, self.leader) {
            (Some(winner), Some(leader)) if winner != leader => End::Drawn,
            (Some(seat), _) | (None, Some(seat)) => End::Won(seat),
            (None, None) => End::Drawn,
        }
    }
}

/// The keys, in order, that have occurred so often that once more makes a repetition.
fn occurred_often(occurred: &[u64], repetition: u32) -> Vec<u64> {
    let mut keys = occurred.to_vec();
    keys.sort_unstable();
    let often = keys.chunk_by(PartialEq::eq).filter(|same| same.len() as u32 + 1 >= repetition);
    often.map(|same| same[0]).collect()
}
