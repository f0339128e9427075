//! What holds for all games of a tournament.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chance::Hex32;
use crate::clock::TimeControl;
use crate::host::play::Ponder;
use crate::protocol::limits::Limits;
use crate::table::GameName;
use crate::tournament::openings::Drawing;
use crate::tournament::pairing::Orders;

/// The version of the format of plans, of which the rules for openings and sittings are part.
pub const FORMAT: u32 = 1;

/// What holds for all games of a tournament: everything that decides what is played. How many games run at once, and
/// where, decides nothing and is no part of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the plan's format, [`FORMAT`].
    pub format: u32,
    /// The version of the referee that made it.
    pub referee: String,
    /// What the tournament is called.
    pub name: String,
    /// The game.
    pub game: GameName,
    /// The version of its rules.
    pub rules: u32,
    /// The options of the game that are in force, all filled in: an object.
    pub options: Value,
    /// How many seats a game has.
    pub seats: usize,
    /// In which orders of seats each set is played.
    pub orders: Orders,
    /// How rounds are paired, as the tournament's file has it: an object that only who pairs understands.
    pub pairing: Value,
    /// The time that each seat has.
    pub clock: TimeControl,
    /// What bots may send and use, and what is tolerated.
    pub limits: Limits,
    /// After how many games in which it was at fault a bot is disqualified; 0: never.
    pub disqualify_after: u32,
    /// How many sets the same processes play one after another; 0: each game has its own.
    pub reuse: u32,
    /// Whether bots run while others think.
    pub ponder: Ponder,
    /// The field, in the order of the tournament's file.
    pub bots: Vec<PlannedBot>,
    /// What was asked for, if the openings were drawn. Plans of earlier versions do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn: Option<Drawing>,
    /// The openings, each a list of moves separated by blanks.
    pub openings: Vec<String>,
    /// What binds the tournament to its master seed: see [`Hex32::master_commitment`].
    pub master: Hex32,
}

/// A bot of the field, and what makes it up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedBot {
    /// What it is called.
    pub name: String,
    /// Its command, the program first.
    pub command: Vec<String>,
    /// The SHA-256 of each file that makes it up, by path.
    pub files: BTreeMap<String, Hex32>,
    /// The SHA-256 of whatever else the tournament's file gives it, such as an environment, which may hold secrets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<Hex32>,
}

impl Header {
    /// What another header says otherwise, in the words of the tournament's file; what decides nothing is left out: the
    /// version of the referee. What the bots consist of is looked at apart, by [`Header::changed_bots`].
    pub fn differences(&self, other: &Header) -> Vec<&'static str> {
        let mut differences = Vec::new();
        let mut compare = |name, is_equal: bool| {
            if !is_equal {
                differences.push(name);
            }
        };
        let field = |header: &Header| header.bots.iter().map(|bot| bot.name.clone()).collect::<Vec<String>>();
        compare("version of the plan", self.format == other.format);
        compare("name", self.name == other.name);
        compare("game", self.game == other.game);
        compare("version of the rules", self.rules == other.rules);
        compare("options", self.options == other.options);
        compare("seats", self.seats == other.seats);
        compare("format", self.orders == other.orders && self.pairing == other.pairing);
        compare("clock", self.clock == other.clock);
        let Limits { strikes, lenient, .. } = other.limits;
        compare("limits", Limits { strikes, lenient, ..self.limits } == other.limits);
        compare("faults.strikes", self.limits.strikes == strikes);
        compare("faults.lenient", self.limits.lenient == lenient);
        compare("faults.disqualify_after", self.disqualify_after == other.disqualify_after);
        compare("run.reuse", self.reuse == other.reuse);
        compare("run.ponder", self.ponder == other.ponder);
        compare("bots", field(self) == field(other));
        match (self.drawn, other.drawn) {
            (Some(own), Some(others)) if own != others => {
                compare("openings.plies", own.plies == others.plies);
                compare("openings.count", own.count == others.count);
                compare("openings.balance", own.balance == others.balance);
            }
            _ => compare("openings", self.openings == other.openings),
        }
        compare("the seed (seed_file)", self.master == other.master);
        differences
    }

    /// The bots that consist of something else in another header with the same field.
    pub fn changed_bots<'a>(&self, other: &'a Header) -> Vec<&'a PlannedBot> {
        self.bots.iter().zip(&other.bots).filter(|(old, new)| old != new).map(|(_, new)| new).collect()
    }
}
