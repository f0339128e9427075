//! From a tournament's folder to the results that standings are made from.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::results::{BadResults, Bye, Results};
use crate::tournament::Entrant;
use crate::tournament::cup::test_of;
use crate::tournament::folder::Record;
use crate::tournament::ledger::{Ledger, is_at_fault};
use crate::tournament::pairing::knockout::Bracket;
use crate::tournament::pairing::{Format, Kind, RoundPlayed, swiss};
use crate::tournament::plan::{Plan, PlannedRound};
use crate::tournament::played::{HalfPoints, Played};
use crate::tournament::ratings::sprt::Unit;

impl Results {
    /// The results of a tournament, as far as it was played.
    ///
    /// # Errors
    /// If its plan is paired by a format that this version does not know.
    pub fn of(record: Record) -> Result<Results, BadResults> {
        let Record { plan, played, .. } = record;
        let header = plan.header();
        let format = Format::deserialize(&header.pairing).map_err(|error| BadResults::Pairing(error.to_string()))?;
        let sprt = test_of(&format).map_err(|error| BadResults::Pairing(error.to_string()))?;
        let mut results = Results {
            name: header.name.clone(),
            game: header.game.to_string(),
            format: format.kind.name(),
            seats: header.seats,
            bots: header.bots.iter().map(|bot| bot.name.clone()).collect(),
            byes: byes(&plan, &format),
            bracket: bracket(&plan, &format, &played),
            disqualified: disqualified(header.disqualify_after, &played),
            planned: Some(plan.games()),
            is_final: false,
            // Formats with a test are played in pairs.
            sprt: sprt.map(|sprt| (sprt, Unit::Pairs)),
            games: played,
        };
        results.is_final = results.stop().is_some() || is_over(&results, &plan, &format);
        Ok(results)
    }
}

/// Whether all games are played, and no round follows.
fn is_over(results: &Results, plan: &Plan, format: &Format) -> bool {
    let follows = match format.kind {
        Kind::Swiss { rounds, .. } => {
            !swiss::is_over(plan.rounds().len(), rounds, results.bots.len(), results.disqualified.len())
        }
        Kind::Knockout(_) => results.bracket.as_ref().is_none_or(Bracket::goes_on),
        _ => false,
    };
    !follows && results.games.len() as u64 == plan.games()
}

/// The byes that count: in a Swiss tournament each is worth a won meeting. Where everybody rests in turn, as in round
/// robins with an odd field, nobody is credited with anything, and in a knockout there is the next stage.
fn byes(plan: &Plan, format: &Format) -> Vec<Bye> {
    let points = format.bye_points();
    let of_round = |(round, planned): (u32, &PlannedRound)| {
        planned.byes.iter().map(move |&entrant| Bye { round, entrant, points }).collect::<Vec<Bye>>()
    };
    if points == HalfPoints(0) {
        return vec![];
    }
    (1..).zip(plan.rounds()).flat_map(of_round).collect()
}

