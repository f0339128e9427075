//! The file of a tournament, opened: where its paths count from, and how what is wrong with it is told.

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::chance::Seed;
use crate::cli::failure::{Failure, Kind};
use crate::cli::input::read_text;
use crate::cli::{output, seed};
use crate::tournament::cup::{BadCup, Cup, Located, SEED_FILE};
use crate::tournament::folder;

/// How long the file of a tournament, or of its openings, may be.
pub const MOST_BYTES: u64 = 16 << 20;

/// The master seed of a tournament.
pub struct Master {
    /// The seed.
    pub seed: Seed,
    /// Whether it is in no file yet.
    is_new: bool,
}

/// The file of a tournament.
pub struct CupFile {
    /// Where it is.
    path: PathBuf,
    /// What its paths count from.
    folder: PathBuf,
    /// Its text.
    pub text: String,
}

impl CupFile {
    /// Reads the file, and what it says.
    ///
    /// # Errors
    /// When it is not there or no text, or what is wrong in it.
    pub fn open(path: &Path) -> Result<(CupFile, Cup), Failure> {
        if path.is_dir() {
            let words = format!("{} is a folder: name the tournament's file in it", path.display());
            return Err(Failure::new(Kind::NoInput, words));
        }
        let text = read_text(path, MOST_BYTES)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Bots are started in other folders, and a path that is told should be one that can be opened.
        let folder = std::path::absolute(folder).map_err(|error| Failure::reading(folder, &error))?;
        let file = CupFile { path: path.to_owned(), folder, text };
        let cup = Cup::read(&file.text).map_err(|error| file.tell(Kind::Config, &error))?;
        Ok((file, cup))
    }

    /// A path of the file as it can be opened.
    pub fn resolve(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }

    /// Something that is wrong in a line.
    pub fn fault(&self, kind: Kind, line: usize, key: &str, words: impl Display) -> Failure {
        self.tell(kind, &BadCup::new(line, key, words))
    }

    /// Something that is wrong as a line for people: `cup.toml:12: clock.margin: …`.
    fn tell(&self, kind: Kind, error: &BadCup) -> Failure {
        Failure::new(kind, format!("{}:{error}", self.path.display()))
    }

    /// A file that is named in a line, and cannot be read.
    pub fn unreadable(&self, line: usize, key: &str, path: &Path, error: &io::Error) -> Failure {
        let failure = Failure::reading(path, error);
        self.fault(failure.kind(), line, key, failure.words())
    }

    /// The master seed: that of its file, or where there is none a fresh one, which is still to be [kept](CupFile::keep).
    ///
    /// # Errors
    /// A file that cannot be read, or that holds something else.
    pub fn seed(&self, named: &Located<PathBuf>) -> Result<Master, Failure> {
        let path = self.resolve(named);
        let missing = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        if fs::symlink_metadata(&path).is_err_and(|error| missing(&error)) {
            return Ok(Master { seed: seed::fresh()?, is_new: true });
        }
        let text = read_text(&path, 4096)
            .map_err(|failure| self.fault(failure.kind(), named.line, "seed_file", failure.words()))?;
        let seed = text.trim().parse().map_err(|error| {
            let words = format!("{} is not a seed: {error}; take it away to have one made", path.display());
            self.fault(Kind::BadInput, named.line, "seed_file", words)
        })?;
        Ok(Master { seed, is_new: false })
    }

    /// A seed that is gone from its file is not replaced by another where a tournament was begun with it.
    ///
    /// # Errors
    /// When that is so.
    pub fn must_have_been_there(&self, named: &Located<PathBuf>, master: &Master, out: &Path) -> Result<(), Failure> {
        if !master.is_new {
            return Ok(());
        }
        let (path, out) = (self.resolve(named), out.display());
        let words = format!("{} is gone, and the tournament in {out} was begun with it: bring it back", path.display());
        Err(self.fault(Kind::NoInput, named.line, "seed_file", format!("{words}; {out}/seed is a copy of it")))
    }

    /// Keeps a fresh seed in its file, for its owner alone.
    ///
    /// # Errors
    /// When the file cannot be made, or would be in the way of a tournament, be it of this one in the folder `out`.
    pub fn keep(&self, named: &Located<PathBuf>, master: &Master, out: Option<&Path>) -> Result<(), Failure> {
        if !master.is_new {
            return Ok(());
        }
        let path = self.resolve(named);
        folder::check_free(&path, out, Some(SEED_FILE))
            .map_err(|error| self.fault(Kind::Config, named.line, "seed_file", error))?;
        seed::keep(&path, &master.seed).map_err(|error| {
            let words = format!("{} cannot be made: {}", path.display(), output::reason(&error));
            self.fault(Kind::Io, named.line, "seed_file", words)
        })?;
        tracing::info!("a new master seed is in {}", path.display());
        Ok(())
    }
}
