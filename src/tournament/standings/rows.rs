//! What each bot did: points, places, seats, faults, time.

use std::collections::BTreeMap;

use super::knockout::Reached;
use super::results::Results;
use crate::record::outcome::GameResult;
use crate::seat::{BySeat, Seat};
use crate::tournament::Entrant;
use crate::tournament::played::{DISQUALIFIED, HalfPoints, Played, RESIGNED, points};
use crate::tournament::ratings::Tally;

/// What a bot did in an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its rank from 1; shared where nothing tells bots apart.
    pub rank: usize,
    /// Which bot.
    pub entrant: Entrant,
    /// Its points, those for byes among them.
    pub points: HalfPoints,
    /// The points that it was credited with for byes.
    pub bye_points: HalfPoints,
    /// How often it had nobody to play.
    pub byes: u64,
    /// How many of its games were decided.
    pub games: u64,
    /// How its games came out against each rival at the table; with two seats its wins, draws and losses.
    pub tally: Tally,
    /// How often it came in first, second and so on; level bots share the better place.
    pub places: BySeat<u64>,
    /// What it did in each seat.
    pub by_seat: BySeat<FromSeat>,
    /// Its Sonneborn–Berger score in quarters of a point.
    pub sonneborn_berger: u64,
    /// Its Buchholz score.
    pub buchholz: HalfPoints,
    /// Its Buchholz score without its strongest and its weakest rival.
    pub median_buchholz: HalfPoints,
    /// How far it came; only in a knockout.
    pub reached: Option<Reached>,
    /// Whether it is out for its faults.
    pub is_disqualified: bool,
    /// Its faults by kind.
    pub faults: BTreeMap<String, u64>,
    /// Its faults that were tolerated, by kind.
    pub tolerated: BTreeMap<String, u64>,
    /// How often it gave up.
    pub resigned: u64,
    /// How many of its games were lost without being played, because it was disqualified.
    pub forfeited: u64,
    /// How often a game of its was void, and was played again or left.
    pub voids: u64,
    /// How many of its games stayed without a result.
    pub unresolved: u64,
    /// What was measured of it.
    pub time: Time,
}

/// What a bot did in one seat.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FromSeat {
    /// How many games were decided.
    pub games: u64,
    /// What it won in them.
    pub points: HalfPoints,
    /// How they came out against each rival at the table.
    pub tally: Tally,
}

/// The time that a bot used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Time {
    /// In how many games it was measured.
    pub games: u64,
    /// In all of them, in microseconds.
    pub total_us: u64,
    /// In the one in which it used most, in microseconds.
    pub most_us: u64,
}

impl Time {
    fn add(&mut self, used_us: u64) {
        self.games += 1;
        self.total_us = self.total_us.saturating_add(used_us);
        self.most_us = self.most_us.max(used_us);
    }
}

impl Row {
    fn new(entrant: Entrant, results: &Results) -> Row {
        Row {
            rank: 0,
            entrant,
            points: HalfPoints(0),
            bye_points: HalfPoints(0),
            byes: 0,
            games: 0,
            tally: Tally::default(),
            places: BySeat::from_fn(results.seats, |_| 0),
            by_seat: BySeat::from_fn(results.seats, |_| FromSeat::default()),
            sonneborn_berger: 0,
            buchholz: HalfPoints(0),
            median_buchholz: HalfPoints(0),
            reached: results.bracket.as_ref().and_then(|bracket| Reached::of(bracket, entrant)),
            is_disqualified: results.disqualified.contains(&entrant),
            faults: BTreeMap::new(),
            tolerated: BTreeMap::new(),
            resigned: 0,
            forfeited: 0,
            voids: 0,
            unresolved: 0,
            time: Time::default(),
        }
    }

    /// How many faults it is charged with.
    pub fn faults_in_all(&self) -> u64 {
        self.faults.values().sum()
    }

    /// Takes in a finished game in which the bot sat there.
    fn add(&mut self, game: &Played, seat: Seat) {
        if !game.is_forfeited() {
            self.time.add(game.host.thought_us[seat]);
        }
        self.voids += u64::from(game.voids);
        for charge in game.faults.iter().filter(|charge| charge.seat == seat) {
            match (charge.kind.as_str(), charge.tolerated) {
                (RESIGNED, _) => self.resigned += 1,
                // A game that nobody was left to play is lost by nobody.
                (DISQUALIFIED, _) => self.forfeited += u64::from(game.result == GameResult::Decided),
                (kind, true) => *self.tolerated.entry(kind.to_owned()).or_default() += 1,
                (kind, false) => *self.faults.entry(kind.to_owned()).or_default() += 1,
            }
        }
        match (&game.ranks, game.result) {
            (Some(ranks), GameResult::Decided) => self.add_decided(seat, ranks),
            _ => self.unresolved += 1,
        }
    }

    fn add_decided(&mut self, seat: Seat, ranks: &BySeat<u8>) {
        let won = points(ranks)[seat];
        let from = &mut self.by_seat[seat];
        self.games += 1;
        from.games += 1;
        self.points.0 += won.0;
        from.points.0 += won.0;
        for (_, &rival) in ranks.seats().filter(|&(other, _)| other != seat) {
            self.tally.add(ranks[seat], rival, 1);
            from.tally.add(ranks[seat], rival, 1);
        }
        self.places[Seat::new(usize::from(ranks[seat]) - 1)] += 1;
    }
}

/// A row for each bot, in the order of the field, without what depends on the rows of others.
pub(super) fn rows(results: &Results, games: &[&Played]) -> Vec<Row> {
    let mut rows: Vec<Row> = Entrant::field(results.bots.len()).map(|entrant| Row::new(entrant, results)).collect();
    for game in games {
        game.seats.seats().for_each(|(seat, entrant)| rows[entrant.index()].add(game, seat));
    }
    for bye in &results.byes {
        let row = &mut rows[bye.entrant.index()];
        row.byes += 1;
        row.bye_points.0 += bye.points.0;
        row.points.0 += bye.points.0;
    }
    rows
}
