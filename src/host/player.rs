//! One player as the referee holds it: the pipes to a running program, and the keeper behind it.
//!
//! Nothing here waits for a bot. Everything that can be read or written is a non-blocking descriptor for the referee's
//! own poll; [`Player::wait_empty`] and dropping are for the end of a game.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process_group, setrlimit};

use super::control::{self, KEEPER, Order, Report, Request};
use super::isolation::Wrapper;
use super::orphans::{self, Ward};
use super::process_table::timespec;
use super::program::Program;
use super::sandbox::Confinement;
use super::usage;
use crate::clock::Span;

/// How many descriptors the referee holds for each player.
pub const DESCRIPTORS: usize = 4;
/// How many more it holds for a moment while it starts one.
pub const DESCRIPTORS_TO_START: usize = 6;
/// How long a player that is dropped unfinished may take to end, and then what its keeper left.
const DROP_PATIENCE: Duration = Duration::from_millis(1000);

/// How many descriptors this process may have, raised to those that it needs as far as it may raise that.
pub fn raise_descriptors(needed: u64) -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let (now, most) = (current.unwrap_or(u64::MAX), maximum.unwrap_or(u64::MAX));
    let raised = needed.min(most);
    if raised > now && setrlimit(Resource::Nofile, Rlimit { current: Some(raised), maximum }).is_ok() {
        raised
    } else {
        now
    }
}

/// What to do where the system refuses a player, to be put behind why.
pub(super) fn remedy(error: &io::Error) -> &'static str {
    match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::MFILE) => "; raise the limit on open files (ulimit -n)",
        Some(Errno::AGAIN) => "; this user may have no more processes: end some, or raise the limit (ulimit -u)",
        _ => "",
    }
}

/// A program that was started, and all that it starts, until it is dropped.
///
/// The descriptors are the referee's ends of the program's pipes, non-blocking and closed on exec; taking one and
/// dropping it closes it. They stay readable after the program's end, for what it wrote before.
pub struct Player {
    /// Writes to the program's standard input.
    pub stdin: Option<OwnedFd>,
    /// Reads the program's standard output.
    pub stdout: Option<OwnedFd>,
    /// Reads the program's standard error.
    pub stderr: Option<OwnedFd>,
    /// The program's process group while signals may be sent to it.
    group: Option<Pid>,
    /// How many processes hold the program in namespaces of its own.
    wrappers: u64,
    finishing: bool,
    end: Option<End>,
    /// Dropped last of all, killed and reaped; nothing only once it was taken back.
    keeper: Option<Keeper>,
}

/// A keeper that holds nobody: it waits for a program, or for its referee to go. Dropped, it is ended.
///
/// One that proved that nothing is left of its program may hold another: that saves a third of the next start.
pub struct Keeper {
    control: OwnedFd,
    ward: Ward,
    /// The processor time of all that it held before.
    used: Span,
}

impl Keeper {
    /// Starts one with its first request waiting for it; `referee_exe` is what [`Player::start`] says.
    fn start(referee_exe: &Path, ask: impl FnOnce(&OwnedFd) -> io::Result<()>) -> io::Result<Keeper> {
        let (control, theirs) = control::pair()?;
        ask(&control)?;
        let ward = Ward::start(
            Command::new(referee_exe)
                .arg0("arbitro-keeper")
                .arg(KEEPER)
                .env_clear()
                .stdin(Stdio::from(theirs))
                .stdout(Stdio::null())
                .stderr(Stdio::null()),
        )?;
        Ok(Keeper { control, ward, used: Span::ZERO })
    }
}

/// How a keeper ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// It proved that nothing is left.
    Empty,
    /// It was killed; orphans may be left.
    Gone,
}

impl Player {
    /// Starts a program behind a keeper of its own. Whether it runs is reported: see [`read_reports`].
    ///
    /// An idle keeper is taken for it if there is one; if that was killed meanwhile, a new one.
    ///
    /// `referee_exe` is an executable whose `main` begins with [`run_if_called`]; a referee gives its own
    /// ([`THIS_EXECUTABLE`]). The program inherits the processor affinity of the calling thread.
    ///
    /// [`read_reports`]: Player::read_reports
    /// [`run_if_called`]: super::run_if_called
    /// [`THIS_EXECUTABLE`]: super::THIS_EXECUTABLE
    ///
    /// # Errors
    /// When there are no descriptors, processes or memory left for it: never the program's fault.
    pub fn start(
        referee_exe: &Path,
        idle: Option<Keeper>,
        program: &Program,
        confinement: &Confinement,
    ) -> io::Result<Player> {
        let (program, mut confinement) = (program.clone(), confinement.clone());
        let bwrap = confinement.bubblewrap.take();
        let wrapper = bwrap.map(|bwrap| Wrapper::new(&bwrap, &program.dir, &mut confinement));
        let wrappers = wrapper.as_ref().map_or(0, |_| Wrapper::PROCESSES);
        let (bot_stdin, stdin) = pipe_with(PipeFlags::CLOEXEC)?;
        let (stdout, bot_stdout) = pipe_with(PipeFlags::CLOEXEC)?;
        let (stderr, bot_stderr) = pipe_with(PipeFlags::CLOEXEC)?;
        for ours in [&stdin, &stdout, &stderr] {
            fcntl_setfl(ours, OFlags::NONBLOCK)?;
        }
        let request = serde_json::to_vec(&Request { program, confinement, wrapper })?;
        let descriptors = [bot_stdin.as_fd(), bot_stdout.as_fd(), bot_stderr.as_fd()];
        let ask = |control: &OwnedFd| control::send_bytes(control, &request, &descriptors);
        let keeper = match idle.filter(|keeper| ask(&keeper.control).is_ok()) {
            Some(keeper) => keeper,
            None => Keeper::start(referee_exe, ask)?,
        };
        let (stdin, stdout, stderr, keeper) = (Some(stdin), Some(stdout), Some(stderr), Some(keeper));
        Ok(Player { stdin, stdout, stderr, group: None, wrappers, finishing: false, end: None, keeper })
    }

