//! Scores that tell apart who has equal points: how strong the rivals were that a bot met, and that it beat.
//!
//! Both follow FIDE's tie-break regulations (handbook C.07), as far as bots resemble chess players.
//!
//! - **Buchholz**: the points of all rivals, each once a round, however many games the meeting had.
//! - **Sonneborn–Berger**: what was won against each rival times the rival's points, game by game.
//! - **Byes** count as a round against somebody with the bot's own points at the end, who lost what the bot was credited
//!   with (article 16.4 there, for rounds that a player does not play through no choice of its own). So nobody gains or
//!   loses by a bye.
//!
//! At tables of three and four everybody else there is a rival.

use std::collections::BTreeSet;

use super::results::Results;
use super::rows::Row;
use crate::tournament::Entrant;
use crate::tournament::played::{HalfPoints, Played};
use crate::tournament::ratings::decided;

/// Fills in the tie-breaks of rows whose points are known, in the order of the field.
pub(super) fn fill_in(rows: &mut [Row], results: &Results, games: &[&Played]) {
    let points: Vec<u64> = rows.iter().map(|row| row.points.0).collect();
    let mut met: BTreeSet<(Entrant, u32, Entrant)> = BTreeSet::new();
    for (game, ranks) in decided(games.iter().copied()) {
        for (seat, &own) in game.seats.seats() {
            for (other, &rival) in game.seats.seats().filter(|&(other, _)| other != seat) {
                let won = u64::from(ranks[seat] < ranks[other]) + u64::from(ranks[seat] <= ranks[other]);
                rows[own.index()].sonneborn_berger += won * points[rival.index()];
                met.insert((own, game.round, rival));
            }
        }
    }
    let mut strengths: Vec<Vec<u64>> = vec![Vec::new(); rows.len()];
    met.iter().for_each(|(own, _, rival)| strengths[own.index()].push(points[rival.index()]));
    for bye in &results.byes {
        let own = bye.entrant.index();
        strengths[own].push(points[own]);
        rows[own].sonneborn_berger += bye.points.0 * points[own];
    }
    for (row, mut strengths) in rows.iter_mut().zip(strengths) {
        strengths.sort_unstable();
        row.buchholz = HalfPoints(strengths.iter().sum());
        let between = strengths.get(1..strengths.len().max(2) - 1).unwrap_or_default();
        row.median_buchholz = HalfPoints(between.iter().sum());
    }
}
