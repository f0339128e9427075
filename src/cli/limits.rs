//! What bots may send and use, from the command line: `--limit memory=2GiB`.

use super::failure::Failure;
use crate::clock::Span;
use crate::protocol::limits::Limits;

/// The names of the limits, each with its default and what it is of.
const KNOWN: [(&str, &str, &str); 10] = [
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

/// The help for the option.
pub fn help() -> String {
    let list: Vec<String> = KNOWN.iter().map(|(name, default, words)| format!("{name}={default} ({words})")).collect();
    format!(
        "A limit for each bot, such as memory=2GiB, or memory=none; may be given again. By default: {}",
        list.join(", ")
    )
}

/// Sets what the texts say.
///
/// # Errors
/// The first text that cannot be used, and what could be.
pub fn set(limits: &mut Limits, texts: &[String]) -> Result<(), Failure> {
    for text in texts {
        set_one(limits, text).map_err(|words| Failure::usage(format!("--limit {text}: {words}")))?;
    }
    // A folder for files is of no use where none of them may be as large as it.
    let file_size_is_set = texts.iter().any(|text| text.starts_with("file-size="));
    if let (Some(room), false) = (limits.scratch_bytes, file_size_is_set) {
        limits.file_bytes = limits.file_bytes.map(|bytes| bytes.max(room));
    }
    Ok(())
}

fn set_one(limits: &mut Limits, text: &str) -> Result<(), String> {
    let names = || KNOWN.map(|(name, ..)| name).join(", ");
    let (name, value) = text.split_once('=').ok_or_else(|| format!("write NAME=VALUE; the names are {}", names()))?;
    match name {
        "memory" => limits.memory_bytes = or_none(value, bytes)?,
        "processes" => limits.processes = or_none(value, number)?,
        "open-files" => limits.open_files = or_none(value, number)?,
        "file-size" => limits.file_bytes = or_none(value, bytes)?,
        "cpu" => limits.cpu_ms = or_none(value, milliseconds)?,
        "scratch" => limits.scratch_bytes = or_none(value, bytes)?,
        "line" => limits.line_bytes = bytes(value)?.try_into().map_err(|_| "too much".to_owned())?,
        "output" => limits.output_bytes = bytes(value)?.try_into().map_err(|_| "too much".to_owned())?,
        "stderr" => limits.stderr_bytes = bytes(value)?,
        "unasked" => limits.unasked_lines = number(value)?.try_into().map_err(|_| "too many".to_owned())?,
        _ => return Err(format!("there is no such limit; the names are {}", names())),
    }
    Ok(())
}

fn or_none<T>(value: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    if value == "none" { Ok(None) } else { read(value).map(Some) }
}

fn number(value: &str) -> Result<u64, String> {
    let number = value.parse::<u64>().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "a whole number from 1 is needed".to_owned())
}

fn milliseconds(value: &str) -> Result<u64, String> {
    let span: Span = value.parse().map_err(|error: crate::clock::BadTime| error.to_string())?;
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

    fn with(texts: &[&str]) -> Result<Limits, Failure> {
        let mut limits = Limits::default();
        set(&mut limits, &texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>()).map(|()| limits)
    }

    #[test]
    fn limits_are_read_with_their_units() {
        let limits = with(&["memory=2GiB", "cpu=90s", "processes=none", "line=100", "open-files=7"]).unwrap();
        assert_eq!((limits.memory_bytes, limits.cpu_ms, limits.processes), (Some(2 << 30), Some(90_000), None));
        assert_eq!((limits.line_bytes, limits.open_files), (100, Some(7)));
        for text in ["memory", "memory=", "memory=0", "memory=2GB", "memory=-1", "cpu=0s", "line=none", "colour=1"] {
            assert!(with(&[text]).is_err(), "{text}");
        }
    }

    #[test]
    fn the_defaults_of_the_help_are_those_in_force() {
        let texts = KNOWN.map(|(name, default, _)| format!("{name}={default}"));
        assert_eq!(with(&texts.each_ref().map(String::as_str)).unwrap(), Limits::default());
    }

    #[test]
    fn files_may_be_as_large_as_their_folder_unless_it_is_said_otherwise() {
        let file_bytes = |texts: &[&str]| with(texts).unwrap().file_bytes;
        assert_eq!(file_bytes(&["scratch=64MiB"]), Some(64 << 20));
        assert_eq!(file_bytes(&["scratch=64MiB", "file-size=2MiB"]), Some(2 << 20));
        assert_eq!(file_bytes(&["scratch=64KiB"]), Some(1 << 20));
    }
}
