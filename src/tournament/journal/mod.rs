//! The journal of a tournament: one line a finished game. A game counts from the moment at which its line is on the disk.
//!
//! The games of a set are written together, after everything else of them is on the disk; what is not in the journal is
//! played again. Each line ends with a check over itself and the check before it, so damage is found wherever it is.
//! The checks are no signature: they find damage, not somebody who computes them anew.
//!
//! ```text
//! {"journal":{"format":1,"plan":"…","name":"…","game":"…","bots":["ada",…],"seats":2,"games_each":2},"check":"16 hex digits"}
//! {"game":{"game":1,"round":1,"set":1,"seats":[0,1],…},"check":"…"}
//! ```
//!
//! - **A torn end** is what a crash leaves: a line without its line end, or a set of which some games are missing. It is
//!   nobody's result, for nothing was said to be safe, and it is cut off when the tournament goes on.
//! - **Anything else that does not fit** is damage. It is an error that names the line, and nothing is played.
//! - **After a write that failed** (a full disk) the journal is cut back to where it was good, and takes no more.

mod line;
mod read;
#[cfg(test)]
mod tests;
mod write;

use serde::{Deserialize, Serialize};

pub use line::Check;
pub use read::{BadJournal, End, Reader, Recorded, read};
pub use write::{Journal, JournalFile, Storage, beginning};

use super::plan::{Plan, PlannedBot};
use crate::chance::Hex32;
use crate::table::GameName;

/// The version of the format of journals.
pub const FORMAT: u32 = 1;

/// The first line: what the numbers in the others mean.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the journal's format, [`FORMAT`].
    pub format: u32,
    /// The hash of the plan.
    pub plan: Hex32,
    /// What the tournament is called.
    pub name: String,
    /// The game.
    pub game: GameName,
    /// The names of the bots in the order of the field.
    pub bots: Vec<String>,
    /// How many seats a game has.
    pub seats: usize,
    /// How many games a set has.
    pub games_each: usize,
}

impl Header {
    /// The header of a plan's journal.
    pub fn of(plan: &Plan) -> Header {
        let header = plan.header();
        Header {
            format: FORMAT,
            plan: plan.sha256(),
            name: header.name.clone(),
            game: header.game,
            bots: header.bots.iter().map(|bot| bot.name.clone()).collect(),
            seats: header.seats,
            games_each: plan.games_each(),
        }
    }

    /// What another header says otherwise, the plan apart: whatever that is, it is not of the same tournament.
    pub fn differences(&self, other: &Header) -> Vec<&'static str> {
        let compared = [
            ("name", self.name == other.name),
            ("game", self.game == other.game),
            ("bots", self.bots == other.bots),
            ("seats", self.seats == other.seats),
            ("games of a set", self.games_each == other.games_each),
        ];
        compared.into_iter().filter(|(_, is_equal)| !is_equal).map(|(name, _)| name).collect()
    }
}

/// Bots that consist of something else from here on, which somebody allowed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Changed {
    /// What they consist of now.
    pub bots: Vec<PlannedBot>,
}
