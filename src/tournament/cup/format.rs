//! Stands in for the formats of `pairing` until they are there.

use serde::{Deserialize, Serialize};

/// Who meets whom.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Format {
    /// The kind.
    pub kind: Kind,
    /// The orders of seats.
    #[serde(default)]
    pub orders: Orders,
    /// How often.
    #[serde(default = "one")]
    pub rounds: u32,
}

fn one() -> u32 {
    1
}

/// The kinds of formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Everybody meets everybody.
    RoundRobin,
    /// Groups of three or four, for games with so many seats.
    Pods,
}

/// Which orders of seats the games of a set are played in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Orders {
    /// The order of the meeting alone.
    One,
    /// Every bot in every seat once.
    #[default]
    Turns,
    /// Every order that there is.
    All,
}
