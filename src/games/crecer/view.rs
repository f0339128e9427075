//! The state as bots see it.
//!
//! Nothing is hidden in this game. The view is written at every ply, so it borrows the position and makes no text of its own.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::state::Core;
use crate::seat::Seat;

/// The state on the wire; see `RULES.md` for an example.
#[derive(Debug, serde::Serialize)]
pub struct View<'a> {
    /// Plies played so far.
    pub(super) ply: u32,
    /// The seat to move; none when the game is over.
    pub(super) to_move: Option<Seat>,
    /// For each seat, the height of each of its stacks by the name of its square.
    pub(super) stacks: [Stacks<'a>; 2],
    /// The pieces in each seat's hand.
    pub(super) hand: [u8; 2],
    /// Whether the last move was a pass.
    pub(super) passed: bool,
    /// How often this position occurred, this time included; none where repetition is off.
    pub(super) occurrence: Option<u32>,
}

/// The stacks of one seat: written as an object of heights by square.
#[derive(Debug)]
pub(super) struct Stacks<'a> {
    pub(super) core: &'a Core,
    pub(super) seat: Seat,
}

impl Serialize for Stacks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let squares = self.core.stacks(self.seat);
        let mut map = serializer.serialize_map(Some(squares.count() as usize))?;
        for square in squares {
            map.serialize_entry(square.name(), &self.core.height(square))?;
        }
        map.end()
    }
}