/// How far a knockout has come, by the rounds that are over.
fn bracket(plan: &Plan, format: &Format, played: &[Played]) -> Option<Bracket> {
    if !matches!(format.kind, Kind::Knockout(_)) {
        return None;
    }
    let mut ledger = Ledger::new(plan);
    for games in played.chunks(plan.games_each()) {
        ledger.add(plan, games).ok()?;
    }
    let over = (0..plan.rounds().len()).take_while(|&round| ledger.is_over(round));
    let before: Vec<RoundPlayed> = over.map(|round| ledger.round_played(plan, &plan.rounds()[round])).collect();
    format.bracket(plan.header().bots.len(), &before)
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
    use crate::tournament::pairing::KindName;
    use crate::tournament::played::Charge;
    use crate::tournament::ratings::sprt::{Model, Sprt};
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
        let results = Results::of(record(json!({"kind": "swiss", "rounds": 2, "sets": 2}), 2)).unwrap();
        let told = (results.name.as_str(), results.game.as_str(), results.format);
        assert_eq!(told, ("A cup", "alto-ahi", KindName::Swiss));
        assert_eq!((results.seats, results.planned, results.games.len()), (2, Some(6), 4));
        assert_eq!(results.bots, ["bot 0", "bot 1", "bot 2"]);
        let bye = |round, bot| Bye { round, entrant: Entrant(bot), points: HalfPoints(8) };
        assert_eq!(results.byes, [bye(1, 2), bye(2, 1)], "two sets of two games won");
        assert_eq!((results.sprt, results.bracket.as_ref()), (None, None));
        results.check().unwrap();
    }

    #[test]
    fn where_everybody_rests_in_turn_nobody_is_credited() {
        assert!(Results::of(record(json!({"kind": "round-robin"}), 0)).unwrap().byes.is_empty());
    }

    #[test]
    fn a_knockout_is_as_far_as_its_rounds_are_over() {
        // Bot 0 has a bye, and bot 1 beats bot 2; the final is level after its first set, and bot 1 wins the next.
        let pairing = json!({"kind": "knockout", "sets": 1, "extra_sets": 2});
        let format = Format::deserialize(&pairing).unwrap();
        let header = crate::tournament::plan::Header { pairing, ..header(3) };
        let first = format.round(1, 3, 2, &[], &BTreeSet::new()).unwrap();
        let mut plan = Plan::new(header, [first]);
        let mut played = set(&plan, 0);
        let ranks = |ranks: [u8; 2]| Some(crate::seat::BySeat::collect(ranks));
        played[1].ranks = ranks([2, 1]);
        let reached = |plan: &Plan, played: &[Played]| {
            let record = Record { plan: plan.clone(), played: played.to_vec(), changes: vec![] };
            let bracket = Results::of(record).unwrap().bracket.unwrap();
            let of = |bot: u16| super::super::Reached::of(&bracket, Entrant(bot)).unwrap();
            [0, 1, 2].map(|bot| (of(bot).last, of(bot).place))
        };
        assert_eq!(reached(&plan, &[]), [(2, None), (4, None), (4, None)]);
        assert_eq!(reached(&plan, &played), [(2, None), (2, None), (4, Some(3))]);
        for games in [[[1, 2], [1, 2]], [[1, 2], [2, 1]]] {
            let mut ledger = Ledger::new(&plan);
            played.chunks(2).for_each(|games| ledger.add(&plan, games).unwrap());
            let before: Vec<RoundPlayed> =
                plan.rounds().iter().map(|round| ledger.round_played(&plan, round)).collect();
            let next = format.round(before.len() as u32 + 1, 3, 2, &before, &BTreeSet::new()).unwrap();
            plan.extend([next], ledger.results(&plan, before.len()));
            let number = plan.sets().len() - 1;
            let of_set = set(&plan, number).into_iter().zip(games);
            played.extend(of_set.map(|(game, won)| Played { ranks: ranks(won), ..game }));
        }
        assert_eq!(reached(&plan, &played[..4]), [(2, None), (2, None), (4, Some(3))]);
        assert_eq!(reached(&plan, &played), [(2, Some(2)), (1, Some(1)), (4, Some(3))]);
    }

    #[test]
    fn half_of_a_round_decides_nothing_in_a_knockout() {
        let pairing = json!({"kind": "knockout", "sets": 2});
        let format = Format::deserialize(&pairing).unwrap();
        let header = crate::tournament::plan::Header { pairing, ..header(2) };
        let plan = Plan::new(header, [format.round(1, 2, 2, &[], &BTreeSet::new()).unwrap()]);
        let ranks = |seat: usize| Some(crate::seat::BySeat::collect(if seat == 0 { [1, 2] } else { [2, 1] }));
        let won = |index: usize| set(&plan, index).into_iter().zip([0, 1]);
        let mut played: Vec<Played> = won(0).map(|(game, seat)| Played { ranks: ranks(seat), ..game }).collect();
        let place = |played: &[Played]| {
            let record = Record { plan: plan.clone(), played: played.to_vec(), changes: vec![] };
            Results::of(record).unwrap().bracket.unwrap().place(Entrant(0))
        };
        assert_eq!(place(&played), None, "it won both games of the first set, and there is another");
        played.extend(won(1).map(|(game, seat)| Played { ranks: ranks(seat), ..game }));
        assert_eq!(place(&played), Some(1));
    }

    #[test]
    fn who_was_at_fault_too_often_is_out() {
        // Seat 1 is at fault in each game but the first, where that was tolerated.
        let of = |sets| Results::of(record(json!({"kind": "swiss", "rounds": 2}), sets)).unwrap();
        assert_eq!(of(1).disqualified, [].into());
        assert_eq!(of(2).disqualified, [Entrant(0)].into());
        assert_eq!(of(3).disqualified, [Entrant(0)].into());
        assert_eq!(disqualified(0, &of(3).games), [].into());
        assert_eq!(disqualified(1, &of(3).games), [Entrant(0), Entrant(1), Entrant(2)].into());
    }

    #[test]
    fn a_test_is_taken_over_and_what_is_unknown_refused() {
        let test = json!({"elo0": 0.0, "elo1": 5.0, "beta": 0.1, "model": "logistic"});
        let results = Results::of(record(json!({"kind": "match", "sets": 9, "sprt": test}), 0)).unwrap();
        let expected = Sprt::new(0.0, 5.0, 0.05, 0.1, Model::Logistic).unwrap();
        assert_eq!(results.sprt, Some((expected, Unit::Pairs)));
        let words = Results::of(record(json!({"kind": "ladder"}), 0)).unwrap_err().to_string();
        let beginning = "the plan is paired in a way that this version does not know: unknown variant `ladder`";
        assert!(words.starts_with(beginning), "{words}");
    }
}
