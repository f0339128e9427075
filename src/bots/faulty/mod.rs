//! A bot that misbehaves on purpose: an honest random player until its bad moment, and then whatever its mode says.
//!
//! Anybody can try a referee, a limit or a sandbox with it: `arbitro play alto-ahi 'faulty mode=flood' random`. It plays
//! every game. The bad moment is its turn number `turn=N`, the first if not given; 0 is the moment at which it should
//! get ready. What it does is bounded: it ends by itself within a minute (if it did not stop itself for good), stays on
//! this machine, and takes back what it changed.

mod attacks;
mod ends;
mod leftovers;
mod lines;
mod resources;
mod timing;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::thread::sleep;
use std::time::Duration;

use serde::Deserialize;

use super::options::Options;
use super::wire::{self, Kind};
use super::{BotError, Session};

/// How long it does nothing, or too much, before it goes on.
const LONG: Duration = Duration::from_secs(55);

/// All ways to misbehave, under headings.
pub const MODES: &[(&str, &[Mode])] = &[
    ("Time", timing::MODES),
    ("Lines and messages", lines::MODES),
    ("Its end", ends::MODES),
    ("Processes", leftovers::MODES),
    ("Resources", resources::MODES),
    ("Attacks", attacks::MODES),
];

/// One way to misbehave.
#[derive(Debug)]
pub struct Mode {
    /// Its name, as in `mode=flood`.
    pub name: &'static str,
    /// What it does, in one line.
    pub words: &'static str,
    act: fn(&mut Scene) -> io::Result<()>,
}

const fn mode(name: &'static str, words: &'static str, act: fn(&mut Scene) -> io::Result<()>) -> Mode {
    Mode { name, words, act }
}

/// The mode of this name.
pub fn find(name: &str) -> Option<&'static Mode> {
    MODES.iter().flat_map(|(_, modes)| *modes).find(|mode| mode.name == name)
}

/// What a mode has at hand at its bad moment.
struct Scene<'a> {
    options: &'a Options,
    /// The `hello` of the game.
    hello: &'a [u8],
    /// The message that wants an answer now.
    question: &'a [u8],
    /// The answer that is right, with its line end.
    answer: &'a [u8],
    output: &'a mut dyn Write,
    notes: &'a mut dyn Write,
    /// Whether the bot stays when everything is over.
    stays: &'a mut bool,
}

impl Scene<'_> {
    /// Writes this to stdout, at once.
    fn say(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.output.write_all(bytes.as_ref())?;
        self.output.flush()
    }

    /// Answers as it should.
    fn answer(&mut self) -> io::Result<()> {
        self.say(self.answer)
    }

    /// The right answer without its line end.
    fn bare_answer(&self) -> String {
        String::from_utf8_lossy(self.answer).trim_end().to_owned()
    }

    /// Tells people something.
    fn note(&mut self, text: impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.notes, "{text}")
    }

    /// The number that the answer carries, and the move in it; 0 and none where it is `ready`.
    fn own_move(&self) -> (u64, String) {
        #[derive(Deserialize, Default)]
        #[serde(default)]
        struct Answer {
            turn: u64,
            #[serde(rename = "move")]
            token: String,
        }
        let Answer { turn, token } = serde_json::from_slice(self.answer).unwrap_or_default();
        (turn, token)
    }
}

/// Does nothing for long.
fn hang() {
    sleep(LONG);
}

/// Plays one game after the other until the input ends, and misbehaves once.
///
/// # Errors
/// Those of [`run`](super::run).
pub(super) fn run(
    mut session: Session,
    mode: &Mode,
    input: impl Read,
    mut output: impl Write,
    mut notes: impl Write,
) -> Result<(), BotError> {
    let bad_moment = session.options.turn.unwrap_or(1);
    let mut input = BufReader::with_capacity(64 * 1024, input);
    let (mut line, mut hello, mut answer) = (Vec::new(), Vec::new(), Vec::new());
    let (mut turns, mut stays, mut done) = (0, false, false);
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        match wire::kind(&line) {
            Kind::Hello => hello.clone_from(&line),
            Kind::Turn => turns += 1,
            Kind::Over | Kind::Other => {}
        }
        answer.clear();
        session.hear(&line, &mut answer, &mut notes)?;
        if done || turns != bad_moment || answer.is_empty() {
            output.write_all(&answer)?;
            output.flush()?;
            continue;
        }
        done = true;
        (mode.act)(&mut Scene {
            options: &session.options,
            hello: &hello,
            question: &line,
            answer: &answer,
            output: &mut output,
            notes: &mut notes,
            stays: &mut stays,
        })?;
    }
    if stays {
        hang();
    }
    Ok(())
}

#[cfg(test)]
mod tests;
