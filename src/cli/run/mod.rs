//! `arbitro run`: plays a whole tournament, or says what it would take.
//!
//! Everything that can be known to be wrong is found before anything is made or begun, in this order: the file, the bots,
//! openings, what holds the bots, room for games, and whether every bot starts.

mod director;
pub mod ending;
mod events;
mod field;
mod file;
mod openings;
mod outlook;
pub mod plan;
pub mod progress;
mod trial;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::failure::{Failure, Kind};
use super::output;
use super::players::Player;
use super::sandbox::Sandbox;
use super::signals::Stop;
use super::status;
use super::stderr::Stderr;
use crate::chance::Seed;
use crate::host::{self, THIS_EXECUTABLE, cores};
use crate::seat::BySeat;
use crate::tournament::cup::Cup;
use crate::tournament::folder::{self, Opened};
use crate::tournament::game::NotPlayed;
use crate::tournament::plan::Plan;
use crate::tournament::played::Played;
use crate::tournament::run::{self as engine, Bot, Director, Failed, Means, Places, Progress, Summary, Wanted};
use director::ByFormat;
use events::Events;
use file::{CupFile, Master};
use outlook::Outlook;
use progress::Live;
use trial::Trial;

/// For how long games are tried to see how long they take.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many games are tried at most.
const TRIED: usize = 16;

/// Play a whole tournament, or go on with one; it can be stopped at any moment
#[derive(clap::Args)]
pub struct Args {
    /// The tournament's file (see `arbitro init`)
    #[arg(value_name = "FILE", default_value = "cup.toml")]
    file: PathBuf,
    /// The folder that everything of the tournament goes to; one that holds this tournament already is gone on with
    #[arg(long, value_name = "DIR", required_unless_present = "dry_run")]
    out: Option<PathBuf>,
    /// Say what it takes, and play nothing; `try` plays some games in memory to know how long they take
    #[arg(long, value_name = "HOW", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "plan")]
    dry_run: Option<DryRun>,
    /// How many games are played at once; overrides the file
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    concurrency: Option<u32>,
    /// Let bots differ from those that the tournament began with
    #[arg(long)]
    changed_bots: bool,
    /// Write what happens to a file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DryRun {
    /// From the file alone
    Plan,
    /// By playing some games
    Try,
}

pub fn run(args: Args, quiet: bool, stderr: &Stderr) -> Result<(), Failure> {
    // Before anything that may take a while: whoever asks how it stands should not end it.
    let live = Live::listen(quiet, stderr).map_err(set_up)?;
    let done = plan_and_play(&args, &live);
    live.end(done)
}

fn plan_and_play(args: &Args, live: &Live) -> Result<(), Failure> {
    let (file, cup) = CupFile::open(&args.file)?;
    let bots = field::find(&file, &cup)?;
    let listed = openings::listed(&file, &cup)?;
    let mut players: Vec<Player> = bots.iter().map(|bot| bot.player.clone()).collect();
    let sandbox = field::hold(&cup, &mut players)?;
    field::keep_luck_apart(&file, &cup, &players)?;
    let master = file.seed(&cup.seed_file)?;
    let openings = match listed {
        Some(openings) => openings,
        None => {
            let out = args.out.as_deref().filter(|_| args.dry_run.is_none());
            let begun = out.map(folder::begun).transpose().map_err(|error| status::failure(&error))?;
            openings::drawn(&file, &cup, &master.seed, begun.flatten(), live)?
        }
    };
    let plan = plan::of(&cup, &bots, openings, &master.seed);
    let places = places(&cup, &plan, args.concurrency)?;
    let tournament = Tournament { file: &file, cup: &cup, players, sandbox, plan, places, seed: master.seed };
    match args.dry_run {
        Some(how) => {
            let tried = if how == DryRun::Try { tournament.try_games()? } else { Vec::new() };
            file.keep(&cup.seed_file, &master, args.out.as_deref())?;
            tournament.foretell(&tried, args.json, live)
        }
        None => tournament.run(args, &master, live),
    }
}

