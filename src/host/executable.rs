//! Whether the kernel can run a file, told before it is tried.
//!
//! This is not only for better words. A file that the kernel refuses is given to `sh` by the C library's `execvp`,
//! which stands behind [`std::process::Command`]: a Python file without an interpreter line would be run as a shell
//! script. So whatever is neither a program for this machine nor a script with a sound first line is refused here.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::program::{BadProgram, look_up};

/// The most bytes of a `#!` line that the kernel reads (`BINPRM_BUF_SIZE`).
pub(super) const LONGEST_LINE: usize = 256;
/// How many scripts in a row may be each other's interpreter.
const DEEPEST_SCRIPT: u32 = 4;
/// How a program file begins.
const ELF: &[u8] = b"\x7fELF";

/// Checks that the kernel can run the file at `path`, in the working directory `dir` and with this `PATH`.
pub(super) fn check(path: &Path, dir: &Path, search: &OsStr) -> Result<(), BadProgram> {
    check_nested(path, dir, search, DEEPEST_SCRIPT)
}

fn check_nested(path: &Path, dir: &Path, search: &OsStr, deeper: u32) -> Result<(), BadProgram> {
    let path_buf = || path.to_owned();
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(BadProgram::Missing { path: path_buf(), advice: "check the path" });
        }
        Err(error) => return Err(BadProgram::Unreachable { path: path_buf(), error }),
        Ok(metadata) if metadata.is_dir() => return Err(BadProgram::IsDirectory { path: path_buf() }),
        Ok(metadata) if !metadata.is_file() => return Err(BadProgram::NoFile { path: path_buf() }),
        Ok(_) => {}
    }
    if access(path, Access::EXEC_OK).is_err() {
        return Err(BadProgram::NotExecutable { path: path_buf() });
    }
    let unreadable = |error| BadProgram::Unreadable { path: path_buf(), error };
    let file = File::open(path).map_err(unreadable)?;
    let mut start = [0; LONGEST_LINE];
    let length = read_start(&file, &mut start).map_err(unreadable)?;
    let start = &start[..length];
    if start.starts_with(ELF) {
        return check_elf(path, &file, start);
    }
    let Some(line) = start.strip_prefix(b"#!") else {
        let marked = start.starts_with(b"\xef\xbb\xbf#!");
        let path = path_buf();
        return Err(if marked { BadProgram::ByteOrderMark { path } } else { BadProgram::NoInterpreterLine { path } });
    };
    let script = Script { path, dir, search };
    let (interpreter, argument) = script.parse(line, length == LONGEST_LINE)?;
    script.check_interpreter(&interpreter, argument, deeper)
}

/// Reads the first bytes of a file, as many as there are.
fn read_start(file: &File, start: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < start.len() {
        match file.read_at(&mut start[length..], length as u64)? {
            0 => break,
            more => length += more,
        }
    }
    Ok(length)
}

/// A script, and where it would run.
struct Script<'a> {
    path: &'a Path,
    dir: &'a Path,
    search: &'a OsStr,
}

