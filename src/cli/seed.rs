//! The master seed of a match: from a file, from a text, or fresh from the system.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::failure::{Failure, Kind};
use super::input::read_text;
use crate::chance::{Hex32, Seed};

/// Where the master seed comes from.
#[derive(clap::Args)]
pub struct SeedArgs {
    /// Take the master seed from a file of 64 hex digits; a fresh one if neither is given
    #[arg(long, value_name = "FILE")]
    seed_file: Option<PathBuf>,
    /// Make the master seed from a text; anyone can guess it, so the log is marked
    #[arg(long, value_name = "TEXT", conflicts_with = "seed_file")]
    seed: Option<String>,
}

/// A master seed, and whether anyone could guess it.
pub struct Master {
    pub seed: Seed,
    pub guessable: bool,
}

impl SeedArgs {
    /// The master seed.
    ///
    /// # Errors
    /// A file that cannot be read or holds something else.
    pub fn master(&self) -> Result<Master, Failure> {
        if let Some(text) = &self.seed {
            tracing::warn!(
                "anyone can guess a seed made from a text: the log is marked so; use --seed-file where it matters"
            );
            return Ok(Master { seed: Hex32::from_text(text), guessable: true });
        }
        let seed = match &self.seed_file {
            Some(path) => read_text(path, 4096)?
                .trim()
                .parse()
                .map_err(|error| Failure::new(Kind::BadInput, format!("{} is not a seed: {error}", path.display())))?,
            None => fresh()?,
        };
        Ok(Master { seed, guessable: false })
    }
}

/// A seed that nobody knows.
///
/// # Errors
/// When the system gives none.
pub fn fresh() -> Result<Seed, Failure> {
    let mut bytes = [0; 32];
    // Up to 256 bytes come whole or not at all.
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())
        .map_err(|error| Failure::new(Kind::Io, format!("the system gives no random bytes: {error}")))?;
    Ok(Hex32(bytes))
}

/// Keeps a seed in a new file that only its owner reads: whole, or not at all.
///
/// # Errors
/// When there is a file already, or none can be made.
pub fn keep(path: &Path, seed: &Seed) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A temporary file is its owner's alone.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    writeln!(file, "{seed}")?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path)?;
    Ok(())
}
