//! The line to one bot while somebody talks to it: what is still to be written to it, what can be read from it, and
//! whether it is frozen.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::{Arc, Mutex};

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::process::Pid;

use super::Report;
use super::cgroup::Group;
use super::load::Meter;
use super::player::{Keeper, Player};
use super::process_table::Lookup;
use super::usage::{Forgotten, Look, Sight};
use crate::clock::{Moment, Span};
use crate::record::entry::Exit;
use crate::referee::Usage;

/// One bot, as the loop of a game sees it, or a script that plays the referee.
pub struct Line {
    player: Player,
    // Dropped after the player, when nobody is left in it.
    group: Option<Group>,
    /// Whether it is frozen by its group, which takes longer than signals and reaches what left its process group.
    stops_by_group: bool,
    /// What is still to be written, and how much of it is.
    unsent: Vec<u8>,
    sent: usize,
    /// Close its stdin once everything is written.
    closing: bool,
    frozen: bool,
    /// How often it was frozen so far.
    freezes: u64,
    /// Whether its group is frozen.
    group_frozen: bool,
    /// In which freeze it was last looked at, if in one, with the processor time that was seen then.
    looked_in: Option<u64>,
    rested: Option<(u64, Span)>,
    meter: Meter,
    /// The processor time that it, or others behind its keeper, used in earlier games; not known before it is first
    /// looked at.
    cpu_before: Option<Span>,
    forgotten: Arc<Mutex<Forgotten>>,
    /// How its program ended, once it did.
    pub exit: Option<Exit>,
    /// When its stdout ended, if that was before its program did.
    pub closed_at: Option<Moment>,
    /// How many more processes it left behind, once it is known.
    pub leftovers: Option<u32>,
    /// Whether the referee was told that it is gone.
    pub told_gone: bool,
}

/// Which of a bot's descriptors something can be done with.
#[derive(Clone, Copy, Default)]
pub struct Readiness {
    /// The keeper has a report.
    pub control: bool,
    /// There is something to read, or its end.
    pub stderr: bool,
    /// There is something to read, or its end.
    pub stdout: bool,
    /// It takes more of what is unsent.
    pub stdin: bool,
}

impl Line {
    /// The line to a program that was just started.
    pub fn new(player: Player, group: Option<Group>, stops_by_group: bool) -> Line {
        // A group of its own counts from nothing.
        let cpu_before = if group.is_some() { Span::ZERO } else { player.used_before() };
        Line {
            player,
            stops_by_group: stops_by_group && group.is_some(),
            group,
            unsent: Vec::new(),
            sent: 0,
            closing: false,
            frozen: false,
            freezes: 0,
            group_frozen: false,
            looked_in: None,
            rested: None,
            meter: Meter::default(),
            cpu_before: Some(cpu_before),
            forgotten: Arc::default(),
            exit: None,
            closed_at: None,
            leftovers: None,
            told_gone: false,
        }
    }

