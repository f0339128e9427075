//! The loop of one game: waits for its bots, tells the referee what happened and when, and does what follows.
//!
//! This is the only place where the clock of a game is read. It decides nothing: every verdict is the referee's.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::os::fd::BorrowedFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::{Deserialize, Serialize};

use super::cgroup::Groups;
use super::gate::{self, Permit};
pub use super::kept::Kept;
use super::line::Line;
use super::looks::Looker;
use super::player::{self, Keeper, Player};
use super::process_table::Lookup;
use super::program::Program;
use super::{Blame, Confinement, Report};
use crate::clock::{Moment, Span};
use crate::record::entry::{End, Entry, Note};
use crate::record::outcome::GameResult;
use crate::record::writer::Writer;
use crate::referee::{CannotBegin, Effect, Event, Gone, Referee, Setup};
use crate::seat::{BySeat, MAX_SEATS, Seat};

/// How long a bot may take to end by itself after `over` and the end of its input.
pub const END_GRACE: Span = Span::from_ms(100);

/// How long a stdout may be closed before its program is taken for one that lives on.
pub const CLOSED_GRACE: Span = Span::from_ms(100);

/// How long the end of all processes may take before the referee gives up on them.
const LAST_PATIENCE: Duration = Duration::from_secs(5);

/// How old what is not yet in the log's file may become.
const FLUSH_AFTER: Span = Span::from_ms(50);

/// Names a number of plies at which the rules are to fail, so that tests see what becomes of a game then.
const PRETEND_PANIC: &str = "ARBITRO_PRETEND_PANIC_AT";

/// Whether bots run while others think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ponder {
    /// A bot is frozen while it is not asked.
    Stop,
    /// All run all the time.
    Allow,
}

/// What one game is played with, beside its rules.
#[derive(Clone, Debug)]
pub struct Arena {
    /// The executable that keepers are started from.
    pub referee_exe: PathBuf,
    /// The programs in the order of the seats.
    pub programs: BySeat<Program>,
    /// What each of them may use and touch.
    pub confinements: BySeat<Confinement>,
    /// Whether they run while others think.
    pub ponder: Ponder,
    /// Whether they go on to another game when one is over.
    pub keep: bool,
    /// Where control groups for them can be made, if anywhere.
    pub groups: Option<Groups>,
}

impl Arena {
    /// Starts the bot of a seat.
    fn start(&self, seat: Seat, idle: Option<Keeper>) -> io::Result<Line> {
        let mut confinement = self.confinements[seat].clone();
        let group = self.groups.as_ref().map(Groups::make).transpose()?;
        confinement.cgroup = group.as_ref().map(|group| group.path().to_owned());
        if self.keep {
            // The kernel counts the life of a process, and the limit is for a game.
            confinement.limits.cpu_seconds = None;
        }
        let player = Player::start(&self.referee_exe, idle, &self.programs[seat], &confinement)?;
        // A bot that cannot leave its process group is stopped the quick way.
        Ok(Line::new(player, group, !confinement.layers.seccomp))
    }

    /// The bots, each with what holds it.
    pub fn bots(&mut self) -> impl Iterator<Item = (&mut Program, &mut Confinement)> {
        self.programs.iter_mut().zip(self.confinements.iter_mut())
    }
}

/// A game that was played to some end.
pub struct Finished {
    /// The end line of its log, which is not written yet: games that share their luck reveal it together.
    pub end: End,
    /// What each bot was last charged with, and the end of its stderr, for its author.
    pub faults: Vec<FaultShown>,
    /// Whether nothing is left of any bot.
    pub clean: bool,
}

/// A fault, to be shown to the author of a bot.
#[derive(Clone, Debug)]
pub struct FaultShown {
    /// Whose.
    pub seat: Seat,
    /// Its name in the log.
    pub kind: &'static str,
    /// What happened and what to do about it.
    pub words: String,
    /// Whether the game went on as if nothing had happened, but for a move drawn by the referee.
    pub tolerated: bool,
    /// The last that came on stderr before.
    pub stderr: String,
}

