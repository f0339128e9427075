//! Looks at a tournament from outside, while somebody plays in it or not; nothing is changed, and nobody is kept waiting.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::{BadFolder, Fault, JOURNAL, LOCK, PLAN, files};
use crate::tournament::plan::{Header, Plan};
use crate::tournament::played::Played;

/// Where the system says who holds which file.
const HELD: &str = "/proc/locks";

/// Reads what was planned and what is finished; `see` sees the games of each finished set, in the order in which they
/// were journaled. None of them is held, so that a million can be looked at.
///
/// # Errors
/// When there is no tournament, or its files are damaged or do not belong together.
pub fn look(folder: &Path, see: &mut dyn FnMut(&[Played])) -> Result<Plan, BadFolder> {
    if !folder.join(PLAN).exists() {
        return Err(BadFolder::new(folder, Fault::NoTournament));
    }
    // In this order: a referee that plays writes a further file of the plan before games of it.
    let mut reader = files::read_journal(folder)?;
    let mut games = Vec::new();
    while reader.next_set(&mut games).map_err(|error| BadFolder::new(&folder.join(JOURNAL), error))? {
        see(&games);
        games.clear();
    }
    let plan = files::read_plan(folder)?;
    files::compare(folder, &plan, reader.header())?;
    Ok(plan)
}

/// What holds for all games of the tournament that was begun here, if one was. Whether its plan is still what it was
/// begun with is found when it is [taken up again](super::open).
///
/// # Errors
/// When the plan cannot be read.
pub fn begun(folder: &Path) -> Result<Option<Header>, BadFolder> {
    // Without a journal nothing binds the plan.
    let is_begun = [PLAN, JOURNAL].iter().all(|name| folder.join(name).exists());
    is_begun.then(|| files::read_header(folder)).transpose()
}

/// The process that plays here, if one does.
///
/// The lock is not tried: a referee that begins at this very moment would find it taken.
pub fn player(folder: &Path) -> Option<u32> {
    let file = fs::metadata(folder.join(LOCK)).ok()?;
    held(&fs::read_to_string(HELD).ok()?, file.ino())
}

/// Who holds the file with this number, as the system lists it: `1: FLOCK  ADVISORY  WRITE 4711 fd:00:131 0 EOF`. Not
/// every file system says there which device it is.
fn held(list: &str, inode: u64) -> Option<u32> {
    list.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, "FLOCK", _, "WRITE", process, file, ..] = words[..] else { return None };
        let found = file.rsplit(':').next()?.parse() == Ok(inode);
        process.parse().ok().filter(|&process| found && process != 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_holds_a_file_is_found_by_its_number() {
        let list = "1: POSIX  ADVISORY  WRITE 11 fe:00:131 0 EOF\n2: FLOCK  ADVISORY  READ 12 fe:00:131 0 EOF\n\
                    3: -> FLOCK  ADVISORY  WRITE 13 fe:00:131 0 EOF\n4: FLOCK  ADVISORY  WRITE 4711 fe:00:131 0 EOF\n\
                    5: FLOCK  ADVISORY  WRITE 15 fe:00:132 0 EOF\n";
        assert_eq!((held(list, 131), held(list, 132), held(list, 13)), (Some(4711), Some(15), None));
    }

    #[test]
    fn a_lock_that_is_held_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(player(folder.path()), None);
        let file = fs::File::create(folder.path().join(LOCK)).unwrap();
        assert_eq!(player(folder.path()), None, "a lock that nobody holds");
        file.lock().unwrap();
        assert_eq!(player(folder.path()), Some(std::process::id()));
        drop(file);
        assert_eq!(player(folder.path()), None);
    }
}
