//! Folders for what bots write: one for each bot and game, gone with all that is in it when the game is over.

use std::ffi::CString;
use std::fs::{self, Permissions};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, chmodat, openat, renameat, unlinkat};
use rustix::io::Errno;
use rustix::path::Arg;

use super::Confinement;
use crate::host::program::Program;

/// The folders of one game, removed when this is dropped.
pub struct Scratch {
    folder: PathBuf,
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
        // Removed from here on when this is dropped. Its files are known by its real path.
        let folder = folder.keep();
        let scratch = Scratch { folder: folder.canonicalize().unwrap_or(folder) };
        for (number, (program, confinement)) in bots.enumerate() {
            let own = scratch.folder.join(number.to_string());
            fs::create_dir(&own)?;
            fs::set_permissions(&own, Permissions::from_mode(0o700))?;
            if let Some(user) = confinement.user {
                chown(&own, Some(user.0), Some(user.0))?;
            }
            program.set_variable("HOME", &own);
            program.set_variable("TMPDIR", &own);
            confinement.scratch = Some(own);
        }
        Ok(scratch)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = remove(&self.folder) {
            tracing::warn!("{} cannot be removed, do it by hand: {error}", self.folder.display());
        }
    }
}

/// Removes the folder of one bot, and that of the game if it was the last one there: for a keeper whose referee is gone.
pub fn remove_own(folder: &Path) {
    if remove(folder).is_ok() {
        let _ = folder.parent().map(fs::remove_dir);
    }
}

/// Removes a folder with all that is in it, whatever its rights are. Nobody may write there any more.
///
/// Folders in folders are moved up before they are removed, so that neither depth nor the length of paths matters.
fn remove(folder: &Path) -> io::Result<()> {
    let mut moved = 0..;
    loop {
        match unlinkat(CWD, folder, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT) => return Ok(()),
            Err(Errno::NOTEMPTY | Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        let top = open(CWD, folder)?;
        for name in names(&top)? {
            if !is_removed(&top, &name)? {
                let below = open(&top, &name)?;
                for deeper in names(&below)? {
                    if !is_removed(&below, &deeper)? {
                        make_accessible(&below, &deeper);
                        move_up(&below, &deeper, &top, &mut moved)?;
                    }
                }
                unlinkat(&top, &name, AtFlags::REMOVEDIR)?;
            }
        }
    }
}

/// Removes a file; not a folder.
fn is_removed(folder: &OwnedFd, name: &CString) -> io::Result<bool> {
    match unlinkat(folder, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(true),
        Err(Errno::ISDIR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Moves a folder to another one, under a name that is free there.
fn move_up(from: &OwnedFd, name: &CString, to: &OwnedFd, numbers: &mut impl Iterator<Item = u64>) -> io::Result<()> {
    for number in numbers {
        match renameat(from, name, to, format!("moved-{number}")) {
            Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => {}
            moved => return Ok(moved?),
        }
    }
    unreachable!("there are numbers enough")
}

fn open(at: impl AsFd, name: impl Arg + Copy) -> io::Result<OwnedFd> {
    make_accessible(&at, name);
    Ok(openat(at, name, OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?)
}

/// Gives its owner all rights to a folder. Where that fails, what follows says why.
fn make_accessible(at: impl AsFd, name: impl Arg) {
    let _ = chmodat(at, name, Mode::RWXU, AtFlags::empty());
}

/// What is in a folder.
fn names(folder: &OwnedFd) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        names.push(entry?.file_name().to_owned());
    }
    names.retain(|name| !matches!(name.to_bytes(), b"." | b".."));
    Ok(names)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use rustix::fs::mkdirat;

    use super::*;

    #[test]
    fn all_is_removed_however_deep_and_whatever_its_rights() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("folder");
        fs::create_dir_all(folder.join("dark/darker/darkest")).unwrap();
        fs::create_dir_all(folder.join("moved-0/full")).unwrap();
        fs::write(folder.join("moved-1"), "").unwrap();
        fs::write(place.path().join("kept"), "").unwrap();
        symlink(place.path(), folder.join("dark/link")).unwrap();
        let mut deepest = open(CWD, &folder).unwrap();
        for _ in 0..1000 {
            mkdirat(&deepest, "deep", Mode::RWXU).unwrap();
            deepest = open(&deepest, c"deep").unwrap();
        }
        for (name, mode) in [("dark/darker/darkest", 0), ("dark/darker", 0o300), ("dark", 0)] {
            fs::set_permissions(folder.join(name), Permissions::from_mode(mode)).unwrap();
        }
        remove(&folder).unwrap();
        assert!(!folder.exists() && place.path().join("kept").exists());
        remove(&folder).expect("it is gone already");
    }

    #[test]
    fn the_last_folder_of_a_game_takes_that_of_the_game_with_it() {
        let place = tempfile::tempdir().unwrap();
        let game = place.path().join("game");
        fs::create_dir_all(game.join("0")).unwrap();
        fs::create_dir_all(game.join("1/full")).unwrap();
        remove_own(&game.join("0"));
        assert!(game.join("1/full").exists() && !game.join("0").exists());
        remove_own(&game.join("1"));
        assert!(!game.exists());
    }
}
