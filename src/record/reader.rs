//! Reads a log back: lines to entries, and the bytes that its two hashes are taken over.

use memchr::memmem;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::FORMAT;
use super::entry::{Chance, End, Entry, Fault, Header, Leave, Move, Note};
use super::quick;
use crate::chance::Hex32;
use crate::clock::Moment;

/// A log that cannot be read at all.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotALog {
    /// Nothing in it.
    #[error("the file is empty")]
    Empty,
    /// Not text, or no log of ours.
    #[error("not a log of arbitro: {0}")]
    Foreign(String),
    /// A log of another format.
    #[error("a log of format {0}; this arbitro reads format {FORMAT}")]
    OtherFormat(u64),
    /// A log of other rules than this program plays.
    #[error("played by version {found} of the rules of {game}; this arbitro knows version {known}")]
    OtherRules {
        /// The game.
        game: &'static str,
        /// The version in the log.
        found: u32,
        /// The version here.
        known: u32,
    },
}

/// A line that is damaged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadLine {
    /// The file ends inside it.
    #[error("the line is cut off")]
    CutOff,
    /// It is no line of a log.
    #[error("the line cannot be read: {0}")]
    Unreadable(String),
}

/// One line after the header.
pub enum Line {
    /// Any line but the last.
    Entry(Entry),
    /// The last line.
    End(Box<Ending>),
}

/// The end line with its hashes.
pub struct Ending {
    /// What it says.
    pub end: End,
    /// The hash of the game that it states, and the one that the lines give.
    pub game_sha256: (Hex32, Hex32),
    /// The hash of the file that it states, and the one that the bytes give.
    pub sha256: (Hex32, Hex32),
    /// How many bytes follow it.
    pub rest: usize,
}

/// Reads one log from memory.
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    number: usize,
    game: Sha256,
    host: memmem::Finder<'static>,
    /// The end line as it was peeked at, and where it begins.
    peeked: Option<(usize, End)>,
}

const HOST: &[u8] = b",\"host\":{";

impl<'a> Reader<'a> {
    /// Begins with the header.
    ///
    /// # Errors
    /// When there is none that this program can read.
    pub fn new(bytes: &'a [u8]) -> Result<(Reader<'a>, Header), NotALog> {
        if bytes.is_empty() {
            return Err(NotALog::Empty);
        }
        let (game, host) = (Sha256::new(), memmem::Finder::new(HOST));
        let mut reader = Reader { bytes, position: 0, number: 0, game, host, peeked: None };
        let foreign = |why: &str| NotALog::Foreign(why.to_owned());
        if bytes.starts_with("\u{feff}".as_bytes()) {
            return Err(foreign("it begins with a byte order mark; save it as UTF-8 without one"));
        }
        let line = reader.take().map_err(|error| NotALog::Foreign(error.to_string()))?;
        let text = std::str::from_utf8(line).map_err(|_| foreign("it is not text"))?;
        if text.strip_suffix('\r').is_some_and(|text| inner(text, "header").is_some()) {
            return Err(foreign("its lines end in \\r\\n; save it with Unix line ends (LF, not CRLF)"));
        }
        let inner = inner(text, "header").ok_or_else(|| foreign("it does not begin with a header"))?;
        let header = readable(inner)?;
        reader.hash(line);
        Ok((reader, header))
    }

    /// The number of the line that was last read, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The next line; none where the file ends.
    ///
    /// # Errors
    /// When the line is damaged.
    pub fn read(&mut self) -> Result<Option<Line>, BadLine> {
        if self.position == self.bytes.len() {
            return Ok(None);
        }
        let start = self.position;
        let line = self.take()?;
        if let Some(step) = quick::read(line) {
            self.hash(line);
            return Ok(Some(Line::Entry(step)));
        }
        let text = std::str::from_utf8(line).map_err(|_| BadLine::Unreadable("it is not text".to_owned()))?;
        if let Some(inner) = inner(text, "end") {
            return self.end(start, text, inner).map(|ending| Some(Line::End(Box::new(ending))));
        }
        let entry = entry(text)?;
        if !matches!(entry, Entry::Note(_)) {
            self.hash(line);
        }
        Ok(Some(Line::Entry(entry)))
    }

    /// The end line, if the last line of the file is one: where its seeds are needed before its turn comes.
    pub fn peek_end(&mut self) -> Option<&End> {
        let body = self.bytes.strip_suffix(b"\n").unwrap_or(self.bytes);
        let start = memchr::memrchr(b'\n', body).map_or(0, |at| at + 1);
        let text = std::str::from_utf8(&body[start..]).ok()?;
        let end = serde_json::from_str(inner(text, "end")?).ok()?;
        Some(&self.peeked.insert((start, end)).1)
    }

