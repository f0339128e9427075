//! The referee: one game as a pure state machine, [`Event`]s in and [`Effect`]s out.
//!
//! It takes bytes, not lines, and moments, not clocks: how a bot's output is cut into pieces and when exactly its
//! process dies cannot change a verdict, and all of it is tested under a simulated clock. It must not know of
//! processes, files or the time of day. What it decides by, in this order:
//!
//! - **Time first.** A deadline is an absolute moment, set when the question is sent, and for the complete line. What
//!   comes after it is late, whatever it says. The referee's own lateness is not charged to anybody: when it learns of
//!   a deadline only `L` after it, an answer that is there already, or that comes within another `L` (at most a
//!   second), makes the game *void*; silence is a timeout.
//! - **Then** whether a line can be read, whether the move is legal, whether the program is gone: one order of blame.
//! - **A fault off turn stops the program at once, and is charged when the seat is next asked**: nobody's announced
//!   move becomes illegal under their hands.
//! - **Start-up faults are simultaneous**: they are charged once every seat is ready or has failed.

mod game;
mod player;
mod stderr;
#[cfg(test)]
mod tests;
mod words;

pub use game::Referee;

use crate::chance::Seed;
use crate::clock::{Span, TimeControl};
use crate::game::BadSetup;
use crate::protocol::limits::Limits;
use crate::record::entry::{End, Entry, Exit, HeaderHost, Load};
use crate::seat::{BySeat, Seat};
use crate::table::{GameName, Refusal};

/// Everything that one game starts from.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The game.
    pub game: GameName,
    /// Its options, a JSON object; what is left out has its default.
    pub options: String,
    /// The names of the players in the order of the seats.
    pub players: BySeat<String>,
    /// The game's name in its match.
    pub game_id: String,
    /// The name of its luck.
    pub luck_id: String,
    /// The seed of its chance.
    pub game_seed: Seed,
    /// The seed for each bot.
    pub bot_seeds: BySeat<Seed>,
    /// Whether the seeds come from a text that anyone could guess.
    pub guessable_seed: bool,
    /// The time that each seat has.
    pub clock: TimeControl,
    /// The limits on what bots send.
    pub limits: Limits,
    /// Moves played before the first question.
    pub opening: Vec<String>,
    /// Where and how it is played, for the header of the log.
    pub host: HeaderHost,
}

/// A game that cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum CannotBegin {
    /// An option, or the number of seats.
    #[error(transparent)]
    Setup(#[from] BadSetup),
    /// A move of the opening.
    #[error("move {number} of the opening, “{token}”: {refusal}")]
    Opening {
        /// Its number, from 1.
        number: usize,
        /// The move.
        token: String,
        /// Why it cannot be played.
        refusal: Refusal,
    },
    /// The opening plays the game to its end.
    #[error("the opening plays the game to its end; leave its last move out")]
    OpeningEnds,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The message for this seat is about to be written: its time runs from here.
    Sending {
        /// To whom.
        seat: Seat,
    },
    /// A bot wrote to its stdout.
    Bytes {
        /// Whose.
        seat: Seat,
        /// What.
        bytes: &'a [u8],
    },
    /// A bot wrote to its stderr.
    Stderr {
        /// Whose.
        seat: Seat,
        /// What.
        bytes: &'a [u8],
    },
    /// A bot's program is gone, and everything it wrote before was handed in.
    Gone {
        /// Whose.
        seat: Seat,
        /// How.
        how: Gone,
    },
    /// What the time since its question was spent on was measured: comes before what ends that time.
    Load {
        /// Whose.
        seat: Seat,
        /// What.
        load: Load,
    },
    /// What a bot used so far was measured.
    Used {
        /// Whose.
        seat: Seat,
        /// What.
        usage: Usage,
    },
    /// Time passed, and nothing was there to be read.
    Tick,
    /// A process, pipe or file of the referee's own failed: nobody's fault.
    Broken,
    /// The rules failed: our bug.
    Panicked,
    /// Somebody wants the referee to stop.
    Stop,
}

/// What a bot, with everything that it started, used when it was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// The memory of all its processes, what they share counted once, in bytes.
    pub memory_bytes: u64,
    /// How many processes it had.
    pub processes: u64,
    /// How many threads those had, with ended processes that nobody waited for.
    pub threads: u64,
    /// How many files and pipes the process with the most of them had open.
    pub open_files: u64,
    /// The processor time of all its processes so far.
    pub cpu: Span,
    /// How much of that it used since it was last looked at, if it was to be frozen all that time.
    pub cpu_frozen: Span,
    /// What lay in its writable folder, in bytes.
    pub scratch_bytes: u64,
    /// How many files and folders that were; counting may stop above [`SCRATCH_FILES`].
    ///
    /// [`SCRATCH_FILES`]: crate::protocol::limits::SCRATCH_FILES
    pub scratch_files: u64,
    /// Whether there was a folder in it that could not be looked into.
    pub scratch_hidden: bool,
}

/// How a program is gone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gone {
    /// It could not be started, for this reason of its own.
    NotStarted(String),
    /// It ended.
    Exited(Exit),
    /// It closed its stdout and lives on.
    Closed,
}

/// Something to do, in this order.
#[derive(Debug)]
pub enum Effect {
    /// Write [`Referee::message`] to this seat: first say [`Event::Sending`], then write.
    Send(Seat),
    /// Write this to the log.
    Log(Entry),
    /// End this seat's program.
    Kill(Seat),
    /// The game is over; this is the end line of its log.
    Done(Box<End>),
}
