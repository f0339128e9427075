//! A player program: what to run, where, and with which environment; checked before anything starts.
//!
//! Programs run without a shell, so a command is a list of words. Everything that can be known to fail is found here,
//! with a line that says what to do, so that a tournament with a misspelt command starts nothing.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use serde::{Deserialize, Serialize};

use super::executable;
use super::sandbox::users;

/// The most bytes that the words and the environment of a command have together.
pub const LONGEST_COMMAND: usize = 32 * 1024;

/// A program that can be started.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Program {
    /// The words of the command; the first is the absolute path of the executable file.
    pub argv: Vec<OsString>,
    /// The working directory, absolute.
    pub dir: PathBuf,
    /// The whole environment: the program gets nothing else of the referee's.
    pub env: Vec<(OsString, OsString)>,
}

impl Program {
    /// Finds the program of a command and checks that it can be started.
    ///
    /// A first word with a slash in it is a path as the caller sees it, relative to the caller's own directory; any
    /// other is looked up in `PATH`. The environment is `PATH` as the referee has it (less
    /// what the user of a bot cannot reach), a `LANG` that means UTF-8, a
    /// `HOME` and a `TMPDIR` that do not exist, and what `extra` adds or replaces.
    ///
    /// # Errors
    /// When the command could not be started as it is; the text says what to do.
    pub fn find(argv: &[OsString], dir: &Path, extra: &[(OsString, OsString)]) -> Result<Program, BadProgram> {
        let first = argv.first().filter(|word| !word.is_empty()).ok_or(BadProgram::Empty)?;
        let env = environment(extra);
        check_texts(argv, &env)?;
        let dir = working_directory(dir)?;
        let search = env.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value.as_os_str());
        let search = search.unwrap_or_default();
        let path = if first.as_bytes().contains(&b'/') {
            absolute(Path::new(first))?
        } else {
            look_up(first, search, Path::new("")).ok_or_else(|| BadProgram::not_in_path(argv))?
        };
        executable::check(&path, &dir, search).map_err(|error| match error {
            BadProgram::Missing { path: missing, .. } if missing == path => BadProgram::missing(path.clone(), argv),
            error => error,
        })?;
        let argv = std::iter::once(path.into_os_string()).chain(argv[1..].iter().cloned()).collect();
        Ok(Program { argv, dir, env })
    }

    /// Sets a variable of its environment to a path.
    pub(super) fn set_variable(&mut self, name: &str, path: &Path) {
        set(&mut self.env, name.as_ref(), path.as_os_str());
    }
}

/// Why a command cannot be started.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the texts say what each is, and the fields are the things named in them")]
pub enum BadProgram {
    #[error("the command is empty: give the program to run and its arguments")]
    Empty,
    #[error("the command holds a NUL byte, which no program can be given: take it out")]
    NulByte,
    #[error(
        "the command and its environment have {bytes} bytes, at most {LONGEST_COMMAND} are taken: put them in a file"
    )]
    TooLong { bytes: usize },
    #[error("{name:?} cannot name a variable of the environment: use letters, digits and underscores")]
    BadVariable { name: OsString },
    #[error("there is no program {name:?} in PATH: {advice}")]
    NotInPath { name: OsString, advice: String },
    #[error("there is no file {path:?}: {advice}")]
    Missing { path: PathBuf, advice: &'static str },
    #[error("{path:?} is a directory: name the program in it")]
    IsDirectory { path: PathBuf },
    #[error("{path:?} is no regular file: name a program")]
    NoFile { path: PathBuf },
    #[error("{path:?} cannot be reached: {error}; check the folders that lead to it")]
    Unreachable { path: PathBuf, error: io::Error },
    #[error("{path:?} is not executable: run chmod +x on it, or name its interpreter first, as in python3 {}", path.display())]
    NotExecutable { path: PathBuf },
    #[error("{path:?} cannot be read: {error}; run chmod +r on it")]
    Unreadable { path: PathBuf, error: io::Error },
    #[error("{path:?} has no interpreter line; its first line should be for example #!/usr/bin/env python3")]
    NoInterpreterLine { path: PathBuf },
    #[error("{path:?} has a byte order mark before its #! line: save it as UTF-8 without one")]
    ByteOrderMark { path: PathBuf },
    #[error("the #! line of {path:?} ends in a carriage return: save the file with Unix line ends (LF, not CRLF)")]
    CarriageReturn { path: PathBuf },
    #[error("the #! line of {path:?} is too long: it must end within {} bytes", executable::LONGEST_LINE)]
    LongLine { path: PathBuf },
    #[error("the #! line of {path:?} names {interpreter:?}, which is not there: install it or correct the line")]
    InterpreterMissing { path: PathBuf, interpreter: PathBuf },
    #[error("the #! line of {path:?} names {interpreter:?}, which cannot be run ({problem}): correct the line")]
    InterpreterUnfit { path: PathBuf, interpreter: PathBuf, problem: Box<BadProgram> },
    #[error("the #! line of {path:?} asks env for {name:?}, which is not in PATH: install it or correct the line")]
    EnvNotInPath { path: PathBuf, name: OsString },
    #[error("the #! line of {path:?} gives env several words, which it takes for one name: write env -S {}", words.display())]
    EnvWords { path: PathBuf, words: OsString },
    #[error("{path:?} was built for another kind of machine: build it on this one")]
    ForeignMachine { path: PathBuf },
    #[error("{path:?} needs the loader {loader:?}, which is not there: link it statically or build it on this system")]
    LoaderMissing { path: PathBuf, loader: PathBuf },
    #[error("{path:?} is a damaged program file: build it again")]
    Damaged { path: PathBuf },
    #[error("there is no working directory {dir:?}: make it or name another")]
    NoDirectory { dir: PathBuf },
    #[error("the working directory {dir:?} is no directory: name the folder, not a file in it")]
    NotADirectory { dir: PathBuf },
    #[error("the working directory {dir:?} cannot be entered: {error}; check its rights")]
    ClosedDirectory { dir: PathBuf, error: io::Error },
}

