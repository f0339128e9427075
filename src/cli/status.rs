//! `arbitro status`: how far a tournament has come, from its folder alone, while somebody plays in it or not.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Serialize;

use super::failure::{Failure, Kind};
use super::run::ending::{Standing, standings};
use super::run::plan::{Extent, format_of, title};
use super::run::progress::tally::Tally;
use super::run::progress::words;
use crate::chance::Hex32;
use crate::report::text::json as harmless;
use crate::tournament::folder::{self, BadFolder, Fault, Record};
use crate::tournament::journal::BadJournal;
use crate::tournament::plan::{BadPlan, Plan};
use crate::tournament::played::Played;
use crate::tournament::standings::{BadResults, Results, Row, ranking};

/// From how many of the last games the pace is taken.
const LAST: usize = 200;

/// Say how far a tournament has come, whether it is being played or not
#[derive(clap::Args)]
pub struct Args {
    /// The folder of the tournament
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What can be seen of a tournament.
struct Seen {
    plan: Plan,
    tally: Tally,
    /// The process that plays, if one does.
    process: Option<u32>,
    /// Games a second, if somebody plays.
    rate: Option<f64>,
    /// The last round of which a game is finished.
    round: u32,
    /// Whether nothing more will be played.
    is_final: bool,
}

/// What can be seen of a tournament, as JSON.
#[derive(Serialize)]
struct Object<'a> {
    schema: u32,
    name: &'a str,
    game: &'static str,
    seats: usize,
    plan: Hex32,
    state: &'static str,
    process: Option<u32>,
    finished: u64,
    planned_least: u64,
    planned_most: u64,
    round: u32,
    rounds_planned: usize,
    faults: u64,
    voids: u64,
    unresolved: u64,
    games_a_second: Option<f64>,
    seconds_left: Option<f64>,
    standings: Vec<Standing<'a>>,
}

pub fn run(args: Args) -> Result<(), Failure> {
    let seen = Seen::of(&args.folder)?;
    let mut out = io::stdout().lock();
    if args.json {
        let object = serde_json::to_string(&seen.object()).map_err(io::Error::from)?;
        writeln!(out, "{}", harmless(&object))?;
    } else {
        write!(out, "{}", seen.words())?;
    }
    Ok(())
}

/// What is wrong with a folder, and who must act.
pub fn failure(error: &BadFolder) -> Failure {
    let kind = match &error.fault {
        Fault::NoTournament | Fault::Missing => Kind::NoInput,
        Fault::Io(error) | Fault::Plan(BadPlan::Reading(error)) | Fault::Journal(BadJournal::Reading(error)) => {
            match error.kind() {
                io::ErrorKind::NotFound => Kind::NoInput,
                _ => Kind::Io,
            }
        }
        Fault::InUse { .. } => Kind::Again,
        Fault::NotMade(_) => Kind::Io,
        Fault::NoFolder => Kind::Config,
        Fault::InTheWay { .. } => Kind::Usage,
        Fault::Foreign | Fault::OtherPlan { .. } | Fault::ChangedBots { .. } | Fault::OtherSeed => Kind::Config,
        Fault::EditedPlan | Fault::OtherJournal { .. } | Fault::OtherResults | Fault::OtherRounds => Kind::BadInput,
        Fault::Plan(_) | Fault::Journal(_) | Fault::Misfit(_) => Kind::BadInput,
    };
    Failure::new(kind, error)
}

/// Who stands where in a tournament, the best first.
///
/// # Errors
/// When there is none, or it cannot be read.
pub fn rows(path: &Path) -> Result<Vec<Row>, Failure> {
    Ok(rows_of(path, folder::read(path).map_err(|error| failure(&error))?)?.1)
}

/// Whether a tournament is over, and who stands where.
fn rows_of(path: &Path, record: Record) -> Result<(bool, Vec<Row>), Failure> {
    let bad = |error: BadResults| Failure::new(Kind::BadInput, format!("{}: {error}", path.display()));
    let results = Results::of(record).map_err(bad)?;
    Ok((results.is_final, ranking(&results).map_err(bad)?))
}

/// Games a second, by when the logs of the last ones were finished.
fn rate(path: &Path, played: &[Played]) -> Option<f64> {
    let last = played.iter().rev().take(LAST);
    let finished = last.filter_map(|game| fs::metadata(folder::log(path, game.game)).ok()?.modified().ok());
    let finished: Vec<SystemTime> = finished.collect();
    let lasted = finished.iter().max()?.duration_since(*finished.iter().min()?).ok()?;
    (finished.len() > 1 && !lasted.is_zero()).then(|| (finished.len() - 1) as f64 / lasted.as_secs_f64())
}

impl Seen {
    fn of(path: &Path) -> Result<Seen, Failure> {
        // Whoever plays is looked for first: games that end afterwards are then not those of somebody unknown.
        let process = folder::player(path);
        let record = folder::read(path).map_err(|error| failure(&error))?;
        let (plan, mut tally) = (record.plan.clone(), Tally::default());
        record.played.iter().for_each(|game| tally.resume(game));
        tally.name(plan.header().bots.iter().map(|bot| bot.name.clone()).collect(), Extent::of(&plan));
        tally.paired(plan.rounds().len(), plan.games());
        if let Some(format) = format_of(&plan) {
            plan.rounds().iter().for_each(|round| tally.credit_all(&round.byes, format.bye_points()));
        }
        let rate = process.and_then(|_| rate(path, &record.played));
        let round = record.played.iter().map(|game| game.round).max().unwrap_or(0);
        let (is_final, rows) = rows_of(path, record)?;
        tally.rank(&rows);
        if is_final {
            tally.all_are_finished();
        }
        Ok(Seen { plan, tally, process, rate, round, is_final })
    }

    /// How it stands, as a word for programs and in words for people.
    fn state(&self) -> (&'static str, String) {
        match self.process {
            Some(process) => ("running", format!("running (process {process})")),
            None if self.is_final => ("finished", "finished".to_owned()),
            None => ("stopped", "not running; the same `arbitro run` goes on with it".to_owned()),
        }
    }

    fn left(&self) -> Option<Duration> {
        let rest = self.tally.planned().1.saturating_sub(self.tally.finished);
        Duration::try_from_secs_f64(rest as f64 / self.rate?).ok()
    }

    fn words(&self) -> String {
        let state = words::state(&title(&self.plan), &self.tally, self.rate, self.left());
        format!("{state}\n{}\n", self.state().1)
    }

    fn object(&self) -> Object<'_> {
        let header = self.plan.header();
        let tally = &self.tally;
        Object {
            schema: 1,
            name: &header.name,
            game: header.game.as_str(),
            seats: header.seats,
            plan: self.plan.sha256(),
            state: self.state().0,
            process: self.process,
            finished: tally.finished,
            planned_least: tally.planned().0,
            planned_most: tally.planned().1,
            round: self.round,
            rounds_planned: self.plan.rounds().len(),
            faults: tally.faults,
            voids: tally.voids,
            unresolved: tally.unresolved,
            games_a_second: self.rate,
            seconds_left: self.left().map(|left| left.as_secs_f64()),
            standings: standings(tally, header.bots.len()),
        }
    }
}
