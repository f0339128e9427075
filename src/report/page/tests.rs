use std::cell::Cell;

use super::*;
use crate::record::outcome::{GameResult, Reason};
use crate::seat::Seat;
use crate::tournament::Entrant;
use crate::tournament::pairing::KindName;
use crate::tournament::played::{Charge, HalfPoints, Played};
use crate::tournament::ratings::sample::{forfeited, game, games};
use crate::tournament::ratings::sprt::{Model, Sprt, Unit};
use crate::tournament::standings::sample::results;
use crate::tournament::standings::{Bye, Results, Standings};

/// The page of an event of these games, with the faults that are in such logs.
fn page_with(bots: usize, games: Vec<Played>, log: &dyn Fn(u64) -> Vec<u8>) -> String {
    page_of(&results(KindName::RoundRobin, bots, games), log)
}

fn page_of(results: &Results, log: &dyn Fn(u64) -> Vec<u8>) -> String {
    let standings = Standings::of(results).unwrap();
    let faults = shown_faults(&results.games, log);
    let way = |game: u64| format!("games/{game}.jsonl");
    event(&Event { standings: &standings, games: &results.games, facts: &[], faults: &faults, log: &way })
}

fn page(bots: usize, games: Vec<Played>) -> String {
    page_with(bots, games, &|_| vec![])
}

fn has(page: &str, texts: &[&str]) {
    texts.iter().for_each(|text| assert!(page.contains(text), "{text} is there: {page}"));
}

/// As many pairs as there are sets, with both games won by the first bot.
fn won(sets: u64) -> Vec<Played> {
    let pair = |set| {
        let here = Played { set, ..game(2 * set - 1, &[0, 1], &[1, 2]) };
        [here, Played { set, ..game(2 * set, &[1, 0], &[2, 1]) }]
    };
    (1..=sets).flat_map(pair).collect()
}

#[test]
fn a_page_of_two_says_how_their_test_ended() {
    let sprt = Sprt::new(-150.0, 150.0, 0.05, 0.05, Model::Normalized).unwrap();
    let results = Results { sprt: Some((sprt, Unit::Pairs)), ..results(KindName::Match, 2, won(60)) };
    let stop = Standings::of(&results).unwrap().sprt.unwrap().stop.unwrap();
    let shown = page_of(&results, &|_| vec![]);
    let verdict = format!("[-150.00, 150.00]\nSPRT (normalized Elo): H1 accepted after set {}\n", stop.set);
    has(
        &shown,
        &["Results of <bdi>a</bdi> against <bdi>b</bdi>", "nElo: ", "LOS: ", "Ptnml(0-2): [", "LLR: ", &verdict],
    );
}

#[test]
fn a_page_has_the_tables_that_a_terminal_has() {
    let bye = Bye { round: 1, entrant: Entrant(1), points: HalfPoints(3) };
    let results = Results { byes: vec![bye], ..results(KindName::Swiss, 3, won(2)) };
    let shown = page_of(&results, &|_| vec![]);
    has(
        &shown,
        &[
            "4 of 4 games played, 4 decided",
            "<th scope=\"col\">points</th><th scope=\"col\">byes (points)</th><th scope=\"col\">games</th>",
            "<td>1.5</td><td>1 (1.5)</td><td>4</td>",
            "<th scope=\"col\">Glicko-2 (RD)</th>",
            "ordered by points, then Buchholz, ",
            "<h2>Pairs</h2>",
            "<td>[0, 0, 0, 0, 2]</td>",
            "<th scope=\"row\" class=\"left\"><bdi>a</bdi></th><td>2.0/2</td><td>2.0/2</td>",
            "50.0 % (15.0 to 85.0), worth 0.0 Elo (95 %: −301.3 to +301.3)",
        ],
    );
}

#[test]
fn a_game_that_was_not_played_has_no_link_no_time_and_no_length() {
    let mut all = games(&[(&[0, 1], &[1, 2]), (&[1, 0], &[1, 2]), (&[0, 1], &[1, 2])]);
    all[0] = forfeited(all[0].clone(), 1);
    all[1] = forfeited(all[1].clone(), 0);
    (all[1].ranks, all[1].result, all[1].reason) = (None, GameResult::None, Reason::NobodyReady);
    let other = Charge { seat: Seat::new(1), ..all[1].faults[0].clone() };
    all[1].faults.push(other);
    let shown = page(2, all.clone());
    has(
        &shown,
        &[
            "<li>game 1 not played: <bdi>b</bdi> is disqualified</li>",
            "<li>game 2 not played: <bdi>b</bdi> and <bdi>a</bdi> are disqualified</li>",
            "<li><a href=\"games/3.jsonl\">game 3</a> won by seat 0</li>",
            "2 decided, 1 of these by disqualification alone, 1 without a result",
            "No bot was at fault.",
        ],
    );
    assert!(!shown.contains("games/1.jsonl") && !shown.contains("games/2.jsonl"), "{shown}");
    has(&shown, &["3.0 ms on average, 3.0 ms at most, 3.0 ms in all", "\"plies: 1 at 40\""]);
    let nothing = page(2, all[..2].to_vec());
    assert!(!nothing.contains("How long games are") && !nothing.contains("What a seat is worth"), "{nothing}");
}

