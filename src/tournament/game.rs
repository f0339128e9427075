//! One game of several: played, played again if it was void, and revealed when its luck may be known.
//!
//! A match on the command line and a tournament play their games alike, through here. The log of a game lacks its end
//! line at first: that reveals the seed, and games that share their luck reveal it together, when the last of them is
//! over. A void game reveals nothing, so its log is ended at once and kept under another name.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter};
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::host::play::{Arena, Finished, HostError, Kept, play};
use crate::host::sandbox::scratch::Scratch;
use crate::record::outcome::{GameResult, Reason};
use crate::record::writer::{Writer, Written};
use crate::referee::{CannotBegin, Referee, Setup};
use crate::seat::BySeat;

/// How often a game is void before it stays unresolved.
pub const MOST_VOIDS: usize = 2;

/// A game that is to be played.
pub struct ToPlay<'a> {
    /// Who plays, and what holds them.
    pub arena: Arena,
    /// What it starts from. When it began is filled in.
    pub setup: Setup,
    /// The file of its log.
    pub log: &'a Path,
    /// Whether a log that is there already is written over, and a void one too.
    pub replace: bool,
    /// Becomes readable when the game is to stop.
    pub stop: BorrowedFd<'a>,
}

/// A game that is over, and whose log still lacks its end line.
pub struct Unrevealed {
    log: PathBuf,
    writer: Writer<BufWriter<File>>,
    /// How it ended.
    pub finished: Finished,
    /// How often it was void before.
    pub voids: usize,
    /// How long it took, the start of its programs included; earlier attempts are not counted.
    pub took: Duration,
}

/// Why a game was not played to any end: a failure of ours, or of what it starts from.
#[derive(Debug, thiserror::Error)]
pub enum NotPlayed {
    /// It cannot begin.
    #[error(transparent)]
    CannotBegin(CannotBegin),
    /// Its log cannot be written.
    #[error("the log {} cannot be written: {error}; the game is not finished", .log.display())]
    Log {
        /// The file.
        log: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Folders for what bots write.
    #[error("folders for what bots write cannot be made: {0}")]
    Scratch(io::Error),
}

/// Whoever watches a game.
pub trait Spectator {
    /// An attempt at it begins.
    fn begins(&mut self) {}

    /// Something happened in it.
    fn look(&mut self, _referee: &Referee) {}

    /// It was void, and is played again; its log is kept under this name.
    fn void(&mut self, _finished: &Finished, _log: &Path) {}
}

impl ToPlay<'_> {
    /// Plays it, again if it was void, with the processes that were kept from earlier games; afterwards `programs` has
    /// those that go on.
    ///
    /// # Errors
    /// When it cannot begin, or its log cannot be written. No bot is left then.
    pub fn play(
        &mut self,
        programs: &mut BySeat<Kept>,
        spectator: &mut dyn Spectator,
    ) -> Result<Unrevealed, NotPlayed> {
        let mut voids = 0;
        loop {
            let mut game = self.attempt(programs, spectator)?;
            let outcome = &game.finished.end.outcome;
            // Where the rules failed they would fail again.
            if outcome.result != GameResult::Void || outcome.reason == Reason::Panic || voids + 1 == MOST_VOIDS {
                game.voids = voids;
                return Ok(game);
            }
            voids += 1;
            let kept = self.keep_void(game.writer, &game.finished, voids)?;
            spectator.void(&game.finished, &kept);
        }
    }

    fn attempt(&mut self, programs: &mut BySeat<Kept>, spectator: &mut dyn Spectator) -> Result<Unrevealed, NotPlayed> {
        let mut arena = self.arena.clone();
        let scratch = self.setup.limits.scratch_bytes.map(|_| Scratch::give(arena.bots())).transpose();
        let _scratch = scratch.map_err(NotPlayed::Scratch)?;
        let mut writer = Writer::new(create(self.log, self.replace).map_err(log_failed(self.log))?);
        spectator.begins();
        let began = Instant::now();
        self.setup.host.started = Some(jiff::Timestamp::now().to_string());
        let mut look = |referee: &Referee| spectator.look(referee);
        let played = play(&arena, self.setup.clone(), programs, &mut writer, Some(self.stop), &mut look);
        let finished = played.map_err(|error| match error {
            HostError::CannotBegin(error) => NotPlayed::CannotBegin(error),
            HostError::Log(error) => log_failed(self.log)(error),
        })?;
        Ok(Unrevealed { log: self.log.to_owned(), writer, finished, voids: 0, took: began.elapsed() })
    }

    /// Ends the log of a void attempt and gives it another name, which is not that of an earlier one.
    fn keep_void(
        &self,
        writer: Writer<BufWriter<File>>,
        finished: &Finished,
        voids: usize,
    ) -> Result<PathBuf, NotPlayed> {
        let mut names = (voids..).map(|number| numbered(self.log, &format!("void-{number}")));
        let kept = names.find(|name| self.replace || !name.exists()).expect("there are numbers enough");
        writer.end(&finished.end).map_err(log_failed(self.log))?;
        fs::rename(self.log, &kept).map_err(log_failed(&kept))?;
        Ok(kept)
    }
}

impl Unrevealed {
    /// The file of its log.
    pub fn log(&self) -> &Path {
        &self.log
    }

    /// Writes the end of its log, seeds included.
    ///
    /// # Errors
    /// When the log cannot be written.
    pub fn reveal(self) -> Result<(Finished, Written<File>), NotPlayed> {
        let Written { digests, course, thought, to } =
            self.writer.finish(&self.finished.end).map_err(log_failed(&self.log))?;
        let to = to.into_inner().map_err(|error| log_failed(&self.log)(error.into_error()))?;
        Ok((self.finished, Written { digests, course, thought, to }))
    }
}

/// `game.jsonl` with a number or word before its ending: `game-07.jsonl`.
pub fn numbered(path: &Path, what: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    path.with_file_name(format!("{stem}-{what}{ending}"))
}

fn create(path: &Path, replace: bool) -> io::Result<BufWriter<File>> {
    let mut how = OpenOptions::new();
    how.write(true);
    if replace {
        how.create(true).truncate(true);
    } else {
        how.create_new(true);
    }
    Ok(BufWriter::with_capacity(64 * 1024, how.open(path)?))
}

fn log_failed(log: &Path) -> impl Fn(io::Error) -> NotPlayed {
    move |error| NotPlayed::Log { log: log.to_owned(), error }
}
