//! `arbitro play`: plays a game, or a short match, between two to four players.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::failure::{Failure, Kind};
use super::input::GameArgs;
use super::players::{self, Player};
use super::result::{fault_words, row};
use super::run::progress::words::number;
use super::sandbox::{self, Sandbox, SandboxArgs};
use super::seed::{Master, SeedArgs};
use super::signals::Stop;
use super::watch::{Watch, result_words};
use super::{limits, logs, output};
use crate::clock::{Span, TimeControl};
use crate::host::play::{Arena, Finished, Kept, Ponder};
use crate::host::player::{DESCRIPTORS, DESCRIPTORS_TO_START, raise_descriptors};
use crate::host::{self, THIS_EXECUTABLE, cores};
use crate::protocol::limits::Limits;
use crate::protocol::receive::harmless;
use crate::record::entry::HeaderHost;
use crate::record::outcome::{GameResult, Reason};
use crate::referee::{Referee, Setup};
use crate::seat::{BySeat, Seat, alternatives};
use crate::tournament::game::{NotPlayed, Spectator, ToPlay, Unrevealed, numbered};
use crate::tournament::openings::Setting;

/// Play a game between programs, or a short match, and write a log of each game
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The players in the order of the seats: a built-in bot (see `arbitro bot --list`), a path, or a quoted command
    #[arg(value_name = "PLAYER", required = true)]
    players: Vec<String>,
    /// BANK[+INCREMENT][/dDELAY][/NxPERIOD], such as 60s+1s, 10m/d2s (delay), 10m/5x30s (byo-yomi); or unlimited
    #[arg(long, value_name = "CLOCK", default_value = "60s+1s", allow_hyphen_values = true)]
    clock: String,
    /// The most that one move may take
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    move_limit: Option<Span>,
    /// The time from the start of a program to its `ready`
    #[arg(long, value_name = "TIME", default_value = "10s", allow_hyphen_values = true)]
    startup: Span,
    /// How far a move may overrun and still count
    #[arg(long, value_name = "TIME", default_value = "0ms", allow_hyphen_values = true)]
    margin: Span,
    /// How many late or illegal answers of a seat are tolerated: a random legal move is played instead
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    strikes: u32,
    /// How many unreadable lines a turn are skipped
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    lenient: u32,
    #[command(flatten)]
    seed: SeedArgs,
    /// Moves played before the first turn, separated by blanks
    #[arg(long, value_name = "MOVES", default_value = "")]
    opening: String,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// Change seats after each game, the same luck and opening for every order of seats
    #[arg(long)]
    swap: bool,
    /// The file of the log; of several games, numbers are put before its ending
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Write over a log that is there already
    #[arg(long)]
    force: bool,
    /// The working directory of a player, such as 1=bots/mine; may be given again
    #[arg(long, value_name = "N=DIR", allow_hyphen_values = true)]
    dir: Vec<String>,
    #[arg(long = "limit", value_name = "NAME=VALUE", help = limits::help(), allow_hyphen_values = true)]
    limits: Vec<String>,
    #[command(flatten)]
    sandbox: SandboxArgs,
    /// Whether bots run while others think
    #[arg(long, value_name = "WHAT", value_enum, default_value = "stop")]
    ponder: PonderArg,
    /// On how many processors a game and its bots are kept
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    cores_per_game: u32,
    /// Leave the processors to the system
    #[arg(long, conflicts_with = "cores_per_game")]
    no_pin: bool,
    /// Let programs go on from game to game; games with the same luck never share one
    #[arg(long)]
    reuse: bool,
    /// Exit with 1 if a bot was at fault
    #[arg(long)]
    strict: bool,
    /// Print one JSON object a game
    #[arg(long)]
    json: bool,
    /// Draw boards with ASCII characters only
    #[arg(long)]
    ascii: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum PonderArg {
    /// A bot is frozen while it is not asked
    Stop,
    /// All run all the time
    Allow,
}

pub fn run(args: Args, quiet: bool) -> Result<(), Failure> {
    let mut contest = Contest::new(args, quiet)?;
    let failed = |error| Failure::new(Kind::Io, format!("the referee cannot set itself up: {error}"));
    host::guard_secrets().map_err(failed)?;
    contest.pin().map_err(failed)?;
    let stop = Stop::listen().map_err(failed)?;
    let group = contest.group_size();
    for first in (0..contest.args.games as usize).step_by(group) {
        let numbers = first..first + group;
        contest.group(first / group, numbers, &stop)?;
        if let Some(failure) = stop.failure() {
            return Err(failure);
        }
    }
    contest.conclude()
}

