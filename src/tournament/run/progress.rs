//! What is told while a tournament is played, and at its end. Whoever shows it decides how.

use std::path::Path;
use std::time::Duration;

use crate::host::play::FaultShown;
use crate::record::outcome::Reason;
use crate::seat::BySeat;
use crate::tournament::Entrant;
use crate::tournament::plan::PlannedGame;
use crate::tournament::played::Played;

/// Something that happened in a tournament. All of it is told by one thread, in the order in which it happened there.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// Games are about to be played.
    Begun {
        /// How many rounds are planned so far.
        rounds: usize,
        /// How many games they have.
        planned: u64,
        /// How many of them count already.
        counted: u64,
        /// How many games run at once.
        at_once: usize,
    },
    /// A game began, or began again after it was void.
    Started {
        /// The game.
        game: &'a PlannedGame,
        /// By whom it is played, from 0.
        worker: usize,
    },
    /// A game was void, and is played again.
    Void {
        /// The game.
        game: &'a PlannedGame,
        /// Why it was void.
        reason: Reason,
        /// Where its log is kept.
        log: &'a Path,
    },
    /// A game is over. It counts once it is counted: see [`Progress::Counted`].
    Finished {
        /// The game.
        game: &'a Played,
        /// What its bots were charged with, for their authors.
        faults: &'a [FaultShown],
        /// Its log.
        log: &'a Path,
        /// Whether nothing is left of any bot. What is left may slow down the next games.
        clean: bool,
    },
    /// These games are on the disk, and count.
    Counted {
        /// The games, those of a set one after another.
        games: &'a [Played],
    },
    /// A bot was at fault in too many games: all that it still had to play is lost for it.
    Disqualified {
        /// The bot.
        bot: Entrant,
    },
    /// Too many games of these bots in a row had no result: they do not meet any more in this run.
    Halted {
        /// The bots, as they sat in the last game.
        bots: &'a BySeat<Entrant>,
    },
    /// All games of a round count.
    RoundOver {
        /// Its number, from 1.
        round: u32,
    },
    /// Rounds were paired by the results so far.
    Paired {
        /// How many rounds are planned now.
        rounds: usize,
        /// How many games they have.
        planned: u64,
    },
    /// Enough is known: the tournament ends before all is played.
    Enough,
    /// Somebody stopped the referee: running games end, and no other begins.
    Stopping,
    /// It is over.
    Ended(&'a Summary),
}

/// How a run of a tournament ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Why it ended.
    pub ending: Ending,
    /// How many games are planned so far.
    pub planned: u64,
    /// How many of them count.
    pub counted: u64,
    /// How many of those were played in this run.
    pub played: u64,
    /// How many games stayed without a result.
    pub unresolved: u64,
    /// In how many games the rules failed: our bug.
    pub panics: u64,
    /// Who was disqualified.
    pub disqualified: Vec<Entrant>,
    /// Who does not meet any more in this run, for too many of their games in a row had no result.
    pub halted: Vec<Vec<Entrant>>,
    /// How long this run took.
    pub took: Duration,
}

/// Why a run of a tournament ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All is played.
    Complete,
    /// Enough is known.
    Enough,
    /// Games of bots that were halted are left: run it again.
    Incomplete,
    /// Somebody stopped it: run it again.
    Interrupted,
}
