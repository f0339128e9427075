//! `cup.toml`: the one file that describes a tournament, as a checked value.
//!
//! Text in, [`Cup`] out, or the line and key that is wrong and what to write instead. Nothing is opened here but the
//! game, to try its options: folders, programs and lists of openings are found by whoever runs the tournament, who also
//! knows which bots are built in. What is looked at later is [`Located`], so that a missing program is told by its line
//! as well.
//!
//! Unknown keys are refused with what was probably meant, and so is what contradicts itself: a key that would be without
//! effect is a mistake of whoever wrote it.

mod check;
mod file;
mod place;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

pub use file::{IsolationMode, SandboxMode};
pub use place::{BadCup, Located};

use crate::clock::TimeControl;
use crate::host::play::Ponder;
use crate::protocol::limits::Limits;
use crate::table::GameName;
use crate::tournament::openings::Drawing;
use crate::tournament::pairing::format::{Format, Kind};
use crate::tournament::ratings::sprt::{self, BadSprt};

/// The file of the master seed where none is named.
pub const SEED_FILE: &str = "seed.hex";

/// The most bots in a field.
pub const MOST_BOTS: usize = 10_000;

/// A tournament as its file describes it. Paths are as they are written: relative ones count from the file's folder.
#[derive(Clone, PartialEq, Debug)]
pub struct Cup {
    /// What it is called, if anything.
    pub name: Option<String>,
    /// The game.
    pub game: GameName,
    /// With how many seats it is played.
    pub seats: usize,
    /// The options of the game that are given, a JSON object.
    pub options: String,
    /// The file of the master seed.
    pub seed_file: Located<PathBuf>,
    /// Who meets whom.
    pub format: Format,
    /// What is played before the first question, if anything is.
    pub openings: Option<Openings>,
    /// The time of each seat, with a limit on everything.
    pub clock: TimeControl,
    /// What bots may send and use, and what is tolerated.
    pub limits: Limits,
    /// After how many faults a bot is out of the tournament; never if 0.
    pub disqualify_after: u32,
    /// How it is run.
    pub run: RunSettings,
    /// The field, the first seed first.
    pub bots: Vec<CupBot>,
}

/// The openings of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
    /// From a file, one a line.
    File(Located<PathBuf>),
    /// Drawn at random from the master seed.
    Random(Located<Drawing>),
}

/// How a tournament is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunSettings {
    /// How many games are played at once; as many as the machine bears if 0.
    pub concurrency: u32,
    /// On how many processors a game and its bots are kept.
    pub cores_per_game: u32,
    /// Whether they are kept on them at all.
    pub pin: bool,
    /// How many sets a program plays before it is started anew; 0: one game only.
    pub reuse: u32,
    /// Whether bots run while others think.
    pub ponder: Ponder,
    /// What keeps bots from files, the network and each other.
    pub sandbox: SandboxMode,
    /// What isolates them besides.
    pub isolation: IsolationMode,
}

impl Default for RunSettings {
    fn default() -> RunSettings {
        RunSettings {
            concurrency: 0,
            cores_per_game: 1,
            pin: true,
            reuse: 0,
            ponder: Ponder::Stop,
            sandbox: SandboxMode::Auto,
            isolation: IsolationMode::None,
        }
    }
}

/// A bot of the field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CupBot {
    /// What it is called: unlike all others.
    pub name: String,
    /// The words of its command, of which there is one at least: a program with its arguments, or a built-in bot; then
    /// its options, each as `name=value`.
    pub command: Located<Vec<String>>,
    /// The folder that it is started in; that of the file if none is named.
    pub dir: Option<Located<PathBuf>>,
    /// What is added to its environment.
    pub env: Vec<(String, String)>,
    /// The files that make it up, beside what its command names.
    pub files: Vec<Located<PathBuf>>,
    /// What it may read beside its folder.
    pub read: Vec<Located<PathBuf>>,
    /// What it may write to.
    pub write: Vec<Located<PathBuf>>,
    /// Whether it may use the network.
    pub network: bool,
    /// The line in which it is named.
    pub line: usize,
}

/// The test by which a match of this format stops, if it has one.
///
/// # Errors
/// A test that makes no sense.
pub fn test_of(format: &Format) -> Result<Option<sprt::Sprt>, BadSprt> {
    let Kind::Match { sprt: Some(asked), .. } = format.kind else { return Ok(None) };
    sprt::Sprt::new(asked.elo0, asked.elo1, asked.alpha, asked.beta, asked.model).map(Some)
}

impl Cup {
    /// What is asked for of openings that are drawn, if they are.
    pub fn drawing(&self) -> Option<&Located<Drawing>> {
        match &self.openings {
            Some(Openings::Random(drawing)) => Some(drawing),
            Some(Openings::File(_)) | None => None,
        }
    }

    /// Reads the text of a tournament's file.
    ///
    /// # Errors
    /// The first thing that is wrong with it: where, and what to write instead.
    pub fn read(text: &str) -> Result<Cup, BadCup> {
        let text = place::Text::new(text);
        let file = toml::from_str(text.whole).map_err(|error| text.unreadable(&error))?;
        check::check(&text, file)
    }
}
