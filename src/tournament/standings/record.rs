//! From a tournament's folder to the results that standings are made from.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::results::{BadResults, Bye, Results};
use crate::tournament::Entrant;
use crate::tournament::folder::Record;
use crate::tournament::ledger::is_at_fault;
use crate::tournament::pairing::KindName;
use crate::tournament::plan::{Orders, Plan, PlannedRound};
use crate::tournament::played::{HalfPoints, Played};
use crate::tournament::ratings::sprt::{Model, Sprt, Unit};

/// What standings need to know of how rounds are paired; whatever else stands there is for who pairs.
#[derive(Deserialize)]
struct Pairing {
    kind: KindName,
    sprt: Option<Test>,
}

/// A sequential test as a plan has it.
#[derive(Deserialize)]
struct Test {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

impl Results {
    /// The results of a tournament, as far as it was played.
    ///
    /// # Errors
    /// If its plan is paired by a format that this version does not know.
    pub fn of(record: Record) -> Result<Results, BadResults> {
        let Record { plan, played, .. } = record;
        let header = plan.header();
        let pairing = Pairing::deserialize(&header.pairing).map_err(|error| BadResults::Pairing(error.to_string()))?;
        let unit = if header.orders == Orders::One { Unit::Games } else { Unit::Pairs };
        let sprt = |test: Test| Sprt::new(test.elo0, test.elo1, test.alpha, test.beta, test.model);
        let sprt = pairing.sprt.map(sprt).transpose().map_err(|error| BadResults::Pairing(error.to_string()))?;
        Ok(Results {
            name: header.name.clone(),
            game: header.game.to_string(),
            format: pairing.kind,
            seats: header.seats,
            bots: header.bots.iter().map(|bot| bot.name.clone()).collect(),
            byes: byes(&plan, pairing.kind),
            disqualified: disqualified(header.disqualify_after, &played),
            planned: Some(plan.games()),
            sprt: sprt.map(|sprt| (sprt, unit)),
            games: played,
        })
    }
}

/// The byes that count: in a Swiss tournament each is worth a won meeting, and in a knockout the next round. Where
/// everybody sits out in turn, in round robins with an odd field, nobody is credited with anything.
fn byes(plan: &Plan, kind: KindName) -> Vec<Bye> {
    let a_game = 2 * (plan.header().seats as u64 - 1);
    let of_round = |(round, planned): (u32, &PlannedRound)| {
        let won = u64::from(planned.sets_each) * plan.games_each() as u64 * a_game;
        let points = HalfPoints(if kind == KindName::Swiss { won } else { 0 });
        planned.byes.iter().map(move |&entrant| Bye { round, entrant, points }).collect::<Vec<Bye>>()
    };
    match kind {
        KindName::Swiss | KindName::Knockout => (1..).zip(plan.rounds()).flat_map(of_round).collect(),
        KindName::RoundRobin | KindName::Gauntlet | KindName::Pods | KindName::Match => vec![],
    }
}

/// Who was at fault in so many games that it is out; nobody if that is 0.
fn disqualified(after: u32, played: &[Played]) -> BTreeSet<Entrant> {
    let mut faulty: BTreeMap<Entrant, u32> = BTreeMap::new();
    for game in played {
        let seats = game.seats.seats().filter(|&(seat, _)| is_at_fault(game, seat));
        seats.for_each(|(_, &entrant)| *faulty.entry(entrant).or_default() += 1);
    }
    faulty.into_iter().filter(|&(_, games)| after > 0 && games >= after).map(|(entrant, _)| entrant).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::seat::Seat;
    use crate::tournament::played::Charge;
    use crate::tournament::samples::{header, round, set};

    fn record(pairing: serde_json::Value, sets: usize) -> Record {
        let header = crate::tournament::plan::Header { pairing, disqualify_after: 2, ..header(3) };
        let plan = Plan::new(header, [round([[0, 1]], &[2], 2), round([[2, 0]], &[1], 1)]);
        let mut played: Vec<Played> = (0..sets).flat_map(|index| set(&plan, index)).collect();
        for game in &mut played {
            game.faults = vec![Charge { seat: Seat::new(1), kind: "timeout".to_owned(), tolerated: game.game == 1 }];
        }
        Record { plan, played, changes: vec![] }
    }

    #[test]
    fn a_tournament_is_taken_over_as_it_was_planned_and_played() {
        let results = Results::of(record(json!({"kind": "swiss", "rounds": 2}), 2)).unwrap();
        assert_eq!(
            (results.name.as_str(), results.game.as_str(), results.format),
            ("A cup", "alto-ahi", KindName::Swiss)
        );
        assert_eq!((results.seats, results.planned, results.games.len()), (2, Some(6), 4));
        assert_eq!(results.bots, ["bot 0", "bot 1", "bot 2"]);
        let bye = |round, bot, points| Bye { round, entrant: Entrant(bot), points: HalfPoints(points) };
        assert_eq!(results.byes, [bye(1, 2, 8), bye(2, 1, 4)], "four games won, and two");
        assert_eq!(results.sprt, None);
        results.check().unwrap();
    }

    #[test]
    fn byes_count_where_they_are_luck_and_not_where_everybody_has_one() {
        let of = |kind: &str| Results::of(record(json!({ "kind": kind }), 0)).unwrap().byes;
        assert!(of("knockout").iter().all(|bye| bye.points == HalfPoints(0)) && of("knockout").len() == 2);
        assert!(of("round-robin").is_empty() && of("gauntlet").is_empty());
    }

    #[test]
    fn who_was_at_fault_too_often_is_out() {
        // Seat 1 is at fault in each game but the first, where that was tolerated.
        let of = |sets| Results::of(record(json!({"kind": "swiss"}), sets)).unwrap().disqualified;
        assert_eq!(of(1), [].into());
        assert_eq!(of(2), [Entrant(0)].into());
        assert_eq!(of(3), [Entrant(0)].into());
        let never = record(json!({"kind": "swiss"}), 3);
        assert_eq!(disqualified(0, &never.played), [].into());
        assert_eq!(disqualified(1, &never.played), [Entrant(0), Entrant(1), Entrant(2)].into());
    }

    #[test]
    fn a_test_is_taken_over_and_what_is_unknown_refused() {
        let test = json!({"elo0": 0.0, "elo1": 5.0, "alpha": 0.05, "beta": 0.1, "model": "logistic"});
        let results = Results::of(record(json!({"kind": "match", "sets": 9, "sprt": test}), 0)).unwrap();
        let expected = Sprt::new(0.0, 5.0, 0.05, 0.1, Model::Logistic).unwrap();
        assert_eq!(results.sprt, Some((expected, Unit::Pairs)));
        let words = Results::of(record(json!({"kind": "ladder"}), 0)).unwrap_err().to_string();
        assert!(
            words.starts_with("the plan is paired in a way that this version does not know: unknown variant `ladder`")
        );
    }
}