/// What to do about a command that only a shell understands.
const NO_SHELL: &str = "no shell comes in between; begin with a program, as in env NAME=VALUE … or sh -c '…'";

impl BadProgram {
    fn not_in_path(argv: &[OsString]) -> BadProgram {
        let name = argv[0].clone();
        let advice = match argv {
            _ if is_for_a_shell(argv) => NO_SHELL.to_owned(),
            [only] => format!("for a file of this folder write \"./{}\"", only.display()),
            _ if name == "python" => "install it or name another, such as python3".to_owned(),
            _ => "install it or name another".to_owned(),
        };
        BadProgram::NotInPath { name, advice }
    }

    fn missing(path: PathBuf, argv: &[OsString]) -> BadProgram {
        let first = Path::new(&argv[0]);
        let advice = match () {
            () if is_for_a_shell(argv) => NO_SHELL,
            () if first.as_os_str().as_bytes().starts_with(b"~") => {
                "no shell comes in between to fill in ~: write it out"
            }
            () if first.is_absolute() => "check the path",
            () => "check the path, it is taken from the folder where the referee was started",
        };
        BadProgram::Missing { path, advice }
    }
}

/// Whether a command sets variables first, changes the folder, or is more than one command.
fn is_for_a_shell(argv: &[OsString]) -> bool {
    let first = argv[0].as_bytes();
    let sets = first.iter().position(|&byte| byte == b'=').is_some_and(|at| !first[..at].contains(&b'/'));
    let joins = |word: &OsString| ["&&", "||", "|"].iter().any(|sign| word == sign) || word.as_bytes().ends_with(b";");
    sets || first == b"cd" || argv.iter().any(joins)
}

/// The file that `name` stands for in the list of folders `search`, where an entry that is no absolute path counts
/// from `base`.
pub(super) fn look_up(name: &OsStr, search: &OsStr, base: &Path) -> Option<PathBuf> {
    env::split_paths(search)
        .map(|folder| base.join(folder).join(name))
        .filter_map(|path| std::path::absolute(path).ok())
        .find(|path| path.is_file() && access(path, Access::EXEC_OK).is_ok())
}

/// No text may hold what the system cannot pass on, and all of them must fit into one message.
fn check_texts(argv: &[OsString], env: &[(OsString, OsString)]) -> Result<(), BadProgram> {
    let texts = || argv.iter().chain(env.iter().flat_map(|(name, value)| [name, value]));
    if texts().any(|text| text.as_bytes().contains(&0)) {
        return Err(BadProgram::NulByte);
    }
    if let Some((name, _)) = env.iter().find(|(name, _)| name.is_empty() || name.as_bytes().contains(&b'=')) {
        return Err(BadProgram::BadVariable { name: name.clone() });
    }
    let bytes = texts().map(|text| text.len() + 1).sum();
    if bytes > LONGEST_COMMAND { Err(BadProgram::TooLong { bytes }) } else { Ok(()) }
}

/// The directory as an absolute path, if a program can be started in it.
fn working_directory(dir: &Path) -> Result<PathBuf, BadProgram> {
    let dir = absolute(dir)?;
    match fs::metadata(&dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(BadProgram::NoDirectory { dir }),
        Err(error) => Err(BadProgram::ClosedDirectory { dir, error }),
        Ok(metadata) if !metadata.is_dir() => Err(BadProgram::NotADirectory { dir }),
        Ok(_) => match access(&dir, Access::EXEC_OK) {
            Err(error) => Err(BadProgram::ClosedDirectory { dir, error: error.into() }),
            Ok(()) => Ok(dir),
        },
    }
}

/// The path from the root on; symbolic links stay, since some interpreters go by the name they were started with.
fn absolute(path: &Path) -> Result<PathBuf, BadProgram> {
    std::path::absolute(path).map_err(|error| BadProgram::Unreachable { path: path.to_owned(), error })
}

/// The environment of a program: a short list that is the same for all, and what is added to it.
fn environment(extra: &[(OsString, OsString)]) -> Vec<(OsString, OsString)> {
    let path = env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    let path = reachable(&path);
    // A home or a folder for temporary files that does not exist is better than one that is shared with a rival.
    let nowhere = || OsString::from("/nonexistent");
    let mut env: Vec<(OsString, OsString)> =
        vec![("PATH".into(), path), ("HOME".into(), nowhere()), ("LANG".into(), "C.UTF-8".into())];
    env.push(("TMPDIR".into(), nowhere()));
    extra.iter().for_each(|(name, value)| set(&mut env, name, value));
    env
}

fn set(env: &mut Vec<(OsString, OsString)>, name: &OsStr, value: &OsStr) {
    match env.iter_mut().find(|(known, _)| known == name) {
        Some((_, old)) => *old = value.to_owned(),
        None => env.push((name.to_owned(), value.to_owned())),
    }
}

/// The folders of a list that the user of a bot can reach: what else stands there is of no use to it.
fn reachable(search: &OsStr) -> OsString {
    let kept = env::split_paths(search).filter(|folder| users::blocked(folder).is_none());
    env::join_paths(kept).unwrap_or_else(|_| search.to_owned())
}

#[cfg(test)]
mod tests;
