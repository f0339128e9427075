//! The process that becomes the bot.
//!
//! It receives what to run and the bot's three descriptors, takes away everything that a bot must not have, and then
//! replaces itself. What binds the bot and all that it starts, but not the keeper, is the sandbox (`confine`): it cannot be
//! taken off again, and passes on to every descendant.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rustix::fs::Mode;
use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};

use super::cgroup;
use super::control::{self, Blame, Request, Word};
use super::program::Program;
use super::sandbox::Confinement;
use super::signals;

/// How often a program file that somebody still writes to is tried again, and after how long.
const BUSY_TRIES: u32 = 20;
const BUSY_PAUSE: Duration = Duration::from_millis(5);

/// Why a program could not be entered.
struct Failure {
    reason: String,
    blame: Blame,
}

impl Failure {
    fn of_machine(what: &str, error: impl Into<io::Error>) -> Failure {
        Failure { reason: format!("{what}: {}", error.into()), blame: Blame::Machine }
    }
}

/// Runs the launcher; comes back only when the program could not be started.
///
/// Its standard input is the socket to its keeper; its second argument is the keeper's process id.
pub fn run() -> ExitCode {
    let Ok(keeper) = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3) else {
        return ExitCode::from(70);
    };
    if let Err(Failure { reason, blame }) = enter(&keeper) {
        let word = Word::Failed { reason: control::shorten(reason), blame };
        if control::send(&keeper, &word).is_err() {
            eprintln!("this command is the referee's own: it starts bots with it");
        }
    }
    ExitCode::from(127)
}

fn enter(keeper: &OwnedFd) -> Result<(), Failure> {
    let lost = |error| Failure::of_machine("the request to start the program was lost", error);
    let message = control::receive(keeper, control::LONGEST_MESSAGE).map_err(lost)?;
    let message = message.ok_or_else(|| lost(io::ErrorKind::UnexpectedEof.into()))?;
    let Request { program, confinement, wrapper } = message.read().map_err(lost)?;
    let stdio = message.descriptors.into_inner().map_err(|_| lost(io::ErrorKind::UnexpectedEof.into()))?;
    // In namespaces of its own the keeper is out of sight, and has done this.
    if wrapper.is_none() {
        if let Some(group) = &confinement.cgroup {
            // First of all, so that nothing that it starts is outside.
            let failed = |error| Failure::of_machine("its control group cannot be entered", error);
            cgroup::enter(group).map_err(failed)?;
        }
        rustix::process::setsid().map_err(|error| Failure::of_machine("no session of its own", error))?;
        die_with_the_keeper()?;
    }
    be_modest();
    reset_signals();
    enter_directory(&program)?;
    confine(&confinement)?;
    // A change of user took it away.
    if wrapper.is_none() {
        die_with_the_keeper()?;
    }
    control::send(keeper, &Word::Entering).map_err(lost)?;
    Err(exec(&program, stdio))
}

/// Keeps its files to itself, and is the first to go when memory runs out.
fn be_modest() {
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
    // Without the file, or without the right to write to it, nothing is lost but a preference.
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
}

/// Asks for a signal at the keeper's death.
fn die_with_the_keeper() -> Result<(), Failure> {
    set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(|error| Failure::of_machine("no signal at the keeper's death", error))?;
    // A keeper that died before that was set sends no signal any more.
    let keeper = std::env::args().nth(2).and_then(|pid| pid.parse().ok()).and_then(Pid::from_raw);
    if keeper.is_none() || getppid() != keeper {
        return Err(Failure { reason: "the keeper is gone".into(), blame: Blame::Machine });
    }
    Ok(())
}

/// Sees to it that the bot starts with every signal at its default, whatever the referee's own parent ignored.
/// `SIGPIPE` and the mask of blocked signals are reset by [`Command::exec`].
fn reset_signals() {
    for number in signals::ignored() {
        let _ = signals::catch(number);
    }
}

fn enter_directory(program: &Program) -> Result<(), Failure> {
    rustix::process::chdir(&program.dir).map_err(|error| Failure {
        reason: format!("the working directory {:?} cannot be entered: {}", program.dir, io::Error::from(error)),
        blame: Blame::Program,
    })
}

/// Binds the bot.
fn confine(confinement: &Confinement) -> Result<(), Failure> {
    let failed = |what: String| Failure { reason: format!("the sandbox fails: {what}"), blame: Blame::Machine };
    // What the rules name is opened as long as nothing is forbidden.
    let sandbox = confinement.prepare().map_err(failed)?;
    // Whatever else the referee was itself given by its parent ends here; all that it opens is closed on exec anyway.
    close_fds::set_fds_cloexec(3, &[]);
    sandbox.put_on().map_err(failed)
}

/// Becomes the program; comes back with the reason why it cannot.
fn exec(program: &Program, [stdin, stdout, stderr]: [OwnedFd; 3]) -> Failure {
    let mut command = Command::new(&program.argv[0]);
    command.args(&program.argv[1..]).env_clear().envs(program.env.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::from(stdin)).stdout(Stdio::from(stdout)).stderr(Stdio::from(stderr));
    let mut error = command.exec();
    for _ in 0..BUSY_TRIES {
        if error.kind() != io::ErrorKind::ExecutableFileBusy {
            break;
        }
        sleep(BUSY_PAUSE);
        error = command.exec();
    }
    in_words(program, &error)
}

fn in_words(program: &Program, error: &io::Error) -> Failure {
    use io::ErrorKind::{ArgumentListTooLong, ExecutableFileBusy, NotFound, PermissionDenied};
    let path = &program.argv[0];
    let (reason, blame) = match error.kind() {
        NotFound => (format!("{path:?}, its interpreter or its loader is not there any more"), Blame::Program),
        PermissionDenied => (format!("{path:?} or its interpreter may not be executed"), Blame::Program),
        ExecutableFileBusy => (format!("{path:?} is still being written to: wait until it is built"), Blame::Program),
        ArgumentListTooLong => (format!("{path:?} has more arguments than the system takes"), Blame::Program),
        _ if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
            (format!("{path:?} is no program for this machine"), Blame::Program)
        }
        _ => (format!("{path:?} cannot be started: {error}"), Blame::Machine),
    };
    Failure { reason, blame }
}