    /// Adds what is to be waited for, and in the order in which [`readiness`](Line::readiness) takes it back.
    pub fn wait_for<'a>(&'a self, fds: &mut impl Extend<PollFd<'a>>) {
        if !self.player.is_over() {
            fds.extend([PollFd::from_borrowed_fd(self.player.control(), PollFlags::IN)]);
        }
        for output in [&self.player.stderr, &self.player.stdout].into_iter().flatten() {
            fds.extend([PollFd::new(output, PollFlags::IN)]);
        }
        if let (Some(stdin), true) = (&self.player.stdin, self.sent < self.unsent.len()) {
            fds.extend([PollFd::new(stdin, PollFlags::OUT)]);
        }
    }

    /// Takes what was found from the front of `fds`.
    pub fn readiness(&self, fds: &mut impl Iterator<Item = bool>) -> Readiness {
        let mut take = |waited: bool| waited && fds.next().expect("one for each that was waited for");
        Readiness {
            control: take(!self.player.is_over()),
            stderr: take(self.player.stderr.is_some()),
            stdout: take(self.player.stdout.is_some()),
            stdin: take(self.player.stdin.is_some() && self.sent < self.unsent.len()),
        }
    }

    /// Queues a message and writes as much of it as the pipe takes.
    pub fn send(&mut self, message: &[u8]) {
        if self.sent == self.unsent.len() {
            (self.sent, _) = (0, self.unsent.clear());
        }
        self.unsent.extend_from_slice(message);
        self.write();
    }

    /// Writes what is still to be written, as far as the pipe takes it. A bot that closed its stdin gets no more.
    pub fn write(&mut self) {
        let Some(stdin) = &self.player.stdin else { return };
        let gone = loop {
            if self.sent == self.unsent.len() {
                break self.closing;
            }
            match rustix::io::write(stdin, &self.unsent[self.sent..]) {
                Ok(written) => self.sent += written,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break false,
                Err(_) => break true,
            }
        };
        if gone {
            self.player.stdin = None;
        }
    }

    /// Ends its input, after what is still to be written.
    pub fn close(&mut self) {
        self.closing = true;
        self.write();
    }

    /// Reads once from its stdout: how many bytes, 0 at its end.
    pub fn read_stdout(&mut self, buffer: &mut [u8]) -> Option<usize> {
        read(&mut self.player.stdout, buffer)
    }

    /// Reads once from its stderr: how many bytes, 0 at its end.
    pub fn read_stderr(&mut self, buffer: &mut [u8]) -> Option<usize> {
        read(&mut self.player.stderr, buffer)
    }

    /// The reports of its keeper.
    pub fn reports(&mut self) -> Vec<Report> {
        let reports = self.player.read_reports();
        for report in &reports {
            match report {
                Report::Exited(exit) => self.exit = Some(*exit),
                Report::Empty { leftovers } => self.leftovers = Some(*leftovers),
                _ => {}
            }
        }
        reports
    }

    /// Freezes it or lets it go on, if that is to be changed and it runs.
    ///
    /// # Errors
    /// When signals cannot be sent to it.
    pub fn set_frozen(&mut self, frozen: bool) -> io::Result<()> {
        if self.frozen != frozen && self.exit.is_none() && self.player.pid().is_some() {
            match frozen {
                true => self.freeze()?,
                false => self.thaw()?,
            }
            self.frozen = frozen;
        }
        Ok(())
    }

    fn freeze(&mut self) -> io::Result<()> {
        self.freezes += 1;
        if self.stops_by_group { self.freeze_group(true) } else { self.player.freeze() }
    }

    fn thaw(&mut self) -> io::Result<()> {
        if self.group_frozen {
            self.freeze_group(false)?;
        }
        if self.stops_by_group { Ok(()) } else { self.player.thaw() }
    }

    fn freeze_group(&mut self, frozen: bool) -> io::Result<()> {
        self.group_frozen = frozen;
        self.group.as_ref().map_or(Ok(()), |group| group.freeze(frozen))
    }

    /// Freezes it again by all means that there are, if it is frozen: it may have been woken.
    fn keep_frozen(&mut self) {
        if self.frozen && self.exit.is_none() {
            // Whoever cannot be frozen any more was noticed before, or is about to be.
            let _ = self.freeze_group(true);
            let _ = if self.stops_by_group { Ok(()) } else { self.player.freeze() };
        }
    }

    /// Whether it can go on to another game: it runs, was told everything, and has not been told to end.
    pub fn is_well(&self) -> bool {
        self.exit.is_none()
            && self.closed_at.is_none()
            && !self.told_gone
            && !self.closing
            && self.sent == self.unsent.len()
            && self.player.pid().is_some()
            && self.player.stdin.is_some()
    }

    /// It goes on to another game, in which its processor time counts anew.
    pub fn begin_again(&mut self) {
        self.cpu_before = None;
    }

    /// Where to look for what it uses; nothing once it is told to end. A frozen one is frozen again.
    pub(super) fn look(&mut self, memory_limit: Option<u64>, scratch: Option<&Path>) -> Option<Look> {
        self.keep_frozen();
        self.looked_in = self.frozen.then_some(self.freezes);
        let first = self.player.pid().and_then(Pid::from_raw)?;
        self.is_looked_at().then(|| Look {
            keeper: self.player.keeper(),
            first,
            wrappers: self.player.wrappers(),
            group: self.group.as_ref().map(|group| group.path().to_owned()),
            memory_limit,
            scratch: scratch.map(Path::to_owned),
            forgotten: Arc::clone(&self.forgotten),
        })
    }

    fn is_looked_at(&self) -> bool {
        self.player.pid().is_some() && !self.told_gone && !self.closing
    }

    /// What it used in this game, by what was seen; nothing if it was told to end meanwhile.
    pub(super) fn count(&mut self, sight: Sight) -> Option<Usage> {
        if !self.is_looked_at() {
            return None;
        }
        let Sight { usage: mut seen, strays } = sight;
        if strays {
            self.player.tidy();
        }
        seen.cpu_frozen = self.used_frozen(seen.cpu);
        // What a process used in earlier games is known only from the first look on.
        let before = *self.cpu_before.get_or_insert(seen.cpu);
        seen.cpu = seen.cpu - before;
        Some(seen)
    }

    /// How much it has used since the look before, if it was frozen all the time from that on.
    fn used_frozen(&mut self, cpu: Span) -> Span {
        let freeze = self.looked_in.filter(|&freeze| self.frozen && freeze == self.freezes);
        let before = std::mem::replace(&mut self.rested, freeze.map(|freeze| (freeze, cpu)));
        before.filter(|&(earlier, _)| Some(earlier) == freeze).map_or(Span::ZERO, |(_, before)| cpu - before)
    }

    /// Does something with the counts of what its questions cost, as long as its program runs.
    pub(super) fn meter<T>(&mut self, f: impl FnOnce(&mut Meter, Pid) -> T) -> Option<T> {
        let keeper = self.player.pid().map(|_| self.player.keeper())?;
        Some(f(&mut self.meter, keeper))
    }

    /// What it uses with all that it started, when somebody asks now and then; nothing once it is told to end.
    pub fn used(&mut self, memory_limit: Option<u64>) -> Option<Usage> {
        let seen = self.look(memory_limit, None)?.take(Lookup::of_this_kernel());
        self.count(seen)
    }

    /// Has it killed with all that it started.
    pub fn kill(&mut self) {
        self.player.stdin = None;
        self.player.finish();
    }

    /// Whether its program ended or could not be started, and its output was read.
    pub fn is_quiet(&self) -> bool {
        self.player.is_over() || self.exit.is_some() && self.player.stdout.is_none() && self.player.stderr.is_none()
    }

    /// Ends it for good and waits for the proof that nothing is left; whether that came.
    pub fn end(&mut self, deadline: std::time::Instant) -> bool {
        for report in self.player.wait_empty(deadline) {
            match report {
                Report::Exited(exit) => self.exit = Some(exit),
                Report::Empty { leftovers } => self.leftovers = Some(leftovers),
                _ => {}
            }
        }
        self.player.is_over()
    }

    /// Its keeper, if nothing is left of its program.
    pub fn into_keeper(self) -> Option<Keeper> {
        self.player.into_keeper()
    }
}

/// Reads once; the pipe is closed at its end. Nothing if there is nothing to read now.
fn read(pipe: &mut Option<OwnedFd>, buffer: &mut [u8]) -> Option<usize> {
    let read = loop {
        match rustix::io::read(pipe.as_ref()?.as_fd(), &mut *buffer) {
            Err(Errno::INTR) => {}
            read => break read,
        }
    };
    match read {
        Err(Errno::AGAIN) => None,
        Ok(0) | Err(_) => {
            *pipe = None;
            Some(0)
        }
        Ok(count) => Some(count),
    }
}
