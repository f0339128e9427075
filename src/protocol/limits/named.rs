//! Limits as people write them, by name and value: `memory` and `2GiB`.

use super::Limits;
use crate::clock::{BadTime, Span};

/// The names of the limits, each with its default and what it is of.
pub const NAMED: [(&str, &str, &str); 10] = [
    ("memory", "1GiB", "of all processes of a bot together"),
    ("processes", "64", "of a bot at once"),
    ("open-files", "64", "of each process"),
    ("file-size", "1MiB", "of each file that it writes"),
    ("cpu", "1h", "processor time of all its processes in a game"),
    ("scratch", "none", "room in a folder of its own for temporary files"),
    ("line", "64KiB", "of a line on stdout"),
    ("output", "1MiB", "on stdout from one answer to the next"),
    ("stderr", "64MiB", "in a game"),
    ("unasked", "16", "lines in a game that answer no question"),
];

/// A limit that there is not, or that cannot be so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadLimit {
    /// No limit has this name.
    #[error("there is no such limit; the names are {}", NAMED.map(|(name, ..)| name).join(", "))]
    Name,
    /// Its value makes no sense.
    #[error("{0}")]
    Value(String),
}

impl Limits {
    /// Sets limits by their names, each to the value that its text says. Where there is room for files of its own, a
    /// bot may write files as large as that, unless `file-size` says otherwise.
    ///
    /// # Errors
    /// The number of the first that cannot be set, from 0, and why.
    pub fn set_named<'a>(
        &mut self,
        named: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(), (usize, BadLimit)> {
        let mut file_size_is_set = false;
        for (number, (name, value)) in named.into_iter().enumerate() {
            self.set(name, value).map_err(|error| (number, error))?;
            file_size_is_set |= name == "file-size";
        }
        if let (Some(room), false) = (self.scratch_bytes, file_size_is_set) {
            self.file_bytes = self.file_bytes.map(|bytes| bytes.max(room));
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), BadLimit> {
        let bad = BadLimit::Value;
        match name {
            "memory" => self.memory_bytes = or_none(value, bytes).map_err(bad)?,
            "processes" => self.processes = or_none(value, number).map_err(bad)?,
            "open-files" => self.open_files = or_none(value, number).map_err(bad)?,
            "file-size" => self.file_bytes = or_none(value, bytes).map_err(bad)?,
            "cpu" => self.cpu_ms = or_none(value, milliseconds).map_err(bad)?,
            "scratch" => self.scratch_bytes = or_none(value, bytes).map_err(bad)?,
            "line" => self.line_bytes = bytes(value).and_then(fitting).map_err(bad)?,
            "output" => self.output_bytes = bytes(value).and_then(fitting).map_err(bad)?,
            "stderr" => self.stderr_bytes = bytes(value).map_err(bad)?,
            "unasked" => self.unasked_lines = number(value).and_then(fitting).map_err(bad)?,
            _ => return Err(BadLimit::Name),
        }
        Ok(())
    }
}

fn or_none<T>(value: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    if value == "none" { Ok(None) } else { read(value).map(Some) }
}

fn fitting<T: TryFrom<u64>>(number: u64) -> Result<T, String> {
    number.try_into().map_err(|_| "too much".to_owned())
}

fn number(value: &str) -> Result<u64, String> {
    let number = value.parse::<u64>().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "a whole number from 1 is needed".to_owned())
}

fn milliseconds(value: &str) -> Result<u64, String> {
    let span: Span = value.parse().map_err(|error: BadTime| error.to_string())?;
    number(&span.whole_ms().to_string()).map_err(|_| "a time above 0 is needed".to_owned())
}

/// A number of bytes: a whole number, or one with `KiB`, `MiB` or `GiB`.
fn bytes(value: &str) -> Result<u64, String> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("", 1)];
    let read = |(unit, factor): (&str, u64)| value.strip_suffix(unit)?.trim().parse::<u64>().ok()?.checked_mul(factor);
    let bytes = units.into_iter().find_map(read).filter(|&bytes| bytes > 0);
    bytes.ok_or_else(|| "a size above 0 is needed, such as 65536, 64KiB, 512MiB or 2GiB".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(texts: &[(&str, &str)]) -> Result<Limits, (usize, BadLimit)> {
        let mut limits = Limits::default();
        limits.set_named(texts.iter().copied()).map(|()| limits)
    }

    #[test]
    fn limits_are_read_with_their_units() {
        let texts = [("memory", "2GiB"), ("cpu", "90s"), ("processes", "none"), ("line", "100"), ("open-files", "7")];
        let limits = with(&texts).unwrap();
        assert_eq!((limits.memory_bytes, limits.cpu_ms, limits.processes), (Some(2 << 30), Some(90_000), None));
        assert_eq!((limits.line_bytes, limits.open_files), (100, Some(7)));
        for (name, value) in [("memory", ""), ("memory", "0"), ("memory", "2GB"), ("memory", "-1"), ("cpu", "0s")] {
            assert!(matches!(with(&[("line", "7"), (name, value)]), Err((1, BadLimit::Value(_)))), "{name}={value}");
        }
        assert!(matches!(with(&[("line", "none")]), Err((0, BadLimit::Value(_)))));
        assert_eq!(with(&[("colour", "1")]), Err((0, BadLimit::Name)));
    }

    #[test]
    fn the_defaults_that_are_told_are_those_in_force() {
        assert_eq!(with(&NAMED.map(|(name, default, _)| (name, default))).unwrap(), Limits::default());
    }

    #[test]
    fn files_may_be_as_large_as_their_folder_unless_it_is_said_otherwise() {
        let file_bytes = |texts: &[(&str, &str)]| with(texts).unwrap().file_bytes;
        assert_eq!(file_bytes(&[("scratch", "64MiB")]), Some(64 << 20));
        assert_eq!(file_bytes(&[("scratch", "64MiB"), ("file-size", "2MiB")]), Some(2 << 20));
        assert_eq!(file_bytes(&[("scratch", "64KiB")]), Some(1 << 20));
    }
}
