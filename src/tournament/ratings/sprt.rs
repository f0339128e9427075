//! Whether a bot is better than another by at least so much: the sequential probability ratio test, which stops by itself
//! as soon as enough is known.
//!
//! It weighs H0 (the first bot is `elo0` stronger) against H1 (it is `elo1` stronger) by the logarithm of the ratio of
//! their likelihoods, each taken at the likeliest distribution of results that has that strength: the generalised test,
//! as on fishtest and in `fastchess`. For logistic Elo that is the distribution with a given mean (Van den Bergh, “MLE
//! of multinomials”, proposition 1.1), for normalised Elo the one with a given mean in standard deviations (“Comments on
//! normalized Elo”, section 4.1). A result that did not occur yet counts as a thousandth of one, as there.
//!
//! Which result comes in when depends on the machine. So the test looks at sets in the order of their numbers, and only
//! at as many as are finished without a gap: it stops at the same set at any concurrency. A pair that repeats another
//! move for move adds nothing: else two bots without randomness would prove anything by playing one game often enough.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::pairs::pairs_of_set;
use super::scale::{NORMALISED_PER_SIGMA, finite, score_at};
use super::{Decided, judged};
use crate::record::course::Course;
use crate::seat::Seat;
use crate::tournament::Entrant;
use crate::tournament::played::Played;

/// The widest bounds in normalised Elo: beyond them the likeliest distribution cannot always be found.
pub const MOST_NORMALISED: f64 = 200.0;

/// The widest bounds in logistic Elo: a hundred points to one.
pub const MOST_LOGISTIC: f64 = 800.0;

/// A test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

/// What the bounds of a test are told in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalised Elo: equal differences take equally many games to tell, however many of them are drawn.
    #[default]
    Normalized,
    /// Logistic Elo: the usual scale of ratings.
    Logistic,
}

/// Why a test makes no sense.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum BadSprt {
    /// The hypotheses are not in order.
    #[error("elo0 must be less than elo1, and they are {0} and {1}")]
    NotInOrder(f64, f64),
    /// A bound that is too wide, or no number.
    #[error("elo0 and elo1 must lie between -{most} and {most} in this model, and one is {elo}")]
    TooWide {
        /// The bound.
        elo: f64,
        /// The widest.
        most: f64,
    },
    /// A risk of error that is none.
    #[error("alpha and beta must be above 0 and below 0.5, and one is {0}")]
    NoRisk(f64),
}

/// What the test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// The first bot is not better by `elo1`.
    H0,
    /// It is better by more than `elo0`.
    H1,
}

/// Where a test stopped.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stop {
    /// The set after which it did.
    pub set: u64,
    /// What it says.
    pub verdict: Verdict,
    /// The logarithm of the ratio there.
    pub llr: f64,
}

/// What a test counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Pairs of games, where every set has both.
    Pairs,
    /// Single games.
    Games,
}

impl Sprt {
    /// A test that wrongly accepts H1 with probability `alpha`, and H0 with `beta`.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Sprt, BadSprt> {
        let most = match model {
            Model::Normalized => MOST_NORMALISED,
            Model::Logistic => MOST_LOGISTIC,
        };
        let is_within = |elo: &f64| (-most..=most).contains(elo);
        if let Some(elo) = [elo0, elo1].into_iter().find(|elo| !is_within(elo)) {
            return Err(BadSprt::TooWide { elo, most });
        }
        if elo0 >= elo1 {
            return Err(BadSprt::NotInOrder(elo0, elo1));
        }
        if let Some(risk) = [alpha, beta].into_iter().find(|risk| !(*risk > 0.0 && *risk < 0.5)) {
            return Err(BadSprt::NoRisk(risk));
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// Both hypotheses, in the Elo of the model.
    pub fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The Elo that they are told in.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The logarithms of the ratio at or below which H0 is accepted, and at or above which H1 is (Wald).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What a logarithm of the ratio says; nothing yet while it lies between the bounds.
    pub fn verdict(&self, llr: f64) -> Option<Verdict> {
        let (low, high) = self.bounds();
        if llr >= high {
            return Some(Verdict::H1);
        }
        (llr <= low).then_some(Verdict::H0)
    }

    /// The logarithm of the ratio of the likelihoods of H1 and H0 after these results, counted from the worst to the
    /// best: losses, draws and wins, or pairs by half points. None where it cannot be found.
    ///
    /// # Panics
    /// If there are neither three nor five counts.
    pub fn llr(&self, counts: &[u64]) -> Option<f64> {
        assert!(counts.len() == 3 || counts.len() == 5, "results are games or pairs");
        if counts.iter().all(|&count| count == 0) {
            return Some(0.0);
        }
        let counts: Vec<f64> = counts.iter().map(|&count| if count == 0 { 1e-3 } else { count as f64 }).collect();
        let total: f64 = counts.iter().sum();
        let best = (counts.len() - 1) as f64;
        let results: Vec<(f64, f64)> =
            counts.iter().enumerate().map(|(place, count)| (place as f64 / best, count / total)).collect();
        let likeliest = |elo: f64| match self.model {
            Model::Logistic => with_mean(&results, score_at(elo)),
            // A result of a pair is the mean of two games, and varies half as much.
            Model::Normalized => with_mean_in_sigmas(&results, elo / NORMALISED_PER_SIGMA * (best / 2.0).sqrt()),
        };
        let (null, other) = (likeliest(self.elo0)?, likeliest(self.elo1)?);
        let ratios = other.iter().zip(&null).map(|(other, null)| (other / null).ln());
        finite(total * ratios.zip(&results).map(|(ratio, (_, share))| ratio * share).sum::<f64>())
    }

    /// Where the test stops on the sets of a match in the order of their numbers, up to the first that is missing; none
    /// while it goes on.
    pub fn stop(&self, first: Entrant, unit: Unit, games: &[Played]) -> Option<Stop> {
        let mut sets: BTreeMap<u64, Vec<&Played>> = BTreeMap::new();
        games.iter().for_each(|game| sets.entry(game.set).or_default().push(game));
        let mut running = Running::new(*self, first, unit);
        sets.range(1..)
            .zip(1..)
            .take_while(|((set, _), number)| *set == number)
            .find_map(|((_, games), _)| running.take(games.iter().copied()))
    }
}

/// A test as it goes on.
#[derive(Clone, Debug)]
pub struct Running {
    sprt: Sprt,
    first: Entrant,
    unit: Unit,
    sets: u64,
    counts: Vec<u64>,
    seen: BTreeSet<Vec<Course>>,
    llr: f64,
    stop: Option<Stop>,
}

impl Running {
    /// A test of this bot against its only rival, before any game.
    pub fn new(sprt: Sprt, first: Entrant, unit: Unit) -> Running {
        let counts = match unit {
            Unit::Pairs => vec![0; 5],
            Unit::Games => vec![0; 3],
        };
        Running { sprt, first, unit, sets: 0, counts, seen: BTreeSet::new(), llr: 0.0, stop: None }
    }

