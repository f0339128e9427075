//! What we say to a bot: `hello`, `turn`, `over`. Each function appends one whole line.

use std::io::Write;

use serde::Serialize;
use serde_json::value::RawValue;

use super::VERSION;
use super::limits::Limits;
use crate::chance::{Hex32, Seed};
use crate::clock::{Clock, Span, TimeControl};
use crate::seat::{BySeat, Seat};
use crate::table::GameName;

/// The first message: the game, the bot's place in it, and everything that is enforced.
#[derive(Serialize, Debug)]
pub struct Hello<'a> {
    /// The game.
    pub game: GameName,
    /// The options in force, all filled in.
    pub options: &'a RawValue,
    /// The bot's own seat.
    pub seat: Seat,
    /// The names of all players in the order of the seats.
    pub players: &'a BySeat<String>,
    /// The time that each seat has.
    pub clock: &'a TimeControl,
    /// The limits on what the bot may send.
    pub limits: &'a Limits,
    /// The game's name in the match.
    pub game_id: &'a str,
    /// A seed of the bot's own, so that a bot that draws at random can be made to play a game again.
    pub bot_seed: Seed,
    /// What binds the referee to its own draws before it makes them.
    pub commitment: Hex32,
}

/// Appends the `hello` line.
pub fn hello(out: &mut Vec<u8>, hello: &Hello) {
    #[derive(Serialize)]
    struct Line<'a> {
        r#type: &'static str,
        protocol: u32,
        rules: u32,
        #[serde(flatten)]
        hello: &'a Hello<'a>,
    }
    line(out, &Line { r#type: "hello", protocol: VERSION, rules: hello.game.rules_version(), hello });
}

/// Appends the `turn` line. The parts are JSON already: `state` an object, `events` the items of a list, `legal` a list.
pub fn turn(out: &mut Vec<u8>, turn: u64, parts: impl FnOnce(&mut Parts)) {
    write!(out, r#"{{"type":"turn","turn":{turn}"#).expect(MEMORY);
    parts(&mut Parts(out));
    out.extend_from_slice(b"}\n");
}

/// The parts of a `turn` line, appended one after the other.
pub struct Parts<'a>(&'a mut Vec<u8>);

impl Parts<'_> {
    /// A part that writes itself as one JSON value.
    pub fn value(&mut self, key: &'static str, write: impl FnOnce(&mut Vec<u8>)) {
        self.key(key);
        write(self.0);
    }

    /// A list whose items are JSON already, with commas between them.
    pub fn list(&mut self, key: &'static str, items: &[u8]) {
        self.key(key);
        self.0.push(b'[');
        self.0.extend_from_slice(items);
        self.0.push(b']');
    }

    /// The clock: the time for this move, and what is left in the bank of each seat, and of its byo-yomi if there is one.
    pub fn clock<'a>(&mut self, allowance: Option<Span>, clocks: impl Iterator<Item = &'a Clock> + Clone) {
        let ms = |out: &mut Vec<u8>, span: Option<Span>| match span {
            Some(span) => write!(out, "{}", span.ms()).expect(MEMORY),
            None => out.extend_from_slice(b"null"),
        };
        self.0.extend_from_slice(br#","clock":{"move_ms":"#);
        ms(self.0, allowance);
        self.0.extend_from_slice(br#","left_ms":["#);
        for (index, clock) in clocks.clone().enumerate() {
            if index > 0 {
                self.0.push(b',');
            }
            ms(self.0, clock.bank());
        }
        for (index, periods) in clocks.filter_map(Clock::periods).enumerate() {
            self.0.extend_from_slice(if index == 0 { br#"],"periods":["# } else { b"," });
            write!(self.0, "{periods}").expect(MEMORY);
        }
        self.0.extend_from_slice(b"]}");
    }

    fn key(&mut self, key: &'static str) {
        self.0.extend_from_slice(b",\"");
        self.0.extend_from_slice(key.as_bytes());
        self.0.extend_from_slice(b"\":");
    }
}

/// The last message of a game.
#[derive(Serialize, Debug)]
pub struct Over<'a> {
    /// How the game ended: `decided`, `none`, `void` or `aborted`.
    pub result: &'a str,
    /// The rank of each seat, where the game has a result.
    pub ranks: Option<&'a BySeat<u8>>,
    /// Why it ended.
    pub reason: &'a str,
}

/// Appends the `over` line.
pub fn over(out: &mut Vec<u8>, over: &Over) {
    #[derive(Serialize)]
    struct Line<'a> {
        r#type: &'static str,
        #[serde(flatten)]
        over: &'a Over<'a>,
    }
    line(out, &Line { r#type: "over", over });
}

const MEMORY: &str = "memory takes all bytes";

fn line(out: &mut Vec<u8>, message: &impl Serialize) {
    serde_json::to_writer(&mut *out, message).expect(MEMORY);
    out.push(b'\n');
}
