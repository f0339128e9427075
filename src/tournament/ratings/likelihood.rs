//! The likeliest strengths, by Newton's method.
//!
//! The logarithm of the likelihood of [`Choices`] is concave in the logarithms of the strengths, as Hunter shows (“MM
//! algorithms for generalized Bradley–Terry models”, Annals of Statistics 32, 2004), so that there is one best answer
//! and any way up leads to it. His own way, which improves one bot after another, needs thousands of rounds where some
//! bot hardly wins; Newton's needs about ten, each with a system of equations that conjugate gradients solve without
//! writing the matrix down.
//!
//! **Equal results give equal strengths**, to the last bit: all start equal, every step of a bot is computed from sums
//! over its own choices, and `sum` adds in the order of the values. Bots that the choices do not tell apart go through
//! the very same arithmetic.
//!
//! **The prior.** Each bot also plays [`PRIOR`] drawn games against a bot of average strength. So a bot that lost or won
//! everything, or all against half of the field, has a finite strength. Against `n` real games that weighs `PRIOR / n`:
//! at 7 of 10 it takes off 1 point of Elo, where the interval is 230 points wide on both sides; at 70 of 100, 0.1.

use arrayvec::ArrayVec;

use super::choices::{Among, Choices, PARTS};
use crate::seat::{BySeat, MAX_SEATS};
use crate::tournament::Entrant;

/// How many drawn games against an average bot everybody is credited with.
pub const PRIOR: f64 = 0.1;

/// The most steps of Newton's method; what is not found then is as good as it gets.
const MOST_STEPS: usize = 100;

/// Below this, half the promised gain of the logarithm of the likelihood, the next step is taken whole, unchecked.
const NEAR: f64 = 1e-6;

/// Below this gain for each choice, what is left after the step lies below rounding.
const THERE: f64 = 1e-22;

/// What one group of connected bots chose, with the bots numbered from 0.
pub struct Likelihood {
    bots: usize,
    chosen: Vec<f64>,
    sets: Vec<Set>,
    choices: f64,
    prior: f64,
}

/// How often there was a choice among these.
struct Set {
    bots: BySeat<usize>,
    times: f64,
}

impl Likelihood {
    /// The likelihood of the choices among these bots, which are in order; all others are left out.
    pub fn new(choices: &Choices, group: &[Entrant], prior: f64) -> Likelihood {
        let place = |entrant: &Entrant| group.binary_search(entrant).ok();
        let games = |parts: u64| parts as f64 / PARTS as f64;
        let set = |(among, &times): (&Among, &u64)| {
            let bots: Option<Vec<usize>> = among.iter().map(place).collect();
            Some(Set { bots: BySeat::collect(bots?), times: games(times) })
        };
        Likelihood {
            bots: group.len(),
            chosen: group.iter().map(|bot| games(choices.chosen.get(bot).copied().unwrap_or(0))).collect(),
            sets: choices.among.iter().filter_map(set).collect(),
            choices: games(choices.among.values().sum()),
            prior,
        }
    }

    /// The logarithms of the likeliest strengths, with a mean of 0.
    pub fn maximum(&self) -> Vec<f64> {
        let mut logs = vec![0.0; self.bots];
        for _ in 0..MOST_STEPS {
            let shares = self.shares(&logs);
            let slope = self.slope(&logs, &shares);
            let way = self.newton(&logs, &shares, &slope);
            let gain = dot(&slope, &way) / 2.0;
            let moved = |step: f64| logs.iter().zip(&way).map(|(log, way)| log + step * way).collect::<Vec<f64>>();
            let before = self.value(&logs);
            let is_better = |logs: &Vec<f64>| self.value(logs) > before;
            let halves = std::iter::successors(Some(1.0), |step| Some(step / 2.0)).take(40);
            match halves.map(moved).find(|logs| gain < NEAR || is_better(logs)) {
                Some(better) => logs = better,
                None => break,
            }
            if gain <= THERE * self.choices {
                break;
            }
        }
        let mean = sum(&mut logs.clone()) / self.bots as f64;
        logs.iter().map(|log| log - mean).collect()
    }

    /// The logarithm of the likelihood, the prior with it.
    fn value(&self, logs: &[f64]) -> f64 {
        let won = dot(&self.chosen, logs);
        let against: f64 = self.sets.iter().map(|set| set.times * set.log_of_total(logs)).sum();
        let prior: f64 = logs.iter().map(|&log| half_drawn(log)).sum();
        won - against + self.prior * prior
    }

    /// For each set, how likely each of its bots was to be chosen.
    fn shares(&self, logs: &[f64]) -> Vec<BySeat<f64>> {
        self.sets.iter().map(|set| set.shares(logs)).collect()
    }

    /// How the value grows with each logarithm.
    fn slope(&self, logs: &[f64], shares: &[BySeat<f64>]) -> Vec<f64> {
        let expected = self.by_bot(shares, |set, shares| shares.map(|share| set.times * share));
        let bots = self.chosen.iter().zip(&expected).zip(logs);
        bots.map(|((chosen, expected), &log)| chosen - expected + self.prior * (0.5 - expected_score(log))).collect()
    }

