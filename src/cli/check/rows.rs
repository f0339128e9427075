//! A report of checks as JSON.

use std::time::Duration;

use serde::Serialize;

use crate::check::{Check, Finding, Outcome, Report};
use crate::table::GameName;

/// The report on one bot.
#[derive(Serialize)]
pub struct Row<'a> {
    pub schema: u32,
    pub referee: &'static str,
    pub bot: &'a str,
    pub command: &'a [String],
    /// How it calls itself.
    pub name: Option<&'a str>,
    pub outcome: &'static str,
    pub plays: Vec<Played>,
    pub passed: usize,
    pub failed: usize,
    pub notes: usize,
    pub skipped: usize,
    pub ms: u64,
    pub checks: Vec<CheckRow<'a>>,
}

/// A game that the bot plays.
#[derive(Serialize)]
pub struct Played {
    pub game: GameName,
    pub seats: usize,
}

/// One check that was made or skipped.
#[derive(Serialize)]
pub struct CheckRow<'a> {
    pub name: &'a str,
    pub title: &'a str,
    pub does: &'a str,
    pub outcome: Outcome,
    pub seen: &'a str,
    /// What to change, where it is a failure or a note.
    pub fix: Option<&'a str>,
    pub ms: u64,
}

/// One check of the list.
#[derive(Serialize)]
pub struct Listed<'a> {
    name: &'a str,
    title: &'a str,
    does: &'a str,
    fix: &'a str,
    advice: bool,
}

/// The report as JSON.
pub fn of<'a>(bot: &'a str, command: &'a [String], report: &'a Report, passed: bool, took: Duration) -> Row<'a> {
    let count = |outcome| report.findings.iter().filter(|(_, finding)| finding.outcome == outcome).count();
    Row {
        schema: 1,
        referee: env!("CARGO_PKG_VERSION"),
        bot,
        command,
        name: report.name.as_deref(),
        outcome: if passed { "passed" } else { "failed" },
        plays: report.plays.iter().map(|&(game, seats)| Played { game, seats }).collect(),
        passed: count(Outcome::Passed),
        failed: count(Outcome::Failed),
        notes: count(Outcome::Note),
        skipped: count(Outcome::Skipped),
        ms: milliseconds(took),
        checks: report.findings.iter().map(|(check, finding)| row(check, finding)).collect(),
    }
}

fn row<'a>(check: &'a Check, finding: &'a Finding) -> CheckRow<'a> {
    let wrong = matches!(finding.outcome, Outcome::Failed | Outcome::Note);
    CheckRow {
        name: &check.name,
        title: &check.title,
        does: check.does,
        outcome: finding.outcome,
        seen: &finding.seen,
        fix: wrong.then_some(check.fix),
        ms: milliseconds(finding.took),
    }
}

/// A check as JSON.
pub fn listed(check: &Check) -> Listed<'_> {
    Listed { name: &check.name, title: &check.title, does: check.does, fix: check.fix, advice: check.is_advice() }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
