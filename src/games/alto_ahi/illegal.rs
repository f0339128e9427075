//! Which rule a move breaks, in words for the author of a bot.

use crate::seat::Seat;

use super::deck::Effect;
use super::effects::{Held, Stage};
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
    #[error("this game is played without cards (option cards)")]
    NoCards,
    #[error("a rival is chosen only for the cards push and halt, and no card is in hand")]
    NoCardForRival,
    #[error("a card was taken and not drawn yet: nobody is to move")]
    CardFaceDown,
    #[error("{asks}: {effect} must be carried out")]
    CardAsks { effect: Effect, asks: &'static str },
    #[error("{first} leaves nothing with which to carry out the rest of advance-two")]
    NoSecondMove { first: Square },
    #[error("{first} leaves no place for the second barrier of double-wall")]
    NoSecondPlace { first: Barrier },
    #[error("{to} is not diagonal to {from}: diagonal is one diagonal step")]
    NotDiagonal { from: Square, to: Square },
    #[error("a barrier lies on both ways round from {from} to {to}")]
    BothWaysClosed { from: Square, to: Square },
    #[error("{to} is not next to {from} behind a barrier: leap-wall is one step straight across one")]
    NotAcross { from: Square, to: Square },
    #[error("from {0} your pawn would have no path to its goal")]
    NoPathFrom(Square),
    #[error("seat {0} is not a rival still in")]
    NotARival(Seat),
    #[error(
        "the pawn of seat {0} cannot be pushed: the square behind it is occupied, behind a barrier or off the board"
    )]
    NothingBehind(Seat),
    #[error("no barrier lies on {0}")]
    NoBarrier(Barrier),
    #[error("{0} came from the store of another seat: recover-wall takes back a barrier of your own")]
    NotYours(Barrier),
    #[error("{0} has no other place where it would be legal")]
    NoOtherPlace(Barrier),
    #[error("{0} is where the barrier was lifted: it must be put elsewhere")]
    SamePlace(Barrier),
    #[error("no card is to be drawn")]
    NothingToDraw,
    #[error("no {0} is left in the deck")]
    NotInDeck(Effect),
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
            Move::Card | Move::Rival(_) => Illegal::NoCards,
        })
    }

    /// The rule broken by a pawn move that is not legal.
    fn why_not_to(&self, to: Square) -> Illegal {
        if let Some(reason) = self.why_not_free(to) {
            return reason;
        }
        let from = self.own_pawn();
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

    /// Where the pawn of the seat to move stands.
    fn own_pawn(&self) -> Square {
        self.pawn(self.to_move()).expect("the seat to move has a pawn")
    }

    /// The rule broken by any move to a square that is off the board or not free.
    fn why_not_free(&self, to: Square) -> Option<Illegal> {
        let last = self.grid().last_square();
        if to.file() > last.file() || to.rank() > last.rank() {
            return Some(Illegal::SquareOffBoard { square: to, last });
        }
        self.pawn_on(to).map(|seat| match seat {
            _ if to == self.own_pawn() => Illegal::SameSquare(to),
            seat => Illegal::Occupied { square: to, seat },
        })
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

    /// The rule broken by placing a barrier from the store.
    fn why_not_place(&self, barrier: Barrier) -> Illegal {
        let reason = self.why_not_lie(barrier);
        let off_board = matches!(reason, Some(Illegal::BarrierOffBoard { .. }));
        match reason {
            Some(reason) if off_board || self.store(self.to_move()) > 0 => reason,
            _ => Illegal::NoneLeft,
        }
    }

    /// The rule broken by a barrier lying there, if it breaks one, from whatever store it came.
    fn why_not_lie(&self, barrier: Barrier) -> Option<Illegal> {
        let last = self.grid().last_square();
        if barrier.file() >= last.file() || barrier.rank() >= last.rank() {
            let last = Square::new(last.file() - 1, last.rank() - 1);
            return Some(Illegal::BarrierOffBoard { barrier, last });
        }
        if let Some(other) = self.barriers().into_iter().find(|&other| meet(barrier, other)) {
            return Some(if other.lie() == barrier.lie() {
                Illegal::Overlaps { barrier, other }
            } else {
                Illegal::Crosses { barrier, other }
            });
        }
        self.first_cut_off(barrier).map(|seat| Illegal::CutsOff { barrier, seat })
    }

    /// Whether no barrier lies between two squares next to each other.
    fn steps_freely(&self, from: Square, to: Square) -> bool {
        self.step(from.set().0, heading_between(from, to)) == to.set().0
    }
}

impl Held {
    /// The rule broken by a choice that is not legal for this card.
    pub(super) fn why_not(&self, position: &Position, mv: Move) -> Illegal {
        match (self.effect, mv) {
            (Effect::AdvanceTwo | Effect::Diagonal | Effect::LeapWall, Move::To(square)) => {
                self.why_not_square(position, square)
            }
            (Effect::Push | Effect::Halt, Move::Rival(rival)) if !position.rivals().contains(rival) => {
                Illegal::NotARival(rival)
            }
            (Effect::Push, Move::Rival(rival)) => Illegal::NothingBehind(rival),
            (
                Effect::RemoveWall | Effect::MoveWall | Effect::DoubleWall | Effect::RecoverWall,
                Move::Barrier(barrier),
            ) => self.why_not_barrier(position, barrier),
            (effect, _) => Illegal::CardAsks { effect, asks: self.asks() },
        }
    }

    /// What the card asks for now.
    fn asks(&self) -> &'static str {
        match (self.effect, self.stage) {
            (Effect::AdvanceTwo | Effect::Diagonal | Effect::LeapWall, _) => "choose a square for your pawn",
            (Effect::Push | Effect::Halt, _) => "choose a rival",
            (Effect::DoubleWall, _) | (Effect::MoveWall, Stage::Lifted(..)) => "choose a place for the barrier",
            (Effect::RecoverWall, _) => "choose a barrier of your own on the board",
            (Effect::RemoveWall | Effect::MoveWall, _) => "choose a barrier on the board",
            (Effect::StepBack | Effect::LoseTurn, _) => "choose nothing",
        }
    }

    fn why_not_square(&self, position: &Position, to: Square) -> Illegal {
        let from = position.own_pawn();
        if let Some(reason) = position.why_not_free(to) {
            return reason;
        }
        let is_diagonal = from.file().abs_diff(to.file()) == 1 && from.rank().abs_diff(to.rank()) == 1;
        match self.effect {
            Effect::Diagonal if is_diagonal => Illegal::BothWaysClosed { from, to },
            Effect::Diagonal => Illegal::NotDiagonal { from, to },
            Effect::LeapWall if position.across_barriers().contains(to) => Illegal::NoPathFrom(to),
            Effect::LeapWall => Illegal::NotAcross { from, to },
            _ if position.pawn_targets().contains(to) => Illegal::NoSecondMove { first: to },
            _ => position.why_not_to(to),
        }
    }

    fn why_not_barrier(&self, position: &Position, barrier: Barrier) -> Illegal {
        match (self.effect, self.stage) {
            (Effect::DoubleWall, _) if position.barrier_places().contains(barrier) => {
                Illegal::NoSecondPlace { first: barrier }
            }
            (Effect::DoubleWall, _) => position.why_not_place(barrier),
            (Effect::MoveWall, Stage::Lifted(lifted, _)) if lifted == barrier => Illegal::SamePlace(barrier),
            (Effect::MoveWall, Stage::Lifted(..)) => {
                position.why_not_lie(barrier).expect("an illegal place breaks one of the rules")
            }
            _ if !position.barriers().contains(barrier) => Illegal::NoBarrier(barrier),
            (Effect::MoveWall, _) => Illegal::NoOtherPlace(barrier),
            _ => Illegal::NotYours(barrier),
        }
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
