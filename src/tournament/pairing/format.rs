//! What is asked for: the `[format]` table of `cup.toml`.
//!
//! Every kind has its own keys. A key that the kind does not have is refused, and so is a number that makes sense with no
//! field. Whether a format fits a field and a game is another question: [`Format::check`].

mod table;

use std::fmt;

use serde::{Deserialize, Serialize};

use super::knockout::Knockout;
use super::pods::Design;
use crate::seat::BySeat;
use crate::tournament::Entrant;
use crate::tournament::ratings::sprt::Model;
pub use table::BadFormat;

/// A format with its parameters.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "table::Table", into = "table::Table")]
pub struct Format {
    /// Who meets whom.
    pub kind: Kind,
    /// In which orders of seats the bots of a meeting play each set.
    pub orders: Orders,
}

/// The kinds of format, with what is particular to each.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// Everybody meets everybody.
    RoundRobin {
        /// How many times around.
        rounds: u32,
    },
    /// Each challenger meets each of the others.
    Gauntlet {
        /// How many times around.
        rounds: u32,
        /// How many of the first bots are challengers.
        challengers: u32,
    },
    /// In each round everybody meets somebody who has about as many points.
    Swiss {
        /// How many rounds.
        rounds: u32,
        /// How many sets a meeting has.
        sets: u32,
    },
    /// Who loses is out.
    Knockout(Knockout),
    /// Three or four at a table, so that everybody meets everybody as often.
    Pods {
        /// How many times around.
        rounds: u32,
        /// Which of all possible tables are played, if that is not left to the size of the field.
        design: Option<Design>,
    },
    /// Two bots, until the sets are played or the statistics have seen enough.
    Match {
        /// How many sets are played at most.
        sets: u32,
        /// When the statistics have seen enough; without it, all sets are played.
        sprt: Option<Sprt>,
    },
}

/// The names of the kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KindName {
    /// [`Kind::RoundRobin`].
    RoundRobin,
    /// [`Kind::Gauntlet`].
    Gauntlet,
    /// [`Kind::Swiss`].
    Swiss,
    /// [`Kind::Knockout`].
    Knockout,
    /// [`Kind::Pods`].
    Pods,
    /// [`Kind::Match`].
    Match,
}

/// In which orders of seats a set is played: each order is one game, with the same luck and from the same opening.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Orders {
    /// One game. The seats turn from set to set.
    One,
    /// Every bot in every seat once: the seats turn from game to game. With three seats and more, who plays after whom
    /// stays as it is.
    #[default]
    Turns,
    /// Every order of the seats.
    All,
}

/// A sequential probability ratio test of how much stronger the first bot is than the second.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// H0: it is stronger by this much.
    pub elo0: f64,
    /// H1: it is stronger by this much, which is more.
    pub elo1: f64,
    /// How often H1 may be accepted where H0 holds.
    #[serde(default = "Sprt::usual_error")]
    pub alpha: f64,
    /// How often H0 may be accepted where H1 holds.
    #[serde(default = "Sprt::usual_error")]
    pub beta: f64,
    /// What the differences are measured in.
    #[serde(default)]
    pub model: Model,
}

impl Sprt {
    const fn usual_error() -> f64 {
        0.05
    }
}

impl Kind {
    /// Its name.
    pub fn name(&self) -> KindName {
        match self {
            Kind::RoundRobin { .. } => KindName::RoundRobin,
            Kind::Gauntlet { .. } => KindName::Gauntlet,
            Kind::Swiss { .. } => KindName::Swiss,
            Kind::Knockout(_) => KindName::Knockout,
            Kind::Pods { .. } => KindName::Pods,
            Kind::Match { .. } => KindName::Match,
        }
    }
}

impl KindName {
    /// The name, as it is written in `cup.toml`.
    pub const fn as_str(self) -> &'static str {
        match self {
            KindName::RoundRobin => "round-robin",
            KindName::Gauntlet => "gauntlet",
            KindName::Swiss => "swiss",
            KindName::Knockout => "knockout",
            KindName::Pods => "pods",
            KindName::Match => "match",
        }
    }
}

impl fmt::Display for KindName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Orders {
    /// Who sits where in each game of one set of a meeting; the sets of a meeting are numbered from 0.
    pub fn of_set(self, seats: &BySeat<Entrant>, set: u32) -> Vec<BySeat<Entrant>> {
        let count = seats.len();
        match self {
            Orders::One => vec![turned(seats, set as usize)],
            Orders::Turns => (0..count).map(|by| turned(seats, by)).collect(),
            Orders::All => permutations(seats.iter().copied().collect()),
        }
    }

    /// How many games a set has at tables of so many seats.
    pub fn games(self, seats: usize) -> u64 {
        match self {
            Orders::One => 1,
            Orders::Turns => seats as u64,
            Orders::All => (1..=seats as u64).product(),
        }
    }
}

/// The same bots, each of them `by` seats further.
pub(super) fn turned<T: Copy>(seats: &BySeat<T>, by: usize) -> BySeat<T> {
    let by = by % seats.len();
    let mut values: Vec<T> = seats.iter().copied().collect();
    values.rotate_right(by);
    BySeat::collect(values)
}

/// Every order, beginning with the given one; the last seats change first.
fn permutations(bots: Vec<Entrant>) -> Vec<BySeat<Entrant>> {
    let mut orders = vec![Vec::new()];
    for _ in 0..bots.len() {
        let longer = |order: Vec<Entrant>| {
            let left: Vec<Entrant> = bots.iter().copied().filter(|bot| !order.contains(bot)).collect();
            left.into_iter().map(move |bot| order.iter().copied().chain([bot]).collect())
        };
        orders = orders.into_iter().flat_map(longer).collect();
    }
    orders.into_iter().map(BySeat::collect).collect()
}

#[cfg(test)]
mod tests;
