//! The public state as bots see it, and the way back from it to a position that can be played on.
//!
//! Nothing is hidden in this game. The state is written at every ply, so it holds no text of its own.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Crecer;
use super::heights::Heights;
use super::options::HAND;
use super::square::{Square, Squares};
use super::state::{Core, Rules};
use crate::game::Game;
use crate::seat::Seat;

/// The state on the wire; `RULES.md` describes each field.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct View {
    /// The seat to move; none when the game is over.
    pub turn: Option<Seat>,
    /// Plies played so far.
    pub ply: u32,
    /// The stacks of each seat.
    pub stacks: [Stacks; 2],
    /// The pieces in each seat's hand.
    pub hand: [u8; 2],
    /// Whether the last move was a pass.
    pub passed: bool,
    /// How often this position occurred, this time included; 0 where the options do not count.
    pub occurrences: u32,
}

impl View {
    /// The position, for a program that searches on; none when the game is over or the state is not sound.
    pub fn core(&self, rules: Rules) -> Option<Core> {
        let turn = self.turn.filter(|turn| turn.index() < 2)?;
        let core = Core::resume(rules, self.stacks, self.hand, turn, self.passed);
        let sound = |seat: Seat| {
            let (hand, pieces) = (core.hand(seat), core.pieces(seat));
            hand <= HAND && pieces + u32::from(hand) <= 2 * u32::from(HAND) && !core.singles(seat).is_empty()
        };
        let apart = self.stacks[0].squares.and(self.stacks[1].squares).is_empty();
        let in_height = (rules.max_height + 1..=HAND).all(|height| core.of_height(height).is_empty());
        (apart && in_height && Seat::first(2).all(sound)).then_some(core)
    }

    pub(super) fn of(game: &Crecer) -> View {
        let core = &game.core;
        View {
            turn: game.end().is_none().then(|| core.to_move()),
            ply: game.ply,
            stacks: [0, 1].map(|index| core.stacks_of(Seat::new(index))),
            hand: [0, 1].map(|index| core.hand(Seat::new(index))),
            passed: core.passed(),
            occurrences: game.history.occurrences(),
        }
    }
}

/// The stacks of one seat, written as an object of heights by square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stacks {
    pub(super) squares: Squares,
    /// Heights on those squares only.
    pub(super) heights: Heights,
}

impl Stacks {
    /// Where they stand.
    pub const fn squares(&self) -> Squares {
        self.squares
    }

    /// The height of the stack on a square, 0 where there is none of this seat.
    pub fn height(&self, square: Square) -> u8 {
        self.heights.at(square)
    }
}

impl Serialize for Stacks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.squares.count() as usize))?;
        for square in self.squares {
            map.serialize_entry(&square, &self.height(square))?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Stacks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Stacks, D::Error> {
        deserializer.deserialize_map(HeightsBySquare)
    }
}

struct HeightsBySquare;

impl<'de> Visitor<'de> for HeightsBySquare {
    type Value = Stacks;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of heights by square")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Stacks, M::Error> {
        let mut stacks = Stacks { squares: Squares::EMPTY, heights: Heights::NONE };
        while let Some((square, height)) = map.next_entry::<Square, u8>()? {
            if stacks.squares.contains(square) || !(1..=HAND).contains(&height) {
                return Err(M::Error::custom(format_args!("no stack of height {height} can stand on {square}")));
            }
            stacks.squares = stacks.squares.or(Squares::only(square));
            stacks.heights.put(square, height);
        }
        Ok(stacks)
    }
}
