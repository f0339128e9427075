//! What a bot with everything that it started uses: memory, processes, files, processor time, room on the disk.
//!
//! It is a picture of a moment, taken every [`LOOK_EVERY`] while a game runs: between two looks a bot can go over a limit
//! for a while. What must never be exceeded is a limit of the kernel as well, further up: see
//! [`Limits`](super::Limits::below).

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::io::Errno;
use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::Pid;

use super::cgroup;
use super::process_table::{Lookup, Member, Used, is_gone, usage};
use crate::clock::Span;
use crate::protocol::limits::SCRATCH_FILES;
use crate::referee::Usage;

/// How often bots are looked at.
pub const LOOK_EVERY: Span = Span::from_ms(100);

/// A look at what the processes below a keeper use.
pub struct Look {
    /// The keeper.
    pub keeper: Pid,
    /// The first process below it, which the keeper reaps last.
    pub first: Pid,
    /// How many of the processes are not the bot's own but hold it.
    pub wrappers: u64,
    /// Their control group, if they have one: it does not forget the time of those that ended.
    pub group: Option<PathBuf>,
    /// Memory is looked at more closely, which takes longer, only where it may be more: what processes share counts once
    /// then.
    pub memory_limit: Option<u64>,
    /// The folder that the bot writes to.
    pub scratch: Option<PathBuf>,
    /// What was seen of them before.
    pub forgotten: Arc<Mutex<Forgotten>>,
}

/// What a look shows.
pub struct Sight {
    /// What is used; the processor time since the keeper or the group began.
    pub usage: Usage,
    /// Whether there are ended processes that the keeper is to reap.
    pub strays: bool,
}

impl Look {
    /// Takes it; how long that takes is in the hands of the bot.
    pub fn take(&self, lookup: Lookup) -> Sight {
        // Parents come before their children: time that moves from one to the other meanwhile is missed, not doubled.
        let keeper = usage(self.keeper);
        let family = lookup.descendants(self.keeper);
        let members = family.iter().filter_map(|&member| Some((member, usage(member.pid)?)));
        let members: Vec<(Member, Used)> = members.collect();
        let is_stray = |member: &Member| member.parent == self.keeper && member.pid != self.first;
        let strays = members.iter().any(|(member, used)| !used.alive && is_stray(member));
        let processes = members.iter().map(|(member, used)| (member.pid, used));
        let times = keeper.iter().map(|used| (self.keeper, used)).chain(processes);
        let times = times.map(|(pid, used)| ((pid.as_raw_pid(), used.started), (used.ticks, used.waited_ticks)));
        let mut forgotten = self.forgotten.lock().unwrap_or_else(PoisonError::into_inner);
        let ticks = forgotten.with(times.collect(), |(pid, started)| is_gone(pid, started));
        let all = members.iter().map(|(_, used)| used);
        let living = || all.clone().filter(|used| used.alive);
        let mut memory_bytes = living().map(resident).sum();
        if self.memory_limit.is_some_and(|limit| memory_bytes > limit) {
            memory_bytes = living().map(proportional_memory).sum();
        }
        let mut scratch = Contents::default();
        if let Some(folder) = &self.scratch {
            scratch.look_into(folder);
            scratch.look_at_open(living(), folder);
        }
        let usage = Usage {
            memory_bytes,
            processes: (living().count() as u64).saturating_sub(self.wrappers),
            threads: all.clone().map(|used| used.threads).sum::<u64>().saturating_sub(self.wrappers),
            open_files: living().map(open_files).max().unwrap_or(0),
            cpu: self.group.as_deref().and_then(cgroup::cpu).unwrap_or(time(ticks)),
            cpu_frozen: Span::ZERO,
            scratch_bytes: scratch.bytes,
            scratch_files: scratch.files,
            scratch_hidden: scratch.hidden,
        };
        Sight { usage, strays }
    }
}

/// The processor time of processes that ended and that nobody waited for, as their parent ignored their end: `/proc`
/// forgets it, and it is known as far as it was seen.
#[derive(Default)]
pub struct Forgotten {
    /// The processes at the last look: their own time, and that of the children that they waited for, in clock ticks.
    seen: BTreeMap<Process, (u64, u64)>,
    /// The time of those that were gone at the last look. Their parents may have been looked at before they waited.
    gone: u64,
    ticks: u64,
}

/// A process by its number, and when it was started.
type Process = (i32, u64);

impl Forgotten {
    /// All time that was used so far, by those that are there and those that are not.
    fn with(&mut self, mut now: BTreeMap<Process, (u64, u64)>, is_gone: impl Fn(Process) -> bool) -> u64 {
        let waited_before = |process| self.seen.get(process).map_or(0, |(_, waited)| *waited);
        let waited =
            now.iter().map(|(process, (_, waited))| waited.saturating_sub(waited_before(process))).sum::<u64>();
        let mut gone = 0;
        for (&process, &(own, waited)) in &self.seen {
            if let Entry::Vacant(missing) = now.entry(process) {
                if is_gone(process) {
                    gone += own + waited;
                } else {
                    // It was overlooked, as its parent ended at that moment.
                    missing.insert((own, waited));
                }
            }
        }
        self.ticks += self.gone.saturating_sub(waited);
        self.gone = gone.saturating_sub(waited.saturating_sub(self.gone));
        self.seen = now;
        self.ticks + self.seen.values().map(|(own, waited)| own + waited).sum::<u64>()
    }
}

/// The processor time of the processes that ended below a keeper, if it runs.
pub fn of_ended(keeper: Pid) -> Option<Span> {
    usage(keeper).map(|used| time(used.ticks + used.waited_ticks))
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

    #[test]
    fn time_of_the_ended_counts_once_whoever_waited_for_them() {
        let mut forgotten = Forgotten::default();
        let mut look = |processes: &[(i32, u64, u64)]| {
            let now = processes.iter().map(|&(pid, own, waited)| ((pid, 7), (own, waited)));
            forgotten.with(now.collect(), |(pid, _)| pid != 9)
        };
        assert_eq!(look(&[(1, 10, 0), (2, 5, 0)]), 15);
        assert_eq!(look(&[(1, 10, 0), (2, 8, 0)]), 18);
        assert_eq!(look(&[(1, 11, 8)]), 19, "its parent waited for it");
        assert_eq!(look(&[(1, 11, 8), (3, 4, 0)]), 23);
        assert_eq!(look(&[(1, 11, 8)]), 19, "its parent may have been looked at before it waited");
        assert_eq!(look(&[(1, 11, 12)]), 23, "it had");
        assert_eq!(look(&[(1, 11, 12), (4, 6, 0)]), 29);
        assert_eq!(look(&[(1, 12, 12), (5, 1, 0)]), 25);
        assert_eq!(look(&[(1, 12, 12), (5, 2, 0)]), 32, "nobody waited for it");
        assert_eq!(look(&[(1, 12, 12), (9, 3, 0)]), 33, "the time of 5 may come yet");
        assert_eq!(look(&[(1, 12, 14)]), 35, "it has, and 9 was only overlooked");
        assert_eq!(look(&[(1, 12, 14), (9, 3, 0)]), 35);
    }
}