/// A tournament that could begin.
struct Tournament<'a> {
    file: &'a CupFile,
    cup: &'a Cup,
    players: Vec<Player>,
    sandbox: Sandbox,
    plan: Plan,
    places: Places,
    seed: Seed,
}

impl Tournament<'_> {
    /// Begins the tournament, or goes on with it, and says how it ended.
    fn run(&self, args: &Args, master: &Master, live: &Live) -> Result<(), Failure> {
        let out = args.out.as_deref().expect("the parser asks for it");
        let seed_file = &self.cup.seed_file;
        if let Some(path) = &args.events {
            output::check(path, Some(out), Some("events.jsonl"))?;
        }
        // A file that belongs into the folder has to wait until there is one; any other is tried now.
        let (events, inside) = match args.events.as_deref() {
            Some(path) if folder::is_in(path, out) => (None, Some(path)),
            path => (path.map(Events::open).transpose()?, None),
        };
        let stop = self.set_up()?;
        // A tournament that is there is looked at first: that is quicker than starting every bot.
        let is_new = !out.join("plan.jsonl").exists();
        if is_new {
            self.trial(&stop).start_all(self.file)?;
        } else {
            self.file.must_have_been_there(seed_file, master, out)?;
        }
        for secret in [&self.file.resolve(seed_file), out] {
            field::warn_of_readers(&self.players, secret);
        }
        self.file.keep(seed_file, master, Some(out))?;
        let mut director = ByFormat::new(self.cup, live);
        let opened = self.open(out, args.changed_bots, live, &mut director)?;
        let all_played = opened.ledger.sets() == opened.plan.sets().len() && self.cup.format.is_fixed();
        let is_over = all_played || director.is_enough();
        if !is_over {
            openings::warn_of_repeats(self.cup, &self.plan);
        }
        if !is_new && !is_over {
            self.trial(&stop).start_all(self.file).map_err(|failure| match stop.kind() {
                Some(_) => Failure::new(Kind::Again, "stopped; what is finished is safe, and the same command goes on"),
                None => failure,
            })?;
        }
        let events = inside.map_or(Ok(events), |path| Events::open(path).map(Some))?;
        let summary = self.play(opened, events, live, &mut director, &stop)?;
        live.settle();
        let test = director.test();
        let mut tally = live.tally();
        tally.rank(&status::rows(out)?);
        // From here on no bot runs and no file is open: whoever does not read these holds up nothing but them.
        ending::print(&summary, &tally, &self.names(), test.as_ref(), args.json)?;
        ending::verdict(&summary, tally.planned())
    }

    fn names(&self) -> Vec<String> {
        self.players.iter().map(|player| player.name.clone()).collect()
    }

    /// Closes this process to others, and listens to signals.
    fn set_up(&self) -> Result<Stop, Failure> {
        host::guard_secrets().map_err(set_up)?;
        cores::wake_exactly().map_err(set_up)?;
        Stop::listen().map_err(set_up)
    }

    fn trial<'a>(&'a self, stop: &'a Stop) -> Trial<'a> {
        Trial {
            cup: self.cup,
            field: &self.players,
            sandbox: &self.sandbox,
            opening: self.plan.header().openings.first().map(String::as_str),
            stop,
            at_once: self.places.0.len(),
        }
    }

    /// Plays games of the first meetings, as many at once as there will be, so that they take as long.
    fn try_games(&self) -> Result<Vec<trial::Tried>, Failure> {
        let stop = self.set_up()?;
        let trial = self.trial(&stop);
        trial.start_all(self.file)?;
        let sets = self.plan.sets().iter().take(TRIED);
        let tables: Vec<BySeat<usize>> = sets.map(|set| set.seats.map(|bot| bot.index())).collect();
        trial.play_for(&tables, PATIENCE)
    }

    fn foretell(&self, tried: &[trial::Tried], json: bool, live: &Live) -> Result<(), Failure> {
        openings::warn_of_repeats(self.cup, &self.plan);
        let outlook = Outlook::new(self.cup, &self.plan, &self.places, tried);
        live.settle();
        let mut out = io::stdout().lock();
        if json {
            serde_json::to_writer(&mut out, &outlook).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            outlook.print(&mut out)?;
        }
        Ok(())
    }

    /// Begins the tournament in its folder, or takes it up again.
    fn open(&self, out: &Path, changed_bots: bool, live: &Live, director: &mut ByFormat) -> Result<Opened, Failure> {
        live.plan(plan::title(&self.plan), self.cup.format.kind.name(), self.names(), plan::Extent::of(&self.plan));
        let mut look = |_: &Plan, games: &[Played]| {
            live.resume(games);
            director.see(games);
        };
        let opened = folder::open(out, self.plan.clone(), self.seed, changed_bots, &mut look)
            .map_err(|error| status::failure(&error))?;
        opened.plan.rounds().iter().for_each(|round| live.credit(&round.byes, self.cup.format.bye_points()));
        if opened.resumed {
            let counted = opened.ledger.sets() * opened.plan.games_each();
            live.say(&format!("going on in {}: {counted} games are finished", out.display()));
        }
        if !opened.changed.is_empty() {
            tracing::warn!("these bots are not what they were: {}; the journal notes it", opened.changed.join(", "));
        }
        Ok(opened)
    }

    fn play(
        &self,
        opened: Opened,
        mut events: Option<Events>,
        live: &Live,
        director: &mut ByFormat,
        stop: &Stop,
    ) -> Result<Summary, Failure> {
        if let Some(events) = &mut events {
            events.begin(&opened.plan);
        }
        let mut tell = |progress: Progress| {
            live.tell(&progress);
            note(&progress);
            if let Some(events) = &events {
                events.tell(progress);
            }
        };
        let summary = engine::run(opened, &self.means(), director, stop.readable(), &mut tell);
        // No bot runs any more that could wait for whoever reads events.
        drop(events);
        summary.map_err(|error| failed(&error))
    }

    fn means(&self) -> Means {
        let bot = |player: &Player| Bot {
            program: player.program.clone(),
            confinement: player.confinement.clone(),
            host: player.host.clone(),
        };
        Means {
            referee_exe: PathBuf::from(THIS_EXECUTABLE),
            bots: self.players.iter().map(bot).collect(),
            seed: self.seed,
            groups: self.sandbox.groups(),
            sandbox: self.sandbox.words(),
            freezes_all: self.sandbox.freezes_all(),
            places: self.places.clone(),
        }
    }
}