/// Why a game has no log to speak of.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// It cannot begin.
    #[error(transparent)]
    CannotBegin(#[from] CannotBegin),
    /// Its log cannot be written.
    #[error("the log cannot be written: {0}")]
    Log(#[source] io::Error),
}

/// Plays one game, with the processes that were kept from an earlier one; afterwards `kept` has those that go on.
///
/// `stop` becomes readable when the referee is to stop; `watch` is called after every change. The end line is not
/// written, see [`Finished::end`].
///
/// # Errors
/// When the game cannot begin, or its log cannot be written. No bot is left in either case.
pub fn play<W: Write>(
    arena: &Arena,
    setup: Setup,
    kept: &mut BySeat<Kept>,
    log: &mut Writer<W>,
    stop: Option<BorrowedFd>,
    watch: &mut dyn FnMut(&Referee),
) -> Result<Finished, HostError> {
    let mut effects = Vec::new();
    let asked_before = kept.iter().map(|kept| kept.asked).max().unwrap_or(0);
    let referee = Referee::new(setup, asked_before, &mut effects)?;
    // Programs that run already start nothing.
    let permit = kept.iter().any(|kept| kept.line.is_none()).then(|| Permit::wait(stop));
    let lookup = Lookup::of_this_kernel();
    let mut game = Running {
        arena,
        lines: BySeat::from_fn(arena.programs.len(), |seat| kept[seat].line.take()),
        keepers: BySeat::from_fn(arena.programs.len(), |seat| kept[seat].keeper.take()),
        referee,
        began: Instant::now(),
        log,
        unflushed_since: None,
        log_error: None,
        buffer: vec![0; 64 * 1024],
        end: None,
        faults: Vec::new(),
        last_stderr: arena.programs.map(|_| String::new()),
        to_send: VecDeque::new(),
        permit,
        lookup,
        looker: Looker::new(lookup),
        panic_at: std::env::var(PRETEND_PANIC).ok().and_then(|plies| plies.parse().ok()),
    };
    game.follow(&mut effects);
    game.send_all(&mut effects);
    watch(&game.referee);
    while game.end.is_none() && game.log_error.is_none() {
        game.turn(&mut effects, stop);
        watch(&game.referee);
    }
    let clean = game.finish(kept);
    // Its end line may wait for other games: what is there can be read by then.
    game.flush();
    match (game.log_error, game.end) {
        (Some(error), _) => Err(HostError::Log(error)),
        (None, Some(end)) => Ok(Finished { end: *end, faults: game.faults, clean }),
        (None, None) => unreachable!("the loop runs until there is one of them"),
    }
}

struct Running<'a, W: Write> {
    arena: &'a Arena,
    lines: BySeat<Option<Line>>,
    /// Those that hold nobody yet.
    keepers: BySeat<Option<Keeper>>,
    referee: Referee,
    began: Instant,
    log: &'a mut Writer<W>,
    unflushed_since: Option<Moment>,
    log_error: Option<io::Error>,
    buffer: Vec<u8>,
    end: Option<Box<End>>,
    faults: Vec<FaultShown>,
    last_stderr: BySeat<String>,
    to_send: VecDeque<Seat>,
    /// Held while the bots start.
    permit: Option<Permit>,
    lookup: Lookup,
    looker: Looker,
    /// After how many plies the rules are to fail, in a test.
    panic_at: Option<u64>,
}

