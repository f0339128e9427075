//! Checks of somebody's bot: scripts that play the referee's side, and say in plain words what to fix.
//!
//! A check is one line of the list ([`all`]): a name, what a bot has to do, what is done to see it, what to change if it
//! does not, and the script. Some scripts are whole games as the referee plays them (`games`); others say to one
//! process of the bot what a referee might say, and see what comes (`sitting`). A bot does many things wrong at once
//! only seldom, so each script passes over what another one is about, and where a bot cannot even be talked to, the
//! first check that says why is the only one that fails: the others are skipped.
//!
//! This part knows how bots are held and what the wire is; it knows no single game, and it prints nothing.

mod bench;
mod clocks;
mod contact;
mod deal;
mod games;
mod input;
mod output;
mod positions;
mod process;
mod record;
mod sitting;
mod start;
mod talk;
mod verdict;

use std::borrow::Cow;
use std::io;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

pub use bench::Subject;
pub use verdict::Outcome;

use bench::Bench;
use verdict::{Checked, Halt, Verdict};

use crate::protocol::receive::{self, Message};
use crate::table::GameName;

/// One check.
pub struct Check {
    /// What it is called.
    pub name: Cow<'static, str>,
    /// What the bot has to do.
    pub title: Cow<'static, str>,
    /// What is done to see it.
    pub does: &'static str,
    /// What to change if it fails.
    pub fix: &'static str,
    weight: Weight,
    script: Script,
}

/// What becomes of a bot that does not do it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// Nothing else can be tried.
    Gate,
    /// It fails.
    Must,
    /// It is told so.
    Should,
}

#[derive(Clone, Copy)]
enum Script {
    /// A talk, or what is seen in one.
    Talk(fn(&mut Bench) -> Checked),
    /// A whole game, with a copy of the bot in every seat.
    Game(GameName, usize),
}

/// A check as it stands in a list.
const fn check(
    weight: Weight,
    name: &'static str,
    title: &'static str,
    does: &'static str,
    fix: &'static str,
    script: fn(&mut Bench) -> Checked,
) -> Check {
    Check { name: Cow::Borrowed(name), title: Cow::Borrowed(title), does, fix, weight, script: Script::Talk(script) }
}

/// All checks of a bot that is to play these games, each with this number of seats, in the order in which they are made.
pub fn all(games: &[(GameName, usize)]) -> Vec<Check> {
    let talks =
        [&start::CHECKS[..], &output::CHECKS, &input::CHECKS, &positions::CHECKS, &clocks::CHECKS, &process::CHECKS];
    let talks = talks.into_iter().flatten().map(Check::again);
    talks.chain(games.iter().map(|&(game, seats)| games::check(game, seats))).collect()
}

impl Check {
    fn again(&self) -> Check {
        Check { name: self.name.clone(), title: self.title.clone(), ..*self }
    }

    /// Whether nothing else can be tried where this fails.
    pub fn is_gate(&self) -> bool {
        self.weight == Weight::Gate
    }

    /// Whether it is only told, and does not fail.
    pub fn is_advice(&self) -> bool {
        self.weight == Weight::Should
    }
}

/// What came of one check.
pub struct Finding {
    /// Whether the bot does what it has to.
    pub outcome: Outcome,
    /// What was seen.
    pub seen: String,
    /// How long it took.
    pub took: Duration,
}

/// What came of all checks.
pub struct Report {
    /// How the bot calls itself.
    pub name: Option<String>,
    /// The games that it plays, with the number of seats.
    pub plays: Vec<(GameName, usize)>,
    /// The checks that were made or skipped, in order.
    pub findings: Vec<(Check, Finding)>,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum NoReport {
    /// Something of ours failed.
    #[error("the bot cannot be checked: {0}")]
    Machine(#[from] io::Error),
    /// Somebody wanted it to stop.
    #[error("stopped before all checks were made")]
    Stopped,
}

/// Checks a bot. Only the checks with these names are made, if there are any, and what they cannot do without.
///
/// `stop` becomes readable when the checks are to stop; `told` is called after each check.
///
/// # Errors
/// When something of the machine's fails, or the checks are to stop. No process of the bot is left in either case.
pub fn run(
    subject: &Subject,
    only: &[String],
    stop: Option<BorrowedFd>,
    told: &mut dyn FnMut(&Check, &Finding),
) -> Result<Report, NoReport> {
    let wanted = |check: &Check| only.is_empty() || only.iter().any(|name| *name == check.name);
    let mut began = Instant::now();
    let mut bench = Bench::new(subject, stop).map_err(NoReport::from_halt)?;
    let mut findings: Vec<(Check, Finding)> = Vec::new();
    let mut closed: Option<Cow<'static, str>> = None;
    for check in all(&subject.games) {
        if !wanted(&check) && !check.is_gate() {
            continue;
        }
        let verdict = match &closed {
            Some(gate) => Verdict::Untried(format!("not tried, since “{gate}” failed")),
            None => verdict(&check, &mut bench)?,
        };
        let (outcome, seen) = judge(&check, verdict);
        let finding = Finding { outcome, seen, took: began.elapsed() };
        began = Instant::now();
        if outcome == Outcome::Failed {
            bench.failed.push(check.name.to_string());
            closed = closed.or_else(|| check.is_gate().then(|| check.name.clone()));
        } else if !wanted(&check) {
            continue;
        }
        told(&check, &finding);
        findings.push((check, finding));
    }
    let name = bench.contact.ready.as_ref().and_then(|(line, _)| match receive::read(line) {
        Ok(Message::Ready(ready)) => ready.name.map(|name| receive::shown(name.as_bytes())),
        _ => None,
    });
    Ok(Report { name, plays: bench.played().collect(), findings })
}

fn verdict(check: &Check, bench: &mut Bench) -> Result<Verdict, NoReport> {
    let checked = match check.script {
        Script::Talk(script) => script(bench),
        Script::Game(game, seats) => games::play(bench, game, seats),
    };
    match checked {
        Ok(verdict) | Err(Halt::Verdict(verdict)) => Ok(verdict),
        Err(halt) => Err(NoReport::from_halt(halt)),
    }
}

fn judge(check: &Check, verdict: Verdict) -> (Outcome, String) {
    let outcome = match (&verdict, check.weight) {
        (Verdict::Good(_), _) => Outcome::Passed,
        (Verdict::Bad(_), Weight::Should) => Outcome::Note,
        (Verdict::Bad(_), Weight::Gate | Weight::Must) => Outcome::Failed,
        (Verdict::Untried(_), _) => Outcome::Skipped,
    };
    (outcome, verdict.into_words())
}

impl NoReport {
    fn from_halt(halt: Halt) -> NoReport {
        match halt {
            Halt::Machine(error) => NoReport::Machine(error),
            Halt::Stopped => NoReport::Stopped,
            Halt::Verdict(verdict) => NoReport::Machine(io::Error::other(verdict.into_words())),
        }
    }
}
