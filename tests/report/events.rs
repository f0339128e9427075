//! Events to make pages from.

use std::collections::BTreeSet;

use arbitro::report::page::ShownFault;
use arbitro::tournament::Entrant;
use arbitro::tournament::pairing::KindName;
use arbitro::tournament::played::{DISQUALIFIED, Played};
use arbitro::tournament::standings::Results;
use serde_json::json;

/// Names that try to be more than names.
pub const HOSTILE: [&str; 6] = [
    "<script>alert(1)</script>",
    "=cmd()|'\"&amp;",
    "\u{1b}[31m\u{202e}gniht emos\u{7}",
    "שלום عليكم 日本語 Ž",
    "a-very-long-name-that-goes-on-and-on-and-on-and-on-and-on-and-on-and-on-and-on-without-any-blank",
    "ALongNameWithNeitherBlankNorHyphenALongNameWithNeitherBlankNorHyphenALongNameWithNeitherBlankNorHyphen",
];

/// An event in which stronger bots win more often, the first of them the strongest; the last is disqualified.
pub fn results(bots: &[&str], seats: usize, games: usize) -> Results {
    let mut state = 7u64;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let games = (0..games).map(|number| {
        let sat: Vec<usize> = (0..seats).map(|seat| (number + seat * (1 + number / bots.len() % (bots.len() / seats))) % bots.len()).collect();
        let strength: Vec<usize> = sat.iter().map(|bot| next(10 + 4 * (bots.len() - bot))).collect();
        let ranks: Vec<usize> = strength.iter().map(|own| 1 + strength.iter().filter(|other| *other > own).count()).collect();
        // The last bot is out in the end.
        let out = sat.iter().position(|bot| *bot == bots.len() - 1 && 4 * number > 3 * games);
        let faults = match out {
            Some(seat) => json!([{"seat": seat, "kind": DISQUALIFIED}]),
            None if number % 17 == 3 => json!([{"seat": ranks.iter().position(|rank| *rank > 1).unwrap_or(0), "kind": "timeout"}]),
            None => json!([]),
        };
        let played = json!({"game": number + 1, "round": 1 + number / 10, "set": number / seats + 1, "seats": sat, "result": "decided",
            "ranks": ranks, "reason": if number % 17 == 3 { "faults" } else { "goal" }, "plies": 30 + next(60), "faults": faults,
            "course": format!("{number:016x}"), "game_sha256": "00".repeat(32), "sha256": "00".repeat(32),
            "host": {"thought_us": (0..seats).map(|_| 1000 + next(900_000)).collect::<Vec<_>>(), "took_us": 2_000_000}});
        serde_json::from_value::<Played>(played).expect("this is a finished game")
    });
    Results {
        name: if bots == HOSTILE { HOSTILE[0].to_owned() } else { "An event".to_owned() },
        game: "alto-ahi".to_owned(),
        format: if seats == 2 { KindName::RoundRobin } else { KindName::Pods },
        seats,
        bots: bots.iter().map(|&name| name.to_owned()).collect(),
        games: games.collect(),
        byes: Vec::new(),
        bracket: None,
        disqualified: BTreeSet::from([Entrant(bots.len() as u16 - 1)]),
        planned: Some(400),
        is_final: false,
        sprt: None,
    }
}

/// What more is known of its faults.
pub fn faults(results: &Results) -> Vec<ShownFault> {
    let of = |game: &Played| {
        let charge = game.faults.iter().find(|charge| charge.is_fault())?;
        Some(ShownFault {
            game: game.game,
            entrant: game.seats[charge.seat],
            kind: charge.kind.clone(),
            tolerated: charge.tolerated,
            words: format!("no answer in time: 10000 ms were left {}", HOSTILE[0]),
            stderr: format!("Traceback (most recent call last):\n  {}\n{}", HOSTILE[2], "x".repeat(300)),
        })
    };
    results.games.iter().filter_map(of).collect()
}
