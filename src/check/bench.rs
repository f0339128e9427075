//! Where a bot is tried: what it is, how it is started, and what is known of it.

use std::os::fd::BorrowedFd;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::contact::{Contact, Probe};
use super::deal::{Deal, Setting};
use super::record::Record;
use super::sitting::{Match, Say, say_whole};
use super::talk::Talk;
use super::verdict::{Halt, untried};
use crate::clock::{Span, TimeControl};
use crate::host::cgroup::Groups;
use crate::host::sandbox::scratch::Scratch;
use crate::host::{Confinement, Player, Program};
use crate::protocol::limits::Limits;
use crate::seat::{BySeat, Seat};
use crate::table::GameName;

/// The bot, and what it is to be tried with.
pub struct Subject {
    /// The executable that keepers are started from.
    pub referee_exe: PathBuf,
    /// The bot's program.
    pub program: Program,
    /// What holds each of its copies: as many as any game has seats.
    pub confinements: BySeat<Confinement>,
    /// Where control groups for whole games can be made, if anywhere.
    pub groups: Option<Groups>,
    /// What it may send and use.
    pub limits: Limits,
    /// The time of whole games, the time for the start included.
    pub clock: TimeControl,
    /// The games and numbers of seats to try.
    pub games: Vec<(GameName, usize)>,
    /// Whether the bot must play all of them: they were asked for.
    pub must_play: bool,
}

/// The bot on the bench, with what is known of it.
pub struct Bench<'a> {
    /// The bot.
    pub subject: &'a Subject,
    /// Readable when the checks are to stop.
    pub stop: Option<BorrowedFd<'a>>,
    /// What came of the first `hello` of each game.
    pub probes: Vec<Probe>,
    /// What came of the first talk in the game in which it is tried.
    pub contact: Contact,
    /// The checks that failed so far, by name.
    pub failed: Vec<String>,
    record: Option<Result<Record, String>>,
}

