//! The built-in bots: players, not rules. They speak the line protocol over any reader and writer, as every other bot
//! does, and know of the referee only what it sends them.
//!
//! Unlike the floors below the host they may use time and floating point. They stand on `table` and `games` with what
//! lies below those, and must not know of `protocol`, `referee` or `host`: what they read and write is written down
//! here a second time, by the side that other people's bots are on. Only `cli` uses them, by [`run`].

mod alto_ahi;
mod alto_riesgo;
mod crecer;
pub mod faulty;
mod follow;
mod minimax;
mod options;
mod passage;
mod random;
mod search;
pub mod sparring;
#[cfg(test)]
mod strength;
#[cfg(test)]
mod tests;
mod wire;

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::str::FromStr;

use crate::games::alto_ahi::AltoAhi;
use crate::games::alto_riesgo::AltoRiesgo;
use crate::games::crecer::Crecer;
use crate::games::passage::Passage;
use crate::table::GameName;

pub use options::BadOption;

use minimax::Minimax;
use options::Options;
use random::Random;
use wire::{Hello, Kind};

/// The bots that are built in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BotName {
    /// Plays any legal move.
    Random,
    /// Looks one move ahead.
    Greedy,
    /// Searches.
    Minimax,
    /// Reckons with the chances of the dice.
    Odds,
    /// Misbehaves.
    Faulty,
}

/// How a bot sits down to a game that it plays.
type SitDown = fn(&Hello, &Options) -> Result<Box<dyn Player>, BotError>;

impl BotName {
    /// All of them, the stronger ones of each game last, and then the one that plays to no good end.
    pub const ALL: &'static [BotName] =
        &[BotName::Random, BotName::Greedy, BotName::Minimax, BotName::Odds, BotName::Faulty];

    /// The name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            BotName::Random => "random",
            BotName::Greedy => "greedy",
            BotName::Minimax => "minimax",
            BotName::Odds => "odds",
            BotName::Faulty => "faulty",
        }
    }

    /// What it does, in one line.
    pub fn words(self) -> &'static str {
        match self {
            BotName::Random => "plays any legal move, drawn from its seed",
            BotName::Greedy => "plays what looks best one move ahead",
            BotName::Minimax => "searches by alpha-beta as deep as its time allows",
            BotName::Odds => "stops or rolls by the exact chances of the turn",
            BotName::Faulty => "plays any legal move and misbehaves once, to try what a referee makes of it",
        }
    }

    /// The options that it takes as `key=value`: each key, and what its value says.
    pub fn options(self) -> Vec<(&'static str, &'static str)> {
        options::known(self).collect()
    }

    /// Whether it plays this game with this number of seats.
    pub fn plays(self, game: GameName, seats: usize) -> bool {
        game.seats().contains(&seats) && self.sit_down(game, seats).is_some()
    }

    /// The one place that says which bot plays what.
    fn sit_down(self, game: GameName, _seats: usize) -> Option<SitDown> {
        let sit_down: SitDown = match (self, game) {
            (BotName::Random | BotName::Faulty, _) => Random::sit_down,
            (BotName::Greedy, GameName::AltoAhi) => follow::sit_down::<AltoAhi, alto_ahi::Greedy>,
            (BotName::Minimax, GameName::AltoAhi) => follow::sit_down::<AltoAhi, Minimax<AltoAhi>>,
            (BotName::Greedy, GameName::AltoRiesgo) => follow::sit_down::<AltoRiesgo, alto_riesgo::Greedy>,
            (BotName::Odds, GameName::AltoRiesgo) => follow::sit_down::<AltoRiesgo, alto_riesgo::Odds>,
            (BotName::Greedy, GameName::Crecer) => follow::sit_down::<Crecer, crecer::Greedy>,
            (BotName::Minimax, GameName::Crecer) => follow::sit_down::<Crecer, Minimax<Crecer>>,
            (BotName::Greedy, GameName::Passage) => follow::sit_down::<Passage, passage::Greedy>,
            (BotName::Minimax, GameName::Passage) => follow::sit_down::<Passage, Minimax<Passage>>,
            (BotName::Minimax, GameName::AltoRiesgo) | (BotName::Odds, _) => return None,
        };
        Some(sit_down)
    }
}

impl fmt::Display for BotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that no bot has.
#[derive(Debug, thiserror::Error)]
#[error("no built-in bot is called “{name}”; there is {known}", name = .0, known = all_names())]
pub struct NoSuchBot(String);

fn all_names() -> String {
    BotName::ALL.iter().map(|bot| bot.as_str()).collect::<Vec<_>>().join(", ")
}

