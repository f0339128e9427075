//! How a check comes out, and how a script stops before its end.

use std::io;

use serde::Serialize;

/// What a check says of a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The bot does it.
    Passed,
    /// It does not, and should; no game is lost by it.
    Note,
    /// It does not, and must.
    Failed,
    /// It could not be tried, or there is nothing to try.
    Skipped,
}

/// What a script found, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// As it is to be, and what was seen.
    Good(String),
    /// Otherwise, and what was seen.
    Bad(String),
    /// Not tried, and why.
    Untried(String),
}

impl Verdict {
    /// What was seen.
    pub fn into_words(self) -> String {
        let (Verdict::Good(words) | Verdict::Bad(words) | Verdict::Untried(words)) = self;
        words
    }
}

/// Why a script ended early.
#[derive(Debug)]
pub enum Halt {
    /// Its verdict was clear.
    Verdict(Verdict),
    /// A process or pipe of ours failed: nobody's fault.
    Machine(io::Error),
    /// Somebody wants the checks to stop.
    Stopped,
}

/// What a script comes to.
pub type Checked = Result<Verdict, Halt>;

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Halt {
        Halt::Machine(error)
    }
}

/// As it is to be.
pub fn good(words: impl Into<String>) -> Checked {
    Ok(Verdict::Good(words.into()))
}

/// Otherwise than it is to be.
pub fn bad(words: impl Into<String>) -> Halt {
    Halt::Verdict(Verdict::Bad(words.into()))
}

/// Not to be tried.
pub fn untried(words: impl Into<String>) -> Halt {
    Halt::Verdict(Verdict::Untried(words.into()))
}
