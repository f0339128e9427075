//! The plan of a tournament, from its file and its bots.

use std::collections::BTreeSet;

use serde_json::Value;

use super::field::Bot;
use crate::chance::Seed;
use crate::tournament::cup::Cup;
use crate::tournament::pairing::{Format, Kind, swiss};
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

/// How many games a tournament will have in all.
#[derive(Clone, Default, Debug)]
pub struct Extent {
    format: Option<Format>,
    field: usize,
    seats: usize,
    games_each: u64,
}

impl Extent {
    /// That of this plan, however far it is paired.
    pub fn of(plan: &Plan) -> Extent {
        let (header, games_each) = (plan.header(), plan.games_each() as u64);
        Extent { format: format_of(plan), field: header.bots.len(), seats: header.seats, games_each }
    }

    /// How many games there will be, at least and at most, when so many rounds are paired with so many games, and so many
    /// bots are out: those are paired no more in a Swiss. It is taken that nobody else will be.
    pub fn games(&self, rounds_paired: usize, planned: u64, out: usize) -> (u64, u64) {
        let Some(format) = &self.format else { return (planned, planned) };
        let games = |sets: u64| sets.saturating_mul(self.games_each);
        if let Kind::Swiss { rounds, sets } = format.kind {
            let still = if swiss::is_over(rounds_paired, rounds, self.field, out) {
                0
            } else {
                rounds as usize - rounds_paired
            };
            let all = planned + games(still as u64 * ((self.field - out) / 2) as u64 * u64::from(sets));
            return (all, all);
        }
        let sets = format.sets(self.field, self.seats);
        (games(*sets.start()), games(*sets.end()))
    }
}

/// How many games there will be in all when nobody is disqualified, at least and at most.
pub fn games_in_all(plan: &Plan) -> (u64, u64) {
    Extent::of(plan).games(plan.rounds().len(), plan.games(), 0)
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tournament::samples::{header, round};

    #[test]
    fn who_is_out_of_a_swiss_is_paired_no_more() {
        let pairing = json!({"kind": "swiss", "rounds": 4, "sets": 3});
        let plan = Plan::new(Header { pairing, ..header(6) }, [round([[0, 1], [2, 3], [4, 5]], &[], 3)]);
        let (extent, games) = (Extent::of(&plan), |meetings: u64| (6 * meetings, 6 * meetings));
        assert_eq!(games_in_all(&plan), games(12));
        let left = |rounds, out| extent.games(rounds, 6 * rounds as u64 * 3, out);
        assert_eq!([left(1, 1), left(1, 2), left(1, 3), left(3, 2)].map(|(least, _)| least / 6), [9, 9, 6, 11]);
        assert_eq!([left(1, 5), left(4, 1), left(4, 6)], [games(3), games(12), games(12)], "nothing follows");
    }

    #[test]
    fn elsewhere_who_is_out_loses_what_is_planned() {
        let of = |pairing| Extent::of(&Plan::new(Header { pairing, ..header(3) }, [])).games(1, 2, 1);
        assert_eq!(of(json!({"kind": "knockout", "sets": 1, "extra_sets": 2})), (4, 12));
        assert_eq!(of(json!({"kind": "round-robin"})), (6, 6));
        assert_eq!(of(json!({"kind": "ladder"})), (2, 2), "nothing is known but what is planned");
    }
}