impl Script<'_> {
    /// Takes the line after `#!` apart as the kernel does: the interpreter, and the rest as one argument.
    fn parse<'l>(&self, line: &'l [u8], cut: bool) -> Result<(PathBuf, &'l [u8]), BadProgram> {
        let path = || self.path.to_owned();
        let line = match line.iter().position(|&byte| byte == b'\n') {
            Some(end) => &line[..end],
            None if cut => return Err(BadProgram::LongLine { path: path() }),
            None => line,
        };
        if line.ends_with(b"\r") {
            return Err(BadProgram::CarriageReturn { path: path() });
        }
        let line = trim(line);
        let end = line.iter().position(|&byte| is_blank(byte)).unwrap_or(line.len());
        let (interpreter, argument) = line.split_at(end);
        if interpreter.is_empty() {
            return Err(BadProgram::NoInterpreterLine { path: path() });
        }
        // A path that is not absolute counts from the working directory of the program.
        Ok((self.dir.join(OsStr::from_bytes(interpreter)), trim(argument)))
    }

    fn check_interpreter(&self, interpreter: &Path, argument: &[u8], deeper: u32) -> Result<(), BadProgram> {
        let (path, interpreter_path) = (self.path.to_owned(), interpreter.to_owned());
        let unfit = |problem: BadProgram| BadProgram::InterpreterUnfit {
            path: self.path.to_owned(),
            interpreter: interpreter.to_owned(),
            problem: Box::new(problem),
        };
        if deeper == 0 {
            return Err(unfit(BadProgram::Damaged { path: interpreter_path }));
        }
        match check_nested(interpreter, self.dir, self.search, deeper - 1) {
            Err(BadProgram::Missing { path: missing, .. }) if missing == interpreter => {
                return Err(BadProgram::InterpreterMissing { path, interpreter: interpreter_path });
            }
            Err(problem) => return Err(unfit(problem)),
            Ok(()) => {}
        }
        if interpreter.file_name() == Some(OsStr::new("env")) { self.check_env(argument) } else { Ok(()) }
    }

    /// `env` looks its word up in `PATH`. Without `-S` it takes the whole rest of the line for that word.
    fn check_env(&self, argument: &[u8]) -> Result<(), BadProgram> {
        let path = || self.path.to_owned();
        let words: Vec<&[u8]> = argument.split(|&byte| is_blank(byte)).filter(|word| !word.is_empty()).collect();
        let words = match *words.as_slice() {
            // Other options of env change what it looks up and where: those are left to it.
            [b"-S" | b"--split-string", ref rest @ ..] => rest,
            [option, ..] if option.starts_with(b"-") => return Ok(()),
            [_, _, ..] => {
                return Err(BadProgram::EnvWords { path: path(), words: OsString::from_vec(argument.to_vec()) });
            }
            ref words => words,
        };
        let Some(name) = words.iter().find(|word| !word.contains(&b'=')).map(|word| OsStr::from_bytes(word)) else {
            return Ok(());
        };
        // With -S, options of env and its quoting may come first: what is no plain word is left to it too.
        let plain = !name.as_bytes().starts_with(b"-") && !name.as_bytes().iter().any(|byte| b"\"'\\$".contains(byte));
        let found = if name.as_bytes().contains(&b'/') {
            self.dir.join(name).is_file()
        } else {
            look_up(name, self.search, self.dir).is_some()
        };
        if found || !plain { Ok(()) } else { Err(BadProgram::EnvNotInPath { path: path(), name: name.to_owned() }) }
    }
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn trim(line: &[u8]) -> &[u8] {
    let start = line.iter().position(|&byte| !is_blank(byte)).unwrap_or(line.len());
    let end = line.iter().rposition(|&byte| !is_blank(byte)).map_or(start, |last| last + 1);
    &line[start..end]
}

/// Checks that a program file is for this kind of machine and that its loader is there. Field offsets are those of the
/// System V ABI's ELF header and program header, 64-bit, little-endian.
fn check_elf(path: &Path, file: &File, header: &[u8]) -> Result<(), BadProgram> {
    if !cfg!(target_endian = "little") {
        return Ok(());
    }
    let damaged = || BadProgram::Damaged { path: path.to_owned() };
    let half = |bytes: &[u8], at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    let long = |bytes: &[u8], at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
    let (class, machine) = (header.get(4).copied(), half(header, 18));
    if !machine.is_some_and(runs_here) {
        return Err(if machine.is_some() { BadProgram::ForeignMachine { path: path.to_owned() } } else { damaged() });
    }
    // A 32-bit program runs only where the kernel was built for it; that is found when it starts.
    if class != Some(2) {
        return Ok(());
    }
    let table = long(header, 32).ok_or_else(damaged)?;
    let (size, count) = (half(header, 54).ok_or_else(damaged)?, half(header, 56).ok_or_else(damaged)?);
    for index in 0..u64::from(count) {
        let mut entry = [0; 56];
        let at = table.saturating_add(index * u64::from(size));
        file.read_exact_at(&mut entry, at).map_err(|_| damaged())?;
        const INTERPRETER: [u8; 4] = 3u32.to_le_bytes();
        if entry[..4] == INTERPRETER {
            let (offset, length) = (long(&entry, 8).ok_or_else(damaged)?, long(&entry, 32).ok_or_else(damaged)?);
            let mut name = vec![0; usize::try_from(length).unwrap_or(usize::MAX).min(4096)];
            file.read_exact_at(&mut name, offset).map_err(|_| damaged())?;
            name.truncate(name.iter().position(|&byte| byte == 0).unwrap_or(name.len()));
            let loader = PathBuf::from(OsString::from_vec(name));
            return match loader.exists() {
                true => Ok(()),
                false => Err(BadProgram::LoaderMissing { path: path.to_owned(), loader }),
            };
        }
    }
    Ok(())
}

/// Whether programs for an ELF machine run on this one: its own kind, and the 32-bit kind that may run beside it.
const fn runs_here(machine: u16) -> bool {
    match machine {
        62 => cfg!(target_arch = "x86_64"),
        3 => cfg!(any(target_arch = "x86_64", target_arch = "x86")),
        183 => cfg!(target_arch = "aarch64"),
        40 => cfg!(any(target_arch = "aarch64", target_arch = "arm")),
        243 => cfg!(any(target_arch = "riscv64", target_arch = "riscv32")),
        _ => !cfg!(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")),
    }
}
