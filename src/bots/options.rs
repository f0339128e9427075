//! What can be chosen about a bot: `key=value` words on its command line.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::BotName;
use super::faulty::{self, Mode};
use crate::clock::Span;

/// An option that a bot does not take, or not with this value.
#[derive(Debug, thiserror::Error)]
#[error("option “{option}” of {bot}: {reason}")]
pub struct BadOption {
    bot: BotName,
    option: String,
    reason: String,
}

/// The options of a bot, with what was not given at its default.
#[derive(Clone, Debug, Default)]
pub struct Options {
    sleep: Duration,
    think: Duration,
    /// The most plies that a search looks ahead.
    pub depth: Option<u32>,
    /// The most positions that a search looks at.
    pub nodes: Option<u64>,
    /// The most time that a search takes for a move.
    pub time: Option<Duration>,
    /// How a faulty bot misbehaves.
    pub mode: Option<&'static Mode>,
    /// At which of its turns.
    pub turn: Option<u64>,
    /// Of how many MiB it takes too much.
    pub mib: Option<u64>,
    /// Whom it attacks.
    pub at: Option<String>,
}

/// What every bot takes: it makes a bot slow on purpose, to see how a referee bears it.
const OF_ALL: [(&str, &str); 2] = [
    ("sleep", "a time such as 20ms: sleeps so long before each answer"),
    ("think", "a time such as 5ms: keeps its processor busy so long before each answer"),
];

/// What a bot that searches takes besides. With depth or nodes given it does not look at the clock, and plays the same
/// moves again.
const OF_SEARCH: [(&str, &str); 3] = [
    ("depth", "a number: looks so many plies ahead, whatever the clock says"),
    ("nodes", "a number: looks at so many positions a move, whatever the clock says"),
    ("time", "a time such as 200ms: takes at most so long a move, and less where the clock says so (1s if not given)"),
];

/// What the faulty bot takes besides.
const OF_FAULTY: [(&str, &str); 4] = [
    ("mode", "how it misbehaves; `arbitro bot faulty --list-modes` lists the modes"),
    ("turn", "a number: at which of its turns, the first if not given; 0 is when it should get ready"),
    ("mib", "a number: how many MiB it takes or writes, in modes that take too much"),
    ("at", "whom it attacks, in modes that attack"),
];

/// The keys that a bot takes, with what the value of each says.
pub fn known(bot: BotName) -> impl Iterator<Item = (&'static str, &'static str)> {
    let more: &[_] = match bot {
        BotName::Minimax => &OF_SEARCH,
        BotName::Faulty => &OF_FAULTY,
        BotName::Random | BotName::Greedy | BotName::Odds => &[],
    };
    OF_ALL.iter().chain(more).copied()
}

impl Options {
    /// Reads the options of a bot.
    ///
    /// # Errors
    /// The first one that it does not take, and what it takes instead.
    pub fn read(bot: BotName, words: &[impl AsRef<str>]) -> Result<Options, BadOption> {
        let mut options = Options::default();
        for word in words.iter().map(AsRef::as_ref) {
            options.set(bot, word).map_err(|reason| BadOption { bot, option: word.to_owned(), reason })?;
        }
        if bot == BotName::Faulty && options.mode.is_none() {
            let reason = "say how it misbehaves; `arbitro bot faulty --list-modes` lists the modes".to_owned();
            return Err(BadOption { bot, option: "mode".to_owned(), reason });
        }
        Ok(options)
    }

    /// Spends the time that every answer is to take.
    pub fn pause(&self) {
        if !self.sleep.is_zero() {
            std::thread::sleep(self.sleep);
        }
        if !self.think.is_zero() {
            let began = Instant::now();
            while began.elapsed() < self.think {
                black_box(());
            }
        }
    }

    fn set(&mut self, bot: BotName, word: &str) -> Result<(), String> {
        let keys = || known(bot).map(|(key, _)| key).collect::<Vec<_>>().join(", ");
        let (key, value) = word.split_once('=').ok_or_else(|| format!("write key=value; the keys are {}", keys()))?;
        match known(bot).find(|(known, _)| *known == key) {
            Some(("sleep", _)) => self.sleep = time(value)?,
            Some(("think", _)) => self.think = time(value)?,
            Some(("depth", _)) => self.depth = Some(number(value)?),
            Some(("nodes", _)) => self.nodes = Some(number(value)?),
            Some(("time", _)) => self.time = Some(time(value)?),
            Some(("mode", _)) => self.mode = Some(mode(value)?),
            Some(("turn", _)) => self.turn = Some(value.parse().map_err(|_| "a whole number is needed".to_owned())?),
            Some(("mib", _)) => self.mib = Some(number(value)?),
            Some(("at", _)) => self.at = Some(value.to_owned()),
            _ => return Err(format!("there is no such key; the keys are {}", keys())),
        }
        Ok(())
    }
}

fn mode(value: &str) -> Result<&'static Mode, String> {
    faulty::find(value).ok_or_else(|| "there is no such mode; `arbitro bot faulty --list-modes` lists them".to_owned())
}

fn time(value: &str) -> Result<Duration, String> {
    let span: Span = value.parse().map_err(|error: crate::clock::BadTime| error.to_string())?;
    Ok(Duration::from_nanos(span.0))
}

fn number<N: TryFrom<u64>>(value: &str) -> Result<N, String> {
    let number = value.parse::<u64>().ok().filter(|&number| number > 0);
    number.and_then(|number| number.try_into().ok()).ok_or_else(|| "a whole number from 1 is needed".to_owned())
}
