//! How strong the bots are, from the games that were played and decided.
//!
//! ```text
//! games ─ choices ─▶ likelihood ─ likeliest strengths ─▶ Elo ± error, likelihood of superiority
//!            └ of distinct games alone ─▶ spread ────────▲
//!       ─ tallies ─▶ glicko
//!       ─ pairs ───▶ estimate (Elo and nElo of two bots), sprt (when to stop)
//! ```
//!
//! Everything is a function of the games by their numbers: their order changes no bit of the result, and neither do bots
//! that the results do not tell apart differ by any.
//!
//! **Elo** is the likeliest strength in the model of Bradley and Terry, and of Plackett and Luce for three and four
//! seats; see [`likelihood`] for the method and the prior, [`choices`] for ties. It is counted from the mean of the bots
//! rated. Bots that no chain of games connects cannot be compared: the largest group that games connect is rated (of
//! equal ones that with the bot named first), all others have no rating.
//!
//! **Intervals** are 95 %, from the curvature of the likelihood ([`spread`]). A game played again move for move says
//! nothing new, so they count each course of a game once; the strengths themselves, like the points, count every game.
//! With draws they are a little too wide: a draw is half a win each way, and results that can also be halves vary less.

pub mod choices;
pub mod estimate;
pub mod glicko;
pub mod likelihood;
pub mod pairs;
pub mod scale;
pub mod spread;
pub mod sprt;

#[cfg(test)]
pub mod sample;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};

use arrayvec::ArrayVec;

use choices::Choices;
use glicko::Glicko;
use likelihood::{Likelihood, PRIOR};
use scale::ELO_PER_NAT;
use spread::Spread;

use super::Entrant;
use super::played::Played;
use crate::record::outcome::GameResult;
use crate::seat::{BySeat, MAX_SEATS};

/// How strong the bots of a field are.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Ratings {
    /// The Elo of each bot in the order of the field, where it has one.
    pub elo: Vec<Option<Elo>>,
    /// The Glicko-2 rating of each bot in the order of the field, where it has one.
    pub glicko: Vec<Option<Glicko>>,
    /// The bots that have an Elo, the strongest first; equal ones in the order of the field.
    pub by_strength: Vec<Entrant>,
}

/// The strength of a bot.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Elo {
    /// Its Elo above or below the mean of all that are rated.
    pub value: f64,
    /// Half of the width of its 95 % interval; none where more bots are rated than [`spread::MOST_BOTS`].
    pub error: Option<f64>,
    /// How likely it is to be stronger than the next in [`Ratings::by_strength`]; none for the last.
    pub above_next: Option<f64>,
}

/// What came of a bot's games, one rival at a time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// How often a rival stood behind it.
    pub wins: u64,
    /// How often one was level with it.
    pub draws: u64,
    /// How often one stood before it.
    pub losses: u64,
}

impl Tally {
    /// Takes in how the own rank compared with that of a rival, and how often.
    pub fn add(&mut self, own: u8, rival: u8, times: u64) {
        match own.cmp(&rival) {
            std::cmp::Ordering::Less => self.wins += times,
            std::cmp::Ordering::Equal => self.draws += times,
            std::cmp::Ordering::Greater => self.losses += times,
        }
    }

    /// Takes in another tally of the same bot.
    pub fn add_all(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }

    /// How many there were.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The same, seen by the rivals.
    #[must_use]
    pub fn turned(self) -> Tally {
        Tally { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Points in halves.
    pub fn half_points(self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Losses, draws and wins: what was worth 0, 1 and 2 half points.
    pub fn by_half_points(self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }

    /// The share of the points that there were; none without games.
    pub fn score(self) -> Option<f64> {
        (self.games() > 0).then(|| self.half_points() as f64 / (2 * self.games()) as f64)
    }
}

/// A game that was decided, with the ranks of its seats.
pub type Decided<'a> = (&'a Played, &'a BySeat<u8>);

/// The games that were decided, in the order of their numbers.
pub fn decided<'a>(games: impl IntoIterator<Item = &'a Played>) -> Vec<Decided<'a>> {
    let was_decided = |game: &&Played| game.result == GameResult::Decided;
    let with_ranks = |game: &'a Played| Some((game, game.ranks.as_ref()?));
    let mut decided: Vec<Decided> = games.into_iter().filter(was_decided).filter_map(with_ranks).collect();
    decided.sort_by_key(|(game, _)| game.game);
    decided
}

/// Those of them that were played. A game that was lost by disqualification alone tells nothing of how well anybody plays.
pub fn judged<'a>(games: impl IntoIterator<Item = &'a Played>) -> Vec<Decided<'a>> {
    decided(games.into_iter().filter(|game| !game.is_forfeited()))
}

