//! The messages of the referee as a bot reads them, and the answers that it writes.
//!
//! Fields and messages that are not known are passed over, so that a bot goes on working when the protocol grows.

use std::borrow::Cow;
use std::io::Write;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::chance::{Draws, Hex32, Purpose, Seed, Streams};
use crate::seat::Seat;

/// What a line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A game begins.
    Hello,
    /// The bot is to move.
    Turn,
    /// The game is over.
    Over,
    /// Anything else, which needs no answer.
    Other,
}

/// What a line is. The referee writes the type first, which spares reading the line twice.
pub fn kind(line: &[u8]) -> Kind {
    #[derive(Deserialize)]
    struct Typed<'a> {
        #[serde(rename = "type", borrow)]
        name: Cow<'a, str>,
    }
    if line.starts_with(br#"{"type":"turn","#) {
        return Kind::Turn;
    }
    match serde_json::from_slice::<Typed>(line).as_ref().map(|typed| typed.name.as_ref()) {
        Ok("hello") => Kind::Hello,
        Ok("turn") => Kind::Turn,
        Ok("over") => Kind::Over,
        _ => Kind::Other,
    }
}

/// The game that begins.
#[derive(Deserialize, Debug)]
pub struct Hello<'a> {
    /// The name of the game.
    #[serde(borrow)]
    pub game: Cow<'a, str>,
    /// Its options, a JSON object.
    #[serde(borrow)]
    pub options: &'a RawValue,
    /// The bot's own seat.
    pub seat: Seat,
    /// One item for each seat.
    pub players: Vec<IgnoredAny>,
    /// The bot's own seed.
    #[serde(default = "no_seed")]
    bot_seed: Seed,
    /// The time control.
    #[serde(default)]
    clock: Control,
}

/// The time control in milliseconds, as far as it matters here.
#[derive(Clone, Copy, Deserialize, Debug, Default)]
pub struct Control {
    /// What the bot gets into its bank after each of its moves.
    #[serde(default)]
    pub increment_ms: f64,
    /// How much of each move is free.
    #[serde(default)]
    pub delay_ms: f64,
    /// What follows when the bank is used up.
    #[serde(default)]
    pub byo_yomi: Option<ByoYomi>,
}

/// Byo-yomi, as far as it matters here.
#[derive(Clone, Copy, Deserialize, Debug)]
pub struct ByoYomi {
    /// How long each period is, in milliseconds.
    pub period_ms: f64,
}

/// Whoever sends no seed gets the same game each time.
fn no_seed() -> Seed {
    Hex32([0; 32])
}

impl<'a> Hello<'a> {
    /// Reads a `hello` line.
    ///
    /// # Errors
    /// What cannot be read, and where.
    pub fn read(line: &'a [u8]) -> Result<Hello<'a>, serde_json::Error> {
        serde_json::from_slice(line)
    }

    /// The time control.
    pub fn clock(&self) -> Control {
        self.clock
    }

    /// The bot's own source of chance. Nobody else draws from its seed, so that any one stream of it serves.
    pub fn draws(&self) -> Draws {
        Streams::new(self.bot_seed).of(Purpose::SetUp).clone()
    }
}

/// A question to a bot that follows the game.
#[derive(Deserialize, Debug)]
pub struct Question<'a> {
    /// Its number, which the answer repeats.
    pub turn: u64,
    /// The public state.
    #[serde(borrow, default)]
    pub state: Option<&'a RawValue>,
    /// All steps since the bot's last turn, its own among them.
    #[serde(borrow, default)]
    pub events: Vec<Event<'a>>,
    /// The legal moves.
    #[serde(borrow, default)]
    pub legal: Vec<Cow<'a, str>>,
    /// The time.
    #[serde(default)]
    pub clock: Clock,
}

/// A step of the game; of these fields one is there.
#[derive(Deserialize, Debug)]
pub struct Event<'a> {
    /// A move of the seat to move.
    #[serde(rename = "move", borrow, default)]
    pub token: Option<Cow<'a, str>>,
    /// The outcome of a chance step.
    #[serde(borrow, default)]
    pub chance: Option<&'a RawValue>,
    /// A seat that is out.
    #[serde(default)]
    pub leave: Option<Seat>,
}

/// The time in milliseconds, as far as it is limited.
#[derive(Deserialize, Debug, Default)]
pub struct Clock {
    /// For this move.
    #[serde(default)]
    pub move_ms: Option<f64>,
    /// In the bank of each seat.
    #[serde(default)]
    pub left_ms: Vec<Option<f64>>,
}

impl<'a> Question<'a> {
    /// Reads a `turn` line.
    ///
    /// # Errors
    /// What cannot be read, and where.
    pub fn read(line: &'a [u8]) -> Result<Question<'a>, serde_json::Error> {
        serde_json::from_slice(line)
    }
}

const MEMORY: &str = "memory takes all bytes";

/// Appends the answer to `hello`.
pub fn write_ready(out: &mut Vec<u8>, name: &str) {
    out.extend_from_slice(br#"{"type":"ready","name":"#);
    serde_json::to_writer(&mut *out, name).expect(MEMORY);
    out.extend_from_slice(b"}\n");
}

/// Appends the answer that makes a move.
pub fn write_move(out: &mut Vec<u8>, turn: u64, token: &str) {
    write_move_with(out, turn, token, None);
}

/// Appends the answer that makes a move, with an `info` for the log, which is JSON already.
pub fn write_move_with(out: &mut Vec<u8>, turn: u64, token: &str, info: Option<&str>) {
    write!(out, r#"{{"type":"move","turn":{turn},"move":"#).expect(MEMORY);
    serde_json::to_writer(&mut *out, token).expect(MEMORY);
    if let Some(info) = info {
        write!(out, r#","info":{info}"#).expect(MEMORY);
    }
    out.extend_from_slice(b"}\n");
}
