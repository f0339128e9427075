//! Moves as text: `roll`, `stop`, and `climb-Z` with the zone that the climber stands on.

use std::fmt::Write;
use std::str::FromStr;

use crate::game::{Notation, Token};

/// One decision of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Rolls all dice that show danger again.
    Roll,
    /// Ends the turn where there is no ascent to climb with.
    Stop,
    /// The climber on this zone goes up by all ascents set aside.
    Climb(u8),
}

/// Text that is no move of this game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadMove {
    /// None of the three words.
    #[error("a move is roll, stop, or climb-Z with the number of the zone that the climber stands on")]
    Word,
    /// `climb-` without a zone behind it.
    #[error("behind climb- stands the number of a zone, one or two digits without a zero in front")]
    Zone,
}

impl Notation for Move {
    fn token(self) -> Token {
        let mut token = Token::new();
        match self {
            Move::Roll => token.push_str("roll"),
            Move::Stop => token.push_str("stop"),
            Move::Climb(zone) => write!(token, "climb-{zone}").expect("a zone has at most three digits"),
        }
        token
    }
}

impl FromStr for Move {
    type Err = BadMove;

    fn from_str(text: &str) -> Result<Move, BadMove> {
        match text {
            "roll" => Ok(Move::Roll),
            "stop" => Ok(Move::Stop),
            _ => read_zone(text.strip_prefix("climb-").ok_or(BadMove::Word)?).map(Move::Climb),
        }
    }
}

/// The number, in the one way in which it is written: no sign, no zero in front.
fn read_zone(digits: &str) -> Result<u8, BadMove> {
    match digits.as_bytes() {
        [unit @ b'0'..=b'9'] => Ok(unit - b'0'),
        [ten @ b'1'..=b'9', unit @ b'0'..=b'9'] => Ok((ten - b'0') * 10 + (unit - b'0')),
        _ => Err(BadMove::Zone),
    }
}