/// How many descriptors there are besides those of logs and bots: the standard ones, what says stop, and those of looks
/// at what bots use.
const OWN_DESCRIPTORS: usize = 16;

/// A match of one or more games.
struct Contest {
    args: Args,
    quiet: bool,
    options: String,
    clock: TimeControl,
    players: Vec<Player>,
    sandbox: Sandbox,
    limits: Limits,
    master: Master,
    cores: Vec<usize>,
    /// The programs that go on to another game: of each of the games that share their luck its own.
    kept: Vec<BySeat<Kept>>,
    log: PathBuf,
    tally: BTreeMap<String, Score>,
    faults: u64,
    voids: u64,
    panics: u64,
}

/// What one player reached.
#[derive(Default)]
struct Score {
    games: u32,
    wins: u32,
    draws: u32,
}

/// A game that is over, and whose log still lacks its end line.
struct Played {
    game_id: String,
    names: BySeat<String>,
    game: Unrevealed,
}

/// What is told of a game while it is played.
struct Telling<'a> {
    game_id: &'a str,
    names: &'a BySeat<String>,
    log: &'a Path,
    watch: Watch<'a>,
}

impl Spectator for Telling<'_> {
    fn begins(&mut self) {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        tracing::info!("{} begins: {}; log {}", self.game_id, names.join(", "), self.log.display());
        self.watch.begin();
    }

    fn look(&mut self, referee: &Referee) {
        self.watch.look(referee);
    }

    fn void(&mut self, _: &Finished, kept: &Path) {
        tracing::warn!("{}: void, and played again; its log is kept as {}", self.game_id, kept.display());
    }
}

impl Contest {
    fn new(args: Args, quiet: bool) -> Result<Contest, Failure> {
        let seats = args.players.len();
        if !args.game.game.seats().contains(&seats) {
            let known = alternatives(args.game.game.seats());
            let words = format!("{} is played by {known} players, and {seats} were given", args.game.game);
            return Err(Failure::usage(words));
        }
        if args.swap && !(args.games as usize).is_multiple_of(seats) {
            return Err(Failure::usage(format!(
                "with --swap, --games must be a multiple of {seats}: every order of seats is played"
            )));
        }
        let mut clock = TimeControl {
            move_limit: args.move_limit,
            startup: Some(args.startup),
            margin: args.margin,
            ..TimeControl::default()
        };
        if args.move_limit == Some(Span::ZERO) {
            return Err(Failure::usage("--move-limit 0s: nobody could move in no time"));
        }
        clock.set_clock(&args.clock).map_err(|error| Failure::usage(format!("--clock {}: {error}", args.clock)))?;
        let options = args.game.options()?;
        let mut limits = Limits { lenient: args.lenient, strikes: args.strikes, ..Limits::default() };
        limits::set(&mut limits, &args.limits)?;
        if args.reuse && limits.scratch_bytes.is_some() {
            return Err(Failure::usage(
                "--reuse and --limit scratch do not go together: a folder lasts for one game; leave one of them out",
            ));
        }
        let mut players = players::find(&args.players, &dirs(&args.dir, seats)?, args.game.game)?;
        let mut contest = Contest {
            options,
            clock: clock.guarded(),
            sandbox: args.sandbox.hold(&mut players, &limits)?,
            limits,
            players,
            master: args.seed.master()?,
            cores: Vec::new(),
            kept: Vec::new(),
            log: args.log.clone().unwrap_or_else(|| default_log(&args.game)),
            tally: BTreeMap::new(),
            faults: 0,
            voids: 0,
            panics: 0,
            args,
            quiet,
        };
        contest.check_open_files()?;
        contest.kept = (0..contest.group_size()).map(|_| contest.nobody()).collect();
        // Options and opening are tried before any file is made or any program started.
        let trial = Referee::new(contest.setup(0, 0, &contest.names(0)), 0, &mut Vec::new());
        trial.map_err(|error| contest.args.game.cannot_begin(&error))?;
        let Contest { options, args, .. } = &contest;
        if args.swap && (Setting { game: args.game.game, options, seats }).has_luck() {
            sandbox::warn_of_memory(&contest.players);
        }
        output::check(&contest.log_path(0), None, None)?;
        // And no log of an earlier match is found in the middle of this one.
        let mut logs = (0..contest.args.games as usize).map(|number| contest.log_path(number));
        logs.try_for_each(|path| logs::check_free(&path, contest.args.force))?;
        Ok(contest)
    }