    fn take(&mut self) -> Result<&'a [u8], BadLine> {
        let rest = &self.bytes[self.position..];
        self.number += 1;
        let Some(end) = memchr::memchr(b'\n', rest) else {
            self.position = self.bytes.len();
            return Err(BadLine::CutOff);
        };
        self.position += end + 1;
        Ok(&rest[..end])
    }

    /// Adds the line without its host part to the hash of the game.
    fn hash(&mut self, line: &[u8]) {
        match self.host.find(line) {
            Some(at) => {
                self.game.update(&line[..at]);
                self.game.update(b"}}\n");
            }
            None => {
                self.game.update(line);
                self.game.update(b"\n");
            }
        }
    }

    fn end(&mut self, start: usize, text: &str, inner: &str) -> Result<Ending, BadLine> {
        #[derive(Deserialize)]
        struct Hashes {
            game_sha256: Hex32,
            host: Host,
            sha256: Hex32,
        }
        #[derive(Deserialize)]
        struct Host {
            at: Moment,
        }
        let hashes: Hashes = typed(inner)?;
        let peeked = self.peeked.take_if(|(at, _)| *at == start);
        let mut end: End = peeked.map_or_else(|| typed(inner), |(_, end)| Ok(end))?;
        end.at = hashes.host.at;
        let game_field = text.find(",\"game_sha256\":").unwrap_or(text.len());
        let file_field = text.rfind(",\"sha256\":").unwrap_or(text.len());
        // Nothing else may stand behind the hash of what stands before it, not even the same digits in capitals.
        if text[file_field..] != format!(",\"sha256\":\"{}\"}}}}", hashes.sha256) {
            return Err(BadLine::Unreadable("it does not end with sha256, in lower case and alone".to_owned()));
        }
        self.game.update(&text[..game_field]);
        let game = Hex32(self.game.finalize_reset().into());
        let file = Hex32(Sha256::digest(&self.bytes[..start + file_field]).into());
        let ending = Ending {
            end,
            game_sha256: (hashes.game_sha256, game),
            sha256: (hashes.sha256, file),
            rest: self.bytes.len() - self.position,
        };
        self.position = self.bytes.len();
        Ok(ending)
    }
}

/// The object inside the tag, if the line has this tag.
fn inner<'a>(line: &'a str, tag: &str) -> Option<&'a str> {
    line.strip_prefix("{\"")?.strip_prefix(tag)?.strip_prefix("\":")?.strip_suffix('}')
}

fn typed<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, BadLine> {
    serde_json::from_str(text).map_err(unreadable_line)
}

fn unreadable_line(error: serde_json::Error) -> BadLine {
    BadLine::Unreadable(error.to_string())
}

fn entry(line: &str) -> Result<Entry, BadLine> {
    if let Some(inner) = inner(line, "move") {
        return typed::<Move>(inner).map(Entry::Move);
    }
    if let Some(inner) = inner(line, "host") {
        return Note::read(inner).map(|note| Entry::Note(Box::new(note))).map_err(unreadable_line);
    }
    if let Some(inner) = inner(line, "chance") {
        return typed::<Chance>(inner).map(Entry::Chance);
    }
    if let Some(inner) = inner(line, "leave") {
        return typed::<Leave>(inner).map(Entry::Leave);
    }
    if let Some(inner) = inner(line, "fault") {
        return typed::<Fault>(inner).map(|fault| Entry::Fault(Box::new(fault)));
    }
    Err(BadLine::Unreadable("it is none of move, chance, leave, fault, host and end".to_owned()))
}

/// The header, if its format and rules are ours.
fn readable(inner: &str) -> Result<Header, NotALog> {
    let header: Header = serde_json::from_str(inner).map_err(|error| unreadable(inner, &error))?;
    if header.format != FORMAT {
        return Err(NotALog::OtherFormat(header.format.into()));
    }
    let known = header.game.rules_version();
    if header.rules != known {
        return Err(NotALog::OtherRules { game: header.game.as_str(), found: header.rules, known });
    }
    Ok(header)
}

/// Why a header cannot be read: one of another format may look different in everything but this number.
fn unreadable(inner: &str, error: &serde_json::Error) -> NotALog {
    #[derive(Deserialize)]
    struct Format {
        format: u64,
    }
    match serde_json::from_str(inner) {
        Ok(Format { format }) if format != u64::from(FORMAT) => NotALog::OtherFormat(format),
        _ => NotALog::Foreign(format!("its header cannot be read: {error}")),
    }
}
