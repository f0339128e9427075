//! What a bot with everything that it started uses: memory, processes, files, processor time, room on the disk.
//!
//! It is a picture of a moment, taken every [`LOOK_EVERY`] while a game runs: between two looks a bot can go over a limit
//! for a while. What must never be exceeded is a limit of the kernel as well, further up: see
//! [`Limits`](super::Limits::below).

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::io::Errno;
use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::Pid;

use super::process_table::{Lookup, Member, Used, usage};
use crate::clock::Span;
use crate::protocol::limits::SCRATCH_FILES;
use crate::referee::Usage;

/// How often bots are looked at.
pub const LOOK_EVERY: Span = Span::from_ms(100);

/// A look at what the processes below a keeper use.
pub struct Look<'a> {
    /// How processes are found.
    pub lookup: Lookup,
    /// The keeper.
    pub keeper: Pid,
    /// The first process below it, which the keeper reaps last.
    pub first: Pid,
    /// How many of the processes are not the bot's own but hold it.
    pub wrappers: u64,
    /// Memory is looked at more closely, which takes longer, only where it may be more: what processes share counts once
    /// then.
    pub memory_limit: Option<u64>,
    /// The folder that the bot writes to.
    pub scratch: Option<&'a Path>,
}

impl Look<'_> {
    /// What is used, and whether there are ended processes that the keeper is to reap.
    pub fn take(&self) -> (Usage, bool) {
        let keeper = usage(self.keeper);
        let family = self.lookup.descendants(self.keeper);
        let members = family.iter().filter_map(|&member| Some((member, usage(member.pid)?)));
        let members: Vec<(Member, Used)> = members.collect();
        let is_stray = |member: &Member| member.parent == self.keeper && member.pid != self.first;
        let strays = members.iter().any(|(member, used)| !used.alive && is_stray(member));
        let all = members.iter().map(|(_, used)| used);
        let ticks = all.clone().chain(&keeper).map(|used| used.ticks).sum();
        let living = || all.clone().filter(|used| used.alive);
        let mut memory_bytes = living().map(resident).sum();
        if self.memory_limit.is_some_and(|limit| memory_bytes > limit) {
            memory_bytes = living().map(proportional_memory).sum();
        }
        let mut scratch = Contents::default();
        if let Some(folder) = self.scratch {
            scratch.look_into(folder);
            scratch.look_at_open(living(), folder);
        }
        let usage = Usage {
            memory_bytes,
            processes: (living().count() as u64).saturating_sub(self.wrappers),
            threads: all.clone().map(|used| used.threads).sum::<u64>().saturating_sub(self.wrappers),
            open_files: living().map(open_files).max().unwrap_or(0),
            cpu: time(ticks),
            scratch_bytes: scratch.bytes,
            scratch_files: scratch.files,
            scratch_hidden: scratch.hidden,
        };
        (usage, strays)
    }
}

/// The processor time of the processes that ended below a keeper, if it runs.
pub fn of_ended(keeper: Pid) -> Option<Span> {
    usage(keeper).map(|used| time(used.ticks))
}

fn time(ticks: u64) -> Span {
    Span::from_ms(ticks.saturating_mul(1000) / clock_ticks_per_second().max(1))
}

/// The memory of a process in bytes, with all that it shares.
fn resident(used: &Used) -> u64 {
    used.pages * page_size() as u64
}

