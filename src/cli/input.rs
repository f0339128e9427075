//! What several subcommands take: a game with its options, and a position in it.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value};

use super::failure::{Failure, Kind};
use crate::game::BadSetup;
use crate::protocol::lines::BOM;
use crate::protocol::strict::Strict;
use crate::referee::CannotBegin;
use crate::table::{GameName, Table};

/// How long a file of options or a seed may be.
const MOST_BYTES: u64 = 1 << 20;

/// A game and its options.
#[derive(Args, Clone)]
pub struct GameArgs {
    /// The game (see `arbitro games`)
    #[arg(value_name = "GAME")]
    pub game: GameName,
    /// Set an option of the game, such as size=7; may be given again
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Take all options of the game from a JSON file
    #[arg(long, value_name = "FILE")]
    pub options: Option<PathBuf>,
}

impl GameArgs {
    /// The options as a JSON object: those of the file, and over them those that are set one by one.
    ///
    /// # Errors
    /// A file that cannot be read, or something that is no option at all.
    pub fn options(&self) -> Result<String, Failure> {
        let mut options = match &self.options {
            None => Map::new(),
            Some(path) => {
                let text = read_text(path, MOST_BYTES)?;
                // An option that is given twice could be meant either way.
                Strict::check(&text).and_then(|()| serde_json::from_str(&text)).map_err(|error| {
                    Failure::new(Kind::BadInput, format!("{} is not an object of options: {error}", path.display()))
                })?
            }
        };
        for setting in &self.set {
            let (key, value) = setting.split_once('=').ok_or_else(|| {
                Failure::usage(format!("--set {setting}: write it as KEY=VALUE, for example --set size=7"))
            })?;
            // What is no JSON is a plain word: --set edge=none.
            let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
            options.insert(key.to_owned(), value);
        }
        Ok(Value::Object(options).to_string())
    }

    /// The game at its beginning.
    ///
    /// # Errors
    /// The option, or the number of seats, that it cannot be played with.
    pub fn open(&self, seats: usize) -> Result<Box<dyn Table>, Failure> {
        let options = self.options()?;
        self.game.open(&options, seats).map_err(|error| self.bad_setup(&error))
    }

    /// Says which option cannot be played with.
    pub fn bad_setup(&self, error: &BadSetup) -> Failure {
        Failure::usage(format!(
            "{} cannot be played so: {error} (arbitro rules {} explains its options)",
            self.game, self.game
        ))
    }

    /// Says why a game cannot begin.
    pub fn cannot_begin(&self, error: &CannotBegin) -> Failure {
        match error {
            CannotBegin::Setup(error) => self.bad_setup(error),
            CannotBegin::Opening { .. } | CannotBegin::OpeningEnds => Failure::usage(error),
        }
    }
}

/// A short text file, without the byte order mark that some editors put before it.
///
/// # Errors
/// When it is not there, no text, or too long to be meant.
pub fn read_text(path: &std::path::Path, most: u64) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    // Not by the length that the system tells: a device or a pipe has none.
    let read = File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
    read.map_err(|error| Failure::reading(path, &error))?;
    if bytes.len() as u64 > most {
        return Err(Failure::new(Kind::BadInput, format!("{} is too long: more than {most} bytes", path.display())));
    }
    if bytes.starts_with(BOM) {
        bytes.drain(..BOM.len());
    }
    String::from_utf8(bytes).map_err(|_| Failure::new(Kind::BadInput, format!("{} is not UTF-8 text", path.display())))
}
