//! What can be chosen about a game, and the same checked and packed for play.

use serde::{Deserialize, Serialize};

use super::dice::MAX_DICE;
use crate::game::BadSetup;

/// The most climbers of a seat.
pub const MAX_CLIMBERS: usize = 4;

/// The most zones between Basecamp and Summit, so that a set of zones fits 32 bits.
pub const MAX_TRACK: usize = 30;

/// The greatest `max_turns`.
pub const MOST_TURNS: u32 = 1_000_000;

/// What can be chosen about a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The zones between Basecamp and Summit from below: `B` a bivouac, `C` a cliff; 1 to 30, at least one bivouac.
    pub track: String,
    /// The climbers of a seat, 1 to 4; without a number 4, 3 or 2 for 2, 3 or 4 seats.
    pub climbers: Option<u8>,
    /// The dice, 1 to 6.
    pub dice: u8,
    /// Which own climber decides how deep the highest one falls.
    pub tie_next: TieNext,
    /// The turns after which the game is decided by progress, 1 to 1 000 000.
    pub max_turns: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { track: "BBCCCBCCC".to_owned(), climbers: None, dice: 6, tie_next: TieNext::SameZone, max_turns: 1000 }
    }
}

/// Which own climber is the next one below a falling climber, where two stand on the same zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TieNext {
    /// The other climber on the same zone.
    SameZone,
    /// The first one that stands strictly lower.
    LowerOnly,
}

/// The options of one game, checked and packed: what [`super::Core`] carries with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The zones that hold one climber only, zone 0 the lowest bit.
    cliffs: u32,
    max_turns: u32,
    summit: u8,
    climbers: u8,
    dice: u8,
    tie_next: TieNext,
}

impl Rules {
    /// The rules of a game with these options for this number of seats.
    ///
    /// # Errors
    /// The option that cannot be played with, and why.
    pub fn new(options: &Options, seats: usize) -> Result<Rules, BadSetup> {
        let within = |field: &str, value: u32, most: u32| match value {
            value if (1..=most).contains(&value) => Ok(()),
            _ => Err(BadSetup::new(field, format!("{value} is not possible; it is 1 to {most}"))),
        };
        let usual = match seats {
            2 => 4,
            3 => 3,
            4 => 2,
            _ => return Err(BadSetup::new("seats", format!("the game is played by 2, 3 or 4, not by {seats}"))),
        };
        let climbers = options.climbers.unwrap_or(usual);
        let cliffs = read_track(&options.track).map_err(|reason| BadSetup::new("track", reason))?;
        within("climbers", climbers.into(), MAX_CLIMBERS as u32)?;
        within("dice", options.dice.into(), MAX_DICE as u32)?;
        within("max_turns", options.max_turns, MOST_TURNS)?;
        Ok(Rules {
            cliffs,
            max_turns: options.max_turns,
            summit: options.track.len() as u8 + 1,
            climbers,
            dice: options.dice,
            tie_next: options.tie_next,
        })
    }

    /// The options that give these rules, every field filled in.
    pub fn options(&self) -> Options {
        let letter = |zone| if self.is_cliff(zone) { 'C' } else { 'B' };
        Options {
            track: (1..self.summit).map(letter).collect(),
            climbers: Some(self.climbers),
            dice: self.dice,
            tie_next: self.tie_next,
            max_turns: self.max_turns,
        }
    }

    /// The number of the Summit's zone; Basecamp is 0.
    pub const fn summit(&self) -> u8 {
        self.summit
    }

    /// The zones that hold one climber only, as a set: zone 0 is the lowest bit.
    pub const fn cliffs(&self) -> u32 {
        self.cliffs
    }

    /// Whether the zone holds one climber only.
    pub const fn is_cliff(&self, zone: u8) -> bool {
        self.cliffs >> zone & 1 != 0
    }

    /// The climbers of a seat.
    pub const fn climbers(&self) -> u8 {
        self.climbers
    }

    /// The dice of the first roll of a turn.
    pub const fn dice(&self) -> u8 {
        self.dice
    }

    /// Which own climber decides how deep the highest one falls.
    pub const fn tie_next(&self) -> TieNext {
        self.tie_next
    }

    /// The turns after which the game is decided by progress.
    pub const fn max_turns(&self) -> u32 {
        self.max_turns
    }
}

/// The set of cliffs of a track.
fn read_track(track: &str) -> Result<u32, String> {
    let mut cliffs = 0;
    for (place, letter) in track.chars().enumerate() {
        match letter {
            _ if place >= MAX_TRACK => return Err(format!("it has more than {MAX_TRACK} zones")),
            'B' => {}
            'C' => cliffs |= 2 << place,
            _ => {
                return Err(format!(
                    "“{}” in place {} is no zone; B is a bivouac, C a cliff",
                    letter.escape_debug(),
                    place + 1
                ));
            }
        }
    }
    match track.contains('B') {
        true => Ok(cliffs),
        false => Err("it has no bivouac (B); at least one is needed".to_owned()),
    }
}
