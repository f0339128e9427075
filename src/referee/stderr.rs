//! What is kept of a bot's stderr: its beginning as it comes, and its end.

use std::collections::VecDeque;

use crate::protocol::limits::{STDERR_HEAD_BYTES, STDERR_TAIL_BYTES};

/// The stderr of one bot.
#[derive(Default)]
pub struct Stderr {
    total: u64,
    head: usize,
    tail: VecDeque<u8>,
}

impl Stderr {
    /// Takes what came. Gives the text that is still part of the beginning, if any.
    pub fn push(&mut self, bytes: &[u8]) -> Option<String> {
        self.total += bytes.len() as u64;
        let (head, rest) = bytes.split_at(bytes.len().min(STDERR_HEAD_BYTES - self.head));
        self.head += head.len();
        let last = &rest[rest.len().saturating_sub(STDERR_TAIL_BYTES)..];
        let over = (self.tail.len() + last.len()).saturating_sub(STDERR_TAIL_BYTES);
        self.tail.drain(..over);
        self.tail.extend(last);
        (!head.is_empty()).then(|| String::from_utf8_lossy(head).into_owned())
    }

    /// How many bytes came.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The end, where it is not part of the beginning, and how many bytes between them are dropped.
    pub fn tail(&self) -> Option<(u64, String)> {
        let dropped = self.total - (self.head + self.tail.len()) as u64;
        let bytes: Vec<u8> = self.tail.iter().copied().collect();
        (!bytes.is_empty()).then(|| (dropped, String::from_utf8_lossy(&bytes).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_and_the_end_are_kept_and_nothing_more() {
        let mut stderr = Stderr::default();
        assert_eq!(stderr.push(b"first\n").as_deref(), Some("first\n"));
        assert_eq!(stderr.tail(), None);
        for _ in 0..1000 {
            stderr.push(&[b'x'; 1000]);
        }
        assert_eq!(stderr.push(b"last\n"), None);
        let (dropped, tail) = stderr.tail().unwrap();
        assert!(tail.ends_with("xlast\n"));
        assert_eq!(tail.len(), STDERR_TAIL_BYTES);
        assert_eq!(dropped, stderr.total() - (STDERR_HEAD_BYTES + STDERR_TAIL_BYTES) as u64);
        assert!(stderr.tail.capacity() < 4 * STDERR_TAIL_BYTES);
    }
}
