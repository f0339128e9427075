//! `arbitro check`: tries a bot by scripts, and says what to fix.

mod junit;
mod rows;
mod screen;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::failure::{Failure, Kind};
use super::players::{self, Player};
use super::sandbox::{LoneSandboxArgs, Sandbox};
use super::signals::Stop;
use super::{limits, output};
use crate::check::{self, Check, NoReport, Outcome, Report, Subject};
use crate::clock::{Span, TimeControl};
use crate::host::{THIS_EXECUTABLE, cores};
use crate::protocol::limits::Limits;
use crate::seat::{BySeat, MAX_SEATS};
use crate::table::GameName;

use screen::Screen;

/// Check a bot by scripts that play the referee's side, and say in plain words what to fix
#[derive(clap::Args)]
pub struct Args {
    /// The bot: a path, a quoted command, or a built-in bot
    #[arg(value_name = "BOT", required_unless_present = "list")]
    bot: Option<String>,
    /// A game that it must play; may be given again. Without it, all games are tried, and those that it does not play
    /// are no failure
    #[arg(long, value_name = "GAME")]
    game: Vec<GameName>,
    /// A number of seats to play with; may be given again
    #[arg(long, value_name = "N")]
    seats: Vec<usize>,
    /// Make only the check of this name; may be given again
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// List the checks, and make none
    #[arg(long)]
    list: bool,
    /// Let notes count as failures
    #[arg(long)]
    strict: bool,
    /// The time from the start of the program to its `ready`
    #[arg(long, value_name = "TIME", default_value = "10s", allow_hyphen_values = true)]
    startup: Span,
    /// The clock of whole games, as for play; other checks have clocks of their own
    #[arg(long, value_name = "CLOCK", default_value = "60s+1s", allow_hyphen_values = true)]
    clock: String,
    /// The working directory of the bot
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    #[arg(long = "limit", value_name = "NAME=VALUE", help = limits::help(), allow_hyphen_values = true)]
    limits: Vec<String>,
    #[command(flatten)]
    sandbox: LoneSandboxArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Write a JUnit report to a file, too
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

pub fn run(args: Args, quiet: bool) -> Result<(), Failure> {
    let games = games(&args.game, &args.seats)?;
    let checks = check::all(&games);
    if let Some(name) = args.only.iter().find(|name| checks.iter().all(|check| check.name != **name)) {
        return Err(Failure::usage(format!("--only {name}: no check is called so; --list names them")));
    }
    let Some(bot) = args.bot.as_ref().filter(|_| !args.list) else { return list(&checks, args.json) };
    // A file that cannot be written is better known before the checks than after them.
    let junit = args.junit.as_deref().map(|path| create(path).map(|file| (path, file))).transpose()?;
    let mut limits = Limits::default();
    limits::set(&mut limits, &args.limits)?;
    let player = players::alone(bot, &args.dir, &games)?;
    let name = player.name.clone();
    let command = player.host.command.clone();
    let mut copies = vec![player; MAX_SEATS];
    // Who holds the users of the copies is kept until the end.
    let sandbox = args.sandbox.for_copies(MAX_SEATS).hold(&mut copies, &limits)?;
    let subject = subject(&args, &copies, &sandbox, limits, games)?;
    let failed = |error| Failure::new(Kind::Io, format!("the referee cannot set itself up: {error}"));
    cores::nearest(1).and_then(|cores| cores::pin(&cores)).and_then(|()| cores::wake_exactly()).map_err(failed)?;
    let stop = Stop::listen().map_err(failed)?;

    let began = Instant::now();
    let screen = Screen::new(quiet, args.json);
    screen.begin(&name)?;
    let mut unwritten = Ok(());
    let report = check::run(&subject, &args.only, Some(stop.readable()), &mut |check, finding| {
        unwritten = std::mem::replace(&mut unwritten, Ok(())).and_then(|()| screen.line(check, finding));
    });
    let report = report.map_err(|error| no_report(&error, &stop))?;
    unwritten?;
    let passed = passes(&report, args.strict);
    let row = rows::of(&name, &command, &report, passed, began.elapsed());
    if let Some((path, file)) = junit {
        junit::write(file, &row).map_err(|error| unwritable(path, &error))?;
    }
    if args.json {
        let mut out = std::io::stdout().lock();
        serde_json::to_writer(&mut out, &row).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        screen.conclude(&row)?;
    }
    if passed { Ok(()) } else { Err(Failure::silent(Kind::No)) }
}

/// The games to try: all, or those asked for, with the numbers of seats asked for.
fn games(asked: &[GameName], seats: &[usize]) -> Result<Vec<(GameName, usize)>, Failure> {
    let games = if asked.is_empty() { GameName::ALL } else { asked };
    let mut found: Vec<(GameName, usize)> = Vec::new();
    for &game in games {
        let fits = |count: &&usize| seats.is_empty() || seats.contains(count);
        let more = game.seats().iter().filter(fits).map(|&count| (game, count)).filter(|pair| !found.contains(pair));
        let more: Vec<_> = more.collect();
        if more.is_empty() && !asked.is_empty() && !found.iter().any(|(known, _)| *known == game) {
            return Err(Failure::usage(format!("{game} is not played with any number of seats that --seats names")));
        }
        found.extend(more);
    }
    if found.is_empty() { Err(Failure::usage("--seats: no game is played by so many")) } else { Ok(found) }
}

fn subject(
    args: &Args,
    copies: &[Player],
    sandbox: &Sandbox,
    limits: Limits,
    games: Vec<(GameName, usize)>,
) -> Result<Subject, Failure> {
    let mut clock = TimeControl { startup: Some(args.startup), ..TimeControl::default() };
    clock.set_clock(&args.clock).map_err(|error| Failure::usage(format!("--clock {}: {error}", args.clock)))?;
    Ok(Subject {
        referee_exe: PathBuf::from(THIS_EXECUTABLE),
        program: copies[0].program.clone(),
        confinements: BySeat::collect(copies.iter().map(|copy| copy.confinement.clone())),
        groups: sandbox.groups(),
        limits,
        clock: clock.guarded(),
        games,
        must_play: !args.game.is_empty(),
    })
}

fn create(path: &Path) -> Result<File, Failure> {
    output::check(path, None, Some("report.xml"))?;
    File::create(path).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Kind::Io, format!("{} cannot be written: {error}", path.display()))
}

fn no_report(error: &NoReport, stop: &Stop) -> Failure {
    Failure::new(stop.kind().unwrap_or(Kind::Io), error)
}

/// Whether the bot passes.
fn passes(report: &Report, strict: bool) -> bool {
    let spoils = |outcome| outcome == Outcome::Failed || strict && outcome == Outcome::Note;
    !report.findings.iter().any(|(_, finding)| spoils(finding.outcome))
}

fn list(checks: &[Check], json: bool) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    for check in checks {
        if json {
            serde_json::to_writer(&mut out, &rows::listed(check)).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            let advice = if check.is_advice() { " (a note)" } else { "" };
            writeln!(out, "{:18} {}{advice}", check.name, check.title)?;
        }
    }
    Ok(())
}
