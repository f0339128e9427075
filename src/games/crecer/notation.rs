//! How a move is written: `a2-b3` moves, `+a2` grows, `a2xb3` attacks, and `pass`.
//!
//! Knows no position: whether a move is legal is for [`Core`](super::Core) to say.

use std::fmt;
use std::str::FromStr;

use super::square::{NoSuchSquare, Square};
use crate::game::{Notation, PASS, Token};

/// One action of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A whole stack goes one square, to an empty one.
    Step {
        /// Where the stack stands.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// A piece from the hand goes onto an own stack.
    Grow(Square),
    /// An own stack fights a rival's on a square next to it.
    Attack {
        /// Where the own stack stands.
        from: Square,
        /// Where the rival's stands.
        to: Square,
    },
    /// Nothing is done, because nothing else is legal.
    Pass,
}

impl Move {
    /// What the text of the move is put together from.
    const fn parts(self) -> [&'static str; 3] {
        match self {
            Move::Step { from, to } => [from.name(), "-", to.name()],
            Move::Grow(square) => ["+", square.name(), ""],
            Move::Attack { from, to } => [from.name(), "x", to.name()],
            Move::Pass => [PASS, "", ""],
        }
    }
}

impl Notation for Move {
    fn token(self) -> Token {
        let mut token = Token::new();
        self.parts().iter().for_each(|part| token.push_str(part));
        token
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().iter().try_for_each(|part| f.write_str(part))
    }
}

/// Text that is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoSuchMove {
    /// Neither of the four forms.
    #[error("write a2-b3 to move, +a2 to grow, a2xb3 to attack, or pass")]
    Form,
    /// A form with something in it that is no square.
    #[error(transparent)]
    Square(#[from] NoSuchSquare),
}

impl FromStr for Move {
    type Err = NoSuchMove;

    fn from_str(text: &str) -> Result<Move, NoSuchMove> {
        if text == PASS {
            return Ok(Move::Pass);
        }
        if let Some(square) = text.strip_prefix('+') {
            return Ok(Move::Grow(square.parse()?));
        }
        // The sign is looked for where it stands and not where it first occurs: anything may come from outside.
        match (text.get(..2), text.get(2..3), text.get(3..)) {
            (Some(from), Some("-"), Some(to)) => Ok(Move::Step { from: from.parse()?, to: to.parse()? }),
            (Some(from), Some("x"), Some(to)) => Ok(Move::Attack { from: from.parse()?, to: to.parse()? }),
            _ => Err(NoSuchMove::Form),
        }
    }
}
