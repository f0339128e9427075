//! Who stands where, and what else the finished games of an event add up to.
//!
//! Standings are a function of [`Results`]: of the games by their numbers, whatever order they come in, and of nothing
//! that was measured but [`Row::time`], which no order depends on. So equal games have equal standings on any machine
//! and at any number of games at once.
//!
//! Nothing here is infinite or undefined: what cannot be told is [`None`].

mod knockout;
mod order;
mod record;
mod results;
mod rows;
mod seats;
mod tie_breaks;

#[cfg(test)]
pub mod sample;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};

pub use knockout::Reached;
pub use order::Criterion;
pub use results::{BadResults, Bye, Results};
pub use rows::{FromSeat, Row, Time};
pub use seats::SeatShare;

use super::Entrant;
use super::pairing::KindName;
use super::played::{DISQUALIFIED, Played};
use super::ratings::pairs::{Duel, duels};
use super::ratings::sprt::{Sprt, Stop, Unit};
use super::ratings::{Ratings, decided, judged, rate};
use crate::seat::BySeat;

/// What the games of an event add up to.
#[derive(Clone, PartialEq, Debug)]
pub struct Standings {
    /// What the event is called; may be empty.
    pub name: String,
    /// The game.
    pub game: String,
    /// How its rounds were paired.
    pub format: KindName,
    /// How many seats a game has.
    pub seats: usize,
    /// The names of the bots in the order of the field.
    pub bots: Vec<String>,
    /// What was played.
    pub games: GameCounts,
    /// What the rows are ordered by, the first criterion first.
    pub criteria: &'static [Criterion],
    /// The rows, the best first.
    pub rows: Vec<Row>,
    /// Every two bots that met, as the one sees it that comes first in the field.
    pub duels: BTreeMap<(Entrant, Entrant), Duel>,
    /// What each seat is worth.
    pub by_seat: BySeat<SeatShare>,
    /// How strong the bots are.
    pub ratings: Ratings,
    /// The test that the event is, if it is one.
    pub sprt: Option<Tested>,
}

/// How many games there are, and how they ended.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GameCounts {
    /// How many are planned so far, if that is known.
    pub planned: Option<u64>,
    /// How many are finished.
    pub played: u64,
    /// How many of them were decided.
    pub decided: u64,
    /// How many of these were not played, because a bot was disqualified before.
    pub forfeited: u64,
    /// How many of those that were played are no repetition of another, move for move.
    pub distinct: u64,
    /// How many stayed without a result.
    pub unresolved: u64,
    /// How often a game was void, and was played again or left.
    pub voids: u64,
    /// How many rounds were begun.
    pub rounds: u32,
    /// Whether nothing more will be played.
    pub is_final: bool,
    /// How many ended for which reason.
    pub reasons: BTreeMap<&'static str, u64>,
}

/// A sequential test, and what it says so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Tested {
    /// The test.
    pub sprt: Sprt,
    /// What it counts.
    pub unit: Unit,
    /// Where it stopped, if it did.
    pub stop: Option<Stop>,
    /// The logarithm of the likelihood ratio there, or so far.
    pub llr: Option<f64>,
}

impl Standings {
    /// The standings after these results.
    ///
    /// # Errors
    /// If these are no results of one event.
    pub fn of(results: &Results) -> Result<Standings, BadResults> {
        results.check()?;
        let games = results.counted();
        let duels = duels(games.iter().copied());
        let rows = ranked(results, &games, &duels);
        Ok(Standings {
            name: results.name.clone(),
            game: results.game.clone(),
            format: results.format,
            seats: results.seats,
            bots: results.bots.clone(),
            games: GameCounts::of(results, &games),
            criteria: Criterion::of(results.format),
            rows,
            by_seat: seats::shares(results.seats, &games),
            ratings: rate(results.bots.len(), games.iter().copied()),
            sprt: results.sprt.map(|(sprt, unit)| Tested::of(sprt, unit, results, &duels)),
            duels,
        })
    }

    /// The duel of two bots as the first of them sees it; none if they never met.
    pub fn duel(&self, first: Entrant, second: Entrant) -> Option<Duel> {
        duel_in(&self.duels, first, second)
    }

    /// The games and pairs of each bot against all others together, in the order of the field. None at tables of three and
    /// four: there its results of one game hang together, and an estimate that takes them for so many games is too sure.
    pub fn against_all(&self) -> Vec<Duel> {
        let mut all = vec![Duel::default(); self.bots.len()];
        if self.seats > 2 {
            return all;
        }
        for (&(first, second), duel) in &self.duels {
            all[first.index()].add_all(duel);
            all[second.index()].add_all(&duel.turned());
        }
        all
    }

    /// What a bot is called.
    pub fn name_of(&self, entrant: Entrant) -> &str {
        &self.bots[entrant.index()]
    }
}

/// The rows of the standings alone, the best first: who stands where, without ratings.
///
/// # Errors
/// As [`Standings::of`].
pub fn ranking(results: &Results) -> Result<Vec<Row>, BadResults> {
    results.check()?;
    let games = results.counted();
    Ok(ranked(results, &games, &duels(games.iter().copied())))
}

fn ranked(results: &Results, games: &[&Played], duels: &BTreeMap<(Entrant, Entrant), Duel>) -> Vec<Row> {
    let mut rows = rows::rows(results, games);
    tie_breaks::fill_in(&mut rows, results, games);
    order::rank(&mut rows, results.format, &|first, second| duel_in(duels, first, second));
    rows
}

fn duel_in(duels: &BTreeMap<(Entrant, Entrant), Duel>, first: Entrant, second: Entrant) -> Option<Duel> {
    match first <= second {
        true => duels.get(&(first, second)).cloned(),
        false => duels.get(&(second, first)).map(Duel::turned),
    }
}

impl GameCounts {
    fn of(results: &Results, games: &[&Played]) -> GameCounts {
        let decided = decided(games.iter().copied());
        let judged = judged(games.iter().copied());
        let mut reasons = BTreeMap::new();
        let reason = |game: &Played| if game.is_forfeited() { DISQUALIFIED } else { game.reason.as_str() };
        games.iter().for_each(|game| *reasons.entry(reason(game)).or_default() += 1);
        GameCounts {
            planned: results.planned,
            played: games.len() as u64,
            decided: decided.len() as u64,
            forfeited: (decided.len() - judged.len()) as u64,
            distinct: judged.iter().map(|(game, _)| game.course).collect::<HashSet<_>>().len() as u64,
            unresolved: (games.len() - decided.len()) as u64,
            voids: games.iter().map(|game| u64::from(game.voids)).sum(),
            rounds: games.iter().map(|game| game.round).max().unwrap_or(0),
            is_final: results.is_final,
            reasons,
        }
    }

    /// How many decided games were played, and repeat another move for move.
    pub fn repeated(&self) -> u64 {
        self.decided - self.forfeited - self.distinct
    }
}

impl Tested {
    fn of(sprt: Sprt, unit: Unit, results: &Results, duels: &BTreeMap<(Entrant, Entrant), Duel>) -> Tested {
        let stop = results.stop();
        let duel = duel_in(duels, Entrant(0), Entrant(1)).unwrap_or_default();
        let llr = stop.map(|stop| stop.llr).or_else(|| sprt.llr(&duel.distinct_results(unit)));
        Tested { sprt, unit, stop, llr }
    }
}
