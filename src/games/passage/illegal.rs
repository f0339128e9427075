//! Which rule a move or a chance outcome breaks, in words for the author of a bot.

use std::fmt;

use super::notation::Move;
use super::squares::{Colour, Square};

/// The rule that is broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// No move after the end.
    #[error("the game is over")]
    GameOver,
    /// A seat moved while a chance step is due.
    #[error("no seat is to move: the discs are drawn first")]
    ChanceFirst,
    /// A pawn moved, or a seat passed, during the placement.
    #[error("the outer holes are filled first: name the free outer hole for your next disc, such as b2")]
    PlaceFirst,
    /// A disc for a square that is no outer hole.
    #[error("{0} is no outer hole: discs are placed in b2, d2, f2, b6, d6 and f6")]
    NotOuter(Square),
    /// A disc for a hole that is full.
    #[error("the hole {0} has a disc already")]
    HoleTaken(Square),
    /// A disc after the placement.
    #[error("all discs are placed: name the square of a pawn and the square where it ends, such as a1-b2")]
    AllPlaced,
    /// A move of the rival's pawn.
    #[error("the pawn on {0} is the rival's")]
    RivalPawn(Square),
    /// A move from an empty square.
    #[error("no pawn stands on {0}")]
    NoPawn(Square),
    /// A move that changes nothing.
    #[error("a pawn must end on another square than {0}, where it stands")]
    StaysPut(Square),
    /// A move to a square with a pawn.
    #[error("{0} is not free: a pawn stands there")]
    Occupied(Square),
    /// A move that ends on a disc of the mover's colour.
    #[error("{0} has a disc of your own colour: your pawns pass over it and do not stop there")]
    OwnDisc(Square),
    /// A move for which no way is open.
    #[error("no way leads from {from} to {to}: {}", Closing(.closed))]
    NoWay {
        /// Where the pawn stands.
        from: Square,
        /// Where it should end.
        to: Square,
        /// The square that closes the only way, where one alone does.
        closed: Option<Closed>,
    },
    /// A move against the mobility ban.
    #[error(
        "after this move the rival's pawn on {0} would have no move, and no move may leave a rival pawn without one"
    )]
    Immobilises(Square),
    /// A pass where a move is possible.
    #[error("pass is legal only where no other move is, and here {0} is")]
    PassNotNeeded(Move),

    /// A chance outcome where none is due.
    #[error("no chance step is due")]
    NoChance,
    /// A bag of discs where the outer holes are drawn, or the other way round.
    #[error("the chance step that is due draws the {due}, not the {found}")]
    OtherChance {
        /// What is drawn now.
        due: &'static str,
        /// What the outcome is for.
        found: &'static str,
    },
    /// A chance outcome with the wrong discs.
    #[error("{found} {colour} discs cannot be drawn: there are {expected} of each colour")]
    DiscCount {
        /// A colour of which there are too many or too few.
        colour: Colour,
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
}

/// A square that may not be passed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Closed {
    /// The square.
    pub square: Square,
    /// Why it is closed.
    pub why: WhyClosed,
}

/// Why a square may not be passed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhyClosed {
    /// A rival pawn stands there.
    RivalPawn,
    /// It has a disc of the rival's colour, and no own pawn is a bridge over it.
    RivalDisc,
    /// It is a start or goal square without an own pawn as a bridge.
    EmptyNeutral,
    /// It is a start or goal square with an own pawn, and the options make no bridges there.
    NeutralBridge,
}

struct Closing<'a>(&'a Option<Closed>);

impl fmt::Display for Closing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Closed { square, why }) = self.0 else {
            return f.write_str("on every way, two or more squares may not be passed over");
        };
        let reason = match why {
            WhyClosed::RivalPawn => "the rival's pawn there",
            WhyClosed::RivalDisc => "the disc of the rival's colour there, without an own pawn on it",
            WhyClosed::EmptyNeutral => "a start or goal square without an own pawn",
            WhyClosed::NeutralBridge => "a start or goal square, where own pawns are no bridges in this game",
        };
        write!(f, "it may not pass over {square}, {reason}")
    }
}