    /// The curvature of the value, turned upside down, times a vector.
    fn curved(&self, logs: &[f64], shares: &[BySeat<f64>], vector: &[f64]) -> Vec<f64> {
        let mut curved = self.by_bot(shares, |set, shares| {
            let mean = set.mean(shares, vector);
            BySeat::from_fn(shares.len(), |seat| set.times * shares[seat] * (vector[set.bots[seat]] - mean))
        });
        for (place, curved) in curved.iter_mut().enumerate() {
            *curved += self.prior_curve(logs[place]) * vector[place];
        }
        curved
    }

    /// What the prior adds to the curvature of one bot.
    fn prior_curve(&self, log: f64) -> f64 {
        self.prior * expected_score(log) * expected_score(-log)
    }

    /// The step to where the slope would vanish if the value were a parabola: conjugate gradients, each direction
    /// divided by the diagonal of the curvature.
    fn newton(&self, logs: &[f64], shares: &[BySeat<f64>], slope: &[f64]) -> Vec<f64> {
        let own = self.by_bot(shares, |set, shares| shares.map(|share| set.times * share * (1.0 - share)));
        let diagonal: Vec<f64> = own.iter().zip(logs).map(|(own, &log)| own + self.prior_curve(log)).collect();
        let scaled = |rest: &[f64]| -> Vec<f64> {
            rest.iter().zip(&diagonal).map(|(rest, weight)| if *weight > 0.0 { rest / weight } else { 0.0 }).collect()
        };
        let mut way = vec![0.0; self.bots];
        let mut rest = slope.to_vec();
        let mut direction = scaled(&rest);
        let mut size = dot(&rest, &direction);
        let enough = size * 1e-20;
        for _ in 0..4 * self.bots + 20 {
            if size <= enough {
                break;
            }
            let curved = self.curved(logs, shares, &direction);
            let bend = dot(&direction, &curved);
            if bend <= 0.0 {
                break;
            }
            let step = size / bend;
            add(&mut way, step, &direction);
            add(&mut rest, -step, &curved);
            let next = scaled(&rest);
            let grown = dot(&rest, &next);
            direction = next.iter().zip(&direction).map(|(next, old)| next + grown / size * old).collect();
            size = grown;
        }
        way
    }

    /// The curvature at these logarithms as a matrix, row by row, for as many choices as are given here.
    pub fn curvature(&self, logs: &[f64]) -> Vec<Vec<f64>> {
        let mut matrix = vec![vec![0.0; self.bots]; self.bots];
        for (set, shares) in self.sets.iter().zip(self.shares(logs)) {
            for (seat, &bot) in set.bots.seats() {
                matrix[bot][bot] += set.times * shares[seat];
                for (other, &rival) in set.bots.seats() {
                    matrix[bot][rival] -= set.times * shares[seat] * shares[other];
                }
            }
        }
        for (place, row) in matrix.iter_mut().enumerate() {
            row[place] += self.prior_curve(logs[place]);
        }
        matrix
    }

    /// A sum for each bot over the sets that it is in, of what each set has for each of its bots.
    fn by_bot(&self, shares: &[BySeat<f64>], terms: impl Fn(&Set, &BySeat<f64>) -> BySeat<f64>) -> Vec<f64> {
        let mut of_bots = vec![Vec::new(); self.bots];
        for (set, shares) in self.sets.iter().zip(shares) {
            set.bots.iter().zip(terms(set, shares)).for_each(|(&bot, term)| of_bots[bot].push(term));
        }
        of_bots.iter_mut().map(|terms| sum(terms)).collect()
    }
}

impl Set {
    fn shares(&self, logs: &[f64]) -> BySeat<f64> {
        let total = self.log_of_total(logs);
        self.bots.map(|&bot| (logs[bot] - total).exp())
    }

    /// The logarithm of the sum of the strengths.
    fn log_of_total(&self, logs: &[f64]) -> f64 {
        let most = self.bots.iter().map(|&bot| logs[bot]).fold(f64::NEG_INFINITY, f64::max);
        let parts = self.bots.map(|&bot| (logs[bot] - most).exp());
        most + sum_of_few(parts).ln()
    }

    fn mean(&self, shares: &BySeat<f64>, vector: &[f64]) -> f64 {
        let parts = BySeat::from_fn(self.bots.len(), |seat| shares[seat] * vector[self.bots[seat]]);
        sum_of_few(parts)
    }
}

/// The expected score against an average bot.
fn expected_score(log: f64) -> f64 {
    1.0 / (1.0 + (-log).exp())
}

/// The logarithm of the likelihood of a drawn game against an average bot.
fn half_drawn(log: f64) -> f64 {
    // Half of ln p and half of ln (1 - p), written so that neither runs to infinity.
    -(log.abs() / 2.0 + (-log.abs()).exp().ln_1p())
}

/// The sum in the order of the values: the same for the same values in any order.
fn sum(terms: &mut [f64]) -> f64 {
    terms.sort_unstable_by(f64::total_cmp);
    terms.iter().sum()
}

fn sum_of_few(terms: BySeat<f64>) -> f64 {
    let mut few: ArrayVec<f64, MAX_SEATS> = terms.into_iter().collect();
    sum(&mut few)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f64], times: f64, vector: &[f64]) {
    to.iter_mut().zip(vector).for_each(|(to, by)| *to += times * by);
}
