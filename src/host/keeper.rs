//! The process that stands between referee and bot, and holds whatever the bot starts until all of it is dead.
//!
//! It is single-threaded: the bot's death signal is tied to the thread that started it. It sleeps during a game: the
//! end of the bot reaches it through a process descriptor and not as `SIGCHLD`, which would also come each time the
//! bot is frozen or thawed. It keeps the ended bot unreaped until the last moment, so that the number of its process
//! group, to which referee and keeper send signals, is taken as long as anybody uses it.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, FdFlags};
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitIdStatus, getpid, kill_process,
    kill_process_group, pidfd_open, set_child_subreaper, set_dumpable_behavior, setsid, waitid,
};

use super::THIS_EXECUTABLE;
use super::cgroup;
use super::control::{self, Blame, LAUNCHER, Message, Order, Report, Request, Word};
use super::isolation::Wrapper;
use super::process_table::{Lookup, Member, await_end, breathe, is_alive, reap, timespec};
use super::sandbox::{Confinement, scratch};
use super::signals;
use crate::record::entry::Exit;

/// How long the end may take before the referee hears that something is stuck.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long the keeper waits for one process that it killed before it looks around again.
const GLANCE: Duration = Duration::from_millis(50);
/// How often, while the bot runs, the ended processes that it left to the keeper are reaped.
const TIDY_EVERY: Duration = Duration::from_secs(5);

/// Runs the keeper: it holds one player after another, until its referee is gone.
///
/// Its standard input is the socket to the referee.
pub fn run() -> ExitCode {
    let keeper = take_over().map(Keeper::new);
    let first = keeper.and_then(|keeper| Ok((keeper.next_request().ok_or(io::ErrorKind::UnexpectedEof)?, keeper)));
    let Ok((first, mut keeper)) = first else {
        eprintln!("this command is the referee's own: it holds bots with it");
        return ExitCode::from(70);
    };
    if let Err(error) = set_apart() {
        keeper.report(&failed(format!("the keeper cannot set itself apart: {error}")));
        return ExitCode::from(70);
    }
    let mut next = Some(first);
    while let Some(request) = next {
        keeper.hold(request);
        next = keeper.next_request();
    }
    // A referee that was killed has not removed it.
    keeper.scratch.iter().for_each(|folder| scratch::remove_own(folder));
    ExitCode::SUCCESS
}

/// Takes the socket to the referee from standard input.
fn take_over() -> io::Result<OwnedFd> {
    let control = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    // Standard input is inherited; the socket must not be.
    rustix::stdio::dup2_stdin(rustix::stdio::stdout())?;
    Ok(control)
}

/// Makes this process a keeper: out of reach of terminals, closed to tracers, and heir to every orphan below it.
fn set_apart() -> io::Result<()> {
    setsid()?;
    set_child_subreaper(Some(getpid()))?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    rustix::thread::set_name(c"arbitro-keeper")?;
    rustix::process::chdir("/")?;
    signals::BROADCAST.into_iter().try_for_each(signals::catch)
}

/// The launcher, which becomes the bot.
struct Bot {
    pid: Pid,
    /// Readable when it has ended.
    life: OwnedFd,
    /// What the launcher says; closed by itself when the launcher becomes the bot.
    words: Option<OwnedFd>,
    /// Whether the launcher said that it is about to become the bot.
    entering: bool,
    /// Whether it ended.
    ended: bool,
}

/// Starts a launcher and passes the request and its descriptors on to it. The keeper's copies are closed.
fn launch(request: Message) -> io::Result<Bot> {
    let (words, theirs) = control::pair()?;
    let descriptors: ArrayVec<BorrowedFd<'_>, 3> = request.descriptors.iter().map(AsFd::as_fd).collect();
    control::send_bytes(&words, &request.text, &descriptors)?;
    let launcher = match request.read::<Request>()? {
        Request { wrapper: Some(wrapper), confinement, .. } => start_wrapped(&wrapper, &confinement, theirs)?,
        _ => Command::new(THIS_EXECUTABLE)
            .arg0("arbitro-launcher")
            .args([LAUNCHER, &getpid().to_string()])
            .env_clear()
            .stdin(Stdio::from(theirs))
            .spawn()?,
    };
    let pid = Pid::from_child(&launcher);
    let life = pidfd_open(pid, PidfdFlags::empty()).map_err(|error| {
        // What cannot be watched must not run; the end reaps it like any stray.
        let _ = kill_process(pid, Signal::KILL);
        io::Error::other(format!("{}; Linux 5.4 or later is needed", io::Error::from(error)))
    })?;
    Ok(Bot { pid, life, words: Some(words), entering: false, ended: false })
}

