//! The limits on what a bot sends and uses, in the one place where they stand; `hello` states them to the bot.

mod named;

use serde::{Deserialize, Serialize};

pub use named::{BadLimit, NAMED};

/// How many bytes of a text that a bot sent are kept where a verdict shows it.
pub const SHOWN_BYTES: usize = 200;

/// How many objects and lists may be opened in one another in an `info` or in a field that means nothing here.
pub const NESTING: usize = 32;

/// How many characters of the name in `ready` are kept.
pub const NAME_CHARS: usize = 64;

/// How much stderr of each bot is kept from its beginning.
pub const STDERR_HEAD_BYTES: usize = 16 * 1024;

/// How much stderr of each bot is kept from its end.
pub const STDERR_TAIL_BYTES: usize = 4 * 1024;

/// How many files and folders a bot may have in its own folder.
pub const SCRATCH_FILES: u64 = 10_000;

/// What a bot may send and use before it is a fault, and what is tolerated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The longest line on stdout, in bytes without its `\n`.
    pub line_bytes: usize,
    /// The most bytes on stdout from one answer to the next.
    pub output_bytes: usize,
    /// The most lines in a game that answer no question: early, stale or doubled answers.
    pub unasked_lines: u32,
    /// The longest `info` of an answer, in bytes.
    pub info_bytes: usize,
    /// The most bytes on stderr in a game.
    pub stderr_bytes: u64,
    /// The most memory of all its processes together, in bytes. Here and below: no limit where it is left out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub memory_bytes: Option<u64>,
    /// The most processes that it may have at once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub processes: Option<u64>,
    /// The most files and pipes that each of its processes may have open.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub open_files: Option<u64>,
    /// The size of the largest file that it may write, in bytes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file_bytes: Option<u64>,
    /// The most processor time of all its processes together in a game, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cpu_ms: Option<u64>,
    /// The room in a folder of its own for temporary files, in bytes; it has no such folder where this is left out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub scratch_bytes: Option<u64>,
    /// How many unreadable lines are skipped from one answer to the next, before one is a fault.
    pub lenient: u32,
    /// How many late or illegal answers of a seat are tolerated in a game: a random legal move is played for it.
    pub strikes: u32,
}

impl Limits {
    /// The most threads of all its processes together, with ended processes that were not waited for: eight for each
    /// process on average, and so many as one large runtime may need.
    pub fn threads(&self) -> Option<u64> {
        self.processes.map(|processes| processes.saturating_mul(8).max(128))
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            line_bytes: 64 * 1024,
            output_bytes: 1024 * 1024,
            unasked_lines: 16,
            info_bytes: 1024,
            stderr_bytes: 64 * 1024 * 1024,
            memory_bytes: Some(1024 * 1024 * 1024),
            processes: Some(64),
            open_files: Some(64),
            file_bytes: Some(1024 * 1024),
            cpu_ms: Some(3600 * 1000),
            scratch_bytes: None,
            lenient: 0,
            strikes: 0,
        }
    }
}
