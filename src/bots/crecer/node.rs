//! Positions of Crecer as a search sees them.

use std::rc::Rc;

use super::worth::{DECISIVE, worth};
use crate::bots::minimax::Searched;
use crate::bots::search::{Child, End, MAX_DEPTH, Node, key};
use crate::game::Game;
use crate::games::crecer::{Core, Crecer, Ending, Move, Square};
use crate::seat::Seat;

/// The order of a move that wins at once, before that of any other.
const ARRIVAL: i32 = 1000;

/// A position somewhere on the way from the one that the game has reached.
#[derive(Clone)]
pub struct Place {
    core: Core,
    end: Option<End>,
    /// The plies left until the game is a draw.
    left: u32,
    spent: Rc<Spent>,
}

/// The positions that occurred so often that the game is a draw the next time: none in most games.
struct Spent {
    positions: Vec<Core>,
    /// A number that is another one for other positions.
    key: u64,
}

impl Place {
    /// Where a game stands.
    pub fn of(game: &Crecer) -> Place {
        Place::new(*game.core(), game.options().max_plies - game.ply(), game.spent())
    }

    /// A position with so many plies left, and the positions that are a draw the next time that they occur.
    pub fn new(core: Core, left: u32, spent: Vec<Core>) -> Place {
        Place { core, end: None, left, spent: Rc::new(Spent::new(spent)) }
    }

    /// How promising a move looks to the mover: fights that win something first, then single pieces on their way.
    fn order(&self, mv: Move) -> i32 {
        let height = |square: Square| i32::from(self.core.height(square));
        match mv {
            Move::Step { from, to } if height(from) == 1 => {
                let left = |square: Square| square.ranks_to_go(self.mover()) as i32;
                if left(to) == 0 { ARRIVAL } else { (left(from) - left(to)) * (10 - left(to)) }
            }
            Move::Step { .. } | Move::Pass => 0,
            Move::Grow(_) => 3,
            Move::Attack { from, to } => 15 + 20 * (height(from) - height(to)) + height(to),
        }
    }
}

impl Spent {
    fn new(positions: Vec<Core>) -> Spent {
        let mut bytes = Vec::new();
        positions.iter().for_each(|position| position.encode(&mut bytes));
        Spent { positions, key: key(&bytes) }
    }

    /// Whether the position that a move led to is one of them. Growths and attacks lead to none that ever was.
    fn contains(&self, mv: Move, core: &Core) -> bool {
        !self.positions.is_empty()
            && matches!(mv, Move::Step { .. } | Move::Pass)
            && self.positions.contains(&core.canonical())
    }
}

impl Searched for Crecer {
    type Place = Place;

    fn place(&self) -> Place {
        Place::of(self)
    }
}

impl Node for Place {
    type Move = Move;
    const DECISIVE: i32 = DECISIVE;

    fn mover(&self) -> Seat {
        self.core.to_move()
    }

    fn end(&self) -> Option<End> {
        self.end
    }

    fn expand(&self, _: Seat, out: &mut Vec<Child<Place>>) {
        self.core.for_each_legal(|mv| out.push(Child { mv, order: self.order(mv), node: self.after(mv) }));
    }

    fn after(&self, mv: Move) -> Place {
        let mut core = self.core;
        let ending = core.play(mv);
        let left = self.left - 1;
        let drawn = || (left == 0 || self.spent.contains(mv, &core)).then_some(End::Drawn);
        let end = ending.map(|Ending { winner, .. }| winner.map_or(End::Drawn, End::Won)).or_else(drawn);
        Place { core, end, left, spent: Rc::clone(&self.spent) }
    }

    fn worth(&self, me: Seat) -> i32 {
        worth(&self.core, me)
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.core.encode(out);
        // Only when the limit is in sight do plies decide anything.
        if self.left <= MAX_DEPTH {
            out.push(self.left as u8);
        }
        if !self.spent.positions.is_empty() {
            out.extend(self.spent.key.to_le_bytes());
        }
    }
}