/// Starts a launcher in namespaces of its own. There it can reach no control group: the keeper enters the group for it,
/// and leaves it again.
fn start_wrapped(wrapper: &Wrapper, confinement: &Confinement, socket: OwnedFd) -> io::Result<Child> {
    rustix::io::fcntl_setfd(&socket, FdFlags::empty())?;
    let mut command = wrapper.launcher(&[LAUNCHER, "0"], socket.as_raw_fd())?;
    let group = confinement.cgroup.as_deref();
    group.map_or(Ok(()), cgroup::enter)?;
    let launcher = command.env_clear().stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    group.and_then(Path::parent).map_or(Ok(()), cgroup::enter)?;
    launcher
}

struct Keeper {
    control: OwnedFd,
    lookup: Lookup,
    bot: Option<Bot>,
    /// The control group of the bot, if it has one.
    group: Option<PathBuf>,
    /// Whether bubblewrap holds the bot.
    wrapped: bool,
    /// The folder that the bot writes to, if it has one.
    scratch: Option<PathBuf>,
}

impl Keeper {
    fn new(control: OwnedFd) -> Keeper {
        Keeper { control, lookup: Lookup::of_this_kernel(), bot: None, group: None, wrapped: false, scratch: None }
    }

    /// Holds one player until it is finished and nothing of it is left.
    fn hold(&mut self, request: Message) {
        if let Ok(Request { confinement, wrapper, .. }) = request.read() {
            (self.group, self.wrapped, self.scratch) = (confinement.cgroup, wrapper.is_some(), confinement.scratch);
        }
        match launch(request) {
            Ok(bot) => self.bot = Some(bot),
            Err(error) => self.report(&failed(format!("the launcher cannot be started: {error}"))),
        }
        self.watch();
        self.clear_out();
    }

    /// Waits for the next player; nothing when the referee is gone, or is none.
    fn next_request(&self) -> Option<Message> {
        loop {
            match control::receive(&self.control, control::LONGEST_MESSAGE) {
                Ok(request) => return request,
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return None,
                // Interrupted or not, it is looked again.
                Err(_) => _ = poll(&mut [PollFd::new(&self.control, PollFlags::IN)], None),
            }
        }
    }

    /// Reports what becomes of the bot, until it is to be finished.
    fn watch(&mut self) {
        loop {
            let woken = self.wait();
            if woken.by_launcher || woken.by_end {
                self.hear_launcher();
            }
            if woken.by_end {
                self.see_end();
            }
            if woken.by_referee && self.told_to_finish() {
                return;
            }
            if !woken.by_launcher && !woken.by_end && !woken.by_referee {
                self.reap_strays();
            }
        }
    }

    /// Sleeps until there is something to do, or it is time to tidy.
    fn wait(&self) -> Woken {
        let watched = self.bot.as_ref();
        let life = watched.filter(|bot| !bot.ended).map(|bot| &bot.life);
        let words = watched.and_then(|bot| bot.words.as_ref());
        let mut polled: ArrayVec<PollFd<'_>, 3> = ArrayVec::new();
        polled.push(PollFd::new(&self.control, PollFlags::IN));
        polled.extend(life.map(|life| PollFd::new(life, PollFlags::IN)));
        // No event is asked for: a hang-up always comes, and what was said before it can wait until then.
        polled.extend(words.map(|words| PollFd::new(words, PollFlags::empty())));
        // Signals that the keeper takes no notice of interrupt this; it looks around then, to no harm.
        let _ = poll(&mut polled, Some(&timespec(TIDY_EVERY)));
        let mut came = polled.iter().map(|polled| !polled.revents().is_empty());
        Woken {
            by_referee: came.next() == Some(true),
            by_end: life.is_some() && came.next() == Some(true),
            by_launcher: words.is_some() && came.next() == Some(true),
        }
    }

    fn report(&self, report: &Report) {
        // A referee that is gone is noticed where its orders are read.
        let _ = control::send(&self.control, report);
    }

    /// Follows an order. A referee that is gone or speaks nonsense means that all is to be finished.
    fn told_to_finish(&self) -> bool {
        match control::receive(&self.control, control::LONGEST_REPORT) {
            Ok(Some(order)) if matches!(order.read(), Ok(Order::Tidy)) => {
                self.reap_strays();
                false
            }
            order => !matches!(order, Err(error) if error.kind() == io::ErrorKind::WouldBlock),
        }
    }

