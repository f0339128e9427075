//! Folders for what bots write: one for each bot and game, gone with all that is in it when the game is over.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt, chown};

use tempfile::TempDir;

use super::Confinement;
use crate::host::program::Program;

/// The folders of one game, removed when this is dropped.
pub struct Scratch {
    _folder: TempDir,
}

impl Scratch {
    /// Makes a folder for each bot, lets it write there, and tells it so as its `HOME` and `TMPDIR`.
    ///
    /// # Errors
    /// When folders cannot be made where temporary files go.
    pub fn give<'a>(bots: impl Iterator<Item = (&'a mut Program, &'a mut Confinement)>) -> io::Result<Scratch> {
        // Everybody may pass through, and nobody look around.
        let open = Permissions::from_mode(0o711);
        let folder = tempfile::Builder::new().prefix("arbitro-scratch-").permissions(open).tempdir()?;
        for (number, (program, confinement)) in bots.enumerate() {
            let own = folder.path().join(number.to_string());
            fs::create_dir(&own)?;
            fs::set_permissions(&own, Permissions::from_mode(0o700))?;
            if let Some(user) = confinement.user {
                chown(&own, Some(user.0), Some(user.0))?;
            }
            program.set_variable("HOME", &own);
            program.set_variable("TMPDIR", &own);
            confinement.scratch = Some(own);
        }
        Ok(Scratch { _folder: folder })
    }
}
