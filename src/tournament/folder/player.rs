//! Who plays a tournament, seen from outside: nobody is kept waiting.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::LOCK;

/// Where the system says who holds which file.
const HELD: &str = "/proc/locks";

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
