//! Which rule a move breaks, in words for the author of a bot.

use crate::seat::Seat;

use super::grid::{Barrier, Heading, Lie, Square, SquareSet};
use super::notation::Move;
use super::state::Position;

/// The rule that a move breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each is; the fields are what they name")]
pub enum Illegal {
    #[error("the game is over: nobody is to move")]
    Over,
    #[error("{square} is off the board, whose squares are a1 to {last}")]
    SquareOffBoard { square: Square, last: Square },
    #[error("your pawn stands on {0} already: it must move to another square")]
    SameSquare(Square),
    #[error("{square} is occupied by the pawn of seat {seat}: a pawn moves to a free square")]
    Occupied { square: Square, seat: Seat },
    #[error("a barrier lies between {from} and {to}")]
    BarrierBetween { from: Square, to: Square },
    #[error(
        "{to} is not next to {from}: a pawn moves one square up, down, left or right, or jumps over a pawn that stands \
         next to it"
    )]
    NotNext { from: Square, to: Square },
    #[error("{to} is two squares from {from}, and no pawn stands on {over} to be jumped over")]
    NothingToJump { from: Square, over: Square, to: Square },
    #[error("a barrier lies between {over} and {to}, behind the pawn on {over}: it cannot be jumped straight")]
    BarrierBehind { over: Square, to: Square },
    #[error("{to} is diagonal to {from}: a pawn goes there only past a pawn that stands next to it")]
    Diagonal { from: Square, to: Square },
    #[error("the pawn on {over} can be jumped straight, to {behind}: only if that were blocked could {to} be moved to")]
    StraightIsFree { over: Square, behind: Square, to: Square },
    #[error("another pawn stands behind the pawn on {over}: never more than one pawn is jumped, and none is passed so")]
    PawnBehind { over: Square },
    #[error("the edge of the board lies behind the pawn on {over}, which cannot be passed so (option edge = none)")]
    EdgeBehind { over: Square },
    #[error("{barrier} is off the board, whose barriers have anchors a1 to {last}")]
    BarrierOffBoard { barrier: Barrier, last: Square },
    #[error("no barrier is left in your store")]
    NoneLeft,
    #[error("{barrier} would overlap {other}")]
    Overlaps { barrier: Barrier, other: Barrier },
    #[error("{barrier} would cross {other}")]
    Crosses { barrier: Barrier, other: Barrier },
    #[error("{barrier} would leave seat {seat} without a path to its goal")]
    CutsOff { barrier: Barrier, seat: Seat },
    #[error("pass is legal only when there is no other move")]
    MustMove,
}

impl Position {
    /// Whether a move is legal, and if not, why.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub fn check(&self, mv: Move) -> Result<(), Illegal> {
        if self.is_legal(mv) {
            return Ok(());
        }
        Err(match mv {
            _ if self.winner().is_some() => Illegal::Over,
            Move::To(square) => self.why_not_to(square),
            Move::Barrier(barrier) => self.why_not_place(barrier),
            Move::Pass => Illegal::MustMove,
        })
    }

    /// The rule broken by a pawn move that is not legal.
    fn why_not_to(&self, to: Square) -> Illegal {
        let from = self.pawn(self.to_move()).expect("the seat to move has a pawn");
        let last = self.grid().last_square();
        if to.file() > last.file() || to.rank() > last.rank() {
            return Illegal::SquareOffBoard { square: to, last };
        }
        match self.pawn_on(to) {
            Some(_) if to == from => return Illegal::SameSquare(to),
            Some(seat) => return Illegal::Occupied { square: to, seat },
            None => {}
        }
        match (from.file().abs_diff(to.file()), from.rank().abs_diff(to.rank())) {
            (0, 1) | (1, 0) => Illegal::BarrierBetween { from, to },
            (0, 2) | (2, 0) => {
                let over = Square::new((from.file() + to.file()) / 2, (from.rank() + to.rank()) / 2);
                self.why_not_jump(from, over, to)
            }
            (1, 1) => {
                let past = [Square::new(to.file(), from.rank()), Square::new(from.file(), to.rank())];
                match past.into_iter().find(|&square| self.pawn_on(square).is_some()) {
                    Some(over) => self.why_not_past(from, over, to),
                    None => Illegal::Diagonal { from, to },
                }
            }
            _ => Illegal::NotNext { from, to },
        }
    }

    /// The rule broken by a straight jump to a free square.
    fn why_not_jump(&self, from: Square, over: Square, to: Square) -> Illegal {
        if self.pawn_on(over).is_none() {
            Illegal::NothingToJump { from, over, to }
        } else if !self.steps_freely(from, over) {
            Illegal::BarrierBetween { from, to: over }
        } else {
            Illegal::BarrierBehind { over, to }
        }
    }

    /// The rule broken by a move to a free square diagonal to the pawn, past the pawn on `over`.
    fn why_not_past(&self, from: Square, over: Square, to: Square) -> Illegal {
        if !self.steps_freely(from, over) {
            return Illegal::BarrierBetween { from, to: over };
        }
        let heading = heading_between(from, over);
        let behind = self.step(over.set().0, heading);
        match SquareSet(behind).into_iter().next() {
            Some(behind) if self.pawn_on(behind).is_none() => Illegal::StraightIsFree { over, behind, to },
            Some(_) if !self.jumps().past_pawn => Illegal::PawnBehind { over },
            None if !self.jumps().past_edge && self.grid().edge[heading as usize] & over.set().0 != 0 => {
                Illegal::EdgeBehind { over }
            }
            _ => Illegal::BarrierBetween { from: over, to },
        }
    }

    /// The rule broken by placing a barrier where it is not legal.
    pub(super) fn why_not_place(&self, barrier: Barrier) -> Illegal {
        let last = self.grid().last_square();
        if barrier.file() >= last.file() || barrier.rank() >= last.rank() {
            return Illegal::BarrierOffBoard { barrier, last: Square::new(last.file() - 1, last.rank() - 1) };
        }
        if self.store(self.to_move()) == 0 {
            return Illegal::NoneLeft;
        }
        if let Some(other) = self.barriers().into_iter().find(|&other| meet(barrier, other)) {
            return if other.lie() == barrier.lie() {
                Illegal::Overlaps { barrier, other }
            } else {
                Illegal::Crosses { barrier, other }
            };
        }
        let seat = self.first_cut_off(barrier).expect("an illegal barrier breaks one of the rules");
        Illegal::CutsOff { barrier, seat }
    }

    /// Whether no barrier lies between two squares next to each other.
    fn steps_freely(&self, from: Square, to: Square) -> bool {
        self.step(from.set().0, heading_between(from, to)) == to.set().0
    }
}

/// The direction from a square to one next to it.
fn heading_between(from: Square, to: Square) -> Heading {
    match (to.file().cmp(&from.file()), to.rank().cmp(&from.rank())) {
        (_, std::cmp::Ordering::Greater) => Heading::Up,
        (_, std::cmp::Ordering::Less) => Heading::Down,
        (std::cmp::Ordering::Greater, _) => Heading::Right,
        _ => Heading::Left,
    }
}

/// Whether two barriers overlap or cross.
fn meet(one: Barrier, other: Barrier) -> bool {
    let (files, ranks) = (one.file().abs_diff(other.file()), one.rank().abs_diff(other.rank()));
    match (one.lie(), other.lie()) {
        (Lie::Horizontal, Lie::Horizontal) => ranks == 0 && files <= 1,
        (Lie::Vertical, Lie::Vertical) => files == 0 && ranks <= 1,
        _ => files == 0 && ranks == 0,
    }
}
