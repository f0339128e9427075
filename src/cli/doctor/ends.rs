//! Whether a bot rests while it is not asked, and whether nothing is left of it after its game.

use std::time::{Duration, Instant};

use super::processes::Process;
use super::report::{Item, Report, State};
use super::trial::{Lab, PLAIN, Trial};
use crate::cli::failure::Failure;
use crate::cli::sandbox::Mode;
use crate::host::play::Ponder;
use crate::referee::Referee;
use crate::seat::Seat;

const REMEDY: &str = "please report it, with what --json says";

pub fn examine(report: &mut Report, lab: &Lab) -> Result<(), Failure> {
    report.section("A bot off turn, and after its game")?;
    report.add(freeze(lab)?)?;
    report.add(daemon(lab)?)
}

/// A bot that computes all the time, and a rival that takes its time.
fn freeze(lab: &Lab) -> Result<Item, Failure> {
    let word = "mode=ponder";
    let mut bot = None;
    let (mut first, mut last) = (None, None);
    let mut watch = |referee: &Referee| {
        // It was asked once, and answered.
        if referee.plies() == 1 && referee.is_asked(Seat::new(1)) {
            let find = || Process::family().into_iter().find(|process| process.is_called_with(word));
            bot = bot.take().or_else(find);
            let used = bot.as_ref().and_then(Process::processor_time).map(|used| (Instant::now(), used));
            first = first.or(used);
            last = used.or(last);
        }
    };
    let bot = format!("faulty {word}");
    let trial = Trial { bot: &bot, rival: "random sleep=500ms", ..PLAIN };
    let tried = lab.play(&trial, &mut watch)?;
    let (state, found, figures) = match (first, last, tried.trouble) {
        (Some((since, before)), Some((until, after)), None) if until > since => {
            let (used, whole) = ((after - before).as_millis() as u64, (until - since).as_millis() as u64);
            let state = if used * 10 <= whole { State::Ok } else { State::Failed };
            (state, format!("{used} ms of processor time in {whole} ms"), Some((used, whole)))
        }
        (.., trouble) => {
            let why = trouble.unwrap_or_else(|| "the process of the bot was not seen".to_owned());
            (State::Failed, format!("not tried: {why}"), None)
        }
    };
    let item = Item::new("freeze", "uses off turn", state, found)
        .means("a bot can think while others think, on the processor that it shares with them")
        .remedy(REMEDY);
    Ok(match figures {
        Some((used, whole)) => item.figure("used_ms", used).figure("of_ms", whole),
        None => item,
    })
}

/// A bot that leaves a daemon in a session of its own, which it may without a sandbox.
fn daemon(lab: &Lab) -> Result<Item, Failure> {
    let mut daemons: Vec<Process> = Vec::new();
    let mut watch = |referee: &Referee| {
        if referee.plies() == 1 && daemons.is_empty() {
            let escaped = |process: &Process| process.name == "sleep" && process.leads_a_session();
            daemons = Process::family().into_iter().filter(escaped).collect();
        }
    };
    // Frozen with its parent it would not get away.
    let (sandbox, ponder) = (Mode::Off, Ponder::Allow);
    let trial = Trial { bot: "faulty mode=daemon", rival: "random sleep=500ms", sandbox, ponder, ..PLAIN };
    let tried = lab.play(&trial, &mut watch)?;
    let left = daemons.iter().filter(|daemon| daemon.is_alive()).count();
    let (state, found) = match (tried.cleared, tried.trouble) {
        (_, Some(trouble)) => (State::Failed, format!("not tried: {trouble}")),
        _ if daemons.is_empty() && tried.leftovers == 0 => (State::Failed, "not tried: no daemon was seen".to_owned()),
        _ if daemons.is_empty() => {
            (State::Note, "not tried: none led a session of its own; is setsid installed?".to_owned())
        }
        (Some(cleared), _) if left == 0 => (State::Ok, format!("dead within {} ms of the end", ms(cleared))),
        _ => (State::Failed, format!("{left} of them still run after the game")),
    };
    Ok(Item::new("daemon", "a daemon that it left", state, found)
        .figure("left", left)
        .figure("dead_within_ms", tried.cleared.map(ms))
        .means("what a bot leaves behind takes time from the next games")
        .remedy(REMEDY))
}

/// In whole milliseconds, rounded up.
fn ms(span: Duration) -> u64 {
    span.as_micros().div_ceil(1000) as u64
}
