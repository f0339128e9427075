//! Ratings, estimates, sequential tests and tie-breaks of random events: see `ratings.py`.

use std::collections::BTreeSet;

use arbitro::tournament::Entrant;
use arbitro::tournament::pairing::KindName;
use arbitro::tournament::played::Played;
use arbitro::tournament::ratings::choices::Choices;
use arbitro::tournament::ratings::decided;
use arbitro::tournament::ratings::estimate::estimate;
use arbitro::tournament::ratings::likelihood::Likelihood;
use arbitro::tournament::ratings::scale::ELO_PER_NAT;
use arbitro::tournament::ratings::sprt::{Model, Sprt};
use arbitro::tournament::standings::{Results, Standings};
use serde_json::{Value, json};

use crate::peer::Peer;

const PACKAGES: [&str; 4] = ["choix", "glicko2", "numpy", "scipy"];

/// Whole numbers below others that look random: splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % most as u64) as usize
    }
}

/// A random event, in which bots named later are stronger: sparse or dense, with draws or without, with games that
/// repeat others or without.
fn event(random: &mut Random) -> Results {
    let seats = 2 + random.below(3);
    let bots = seats + random.below(5);
    let (levels, repeats) = ([100_000, 3, 6][random.below(3)], random.below(2) == 0);
    let most = [12, 60][random.below(2)];
    let games = (1..=random.below(most) as u64).map(|number| {
        let mut field: Vec<usize> = (0..bots).collect();
        let sat: Vec<usize> = (0..seats).map(|_| field.swap_remove(random.below(field.len()))).collect();
        let luck: Vec<usize> = sat.iter().map(|bot| random.below(levels) + bot * levels / 12).collect();
        let ranks: Vec<usize> = luck.iter().map(|own| 1 + luck.iter().filter(|other| *other > own).count()).collect();
        let course =
            if repeats { format!("{:08x}{:08x}", digits(&sat), digits(&ranks)) } else { format!("{number:016x}") };
        let game = json!({
            "game": number, "round": 1 + number / 7, "set": number, "seats": sat, "result": "decided", "ranks": ranks,
            "reason": "goal", "plies": 30, "course": course, "game_sha256": "00".repeat(32), "sha256": "00".repeat(32),
            "host": {"thought_us": vec![1000; seats], "took_us": 5000},
        });
        serde_json::from_value::<Played>(game).expect("this is a finished game")
    });
    Results {
        name: String::new(),
        game: "alto-ahi".to_owned(),
        format: KindName::RoundRobin,
        seats,
        games: games.collect(),
        bots: (0..bots).map(|bot| format!("bot {bot}")).collect(),
        byes: vec![],
        disqualified: BTreeSet::new(),
        bracket: None,
        planned: None,
        is_final: false,
        sprt: None,
    }
}

fn digits(of: &[usize]) -> usize {
    of.iter().fold(0, |number, digit| number * 10 + digit)
}

/// An event as the script takes it.
fn told(event: &Results) -> Value {
    let game =
        |game: &Played| json!({"seats": game.seats, "ranks": game.ranks, "round": game.round, "course": game.course});
    json!({"bots": event.bots.len(), "seats": event.seats, "games": event.games.iter().map(game).collect::<Vec<_>>()})
}

/// Asserts that a number, or that there is none, is what the peer says.
fn near(what: &str, own: Option<f64>, peer: &Value, within: f64) {
    match (own, peer.as_f64()) {
        (None, None) => {}
        (Some(own), Some(peer)) => assert!((own - peer).abs() < within, "{what}: {own}, and the peer says {peer}"),
        (own, peer) => panic!("{what}: {own:?}, and the peer says {peer:?}"),
    }
}

#[test]
fn random_events_are_rated_as_by_others() {
    let Some(mut peer) = Peer::start("ratings.py", &PACKAGES) else { return };
    let mut random = Random(20);
    let mut seen = [0; 4];
    for number in 0..60 {
        let event = event(&mut random);
        let answer = peer.ask(&told(&event));
        let standings = Standings::of(&event).expect("these are results");
        compare(number, &standings, &answer);
        if !answer["exact"].is_null() {
            compare_exact(number, &event, &answer["exact"]);
            seen[0] += 1;
        }
        seen[1] += usize::from(!answer["wilson"].is_null());
        seen[2] += usize::from(standings.games.repeated() > 0);
        seen[3] += usize::from(standings.ratings.elo.iter().any(Option::is_none));
    }
    assert!(seen.iter().all(|&count| count > 3), "each kind of event was there: {seen:?}");
}

