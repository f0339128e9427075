//! Standings as JSON: one object, with all that there is.
//!
//! Numbers are rounded to what they can mean, so that the last bits of a logarithm, in which machines may differ, do not
//! show. Names stand as they are, what could do harm in a terminal or in HTML as escapes.

use std::collections::BTreeMap;

use serde::Serialize;

use super::View;
use crate::report::text::{json as harmless, rounded};
use crate::seat::Seat;
use crate::tournament::played::HalfPoints;
use crate::tournament::ratings::pairs::Duel;
use crate::tournament::ratings::sprt::{Model, Unit, Verdict};
use crate::tournament::ratings::{Tally, glicko};
use crate::tournament::standings::{self, Row, SeatShare, Standings, Tested};

/// The version of the object: another number where a field goes or changes its meaning.
pub const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Whole<'a> {
    schema: u32,
    name: &'a str,
    game: &'a str,
    format: &'static str,
    seats: usize,
    games: Games<'a>,
    ordered_by: Vec<&'static str>,
    bots: Vec<Bot<'a>>,
    head_to_head: Vec<Versus<'a>>,
    by_seat: Vec<SeatRow>,
    sprt: Option<Test>,
}

#[derive(Serialize)]
struct Games<'a> {
    planned: Option<u64>,
    played: u64,
    decided: u64,
    forfeited: u64,
    distinct: u64,
    unresolved: u64,
    voids: u64,
    rounds: u32,
    #[serde(rename = "final")]
    is_final: bool,
    reasons: &'a BTreeMap<&'static str, u64>,
}

#[derive(Serialize)]
struct Bot<'a> {
    rank: usize,
    name: &'a str,
    disqualified: bool,
    points: f64,
    byes: u64,
    bye_points: f64,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    places: Vec<u64>,
    share: Option<f64>,
    sonneborn_berger: f64,
    buchholz: f64,
    median_buchholz: f64,
    reached_last: Option<usize>,
    place: Option<usize>,
    elo: Option<Elo>,
    glicko2: Option<Glicko>,
    pairs: Option<PairRow>,
    nelo: Option<f64>,
    nelo_error: Option<f64>,
    by_seat: Vec<FromSeat>,
    faults: &'a BTreeMap<String, u64>,
    tolerated: &'a BTreeMap<String, u64>,
    resigned: u64,
    forfeited: u64,
    voids: u64,
    unresolved: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Time>,
}

#[derive(Serialize)]
struct Elo {
    value: f64,
    error: Option<f64>,
    above_next: Option<f64>,
}

#[derive(Serialize)]
struct Glicko {
    rating: f64,
    deviation: f64,
    volatility: f64,
}

#[derive(Serialize)]
struct FromSeat {
    games: u64,
    points: f64,
    wins: u64,
    draws: u64,
    losses: u64,
}

#[derive(Serialize)]
struct Time {
    games: u64,
    total_us: u64,
    most_us: u64,
}

#[derive(Serialize)]
struct Versus<'a> {
    bots: [&'a str; 2],
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: [f64; 2],
    distinct_games: u64,
    pairs: Option<PairRow>,
    elo: Option<f64>,
    elo_error: Option<f64>,
    nelo: Option<f64>,
    nelo_error: Option<f64>,
    los: Option<f64>,
}

#[derive(Serialize)]
struct PairRow {
    ptnml: [u64; 5],
    won_and_lost: u64,
    distinct: u64,
}

#[derive(Serialize)]
struct SeatRow {
    seat: Seat,
    wins: u64,
    draws: u64,
    losses: u64,
    share: Option<f64>,
    interval: Option<[f64; 2]>,
    elo: Option<f64>,
    elo_interval: Option<[f64; 2]>,
}

#[derive(Serialize)]
struct Test {
    elo0: f64,
    elo1: f64,
    model: Model,
    counts: &'static str,
    bounds: [f64; 2],
    llr: Option<f64>,
    verdict: Option<Verdict>,
    stopped_after_set: Option<u64>,
}

/// Standings as one line of JSON.
pub fn json(standings: &Standings, view: View) -> String {
    let (games, all) = (&standings.games, standings.against_all());
    let whole = Whole {
        schema: SCHEMA,
        name: &standings.name,
        game: &standings.game,
        format: standings.format.as_str(),
        seats: standings.seats,
        games: Games {
            planned: games.planned,
            played: games.played,
            decided: games.decided,
            forfeited: games.forfeited,
            distinct: games.distinct,
            unresolved: games.unresolved,
            voids: games.voids,
            rounds: games.rounds,
            is_final: games.is_final,
            reasons: &games.reasons,
        },
        ordered_by: standings.criteria.iter().map(|criterion| criterion.as_str()).collect(),
        bots: standings.rows.iter().map(|row| bot(row, &all[row.entrant.index()], standings, view)).collect(),
        head_to_head: standings
            .duels
            .iter()
            .map(|(&(first, second), duel)| versus([standings.name_of(first), standings.name_of(second)], duel))
            .collect(),
        by_seat: standings.by_seat.seats().map(|(seat, share)| seat_row(seat, share)).collect(),
        sprt: standings.sprt.as_ref().map(test),
    };
    harmless(&serde_json::to_string(&whole).expect("standings are plain data")) + "\n"
}

