//! A conversation with one process of the bot: bytes to it, lines from it, and what becomes of it.
//!
//! Nothing is judged here. Whatever the bot writes is taken in, at any time and as it comes; the scripts say what they
//! make of it.

use std::collections::VecDeque;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::verdict::Halt;
use crate::host::line::{Line, Readiness};
use crate::host::play::CLOSED_GRACE;
use crate::host::sandbox::scratch::Scratch;
use crate::host::{Blame, Player, Report};
use crate::protocol::lines::Lines;
use crate::protocol::receive::shown;
use crate::record::entry::Exit;
use crate::referee::Usage;

/// The longest line that is still taken in, in bytes: more than a bot may write, to say by how much it is too long.
const LONGEST: usize = 4 << 20;
/// How much of the end of stderr is kept, in bytes.
const STDERR_KEPT: usize = 2000;
/// How long the end of all processes of a bot may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a program may run on after its output has ended.
const CLOSED: Duration = Duration::from_nanos(CLOSED_GRACE.0);
/// How often the output of a program that ended is read for more.
const DRAIN_READS: usize = 64;

/// A line that came, without its end.
#[derive(Clone, Debug)]
pub struct Arrived {
    /// The line.
    pub line: Vec<u8>,
    /// When it was complete.
    pub at: Instant,
}

/// One running bot and the talk with it.
pub struct Talk<'a> {
    line: Line,
    stop: Option<BorrowedFd<'a>>,
    lines: Lines,
    inbox: VecDeque<Arrived>,
    buffer: Vec<u8>,
    /// When it was started.
    pub began: Instant,
    /// How many bytes came on stderr.
    pub stderr_bytes: u64,
    stderr: String,
    exited: Option<Instant>,
    not_started: Option<String>,
    closed: Option<Instant>,
    /// The most that it used whenever it was looked at.
    pub peak: Usage,
    memory_limit: Option<u64>,
    // Removed after the bot is gone.
    _scratch: Option<Scratch>,
}

