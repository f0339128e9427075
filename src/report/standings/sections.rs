//! What a reader sees of standings, part by part, whatever it is written in.

use std::collections::{BTreeMap, BTreeSet};

use super::View;
use super::block;
use crate::report::table::{Cell, Table};
use crate::report::text::{UNKNOWN, decimals, percent, points, quarters, seconds, signed};
use crate::seat::Seat;
use crate::tournament::pairing::KindName;
use crate::tournament::played::HalfPoints;
use crate::tournament::ratings::glicko::Glicko;
use crate::tournament::standings::{Criterion, Reached, Row, SeatShare, Standings};

/// The most bots of which a crosstable is shown: more do not fit a screen, and are in JSON.
const MOST_IN_CROSSTABLE: usize = 20;

/// One part of what is shown.
pub enum Section {
    /// Sentences of our own.
    Lines(Vec<String>),
    /// A table.
    Table(Table),
    /// Lines that are shown as they are.
    Block(String),
}

/// All parts of standings.
pub fn of(standings: &Standings, view: View) -> Vec<Section> {
    let mut sections = vec![Section::Lines(event(standings)), Section::Table(ranking(standings))];
    if let Some(two) = block::two(standings) {
        sections.push(Section::Block(block::block(standings, two)));
    }
    if (3..=MOST_IN_CROSSTABLE).contains(&standings.bots.len()) {
        sections.push(Section::Table(crosstable(standings)));
        sections.extend(pairs(standings).map(Section::Table));
    }
    sections.push(Section::Table(by_seat(standings)));
    let faults = faults(standings);
    if !faults.rows.is_empty() {
        sections.push(Section::Table(faults));
    }
    if view.times {
        sections.push(Section::Table(times(standings)));
    }
    sections.push(Section::Lines([seat_notes(standings), notes(standings)].concat()));
    sections
}

/// What is played, how far it has come, and how games ended: a line each.
pub fn event(standings: &Standings) -> Vec<String> {
    let games = &standings.games;
    let planned = games.planned.map(|planned| format!(" of {planned}")).unwrap_or_default();
    let mut played = format!("{}{planned} games played, {} decided", games.played, games.decided);
    if games.forfeited > 0 {
        played.push_str(&format!(", {} of these by disqualification alone", games.forfeited));
    }
    if games.unresolved > 0 {
        played.push_str(&format!(", {} without a result", games.unresolved));
    }
    if games.voids > 0 {
        played.push_str(&format!(", {} void and played again or left", games.voids));
    }
    if games.is_final {
        played.push_str("; final");
    }
    let ends: Vec<String> = games.reasons.iter().map(|(reason, count)| format!("{count} by {reason}")).collect();
    let mut lines = vec![
        format!(
            "{}, {}, {} bots, {} seats",
            standings.game,
            standings.format.as_str(),
            standings.bots.len(),
            standings.seats
        ),
        played,
    ];
    if !ends.is_empty() {
        lines.push(format!("ended: {}", ends.join(", ")));
    }
    lines
}

/// A column of the main table: its head, whether its cells are words, and the cell of a row.
struct Column<'a> {
    head: String,
    is_words: bool,
    cell: Box<dyn Fn(&Row) -> Cell + 'a>,
}

fn column<'a>(head: impl ToString, cell: impl Fn(&Row) -> String + 'a) -> Column<'a> {
    of_cells(head, move |row| Cell::Own(cell(row)))
}

fn of_cells<'a>(head: impl ToString, cell: impl Fn(&Row) -> Cell + 'a) -> Column<'a> {
    Column { head: head.to_string(), is_words: false, cell: Box::new(cell) }
}

/// Who stands where.
pub fn ranking(standings: &Standings) -> Table {
    let columns = columns(standings);
    let cells = |row: &Row| columns.iter().map(|column| (column.cell)(row)).collect();
    Table {
        title: String::new(),
        heads: columns.iter().map(|column| column.head.clone()).collect(),
        words: (0..columns.len()).filter(|&index| columns[index].is_words).collect(),
        rows: standings.rows.iter().map(cells).collect(),
    }
}

