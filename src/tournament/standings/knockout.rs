//! How far each bot came in a knockout.

use std::collections::{BTreeMap, BTreeSet};

use super::results::Results;
use super::rows::Row;
use crate::tournament::Entrant;
use crate::tournament::played::{Played, points};
use crate::tournament::ratings::decided;

/// Fills in the round that each bot reached: the last one in which it had a meeting or a bye, and the one after that if
/// it came through, so that the winner of the final reaches a round that there is not.
///
/// Who came through shows by the next round. Where there is none yet, and all games that were planned are there, it is
/// the one with the most points in its meeting, of equal ones the higher seed: as the next round would be paired.
pub(super) fn fill_in(rows: &mut [Row], results: &Results, games: &[&Played]) {
    let mut last: BTreeMap<Entrant, u32> = BTreeMap::new();
    let seen = games.iter().flat_map(|game| game.seats.iter().map(|&entrant| (entrant, game.round)));
    for (entrant, round) in seen.chain(results.byes.iter().map(|bye| (bye.entrant, bye.round))) {
        let known = last.entry(entrant).or_default();
        *known = round.max(*known);
    }
    let final_round = last.values().copied().max().unwrap_or(0);
    if results.planned == Some(results.games.len() as u64) {
        let winners = winners(final_round, games);
        let idle = results.byes.iter().filter(|bye| bye.round == final_round).map(|bye| bye.entrant);
        for entrant in winners.into_iter().chain(idle) {
            last.insert(entrant, final_round + 1);
        }
    }
    for row in rows {
        row.reached = last.get(&row.entrant).copied();
    }
}

/// Who comes out of each meeting of a round in front.
fn winners(round: u32, games: &[&Played]) -> Vec<Entrant> {
    let of_round = || games.iter().copied().filter(|game| game.round == round);
    let mut meetings: BTreeMap<BTreeSet<Entrant>, BTreeMap<Entrant, u64>> = BTreeMap::new();
    for game in of_round() {
        let players: BTreeSet<Entrant> = game.seats.iter().copied().collect();
        meetings.entry(players.clone()).or_insert_with(|| players.into_iter().map(|entrant| (entrant, 0)).collect());
    }
    for (game, ranks) in decided(of_round()) {
        let players: BTreeSet<Entrant> = game.seats.iter().copied().collect();
        let won = meetings.get_mut(&players).expect("it was entered above");
        for (entrant, points) in game.seats.iter().zip(points(ranks)) {
            *won.get_mut(entrant).expect("all who play are entered") += points.0;
        }
    }
    let winner = |won: BTreeMap<Entrant, u64>| {
        won.into_iter().max_by_key(|&(entrant, points)| (points, std::cmp::Reverse(entrant)))
    };
    meetings.into_values().filter_map(winner).map(|(entrant, _)| entrant).collect()
}
