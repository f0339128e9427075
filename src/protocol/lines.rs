//! Bytes to lines: bounded, and the same lines however the bytes are cut into pieces.

/// The byte order mark that some editors and runtimes put in front of UTF-8 text.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// Splits what one bot writes into lines.
///
/// A line ends at `\n`; blanks and a `\r` before that, a byte order mark at the very beginning, and lines of blanks
/// alone are left out.
#[derive(Clone, Debug)]
pub struct Lines {
    limit: usize,
    partial: Vec<u8>,
    line: Vec<u8>,
    begun: bool,
}

/// A line, or what should have become one, was longer than the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong;

impl Lines {
    /// A splitter for lines of at most `limit` bytes without their `\n`.
    pub fn new(limit: usize) -> Lines {
        Lines { limit, partial: Vec::new(), line: Vec::new(), begun: false }
    }

    /// Reads up to the next line: how many of the `bytes` that took, and the line; where there is none, all of them
    /// were taken and the rest is kept for the next call.
    ///
    /// After [`TooLong`] the line is lost, and nothing sure can be said of what follows: the caller gives up on the bot.
    pub fn next<'a>(&'a mut self, bytes: &'a [u8]) -> (usize, Option<Result<&'a [u8], TooLong>>) {
        let mut taken = 0;
        loop {
            let Some(end) = memchr::memchr(b'\n', &bytes[taken..]) else {
                return (bytes.len(), self.keep(&bytes[taken..]).map(Err));
            };
            let head = &bytes[taken..taken + end];
            taken += end + 1;
            if self.partial.len() + head.len() > self.limit {
                self.partial.clear();
                return (taken, Some(Err(TooLong)));
            }
            let first = !std::mem::replace(&mut self.begun, true);
            if self.partial.is_empty() {
                match trimmed(head, first) {
                    [] => continue,
                    line => return (taken, Some(Ok(line))),
                }
            }
            self.partial.extend_from_slice(head);
            std::mem::swap(&mut self.partial, &mut self.line);
            self.partial.clear();
            if !trimmed(&self.line, first).is_empty() {
                return (taken, Some(Ok(trimmed(&self.line, first))));
            }
        }
    }

    /// What has come of a line that is not complete.
    pub fn partial(&self) -> &[u8] {
        &self.partial
    }

    fn keep(&mut self, bytes: &[u8]) -> Option<TooLong> {
        let room = (self.limit + 1).saturating_sub(self.partial.len());
        self.partial.extend_from_slice(&bytes[..bytes.len().min(room)]);
        (self.partial.len() > self.limit).then_some(TooLong)
    }
}

/// The line without its frame.
fn trimmed(line: &[u8], first: bool) -> &[u8] {
    let line = if first { line.strip_prefix(BOM).unwrap_or(line) } else { line };
    line.trim_ascii_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(pieces: &[&[u8]], limit: usize) -> Vec<Result<Vec<u8>, TooLong>> {
        let mut lines = Lines::new(limit);
        let mut out = Vec::new();
        for piece in pieces {
            let mut rest = *piece;
            while let (taken, Some(line)) = lines.next(rest) {
                out.push(line.map(<[u8]>::to_vec));
                if out.last() == Some(&Err(TooLong)) {
                    return out;
                }
                rest = &rest[taken..];
            }
        }
        out
    }

    fn texts(pieces: &[&[u8]]) -> Vec<String> {
        split(pieces, 100).into_iter().map(|line| String::from_utf8(line.unwrap()).unwrap()).collect()
    }

    #[test]
    fn frames_are_left_out() {
        assert_eq!(texts(&[b"\xef\xbb\xbf{}\r\n\n  \r\n{1} \t\r\n"]), ["{}", "{1}"]);
        assert_eq!(texts(&[b"\n\xef\xbb\xbf{}\n"]), ["\u{feff}{}"], "only the very first bytes may be a mark");
        assert_eq!(texts(&[b" {}\n"]), [" {}"], "blanks in front belong to the line");
    }

    #[test]
    fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
        assert_eq!(split(&[b"12345\n"], 5), [Ok(b"12345".to_vec())]);
        assert_eq!(split(&[b"123", b"45", b"\n"], 5), [Ok(b"12345".to_vec())]);
        assert_eq!(split(&[b"123456"], 5), [Err(TooLong)]);
        assert_eq!(split(&[b"1234", b"5", b"6\n"], 5), [Err(TooLong)]);
    }

    #[test]
    fn a_flood_without_an_end_takes_no_more_memory_than_the_limit() {
        let mut lines = Lines::new(1000);
        let flood = vec![b'x'; 1 << 20];
        assert_eq!(lines.next(&flood).1, Some(Err(TooLong)));
        assert!(lines.partial.capacity() < 4096);
    }

    #[test]
    fn what_has_come_of_a_line_can_be_shown() {
        let mut lines = Lines::new(100);
        assert_eq!(lines.next(b"{\"type\":"), (8, None));
        assert_eq!(lines.partial(), b"{\"type\":");
    }

    proptest! {
        /// A vector that grows takes twice what it holds; nothing is ever held beyond one byte more than the limit.
        #[test]
        fn whatever_comes_takes_no_more_memory_than_twice_the_limit(
            pieces in prop::collection::vec((prop::collection::vec(prop::sample::select(b"x\n \r".to_vec()), 0..40), 0usize..90), 0..20),
            limit in 1usize..60,
        ) {
            let mut lines = Lines::new(limit);
            let mut too_long = false;
            for (mut piece, flood) in pieces {
                piece.extend(std::iter::repeat_n(b'x', flood));
                let mut rest = piece.as_slice();
                while let (taken, Some(line)) = lines.next(rest) {
                    rest = &rest[taken..];
                    too_long = line.is_err();
                    if too_long {
                        break;
                    }
                }
                let most = (2 * (limit + 1)).max(8);
                prop_assert!(lines.partial.len() <= limit + 1);
                prop_assert!(lines.partial.capacity() <= most && lines.line.capacity() <= most);
                if too_long {
                    break;
                }
            }
        }

        #[test]
        fn cutting_the_bytes_changes_nothing(
            bytes in prop::collection::vec(prop::sample::select(b"{a \r\n\n\xef\xbb\xbf".to_vec()), 0..60),
            cuts in prop::collection::vec(0usize..60, 0..10),
            limit in 1usize..12,
        ) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(split(&pieces, limit), split(&[&bytes], limit));
        }
    }
}
