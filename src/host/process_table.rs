//! Who is whose child, as `/proc` tells it.
//!
//! What is read here is a picture of a moment: processes come and go while it is taken. Nobody may take it for a proof
//! that a process is dead; only the kernel's answer that there is no child left is one.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process, pidfd_open, pidfd_send_signal, waitid,
};

/// How many rounds of killing follow each other without a pause: enough for processes that flee by starting others.
const QUICK_ROUNDS: u32 = 100;
/// The pause between later rounds.
const BREATH: Duration = Duration::from_millis(1);

/// How the children of a process are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lookup {
    /// From the lists that the kernel keeps for each thread (`CONFIG_PROC_CHILDREN`).
    Lists,
    /// From the parent that every process of the machine names: for kernels without the lists.
    Scan,
}

impl Lookup {
    /// The way that this kernel offers.
    pub(super) fn of_this_kernel() -> Lookup {
        if Path::new("/proc/thread-self/children").exists() { Lookup::Lists } else { Lookup::Scan }
    }

    /// The children of a process, ended ones that were not reaped included.
    pub(super) fn children(self, parent: Pid) -> Vec<Pid> {
        match self {
            Lookup::Lists => listed_children(parent),
            Lookup::Scan => scan().remove(&parent.as_raw_pid()).unwrap_or_default(),
        }
    }

    /// All descendants of a process, each with its parent, parents before their children.
    pub(super) fn descendants(self, ancestor: Pid) -> Vec<Member> {
        self.descendants_if_few(ancestor, u64::MAX).unwrap_or_default()
    }

    /// The same, which takes a while for each thread; nothing if they have more threads than this, all together.
    pub(super) fn descendants_if_few(self, ancestor: Pid, most_threads: u64) -> Option<Vec<Member>> {
        let mut all = if self == Lookup::Scan { scan() } else { BTreeMap::new() };
        let mut children = |parent: Pid| match self {
            Lookup::Lists => listed_children(parent),
            Lookup::Scan => all.remove(&parent.as_raw_pid()).unwrap_or_default(),
        };
        let mut found: Vec<Member> = Vec::new();
        let (mut next, mut room) = (ancestor, most_threads);
        for done in 0.. {
            if most_threads < u64::MAX {
                room = room.checked_sub(threads(next))?;
            }
            found.extend(children(next).into_iter().map(|pid| Member { pid, parent: next }));
            match found.get(done) {
                Some(member) => next = member.pid,
                None => break,
            }
        }
        Some(found)
    }
}

/// A process and the parent under which it was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Member {
    pub(super) pid: Pid,
    pub(super) parent: Pid,
}

impl Member {
    /// Kills the process, for the one process `reaper` that calls this and that orphans return to.
    pub(super) fn kill(self, reaper: Pid) {
        if self.parent == reaper {
            // Only the caller reaps its children, so the number is still theirs.
            let _ = kill_process(self.pid, Signal::KILL);
        } else if let Ok(process) = pidfd_open(self.pid, PidfdFlags::empty()) {
            // Its parent may have reaped it, and the number may be a stranger's by now: held fast, it is looked at again.
            let family = [self.parent.as_raw_pid(), reaper.as_raw_pid()];
            if look(self.pid).is_some_and(|entry| family.contains(&entry.parent)) {
                let _ = pidfd_send_signal(&process, Signal::KILL);
            }
        }
    }
}

/// Whether a process still runs, not just waits to be reaped.
pub(super) fn is_alive(pid: Pid) -> bool {
    look(pid).is_some_and(|entry| entry.alive)
}

/// Reaps a child of this process if it has ended; whether it is gone.
pub(super) fn reap(child: Pid) -> bool {
    let ended = waitid(WaitId::Pid(child), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
    matches!(ended, Ok(Some(_)) | Err(Errno::CHILD))
}

/// Waits until a child of this process has ended, or until then; it is not reaped.
pub(super) fn await_end(child: Pid, until: Instant) {
    if let Ok(process) = pidfd_open(child, PidfdFlags::empty()) {
        let left = until.saturating_duration_since(Instant::now());
        let _ = poll(&mut [PollFd::new(&process, PollFlags::IN)], Some(&timespec(left)));
    }
}

/// Pauses between rounds of killing that go on and on: what cannot be reaped, such as a process that somebody else
/// traces, must not cost a whole processor.
pub(super) fn breathe(rounds: &mut u32) {
    *rounds += 1;
    if *rounds > QUICK_ROUNDS {
        std::thread::sleep(BREATH);
    }
}

/// A length of time in the system's form.
pub(super) fn timespec(time: Duration) -> Timespec {
    Timespec { tv_sec: time.as_secs().try_into().unwrap_or(i64::MAX), tv_nsec: time.subsec_nanos().into() }
}

/// The session of a process; nothing if it is gone, 0 if its leader is out of sight.
pub(super) fn session(pid: Pid) -> Option<i32> {
    look(pid).map(|entry| entry.session)
}

/// What `/proc` says of one process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    /// Its parent's process id; 0 for none that can be seen.
    parent: i32,
    /// The process id of its session's leader; 0 for one that cannot be seen.
    session: i32,
    /// Whether it still runs, not just waits to be reaped.
    alive: bool,
}

