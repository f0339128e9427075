//! Users for bots of a referee that runs as root: one for each seat, so that no bot is root and none shares a user with
//! its rival, with another game, or with anybody else.
//!
//! The numbers lie between those that Debian gives to people and those that systemd gives to services; nobody has to
//! set them up. A number is held by a lock on a file of its name as long as its seat is in use: two referees on one
//! machine never share one.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use rustix::process::{DumpableBehavior, Gid, Uid, geteuid, set_dumpable_behavior};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use serde::{Deserialize, Serialize};

use super::is_pretended_missing;

/// The users that seats get.
const NUMBERS: std::ops::Range<u32> = 60_600..61_100;

/// How many users there are for seats.
pub const MOST: usize = (NUMBERS.end - NUMBERS.start) as usize;

/// Where the locks lie.
const LOCKS: &str = "/run/arbitro";

/// The number of a user, and of the group that has only this user.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct User(pub u32);

/// A user that this process holds until this is dropped.
#[derive(Debug)]
pub struct Claim {
    user: User,
    _lock: File,
}

impl Claim {
    /// The user.
    pub fn user(&self) -> User {
        self.user
    }
}

/// Whether bots need users of their own: whether this process is root.
pub fn are_needed() -> bool {
    geteuid().is_root()
}

/// Claims users that nobody else holds; none where none are needed.
///
/// # Errors
/// When the locks cannot be made, or all users are in use.
pub fn claim(count: usize) -> io::Result<Vec<Claim>> {
    if !are_needed() {
        return Ok(Vec::new());
    }
    // A test may want to see what happens where nobody can write.
    let refused = if is_pretended_missing("users") { Err(Errno::ROFS.into()) } else { Ok(()) };
    refused.and_then(|()| DirBuilder::new().recursive(true).mode(0o700).create(LOCKS)).map_err(closed)?;
    let mut claims = Vec::with_capacity(count);
    for number in NUMBERS {
        if claims.len() == count {
            break;
        }
        let path = Path::new(LOCKS).join(format!("user-{number}"));
        let lock =
            OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path).map_err(closed)?;
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() {
            claims.push(Claim { user: User(number), _lock: lock });
        }
    }
    if claims.len() < count {
        return Err(io::Error::other(format!(
            "all {} users for bots are in use: wait for other referees",
            NUMBERS.len()
        )));
    }
    Ok(claims)
}

/// Says what to do where the locks cannot be made.
fn closed(error: io::Error) -> io::Error {
    let words = "let root write there (a tmpfs will do), or start the referee as an ordinary user";
    io::Error::new(error.kind(), format!("{LOCKS} cannot be written to: {error}; {words}"))
}

/// Makes this process one of a user's, for good. It must have a single thread.
pub(super) fn become_user(user: User) -> io::Result<()> {
    let (uid, gid) = (Uid::from_raw(user.0), Gid::from_raw(user.0));
    set_thread_groups(&[])?;
    set_thread_res_gid(gid, gid, gid)?;
    set_thread_res_uid(uid, uid, uid)?;
    // A process that changed its user may not look at itself, and so would not find its own executable.
    Ok(set_dumpable_behavior(DumpableBehavior::Dumpable)?)
}

/// The first folder or file on the way to a path, the path included, that the user of a bot cannot pass; none if there
/// is none, or if bots run as this process's user.
///
/// Goes by what is granted to everybody: a bot's user owns nothing and belongs to no group.
pub fn blocked(path: &Path) -> Option<PathBuf> {
    if !are_needed() {
        return None;
    }
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let way = |path: &Path| path.ancestors().map(Path::to_owned).collect::<Vec<_>>();
    let passes = |step: &PathBuf| fs::metadata(step).is_ok_and(|metadata| is_open(&metadata));
    way(path)
        .into_iter()
        .rev()
        .chain(way(&real).into_iter().rev())
        .find(|step| !step.as_os_str().is_empty() && !passes(step))
}

/// A folder that everybody may enter, or a file that everybody may read or execute.
fn is_open(metadata: &fs::Metadata) -> bool {
    let (read, execute) = (0o4, 0o1);
    let needed = if metadata.is_dir() { execute } else { read | execute };
    metadata.mode() & needed != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_differ_and_are_free_again_when_dropped() {
        let Ok(one) = claim(2) else { return assert!(!are_needed()) };
        if !are_needed() {
            return assert!(one.is_empty());
        }
        let other = claim(2).unwrap();
        let numbers = |claims: &[Claim]| claims.iter().map(|claim| claim.user().0).collect::<Vec<u32>>();
        let mut all = [numbers(&one), numbers(&other)].concat();
        all.dedup();
        assert_eq!(all.len(), 4);
        let freed = numbers(&one);
        drop(one);
        assert!(numbers(&claim(2).unwrap()).iter().any(|number| freed.contains(number)));
    }

    #[test]
    fn what_is_closed_to_others_blocks_the_way() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bot");
        fs::write(&file, "").unwrap();
        let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        let as_root = |path: &Path| are_needed().then(|| path.to_owned());
        set(folder.path(), 0o755);
        set(&file, 0o755);
        assert_eq!(blocked(&file), None);
        set(&file, 0o700);
        assert_eq!(blocked(&file), as_root(&file));
        set(folder.path(), 0o700);
        assert_eq!(blocked(&file), as_root(folder.path()));
    }
}