impl FromStr for BotName {
    type Err = NoSuchBot;

    fn from_str(name: &str) -> Result<BotName, NoSuchBot> {
        let known = BotName::ALL.iter().copied().find(|bot| bot.as_str() == name);
        known.ok_or_else(|| NoSuchBot(name.to_owned()))
    }
}

/// Why a bot cannot play, or cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// No bot of this name.
    #[error(transparent)]
    Name(#[from] NoSuchBot),
    /// An option that it does not take.
    #[error(transparent)]
    Option(#[from] BadOption),
    /// A game that it does not play.
    #[error("{bot} does not play {game} with {seats} seats; `arbitro bot --list` says what plays what")]
    DoesNotPlay {
        /// The bot.
        bot: BotName,
        /// The game, as `hello` names it.
        game: String,
        /// The number of seats.
        seats: usize,
    },
    /// A `hello` that no game can be begun from.
    #[error("hello cannot be understood: {0}")]
    Hello(String),
    /// The pipes from and to the referee.
    #[error("the line to the referee broke: {0}")]
    Io(#[from] io::Error),
}

/// One bot in one game.
trait Player {
    /// Appends the line that answers this `turn` line, or nothing if it cannot be read; what its author should know
    /// goes to `notes`.
    fn answer(&mut self, turn: &[u8], answer: &mut Vec<u8>, notes: &mut dyn Write) -> io::Result<()>;
}

/// Plays as the bot called `name`, one game after the other, until the input ends. Options are `key=value`; `notes` is
/// where text for people goes.
///
/// # Errors
/// A name or an option that does not exist, a game that the bot does not play, or an input or output that breaks.
pub fn run(
    name: &str,
    options: &[impl AsRef<str>],
    input: impl Read,
    mut output: impl Write,
    mut notes: impl Write,
) -> Result<(), BotError> {
    let mut session = Session::new(name, options)?;
    if let Some(mode) = session.options.mode {
        return faulty::run(session, mode, input, output, notes);
    }
    // Larger than any message, so that the usual one takes a single read.
    let mut input = BufReader::with_capacity(64 * 1024, input);
    let (mut line, mut answer) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        answer.clear();
        session.hear(&line, &mut answer, &mut notes)?;
        if !answer.is_empty() {
            output.write_all(&answer)?;
            output.flush()?;
        }
    }
}

/// Whether the bot called `name` takes these options and plays this game: what [`run`] would find only while a clock runs.
///
/// # Errors
/// A name or an option that does not exist, or a game that the bot does not play.
pub fn check(name: &str, options: &[impl AsRef<str>], game: GameName, seats: usize) -> Result<(), BotError> {
    let Session { bot, .. } = Session::new(name, options)?;
    if bot.plays(game, seats) { Ok(()) } else { Err(BotError::DoesNotPlay { bot, game: game.to_string(), seats }) }
}

/// A bot from its start to its end, without the pipes.
struct Session {
    bot: BotName,
    options: Options,
    player: Option<Box<dyn Player>>,
}

impl Session {
    fn new(name: &str, options: &[impl AsRef<str>]) -> Result<Session, BotError> {
        let bot = name.parse()?;
        Ok(Session { bot, options: Options::read(bot, options)?, player: None })
    }

    /// Takes in one line, and appends the answer if it needs one.
    fn hear(&mut self, line: &[u8], answer: &mut Vec<u8>, notes: &mut dyn Write) -> Result<(), BotError> {
        match (wire::kind(line), &mut self.player) {
            (Kind::Hello, _) => {
                self.player = Some(self.sit_down(line)?);
                wire::write_ready(answer, self.bot.as_str());
            }
            (Kind::Turn, Some(player)) => {
                self.options.pause();
                player.answer(line, answer, notes)?;
            }
            (Kind::Turn, None) => writeln!(notes, "a turn came before any hello, and stays unanswered")?,
            (Kind::Over, _) => self.player = None,
            (Kind::Other, _) => {}
        }
        Ok(())
    }

    fn sit_down(&self, line: &[u8]) -> Result<Box<dyn Player>, BotError> {
        let hello = Hello::read(line).map_err(|error| BotError::Hello(error.to_string()))?;
        let (bot, seats) = (self.bot, hello.players.len());
        match hello.game.parse().ok().and_then(|game| bot.sit_down(game, seats)) {
            Some(sit_down) => sit_down(&hello, &self.options),
            None => Err(BotError::DoesNotPlay { bot, game: hello.game.into_owned(), seats }),
        }
    }
}
