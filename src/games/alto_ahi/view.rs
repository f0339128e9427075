//! The public state as bots see it: all there is to see, since nothing on the board is hidden.

use serde::ser::{Serialize, SerializeSeq, Serializer};

use crate::seat::{BySeat, Seat};

use super::AltoAhi;
use super::cards::Hand;
use super::deck::{Effect, Pile};
use super::effects::{Held, Stage};
use super::grid::{Barrier, BarrierSet, Square};

/// The state on the wire; `RULES.md` describes each field.
#[derive(Debug, serde::Serialize)]
pub struct View {
    size: usize,
    turn: Option<Seat>,
    ply: u32,
    pawns: BySeat<Option<Square>>,
    barriers: BySeat<BarrierSet>,
    store: BySeat<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cards: Option<CardsView>,
}

/// The part of the state that only the card game has.
#[derive(Debug, serde::Serialize)]
struct CardsView {
    hand: Option<HandView>,
    halts: BySeat<u32>,
    deck: PileView,
    discards: PileView,
}

/// The card that the seat to move has taken.
#[derive(Debug, serde::Serialize)]
struct HandView {
    card: Option<Effect>,
    choice: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    lifted: Option<Barrier>,
}

#[derive(Debug)]
struct PileView(Pile);

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
            cards: game.cards.as_ref().map(|cards| CardsView {
                hand: HandView::of(cards.hand),
                halts: BySeat::from_fn(seats, |seat| cards.halts[seat.index()]),
                deck: PileView(cards.deck),
                discards: PileView(cards.discards),
            }),
        }
    }
}

impl HandView {
    fn of(hand: Hand) -> Option<HandView> {
        match hand {
            Hand::Empty => None,
            Hand::FaceDown => Some(HandView { card: None, choice: 0, lifted: None }),
            Hand::Held(Held { effect, stage }) => Some(HandView {
                card: Some(effect),
                choice: if stage == Stage::First { 1 } else { 2 },
                lifted: match stage {
                    Stage::Lifted(barrier, _) => Some(barrier),
                    Stage::First | Stage::Second => None,
                },
            }),
        }
    }
}

impl Serialize for PileView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.counts().map(|cards| (cards.effect, cards.count)))
    }
}

impl Serialize for BarrierSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len() as usize))?;
        self.into_iter().try_for_each(|barrier| list.serialize_element(&barrier))?;
        list.end()
    }
}
