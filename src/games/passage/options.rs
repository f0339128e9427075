//! What can be chosen about a game, and the same once it is known to be possible.

use serde::{Deserialize, Serialize};

use super::notation::Discs;
use super::squares::{Colour, HOLES, Squares};
use crate::game::BadSetup;

/// The most plies that a leg can be allowed.
pub const MOST_PLIES: u32 = 100_000;

/// The options of the game; `RULES.md` says what each means.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The discs of the 17 holes as letters, in the order `b2 d2 f2 a3 c3 e3 g3 b4 d4 f4 a5 c5 e5 g5 b6 d6 f6`:
    /// there is then no set-up. Needs `starter`.
    pub layout: Option<String>,
    /// The colour that moves first on this layout.
    pub starter: Option<Colour>,
    /// Who fills the outer holes.
    pub placement: Placement,
    /// How many legs are played: 2 with the rematch.
    pub legs: u8,
    /// Whether own pawns on start and goal squares can be passed over, as on all other squares.
    pub bridge_on_neutral: bool,
    /// What happens where the seat to move has no legal move.
    pub stuck: Stuck,
    /// How a leg ends at `max_plies`.
    pub adjudicate: Adjudicate,
    /// The plies after which a leg ends, the set-up not counted.
    pub max_plies: u32,
    /// How often a position must occur in a leg for a draw; 0 for never.
    pub repetition: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            layout: None,
            starter: None,
            placement: Placement::Seats,
            legs: 1,
            bridge_on_neutral: true,
            stuck: Stuck::Pass,
            adjudicate: Adjudicate::Draw,
            max_plies: 300,
            repetition: 3,
        }
    }
}

/// Who fills the outer holes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// The seats in turn, the starter first.
    Seats,
    /// Chance.
    Chance,
}

/// What happens where the seat to move has no legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stuck {
    /// It passes.
    Pass,
    /// It loses the leg.
    Loss,
    /// The leg is drawn.
    Draw,
}

/// How a leg ends at the limit of plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Adjudicate {
    /// In a draw.
    Draw,
    /// The seat with more pawns home wins, then the seat with fewer ranks to go.
    Progress,
}

/// Options that can be played with.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub(super) given: Option<(Discs<HOLES>, Colour)>,
    pub(super) placement: Placement,
    pub(super) legs: u8,
    pub(super) bridge_on_neutral: bool,
    pub(super) stuck: Stuck,
    pub(super) adjudicate: Adjudicate,
    pub(super) max_plies: u32,
    pub(super) repetition: u32,
}

impl Terms {
    pub(super) fn of(options: &Options) -> Result<Terms, BadSetup> {
        if !(1..=2).contains(&options.legs) {
            return Err(bad("legs", format!("{} cannot be played: 1, or 2 with the rematch", options.legs)));
        }
        if !(1..=MOST_PLIES).contains(&options.max_plies) {
            return Err(bad("max_plies", format!("{} is not from 1 to {MOST_PLIES}", options.max_plies)));
        }
        if options.repetition == 1 {
            let reason = "1 would draw every game before the first move: 0 for never, or 2 and more occurrences";
            return Err(bad("repetition", reason));
        }
        Ok(Terms {
            given: given(options.layout.as_deref(), options.starter)?,
            placement: options.placement,
            legs: options.legs,
            bridge_on_neutral: options.bridge_on_neutral,
            stuck: options.stuck,
            adjudicate: options.adjudicate,
            max_plies: options.max_plies,
            repetition: options.repetition,
        })
    }

    pub(super) fn options(&self) -> Options {
        Options {
            layout: self.given.map(|(layout, _)| layout.letters().to_string()),
            starter: self.given.map(|(_, starter)| starter),
            placement: self.placement,
            legs: self.legs,
            bridge_on_neutral: self.bridge_on_neutral,
            stuck: self.stuck,
            adjudicate: self.adjudicate,
            max_plies: self.max_plies,
            repetition: self.repetition,
        }
    }
}

fn given(layout: Option<&str>, starter: Option<Colour>) -> Result<Option<(Discs<HOLES>, Colour)>, BadSetup> {
    match (layout, starter) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(bad("starter", "without a layout the last disc of the bag decides who starts")),
        (Some(_), None) => Err(bad("starter", "a layout needs the colour that starts, R or B")),
        (Some(text), Some(starter)) => Ok(Some((layout_for(text, starter)?, starter))),
    }
}

/// The starter's colour lacks the disc that left the game, and each side has put three discs into the outer holes.
fn layout_for(text: &str, starter: Colour) -> Result<Discs<HOLES>, BadSetup> {
    let layout: Discs<HOLES> = text.parse().map_err(|error| bad("layout", format!("{error}")))?;
    for (colour, expected) in [(starter, 8), (starter.rival(), 9)] {
        let found = layout.count(colour);
        if found != expected {
            let reason = format!(
                "{found} {colour} discs, where {expected} are needed: 8 of the starter's colour and 9 of the other"
            );
            return Err(bad("layout", reason));
        }
    }
    let outer = Squares::HOLES.iter().zip(layout.0).filter(|&(hole, _)| Squares::OUTER.contains(hole));
    let red = outer.filter(|&(_, disc)| disc == Colour::Red).count();
    if red != 3 {
        let reason = format!("{red} red discs in the outer holes b2 d2 f2 b6 d6 f6, where each colour has three");
        return Err(bad("layout", reason));
    }
    Ok(layout)
}

fn bad(field: &str, reason: impl Into<String>) -> BadSetup {
    BadSetup::new(field, reason)
}
