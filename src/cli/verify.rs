//! `arbitro verify`: checks logs, any number of them.

use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::failure::{Failure, Kind};
use super::logs;
use crate::protocol::receive::harmless;
use crate::record::outcome::Outcome;
use crate::record::verify::{Finding, Verified, verify};

/// Check logs: replay every move, redraw all chance, recompute clocks, results and hashes
#[derive(clap::Args)]
pub struct Args {
    /// Logs, or folders of logs (*.jsonl)
    #[arg(value_name = "LOG", required = true)]
    logs: Vec<PathBuf>,
    /// Print one JSON object a log
    #[arg(long)]
    json: bool,
}

/// What was found in one log, as JSON.
#[derive(Serialize)]
struct Row<'a> {
    log: Cow<'a, str>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed_checked: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game_sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<String>,
}

/// How many logs came out how.
#[derive(Default)]
struct Tally {
    good: usize,
    plies: u64,
    bad: usize,
    unreadable: usize,
    failed: usize,
    missing: usize,
}

pub fn run(args: Args, quiet: bool) -> Result<(), Failure> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut tally = Tally::default();
    let mut bytes = Vec::new();
    let one = args.logs.len() == 1 && !args.logs[0].is_dir();
    for path in logs::find(&args.logs) {
        let path = match path {
            Ok(path) => path,
            Err(failure) => {
                tally.miss(&failure);
                continue;
            }
        };
        if let Err(failure) = logs::read_into(&path, &mut bytes) {
            tally.miss(&failure);
            continue;
        }
        let found = verify(&bytes);
        tally.add(&found);
        if args.json {
            serde_json::to_writer(&mut out, &row(&path, &found)).map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else {
            match &found {
                Err(finding) => writeln!(out, "{}", harmless(&format!("{}: {finding}", path.display())))?,
                Ok(verified) if one && !quiet => {
                    writeln!(out, "{}", harmless(&format!("{}: {}", path.display(), words(verified))))?;
                }
                Ok(_) => {}
            }
        }
    }
    if !args.json && !quiet && !one && tally.all() > 0 {
        writeln!(out, "{}", tally.words())?;
    }
    out.flush()?;
    tally.verdict()
}

fn words(verified: &Verified) -> String {
    let seed = if verified.seed_checked { "" } else { "; its seed is not revealed, so its chance is not redrawn" };
    format!("all holds: {} plies, {}{seed}", verified.plies, verified.outcome.reason.words())
}

fn row<'a>(log: &'a Path, found: &'a Result<Verified, Finding>) -> Row<'a> {
    let empty = Row {
        log: log.to_string_lossy(),
        verdict: "verified",
        outcome: None,
        plies: None,
        seed_checked: None,
        game_sha256: None,
        line: None,
        ply: None,
        what: None,
    };
    match found {
        Ok(verified) => Row {
            outcome: Some(&verified.outcome),
            plies: Some(verified.plies),
            seed_checked: Some(verified.seed_checked),
            game_sha256: Some(verified.game_sha256.to_string()),
            ..empty
        },
        Err(Finding::NotALog(why)) => Row { verdict: "not_a_log", what: Some(why.to_string()), ..empty },
        Err(Finding::Truncated { line, ply }) => {
            Row { verdict: "truncated", line: Some(*line), ply: Some(*ply), ..empty }
        }
        Err(Finding::Differs { line, ply, what }) => {
            Row { verdict: "differs", line: Some(*line), ply: Some(*ply), what: Some(what.clone()), ..empty }
        }
    }
}

impl Tally {
    fn add(&mut self, found: &Result<Verified, Finding>) {
        match found {
            Ok(verified) => (self.good, self.plies) = (self.good + 1, self.plies + verified.plies),
            Err(Finding::NotALog(_)) => self.unreadable += 1,
            Err(_) => self.bad += 1,
        }
    }

    /// Says why a log could not be read, and counts it.
    fn miss(&mut self, failure: &Failure) {
        failure.tell();
        *match failure.kind() {
            Kind::BadInput => &mut self.unreadable,
            Kind::NoInput => &mut self.missing,
            _ => &mut self.failed,
        } += 1;
    }

    fn all(&self) -> usize {
        self.good + self.bad + self.unreadable + self.failed + self.missing
    }

    fn words(&self) -> String {
        let logs = if self.all() == 1 { "log" } else { "logs" };
        let mut words = format!("{} {logs}: all holds in {} ({} plies)", self.all(), self.good, self.plies);
        for (count, one, many) in [
            (self.bad, "differs or is cut off", "differ or are cut off"),
            (self.unreadable, "is no log", "are no logs"),
            (self.failed + self.missing, "cannot be read", "cannot be read"),
        ] {
            match count {
                0 => {}
                1 => words.push_str(&format!(", 1 {one}")),
                _ => words.push_str(&format!(", {count} {many}")),
            }
        }
        words
    }

    fn verdict(&self) -> Result<(), Failure> {
        match self {
            Tally { bad: 1.., .. } => Err(Failure::silent(Kind::No)),
            Tally { unreadable: 1.., .. } => Err(Failure::silent(Kind::BadInput)),
            Tally { failed: 1.., .. } => Err(Failure::silent(Kind::Io)),
            Tally { missing: 1.., .. } => Err(Failure::silent(Kind::NoInput)),
            Tally { good: 0, .. } => Err(Failure::new(Kind::NoInput, "there is no log (*.jsonl) in there")),
            _ => Ok(()),
        }
    }
}
