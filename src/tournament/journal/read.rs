//! Reads a journal from its beginning: set after set, without holding more than one of them.

use std::io::{self, BufRead, Read};

use serde::Deserialize;

use super::{Changed, Check, FORMAT, Header};
use crate::tournament::played::Played;

/// The longest line that is read: none of ours is a hundredth of it, but for a field of thousands of bots.
const MOST_BYTES: u64 = 16 << 20;

/// A journal that cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum BadJournal {
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Reading(#[from] io::Error),
    /// It does not begin as a journal.
    #[error("this is no journal of arbitro: {0}")]
    Foreign(String),
    /// A journal of another format.
    #[error("a journal of format {0}; this arbitro reads format {FORMAT}")]
    OtherFormat(u64),
    /// A game that counts twice.
    #[error("game {0} stands in it twice; bring back the file as it was written")]
    Twice(u64),
    /// A line that was changed or damaged.
    #[error(
        "line {line} is damaged: {what}; bring back the file as it was written, or cut it (truncate -s {good}) to have \
         everything from there on played again"
    )]
    Damaged {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
        /// How many bytes before it hold whole sets.
        good: u64,
    },
}

/// Where a journal ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// How many bytes hold whole sets.
    pub length: u64,
    /// How many bytes stand behind them, of games that were not safe yet.
    pub torn: u64,
    /// The check of the last line of the last whole set.
    pub check: Check,
}

/// Reads a journal set by set.
pub struct Reader<R> {
    from: R,
    header: Header,
    line: Vec<u8>,
    number: usize,
    check: Check,
    position: u64,
    end: End,
    changes: Vec<Changed>,
}

/// Everything that a journal holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Recorded {
    /// What the numbers mean.
    pub header: Header,
    /// The finished games in the order of their numbers.
    pub played: Vec<Played>,
    /// What changed in the bots, in order.
    pub changes: Vec<Changed>,
    /// Where it ends.
    pub end: End,
}

/// Reads a whole journal, one that is still being written included.
///
/// # Errors
/// When it is damaged, or holds a game twice.
pub fn read(from: impl BufRead) -> Result<Recorded, BadJournal> {
    let mut reader = Reader::new(from)?;
    let mut played = Vec::new();
    while reader.next_set(&mut played)? {}
    // Mostly they are in order already.
    played.sort_by_key(|game| game.game);
    if let Some(pair) = played.windows(2).find(|pair| pair[0].game == pair[1].game) {
        return Err(BadJournal::Twice(pair[0].game));
    }
    Ok(Recorded { header: reader.header, played, changes: reader.changes, end: reader.end })
}

impl<R: BufRead> Reader<R> {
    /// Begins with the header.
    ///
    /// # Errors
    /// When there is none that this program can read.
    pub fn new(mut from: R) -> Result<Reader<R>, BadJournal> {
        let mut line = Vec::new();
        from.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line)?;
        let mut check = Check::default();
        let header = header(&line, &mut check)?;
        let position = line.len() as u64;
        let end = End { length: position, torn: 0, check };
        Ok(Reader { from, header, line, number: 1, check, position, end, changes: Vec::new() })
    }

    /// What the numbers mean.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The number of the line that was last read, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// What changed in the bots so far, in order.
    pub fn changes(&self) -> &[Changed] {
        &self.changes
    }

    /// The end as far as it was read; of the journal, once there was no further set.
    pub fn end(&self) -> End {
        self.end
    }

    /// Appends the games of the next set; whether there was another whole one.
    ///
    /// # Errors
    /// When a line is damaged.
    pub fn next_set(&mut self, games: &mut Vec<Played>) -> Result<bool, BadJournal> {
        let before = games.len();
        while games.len() < before + self.header.games_each {
            if !self.next_line()? {
                games.truncate(before);
                self.end.torn = self.position - self.end.length;
                return Ok(false);
            }
            let said = self.check.take(&self.line).map_err(|what| self.damaged(what))?;
            match tagged(said, "changed") {
                Some(changed) if games.len() == before => {
                    let changed = serde_json::from_slice(changed).map_err(|error| self.damaged(error))?;
                    self.changes.push(changed);
                    self.end = End { length: self.position, torn: 0, check: self.check };
                }
                _ => {
                    let game = tagged(said, "game").ok_or_else(|| self.damaged("it is no line of a game"))?;
                    let game: Played = serde_json::from_slice(game).map_err(|error| self.damaged(error))?;
                    self.fits(&game, games[before..].last())?;
                    games.push(game);
                }
            }
        }
        self.end = End { length: self.position, torn: 0, check: self.check };
        Ok(true)
    }

    /// Goes on to the next line, if there is a whole one.
    fn next_line(&mut self) -> Result<bool, BadJournal> {
        self.line.clear();
        let count = self.from.by_ref().take(MOST_BYTES).read_until(b'\n', &mut self.line)?;
        self.position += count as u64;
        self.number += usize::from(count > 0);
        if self.line.ends_with(b"\n") {
            return Ok(true);
        }
        // A line that is too long is no torn end: something follows it.
        if self.from.fill_buf()?.is_empty() { Ok(false) } else { Err(self.damaged("it is too long")) }
    }

    /// Whether a game can stand here, behind another of its set.
    fn fits(&self, game: &Played, before: Option<&Played>) -> Result<(), BadJournal> {
        let entrants = game.seats.iter();
        if game.seats.len() != self.header.seats
            || entrants.into_iter().any(|bot| bot.index() >= self.header.bots.len())
        {
            return Err(self.damaged("its seats are not those of this tournament"));
        }
        match before {
            Some(before) if (before.set, before.game + 1) != (game.set, game.game) => {
                Err(self.damaged(format!("game {} of set {} is missing", before.game + 1, before.set)))
            }
            _ => Ok(()),
        }
    }

    fn damaged(&self, what: impl ToString) -> BadJournal {
        BadJournal::Damaged { line: self.number, what: what.to_string(), good: self.end.length }
    }
}

fn header(line: &[u8], check: &mut Check) -> Result<Header, BadJournal> {
    #[derive(Deserialize)]
    struct Format {
        format: u64,
    }
    let foreign = |what: &dyn ToString| BadJournal::Foreign(what.to_string());
    let said = check.take(line).map_err(|what| foreign(&what))?;
    let header = tagged(said, "journal").ok_or_else(|| foreign(&"it does not begin with its header"))?;
    match serde_json::from_slice(header) {
        Ok(Format { format }) if format != u64::from(FORMAT) => return Err(BadJournal::OtherFormat(format)),
        _ => {}
    }
    let header: Header = serde_json::from_slice(header).map_err(|error| foreign(&error))?;
    if header.games_each == 0 { Err(foreign(&"its sets have no games")) } else { Ok(header) }
}

/// What stands behind this tag in what a line says.
fn tagged<'a>(said: &'a [u8], tag: &str) -> Option<&'a [u8]> {
    said.strip_prefix(b"{\"")?.strip_prefix(tag.as_bytes())?.strip_prefix(b"\":")
}