/// The memory of a process in bytes, each page divided by the number of processes that share it.
fn proportional_memory(used: &Used) -> u64 {
    let rollup = match fs::read_to_string(format!("{}/smaps_rollup", used.folder)) {
        // A process may close itself to others.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return resident(used),
        rollup => rollup.unwrap_or_default(),
    };
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

fn open_files(used: &Used) -> u64 {
    fs::read_dir(format!("{}/fd", used.folder)).map_or(0, |names| names.count() as u64)
}

/// What is found in a folder that a bot writes to.
#[derive(Default, PartialEq, Eq, Debug)]
struct Contents {
    /// The room that it takes on the disk.
    bytes: u64,
    /// How many files and folders; what is beyond the limit on them is not looked at.
    files: u64,
    /// Whether there is a folder that cannot be looked into.
    hidden: bool,
}

impl Contents {
    /// Adds all that is in a folder.
    fn look_into(&mut self, folder: &Path) {
        // One after the other, for each that is open takes a descriptor.
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(&folder).map_err(|error| self.hidden |= hides(&error));
            for entry in entries.into_iter().flatten().flatten() {
                self.files += 1;
                if self.files > SCRATCH_FILES {
                    return;
                }
                match entry.metadata() {
                    Ok(metadata) => self.bytes = self.bytes.saturating_add(room(&metadata)),
                    Err(error) => self.hidden |= hides(&error),
                }
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(entry.path());
                }
            }
        }
    }

    /// Adds files that were there, were removed, and are still open.
    fn look_at_open<'a>(&mut self, processes: impl Iterator<Item = &'a Used>, folder: &Path) {
        let mut found = BTreeSet::new();
        for used in processes {
            for open in fs::read_dir(format!("{}/fd", used.folder)).into_iter().flatten().flatten() {
                let is_removed =
                    |path: &Path| path.starts_with(folder) && path.to_string_lossy().ends_with(" (deleted)");
                if fs::read_link(open.path()).is_ok_and(|path| is_removed(&path))
                    && let Ok(metadata) = fs::metadata(open.path())
                    && metadata.nlink() == 0
                    && found.insert((metadata.dev(), metadata.ino()))
                {
                    self.files += 1;
                    self.bytes = self.bytes.saturating_add(room(&metadata));
                }
            }
        }
    }
}

/// Whether this is how a bot keeps others from looking: rights, or a path that is too long for the system. Not whether
/// something is gone meanwhile, or the referee has no descriptors left.
fn hides(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied || error.raw_os_error() == Some(Errno::NAMETOOLONG.raw_os_error())
}

/// The room that a file takes on its disk, in bytes.
fn room(metadata: &fs::Metadata) -> u64 {
    metadata.blocks().saturating_mul(512)
}

#[cfg(test)]
mod tests {
    use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};

    use super::*;

    fn contents(folder: &Path) -> Contents {
        let mut contents = Contents::default();
        contents.look_into(folder);
        contents
    }

    #[test]
    fn a_folder_takes_the_room_of_all_that_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("deep")).unwrap();
        fs::write(folder.path().join("deep/file"), vec![1; 100_000]).unwrap();
        let Contents { bytes, files, hidden } = contents(folder.path());
        assert!((100_000..300_000).contains(&bytes) && files == 2 && !hidden, "{bytes} bytes in {files} files");
        let mut full = Contents { files: SCRATCH_FILES, ..Contents::default() };
        full.look_into(folder.path());
        assert_eq!(full, Contents { files: SCRATCH_FILES + 1, ..Contents::default() });
    }

    #[test]
    fn what_lies_too_deep_for_a_path_is_hidden() {
        let folder = tempfile::tempdir().unwrap();
        let name = "d".repeat(200);
        let mut deepest = openat(CWD, folder.path(), OFlags::DIRECTORY, Mode::empty()).unwrap();
        for _ in 0..15 {
            mkdirat(&deepest, &*name, Mode::RWXU).unwrap();
            deepest = openat(&deepest, &*name, OFlags::DIRECTORY, Mode::empty()).unwrap();
        }
        assert!(!contents(folder.path()).hidden);
        for _ in 0..10 {
            mkdirat(&deepest, &*name, Mode::RWXU).unwrap();
            deepest = openat(&deepest, &*name, OFlags::DIRECTORY, Mode::empty()).unwrap();
        }
        assert!(contents(folder.path()).hidden);
    }

    #[test]
    fn a_file_that_was_removed_takes_room_until_it_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, vec![1; 100_000]).unwrap();
        let open = [fs::File::open(&path).unwrap(), fs::File::open(&path).unwrap()];
        let me = usage(rustix::process::getpid()).unwrap();
        let look = || {
            let mut contents = Contents::default();
            contents.look_at_open([&me].into_iter(), folder.path());
            contents
        };
        assert_eq!(look(), Contents::default(), "it is there to be seen");
        fs::remove_file(&path).unwrap();
        assert!(look().files == 1 && look().bytes >= 100_000, "{:?}", look());
        drop(open);
        assert_eq!(look(), Contents::default());
    }

    #[test]
    fn this_process_uses_something() {
        let me = usage(rustix::process::getpid()).unwrap();
        assert!(resident(&me) > 0 && open_files(&me) > 2 && proportional_memory(&me) > 0);
    }
}