    /// Takes in all games of the next set, and says where the test stopped, if it did.
    pub fn take<'a>(&mut self, set: impl IntoIterator<Item = &'a Played>) -> Option<Stop> {
        if self.stop.is_some() {
            return self.stop;
        }
        self.sets += 1;
        let mut is_new = false;
        for (half_points, courses) in self.results(set) {
            if self.seen.insert(courses) {
                self.counts[usize::from(half_points)] += 1;
                is_new = true;
            }
        }
        if is_new && let Some(llr) = self.sprt.llr(&self.counts) {
            self.llr = llr;
            let stop = |verdict| Stop { set: self.sets, verdict, llr };
            self.stop = self.sprt.verdict(llr).map(stop);
        }
        self.stop
    }

    /// The half points of each result of a set, with the courses that it was played by.
    fn results<'a>(&self, set: impl IntoIterator<Item = &'a Played>) -> Vec<(u8, Vec<Course>)> {
        let games = judged(set);
        if self.unit == Unit::Pairs {
            let pairs = pairs_of_set(self.first, &games).into_iter();
            return pairs.map(|pair| (pair.half_points, pair.courses.to_vec())).collect();
        }
        let one = |(game, ranks): &Decided| {
            let own = usize::from(game.seats[Seat::new(0)] != self.first);
            let (own, rival) = (ranks[Seat::new(own)], ranks[Seat::new(1 - own)]);
            (u8::from(own < rival) + u8::from(own <= rival), vec![game.course])
        };
        games.iter().map(one).collect()
    }

    /// The bounds at which it stops: see [`Sprt::bounds`].
    pub fn bounds(&self) -> (f64, f64) {
        self.sprt.bounds()
    }

    /// The logarithm of the ratio so far.
    pub fn llr(&self) -> f64 {
        self.llr
    }

    /// The results so far that are no repetition of another, from the worst to the best.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How many sets were taken in.
    pub fn sets(&self) -> u64 {
        self.sets
    }
}

/// The likeliest shares of results with this mean, where `results` are what occurred: values and shares.
fn with_mean(results: &[(f64, f64)], mean: f64) -> Option<Vec<f64>> {
    let offsets: Vec<f64> = results.iter().map(|(value, _)| value - mean).collect();
    tilted(results, &offsets)
}

/// The likeliest shares of results whose mean lies this many standard deviations above one half, from even shares by
/// steps that each solve the problem as if the last shares were right.
fn with_mean_in_sigmas(results: &[(f64, f64)], sigmas: f64) -> Option<Vec<f64>> {
    const MOST_STEPS: usize = 200;
    let mut shares = vec![1.0 / results.len() as f64; results.len()];
    for _ in 0..MOST_STEPS {
        let values = || results.iter().map(|(value, _)| value).zip(&shares);
        let mean: f64 = values().map(|(value, share)| value * share).sum();
        let sigma = values().map(|(value, share)| share * (value - mean).powi(2)).sum::<f64>().sqrt();
        let offset = |value: f64| value - 0.5 - 0.5 * sigmas * sigma * (1.0 + ((value - mean) / sigma).powi(2));
        let offsets: Vec<f64> = results.iter().map(|(value, _)| offset(*value)).collect();
        let next = tilted(results, &offsets)?;
        let moved = next.iter().zip(&shares).map(|(next, last)| (next - last).abs()).fold(0.0, f64::max);
        shares = next;
        if moved < 1e-10 {
            break;
        }
    }
    Some(shares)
}

/// The shares `share / (1 + x · offset)` whose mean offset is 0; none where no `x` makes it so.
fn tilted(results: &[(f64, f64)], offsets: &[f64]) -> Option<Vec<f64>> {
    let least = offsets.iter().copied().fold(f64::INFINITY, f64::min);
    let most = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    let mean = |x: f64| -> f64 {
        results.iter().zip(offsets).map(|((_, share), offset)| share * offset / (1.0 + x * offset)).sum()
    };
    // It falls from one pole to the other, so that halving finds where it is 0.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..100 {
        let middle = low + (high - low) / 2.0;
        if mean(middle) > 0.0 { low = middle } else { high = middle }
    }
    let x = low + (high - low) / 2.0;
    Some(results.iter().zip(offsets).map(|((_, share), offset)| share / (1.0 + x * offset)).collect())
}

#[cfg(test)]
mod tests;
