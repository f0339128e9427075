//! Standings as CSV: a line a bot, with all that there is of it.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::View;
use crate::report::text::{UNKNOWN, csv as quoted, decimals, points, quarters, seconds};
use crate::seat::Seat;
use crate::tournament::ratings::pairs::Duel;
use crate::tournament::standings::{Row, Standings};

/// Standings as CSV (RFC 4180, but with line feeds alone). Numbers that cannot be told are `n/a`.
pub fn csv(standings: &Standings, view: View) -> String {
    let columns = columns(standings, view);
    let heads: Vec<&str> = columns.iter().map(|(head, _)| head.as_str()).collect();
    let mut lines = heads.join(",") + "\n";
    for row in &standings.rows {
        let values: Vec<String> = columns.iter().map(|(_, value)| value(row)).collect();
        lines.push_str(&(values.join(",") + "\n"));
    }
    lines
}

type Column<'a> = (String, Box<dyn Fn(&Row) -> String + 'a>);

fn column<'a>(head: impl ToString, value: impl Fn(&Row) -> String + 'a) -> Column<'a> {
    (head.to_string(), Box::new(value))
}

fn columns(standings: &Standings, view: View) -> Vec<Column<'_>> {
    let mut columns = vec![
        column("rank", |row| row.rank.to_string()),
        column("bot", |row| quoted(standings.name_of(row.entrant))),
        column("disqualified", |row| row.is_disqualified.to_string()),
        column("points", |row| points(row.points)),
        column("byes", |row| row.byes.to_string()),
        column("bye_points", |row| points(row.bye_points)),
        column("games", |row| row.games.to_string()),
        column("wins", |row| row.tally.wins.to_string()),
        column("draws", |row| row.tally.draws.to_string()),
        column("losses", |row| row.tally.losses.to_string()),
    ];
    let place = |seat: Seat| column(format!("place_{}", seat.index() + 1), move |row| row.places[seat].to_string());
    columns.extend(Seat::first(standings.seats).map(place));
    columns.extend([
        column("share", |row| decimals(row.tally.score(), 4)),
        column("sonneborn_berger", |row| quarters(row.sonneborn_berger)),
        column("buchholz", |row| points(row.buchholz)),
        column("median_buchholz", |row| points(row.median_buchholz)),
        column("reached_last", |row| row.reached.map_or(UNKNOWN.to_owned(), |reached| reached.last.to_string())),
    ]);
    columns.extend(ratings(standings));
    columns.extend(pairs(standings));
    for seat in Seat::first(standings.seats) {
        columns.push(column(format!("seat_{seat}_games"), move |row| row.by_seat[seat].games.to_string()));
        columns.push(column(format!("seat_{seat}_points"), move |row| points(row.by_seat[seat].points)));
    }
    columns.extend([
        column("faults", |row| row.faults_in_all().to_string()),
        column("faults_by_kind", |row| quoted(&kinds(&row.faults))),
        column("tolerated_by_kind", |row| quoted(&kinds(&row.tolerated))),
        column("resigned", |row| row.resigned.to_string()),
        column("forfeited", |row| row.forfeited.to_string()),
        column("voids", |row| row.voids.to_string()),
        column("unresolved", |row| row.unresolved.to_string()),
    ]);
    if view.times {
        columns.push(column("seconds", |row| seconds(row.time.total_us)));
        columns.push(column("most_seconds_in_a_game", |row| seconds(row.time.most_us)));
    }
    columns
}

fn ratings(standings: &Standings) -> [Column<'_>; 6] {
    let elo = |row: &Row| standings.ratings.elo[row.entrant.index()];
    let glicko = |row: &Row| standings.ratings.glicko[row.entrant.index()];
    [
        column("elo", move |row| decimals(elo(row).map(|elo| elo.value), 2)),
        column("elo_error", move |row| decimals(elo(row).and_then(|elo| elo.error), 2)),
        column("above_next", move |row| decimals(elo(row).and_then(|elo| elo.above_next), 4)),
        column("glicko2", move |row| decimals(glicko(row).map(|rating| rating.rating), 2)),
        column("glicko2_deviation", move |row| decimals(glicko(row).map(|rating| rating.deviation), 2)),
        column("glicko2_volatility", move |row| decimals(glicko(row).map(|rating| rating.volatility), 6)),
    ]
}

/// The pairs of a bot against all others together.
fn pairs(standings: &Standings) -> Vec<Column<'_>> {
    let all = Rc::new(standings.against_all());
    let of = |value: fn(&Duel) -> String| {
        let all = Rc::clone(&all);
        move |row: &Row| value(&all[row.entrant.index()])
    };
    let mut columns = vec![
        column("nelo", of(|duel| decimals(duel.from_pairs().and_then(|estimate| estimate.nelo), 2))),
        column("nelo_error", of(|duel| decimals(duel.from_pairs().and_then(|estimate| estimate.nelo_error), 2))),
    ];
    for worth in 0..5 {
        let all = Rc::clone(&all);
        let count = move |row: &Row| match &all[row.entrant.index()].pairs {
            none if none.count() == 0 => UNKNOWN.to_owned(),
            pairs => pairs.by_half_points[worth].to_string(),
        };
        columns.push(column(format!("ptnml_{worth}"), count));
    }
    columns
}

/// Kinds with their counts: `illegal 1; timeout 3`.
fn kinds(counts: &BTreeMap<String, u64>) -> String {
    let words: Vec<String> = counts.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    words.join("; ")
}
