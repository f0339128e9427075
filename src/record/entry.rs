//! The lines of a log, each as a type of its own.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::outcome::Outcome;
use crate::chance::{Hex32, Seed};
use crate::clock::{Moment, Span, TimeControl};
use crate::game::Token;
use crate::protocol::limits::Limits;
use crate::seat::{BySeat, Seat};
use crate::table::GameName;

/// One line of a log but the last.
#[derive(Debug)]
pub enum Entry {
    /// The first line: what is played, by whom, under which rules.
    Header(Box<Header>),
    /// A move of a seat.
    Move(Move),
    /// A chance step with its outcome.
    Chance(Chance),
    /// A seat leaves the game.
    Leave(Leave),
    /// A fault that a seat is charged with.
    Fault(Box<Fault>),
    /// Something seen that decides nothing.
    Note(Box<Note>),
}

/// What is played, by whom, under which rules.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Header {
    /// The version of the log format.
    pub format: u32,
    /// The game.
    pub game: GameName,
    /// The version of its rules.
    pub rules: u32,
    /// The options in force, all filled in.
    pub options: Box<RawValue>,
    /// The names of the players in the order of the seats.
    pub players: BySeat<String>,
    /// The game's name in its match.
    pub game_id: String,
    /// The name of its luck: shared by games that are played on the same draws.
    pub luck_id: String,
    /// The time that each seat has.
    pub clock: TimeControl,
    /// The limits on what bots send.
    pub limits: Limits,
    /// What binds the referee to the game seed that the end line reveals.
    pub commitment: Hex32,
    /// Whether the seed came from a text that anyone could guess.
    pub guessable_seed: bool,
    /// Where and how it was played.
    #[serde(skip_serializing)]
    #[serde(default)]
    pub host: HeaderHost,
}

/// Where and how a game was played: nothing of this decides it.
#[derive(Clone, Serialize, Deserialize, Debug, Default)]
pub struct HeaderHost {
    /// The version of the referee.
    pub referee: String,
    /// When it began, in UTC.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub started: Option<String>,
    /// How each bot was started, and the digests of the files that make it up.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub bots: Vec<BotHost>,
    /// The processors that the game and its bots were kept on; none if they were not.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub cores: Vec<usize>,
    /// Whether bots run while others think: `stop` or `allow`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ponder: Option<String>,
    /// What kept the bots apart.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sandbox: Option<String>,
}

/// How one bot was started.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct BotHost {
    /// The command, the program first.
    pub command: Vec<String>,
    /// The SHA-256 of each file that makes it up, by path.
    pub files: BTreeMap<String, Hex32>,
}

/// A move of a seat.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Move {
    /// Its number among the plies of the game, from 1.
    pub ply: u64,
    /// The number of the question that it answers; 0 for a move of the opening.
    pub turn: u64,
    /// Who moved.
    pub seat: Seat,
    /// The move.
    #[serde(rename = "move")]
    pub token: Token,
    /// The hash of the position after it.
    pub hash: PositionHash,
    /// Who chose it, if not the seat.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub by: Option<ChosenBy>,
    /// When, and what the bot said of it.
    #[serde(skip_serializing, default)]
    pub host: Option<MoveHost>,
}

/// Who chose a move instead of the seat.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum ChosenBy {
    /// It belongs to the opening that the match starts from.
    Opening,
    /// The referee drew it after a tolerated fault.
    Strike,
}

/// When a move was asked for and came. All times in nanoseconds.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct MoveHost {
    /// When the question was sent.
    pub sent: Moment,
    /// When the answer was complete.
    pub got: Moment,
    /// What is left in the seat's bank, the increment included.
    #[serde(with = "nanos")]
    pub left: Option<Span>,
    /// How many of its byo-yomi periods are left, if the match has them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub periods: Option<u32>,
    /// By how much the answer overran, inside the margin.
    #[serde(skip_serializing_if = "Span::is_zero", default, with = "nanos::whole")]
    pub overrun: Span,
    /// What the time was spent on, if it was long enough to be looked at.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub load: Option<Load>,
    /// What the bot wanted kept.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub info: Option<Box<RawValue>>,
}

/// What the time of a question was spent on. Evidence, and nothing else: no clock goes by it. All times in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Load {
    /// Since when it was counted: a moment at or shortly before the question was sent.
    pub from: Moment,
    /// The processor time of the bot with all its processes.
    #[serde(with = "nanos::whole")]
    pub cpu: Span,
    /// How long threads of the bot waited for a processor, all together.
    #[serde(with = "nanos::whole")]
    pub wait: Span,
    /// How long the referee waited for a processor.
    #[serde(with = "nanos::whole")]
    pub referee_wait: Span,
}

