//! The folder of a tournament: what lies in it, who may use it, and how it is begun and taken up again.
//!
//! ```text
//! DIR/plan.jsonl        who plays whom; further rounds in plan-0002.jsonl and so on
//! DIR/seed              the master seed, for its owner alone
//! DIR/journal.jsonl     one line a finished game: what counts
//! DIR/games/0000/       the logs of games 1 to 999, in folders of a thousand
//! DIR/lock              held by the referee that plays here
//! ```
//!
//! A tournament is begun in the order seed, plan, journal, each complete or not there at all; so whatever was begun and
//! not finished is begun again. Of a game that is in the journal everything is there. Any other log is left over from a
//! referee that was stopped, and is removed when the tournament is taken up again: its game is played anew.

mod beside;
mod error;
mod files;
mod open;
mod player;
mod read;
mod sweep;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

pub use beside::{check_free, is_in};
pub use error::{BadFolder, Fault};
pub use open::{Opened, open};
pub use player::player;
pub use read::{Record, begun, read};

use super::game::{MOST_VOIDS, numbered};
use super::plan::game_id;

/// How many games have their logs in one folder.
const GAMES_EACH: u64 = 1000;

/// The names of what a tournament consists of; further files of a plan have numbers in theirs.
const PLAN: &str = "plan.jsonl";
const SEED: &str = "seed";
const JOURNAL: &str = "journal.jsonl";
const GAMES: &str = "games";
const LOCK: &str = "lock";

/// The ending of a file that is not complete yet.
const UNFINISHED: &str = ".new";

/// The folder of a tournament, held against other referees until this is dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file of its journal.
    pub fn journal(&self) -> PathBuf {
        self.path.join(JOURNAL)
    }

    /// Where the log of a game belongs.
    pub fn log(&self, game: u64) -> PathBuf {
        log(&self.path, game)
    }

    /// Removes the logs of a game that does not count, of void attempts at it too. What cannot be removed now is swept
    /// away when the tournament is taken up again.
    pub fn remove_logs(&self, game: u64) {
        let log = self.log(game);
        let void = |number| numbered(&log, &format!("void-{number}"));
        (1..=MOST_VOIDS).map(void).chain([log.clone()]).for_each(|log| drop(std::fs::remove_file(log)));
    }

    /// Writes a further file of the plan, complete and safe when this returns.
    ///
    /// # Errors
    /// Those of the system.
    pub fn write_plan(&self, plan: &super::plan::Plan, part: usize) -> Result<(), BadFolder> {
        files::write_plan(&self.path, plan, part)
    }
}

/// Where the log of a game belongs in the folder of a tournament.
pub fn log(folder: &Path, game: u64) -> PathBuf {
    folder.join(GAMES).join(format!("{:04}", game / GAMES_EACH)).join(format!("{}.jsonl", game_id(game)))
}

/// Whether a tournament was begun in a folder. Without a journal nothing binds the plan.
fn is_begun(folder: &Path) -> bool {
    [PLAN, JOURNAL].iter().all(|name| folder.join(name).exists())
}

/// Returns when the names in a folder are on the disk.
///
/// # Errors
/// Those of the system.
pub fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