fn columns(standings: &Standings) -> Vec<Column<'_>> {
    let name = |row: &Row| Cell::Name(standings.name_of(row.entrant).to_owned());
    let mut columns = vec![
        column("#", |row| row.rank.to_string()),
        Column { head: "bot".to_owned(), is_words: true, cell: Box::new(name) },
    ];
    let any = |is_so: &dyn Fn(&Row) -> bool| standings.rows.iter().any(is_so);
    if any(&|row| row.is_disqualified) {
        let out = |row: &Row| if row.is_disqualified { "disqualified" } else { "" };
        columns.push(of_cells("out", move |row| Cell::Bad(out(row).to_owned())));
    }
    if standings.format == KindName::Knockout {
        columns.push(column("stage", |row| row.reached.map_or(UNKNOWN.to_owned(), Reached::words)));
    }
    columns.push(column("points", |row| points(row.points)));
    if any(&|row| row.byes > 0) {
        columns.push(column("byes (points)", |row| format!("{} ({})", row.byes, points(row.bye_points))));
    }
    columns.push(column("games", |row| row.games.to_string()));
    columns.extend(outcomes(standings.seats));
    columns.push(column("share", |row| percent(row.tally.score(), 1)));
    for criterion in standings.criteria {
        match criterion {
            Criterion::Buchholz => columns.push(column("Buchholz", |row| points(row.buchholz))),
            Criterion::SonnebornBerger => columns.push(column("SB", |row| quarters(row.sonneborn_berger))),
            _ => {}
        }
    }
    let elo = |row: &Row| standings.ratings.elo[row.entrant.index()];
    columns.push(column("Elo", move |row| signed(elo(row).map(|elo| elo.value), 1)));
    columns.push(column("±", move |row| decimals(elo(row).and_then(|elo| elo.error), 1)));
    columns.push(column("above next", move |row| percent(elo(row).and_then(|elo| elo.above_next), 1)));
    columns.push(column("Glicko-2 (RD)", |row| glicko(standings.ratings.glicko[row.entrant.index()])));
    if any(&|row| row.faults_in_all() > 0) {
        columns.push(of_cells("faults", |row| match row.faults_in_all() {
            0 => Cell::own(0),
            count => Cell::Bad(count.to_string()),
        }));
    }
    if any(&|row| row.forfeited > 0) {
        columns.push(column("forfeited", |row| row.forfeited.to_string()));
    }
    if any(&|row| row.voids > 0) {
        columns.push(column("voids", |row| row.voids.to_string()));
    }
    columns
}

/// How the games of a bot came out: wins, draws and losses, or places.
fn outcomes(seats: usize) -> Vec<Column<'static>> {
    if seats == 2 {
        return vec![
            column("W", |row| row.tally.wins.to_string()),
            column("D", |row| row.tally.draws.to_string()),
            column("L", |row| row.tally.losses.to_string()),
        ];
    }
    let place =
        |seat: Seat| column(["1st", "2nd", "3rd", "4th"][seat.index()], move |row| row.places[seat].to_string());
    Seat::first(seats).map(place).collect()
}

fn glicko(rating: Option<Glicko>) -> String {
    let Some(rating) = rating else { return UNKNOWN.to_owned() };
    format!("{} ({})", decimals(Some(rating.rating), 0), decimals(Some(rating.deviation), 0))
}

/// What the bot of each row won against that of each column, and in how many games.
pub fn crosstable(standings: &Standings) -> Table {
    let numbers = 1..=standings.rows.len();
    let against = |own: &Row, rival: &Row| match standings.duel(own.entrant, rival.entrant) {
        _ if own.entrant == rival.entrant => "·".to_owned(),
        None => "-".to_owned(),
        Some(duel) => {
            let won = HalfPoints(duel.games.half_points());
            format!("{}/{}", points(won), duel.games.games())
        }
    };
    let row = |(number, own): (usize, &Row)| {
        let name = Cell::Name(standings.name_of(own.entrant).to_owned());
        let cells = standings.rows.iter().map(|rival| Cell::Own(against(own, rival)));
        [Cell::own(number), name].into_iter().chain(cells).collect()
    };
    Table {
        title: "Each against each".to_owned(),
        heads: ["#", "bot"]
            .map(str::to_owned)
            .into_iter()
            .chain(numbers.clone().map(|number| number.to_string()))
            .collect(),
        words: vec![1],
        rows: numbers.zip(&standings.rows).map(row).collect(),
    }
}

/// What the pairs of each bot that has some were worth against all others; only where there are more than two bots.
pub fn pairs(standings: &Standings) -> Option<Table> {
    if standings.bots.len() < 3 || standings.duels.values().all(|duel| duel.pairs.count() == 0) {
        return None;
    }
    let all = standings.against_all();
    let row = |row: &Row| {
        let duel = &all[row.entrant.index()];
        let estimate = duel.from_pairs()?;
        Some(vec![
            Cell::Name(standings.name_of(row.entrant).to_owned()),
            Cell::Own(signed(estimate.nelo, 1)),
            Cell::Own(decimals(estimate.nelo_error, 1)),
            Cell::own(duel.pairs.count()),
            Cell::Own(format!("{:?}", duel.pairs.by_half_points)),
        ])
    };
    Some(Table {
        title: "Pairs".to_owned(),
        heads: ["bot", "nElo", "±", "pairs", "Ptnml(0-2)"].map(str::to_owned).to_vec(),
        words: vec![0],
        rows: standings.rows.iter().filter_map(row).collect(),
    })
}