/// Spans in nanoseconds, as logs have them.
mod nanos {
    use super::Span;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(span: &Option<Span>, to: S) -> Result<S::Ok, S::Error> {
        span.map(|span| span.0).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Span>, D::Error> {
        Ok(Option::<u64>::deserialize(from)?.map(Span))
    }

    pub mod whole {
        use super::{Deserialize, Deserializer, Serialize, Serializer, Span};

        pub fn serialize<S: Serializer>(span: &Span, to: S) -> Result<S::Ok, S::Error> {
            span.0.serialize(to)
        }

        pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Span, D::Error> {
            u64::deserialize(from).map(Span)
        }
    }
}

/// The hash of a position, written as 16 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PositionHash(pub u64);

impl Serialize for PositionHash {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(std::str::from_utf8(&self.digits()).expect("hex digits are ASCII"))
    }
}

impl PositionHash {
    fn digits(self) -> [u8; 16] {
        std::array::from_fn(|place| b"0123456789abcdef"[(self.0 >> (60 - 4 * place)) as usize & 15])
    }
}

impl<'de> Deserialize<'de> for PositionHash {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<PositionHash, D::Error> {
        struct Digits;
        impl serde::de::Visitor<'_> for Digits {
            type Value = PositionHash;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("16 lower-case hex digits")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<PositionHash, E> {
                let digit = |byte: u8| match byte {
                    b'0'..=b'9' => Some(byte - b'0'),
                    b'a'..=b'f' => Some(byte - b'a' + 10),
                    _ => None,
                };
                let value = text.bytes().try_fold(0u64, |value, byte| Some(value << 4 | u64::from(digit(byte)?)));
                value
                    .filter(|_| text.len() == 16)
                    .map(PositionHash)
                    .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
            }
        }
        from.deserialize_str(Digits)
    }
}

/// A chance step.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Chance {
    /// What was drawn, in the game's own form.
    pub outcome: Box<RawValue>,
    /// The hash of the position after it.
    pub hash: PositionHash,
}

/// A seat leaves a game that goes on without it.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Leave {
    /// Who leaves.
    pub seat: Seat,
    /// The hash of the position after it.
    pub hash: PositionHash,
}

/// What a seat can be charged with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The program could not be started.
    NotStarted,
    /// Not ready in time.
    Startup,
    /// No answer in time.
    Timeout,
    /// A line on stdout that is no message.
    Unreadable,
    /// A line that is longer than the limit.
    TooLong,
    /// A move that the rules do not allow.
    Illegal,
    /// Too many lines that answer no question.
    Unasked,
    /// More on stdout from one answer to the next than the limit.
    OutputLimit,
    /// More on stderr than the limit.
    StderrLimit,
    /// More memory than the limit, over all its processes.
    MemoryLimit,
    /// More processes than the limit.
    ProcessLimit,
    /// More open files in a process than the limit.
    OpenFilesLimit,
    /// A file larger than the limit.
    FileLimit,
    /// More processor time than the limit, over all its processes.
    CpuLimit,
    /// More in its writable folder than the limit.
    ScratchLimit,
    /// The program ended.
    Exited,
    /// The program closed its stdout and lives on.
    Closed,
    /// The bot gave up: no misbehaviour, but the seat is out all the same.
    Resigned,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [FaultKind; 18] = [
        FaultKind::NotStarted,
        FaultKind::Startup,
        FaultKind::Timeout,
        FaultKind::Unreadable,
        FaultKind::TooLong,
        FaultKind::Illegal,
        FaultKind::Unasked,
        FaultKind::OutputLimit,
        FaultKind::StderrLimit,
        FaultKind::MemoryLimit,
        FaultKind::ProcessLimit,
        FaultKind::OpenFilesLimit,
        FaultKind::FileLimit,
        FaultKind::CpuLimit,
        FaultKind::ScratchLimit,
        FaultKind::Exited,
        FaultKind::Closed,
        FaultKind::Resigned,
    ];

    /// The name in logs and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            FaultKind::NotStarted => "not_started",
            FaultKind::Startup => "startup",
            FaultKind::Timeout => "timeout",
            FaultKind::Unreadable => "unreadable",
            FaultKind::TooLong => "too_long",
            FaultKind::Illegal => "illegal",
            FaultKind::Unasked => "unasked",
            FaultKind::OutputLimit => "output_limit",
            FaultKind::StderrLimit => "stderr_limit",
            FaultKind::MemoryLimit => "memory_limit",
            FaultKind::ProcessLimit => "process_limit",
            FaultKind::OpenFilesLimit => "open_files_limit",
            FaultKind::FileLimit => "file_limit",
            FaultKind::CpuLimit => "cpu_limit",
            FaultKind::ScratchLimit => "scratch_limit",
            FaultKind::Exited => "exited",
            FaultKind::Closed => "closed",
            FaultKind::Resigned => "resigned",
        }
    }
}