fn compare(number: usize, standings: &Standings, peer: &Value) {
    for row in &standings.rows {
        let bot = row.entrant.index();
        let what = |value: &str| format!("{value} of bot {bot} in event {number}");
        let elo = standings.ratings.elo[bot];
        near(&what("Elo"), elo.map(|elo| elo.value), &peer["elo"][bot], 1e-2);
        near(&what("error"), elo.and_then(|elo| elo.error), &peer["error"][bot], 1e-2);
        near(&what("above next"), elo.and_then(|elo| elo.above_next), &peer["above"][bot], 1e-4);
        let glicko = standings.ratings.glicko[bot];
        let (paper, package) = (&peer["glicko"][bot], &peer["glicko_package"][bot]);
        near(&what("Glicko-2"), glicko.map(|rating| rating.rating), &paper[0], 1e-3);
        near(&what("deviation"), glicko.map(|rating| rating.deviation), &paper[1], 1e-3);
        near(&what("volatility"), glicko.map(|rating| rating.volatility), &paper[2], 1e-6);
        // The package looks for the volatility with the rating where the paper has the deviation: that shows a little.
        near(&what("Glicko-2"), glicko.map(|rating| rating.rating), &package[0], 0.2);
        near(&what("deviation"), glicko.map(|rating| rating.deviation), &package[1], 0.2);
        near(&what("points"), Some(row.points.0 as f64 / 2.0), &peer["points"][bot], 1e-9);
        near(&what("Sonneborn-Berger"), Some(row.sonneborn_berger as f64 / 4.0), &peer["sonneborn_berger"][bot], 1e-9);
        near(&what("Buchholz"), Some(row.buchholz.0 as f64 / 2.0), &peer["buchholz"][bot], 1e-9);
    }
    if let Some((low, high)) =
        standings.by_seat.iter().next().and_then(|seat| seat.interval).filter(|_| !peer["wilson"].is_null())
    {
        near(&format!("the seat's share in event {number}"), Some(low), &peer["wilson"][0], 1e-9);
        near(&format!("the seat's share in event {number}"), Some(high), &peer["wilson"][1], 1e-9);
    }
}

/// The strengths with next to no prior, where a maximum exists without one.
fn compare_exact(number: usize, event: &Results, peer: &Value) {
    let mut choices = Choices::default();
    decided(&event.games)
        .into_iter()
        .for_each(|(game, ranks)| choices.add(game.seats.iter().copied().zip(ranks.iter().copied()), 1));
    let group: Vec<Entrant> = Entrant::field(event.bots.len()).collect();
    let logs = Likelihood::new(&choices, &group, 1e-9).maximum();
    for (bot, log) in logs.iter().enumerate() {
        near(&format!("Elo without a prior of bot {bot} in event {number}"), Some(log * ELO_PER_NAT), &peer[bot], 0.05);
    }
}

#[test]
fn results_of_two_bots_are_weighed_as_by_others() {
    let Some(mut peer) = Peer::start("ratings.py", &PACKAGES) else { return };
    let mut random = Random(7);
    for number in 0..40 {
        let counts: Vec<u64> = (0..[3, 5][number % 2]).map(|_| 1 + random.below(300) as u64).collect();
        let elo0 = random.below(80) as f64 - 40.0;
        let elo1 = elo0 + 1.0 + random.below(60) as f64;
        let answer = peer.ask(&json!({"counts": counts, "elo0": elo0, "elo1": elo1}));
        let llr = |model| Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("it makes sense").llr(&counts);
        let what = |value: &str| format!("{value} of {counts:?} between {elo0} and {elo1}");
        near(&what("logistic LLR"), llr(Model::Logistic), &answer["logistic"], 2e-3);
        near(&what("normalised LLR"), llr(Model::Normalized), &answer["normalized"], 2e-3);
        let own = estimate(&counts, counts.iter().sum());
        let values = [own.elo, own.elo_error, own.nelo, own.nelo_error, own.superiority];
        for (place, value) in values.into_iter().enumerate() {
            near(&what("an estimate"), value, &answer["estimate"][place], 1e-6);
        }
    }
}
