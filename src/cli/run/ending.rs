//! How a run of a tournament ended: on stdout in words or as JSON, and as an exit code.

use std::io::{self, Write};

use serde::Serialize;

use super::events;
use super::progress::tally::Tally;
use super::progress::words::{self, number};
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
    /// Its rank from 1.
    pub rank: usize,
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
        .map(|(rank, name, score)| Standing {
            rank,
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
    for (rank, line) in words::leading(tally, names.len()) {
        writeln!(out, "{rank:>3}. {line}")?;
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

/// Whether all is well, and who must act if not. There will be `games` in all, at least and at most.
///
/// # Errors
/// When games are left, or the rules failed.
pub fn verdict(summary: &Summary, games: (u64, u64)) -> Result<(), Failure> {
    let (mut kind, mut words) = match summary.ending {
        Ending::Complete | Ending::Enough => (None, Vec::new()),
        Ending::Interrupted => {
            let words = format!(
                "stopped with {} left; what is finished is safe, and the same command goes on",
                left(summary, games)
            );
            (Some(Kind::Again), vec![words])
        }
        Ending::Incomplete => {
            let words = format!(
                "{} left, some of them of bots whose games had no result; the same command plays them",
                left(summary, games)
            );
            (Some(Kind::Again), vec![words])
        }
    };
    if summary.panics > 0 {
        let games = number(summary.panics, "game");
        words.push(format!("the rules failed in {games}: a bug of ours; please report it with a log"));
        // Whoever stopped it goes on with it all the same; where it stopped by itself, it would do so again.
        if summary.ending != Ending::Interrupted {
            kind = Some(Kind::Bug);
        }
    }
    kind.map_or(Ok(()), |kind| Err(Failure::new(kind, words.join("; "))))
}

/// How many games are left, as far as that can be known: results may decide.
fn left(summary: &Summary, (least, most): (u64, u64)) -> String {
    match (least.saturating_sub(summary.counted), most.saturating_sub(summary.counted)) {
        (least, most) if least == most => number(most, "game"),
        (0, most) => format!("at most {}", number(most, "game")),
        (least, _) => format!("at least {}", number(least, "game")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a run ended in which so many of so many games are counted that are planned so far.
    fn summary(ending: Ending, planned: u64, counted: u64) -> Summary {
        Summary {
            ending,
            planned,
            counted,
            played: counted,
            unresolved: 0,
            panics: 0,
            disqualified: vec![],
            halted: vec![],
            took: std::time::Duration::ZERO,
        }
    }

    fn told(summary: &Summary, games: (u64, u64)) -> (Kind, String) {
        let failure = verdict(summary, games).unwrap_err();
        (failure.kind(), failure.words().to_owned())
    }

    #[test]
    fn what_is_left_is_of_the_whole_tournament() {
        let left = |planned, counted, games| told(&summary(Ending::Interrupted, planned, counted), games).1;
        assert!(left(8, 4, (12, 12)).starts_with("stopped with 8 games left; "), "rounds that are not paired yet");
        assert!(left(8, 4, (12, 20)).starts_with("stopped with at least 8 games left; "), "a knockout");
        assert!(left(600, 40, (2, 600)).starts_with("stopped with at most 560 games left; "), "a test");
        assert!(left(2, 1, (2, 2)).starts_with("stopped with 1 game left; "));
    }

    #[test]
    fn a_stopped_run_goes_on_whatever_else_went_wrong() {
        let mut ended = summary(Ending::Interrupted, 12, 4);
        ended.panics = 1;
        let (kind, words) = told(&ended, (12, 12));
        assert_eq!(kind, Kind::Again);
        let parts = ["stopped with 8 games left; ", "; the rules failed in 1 game: a bug of ours; please report it"];
        assert!(parts.iter().all(|part| words.contains(part)), "{words}");
        ended.ending = Ending::Incomplete;
        let (kind, words) = told(&ended, (12, 12));
        assert!(
            kind == Kind::Bug && words.starts_with("8 games left, some of them of bots whose games had no result; "),
            "{words}"
        );
        ended.ending = Ending::Complete;
        let (kind, words) = told(&ended, (12, 12));
        assert!(kind == Kind::Bug && words.starts_with("the rules failed in 1 game: "), "{words}");
        assert!(verdict(&summary(Ending::Complete, 12, 12), (12, 12)).is_ok());
    }
}