fn bot<'a>(row: &'a Row, against_all: &Duel, standings: &'a Standings, view: View) -> Bot<'a> {
    let elo = standings.ratings.elo[row.entrant.index()];
    let estimate = against_all.from_pairs().unwrap_or_default();
    Bot {
        rank: row.rank,
        name: standings.name_of(row.entrant),
        disqualified: row.is_disqualified,
        points: halves(row.points),
        byes: row.byes,
        bye_points: halves(row.bye_points),
        games: row.games,
        wins: row.tally.wins,
        draws: row.tally.draws,
        losses: row.tally.losses,
        places: row.places.iter().copied().collect(),
        share: of(row.tally.score(), 4),
        sonneborn_berger: row.sonneborn_berger as f64 / 4.0,
        buchholz: halves(row.buchholz),
        median_buchholz: halves(row.median_buchholz),
        reached_last: row.reached.map(|reached| reached.last),
        place: row.reached.and_then(|reached| reached.place),
        elo: elo.map(|elo| Elo {
            value: rounded(elo.value, 2),
            error: of(elo.error, 2),
            above_next: of(elo.above_next, 4),
        }),
        glicko2: standings.ratings.glicko[row.entrant.index()].map(glicko_row),
        pairs: pair_row(against_all),
        nelo: of(estimate.nelo, 2),
        nelo_error: of(estimate.nelo_error, 2),
        by_seat: row.by_seat.iter().map(from_seat).collect(),
        faults: &row.faults,
        tolerated: &row.tolerated,
        resigned: row.resigned,
        forfeited: row.forfeited,
        voids: row.voids,
        unresolved: row.unresolved,
        time: view.times.then_some(Time {
            games: row.time.games,
            total_us: row.time.total_us,
            most_us: row.time.most_us,
        }),
    }
}

fn glicko_row(rating: glicko::Glicko) -> Glicko {
    Glicko {
        rating: rounded(rating.rating, 2),
        deviation: rounded(rating.deviation, 2),
        volatility: rounded(rating.volatility, 6),
    }
}

fn from_seat(seat: &standings::FromSeat) -> FromSeat {
    let Tally { wins, draws, losses } = seat.tally;
    FromSeat { games: seat.games, points: halves(seat.points), wins, draws, losses }
}

fn versus<'a>(bots: [&'a str; 2], duel: &Duel) -> Versus<'a> {
    let estimate = duel.estimate();
    let Tally { wins, draws, losses } = duel.games;
    let points = [duel.games, duel.games.turned()].map(|tally| halves(HalfPoints(tally.half_points())));
    Versus {
        bots,
        games: duel.games.games(),
        wins,
        draws,
        losses,
        points,
        distinct_games: duel.distinct_games.games(),
        pairs: pair_row(duel),
        elo: of(estimate.elo, 2),
        elo_error: of(estimate.elo_error, 2),
        nelo: of(estimate.nelo, 2),
        nelo_error: of(estimate.nelo_error, 2),
        los: of(estimate.superiority, 4),
    }
}

/// The pairs of a duel, if it was played in pairs.
fn pair_row(duel: &Duel) -> Option<PairRow> {
    (duel.unit() == Unit::Pairs).then(|| PairRow {
        ptnml: duel.pairs.by_half_points,
        won_and_lost: duel.pairs.won_and_lost,
        distinct: duel.distinct_pairs.count(),
    })
}

fn seat_row(seat: Seat, share: &SeatShare) -> SeatRow {
    let Tally { wins, draws, losses } = share.tally;
    let both = |interval: Option<(f64, f64)>, digits| {
        interval.map(|(low, high)| [rounded(low, digits), rounded(high, digits)])
    };
    SeatRow {
        seat,
        wins,
        draws,
        losses,
        share: of(share.share, 4),
        interval: both(share.interval, 4),
        elo: of(share.elo, 2),
        elo_interval: both(share.elo_interval, 2),
    }
}

fn test(tested: &Tested) -> Test {
    let ((elo0, elo1), (low, high)) = (tested.sprt.hypotheses(), tested.sprt.bounds());
    Test {
        elo0,
        elo1,
        model: tested.sprt.model(),
        counts: match tested.unit {
            Unit::Pairs => "pairs",
            Unit::Games => "games",
        },
        bounds: [rounded(low, 4), rounded(high, 4)],
        llr: of(tested.llr, 4),
        verdict: tested.stop.map(|stop| stop.verdict),
        stopped_after_set: tested.stop.map(|stop| stop.set),
    }
}

fn halves(points: HalfPoints) -> f64 {
    points.0 as f64 / 2.0
}

/// The number, rounded to so many decimals.
fn of(value: Option<f64>, digits: usize) -> Option<f64> {
    value.filter(|value| value.is_finite()).map(|value| rounded(value, digits))
}
