//! What can be chosen about the game, and which choices are possible.

use serde::{Deserialize, Serialize};

use crate::game::BadSetup;

use super::cards::Cards;
use super::deck::{CardCount, Pile, default_deck};
use super::grid::Grid;
use super::state::{Jumps, Position};

/// The most barriers that a seat may start with.
pub const MAX_WALLS: u8 = 64;

/// The greatest limit of plies.
pub const MAX_MAX_PLIES: u32 = 100_000;

/// What can be chosen. What is left out has the value of the published game for that size and number of seats.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The number of squares along a side: 3, 5, 7 or 9.
    pub size: usize,
    /// The number of barriers that each seat starts with; left out, 10 with two seats and 5 with four.
    pub walls: Option<u8>,
    /// What a pawn with the edge of the board behind it can be passed by.
    pub edge: Beside,
    /// What a pawn with another pawn behind it can be passed by.
    pub pawn_behind: Beside,
    /// The number of plies after which the game is drawn; left out, four times the number of squares.
    pub max_plies: Option<u32>,
    /// At which occurrence of a position the game is drawn; 0 for never.
    pub repetition: u32,
    /// Whether the card game is played.
    pub cards: bool,
    /// The deck of the card game; left out, the project's own deck of 24 cards. Only with `cards`.
    pub deck: Option<Vec<CardCount>>,
}

/// Whether a pawn that cannot be jumped straight may be passed to the side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Beside {
    /// By the squares to the left and the right of it.
    Side,
    /// Not at all.
    None,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            size: 9,
            walls: None,
            edge: Beside::Side,
            pawn_behind: Beside::None,
            max_plies: None,
            repetition: 0,
            cards: false,
            deck: None,
        }
    }
}

impl Options {
    /// These options with every field filled in for a number of seats, and what they start from: the position, and the
    /// cards if there are any.
    pub(super) fn open(&self, seats: usize) -> Result<(Options, Position, Option<Cards>), BadSetup> {
        if !matches!(seats, 2 | 4) {
            return Err(BadSetup::new("seats", format!("the game is played by 2 or 4, not by {seats}")));
        }
        let grid = Grid::of(self.size, seats).ok_or_else(|| {
            BadSetup::new("size", format!("{} squares along a side are not possible; 3, 5, 7 or 9 are", self.size))
        })?;
        let walls = self.walls.unwrap_or(if seats == 2 { 10 } else { 5 });
        if walls > MAX_WALLS {
            return Err(BadSetup::new(
                "walls",
                format!("{walls} barriers each are too many; 0 to {MAX_WALLS} are possible"),
            ));
        }
        let max_plies = self.max_plies.unwrap_or((4 * self.size * self.size) as u32);
        if !(1..=MAX_MAX_PLIES).contains(&max_plies) {
            let reason = format!("a limit of {max_plies} plies is not possible; 1 to {MAX_MAX_PLIES} are");
            return Err(BadSetup::new("max_plies", reason));
        }
        if self.repetition == 1 {
            return Err(BadSetup::new(
                "repetition",
                "1 would draw the game before its first move; 0 is off, or 2 and more",
            ));
        }
        let deck = match (&self.deck, self.cards) {
            (deck, true) => Some(deck.clone().unwrap_or_else(default_deck)),
            (None, false) => None,
            (Some(_), false) => {
                return Err(BadSetup::new(
                    "deck",
                    "a deck is only used in the card game; set cards to true, or leave it out",
                ));
            }
        };
        let cards = deck.as_deref().map(Pile::of).transpose()?.map(Cards::new);
        let options = Options { walls: Some(walls), max_plies: Some(max_plies), deck, ..self.clone() };
        let jumps = Jumps { past_edge: self.edge == Beside::Side, past_pawn: self.pawn_behind == Beside::Side };
        Ok((options, Position::start(grid, walls, jumps), cards))
    }
}
