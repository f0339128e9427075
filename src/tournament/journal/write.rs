//! Writes a journal: sets of games, in groups that are on the disk when the call returns.

use std::fs::File;
use std::io::{self, Write};

use serde::Serialize;

use super::{Changed, Check, End, Header};
use crate::tournament::played::Played;

/// What a journal is written to. Tests put in a disk that fails.
pub trait Storage {
    /// Appends these bytes. After an error, any part of them may be there.
    ///
    /// # Errors
    /// Those of the system.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Returns when everything that was appended is on the disk.
    ///
    /// # Errors
    /// Those of the system; then nobody knows what is there of all that was appended since the last success.
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts it to so many bytes.
    ///
    /// # Errors
    /// Those of the system.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

/// A file that was opened for appending.
pub struct JournalFile(pub File);

impl Storage for JournalFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }
}

/// A journal that takes more.
pub struct Journal<S> {
    storage: S,
    check: Check,
    length: u64,
    lines: Vec<u8>,
    failed: bool,
}

/// The first bytes of a new journal.
pub fn beginning(header: &Header) -> Vec<u8> {
    let mut line = Vec::new();
    Check::default().append(&mut line, "journal", header);
    line
}

impl<S: Storage> Journal<S> {
    /// Goes on with a journal that was read to this end, which is cut off if it is torn.
    ///
    /// # Errors
    /// Those of the storage.
    pub fn resume(mut storage: S, end: &End) -> io::Result<Journal<S>> {
        if end.torn > 0 {
            storage.cut(end.length)?;
            storage.sync()?;
        }
        Ok(Journal { storage, check: end.check, length: end.length, lines: Vec::new(), failed: false })
    }

    /// The same journal over another storage, made of its own: so that tests let the disk fail.
    pub fn over<T: Storage>(self, make: impl FnOnce(S) -> T) -> Journal<T> {
        let Journal { storage, check, length, lines, failed } = self;
        Journal { storage: make(storage), check, length, lines, failed }
    }

    /// Writes the games of whole sets, those of one set one after another; they are on the disk when this returns.
    ///
    /// # Errors
    /// Those of the storage. The journal is then as it was before, as far as the storage still allows, and takes no more.
    pub fn commit<'a>(&mut self, games: impl IntoIterator<Item = &'a Played>) -> io::Result<()> {
        self.write(games.into_iter().map(|game| ("game", game)))
    }

    /// Writes that bots changed.
    ///
    /// # Errors
    /// As [`Journal::commit`].
    pub fn change(&mut self, changed: &Changed) -> io::Result<()> {
        self.write([("changed", changed)])
    }

    fn write<'a>(
        &mut self,
        items: impl IntoIterator<Item = (&'static str, &'a (impl Serialize + 'a))>,
    ) -> io::Result<()> {
        if self.failed {
            return Err(io::Error::other("an earlier write failed"));
        }
        self.lines.clear();
        let mut check = self.check;
        items.into_iter().for_each(|(tag, item)| check.append(&mut self.lines, tag, item));
        if let Err(error) = self.storage.append(&self.lines).and_then(|()| self.storage.sync()) {
            self.failed = true;
            // If this fails too, a torn end is left, which is cut off when the tournament goes on.
            let _ = self.storage.cut(self.length).and_then(|()| self.storage.sync());
            return Err(error);
        }
        self.check = check;
        self.length += self.lines.len() as u64;
        Ok(())
    }
}
