//! The table as it is written, and what is wrong with one.

use serde::{Deserialize, Serialize};

use super::{Format, Kind, KindName, Orders, Sprt};
use crate::tournament::pairing::knockout::Knockout;
use crate::tournament::pairing::pods::Design;

/// How many further sets two bots of a knockout play that are level, where nothing is said.
const USUAL_EXTRA_SETS: u32 = 2;

/// The keys of all kinds together.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    kind: KindName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    orders: Option<Orders>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rounds: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    challengers: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sets: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    extra_sets: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    third_place: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    design: Option<Design>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sprt: Option<Sprt>,
}

/// Why a table is no format.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum BadFormat {
    /// A key of another kind.
    #[error("{kind} has no `{key}`: it takes {}", takes(*kind))]
    Foreign {
        /// What was asked for.
        kind: KindName,
        /// What it does not have.
        key: &'static str,
    },
    /// A key without which nothing can be planned.
    #[error("{kind} needs `{key}`: {what}")]
    Missing {
        /// What was asked for.
        kind: KindName,
        /// What is missing.
        key: &'static str,
        /// What that would say.
        what: &'static str,
    },
    /// Nothing of what there must be one of.
    #[error("`{0}` must be 1 or more")]
    Zero(&'static str),
    /// A number that is none, or is infinite.
    #[error("`{0}` of the SPRT must be a finite number")]
    NotFinite(&'static str),
    /// Hypotheses that are the same, or the wrong way around.
    #[error("`elo0` of the SPRT must be less than `elo1`: they are {0} and {1}")]
    Hypotheses(f64, f64),
    /// A test that is no better than a coin, or never wrong.
    #[error("`{0}` of the SPRT must be above 0 and below 0.5: it is {1}")]
    ErrorRate(&'static str, f64),
    /// A test without pairs.
    #[error("an SPRT counts pairs of games with the seats turned: leave out `orders`, or make it \"turns\" or \"all\"")]
    NoPairs,
}

/// The keys that a kind takes, as a list in words.
fn takes(kind: KindName) -> String {
    let keys: Vec<String> = keys(kind).iter().map(|key| format!("`{key}`")).collect();
    let (last, rest) = keys.split_last().expect("every kind takes orders");
    if rest.is_empty() { last.clone() } else { format!("{} and {last}", rest.join(", ")) }
}

fn keys(kind: KindName) -> &'static [&'static str] {
    match kind {
        KindName::RoundRobin => &["rounds", "orders"],
        KindName::Gauntlet => &["challengers", "rounds", "orders"],
        KindName::Swiss => &["rounds", "sets", "orders"],
        KindName::Knockout => &["sets", "extra_sets", "third_place", "orders"],
        KindName::Pods => &["design", "rounds", "orders"],
        KindName::Match => &["sets", "sprt", "orders"],
    }
}

impl Table {
    /// A table with nothing in it.
    fn of(kind: KindName, orders: Orders) -> Table {
        Table {
            kind,
            orders: Some(orders),
            rounds: None,
            challengers: None,
            sets: None,
            extra_sets: None,
            third_place: None,
            design: None,
            sprt: None,
        }
    }

    /// The first key in it that its kind does not have.
    fn foreign(&self) -> Option<&'static str> {
        [
            ("rounds", self.rounds.is_some()),
            ("challengers", self.challengers.is_some()),
            ("sets", self.sets.is_some()),
            ("extra_sets", self.extra_sets.is_some()),
            ("third_place", self.third_place.is_some()),
            ("design", self.design.is_some()),
            ("sprt", self.sprt.is_some()),
        ]
        .into_iter()
        .find_map(|(key, given)| (given && !keys(self.kind).contains(&key)).then_some(key))
    }
}

impl TryFrom<Table> for Format {
    type Error = BadFormat;

    fn try_from(table: Table) -> Result<Format, BadFormat> {
        let kind = table.kind;
        if let Some(key) = table.foreign() {
            return Err(BadFormat::Foreign { kind, key });
        }
        let some = |key, value: Option<u32>| match value {
            Some(0) => Err(BadFormat::Zero(key)),
            Some(value) => Ok(value),
            None => Ok(1),
        };
        let needed = |key, value: Option<u32>, what| match value {
            None => Err(BadFormat::Missing { kind, key, what }),
            given => some(key, given),
        };
        let rounds = || some("rounds", table.rounds);
        let sets = || some("sets", table.sets);
        let orders = table.orders.unwrap_or_default();
        let kind = match kind {
            KindName::RoundRobin => Kind::RoundRobin { rounds: rounds()? },
            KindName::Gauntlet => {
                Kind::Gauntlet { rounds: rounds()?, challengers: some("challengers", table.challengers)? }
            }
            KindName::Swiss => {
                Kind::Swiss { rounds: needed("rounds", table.rounds, "how many are played")?, sets: sets()? }
            }
            KindName::Knockout => Kind::Knockout(Knockout {
                sets: sets()?,
                extra_sets: table.extra_sets.unwrap_or(USUAL_EXTRA_SETS),
                third_place: table.third_place.unwrap_or_default(),
            }),
            KindName::Pods => Kind::Pods { rounds: rounds()?, design: table.design },
            KindName::Match => Kind::Match {
                sets: needed("sets", table.sets, "how many are played at most")?,
                sprt: table.sprt.map(|sprt| sound(sprt, orders)).transpose()?,
            },
        };
        Ok(Format { kind, orders })
    }
}

/// The test, if it can decide anything.
fn sound(sprt: Sprt, orders: Orders) -> Result<Sprt, BadFormat> {
    let Sprt { elo0, elo1, alpha, beta, .. } = sprt;
    for (key, value) in [("elo0", elo0), ("elo1", elo1), ("alpha", alpha), ("beta", beta)] {
        if !value.is_finite() {
            return Err(BadFormat::NotFinite(key));
        }
    }
    if elo0 >= elo1 {
        return Err(BadFormat::Hypotheses(elo0, elo1));
    }
    for (key, value) in [("alpha", alpha), ("beta", beta)] {
        if value <= 0.0 || value >= 0.5 {
            return Err(BadFormat::ErrorRate(key, value));
        }
    }
    if orders == Orders::One {
        return Err(BadFormat::NoPairs);
    }
    Ok(sprt)
}

impl From<Format> for Table {
    fn from(format: Format) -> Table {
        let empty = Table::of(format.kind.name(), format.orders);
        match format.kind {
            Kind::RoundRobin { rounds } => Table { rounds: Some(rounds), ..empty },
            Kind::Gauntlet { rounds, challengers } => {
                Table { rounds: Some(rounds), challengers: Some(challengers), ..empty }
            }
            Kind::Swiss { rounds, sets } => Table { rounds: Some(rounds), sets: Some(sets), ..empty },
            Kind::Knockout(Knockout { sets, extra_sets, third_place }) => {
                Table { sets: Some(sets), extra_sets: Some(extra_sets), third_place: Some(third_place), ..empty }
            }
            Kind::Pods { rounds, design } => Table { rounds: Some(rounds), design, ..empty },
            Kind::Match { sets, sprt } => Table { sets: Some(sets), sprt, ..empty },
        }
    }
}
