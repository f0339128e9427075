//! What can be chosen about a game of Crecer, and which choices cannot be played with.

use serde::{Deserialize, Serialize};

use super::state::{Mutual, Rules};
use crate::game::BadSetup;

/// How many pieces each seat has in its hand at the start.
pub const HAND: u8 = 12;

/// The greatest value of [`Options::max_plies`].
pub const MOST_PLIES: u32 = 100_000;

/// The options of a game; each has a default, and unknown ones are refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The height up to which a stack may grow: 1 to [`HAND`].
    pub max_height: u8,
    /// Whether a stack may attack a taller one, which sacrifices it.
    pub attack_up: bool,
    /// What it means that an action leaves both seats without a stack of height 1.
    pub mutual: Mutual,
    /// Whether a stack may move to a rank nearer its own side.
    pub backward: bool,
    /// The ply after which the game is a draw: 1 to [`MOST_PLIES`].
    pub max_plies: u32,
    /// The occurrence of a position at which the game is a draw: 2 or more, or 0 for never.
    pub repetition: u32,
}

impl Default for Options {
    fn default() -> Options {
        let Rules { max_height, attack_up, mutual, backward } = Rules::default();
        Options { max_height, attack_up, mutual, backward, max_plies: 200, repetition: 3 }
    }
}

impl Options {
    /// The part of the options that decides which moves are legal and what they do.
    ///
    /// # Errors
    /// The option that cannot be played with, and why.
    pub fn rules(&self) -> Result<Rules, BadSetup> {
        let Options { max_height, attack_up, mutual, backward, max_plies, repetition } = *self;
        let refuse = |field: &str, reason: String| Err(BadSetup::new(field, reason));
        if !(1..=HAND).contains(&max_height) {
            return refuse("max_height", format!("{max_height} is not a height from 1 to {HAND}"));
        }
        if !(1..=MOST_PLIES).contains(&max_plies) {
            return refuse("max_plies", format!("{max_plies} is not a number of plies from 1 to {MOST_PLIES}"));
        }
        if repetition == 1 {
            let reason = "1 would end every game before its first move: take 0 (never) or at least 2";
            return refuse("repetition", reason.to_owned());
        }
        Ok(Rules { max_height, attack_up, mutual, backward })
    }
}