    /// There must be room for the files of a game: it would be void for want of them each time that it is played.
    fn check_open_files(&self) -> Result<(), Failure> {
        // A bot of root holds a user, and a control group may be open for a moment; each game of a group keeps its own.
        let bots = self.players.len() * self.group_size() * (DESCRIPTORS + 2);
        let needed = (OWN_DESCRIPTORS + bots + self.group_size() + DESCRIPTORS_TO_START) as u64;
        let allowed = raise_descriptors(needed);
        if allowed >= needed {
            return Ok(());
        }
        let words = format!(
            "a game of these players needs {needed} open files, and this process may have {allowed}: raise the limit \
             (ulimit -n {needed})"
        );
        Err(Failure::new(Kind::Config, words))
    }

    /// Keeps this thread, and with it every bot, on as many processors as asked for.
    fn pin(&mut self) -> std::io::Result<()> {
        if !self.args.no_pin {
            self.cores = cores::nearest(self.args.cores_per_game as usize)?;
            cores::pin(&self.cores)?;
        }
        cores::wake_exactly()
    }

    fn names(&self, shift: usize) -> BySeat<String> {
        players::seated(&self.players, shift).map(|player| player.name.clone())
    }

    fn setup(&self, group: usize, number: usize, names: &BySeat<String>) -> Setup {
        let game_id = format!("game-{:06}", number + 1);
        let luck_id = if self.args.swap { format!("luck-{:06}", group + 1) } else { game_id.clone() };
        let shift = self.shift(number);
        let master = &self.master.seed;
        Setup {
            game: self.args.game.game,
            options: self.options.clone(),
            game_seed: master.of_game(&luck_id),
            bot_seeds: BySeat::from_fn(self.players.len(), |seat: Seat| master.of_bot(&game_id, seat)),
            players: names.clone(),
            game_id,
            luck_id,
            guessable_seed: self.master.guessable,
            clock: self.clock.clone(),
            limits: self.limits,
            opening: self.args.opening.split_whitespace().map(str::to_owned).collect(),
            host: HeaderHost {
                referee: env!("CARGO_PKG_VERSION").to_owned(),
                started: None,
                bots: players::seated(&self.players, shift).iter().map(|player| player.host.clone()).collect(),
                cores: self.cores.clone(),
                ponder: Some(self.ponder_words()),
                sandbox: Some(self.sandbox.words()),
            },
        }
    }

    fn ponder_words(&self) -> String {
        match self.args.ponder {
            PonderArg::Stop if self.sandbox.freezes_all() => "stop".to_owned(),
            PonderArg::Stop => "stop (best effort: a bot that leaves its process group runs on)".to_owned(),
            PonderArg::Allow => "allow".to_owned(),
        }
    }

    /// How many games share their luck.
    fn group_size(&self) -> usize {
        if self.args.swap { self.players.len() } else { 1 }
    }

    /// Programs that are still to be started, for one game.
    fn nobody(&self) -> BySeat<Kept> {
        BySeat::from_fn(self.players.len(), |_| Kept::default())
    }

    /// By how many seats the players have moved on in a game.
    fn shift(&self, number: usize) -> usize {
        if self.args.swap { number % self.players.len() } else { 0 }
    }

    /// Plays the games that share their luck, and reveals it only after the last of them.
    fn group(&mut self, group: usize, numbers: std::ops::Range<usize>, stop: &Stop) -> Result<(), Failure> {
        let mut played = Vec::new();
        let mut failed = None;
        for number in numbers {
            let place = number % self.group_size();
            let nobody = self.nobody();
            let mut kept = std::mem::replace(&mut self.kept[place], nobody);
            let game = self.game(group, number, &mut kept, stop);
            self.kept[place] = kept;
            match game {
                Ok(game) => played.push(game),
                Err(failure) => failed = Some(failure),
            }
            if failed.is_some() || stop.failure().is_some() {
                break;
            }
        }
        for game in played {
            self.reveal(game)?;
        }
        failed.map_or(Ok(()), Err)
    }

    /// Plays one game, again if it was void.
    fn game(&self, group: usize, number: usize, programs: &mut BySeat<Kept>, stop: &Stop) -> Result<Played, Failure> {
        let seated = players::seated(&self.players, self.shift(number));
        let names = self.names(self.shift(number));
        let setup = self.setup(group, number, &names);
        let (game_id, path) = (setup.game_id.clone(), self.log_path(number));
        let arena = Arena {
            referee_exe: PathBuf::from(THIS_EXECUTABLE),
            programs: seated.map(|player| player.program.clone()),
            confinements: seated.map(|player| player.confinement.clone()),
            ponder: match self.args.ponder {
                PonderArg::Stop => Ponder::Stop,
                PonderArg::Allow => Ponder::Allow,
            },
            keep: self.args.reuse,
            groups: self.sandbox.groups(),
        };
        logs::check_free(&path, self.args.force)?;
        let watch = Watch::new(&names, self.quiet, self.args.games == 1, self.args.ascii);
        let mut telling = Telling { game_id: &game_id, names: &names, log: &path, watch };
        let mut to_play = ToPlay { arena, setup, log: &path, replace: self.args.force, stop: stop.readable() };
        let game = to_play.play(programs, &mut telling).map_err(|error| self.not_played(error))?;
        let seconds = game.took.as_secs_f64();
        tracing::info!("{game_id} is over after {} plies and {seconds:.3} s", game.finished.end.plies);
        if !game.finished.clean {
            tracing::error!("{game_id}: a process of a bot could not be ended; it may slow down the next games");
        }
        Ok(Played { game_id, names, game })
    }