impl<'a> Talk<'a> {
    /// The talk with a program that was just started.
    pub fn new(
        player: Player,
        began: Instant,
        stop: Option<BorrowedFd<'a>>,
        memory_limit: Option<u64>,
        scratch: Option<Scratch>,
    ) -> Talk<'a> {
        Talk {
            line: Line::new(player, None, false),
            stop,
            lines: Lines::new(LONGEST),
            inbox: VecDeque::new(),
            buffer: vec![0; 64 * 1024],
            began,
            stderr_bytes: 0,
            stderr: String::new(),
            exited: None,
            not_started: None,
            closed: None,
            peak: Usage::default(),
            memory_limit,
            _scratch: scratch,
        }
    }

    /// Writes to the bot: what its pipe takes now, and the rest while it is listened to.
    pub fn say(&mut self, bytes: &[u8]) {
        self.line.send(bytes);
    }

    /// Ends its input, after everything that was said.
    pub fn end_input(&mut self) {
        self.line.close();
    }

    /// The next complete line, at the latest `until` then; nothing if none came, or none can come any more.
    ///
    /// # Errors
    /// When the checks are to stop, or the program cannot be started for a reason that is not its own.
    pub fn next_line(&mut self, until: Instant) -> Result<Option<Arrived>, Halt> {
        loop {
            if let Some(arrived) = self.inbox.pop_front() {
                return Ok(Some(arrived));
            }
            if self.is_gone() || Instant::now() >= until {
                return Ok(None);
            }
            // Where the output has ended the program may be about to.
            self.pump(self.closed.map_or(until, |closed| until.min(closed + CLOSED)))?;
        }
    }

    /// Listens for so long, and keeps what comes.
    ///
    /// # Errors
    /// Those of [`next_line`](Talk::next_line).
    pub fn listen(&mut self, time: Duration) -> Result<(), Halt> {
        let until = Instant::now() + time;
        while Instant::now() < until {
            self.pump(until)?;
        }
        Ok(())
    }

    /// Everything that came and was not asked for.
    pub fn take_lines(&mut self) -> Vec<Arrived> {
        self.inbox.drain(..).collect()
    }

    /// What has come of a line that is not complete.
    pub fn partial(&self) -> &[u8] {
        self.lines.partial()
    }

    /// Waits for the end of its program; how it ended and when.
    ///
    /// # Errors
    /// Those of [`next_line`](Talk::next_line).
    pub fn wait_exit(&mut self, until: Instant) -> Result<Option<(Exit, Instant)>, Halt> {
        while self.exited.is_none() && self.not_started.is_none() && Instant::now() < until {
            self.pump(until)?;
        }
        Ok(self.line.exit.zip(self.exited))
    }

    /// Whether it can say nothing any more.
    pub fn is_gone(&self) -> bool {
        let is_closed = self.closed.is_some_and(|closed| closed.elapsed() >= CLOSED);
        self.exited.is_some() || is_closed || self.not_started.is_some()
    }

    /// Whether it is gone otherwise than by ending with status 0.
    pub fn ended_badly(&self) -> bool {
        self.is_gone() && self.line.exit != Some(Exit::Code(0))
    }

    /// How it is gone, in words: `ended with exit code 1`.
    pub fn how_gone(&self) -> String {
        match (&self.not_started, self.line.exit) {
            (Some(reason), _) => format!("cannot be started: {reason}"),
            (None, Some(exit)) => format!("ended with {exit}"),
            (None, None) => "closed its stdout".to_owned(),
        }
    }

    /// That it is gone, for its author: `it ended with exit code 1 at over; its stderr ends in “KeyError: 'ranks'”`.
    pub fn gone_words(&self, when: &str) -> String {
        format!("it {} {when}{}", self.how_gone(), self.stderr_words())
    }

    /// The last line of its stderr, to be put behind other words; nothing if there is none.
    pub fn stderr_words(&self) -> String {
        let last = self.stderr.lines().rev().find(|line| !line.trim().is_empty());
        last.map(|line| format!("; its stderr ends in “{}”", shown(line.trim().as_bytes()))).unwrap_or_default()
    }

    /// Stops its process group where it is, or lets it go on.
    ///
    /// # Errors
    /// When signals cannot be sent to it.
    pub fn set_frozen(&mut self, frozen: bool) -> Result<(), Halt> {
        Ok(self.line.set_frozen(frozen)?)
    }

    /// What it uses now, with all that it started.
    pub fn look(&mut self) -> Usage {
        let now = self.line.used(self.memory_limit).unwrap_or_default();
        self.peak.memory_bytes = self.peak.memory_bytes.max(now.memory_bytes);
        self.peak.processes = self.peak.processes.max(now.processes);
        self.peak.open_files = self.peak.open_files.max(now.open_files);
        self.peak.cpu = self.peak.cpu.max(now.cpu);
        now
    }

    /// Ends it with all that it started; how many of its processes beside the program were left by then.
    pub fn finish(mut self) -> u32 {
        self.line.kill();
        self.line.end(Instant::now() + PATIENCE);
        self.line.leftovers.unwrap_or(0)
    }

    /// Waits for the next thing to happen, and takes it in.
    fn pump(&mut self, until: Instant) -> Result<(), Halt> {
        let ready = self.wait(until)?;
        if ready.stderr {
            self.read_stderr();
        }
        if ready.stdout {
            self.read_stdout();
        }
        if ready.stdin {
            self.line.write();
        }
        if ready.control { self.read_reports() } else { Ok(()) }
    }

    fn wait(&self, until: Instant) -> Result<Readiness, Halt> {
        let mut fds: Vec<PollFd> = Vec::with_capacity(5);
        self.line.wait_for(&mut fds);
        fds.extend(self.stop.map(|stop| PollFd::from_borrowed_fd(stop, PollFlags::IN)));
        let left = until.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
        // An interrupted wait is one in which nothing was seen.
        let seen = poll(&mut fds, Some(&timeout)).unwrap_or(0) > 0;
        let mut found = fds.iter().map(|fd| seen && !fd.revents().is_empty());
        let ready = self.line.readiness(&mut found);
        if self.stop.is_some() && found.next() == Some(true) { Err(Halt::Stopped) } else { Ok(ready) }
    }

    fn read_stdout(&mut self) -> bool {
        let count = self.line.read_stdout(&mut self.buffer);
        if count == Some(0) {
            self.closed = Some(Instant::now());
        }
        let (at, mut rest) = (Instant::now(), &self.buffer[..count.unwrap_or(0)]);
        while let (taken, Some(line)) = self.lines.next(rest) {
            // What is too long even for us is told by its beginning.
            let line = line.map_or_else(|_| vec![b'?'; LONGEST], <[u8]>::to_vec);
            self.inbox.push_back(Arrived { line, at });
            rest = &rest[taken..];
        }
        count > Some(0)
    }

    fn read_stderr(&mut self) -> bool {
        let count = self.line.read_stderr(&mut self.buffer).unwrap_or(0);
        self.stderr_bytes += count as u64;
        self.stderr.push_str(&String::from_utf8_lossy(&self.buffer[..count]));
        if self.stderr.len() > 2 * STDERR_KEPT {
            let cut = self.stderr.ceil_char_boundary(self.stderr.len() - STDERR_KEPT);
            self.stderr.drain(..cut);
        }
        count > 0
    }

    fn read_reports(&mut self) -> Result<(), Halt> {
        for report in self.line.reports() {
            match report {
                Report::Exited(_) => {
                    // Everything that it wrote before it ended comes before its end.
                    let mut reads = 0;
                    while reads < DRAIN_READS && (self.read_stderr() | self.read_stdout()) {
                        reads += 1;
                    }
                    self.exited = Some(Instant::now());
                }
                Report::Failed { reason, blame: Blame::Program } => self.not_started = Some(reason),
                Report::Failed { reason, blame: Blame::Machine } => return Err(std::io::Error::other(reason).into()),
                Report::KeeperGone => return Err(std::io::Error::other("the keeper of the bot was killed").into()),
                Report::Started { .. } | Report::Empty { .. } | Report::Stuck => {}
            }
        }
        Ok(())
    }
}
