//! How a run of a tournament ended: on stdout in words or as JSON, and as an exit code.

use std::io::{self, Write};

use serde::Serialize;

use super::events;
use super::progress::tally::Tally;
use super::progress::words;
use crate::cli::failure::{Failure, Kind};
use crate::tournament::ratings::sprt::{Running, Stop, Verdict};
use crate::tournament::run::{Ending, Summary};

/// How a run ended, as JSON.
#[derive(Serialize)]
struct Row<'a> {
    schema: u32,
    ending: &'static str,
    planned: u64,
    counted: u64,
    played: u64,
    unresolved: u64,
    faults: u64,
    voids: u64,
    disqualified: Vec<&'a str>,
    halted: Vec<Vec<&'a str>>,
    seconds: f64,
    sprt: Option<Test>,
    standings: Vec<Standing<'a>>,
}

/// How far a test of which bot is stronger has come.
#[derive(Serialize)]
struct Test {
    /// `H0` or `H1`, once it is known.
    verdict: Option<Verdict>,
    llr: f64,
    sets: u64,
    lower: f64,
    upper: f64,
}

impl Test {
    fn of((test, stop): &(Running, Option<Stop>)) -> Test {
        let (lower, upper) = test.bounds();
        Test { verdict: stop.map(|stop| stop.verdict), llr: test.llr(), sets: test.sets(), lower, upper }
    }
}

/// What a bot has reached.
#[derive(Serialize)]
pub struct Standing<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Its points.
    pub points: f64,
    /// The points that it could have.
    pub most: f64,
    /// The games that it finished.
    pub games: u64,
}

/// Where the bots stand, the leading one first.
pub fn standings(tally: &Tally, count: usize) -> Vec<Standing<'_>> {
    let halves = |points: crate::tournament::played::HalfPoints| points.0 as f64 / 2.0;
    let leading = tally.leading(count).into_iter();
    leading
        .map(|(name, score)| Standing {
            name,
            points: halves(score.points),
            most: halves(score.most),
            games: score.games,
        })
        .collect()
}

/// Prints how it ended, with all bots in order.
///
/// # Errors
/// Those of the output.
pub fn print(
    summary: &Summary,
    tally: &Tally,
    names: &[String],
    test: Option<&(Running, Option<Stop>)>,
    json: bool,
) -> Result<(), Failure> {
    let test = test.map(Test::of);
    let mut out = io::stdout().lock();
    if json {
        serde_json::to_writer(&mut out, &row(summary, tally, names, test)).map_err(io::Error::from)?;
        writeln!(out)?;
        return Ok(());
    }
    for (place, line) in words::leading(tally, names.len()).iter().enumerate() {
        writeln!(out, "{:>3}. {line}", place + 1)?;
    }
    if let Some(Test { verdict, llr, sets, lower, upper }) = test {
        let says = match verdict {
            Some(Verdict::H0) => "H0 is accepted",
            Some(Verdict::H1) => "H1 is accepted",
            None => "undecided",
        };
        writeln!(out, "SPRT: {says} after {sets} sets: LLR {llr:.2} ({lower:.2} to {upper:.2})")?;
    }
    Ok(())
}

fn row<'a>(summary: &Summary, tally: &'a Tally, names: &'a [String], sprt: Option<Test>) -> Row<'a> {
    let name = |bot: &crate::tournament::Entrant| names[bot.index()].as_str();
    let Summary { planned, counted, played, unresolved, .. } = *summary;
    Row {
        schema: 1,
        ending: events::ending(summary.ending),
        planned,
        counted,
        played,
        unresolved,
        faults: tally.faults,
        voids: tally.voids,
        disqualified: summary.disqualified.iter().map(name).collect(),
        halted: summary.halted.iter().map(|bots| bots.iter().map(name).collect()).collect(),
        seconds: summary.took.as_secs_f64(),
        sprt,
        standings: standings(tally, names.len()),
    }
}

/// Whether all is well, and who must act if not.
///
/// # Errors
/// When games are left, or the rules failed.
pub fn verdict(summary: &Summary) -> Result<(), Failure> {
    let left = summary.planned.saturating_sub(summary.counted);
    match summary.ending {
        _ if summary.panics > 0 => {
            let words =
                format!("the rules failed in {} games: a bug of ours; please report it with a log", summary.panics);
            Err(Failure::new(Kind::Bug, words))
        }
        Ending::Complete | Ending::Enough => Ok(()),
        Ending::Interrupted => {
            let words =
                format!("stopped with {left} games left; what is finished is safe, and the same command goes on");
            Err(Failure::new(Kind::Again, words))
        }
        Ending::Incomplete => {
            let words = format!("{left} games are left of bots whose games had no result; the same command plays them");
            Err(Failure::new(Kind::Again, words))
        }
    }
}
