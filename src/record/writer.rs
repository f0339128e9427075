//! Writes a log, line by line, and keeps its two hashes.

use std::io::{self, Write};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::course::{Course, Tally};
use super::entry::{End, Entry};
use crate::chance::Hex32;
use crate::clock::Span;
use crate::seat::BySeat;

/// Writes one log.
pub struct Writer<W: Write> {
    to: W,
    line: Vec<u8>,
    file: Sha256,
    game: Sha256,
    tally: Tally,
}

/// The two hashes of a finished log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digests {
    /// The hash of the game without what was measured or local: equal games have equal ones.
    pub game_sha256: Hex32,
    /// The hash of the file up to the field that holds it.
    pub sha256: Hex32,
}

/// A log that was written to its end.
pub struct Written<W> {
    /// Its hashes.
    pub digests: Digests,
    /// What was played.
    pub course: Course,
    /// How long each seat thought in all.
    pub thought: BySeat<Span>,
    /// What it was written to.
    pub to: W,
}

impl<W: Write> Writer<W> {
    /// A writer of a new log.
    pub fn new(to: W) -> Writer<W> {
        Writer { to, line: Vec::with_capacity(512), file: Sha256::new(), game: Sha256::new(), tally: Tally::default() }
    }

    /// Writes one entry as a line.
    ///
    /// # Errors
    /// Those of the writer below.
    pub fn entry(&mut self, entry: &Entry) -> io::Result<()> {
        self.tally.entry(entry);
        match entry {
            Entry::Header(header) => self.game_line("header", header, Some(&header.host)),
            Entry::Move(mv) => self.game_line("move", mv, mv.host.as_ref()),
            Entry::Chance(chance) => self.game_line("chance", chance, None::<&()>),
            Entry::Leave(leave) => self.game_line("leave", leave, None::<&()>),
            Entry::Fault(fault) => self.game_line("fault", fault, fault.host.as_ref()),
            Entry::Note(note) => {
                self.line.clear();
                self.line.extend_from_slice(b"{\"host\":");
                append(&mut self.line, note)?;
                self.line.extend_from_slice(b"}\n");
                self.put()
            }
        }
    }

    /// Writes the last line, and everything to the writer below.
    ///
    /// # Errors
    /// Those of the writer below.
    pub fn end(self, end: &End) -> io::Result<Digests> {
        self.finish(end).map(|written| written.digests)
    }

    /// The same, with all that the log adds up to.
    ///
    /// # Errors
    /// Those of the writer below.
    pub fn finish(mut self, end: &End) -> io::Result<Written<W>> {
        #[derive(Serialize)]
        struct Host {
            at: u64,
        }
        self.open("end", end)?;
        self.game.update(&self.line);
        let game_sha256 = Hex32(self.game.finalize_reset().into());
        write!(self.line, r#","game_sha256":"{game_sha256}","host":"#)?;
        append(&mut self.line, &Host { at: end.at.0 })?;
        self.file.update(&self.line);
        let sha256 = Hex32(self.file.finalize_reset().into());
        writeln!(self.line, r#","sha256":"{sha256}"}}}}"#)?;
        self.to.write_all(&self.line)?;
        self.to.flush()?;
        let (course, thought) = self.tally.end(end);
        Ok(Written { digests: Digests { game_sha256, sha256 }, course, thought, to: self.to })
    }

    /// Hands everything written so far to the reader of the file.
    ///
    /// # Errors
    /// Those of the writer below.
    pub fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }

    /// A line that belongs to the game, and behind it what does not.
    fn game_line(&mut self, tag: &str, entry: &impl Serialize, host: Option<&impl Serialize>) -> io::Result<()> {
        self.open(tag, entry)?;
        self.game.update(&self.line);
        self.game.update(b"}}\n");
        if let Some(host) = host {
            self.line.extend_from_slice(b",\"host\":");
            append(&mut self.line, host)?;
        }
        self.line.extend_from_slice(b"}}\n");
        self.put()
    }

    /// Begins the line: the entry in its tag, both still without their closing brace.
    fn open(&mut self, tag: &str, entry: &impl Serialize) -> io::Result<()> {
        self.line.clear();
        self.line.extend_from_slice(b"{\"");
        self.line.extend_from_slice(tag.as_bytes());
        self.line.extend_from_slice(b"\":");
        append(&mut self.line, entry)?;
        assert_eq!(self.line.pop(), Some(b'}'), "an entry is an object");
        Ok(())
    }

    fn put(&mut self) -> io::Result<()> {
        self.file.update(&self.line);
        self.to.write_all(&self.line)
    }
}

fn append(line: &mut Vec<u8>, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(line, value).map_err(io::Error::from)
}
