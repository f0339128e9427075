//! Scores that tell apart who has equal points: how strong the rivals were that a bot met, and that it beat.
//!
//! Both follow FIDE's tie-break regulations (handbook C.07), as far as bots resemble chess players.
//!
//! - **Buchholz**: the points of all rivals, each once a round, however many games the meeting had.
//! - **Sonneborn–Berger**: what was won against each rival times the rival's points, game by game.
//! - **Byes** count as a round against somebody with the bot's own points at the end, who lost what the bot was credited
//!   with (article 16.4 there, for rounds that a player does not play through no choice of its own). So nobody gains or
//!   loses by a bye.
//! - **Meetings without a result**, in which every game stayed void or nobody got ready, are for both bots as such a
//!   round, in which nothing was won.
//! - **Meetings that were not played**, because a bot was disqualified before, are in a Swiss for both bots as such a
//!   round, which won the rival its points. In all other formats the plan gives everybody the same rivals, and such
//!   meetings count as if they had been played.
//!
//! At tables of three and four everybody else there is a rival.

use std::collections::BTreeMap;

use super::results::Results;
use super::rows::Row;
use crate::record::outcome::GameResult;
use crate::seat::Seat;
use crate::tournament::Entrant;
use crate::tournament::pairing::KindName;
use crate::tournament::played::{HalfPoints, Played};
use crate::tournament::ratings::decided;

/// Fills in the tie-breaks of rows whose points are known, in the order of the field.
pub(super) fn fill_in(rows: &mut [Row], results: &Results, games: &[&Played]) {
    let points: Vec<u64> = rows.iter().map(|row| row.points.0).collect();
    // Whether a bot and a rival played in a round, each as the other sees it.
    let mut met: BTreeMap<(Entrant, u32, Entrant), bool> = BTreeMap::new();
    for game in games {
        let was_played =
            game.result == GameResult::Decided && (results.format != KindName::Swiss || !game.is_forfeited());
        for (own, rival) in rivals(game) {
            *met.entry((game.seats[own], game.round, game.seats[rival])).or_default() |= was_played;
        }
    }
    let strength = |(own, round, rival): (Entrant, u32, Entrant)| {
        if met[&(own, round, rival)] { points[rival.index()] } else { points[own.index()] }
    };
    for (game, ranks) in decided(games.iter().copied()) {
        for (own, rival) in rivals(game) {
            let won = u64::from(ranks[own] < ranks[rival]) + u64::from(ranks[own] <= ranks[rival]);
            let bot = game.seats[own];
            rows[bot.index()].sonneborn_berger += won * strength((bot, game.round, game.seats[rival]));
        }
    }
    let mut strengths: Vec<Vec<u64>> = vec![Vec::new(); rows.len()];
    met.keys().for_each(|&meeting| strengths[meeting.0.index()].push(strength(meeting)));
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

/// Every seat of a game with every other one.
fn rivals(game: &Played) -> impl Iterator<Item = (Seat, Seat)> {
    let seats = Seat::first(game.seats.len());
    seats
        .flat_map(|own| Seat::first(game.seats.len()).filter(move |&rival| rival != own).map(move |rival| (own, rival)))
}
