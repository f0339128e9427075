//! One line of a journal: what it says, and the check that chains it to the line before.

use std::fmt;

use serde::Serialize;
use sha2::{Digest, Sha256};

/// What stands between what a line says and its check.
const BEFORE: &[u8] = b",\"check\":\"";
/// What stands behind the check.
const AFTER: &[u8] = b"\"}\n";
/// How long a check is.
const DIGITS: usize = 16;

/// The first 16 hex digits of the SHA-256 of the check before and of what the line says.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Check([u8; DIGITS]);

impl Check {
    /// That of a line which says this, behind the line with this check.
    fn next(self, said: &[u8]) -> Check {
        let digest = Sha256::new().chain_update(self.0).chain_update(said).finalize();
        let digit = |place: usize| b"0123456789abcdef"[usize::from(digest[place / 2] >> (4 - place % 2 * 4) & 15)];
        Check(std::array::from_fn(digit))
    }

    /// Appends a line that says this, and goes on to its check.
    pub(super) fn append(&mut self, lines: &mut Vec<u8>, tag: &str, what: &impl Serialize) {
        let start = lines.len();
        lines.extend_from_slice(b"{\"");
        lines.extend_from_slice(tag.as_bytes());
        lines.extend_from_slice(b"\":");
        serde_json::to_writer(&mut *lines, what).expect("memory takes all bytes");
        *self = self.next(&lines[start..]);
        lines.extend_from_slice(BEFORE);
        lines.extend_from_slice(&self.0);
        lines.extend_from_slice(AFTER);
    }

    /// Takes a whole line, its line end included, and goes on to its check: what it says, without the last brace.
    ///
    /// # Errors
    /// In words, if the check is another, or none.
    pub(super) fn take<'a>(&mut self, line: &'a [u8]) -> Result<&'a [u8], String> {
        let foreign = || "it does not end with a check".to_owned();
        let rest = line.strip_suffix(AFTER).ok_or_else(foreign)?;
        let (rest, stated) = rest.split_last_chunk::<DIGITS>().ok_or_else(foreign)?;
        let said = rest.strip_suffix(BEFORE).ok_or_else(foreign)?;
        let check = self.next(said);
        if check.0 != *stated {
            let stated = String::from_utf8_lossy(stated);
            return Err(format!("its check is {stated}, and {check} follows from what stands there"));
        }
        *self = check;
        Ok(said)
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