    fn not_played(&self, error: NotPlayed) -> Failure {
        match error {
            NotPlayed::CannotBegin(error) => self.args.game.cannot_begin(&error),
            error => Failure::new(Kind::Io, error),
        }
    }

    fn log_path(&self, number: usize) -> PathBuf {
        match self.args.games {
            1 => self.log.clone(),
            games => numbered(&self.log, &format!("{:0width$}", number + 1, width = games.to_string().len())),
        }
    }

    /// Writes the end of a log, and says how the game ended.
    fn reveal(&mut self, game: Played) -> Result<(), Failure> {
        let Played { game_id, names, game } = game;
        let path = game.log().to_owned();
        let (finished, written) = game.reveal().map_err(|error| self.not_played(error))?;
        let outcome = &finished.end.outcome;
        let mut out = std::io::stdout().lock();
        if self.args.json {
            let row = row(&game_id, &names, &path, &finished, written.digests);
            serde_json::to_writer(&mut out, &row).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            for fault in &finished.faults {
                writeln!(out, "{}", fault_words(fault, &names))?;
            }
            let number = if self.args.games > 1 { format!("{game_id}: ") } else { String::new() };
            writeln!(out, "{number}{}", result_words(outcome, &names))?;
            if !self.quiet {
                let path = path.display().to_string();
                writeln!(out, "{} plies, log {}", finished.end.plies, harmless(&path))?;
            }
        }
        self.faults += finished.faults.iter().filter(|fault| fault.kind != "resigned").count() as u64;
        self.panics += u64::from(outcome.reason == Reason::Panic);
        self.voids += u64::from(outcome.result == GameResult::Void);
        for (seat, name) in names.seats() {
            let score = self.tally.entry(name.clone()).or_default();
            if let Some(ranks) = &outcome.ranks {
                score.games += 1;
                score.wins += u32::from(outcome.winner() == Some(seat));
                score.draws += u32::from(outcome.winner().is_none() && ranks[seat] == 1);
            }
        }
        Ok(())
    }

    fn conclude(self) -> Result<(), Failure> {
        if self.args.games > 1 && !self.args.json {
            let mut out = std::io::stdout().lock();
            for (name, score) in &self.tally {
                let Score { games, wins, draws } = score;
                writeln!(out, "{name}: {wins} won, {draws} drawn, {} lost of {games}", games - wins - draws)?;
            }
        }
        if self.panics > 0 {
            let games = number(self.panics, "game");
            let words = format!("the rules failed in {games}: a bug of ours; please report it with the log");
            return Err(Failure::new(Kind::Bug, words));
        }
        // A fault stays one, however often the command is given; a game without one may still be judged.
        if self.args.strict && self.faults > 0 {
            let faults = number(self.faults, "fault");
            return Err(Failure::new(Kind::No, format!("{faults} of bots, and --strict was given")));
        }
        if self.voids > 0 {
            let games = number(self.voids, "game");
            let words = format!("{games} void: the referee could not judge fairly; the same command plays anew");
            return Err(Failure::new(Kind::Again, words));
        }
        Ok(())
    }
}

/// A name that says what was played and when: two matches in one second are told apart by the process.
fn default_log(game: &GameArgs) -> PathBuf {
    let now = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S").to_string();
    PathBuf::from(format!("{}-{now}-{}.jsonl", game.game, std::process::id()))
}

fn dirs(args: &[String], seats: usize) -> Result<BTreeMap<usize, PathBuf>, Failure> {
    let one = |arg: &String| {
        let parts = arg.split_once('=').and_then(|(number, dir)| Some((number.parse().ok()?, PathBuf::from(dir))));
        parts.filter(|(number, _)| *number < seats).ok_or_else(|| {
            Failure::usage(format!(
                "--dir {arg}: write the number of the player, from 0, and its folder, as in 1=bots/mine"
            ))
        })
    };
    args.iter().map(one).collect()
}
