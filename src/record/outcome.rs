//! How a game ends, and who ranks where when seats left before its end: the same arithmetic for referee and checker.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::game::{EndReason, Ranking};
use crate::seat::{BySeat, MAX_SEATS, Seat, SeatSet};

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Outcome {
    /// What came of it.
    pub result: GameResult,
    /// The rank of each seat; only where the game was decided.
    pub ranks: Option<BySeat<u8>>,
    /// Why it ended.
    pub reason: Reason,
}

/// What came of a game.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum GameResult {
    /// It has a ranking, draws included.
    Decided,
    /// No program got ready: it counts for nobody.
    None,
    /// The referee could not judge it fairly: it is to be played again.
    Void,
    /// It was interrupted.
    Aborted,
}

/// Why a game ended; written as one word.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Reason {
    /// By its own rules.
    Rules(EndReason),
    /// All other seats were out by their faults.
    Faults,
    /// No program got ready.
    NobodyReady,
    /// An answer came while the referee itself was late: nobody can say whether it was in time.
    RefereeLate,
    /// A process, pipe or file of the referee failed.
    Infrastructure,
    /// The rules failed: our bug.
    Panic,
    /// Somebody stopped the referee.
    Interrupted,
}

impl Reason {
    /// What the game itself cannot end by.
    const OWN: [Reason; 6] = [
        Reason::Faults,
        Reason::NobodyReady,
        Reason::RefereeLate,
        Reason::Infrastructure,
        Reason::Panic,
        Reason::Interrupted,
    ];

    /// All reasons.
    pub fn all() -> impl Iterator<Item = Reason> {
        EndReason::ALL.into_iter().map(Reason::Rules).chain(Reason::OWN)
    }

    /// What comes of a game that ends so.
    pub const fn result(self) -> GameResult {
        match self {
            Reason::Rules(_) | Reason::Faults => GameResult::Decided,
            Reason::NobodyReady => GameResult::None,
            Reason::RefereeLate | Reason::Infrastructure | Reason::Panic => GameResult::Void,
            Reason::Interrupted => GameResult::Aborted,
        }
    }

    /// The name in JSON; that of the rules' own reason where the game ended by its rules.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Rules(reason) => reason.as_str(),
            Reason::Faults => "faults",
            Reason::NobodyReady => "nobody_ready",
            Reason::RefereeLate => "referee_late",
            Reason::Infrastructure => "infrastructure",
            Reason::Panic => "panic",
            Reason::Interrupted => "interrupted",
        }
    }

    /// The reason in words.
    pub const fn words(self) -> &'static str {
        match self {
            Reason::Rules(reason) => reason.words(),
            Reason::Faults => "all other seats were out",
            Reason::NobodyReady => "no program got ready",
            Reason::RefereeLate => "an answer came while the referee itself was late",
            Reason::Infrastructure => "a process, pipe or file of the referee failed",
            Reason::Panic => "the rules failed",
            Reason::Interrupted => "the referee was stopped",
        }
    }
}

impl From<Reason> for &'static str {
    fn from(reason: Reason) -> &'static str {
        reason.as_str()
    }
}

impl TryFrom<String> for Reason {
    type Error = String;

    fn try_from(name: String) -> Result<Reason, String> {
        Reason::all().find(|reason| reason.as_str() == name).ok_or_else(|| format!("no game ends by “{name}”"))
    }
}

impl GameResult {
    /// All results.
    pub const ALL: [GameResult; 4] = [GameResult::Decided, GameResult::None, GameResult::Void, GameResult::Aborted];

    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::Decided => "decided",
            GameResult::None => "none",
            GameResult::Void => "void",
            GameResult::Aborted => "aborted",
        }
    }
}

impl Outcome {
    /// A game that ended so and counts for nobody.
    pub fn without_ranks(reason: Reason) -> Outcome {
        Outcome { result: reason.result(), ranks: None, reason }
    }

    /// The only seat in front, if there is one.
    pub fn winner(&self) -> Option<Seat> {
        let ranks = self.ranks.as_ref()?;
        let mut first = ranks.seats().filter(|&(_, &rank)| rank == 1).map(|(seat, _)| seat);
        first.next().filter(|_| first.next().is_none())
    }
}

/// Which seats are in, and in which order the others left.
#[derive(Clone, Debug)]
pub struct Standing {
    seats: usize,
    inside: SeatSet,
    left: ArrayVec<SeatSet, MAX_SEATS>,
}

impl Standing {
    /// All seats in.
    pub fn new(seats: usize) -> Standing {
        Standing { seats, inside: SeatSet::first(seats), left: ArrayVec::new() }
    }

    /// The seats still in.
    pub fn inside(&self) -> SeatSet {
        self.inside
    }

    /// Seats leave, all at the same time; none changes nothing.
    pub fn leave(&mut self, seats: SeatSet) {
        if !seats.is_empty() {
            self.inside = self.inside.minus(seats);
            self.left.push(seats);
        }
    }

    /// The outcome once at most one seat is in; before that the game goes on.
    pub fn decided(&self) -> Option<Outcome> {
        match self.inside.len() {
            0 => Some(Outcome::without_ranks(Reason::NobodyReady)),
            1 => Some(self.ranked(Ranking::draw(self.inside), Reason::Faults)),
            _ => None,
        }
    }

    /// The outcome of a game that ended by its rules with this ranking of the seats still in: those that left rank
    /// behind them, later ones better.
    ///
    /// # Panics
    /// If the ranking does not cover the seats still in.
    pub fn finished(&self, ranking: Ranking, reason: EndReason) -> Outcome {
        self.ranked(ranking, Reason::Rules(reason))
    }

    fn ranked(&self, mut ranking: Ranking, reason: Reason) -> Outcome {
        assert_eq!(ranking.seats(), self.inside, "a game ranks the seats that are in");
        self.left.iter().rev().for_each(|&group| ranking.push(group));
        Outcome { result: reason.result(), ranks: Some(ranking.ranks(self.seats)), reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_left_rank_behind_and_later_ones_better() {
        let mut standing = Standing::new(4);
        standing.leave(SeatSet::only(Seat::new(2)));
        standing.leave(SeatSet::only(Seat::new(0)));
        let outcome = standing.finished(Ranking::won_by(Seat::new(3), standing.inside()), EndReason::Goal);
        assert_eq!(outcome.ranks, Some(BySeat::collect([3, 2, 4, 1])));
        assert_eq!(outcome.winner(), Some(Seat::new(3)));
    }

    #[test]
    fn seats_that_left_together_tie_and_the_last_one_in_wins() {
        let mut standing = Standing::new(3);
        assert_eq!(standing.decided(), None);
        standing.leave([Seat::new(0), Seat::new(2)].into_iter().collect());
        assert_eq!(standing.decided().unwrap().ranks, Some(BySeat::collect([2, 1, 2])));
    }

    #[test]
    fn with_nobody_ready_there_is_no_result() {
        let mut standing = Standing::new(2);
        standing.leave(SeatSet::first(2));
        assert_eq!(standing.decided().unwrap().result, GameResult::None);
    }
}
