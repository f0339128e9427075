//! Plays a tournament: workers that play, and one who counts.
//!
//! ```text
//! schedule ── sittings, in plan order ──▶ workers, each with its processors ── finished sets ──▶ the teller
//!     ▲                                                                                            │
//!     └──── further rounds, who is out ◀── ledger, director ◀── journal, synced in groups ◀────────┘
//! ```
//!
//! - **Workers** (`worker`) are threads. Each takes the next sitting, plays its sets game by game, and hands them in.
//! - **The teller** (`teller`) is the thread that called [`run`]. It alone writes the journal, knows what counts, and
//!   tells [`Progress`]. Game data is on the disk before the line that counts it is written; both are synced in groups of
//!   at most [`GROUP`] games or [`GROUP_AGE`].
//! - **The director** ([`Director`]) decides what no plan can know: who meets whom next, and whether enough is known.
//!
//! # What does not depend on how many games run at once
//!
//! Who plays whom, on which luck and in which processes stands in the plan. What is decided while games are played goes by
//! the plan's order as well, never by the order in which games end:
//!
//! - **Where a tournament may end early, or bots may be disqualified, sets count in the order of the plan.** A set that
//!   is over before one that comes earlier waits for it. So the same sets are played before the end, and the same games
//!   are lost by disqualification, however many workers there are; what was played beyond is discarded. Workers run
//!   ahead by at most [`AHEAD`] sets each. The price is that sets which wait are played again after an interruption.
//! - **Everywhere else a set counts when it is over**, and nothing that is over is lost by an interruption.
//! - **Disqualified** is who was at fault in so many games as the tournament's file says. What counted stays; all
//!   that the bot still had to play is lost for it without being played, and its rivals are tied in front of it.
//!   Such games stand in the journal with the fault `disqualified`, no plies, and zeros for the hashes of a log.
//!   Rounds that are paired later know who is out.
//! - **Halted** is a pairing of which [`MOST_UNRESOLVED`] games in a row stayed void: something here is broken, and more
//!   of the same would tell nothing. That is no verdict: the rest is played when the tournament is run again.
//!
//! # Stopping
//!
//! When the descriptor that [`run`] is given becomes readable, nothing new begins, running games end as aborted, and their
//! sets are played again the next time, on the same luck, which nobody was told. Their logs are removed.

mod halt;
mod order;
mod places;
mod progress;
mod schedule;
mod teller;
mod threads;
mod worker;

use std::collections::BTreeSet;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::PathBuf;
use std::sync::RwLock;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

pub use places::{Needs, Places, TooMany, Wanted};
pub use progress::{Ending, Progress, Summary};
pub use threads::spawn;

use super::Entrant;
use super::folder::{BadFolder, Opened};
use super::game::NotPlayed;
use super::journal::Storage;
use super::pairing::{Round, RoundPlayed};
use super::plan::Plan;
use super::played::Played;
use crate::chance::Seed;
use crate::host::cgroup::Groups;
use crate::host::sandbox::users::{self, Claim};
use crate::host::{Confinement, Program};
use crate::record::entry::BotHost;
use halt::Halt;
use schedule::Schedule;
use teller::Teller;
use worker::{Message, Shared, Worker};

/// How many games are synced together at most, a set that goes beyond it included.
pub const GROUP: usize = 64;

/// How long a game that is over waits for others to be synced with at most.
pub const GROUP_AGE: Duration = Duration::from_millis(100);

/// By how many sets each worker runs ahead of what counts, where sets count in the order of the plan.
pub const AHEAD: usize = 64;

/// How many games of a pairing in a row may stay void before it is halted. Sets of it that run at that moment are played
/// to their end.
pub const MOST_UNRESOLVED: u32 = 3;

/// What a tournament is played with on this machine.
#[derive(Clone, Debug)]
pub struct Means {
    /// The executable that keepers are started from.
    pub referee_exe: PathBuf,
    /// The bots in the order of the field.
    pub bots: Vec<Bot>,
    /// The master seed.
    pub seed: Seed,
    /// Where control groups for bots can be made, if anywhere.
    pub groups: Option<Groups>,
    /// What keeps the bots apart, in words, for the logs.
    pub sandbox: String,
    /// Whether all processes of a bot are frozen with it.
    pub freezes_all: bool,
    /// Where games are played at once.
    pub places: Places,
}

/// A bot that can be started.
#[derive(Clone, Debug)]
pub struct Bot {
    /// What to start.
    pub program: Program,
    /// What it may use and touch. The user that it runs as, where it needs one, is filled in for each game.
    pub confinement: Confinement,
    /// How it is started and what makes it up, for the logs.
    pub host: BotHost,
}