/// What each bot won in each seat of the points that there were, one against each rival, and all of them together.
pub fn by_seat(standings: &Standings) -> Table {
    let row = |row: &Row| {
        let name = Cell::Name(standings.name_of(row.entrant).to_owned());
        let cells = row.by_seat.iter().map(|seat| Cell::Own(format!("{}/{}", points(seat.points), seat.tally.games())));
        std::iter::once(name).chain(cells).collect()
    };
    let mut rows: Vec<Vec<Cell>> = standings.rows.iter().map(row).collect();
    let all = standings.by_seat.iter().map(|seat| Cell::Own(percent(seat.share, 1)));
    rows.push(std::iter::once(Cell::own("(all)")).chain(all).collect());
    Table {
        title: "From each seat".to_owned(),
        heads: std::iter::once("bot".to_owned())
            .chain(Seat::first(standings.seats).map(|seat| format!("seat {seat}")))
            .collect(),
        words: vec![0],
        rows,
    }
}

fn faults(standings: &Standings) -> Table {
    let mut rows = Vec::new();
    for row in &standings.rows {
        let name = || Cell::Name(standings.name_of(row.entrant).to_owned());
        let kinds: BTreeSet<&String> = row.faults.keys().chain(row.tolerated.keys()).collect();
        for kind in kinds {
            let count = |of: &BTreeMap<String, u64>| Cell::own(of.get(kind).copied().unwrap_or(0));
            rows.push(vec![name(), Cell::Name(kind.clone()), count(&row.faults), count(&row.tolerated)]);
        }
        if row.resigned > 0 {
            rows.push(vec![name(), Cell::own("(gave up)"), Cell::own(row.resigned), Cell::own("")]);
        }
    }
    Table {
        title: "Faults".to_owned(),
        heads: ["bot", "kind", "times", "tolerated"].map(str::to_owned).to_vec(),
        words: vec![0, 1],
        rows,
    }
}

fn times(standings: &Standings) -> Table {
    let row = |row: &Row| {
        let each = row.time.total_us.checked_div(row.time.games);
        vec![
            Cell::Name(standings.name_of(row.entrant).to_owned()),
            Cell::Own(seconds(row.time.total_us)),
            Cell::Own(each.map_or(UNKNOWN.to_owned(), seconds)),
            Cell::Own(seconds(row.time.most_us)),
        ]
    };
    Table {
        title: "Time used, in seconds".to_owned(),
        heads: ["bot", "in all", "a game", "most in a game"].map(str::to_owned).to_vec(),
        words: vec![0],
        rows: standings.rows.iter().map(row).collect(),
    }
}

/// What the numbers of the ranking mean.
pub fn notes(standings: &Standings) -> Vec<String> {
    let criteria: Vec<&str> = standings.criteria.iter().map(|criterion| criterion.words()).collect();
    let model = if standings.seats == 2 { "Bradley-Terry" } else { "Plackett-Luce" };
    let mut notes = vec![
        format!("ordered by {}; who is level in all shares a rank", criteria.join(", then ")),
        format!(
            "Elo: maximum likelihood ({model}), from the mean of all rated; ± is half of a 95 % interval; above next: how likely it is to be stronger than the next by Elo"
        ),
    ];
    if standings.games.repeated() > 0 {
        notes.push(format!(
            "{} of {} decided games repeat another move for move: intervals count the {} distinct ones",
            standings.games.repeated(),
            standings.games.decided,
            standings.games.distinct
        ));
    }
    notes
}

/// What the seats are worth; with two of them the first says it for both.
fn seat_notes(standings: &Standings) -> Vec<String> {
    let told = if standings.seats == 2 { 1 } else { standings.seats };
    standings.by_seat.seats().take(told).filter_map(|(seat, share)| seat_note(seat, share)).collect()
}

fn seat_note(seat: Seat, share: &SeatShare) -> Option<String> {
    let (low, high) = share.interval?;
    let note = format!(
        "seat {seat} wins {} of the points (95 %: {} to {})",
        percent(share.share, 1),
        percent(Some(low), 1),
        percent(Some(high), 1)
    );
    Some(note + &seat_elo(share).map(|elo| format!(", which is {elo}")).unwrap_or_default())
}

/// What a seat is worth in Elo, where that can be told.
pub fn seat_elo(share: &SeatShare) -> Option<String> {
    let elo = share.elo?;
    let interval =
        share.elo_interval.map(|(low, high)| format!("{} to {}", signed(Some(low), 1), signed(Some(high), 1)));
    let interval = interval.unwrap_or_else(|| UNKNOWN.to_owned());
    Some(format!("worth {} Elo (95 %: {interval})", signed(Some(elo), 1)))
}
