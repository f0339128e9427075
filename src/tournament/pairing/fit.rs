//! Whether a format fits a field and a game, and how much it plays then.

use std::ops::RangeInclusive;

use super::format::{Format, Kind, KindName};
use super::{gauntlet, knockout, pods, round_robin};

/// The most sets that can be planned. A plan is made as a whole, and nobody plays this many.
pub const MOST_SETS: u64 = 10_000_000;

/// The most bots in a Swiss and in pods: to pair that many takes seconds a round and 400 MB of memory, and these grow with
/// the cube and the square of the field.
pub const MOST_PAIRED: usize = 1000;

/// Why a format cannot be played by this field at these tables.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misfit {
    /// Nobody to play against.
    #[error("{kind} needs {needs} bots or more, and there {} {has}: add [[bots]]", are(*has))]
    TooFewBots {
        /// What was asked for.
        kind: KindName,
        /// How many it takes.
        needs: usize,
        /// How many there are.
        has: usize,
    },
    /// More bots than a match has.
    #[error("a match is between two bots, and there are {0}: leave some out, or play a round-robin or a gauntlet")]
    TooManyForAMatch(usize),
    /// More seats than the format can fill.
    #[error(
        "{kind} is for games of two seats, and this one has {seats}: play pods, or set `seats = 2` if the game allows it"
    )]
    TwoSeatsOnly {
        /// What was asked for.
        kind: KindName,
        /// How many there are.
        seats: usize,
    },
    /// Two seats, where pods would be pairs.
    #[error("pods are for games of three or four seats, and this one has {0}: play a round-robin")]
    NoPods(usize),
    /// Everybody would have met everybody before the end.
    #[error(
        "after {most} rounds of swiss, {bots} bots have met each other: `rounds` must be {most} or less (and with so \
         many, a round-robin is fairer)"
    )]
    TooManyRounds {
        /// How many bots there are.
        bots: usize,
        /// How many rounds they can play.
        most: usize,
    },
    /// More bots than can be paired in reasonable time and memory.
    #[error(
        "{kind} can be planned for {MOST_PAIRED} bots or fewer, and there are {has}: divide the field, or play another \
         format"
    )]
    TooManyToPair {
        /// What was asked for.
        kind: KindName,
        /// How many there are.
        has: usize,
    },
    /// Nobody to challenge.
    #[error("with `challengers = {challengers}` the gauntlet needs {} bots or more, and there are {bots}", challengers + 1)]
    NobodyToChallenge {
        /// How many challengers were asked for.
        challengers: u32,
        /// How many bots there are.
        bots: usize,
    },
    /// More than anybody can play.
    #[error(
        "this format may take {sets} sets of games, and {MOST_SETS} are the most: play fewer rounds or sets, or another format"
    )]
    TooLarge {
        /// How many sets there may be.
        sets: u64,
    },
}

fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

impl Kind {
    /// Whether games of so many seats can be played in this format.
    pub fn fits_seats(&self, seats: usize) -> bool {
        match self {
            Kind::Pods { .. } => seats > 2,
            _ => seats == 2,
        }
    }
}

impl Format {
    /// Whether `field` bots can play this at tables of `seats`.
    ///
    /// # Errors
    /// When they cannot.
    pub fn check(&self, field: usize, seats: usize) -> Result<(), Misfit> {
        let kind = self.kind.name();
        if !self.kind.fits_seats(seats) {
            return Err(if seats == 2 { Misfit::NoPods(seats) } else { Misfit::TwoSeatsOnly { kind, seats } });
        }
        if field < seats {
            return Err(Misfit::TooFewBots { kind, needs: seats, has: field });
        }
        let most_rounds = field - 1 + field % 2;
        match self.kind {
            Kind::Match { .. } if field > 2 => return Err(Misfit::TooManyForAMatch(field)),
            Kind::Gauntlet { challengers, .. } if challengers as usize >= field => {
                return Err(Misfit::NobodyToChallenge { challengers, bots: field });
            }
            Kind::Swiss { .. } | Kind::Pods { .. } if field > MOST_PAIRED => {
                return Err(Misfit::TooManyToPair { kind, has: field });
            }
            // As many rounds as a round robin has, in which everybody meets everybody.
            Kind::Swiss { rounds, .. } if rounds as usize > most_rounds => {
                return Err(Misfit::TooManyRounds { bots: field, most: most_rounds });
            }
            _ => {}
        }
        let sets = *self.sets(field, seats).end();
        if sets > MOST_SETS { Err(Misfit::TooLarge { sets }) } else { Ok(()) }
    }

    /// How many sets are played in all, at least and at most; as many games each as [`Orders::games`] says. A match that
    /// statistics may end has one at least. Counts that no `u64` holds are its largest number.
    ///
    /// [`Orders::games`]: super::Orders::games
    pub fn sets(&self, field: usize, seats: usize) -> RangeInclusive<u64> {
        let all = |count: u64| count..=count;
        let times = |count: u64, by: u32| count.saturating_mul(by.into());
        match &self.kind {
            Kind::RoundRobin { rounds } => all(times(round_robin::meetings(field), *rounds)),
            Kind::Gauntlet { rounds, challengers } => {
                all(times(gauntlet::meetings(field, *challengers as usize), *rounds))
            }
            Kind::Swiss { rounds, sets } => all(times(times(field as u64 / 2, *rounds), *sets)),
            Kind::Knockout(rules) => knockout::sets(rules, field),
            Kind::Pods { rounds, design } => all(times(pods::meetings(field, seats, *design), *rounds)),
            Kind::Match { sets, sprt } => sprt.map_or(u64::from(*sets), |_| 1)..=u64::from(*sets),
        }
    }
}

#[cfg(test)]
mod tests;