impl<W: Write> Running<'_, W> {
    fn now(&self) -> Moment {
        Moment(self.began.elapsed().as_nanos() as u64)
    }

    fn seats(&self) -> impl Iterator<Item = Seat> + use<W> {
        Seat::first(self.lines.len())
    }

    /// Waits for the next thing to happen and lets everything follow from it.
    fn turn(&mut self, effects: &mut Vec<Effect>, stop: Option<BorrowedFd>) {
        let ready = self.wait(stop);
        let at = self.now();
        if ready.stop {
            self.event(at, Event::Stop, effects);
            return self.send_all(effects);
        }
        for (seat, ready) in self.seats().zip(&ready.lines) {
            if ready.control {
                self.read_reports(at, seat, effects);
            }
            if ready.stderr {
                self.read_stderr(at, seat, effects);
            }
            if ready.stdout {
                self.read_stdout(at, seat, effects);
            }
            if let (true, Some(line)) = (ready.stdin, &mut self.lines[seat]) {
                line.write();
            }
        }
        self.tell_of_closed(at, effects);
        if self.referee.deadline().is_some_and(|deadline| at >= deadline) {
            self.seats().for_each(|seat| self.read_load(at, seat, effects));
            self.event(at, Event::Tick, effects);
        }
        self.look_at_use(at, effects);
        self.send_all(effects);
        self.freeze_those_not_asked(effects);
        self.flush_if_due(at);
        if self.referee.turn() > 0 || at >= Moment(0) + gate::LONGEST {
            self.permit = None;
        }
    }

    fn wait(&self, stop: Option<BorrowedFd>) -> Ready {
        let mut fds = WaitedFor::new();
        self.lines.iter().flatten().for_each(|line| line.wait_for(&mut fds));
        if let Some(stop) = stop {
            fds.push(PollFd::from_borrowed_fd(stop, PollFlags::IN));
        }
        let closed = self.lines.iter().flatten().filter(|line| !line.told_gone).filter_map(|line| line.closed_at);
        let flush = self.unflushed_since.map(|since| since + FLUSH_AFTER);
        let gate = self.permit.as_ref().map(|_| Moment(0) + gate::LONGEST);
        let wakes = [self.referee.deadline(), flush, gate, Some(self.looker.wake())];
        let wake = wakes.into_iter().flatten().chain(closed.map(|at| at + CLOSED_GRACE)).min();
        let timeout = wake.map(|wake| timespec(wake.since(self.now())));
        // An interrupted wait is one in which nothing was seen.
        let seen = poll(&mut fds, timeout.as_ref()).unwrap_or(0) > 0;
        let mut found = fds.iter().map(|fd| seen && !fd.revents().is_empty());
        let lines = self.lines.map(|line| line.as_ref().map(|line| line.readiness(&mut found)).unwrap_or_default());
        Ready { lines, stop: stop.is_some() && found.next().unwrap_or(false) }
    }

    // What happened.

    fn event(&mut self, at: Moment, event: Event, effects: &mut Vec<Effect>) {
        let (referee, panic_at) = (&mut self.referee, self.panic_at);
        let handled = catch_unwind(AssertUnwindSafe(|| {
            assert!(panic_at != Some(referee.plies()), "a test pretends that the rules fail");
            referee.handle(at, event, effects);
        }));
        if handled.is_err() {
            referee.handle(at, Event::Panicked, effects);
        }
        self.follow(effects);
    }

    /// Reads once; whether anything came.
    fn read_stdout(&mut self, at: Moment, seat: Seat, effects: &mut Vec<Effect>) -> bool {
        let Some(line) = &mut self.lines[seat] else { return false };
        let mut buffer = std::mem::take(&mut self.buffer);
        let count = line.read_stdout(&mut buffer);
        // Not before: what comes while that is counted comes later.
        if count > Some(0) {
            self.read_load(at, seat, effects);
        }
        match count {
            None => {}
            Some(0) => self.lines[seat].iter_mut().for_each(|line| line.closed_at = Some(at)),
            Some(count) => self.event(at, Event::Bytes { seat, bytes: &buffer[..count] }, effects),
        }
        self.buffer = buffer;
        count > Some(0)
    }

    /// Reads once; whether anything came.
    fn read_stderr(&mut self, at: Moment, seat: Seat, effects: &mut Vec<Effect>) -> bool {
        let Some(line) = &mut self.lines[seat] else { return false };
        let mut buffer = std::mem::take(&mut self.buffer);
        let count = line.read_stderr(&mut buffer).unwrap_or(0);
        if count > 0 {
            keep_last(&mut self.last_stderr[seat], &buffer[..count]);
            self.event(at, Event::Stderr { seat, bytes: &buffer[..count] }, effects);
        }
        self.buffer = buffer;
        count > 0
    }

    fn read_reports(&mut self, at: Moment, seat: Seat, effects: &mut Vec<Effect>) {
        let reports = self.lines[seat].as_mut().map(Line::reports).unwrap_or_default();
        for report in reports {
            match report {
                Report::Exited(exit) => {
                    self.drain(at, seat, effects);
                    self.gone(at, seat, Gone::Exited(exit), effects);
                }
                Report::Failed { reason, blame } => {
                    tracing::warn!(seat = seat.index(), reason, "a program could not be started");
                    match blame {
                        Blame::Program => self.gone(at, seat, Gone::NotStarted(reason), effects),
                        Blame::Machine => self.event(at, Event::Broken, effects),
                    }
                }
                Report::KeeperGone if !self.referee_killed(seat) => self.event(at, Event::Broken, effects),
                Report::Stuck => tracing::warn!(seat = seat.index(), "a process cannot be killed"),
                Report::KeeperGone | Report::Started { .. } | Report::Empty { .. } => {}
            }
        }
    }

    /// Whether the referee itself had this bot killed, so that its keeper may be gone.
    fn referee_killed(&self, seat: Seat) -> bool {
        self.lines[seat].as_ref().is_none_or(|line| line.told_gone)
    }

    /// Everything that a program wrote before it ended comes before its end.
    fn drain(&mut self, at: Moment, seat: Seat, effects: &mut Vec<Effect>) {
        for _ in 0..DRAIN_READS {
            if !(self.read_stderr(at, seat, effects) | self.read_stdout(at, seat, effects)) {
                break;
            }
        }
    }

    /// Counts what the time of a question was spent on, if the seat has one.
    fn read_load(&mut self, at: Moment, seat: Seat, effects: &mut Vec<Effect>) {
        let (asked, lookup) = (self.referee.is_asked(seat), self.lookup);
        let Some(line) = self.lines[seat].as_mut().filter(|_| asked) else { return };
        if let Some(load) = line.meter(|meter, keeper| meter.read(at, Instant::now(), lookup, keeper)).flatten() {
            self.event(at, Event::Load { seat, load }, effects);
        }
    }

    fn look_at_use(&mut self, at: Moment, effects: &mut Vec<Effect>) {
        if self.looker.is_due(at, self.referee.deadline()) {
            let limit = self.referee.limits().memory_bytes;
            let (lines, arena) = (&mut self.lines, self.arena);
            let look = |seat: Seat| {
                let scratch = arena.confinements[seat].scratch.as_deref();
                Some((seat, lines[seat].as_mut()?.look(limit, scratch)?))
            };
            let looks = Seat::first(arena.programs.len()).filter_map(look).collect();
            self.looker.order(at, looks);
        }
        for (seat, usage) in self.looker.seen(at) {
            if let Some(usage) = self.lines[seat].as_mut().and_then(|line| line.count(usage)) {
                self.event(at, Event::Used { seat, usage }, effects);
            }
        }
    }

    fn gone(&mut self, at: Moment, seat: Seat, how: Gone, effects: &mut Vec<Effect>) {
        if let Some(line) = &mut self.lines[seat]
            && !std::mem::replace(&mut line.told_gone, true)
        {
            self.event(at, Event::Gone { seat, how }, effects);
        }
    }

    /// A program that closed its stdout and did not end soon after can answer no more.
    fn tell_of_closed(&mut self, at: Moment, effects: &mut Vec<Effect>) {
        for seat in self.seats() {
            let closed = self.lines[seat].as_ref().and_then(|line| line.closed_at);
            if closed.is_some_and(|closed| at >= closed + CLOSED_GRACE) {
                self.gone(at, seat, Gone::Closed, effects);
            }
        }
    }

    // What follows.

    fn follow(&mut self, effects: &mut Vec<Effect>) {
        for effect in effects.drain(..) {
            match effect {
                Effect::Send(seat) => self.to_send.push_back(seat),
                Effect::Log(entry) => self.write(&entry),
                Effect::Kill(seat) => self.kill(seat),
                Effect::Done(end) => self.end = Some(end),
            }
        }
    }

    /// Sends what is to be sent, after everything that came before: otherwise a line that was there before its question
    /// would be read after it, with a moment that lies before it.
    fn send_all(&mut self, effects: &mut Vec<Effect>) {
        while let Some(seat) = self.to_send.pop_front() {
            self.send(seat, effects);
        }
    }

    fn send(&mut self, seat: Seat, effects: &mut Vec<Effect>) {
        let lookup = self.lookup;
        if let Some(line) = &mut self.lines[seat] {
            line.meter(|meter, keeper| meter.prepare(Instant::now(), lookup, keeper));
            // A bot that cannot be let go on has until its deadline, like one that does not read.
            let _ = line.set_frozen(false);
        }
        let at = self.now();
        self.event(at, Event::Sending { seat }, effects);
        if self.lines[seat].is_none() && self.end.is_none() {
            match self.arena.start(seat, self.keepers[seat].take()) {
                Ok(line) => self.lines[seat] = Some(line),
                Err(error) => {
                    tracing::error!(
                        seat = seat.index(),
                        "a keeper could not be started: {error}{}",
                        player::remedy(&error)
                    );
                    return self.event(at, Event::Broken, effects);
                }
            }
        }
        if let Some(line) = &mut self.lines[seat] {
            line.meter(|meter, _| meter.ask(Instant::now()));
            line.send(self.referee.message(seat));
        }
    }

    fn kill(&mut self, seat: Seat) {
        if let Some(line) = &mut self.lines[seat] {
            line.kill();
        }
    }

    fn write(&mut self, entry: &Entry) {
        if let Entry::Fault(fault) = entry {
            let words = fault.host.as_ref().map(|host| host.words.clone()).unwrap_or_default();
            let stderr = self.last_stderr[fault.seat].clone();
            let (seat, kind, tolerated) = (fault.seat, fault.kind.as_str(), fault.tolerated);
            self.faults.push(FaultShown { seat, kind, words, tolerated, stderr });
        }
        if let Err(error) = self.log.entry(entry) {
            self.log_error.get_or_insert(error);
        }
        if self.unflushed_since.is_none() {
            self.unflushed_since = Some(self.now());
        }
    }

    fn flush_if_due(&mut self, at: Moment) {
        if self.unflushed_since.is_some_and(|since| at >= since + FLUSH_AFTER) {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.unflushed_since = None;
        if let Err(error) = self.log.flush() {
            self.log_error.get_or_insert(error);
        }
    }

    fn freeze_those_not_asked(&mut self, effects: &mut Vec<Effect>) {
        if self.arena.ponder == Ponder::Allow || self.end.is_some() {
            return;
        }
        for seat in self.seats() {
            let asked = self.referee.is_asked(seat);
            let frozen = self.lines[seat].as_mut().map_or(Ok(()), |line| line.set_frozen(!asked));
            if let Err(error) = frozen {
                tracing::error!(%error, seat = seat.index(), "a bot cannot be frozen");
                self.event(self.now(), Event::Broken, effects);
            }
        }
        self.send_all(effects);
    }

    // The end.

    /// Keeps the bots that go on. Gives the others a moment to end by themselves, then ends them all, and keeps their
    /// keepers; whether that was proven.
    fn finish(&mut self, kept: &mut BySeat<Kept>) -> bool {
        let decided = self.end.as_ref().is_some_and(|end| end.outcome.result == GameResult::Decided);
        if self.arena.keep && decided && self.log_error.is_none() {
            self.keep(kept);
        }
        for line in self.lines.iter_mut().flatten() {
            let _ = line.set_frozen(false);
            line.close();
        }
        let deadline = self.now() + END_GRACE;
        while self.lines.iter().flatten().any(|line| !line.is_quiet()) && self.now() < deadline {
            self.wait_for_ends(deadline);
        }
        let last = Instant::now() + LAST_PATIENCE;
        self.lines.iter_mut().flatten().for_each(|line| line.kill());
        let mut clean = true;
        self.lines.iter_mut().flatten().for_each(|line| clean &= line.end(last));
        for seat in self.seats() {
            if let Some(line) = self.lines[seat].take() {
                let note = Note::Ended { seat, exit: line.exit, leftovers: line.leftovers.unwrap_or(0) };
                self.write(&Entry::Note(Box::new(note)));
                kept[seat].keeper = line.into_keeper();
            }
        }
        clean
    }

    /// Freezes the bots that are well, and takes them out of this game.
    fn keep(&mut self, kept: &mut BySeat<Kept>) {
        for (seat, kept) in self.seats().zip(kept.iter_mut()) {
            let Some(mut line) = self.lines[seat].take_if(|line| line.is_well() && line.set_frozen(true).is_ok())
            else {
                continue;
            };
            line.begin_again();
            *kept = Kept { line: Some(line), keeper: None, asked: self.referee.asked() };
        }
    }

    /// Waits until the bots write, end or the time is over; what they still write is of no interest.
    fn wait_for_ends(&mut self, deadline: Moment) {
        let mut fds = WaitedFor::new();
        self.lines.iter().flatten().for_each(|line| line.wait_for(&mut fds));
        let timeout = timespec(deadline.since(self.now()));
        let seen = poll(&mut fds, Some(&timeout)).unwrap_or(0) > 0;
        let found: Vec<bool> = fds.iter().map(|fd| seen && !fd.revents().is_empty()).collect();
        drop(fds);
        let mut found = found.into_iter();
        for line in self.lines.iter_mut().flatten() {
            let ready = line.readiness(&mut found);
            if ready.control {
                line.reports();
            }
            if ready.stdout {
                line.read_stdout(&mut self.buffer);
            }
            if ready.stderr {
                line.read_stderr(&mut self.buffer);
            }
            if ready.stdin {
                line.write();
            }
        }
    }
}

/// Adds to the text that is shown with a fault, and keeps its end.
fn keep_last(text: &mut String, bytes: &[u8]) {
    text.push_str(&String::from_utf8_lossy(bytes));
    if text.len() > 2 * STDERR_SHOWN {
        let cut = text.ceil_char_boundary(text.len() - STDERR_SHOWN);
        text.drain(..cut);
    }
}

/// About how much of the end of its stderr is shown with a fault.
const STDERR_SHOWN: usize = 2000;

/// What is waited for: four descriptors a seat at most, and the one that says stop.
type WaitedFor<'a> = ArrayVec<PollFd<'a>, { 4 * MAX_SEATS + 1 }>;

struct Ready {
    lines: BySeat<super::line::Readiness>,
    stop: bool,
}

/// How often the output of a program that ended is read before it is taken for endless: something that it started may
/// go on writing.
const DRAIN_READS: usize = 64;

fn timespec(span: Span) -> Timespec {
    Timespec { tv_sec: (span.0 / 1_000_000_000) as i64, tv_nsec: (span.0 % 1_000_000_000) as i64 }
}
