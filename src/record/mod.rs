//! The record of a game: its log as JSON Lines, written while it is played, and everything needed to check it afterwards.
//!
//! One game a file, one object a line, each with one outer key that says what it is. Two rules make logs comparable:
//! everything measured or local stands under the key `host`, the last of its line, and the hash `game_sha256` is taken
//! without it; and nothing follows the end line, whose last field `sha256` covers every byte before it. The format is
//! specified in `protocol.md`. This floor works on bytes in memory; files are opened above it.

pub mod course;
pub mod entry;
pub mod outcome;
mod quick;
pub mod reader;
pub mod verify;
pub mod writer;

/// The version of the log format, in each header. Older formats stay readable.
pub const FORMAT: u32 = 1;