/// Looks one process up; nothing if it is gone.
fn look(pid: Pid) -> Option<Entry> {
    parse(&fs::read(format!("/proc/{}/stat", pid.as_raw_pid())).ok()?)
}

/// What one process uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Used {
    /// Where `/proc` shows its memory and its files.
    pub(super) folder: String,
    /// When it was started: another one may have its number later.
    pub(super) started: u64,
    /// Whether it still runs, not just waits to be reaped.
    pub(super) alive: bool,
    /// How many threads it has; an ended process that was not reaped has one.
    pub(super) threads: u64,
    /// Its resident memory in pages.
    pub(super) pages: u64,
    /// Its processor time, in clock ticks.
    pub(super) ticks: u64,
    /// The processor time of the children that it waited for, in clock ticks.
    pub(super) waited_ticks: u64,
}

/// What `/proc` says of the use of one process; nothing if it is gone.
pub(super) fn usage(pid: Pid) -> Option<Used> {
    let used = used(format!("/proc/{}", pid.as_raw_pid()))?;
    if used.alive || used.threads < 2 {
        return Some(used);
    }
    // Its first thread ended, and those that live show what they have together.
    let threads = numbers_in(format!("{}/task", used.folder));
    let living = threads.filter_map(|thread| self::used(format!("{}/task/{thread}", used.folder)));
    match living.into_iter().find(|thread| thread.alive) {
        Some(Used { folder, pages, .. }) => Some(Used { folder, pages, alive: true, ..used }),
        None => Some(used),
    }
}

/// Whether a process that was started then is gone for certain.
pub(super) fn is_gone(pid: i32, started: u64) -> bool {
    let folder = format!("/proc/{pid}");
    match used(folder.clone()) {
        Some(used) => used.started != started,
        None => fs::metadata(folder).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound),
    }
}

fn used(folder: String) -> Option<Used> {
    let stat = fs::read(format!("{folder}/stat")).ok()?;
    let after = stat.iter().rposition(|&byte| byte == b')')? + 1;
    let fields: Vec<&str> = std::str::from_utf8(&stat[after..]).ok()?.split_ascii_whitespace().collect();
    let number = |field: usize| fields.get(field).and_then(|text| text.parse::<u64>().ok());
    // Counted from the state on, which is the third field of the line: user and system time, the same of the children.
    Some(Used {
        folder,
        started: number(19)?,
        alive: !has_ended(fields.first()?),
        threads: number(17)?,
        pages: number(21)?,
        ticks: number(11)? + number(12)?,
        waited_ticks: number(13)? + number(14)?,
    })
}

/// Whether this is the state of a thread that ended.
fn has_ended(state: &str) -> bool {
    matches!(state, "Z" | "X" | "x")
}

/// Reads a `stat` line of `/proc`: id, name in parentheses (which may hold anything), state, parent, group, session.
fn parse(stat: &[u8]) -> Option<Entry> {
    let after = stat.iter().rposition(|&byte| byte == b')')? + 1;
    let mut fields = std::str::from_utf8(&stat[after..]).ok()?.split_ascii_whitespace();
    let ended = has_ended(fields.next()?);
    let parent = fields.next()?.parse().ok()?;
    let session = fields.nth(1)?.parse().ok()?;
    // Other threads may live on when the first has ended.
    let threads: Option<u64> = fields.nth(13).and_then(|threads| threads.parse().ok());
    Some(Entry { parent, session, alive: !ended || threads > Some(1) })
}

/// How many threads a process has; none if it is gone.
fn threads(pid: Pid) -> u64 {
    // The links of their folder: one for each, and two of its own.
    fs::metadata(format!("/proc/{}/task", pid.as_raw_pid())).map_or(0, |folder| folder.nlink().saturating_sub(2))
}

fn listed_children(parent: Pid) -> Vec<Pid> {
    let mut found = Vec::new();
    for thread in numbers_in(format!("/proc/{}/task", parent.as_raw_pid())) {
        let list = fs::read_to_string(format!("/proc/{}/task/{thread}/children", parent.as_raw_pid()));
        let pids = list.unwrap_or_default();
        found.extend(pids.split_ascii_whitespace().filter_map(|pid| pid.parse().ok().and_then(Pid::from_raw)));
    }
    found
}

/// The children of every process of the machine.
fn scan() -> BTreeMap<i32, Vec<Pid>> {
    let mut all: BTreeMap<i32, Vec<Pid>> = BTreeMap::new();
    for pid in numbers_in("/proc".into()).filter_map(Pid::from_raw) {
        if let Some(entry) = look(pid) {
            all.entry(entry.parent).or_default().push(pid);
        }
    }
    all
}

/// The names in a folder that are numbers; none if it cannot be read.
fn numbers_in(folder: String) -> impl Iterator<Item = i32> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    names.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

#[cfg(test)]
mod tests;
