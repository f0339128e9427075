//! How a command can fail: who must act decides the exit code.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

/// Why a command did not do what was asked, with the exit code for it.
#[derive(Debug)]
pub struct Failure {
    kind: Kind,
    words: String,
}

/// The kinds of failure, and their exit codes: the same in every subcommand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It worked, and the answer is no: a log differs, a move is not legal, a bot was faulty under `--strict`, something
    /// is missing on this machine.
    No = 1,
    /// The command line asks for something that there is not.
    Usage = 2,
    /// What was read makes no sense.
    BadInput = 65,
    /// What was to be read is not there.
    NoInput = 66,
    /// Our bug.
    Bug = 70,
    /// A file or pipe failed.
    Io = 74,
    /// Not finished; the same command again may be.
    Again = 75,
    /// The configuration does not fit this machine: a bot that cannot be started.
    Config = 78,
    /// Stopped by SIGHUP.
    HungUp = 129,
    /// Stopped by SIGINT.
    Interrupted = 130,
    /// Stopped by SIGTERM.
    Terminated = 143,
}

impl Failure {
    /// A failure with one line that says what to do.
    pub fn new(kind: Kind, words: impl Display) -> Failure {
        Failure { kind, words: words.to_string() }
    }

    /// A negative answer that was printed already.
    pub fn silent(kind: Kind) -> Failure {
        Failure { kind, words: String::new() }
    }

    /// A wrong command line.
    pub fn usage(words: impl Display) -> Failure {
        Failure::new(Kind::Usage, words)
    }

    /// A file that cannot be read.
    pub fn reading(path: &Path, error: &io::Error) -> Failure {
        let kind = if error.kind() == io::ErrorKind::NotFound { Kind::NoInput } else { Kind::Io };
        Failure::new(kind, format!("{} cannot be read: {error}", path.display()))
    }

    /// What happened, in a line; empty where it was said already.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Of which kind it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        self.kind as u8
    }

    /// The line for stderr, if there is one.
    pub fn line(&self) -> Option<String> {
        (!self.words.is_empty()).then(|| format!("arbitro: {}", self.words))
    }

    /// Prints the line on stderr, if there is one.
    pub fn tell(&self) {
        if let Some(line) = self.line() {
            // Whoever closed stderr, or filled the disk behind it, still gets the exit code.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

/// Results that cannot be printed: whoever reads them closed the pipe, or the disk behind it is full.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::silent(Kind::Io),
            _ => Failure::new(Kind::Io, format!("the output cannot be written: {error}")),
        }
    }
}