#[test]
fn a_first_place_that_some_share_is_no_draw() {
    let all = games(&[(&[0, 1, 2], &[1, 1, 3]), (&[0, 1, 2], &[1, 1, 1]), (&[0, 1, 2], &[3, 2, 1])]);
    has(&page(3, all), &["game 1</a> shared by seats 0, 1<", "game 2</a> drawn<", "game 3</a> won by seat 2<"]);
}

/// A log with faults of the first seat: their kinds, and whether they were tolerated.
fn log(faults: &[(&str, bool)]) -> Vec<u8> {
    let header = include_str!("../../../fixtures/logs/trouble-strike.jsonl").lines().next().unwrap();
    let line = |(kind, tolerated): &(&str, bool)| {
        let words = format!("it was {kind}");
        let host = serde_json::json!({"at": 1, "words": words});
        let fault = serde_json::json!({"seat": 0, "turn": 1, "kind": kind, "tolerated": tolerated, "host": host});
        format!("{}\n", serde_json::json!({ "fault": fault }))
    };
    format!("{header}\n{}", faults.iter().map(line).collect::<String>()).into_bytes()
}

/// A game in which the first seat had these faults.
fn with(number: u64, seats: &[u16], faults: &[(&str, bool)]) -> Played {
    let charge = |&(kind, tolerated): &(&str, bool)| Charge { seat: Seat::new(0), kind: kind.to_owned(), tolerated };
    Played { faults: faults.iter().map(charge).collect(), ..game(number, seats, &[2, 1]) }
}

#[test]
fn a_fault_that_was_tolerated_is_told_apart() {
    let strikes: &[(&str, bool)] = &[("timeout", true), ("timeout", true)];
    let all = vec![with(1, &[0, 1], strikes)];
    let shown = page_with(2, all.clone(), &|_| log(strikes));
    has(
        &shown,
        &[
            "All faults were tolerated.",
            "<td>2 tolerated</td>",
            "<bdi>a</bdi>: timeout in game 1 (tolerated)</summary>",
        ],
    );
    assert!(!shown.contains("No bot was at fault"));
    let more: &[(&str, bool)] = &[("timeout", true), ("timeout", false)];
    let shown = page_with(2, vec![with(1, &[0, 1], more), with(2, &[1, 0], &[("exited", false)])], &|game| {
        log(if game == 1 { more } else { &[("exited", false)] })
    });
    has(&shown, &["<td>0</td><td>1, and 1 tolerated</td>", "<td>1</td><td>0</td>", "timeout in game 1</summary>"]);
    assert!(!shown.contains("All faults were tolerated"));
}

#[test]
fn giving_up_is_not_listed_among_the_faults() {
    let both: &[(&str, bool)] = &[("illegal", true), ("resigned", false)];
    let read = Cell::new(0);
    let logs = |game| {
        read.set(read.get() + 1);
        log(if game == 1 { both } else { &[("resigned", false)] })
    };
    let all = [with(1, &[0, 1], both), with(2, &[0, 1], &[("resigned", false)])];
    let kinds: Vec<String> = shown_faults(&all, &logs).into_iter().map(|fault| fault.kind).collect();
    assert_eq!((kinds, read.get()), (vec!["illegal".to_owned()], 1), "the log of the other game is not looked at");
}

#[test]
fn a_bot_that_always_fails_leaves_room_for_the_faults_of_others() {
    let of = |game: u64| if game == 400 { "timeout" } else { "exited" };
    let all: Vec<Played> = (1..=500)
        .map(|number| with(number, if number == 450 { &[1, 0] } else { &[0, 1] }, &[(of(number), false)]))
        .collect();
    let logs = |game| log(&[(of(game), false)]);
    let shown: Vec<u64> = shown_faults(&all, &logs).iter().map(|fault| fault.game).collect();
    assert_eq!(shown, (1..=10).chain([400, 450]).collect::<Vec<u64>>());
    has(&page_with(2, all, &logs), &["12 of 500 faults are shown, at most 10 of a kind for each bot"]);
}

#[test]
fn a_page_has_no_more_faults_than_a_telephone_can_show() {
    let seats = |number: u64| [(number % 25) as u16, 25];
    let all: Vec<Played> = (1..=500).map(|number| with(number, &seats(number), &[("exited", false)])).collect();
    assert_eq!(shown_faults(&all, &|_| log(&[("exited", false)])).len(), 200);
}
