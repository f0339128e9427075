//! Processes of players: finding, starting, holding and ending them.
//!
//! This part knows pipes, signals and process ids; it knows nothing of games, clocks or the wire. Four processes stand
//! in a line, each the parent of the next:
//!
//! ```text
//! referee ── keeper ── launcher, which becomes the bot ── whatever the bot starts
//! ```
//!
//! - The **referee** ([`player`]) makes the pipes and a control socket and starts a keeper for each bot. Bytes run
//!   straight between referee and bot; keeper and launcher hold no end of a pipe once they handed it on.
//! - The **keeper** ([`keeper`]) is the ancestor to which everything that a bot leaves behind returns (a child
//!   subreaper). It sleeps during a game. When told to finish, or when the referee is gone, it kills and reaps until
//!   the kernel says that it has no child left: that is the proof that a bot is dead, its daemons included. Then it can
//!   hold the next one: with that a start is two programs' worth of work and not three.
//! - The **launcher** ([`launcher`]) limits itself and then becomes the bot. What is to bind the bot and nothing else
//!   is done there.
//! - The **sandbox** ([`sandbox`]) is what the launcher puts on before it becomes the bot.
//! - If a keeper is killed, what it held returns to the referee, which sweeps it away ([`orphans`]).
//!
//! Keeper and launcher are this same executable, told apart by their first argument (see [`control`]); a program that
//! hosts players must call [`run_if_called`] before it does anything else.

pub mod cgroup;
pub mod control;
pub mod cores;
mod executable;
mod gate;
pub mod isolation;
pub mod keeper;
mod kept;
pub mod launcher;
pub mod line;
mod load;
mod looks;
pub mod orphans;
pub mod play;
pub mod player;
mod process_table;
pub mod program;
pub mod sandbox;
pub mod signals;
mod usage;

use std::process::ExitCode;

use rustix::process::{DumpableBehavior, set_dumpable_behavior};

pub use control::{Blame, Report};
pub use player::Player;
pub use program::{BadProgram, Program};
pub use sandbox::{Confinement, Layers, Limits};

/// The path under which a process finds its own executable, also after the file was replaced: what a referee gives to
/// [`Player::start`].
pub const THIS_EXECUTABLE: &str = "/proc/self/exe";

/// Closes this process to tracers and readers of its memory and environment, other processes of its user included: it
/// knows the seeds.
///
/// # Errors
/// Those of the system.
pub fn guard_secrets() -> std::io::Result<()> {
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

/// Runs the keeper or the launcher if this process was started as one; its exit code then.
///
/// Must come first in `main`: each game pays for the way here several times.
pub fn run_if_called() -> Option<ExitCode> {
    let called = std::env::args_os().nth(1)?;
    if called == control::KEEPER {
        Some(keeper::run())
    } else if called == control::LAUNCHER {
        Some(launcher::run())
    } else {
        None
    }
}
