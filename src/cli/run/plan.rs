//! The plan of a tournament, from its file and its bots.

use std::collections::BTreeSet;

use serde_json::Value;

use super::field::Bot;
use crate::chance::Seed;
use crate::tournament::cup::Cup;
use crate::tournament::pairing::Format;
use crate::tournament::plan::{FORMAT, Header, Plan, PlannedBot};

/// The plan, with all rounds that do not go by results; where they do, with the first.
pub fn of(cup: &Cup, field: &[Bot], openings: Vec<String>, master: &Seed) -> Plan {
    let (bots, seats) = (cup.bots.len(), cup.seats);
    let first = || cup.format.round(1, bots, seats, &[], &BTreeSet::new());
    let rounds = cup.format.planned(bots, seats).unwrap_or_else(|| Box::new(first().into_iter()));
    Plan::new(header(cup, field, openings, master), rounds)
}

/// What to call a tournament.
pub fn title(plan: &Plan) -> String {
    let header = plan.header();
    match format_of(plan) {
        _ if !header.name.is_empty() => header.name.clone(),
        Some(format) => format!("{} of {}", format.kind.name(), header.game),
        None => header.game.to_string(),
    }
}

/// The format that a plan was made by.
pub fn format_of(plan: &Plan) -> Option<Format> {
    serde_json::from_value(plan.header().pairing.clone()).ok()
}

/// How many games there will be in all, at least and at most.
pub fn games_in_all(plan: &Plan) -> (u64, u64) {
    let header = plan.header();
    let Some(format) = format_of(plan) else { return (plan.games(), plan.games()) };
    let sets = format.sets(header.bots.len(), header.seats);
    let games = |sets: u64| sets.saturating_mul(plan.games_each() as u64);
    (games(*sets.start()), games(*sets.end()))
}

fn header(cup: &Cup, field: &[Bot], openings: Vec<String>, master: &Seed) -> Header {
    let table = cup.game.open(&cup.options, cup.seats).expect("the options were tried");
    let options: Value = serde_json::from_str(&table.options_json()).expect("options are JSON");
    let bot = |bot: &Bot| PlannedBot {
        name: bot.player.name.clone(),
        command: bot.player.host.command.clone(),
        files: bot.files.clone(),
        settings: bot.settings,
    };
    Header {
        format: FORMAT,
        referee: env!("CARGO_PKG_VERSION").to_owned(),
        name: cup.name.clone().unwrap_or_default(),
        game: cup.game,
        rules: cup.game.rules_version(),
        options,
        seats: cup.seats,
        orders: cup.format.orders,
        pairing: serde_json::to_value(&cup.format).expect("a format is plain data"),
        clock: cup.clock.clone(),
        limits: cup.limits,
        disqualify_after: cup.disqualify_after,
        reuse: cup.run.reuse,
        ponder: cup.run.ponder,
        bots: field.iter().map(bot).collect(),
        drawn: cup.drawing().map(|drawing| drawing.value),
        openings,
        master: master.master_commitment(),
    }
}