/// A fault that a seat is charged with when it is asked.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Fault {
    /// Who is charged.
    pub seat: Seat,
    /// The number of the question at which it is charged; 0 at start-up.
    pub turn: u64,
    /// What it is charged with.
    pub kind: FaultKind,
    /// The move that was refused, or the line that could not be read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub found: Option<String>,
    /// Whether it was one of the strikes that are tolerated.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub tolerated: bool,
    /// When, and in words.
    #[serde(skip_serializing, default)]
    pub host: Option<FaultHost>,
}

/// When a fault was charged, and what its author should know.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct FaultHost {
    /// When it was charged.
    pub at: Moment,
    /// When the question was sent, if one was.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sent: Option<Moment>,
    /// What the time was spent on, if it was long enough to be looked at.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub load: Option<Load>,
    /// What happened and what to do about it.
    pub words: String,
}

/// Something that was seen and decides nothing.
#[derive(Clone, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// Text from a bot's stderr.
    Stderr {
        /// Whose it is.
        seat: Seat,
        /// The question that was last asked then.
        turn: u64,
        /// When it came.
        at: Moment,
        /// The text, what is not UTF-8 replaced.
        text: String,
    },
    /// The end of a bot's stderr where more came than was kept.
    StderrTail {
        /// Whose it is.
        seat: Seat,
        /// How many bytes between the kept beginning and this text were dropped.
        dropped: u64,
        /// The text.
        text: String,
    },
    /// A program was stopped, or seen to have ended, while it was not asked; it is charged when it is.
    Stopped {
        /// Whose it is.
        seat: Seat,
        /// When.
        at: Moment,
        /// What it will be charged with.
        kind: FaultKind,
        /// What happened, in words.
        words: String,
    },
    /// A line that answers no question, or that was skipped as unreadable.
    Ignored {
        /// Whose it is.
        seat: Seat,
        /// When.
        at: Moment,
        /// The line.
        line: String,
    },
    /// A bot is ready.
    Ready {
        /// Whose it is.
        seat: Seat,
        /// When.
        at: Moment,
        /// How it calls itself.
        name: Option<String>,
    },
    /// A bot computed while it was frozen; at most one for each question.
    Awake {
        /// Whose it is.
        seat: Seat,
        /// The question that was last asked then.
        turn: u64,
        /// When it was seen.
        at: Moment,
        /// How much processor time it used between two looks.
        #[serde(with = "nanos::whole")]
        cpu: Span,
    },
    /// How a bot's program ended.
    Ended {
        /// Whose it is.
        seat: Seat,
        /// Exit status or signal; neither if it had to be killed at the end of the game.
        exit: Option<Exit>,
        /// How many more processes it left behind, all of them killed.
        leftovers: u32,
    },
    /// One of a kind that only newer programs know, as it was written.
    #[serde(untagged, skip_deserializing)]
    Other(BTreeMap<String, Box<RawValue>>),
}

impl Note {
    /// The names of all kinds that are known here.
    const KINDS: [&str; 7] = ["stderr", "stderr_tail", "stopped", "ignored", "ready", "awake", "ended"];

    /// Reads the value of a `host` line.
    ///
    /// # Errors
    /// When it is no object with one field, or not what this field is to be.
    pub fn read(text: &str) -> serde_json::Result<Note> {
        let kind = text.strip_prefix("{\"").and_then(|rest| rest.split('"').next());
        match kind {
            Some(kind) if !Note::KINDS.contains(&kind) => {
                let note: BTreeMap<String, Box<RawValue>> = serde_json::from_str(text)?;
                match note.len() {
                    1 => Ok(Note::Other(note)),
                    _ => Err(serde::de::Error::custom("a note has one field")),
                }
            }
            _ => serde_json::from_str(text),
        }
    }
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// With this exit status.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl Exit {
    /// The name of the signal that it ended by, such as `SIGKILL`; none for an exit status, or a signal without a name.
    pub fn signal_name(self) -> Option<&'static str> {
        match self {
            Exit::Code(_) => None,
            Exit::Signal(number) => signal_hook::low_level::signal_name(number),
        }
    }
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "exit code {code}"),
            Exit::Signal(number) => match self.signal_name() {
                Some(name) => write!(f, "{name} (signal {number})"),
                None => write!(f, "signal {number}"),
            },
        }
    }
}

/// The last line: how it ended, and the seeds that the chance came from.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct End {
    /// How it ended.
    pub outcome: Outcome,
    /// How many plies were played.
    pub plies: u64,
    /// The public state at the end, with whatever more the game has to say of its result.
    pub state: Box<RawValue>,
    /// The seed of the game's chance; not revealed where the game is to be played again.
    pub game_seed: Option<Seed>,
    /// The seed that each bot was given.
    pub bot_seeds: Option<BySeat<Seed>>,
    /// When it ended.
    #[serde(skip, default)]
    pub at: Moment,
}