/// Who played, in order, with the rank of each.
type Way = ArrayVec<(Entrant, u8), MAX_SEATS>;

/// Rates a field of this size by these games.
///
/// # Panics
/// If a game has bots that are not of the field.
pub fn rate<'a>(field: usize, games: impl IntoIterator<Item = &'a Played>) -> Ratings {
    let mut tallies = vec![Tally::default(); field];
    let mut courses = HashSet::new();
    // Most games come out like others: each way is looked at once.
    let mut ways: BTreeMap<Way, (u64, u64)> = BTreeMap::new();
    for (game, ranks) in judged(games) {
        let mut way: Way = game.seats.iter().copied().zip(ranks.iter().copied()).collect();
        way.sort_unstable();
        let (all, distinct) = ways.entry(way).or_default();
        *all += 1;
        *distinct += u64::from(courses.insert(game.course));
    }
    let (mut all, mut distinct) = (Choices::default(), Choices::default());
    for (way, (times, distinct_times)) in &ways {
        all.add(way.iter().copied(), *times);
        if *distinct_times > 0 {
            distinct.add(way.iter().copied(), *distinct_times);
        }
        for (place, &(entrant, own)) in way.iter().enumerate() {
            let rivals = way.iter().enumerate().filter(|&(other, _)| other != place);
            rivals.for_each(|(_, &(_, rival))| tallies[entrant.index()].add(own, rival, *times));
        }
    }
    let mut ratings = Ratings {
        elo: vec![None; field],
        glicko: tallies.into_iter().map(glicko::rate).collect(),
        by_strength: vec![],
    };
    if let Some(group) = all.groups().first() {
        rate_group(group, &all, &distinct, &mut ratings);
    }
    ratings
}

fn rate_group(group: &[Entrant], all: &Choices, distinct: &Choices, ratings: &mut Ratings) {
    let logs = Likelihood::new(all, group, PRIOR).maximum();
    if logs.iter().any(|log| !log.is_finite()) {
        return;
    }
    let spread = Spread::of(group.len(), || Likelihood::new(distinct, group, PRIOR).curvature(&logs));
    let mut order: Vec<usize> = (0..group.len()).collect();
    order.sort_by(|&a, &b| logs[b].total_cmp(&logs[a]));
    let errors = errors(&order, &logs, spread.as_ref());
    for (place, &bot) in order.iter().enumerate() {
        let above = |&next: &usize| likelihood_above(bot, next, &logs, spread.as_ref());
        ratings.elo[group[bot].index()] = Some(Elo {
            value: logs[bot] * ELO_PER_NAT,
            error: errors[bot],
            above_next: order.get(place + 1).and_then(above),
        });
    }
    ratings.by_strength = order.into_iter().map(|bot| group[bot]).collect();
}

/// How likely a bot is to be stronger than another.
fn likelihood_above(bot: usize, next: usize, logs: &[f64], spread: Option<&Spread>) -> Option<f64> {
    let variance = spread?.of_difference(bot, next)?;
    Some(scale::below((logs[bot] - logs[next]) / variance.sqrt()))
}

/// Half of the width of each bot's interval.
///
/// Bots of equal strength whose variances differ by no more than rounding have the same.
fn errors(order: &[usize], logs: &[f64], spread: Option<&Spread>) -> Vec<Option<f64>> {
    let mut variances: Vec<Option<f64>> = (0..logs.len()).map(|bot| spread?.of_one(bot)).collect();
    for level in order.chunk_by(|&a, &b| logs[a] == logs[b]) {
        let mut level = level.to_vec();
        level.sort_by(|&a, &b| variances[a].partial_cmp(&variances[b]).expect("variances are finite"));
        for (before, bot) in level.iter().zip(&level[1..]) {
            if let (Some(known), Some(own)) = (variances[*before], variances[*bot])
                && own - known <= own * 1e-9
            {
                variances[*bot] = variances[*before];
            }
        }
    }
    let error = |variance: f64| variance.sqrt() * scale::sigmas_95() * ELO_PER_NAT;
    variances.into_iter().map(|variance| variance.map(error)).collect()
}