    fn held_by(&self) -> &Keeper {
        self.keeper.as_ref().expect("it is taken back with the player")
    }

    fn control_socket(&self) -> &OwnedFd {
        &self.held_by().control
    }

    /// The socket to the keeper: when it is readable or hung up, there are reports to read.
    pub fn control(&self) -> BorrowedFd<'_> {
        self.control_socket().as_fd()
    }

    /// The program's process id, once it was reported as started and until nothing of it is left.
    pub fn pid(&self) -> Option<i32> {
        self.group.map(Pid::as_raw_pid)
    }

    /// The keeper, above everything that the program starts.
    pub(super) fn keeper(&self) -> Pid {
        self.held_by().ward.pid()
    }

    /// How many of the processes below the keeper are not the program's own but hold it.
    pub(super) fn wrappers(&self) -> u64 {
        self.wrappers
    }

    /// The processor time of the programs that its keeper held before it.
    pub(super) fn used_before(&self) -> Span {
        self.held_by().used
    }

    /// Takes back the keeper of a program of which nothing is left, with what it proved so far.
    pub fn into_keeper(mut self) -> Option<Keeper> {
        let mut keeper = self.keeper.take_if(|_| self.end == Some(End::Empty))?;
        keeper.used = usage::of_ended(keeper.ward.pid())?;
        Some(keeper)
    }

    /// The process id of the keeper.
    pub fn keeper_pid(&self) -> i32 {
        self.keeper().as_raw_pid()
    }

    /// Whether the last report was read: [`Report::Empty`] or [`Report::KeeperGone`].
    pub fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// The reports that have come since they were last read, without waiting for any.
    pub fn read_reports(&mut self) -> Vec<Report> {
        let mut reports = Vec::new();
        while self.end.is_none() {
            let received = control::receive(self.control_socket(), control::LONGEST_REPORT);
            let report = match received {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Ok(Some(message)) => message.read().unwrap_or(Report::KeeperGone),
                Ok(None) | Err(_) => Report::KeeperGone,
            };
            match report {
                Report::Started { pid } => self.group = Pid::from_raw(pid),
                Report::Empty { .. } => self.end = Some(End::Empty),
                Report::KeeperGone => self.end = Some(End::Gone),
                Report::Failed { .. } | Report::Exited(_) | Report::Stuck => {}
            }
            if self.end.is_some() {
                // The keeper kept this number from being given to somebody else. Not any more.
                self.group = None;
            }
            reports.push(report);
        }
        reports
    }

    /// Stops the program's process group where it is. Does nothing before it started and after its end.
    ///
    /// A process of the program's that went into a group or session of its own goes on.
    ///
    /// # Errors
    /// When the program runs as somebody to whom signals cannot be sent.
    pub fn freeze(&self) -> io::Result<()> {
        self.signal(Signal::STOP)
    }

    /// Lets a frozen program go on. Does nothing before it started and after its end.
    ///
    /// # Errors
    /// When the program runs as somebody to whom signals cannot be sent.
    pub fn thaw(&self) -> io::Result<()> {
        self.signal(Signal::CONT)
    }

    fn signal(&self, signal: Signal) -> io::Result<()> {
        match self.group.map(|group| kill_process_group(group, signal)) {
            None | Some(Ok(()) | Err(Errno::SRCH)) => Ok(()),
            Some(Err(error)) => Err(error.into()),
        }
    }

    /// Tells the keeper to kill the program and all that it started. Frozen ones die too.
    pub fn finish(&mut self) {
        if !self.finishing && self.end.is_none() {
            self.finishing = true;
            // A keeper that is gone is noticed where its reports are read.
            let _ = control::send(self.control_socket(), &Order::Finish);
        }
    }

    /// Tells the keeper to reap the ended processes that came to it.
    pub(super) fn tidy(&mut self) {
        if !self.finishing && self.end.is_none() {
            let _ = control::send(self.control_socket(), &Order::Tidy);
        }
    }

    /// Finishes, and waits for the proof that nothing is left, at the latest until the deadline. If the keeper was
    /// killed, sweeps up what it left.
    ///
    /// Returns the reports that came; [`is_over`](Player::is_over) tells whether the last one was among them.
    pub fn wait_empty(&mut self, deadline: Instant) -> Vec<Report> {
        self.finish();
        let mut reports = self.read_reports();
        while self.end.is_none() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            // Interrupted or not, the reports and the time are looked at again.
            let _ = poll(&mut [PollFd::new(self.control_socket(), PollFlags::IN)], Some(&timespec(left)));
            reports.append(&mut self.read_reports());
        }
        if self.end == Some(End::Gone) {
            // Its socket closes a moment before its children pass to the referee: it must be dead first.
            self.end_keeper();
            orphans::sweep(deadline);
        }
        reports
    }

    fn end_keeper(&mut self) {
        self.keeper.iter_mut().for_each(|keeper| keeper.ward.end());
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        if self.end != Some(End::Empty) {
            self.wait_empty(Instant::now() + DROP_PATIENCE);
        }
        if self.end != Some(End::Empty) {
            // The keeper does not answer: what it holds passes to the referee with its death.
            self.end_keeper();
            orphans::sweep(Instant::now() + DROP_PATIENCE);
        }
    }
}
