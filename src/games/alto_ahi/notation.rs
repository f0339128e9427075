//! Moves and their notation.

use std::str::FromStr;

use crate::game::{Notation, PASS, Token};
use crate::seat::{MAX_SEATS, Seat};

use super::grid::{Barrier, Lie, Square};

/// The text of the move that takes a card.
const CARD: &str = "card";

/// The texts of the moves that choose a rival.
const RIVALS: [&str; MAX_SEATS] = ["s0", "s1", "s2", "s3"];

/// One decision of a seat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// To move the pawn to this square: `e2`.
    To(Square),
    /// To place this barrier, or to choose it for a card: `e3h`.
    Barrier(Barrier),
    /// To take a card: `card`.
    Card,
    /// To choose this rival for a card: `s2`.
    Rival(Seat),
    /// To do nothing, which only a seat without any other move does: `pass`.
    Pass,
}

/// Text that is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotAMove {
    /// Like a barrier, but not where any board has one.
    #[error("a barrier is written as its anchor, from a1 to h8, and h or v, like e3h")]
    Barrier,
    /// Nothing like a move.
    #[error(
        "a move is a square such as e2, a barrier such as e3h or e3v, card, a rival from s0 to s3, or pass; all in lower \
         case"
    )]
    Other,
}

impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Move, NotAMove> {
        match *text.as_bytes() {
            [file @ b'a'..=b'i', rank @ b'1'..=b'9'] => {
                Ok(Move::To(Square::new(usize::from(file - b'a'), usize::from(rank - b'1'))))
            }
            [file, rank, lie @ (b'h' | b'v')] => match (file, rank) {
                (b'a'..=b'h', b'1'..=b'8') => {
                    let lie = if lie == b'h' { Lie::Horizontal } else { Lie::Vertical };
                    Ok(Move::Barrier(Barrier::new(usize::from(file - b'a'), usize::from(rank - b'1'), lie)))
                }
                _ => Err(NotAMove::Barrier),
            },
            [b's', seat @ b'0'..=b'3'] => Ok(Move::Rival(Seat::new(usize::from(seat - b'0')))),
            _ if text == CARD => Ok(Move::Card),
            _ if text == PASS => Ok(Move::Pass),
            _ => Err(NotAMove::Other),
        }
    }
}

impl Notation for Move {
    fn token(self) -> Token {
        let text = match self {
            Move::To(square) => square.as_str(),
            Move::Barrier(barrier) => barrier.as_str(),
            Move::Card => CARD,
            Move::Rival(seat) => RIVALS[seat.index()],
            Move::Pass => PASS,
        };
        Token::from(text).expect("a move is shorter than a token may be")
    }

    fn append_item(self, list: &mut Vec<u8>) {
        // Each of the two common kinds has a length that is known here, which makes it quick to copy.
        match self {
            Move::To(square) => list.extend_from_slice(square.item()),
            Move::Barrier(barrier) => list.extend_from_slice(barrier.item()),
            Move::Card | Move::Rival(_) | Move::Pass => {
                list.extend_from_slice(b",\"");
                list.extend_from_slice(self.token().as_bytes());
                list.push(b'"');
            }
        }
    }
}
