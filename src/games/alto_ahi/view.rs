//! The public state as bots see it: all there is to see, since nothing on the board is hidden.

use serde::ser::{Serialize, SerializeSeq, Serializer};

use crate::seat::{BySeat, Seat};

use super::AltoAhi;
use super::grid::{BarrierSet, Square};

/// The state on the wire; `RULES.md` describes each field.
#[derive(Debug, serde::Serialize)]
pub struct View {
    size: usize,
    turn: Option<Seat>,
    ply: u32,
    pawns: BySeat<Option<Square>>,
    barriers: BySeat<BarrierSet>,
    store: BySeat<u8>,
}

impl View {
    pub(super) fn of(game: &AltoAhi) -> View {
        let position = game.position();
        let seats = position.grid().seats;
        View {
            size: position.grid().size,
            turn: game.end.is_none().then(|| position.to_move()),
            ply: game.ply,
            pawns: BySeat::from_fn(seats, |seat| position.pawn(seat)),
            barriers: BySeat::from_fn(seats, |seat| position.barriers_of(seat)),
            store: BySeat::from_fn(seats, |seat| position.store(seat)),
        }
    }
}

impl Serialize for BarrierSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len() as usize))?;
        self.into_iter().try_for_each(|barrier| list.serialize_element(&barrier))?;
        list.end()
    }
}
