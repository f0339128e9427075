//! The rival, the keeper and the referee, as far as they can be found.
//!
//! A bot is the child of its keeper, and keepers are children of the referee. Whoever is not under a referee attacks
//! nobody.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::process::{
    Pid, PidfdFlags, PidfdGetfdFlags, Resource, Rlimit, Signal, getppid, getpriority_process, kill_process,
    parent_process_death_signal, pidfd_getfd, pidfd_open, pidfd_send_signal, prlimit, set_parent_process_death_signal,
    setpriority_process, test_kill_process,
};
use rustix::thread::{sched_getaffinity, sched_setaffinity};

use super::Attempt;

/// What the keeper of a bot is called.
const KEEPER: &str = "arbitro-keeper";

/// Those near a bot, or why they cannot be found.
pub(super) struct Family {
    keeper: io::Result<Pid>,
    referee: io::Result<Pid>,
    rival: io::Result<Pid>,
}

impl Family {
    pub(super) fn find() -> Family {
        let keeper = keeper();
        let referee = keeper.as_ref().map_err(again).and_then(|&keeper| Ok(Process::look(keeper)?.parent));
        let rival = match (&keeper, &referee) {
            (Ok(keeper), Ok(referee)) => rival(*keeper, *referee),
            (Err(error), _) | (_, Err(error)) => Err(again(error)),
        };
        Family { keeper, referee, rival }
    }

    fn keeper(&self) -> io::Result<Pid> {
        self.keeper.as_ref().copied().map_err(again)
    }

    fn referee(&self) -> io::Result<Pid> {
        self.referee.as_ref().copied().map_err(again)
    }

    fn rival(&self) -> io::Result<Pid> {
        self.rival.as_ref().copied().map_err(again)
    }
}

pub(super) const ATTEMPTS: &[Attempt<Family>] = &[
    ("find-rival", |family| family.rival().map(drop)),
    ("environment-of-rival", |family| fs::read(file(family.rival()?, "environ")).map(drop)),
    ("memory-of-rival", |family| memory(family.rival()?)),
    ("folder-of-rival", |family| fs::read_link(file(family.rival()?, "cwd")).map(drop)),
    // Opened only: a line in it would be the rival's.
    ("stdout-of-rival", |family| File::options().write(true).open(file(family.rival()?, "fd/1")).map(drop)),
    ("take-stdout-of-rival", |family| {
        let rival = pidfd_open(family.rival()?, PidfdFlags::empty())?;
        Ok(pidfd_getfd(rival, 1, PidfdGetfdFlags::empty()).map(drop)?)
    }),
    ("signal-rival", |family| Ok(test_kill_process(family.rival()?)?)),
    ("signal-rival-by-descriptor", |family| {
        Ok(pidfd_send_signal(pidfd_open(family.rival()?, PidfdFlags::empty())?, Signal::CONT)?)
    }),
    ("limit-rival", |family| {
        // Every process may have core files as large as it had.
        let none = Rlimit { current: Some(0), maximum: Some(0) };
        Ok(prlimit(Some(family.rival()?), Resource::Core, none).map(drop)?)
    }),
    ("renice-rival", |family| {
        let rival = Some(family.rival()?);
        Ok(setpriority_process(rival, getpriority_process(rival)?)?)
    }),
    ("pin-rival", |family| {
        let rival = Some(family.rival()?);
        Ok(sched_setaffinity(rival, &sched_getaffinity(rival)?)?)
    }),
    ("signal-keeper", |family| Ok(test_kill_process(family.keeper()?)?)),
    ("environment-of-keeper", |family| fs::read(file(family.keeper()?, "environ")).map(drop)),
    ("renice-keeper", |family| {
        let keeper = Some(family.keeper()?);
        Ok(setpriority_process(keeper, getpriority_process(keeper)?)?)
    }),
    ("pin-keeper", |family| {
        let keeper = Some(family.keeper()?);
        Ok(sched_setaffinity(keeper, &sched_getaffinity(keeper)?)?)
    }),
    ("signal-referee", |family| Ok(test_kill_process(family.referee()?)?)),
    ("environment-of-referee", |family| fs::read(file(family.referee()?, "environ")).map(drop)),
    ("wake-at-end-of-parent", |_| {
        let before = parent_process_death_signal()?;
        set_parent_process_death_signal(Some(Signal::CONT))?;
        Ok(set_parent_process_death_signal(before)?)
    }),
    ("leave-group", |_| ran(Command::new("true").process_group(0))),
    ("leave-session", |_| ran(Command::new("setsid").arg("true"))),
];

pub(super) const STOP_RIVAL: &[Attempt<Family>] =
    &[("stop-rival", |family| Ok(kill_process(family.rival()?, Signal::STOP)?))];
pub(super) const KILL_RIVAL: &[Attempt<Family>] =
    &[("kill-rival", |family| Ok(kill_process(family.rival()?, Signal::KILL)?))];
pub(super) const KILL_KEEPER: &[Attempt<Family>] =
    &[("kill-keeper", |family| Ok(kill_process(family.keeper()?, Signal::KILL)?))];
pub(super) const KILL_REFEREE: &[Attempt<Family>] =
    &[("kill-referee", |family| Ok(kill_process(family.referee()?, Signal::KILL)?))];

/// A process, as everybody can see it.
struct Process {
    pid: Pid,
    name: String,
    parent: Pid,
}

impl Process {
    fn look(pid: Pid) -> io::Result<Process> {
        let stat = fs::read_to_string(file(pid, "stat"))?;
        let fields = || {
            let (front, rest) = stat.rsplit_once(") ")?;
            let parent = Pid::from_raw(rest.split(' ').nth(1)?.parse().ok()?)?;
            Some(Process { pid, name: front.split_once('(')?.1.to_owned(), parent })
        };
        fields().ok_or_else(|| io::Error::other("no parent"))
    }
}

/// The parent, if it is a keeper. Where that cannot be seen it is taken for one: then nothing can be done to it either.
fn keeper() -> io::Result<Pid> {
    let parent = getppid().ok_or_else(|| io::Error::other("no parent"))?;
    match Process::look(parent) {
        Ok(process) if process.name != KEEPER => Err(io::Error::other("no referee started this bot")),
        _ => Ok(parent),
    }
}

/// The bot of another keeper of the same referee.
fn rival(keeper: Pid, referee: Pid) -> io::Result<Pid> {
    let pids = fs::read_dir("/proc")?.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let all: Vec<Process> = pids.filter_map(Pid::from_raw).filter_map(|pid| Process::look(pid).ok()).collect();
    let other = |process: &&Process| process.parent == referee && process.pid != keeper && process.name == KEEPER;
    let rivals = all.iter().filter(other).filter_map(|other| all.iter().find(|process| process.parent == other.pid));
    rivals.map(|rival| rival.pid).next().ok_or_else(|| io::Error::other("no rival is to be seen"))
}

/// Reads a byte of another process where its stack is.
fn memory(pid: Pid) -> io::Result<()> {
    let maps = fs::read_to_string(file(pid, "maps"))?;
    let stack = maps.lines().find(|line| line.ends_with("[stack]")).and_then(|line| line.split('-').next());
    let address = stack.and_then(|start| u64::from_str_radix(start, 16).ok());
    File::open(file(pid, "mem"))?.read_exact_at(&mut [0], address.ok_or_else(|| io::Error::other("no stack"))?)
}

fn file(pid: Pid, name: &str) -> String {
    format!("/proc/{}/{name}", pid.as_raw_pid())
}

fn ran(command: &mut Command) -> io::Result<()> {
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("{command:?}: {status}"))) }
}

fn again(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), error.to_string())
}