impl<'a> Bench<'a> {
    /// Starts the bot in each game, to learn which it plays.
    ///
    /// # Errors
    /// When the checks are to stop, or a process or pipe of ours fails.
    pub fn new(subject: &'a Subject, stop: Option<BorrowedFd<'a>>) -> Result<Bench<'a>, Halt> {
        let mut bench =
            Bench { subject, stop, probes: Vec::new(), contact: Contact::default(), failed: Vec::new(), record: None };
        for &(game, seats) in &subject.games {
            let probe = Probe::of(&bench, game, seats)?;
            let hangs = probe.hangs();
            bench.probes.push(probe);
            // Whoever says nothing in one game is not waited for in all of them.
            if hangs {
                break;
            }
        }
        // Where already the first answer is none, a longer talk would bring no more.
        let talked = bench.home_probe().filter(|probe| !probe.plays()).map(|probe| probe.contact.clone());
        bench.contact = talked.map_or_else(|| Contact::of(&bench, bench.home()), Ok)?;
        Ok(bench)
    }

    /// The usual game for scripts: one that the bot plays, if there is any.
    pub fn home(&self) -> Setting {
        let (game, seats) = self.home_probe().map_or(self.subject.games[0], |probe| (probe.game, probe.seats));
        self.setting(game, seats)
    }

    fn home_probe(&self) -> Option<&Probe> {
        let found = |fits: fn(&Probe) -> bool| self.probes.iter().find(|probe| fits(probe));
        let playing = found(Probe::plays).or_else(|| found(Probe::takes_part));
        playing.or_else(|| found(Probe::gets_ready)).or(self.probes.first())
    }

    /// The games that the bot plays.
    pub fn played(&self) -> impl Iterator<Item = (GameName, usize)> {
        self.probes.iter().filter(|probe| probe.plays()).map(|probe| (probe.game, probe.seats))
    }

    /// The games that the bot takes part in, well or not.
    pub fn taken_on(&self) -> impl Iterator<Item = (GameName, usize)> {
        self.probes.iter().filter(|probe| probe.takes_part()).map(|probe| (probe.game, probe.seats))
    }

    /// The usual setting of a game. Little time is told, so that nobody thinks long.
    pub fn setting(&self, game: GameName, seats: usize) -> Setting {
        let clock = TimeControl {
            bank: Some(Span::from_secs(2)),
            increment: Span::from_ms(50),
            startup: self.subject.clock.startup,
            ..TimeControl::default()
        };
        Setting::of(game, seats, &self.subject.limits, clock)
    }

    /// Starts a process of the bot.
    ///
    /// # Errors
    /// When that fails for want of something of the machine's.
    pub fn start(&self) -> Result<Talk<'a>, Halt> {
        self.start_as(&self.subject.program, self.subject.limits.scratch_bytes.is_some())
    }

    /// Starts a process of the bot by another command, with or without a folder of its own.
    ///
    /// # Errors
    /// Those of [`start`](Bench::start).
    pub fn start_as(&self, program: &Program, has_scratch: bool) -> Result<Talk<'a>, Halt> {
        self.start_copy(program, has_scratch, 0)
    }

    /// Starts a process of the bot beside others that run.
    ///
    /// # Errors
    /// Those of [`start`](Bench::start).
    pub fn start_copy(&self, program: &Program, has_scratch: bool, copy: usize) -> Result<Talk<'a>, Halt> {
        let mut confinement = self.subject.confinements[Seat::new(copy)].clone();
        let mut program = program.clone();
        let scratch = has_scratch.then(|| Scratch::give([(&mut program, &mut confinement)].into_iter())).transpose()?;
        let began = Instant::now();
        let player = Player::start(&self.subject.referee_exe, None, &program, &confinement)?;
        Ok(Talk::new(player, began, self.stop, self.subject.limits.memory_bytes, scratch))
    }

    /// How long its `ready` is waited for.
    pub fn startup(&self) -> Duration {
        Duration::from_nanos(self.subject.clock.startup.map_or(u64::MAX, |span| span.0))
    }

    /// Starts it and deals it a game, up to its `ready`.
    ///
    /// # Errors
    /// A verdict when it does not get ready; and those of [`start`](Bench::start).
    pub fn sit(&self, setting: Setting) -> Result<Match<'a>, Halt> {
        self.sit_saying(setting, say_whole)
    }

    /// The same, where everything is said in a way of its own.
    ///
    /// # Errors
    /// Those of [`sit`](Bench::sit).
    pub fn sit_saying(&self, setting: Setting, say: Say) -> Result<Match<'a>, Halt> {
        let talk = self.start()?;
        self.sit_with(talk, setting, say)
    }

    /// The same with a process that runs.
    ///
    /// # Errors
    /// Those of [`sit`](Bench::sit).
    pub fn sit_with(&self, talk: Talk<'a>, setting: Setting, say: Say) -> Result<Match<'a>, Halt> {
        let deal = Deal::new(setting).map_err(|error| untried(format!("there is no such game: {error}")))?;
        Match::begin(talk, deal, say, self.startup())
    }

    /// That these checks did not fail, which would make another fail for the same reason.
    ///
    /// # Errors
    /// That the other cannot be tried.
    pub fn needs(&self, checks: &[&str]) -> Result<(), Halt> {
        match self.failed.iter().find(|failed| checks.contains(&failed.as_str())) {
            Some(failed) => Err(untried(format!("not tried, since “{failed}” failed"))),
            None => Ok(()),
        }
    }

    /// Whether it ends when it is greeted to this game.
    ///
    /// # Errors
    /// Those of [`start`](Bench::start).
    pub fn declines(&self, setting: &Setting) -> Result<bool, Halt> {
        let deal = Deal::new(setting.clone()).map_err(|error| untried(format!("there is no such game: {error}")))?;
        let mut talk = self.start()?;
        talk.say(&deal.hello());
        let until = talk.began + self.startup();
        Ok(talk.next_line(until)?.is_none() && talk.is_gone())
    }

    /// The plain game that many checks look at, played when it is first needed; or why it came to nothing, in words.
    ///
    /// # Errors
    /// Those of [`start`](Bench::start).
    pub fn played_record(&mut self) -> Result<Result<&Record, &str>, Halt> {
        if self.record.is_none() {
            self.record = Some(match Record::of(self) {
                Ok(record) => Ok(record),
                Err(Halt::Verdict(verdict)) => Err(verdict.into_words()),
                Err(halt) => return Err(halt),
            });
        }
        Ok(self.record.as_ref().expect("it was just made").as_ref().map_err(String::as_str))
    }

    /// The plain game, for checks that are not about whether it can be played at all.
    ///
    /// # Errors
    /// That they cannot be tried; and those of [`start`](Bench::start).
    pub fn record(&mut self) -> Result<&Record, Halt> {
        self.played_record()?.map_err(|_| untried("no plain game could be played"))
    }
}