    /// Takes in what the launcher says, up to the end that shows that the bot runs.
    fn hear_launcher(&mut self) {
        let Some(bot) = self.bot.as_mut() else { return };
        let Some(words) = bot.words.as_ref() else { return };
        let report = loop {
            match control::receive(words, control::LONGEST_REPORT) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) => break failed(format!("the launcher cannot be heard: {error}")),
                Ok(None) if bot.entering => break Report::Started { pid: bot.pid.as_raw_pid() },
                Ok(None) => break failed("the launcher died before it could start the program".into()),
                Ok(Some(message)) => match message.read() {
                    Ok(Word::Entering) => bot.entering = true,
                    Ok(Word::Failed { reason, blame }) => break Report::Failed { reason, blame },
                    Err(error) => break failed(format!("the launcher cannot be understood: {error}")),
                },
            }
        };
        bot.words = None;
        // A launcher that failed ends by itself; that is no end of the bot, which never was.
        bot.ended |= matches!(report, Report::Failed { .. });
        self.report(&report);
    }

    /// Reports the end of the bot, once, and leaves it unreaped.
    fn see_end(&mut self) {
        let Some(bot) = self.bot.as_mut().filter(|bot| !bot.ended) else { return };
        let Some(status) = peek(bot.pid) else { return };
        bot.ended = true;
        let code = status.exit_status().map(Exit::Code);
        if let Some(exit) = code.or(status.terminating_signal().map(Exit::Signal)) {
            self.report(&Report::Exited(exit));
        }
    }

    /// Kills and reaps until nothing is left, and reports it. The bot itself is reaped last.
    fn clear_out(&mut self) {
        let (me, begun) = (getpid(), Instant::now());
        let (mut stuck, mut rounds) = (false, 0);
        let wrappers = self.wrappers();
        let mut family = self.lookup.descendants(me);
        let living = family.iter().filter(|member| !self.is_bot(member.pid) && is_alive(member.pid)).count();
        let leftovers = living.saturating_sub(wrappers);
        loop {
            self.strike(&family);
            let until = Instant::now() + GLANCE;
            family.iter().filter(|member| member.parent == me).for_each(|member| await_end(member.pid, until));
            if self.is_empty() {
                break;
            }
            if !stuck && begun.elapsed() > PATIENCE {
                stuck = true;
                self.report(&Report::Stuck);
            }
            breathe(&mut rounds);
            family = self.lookup.descendants(me);
        }
        // The referee may not be there any more to do it.
        self.group.iter().for_each(|group| _ = cgroup::remove(group));
        self.report(&Report::Empty { leftovers: leftovers.try_into().unwrap_or(u32::MAX) });
    }

    /// How many processes beside the first one are no leftovers: where that is bubblewrap, its other one, and the program
    /// itself, with whose end it ends.
    fn wrappers(&self) -> usize {
        let first = self.bot.as_ref().filter(|_| self.wrapped);
        first.map_or(0, |first| 1 + usize::from(is_alive(first.pid)))
    }

    fn is_bot(&self, pid: Pid) -> bool {
        self.bot.as_ref().is_some_and(|bot| bot.pid == pid)
    }

    /// Kills the bot's groups, which takes all of it at one stroke, and every descendant that was seen.
    fn strike(&self, family: &[Member]) {
        self.group.iter().for_each(|group| cgroup::kill(group));
        if let Some(bot) = &self.bot {
            let _ = kill_process_group(bot.pid, Signal::KILL);
        }
        for member in family {
            member.kill(getpid());
        }
    }

    /// Reaps what has ended; true when the kernel says that nothing is left.
    ///
    /// As long as anything else is there the bot stays unreaped, for its group is struck again.
    fn is_empty(&mut self) -> bool {
        if self.reap_strays() {
            return false;
        }
        if let Some(bot) = &self.bot {
            if !reap(bot.pid) {
                // It was waited for already, unless the table could not be read.
                await_end(bot.pid, Instant::now() + GLANCE);
                return false;
            }
            self.bot = None;
        }
        matches!(waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG), Err(Errno::CHILD))
    }

    /// Reaps every ended child but the bot; whether one of them still runs.
    fn reap_strays(&self) -> bool {
        let children = self.lookup.children(getpid());
        let running = children.into_iter().filter(|&child| !self.is_bot(child) && !reap(child));
        running.count() > 0
    }
}

/// What a keeper woke up for.
struct Woken {
    by_referee: bool,
    by_end: bool,
    by_launcher: bool,
}

/// A failure that is no program's fault.
fn failed(reason: String) -> Report {
    Report::Failed { reason: control::shorten(reason), blame: Blame::Machine }
}

/// How a child ended, if it did; it is not reaped.
fn peek(child: Pid) -> Option<WaitIdStatus> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(child), options).ok().flatten()
}
