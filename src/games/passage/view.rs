//! What bots see of a game: its public state, built up from nothing.
//!
//! Nothing is hidden in this game, so the view is the same for both seats. It is written before every turn: names of
//! squares and letters only, and no allocation.

use arrayvec::{ArrayString, ArrayVec};
use serde::{Deserialize, Serialize};

use super::Passage;
use super::notation::Discs;
use super::squares::{Colour, HOLES, Squares};
use super::state::{PAWNS, Position};
use crate::game::EndReason;
use crate::seat::Seat;

/// What happens next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Chance fills the central holes and draws the starter.
    Bag,
    /// Chance fills the outer holes.
    Outer,
    /// The seats fill the outer holes.
    Placing,
    /// The pawns move.
    Moving,
    /// Nothing: the game is over.
    Over,
}

/// How a leg ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LegResult {
    /// The seat that won it; none in a draw.
    pub winner: Option<Seat>,
    /// Why it ended.
    #[serde(with = "reason_by_name")]
    pub reason: EndReason,
}

/// An [`EndReason`] in JSON is its name.
mod reason_by_name {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::game::EndReason;

    pub fn serialize<S: Serializer>(reason: &EndReason, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(reason.as_str())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<EndReason, D::Error> {
        let name = String::deserialize(deserializer)?;
        let reason = EndReason::ALL.into_iter().find(|reason| reason.as_str() == name);
        reason.ok_or_else(|| D::Error::custom(format_args!("no leg ends by {name}")))
    }
}

/// The public state; a program that gets it as JSON can read it back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct View {
    /// What happens next.
    pub phase: Phase,
    /// The leg, 1 or 2.
    pub leg: u8,
    /// The plies of this leg so far, the set-up not counted.
    pub ply: u32,
    /// The seat to move; none while chance decides and after the end.
    pub turn: Option<Seat>,
    /// The colour that starts each leg; none until it is drawn.
    pub starter: Option<Colour>,
    /// The discs in the order of option `layout`, an empty hole as a dot.
    pub discs: ArrayString<HOLES>,
    /// The squares of each seat's pawns.
    pub pawns: [Squares; 2],
    /// The discs that each seat has yet to place.
    pub in_hand: [u8; 2],
    /// Whether the rival has just passed and the seat to move must pass as well.
    pub both_stuck: bool,
    /// How often this position has begun a turn of this leg, this time included; 0 where the options do not count.
    pub occurrences: u32,
    /// The legs that are over.
    pub results: ArrayVec<LegResult, 2>,
}

impl View {
    /// The position on the board, for a program that searches on; none before all discs lie, nor after the end.
    /// `bridge_on_neutral` is the option of that name.
    pub fn position(&self, bridge_on_neutral: bool) -> Option<Position> {
        let to_move = Colour::BOTH.into_iter().find(|colour| self.turn == Some(colour.seat()))?;
        let layout: Discs<HOLES> = self.discs.parse().ok()?;
        let [red, black] = self.pawns;
        let sound = (red & black).is_empty() && red.len() == PAWNS && black.len() == PAWNS;
        sound.then(|| Position::new(layout, self.pawns, to_move, bridge_on_neutral).with_both_stuck(self.both_stuck))
    }

    pub(super) fn of(game: &Passage) -> View {
        let position = &game.position;
        View {
            phase: game.phase,
            leg: game.leg(),
            ply: game.plies,
            turn: game.seat_to_move(),
            starter: game.starter,
            discs: disc_letters(position.discs(Colour::Red), position.discs(Colour::Black)),
            pawns: Colour::BOTH.map(|colour| position.pawns(colour)),
            in_hand: Colour::BOTH.map(|colour| game.in_hand(colour)),
            both_stuck: position.both_stuck(),
            occurrences: game.history.occurrences(),
            results: game.results.clone(),
        }
    }
}

fn disc_letters(red: Squares, black: Squares) -> ArrayString<HOLES> {
    let mut letters = ArrayString::new();
    for hole in Squares::HOLES.iter() {
        letters.push(match (red.contains(hole), black.contains(hole)) {
            (true, _) => 'R',
            (_, true) => 'B',
            _ => '.',
        });
    }
    letters
}
