//! Moves and discs as text: `a1-d4`, `b2`, `pass`; rows of discs such as `RBR`.
//!
//! Knows the board, and nothing of what is legal.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayString;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::squares::{Colour, Square};
use crate::game::{Notation, PASS, Token};

/// One decision of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Puts one of the seat's discs in hand into this outer hole: `b2`.
    Place(Square),
    /// Takes a pawn from one square to another: `a1-d4`.
    Step {
        /// Where the pawn stands.
        from: Square,
        /// Where it ends; the squares passed over are not written, since they do not matter.
        to: Square,
    },
    /// Does nothing, where every other move is forbidden: `pass`.
    Pass,
}

impl Notation for Move {
    fn token(self) -> Token {
        let mut token = Token::new();
        match self {
            Move::Place(square) => token.push_str(square.name()),
            Move::Step { from, to } => {
                token.push_str(from.name());
                token.push('-');
                token.push_str(to.name());
            }
            Move::Pass => token.push_str(PASS),
        }
        token
    }

    fn append_item(self, list: &mut Vec<u8>) {
        match self {
            Move::Place(square) => {
                let [file, rank] = square.letters();
                list.extend_from_slice(&[b',', b'"', file, rank, b'"']);
            }
            Move::Step { from, to } => {
                let [[from_file, from_rank], [to_file, to_rank]] = [from, to].map(Square::letters);
                list.extend_from_slice(&[b',', b'"', from_file, from_rank, b'-', to_file, to_rank, b'"']);
            }
            Move::Pass => list.extend_from_slice(b",\"pass\""),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.token())
    }
}

/// Text that is no move of this game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadMove {
    /// It has the shape of a move, with something else in the place of a square.
    #[error(
        "a move names squares of the board, and one of these is none: files a, c, e, g have ranks 1, 3, 5, 7, and files b, d, f have ranks 2, 4, 6"
    )]
    NoSquare,
    /// It has no move's shape.
    #[error("expected two squares such as a1-d4, one square such as b2 for a disc, or pass")]
    Shape,
}

impl FromStr for Move {
    type Err = BadMove;

    fn from_str(text: &str) -> Result<Move, BadMove> {
        let square = |name: &str| {
            let error = if name.len() == 2 { BadMove::NoSquare } else { BadMove::Shape };
            Square::named(name).ok_or(error)
        };
        match text.split_once('-') {
            _ if text == PASS => Ok(Move::Pass),
            None => Ok(Move::Place(square(text)?)),
            Some((from, to)) => Ok(Move::Step { from: square(from)?, to: square(to)? }),
        }
    }
}

/// `N` discs in a row, written as their letters, such as `RBBR`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Discs<const N: usize>(pub [Colour; N]);

/// Text that is no row of so many discs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadDiscs {
    /// Too few or too many letters.
    #[error("expected {expected} letters, one for each disc, found {found}")]
    Length {
        /// How many letters there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A letter that stands for no colour.
    #[error("expected R for a red and B for a black disc, found {0:?}")]
    Letter(char),
}

impl<const N: usize> Discs<N> {
    /// How many of the discs have this colour.
    pub fn count(&self, colour: Colour) -> usize {
        self.0.iter().filter(|&&disc| disc == colour).count()
    }

    /// The discs as letters.
    pub fn letters(&self) -> ArrayString<32> {
        self.0.iter().fold(ArrayString::new(), |mut text, disc| {
            text.push(disc.letter());
            text
        })
    }
}

impl<const N: usize> fmt::Debug for Discs<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.letters())
    }
}

impl<const N: usize> FromStr for Discs<N> {
    type Err = BadDiscs;

    fn from_str(text: &str) -> Result<Discs<N>, BadDiscs> {
        let found = text.chars().count();
        if found != N {
            return Err(BadDiscs::Length { expected: N, found });
        }
        let mut discs = [Colour::Red; N];
        for (disc, letter) in discs.iter_mut().zip(text.chars()) {
            *disc = Colour::of_letter(letter).ok_or(BadDiscs::Letter(letter))?;
        }
        Ok(Discs(discs))
    }
}

impl<const N: usize> Serialize for Discs<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.letters())
    }
}

impl<'de, const N: usize> Deserialize<'de> for Discs<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Discs<N>, D::Error> {
        ArrayString::<32>::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// The outcome of a chance step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chance {
    /// The order in which six red and six black discs leave the bag: eleven fill the central holes
    /// `a3 c3 e3 g3 b4 d4 f4 a5 c5 e5 g5`, and the colour of the last one starts.
    Bag(Discs<12>),
    /// The discs of the outer holes `b2 d2 f2 b6 d6 f6`, three of each colour.
    Outer(Discs<6>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_read_back_as_written() {
        for text in ["pass", "b2", "f6", "a1-d4", "g7-a1", "a1-a1"] {
            assert_eq!(text.parse::<Move>().unwrap().token().as_str(), text);
        }
    }

    #[test]
    fn other_text_is_refused_with_what_was_expected() {
        for bad in ["", "PASS", "pass ", "a1-", "-a1", "a1-d4-a1", "a1d4", "a1 d4", "a1->d4", "a01-d4", "resign"] {
            assert_eq!(bad.parse::<Move>(), Err(BadMove::Shape), "{bad}");
        }
        for bad in ["a2", "a1-d3", "h8", "A1-d4", "b2-a9"] {
            assert_eq!(bad.parse::<Move>(), Err(BadMove::NoSquare), "{bad}");
        }
    }

    #[test]
    fn chance_is_written_with_its_kind_outside() {
        let bag = Chance::Bag("RRRRRRBBBBBB".parse().unwrap());
        assert_eq!(serde_json::to_string(&bag).unwrap(), r#"{"bag":"RRRRRRBBBBBB"}"#);
        assert_eq!(serde_json::from_str::<Chance>(r#"{"bag":"RRRRRRBBBBBB"}"#).unwrap(), bag);
        for bad in [r#"{"bag":"RRRRRRBBBBB"}"#, r#"{"outer":"RRRBBX"}"#, r#"{"outer":7}"#, r#"{"deck":"RRRBBB"}"#] {
            assert!(serde_json::from_str::<Chance>(bad).is_err(), "{bad}");
        }
    }
}