/// Where games are played at once: as many as the command line says, or the file, or as many as fit.
fn places(cup: &Cup, plan: &Plan, asked: Option<u32>) -> Result<Places, Failure> {
    let games = asked.or(Some(cup.run.concurrency).filter(|&games| games > 0)).map(|games| games as usize);
    let wanted = Wanted { games, cores_per_game: cup.run.cores_per_game as usize, pin: cup.run.pin };
    engine::places(plan, wanted).map_err(|error| Failure::new(Kind::Config, error))
}

/// What the authors of bots, and whoever looks after the machine, may want to know of single games.
fn note(progress: &Progress) {
    match progress {
        Progress::Void { game, reason, log } => {
            tracing::info!("{}: void ({}), and played again; its log is {}", game.id(), reason.words(), log.display());
        }
        Progress::Finished { game, faults, clean, .. } => {
            for fault in *faults {
                tracing::info!("game {}: seat {}: {}: {}", game.game, fault.seat, fault.kind, fault.words);
            }
            if !clean {
                tracing::error!("game {}: a process of a bot could not be ended; it may slow down others", game.game);
            }
        }
        _ => {}
    }
}

fn set_up(error: io::Error) -> Failure {
    Failure::new(Kind::Io, format!("the referee cannot set itself up: {error}"))
}

/// Who must act when a tournament cannot go on.
fn failed(error: &Failed) -> Failure {
    let kind = match error {
        Failed::Folder(error) => return status::failure(error),
        Failed::Game(NotPlayed::CannotBegin(_)) | Failed::Bug => Kind::Bug,
        Failed::Io { .. } | Failed::Game(_) | Failed::SetUp(_) => Kind::Io,
    };
    Failure::new(kind, error)
}
