//! The limits on what a bot sends, in the one place where they stand; `hello` states them to the bot.

use serde::{Deserialize, Serialize};

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

/// What a bot may send before it is a fault, and what is tolerated.
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
    /// How many unreadable lines are skipped from one answer to the next, before one is a fault.
    pub lenient: u32,
    /// How many late or illegal answers of a seat are tolerated in a game: a random legal move is played for it.
    pub strikes: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            line_bytes: 64 * 1024,
            output_bytes: 1024 * 1024,
            unasked_lines: 16,
            info_bytes: 1024,
            stderr_bytes: 64 * 1024 * 1024,
            lenient: 0,
            strikes: 0,
        }
    }
}