/// Who decides what no plan can know.
pub trait Director {
    /// Whether further rounds are paired by the results of those before.
    fn pairs_by_results(&self) -> bool {
        false
    }

    /// The round that follows from those that are over, and from who is out; nothing when the tournament is over.
    fn next_round(&mut self, _before: &[RoundPlayed], _out: &BTreeSet<Entrant>) -> Option<Round> {
        None
    }

    /// Whether the tournament may end before all is played.
    fn may_end_early(&self) -> bool {
        false
    }

    /// Sees the games of each set that counts; in the order of the plan, if the tournament may end early.
    fn see(&mut self, _games: &[Played]) {}

    /// Whether enough is known.
    fn is_enough(&self) -> bool {
        false
    }
}

/// A director for a tournament in which all is planned.
pub struct AsPlanned;

impl Director for AsPlanned {}

/// Why a tournament could not go on. What counts is safe, and it goes on from there when it is run again.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// A file of the tournament.
    #[error("{path}: {error}; what is finished is safe, and the tournament goes on when it is run again", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A further file of the plan.
    #[error(transparent)]
    Folder(#[from] BadFolder),
    /// A game.
    #[error("{0}; what is finished is safe, and the tournament goes on when it is run again")]
    Game(#[from] NotPlayed),
    /// What the referee needs before it begins.
    #[error("the referee cannot set itself up: {0}")]
    SetUp(#[source] io::Error),
    /// A bug of ours.
    #[error("a worker failed: a bug of ours; please report it with what was said before")]
    Bug,
}

/// Plays what is left of a tournament, until it is over or `stop` becomes readable.
///
/// `director` must have seen the sets that count already; [`open`](super::folder::open) shows them.
///
/// # Errors
/// When a file cannot be written, or the referee cannot set itself up. No bot is left then.
pub fn run<S: Storage>(
    opened: Opened<S>,
    means: &Means,
    director: &mut dyn Director,
    stop: BorrowedFd,
    tell: &mut dyn FnMut(Progress),
) -> Result<Summary, Failed> {
    let Opened { folder, plan, ledger, journal, .. } = opened;
    let (header, halt) = (plan.header().clone(), Halt::new().map_err(Failed::SetUp)?);
    let options = header.options.to_string();
    let workers = means.places.0.len();
    let claims = users::claim(workers * header.seats).map_err(Failed::SetUp)?;
    let plan = RwLock::new(plan);
    let schedule = Schedule::new();
    let (to, from) = sync_channel(workers);
    let shared = Shared { means, folder: &folder, plan: &plan, schedule: &schedule, halt: &halt };
    std::thread::scope(|scope| {
        // If the teller panics, or a thread is refused, nobody waits for it.
        let (from, _closing) = (from, Closing(&shared));
        let mut users = claims.chunks(header.seats).map(|claims| claims.iter().map(Claim::user).collect());
        let cores = means.places.0.iter().cloned().enumerate();
        let running = cores.map(|(number, cores)| {
            let (users, to) = (users.next().unwrap_or_default(), to.clone());
            let worker = Worker { number, shared, cores, users, header: &header, options: &options, to };
            spawn(scope, || worker.work())
        });
        let running: Vec<_> = running.collect::<io::Result<_>>().map_err(Failed::SetUp)?;
        let follow = || {
            if halt.follow(stop) {
                schedule.close();
                let _ = to.send(Message::Stopping);
            }
        };
        spawn(scope, follow).map_err(Failed::SetUp)?;
        let mut teller = Teller::new(&shared, ledger, journal, director, tell);
        teller.begin(workers);
        teller.listen(&from, workers);
        let ended: Vec<_> = running.into_iter().map(|worker| worker.join()).collect();
        if ended.iter().all(Result::is_ok) { teller.end() } else { Err(Failed::Bug) }
    })
}

/// Lets all threads come to their end when it is dropped.
struct Closing<'a>(&'a Shared<'a>);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.schedule.close();
        self.0.halt.turn();
    }
}

/// The places for games of this plan on this machine.
///
/// # Errors
/// When more games are wanted than can run at once, or not even one can.
pub fn places(plan: &Plan, wanted: Wanted) -> Result<Places, TooMany> {
    let (header, games_each) = (plan.header(), plan.games_each());
    Places::find(wanted, Needs { seats: header.seats, games_each, keep: header.reuse > 0 })
}
