//! What a bot with everything that it started uses: memory, processes, files, processor time, room on the disk.
//!
//! It is a picture of a moment, taken every [`LOOK_EVERY`] while a game runs: between two looks a bot can go over a limit
//! for a while. What must never be exceeded is a limit of the kernel as well, further up: see
//! [`Limits`](super::Limits::below).

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

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
        let (scratch_bytes, scratch_files) = self.scratch.map_or((0, 0), |folder| contents(folder, 0));
        let usage = Usage {
            memory_bytes,
            processes: living().count() as u64,
            threads: all.clone().map(|used| used.threads).sum(),
            open_files: living().map(open_files).max().unwrap_or(0),
            cpu: time(ticks),
            scratch_bytes,
            scratch_files,
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

/// The room that all in a folder takes on its disk, in bytes, and how many files and folders were seen, `seen` included.
/// What is beyond the limit on them is not looked at.
fn contents(folder: &Path, seen: u64) -> (u64, u64) {
    let (mut bytes, mut seen) = (0u64, seen);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        seen += 1;
        if seen > SCRATCH_FILES {
            break;
        }
        let Ok(metadata) = entry.metadata() else { continue };
        bytes = bytes.saturating_add(metadata.blocks().saturating_mul(512));
        if metadata.is_dir() {
            let (below, all) = contents(&entry.path(), seen);
            (bytes, seen) = (bytes.saturating_add(below), all);
        }
    }
    (bytes, seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_takes_the_room_of_all_that_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("deep")).unwrap();
        fs::write(folder.path().join("deep/file"), vec![1; 100_000]).unwrap();
        let (bytes, files) = contents(folder.path(), 0);
        assert!((100_000..300_000).contains(&bytes) && files == 2, "{bytes} bytes in {files} files");
        assert_eq!(contents(folder.path(), SCRATCH_FILES), (0, SCRATCH_FILES + 1));
    }

    #[test]
    fn this_process_uses_something() {
        let me = usage(rustix::process::getpid()).unwrap();
        assert!(resident(&me) > 0 && open_files(&me) > 2 && proportional_memory(&me) > 0);
    }
}
