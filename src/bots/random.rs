//! A bot for every game: it draws from the list of legal moves and looks at nothing else.

use std::borrow::Cow;
use std::io::{self, Write};

use memchr::{memchr, memmem};
use serde::Deserialize;

use super::options::Options;
use super::wire::{Hello, write_move};
use super::{BotError, Player};
use crate::chance::Draws;

/// The bot in one game.
pub struct Random(Draws);

impl Random {
    /// Sits down to any game.
    ///
    /// # Errors
    /// Never.
    pub fn sit_down(hello: &Hello, _: &Options) -> Result<Box<dyn Player>, BotError> {
        Ok(Box::new(Random(hello.draws())))
    }
}

impl Player for Random {
    fn answer(&mut self, turn: &[u8], answer: &mut Vec<u8>, notes: &mut dyn Write) -> io::Result<()> {
        if let Some(glance) = Glance::at(turn) {
            let chosen = self.0.below(glance.count());
            write_move(answer, glance.turn, glance.token(chosen));
            return Ok(());
        }
        match Question::read(turn) {
            Ok(question) => {
                let chosen = self.0.below(question.legal.len() as u32);
                write_move(answer, question.turn, &question.legal[chosen as usize]);
                Ok(())
            }
            Err(error) => writeln!(notes, "a turn stays unanswered, for it cannot be read: {error}"),
        }
    }
}

/// All that this bot needs to know of a `turn`.
#[derive(Deserialize)]
struct Question<'a> {
    turn: u64,
    #[serde(borrow)]
    legal: Vec<Cow<'a, str>>,
}

impl<'a> Question<'a> {
    fn read(line: &'a [u8]) -> Result<Question<'a>, String> {
        let question: Question = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        if question.legal.is_empty() { Err("its list of legal moves is empty".to_owned()) } else { Ok(question) }
    }
}

/// The same, taken from the line as the referee writes it, without reading the JSON in front of the list: number first,
/// list and clock last.
struct Glance<'a> {
    turn: u64,
    /// The inside of the list, from the first quote to the last.
    list: &'a str,
}

impl<'a> Glance<'a> {
    /// None where the line is written otherwise, or where there might be anything to unescape.
    fn at(line: &'a [u8]) -> Option<Glance<'a>> {
        const LEGAL: &[u8] = br#","legal":["#;
        let numbered = line.strip_prefix(br#"{"type":"turn","turn":"#)?;
        let digits = numbered.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let turn = str::from_utf8(&numbered[..digits]).ok()?.parse().ok()?;
        let from = memmem::rfind(numbered, LEGAL)? + LEGAL.len();
        let list = &numbered[from..];
        let (list, rest) = list.split_at(memchr(b']', list)?);
        // Only the clock may follow, so that the list is that of the message and not something inside another field.
        let clock = rest.strip_prefix(br#"],"clock":{"#)?;
        if clock[memchr(b'}', clock)?..].trim_ascii_end() != b"}}" {
            return None;
        }
        let glance = Glance { turn, list: str::from_utf8(list).ok()? };
        let plain = list.len() > 2 && list.starts_with(b"\"") && list.ends_with(b"\"") && !list.contains(&b'\\');
        (plain && glance.occurrences(b'"') == 2 * glance.count()).then_some(glance)
    }

    fn count(&self) -> u32 {
        1 + self.occurrences(b',')
    }

    fn occurrences(&self, byte: u8) -> u32 {
        self.list.bytes().map(|other| u32::from(other == byte)).sum()
    }

    fn token(&self, index: u32) -> &'a str {
        self.list.split(',').nth(index as usize).expect("they were counted").trim_matches('"')
    }
}
