use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::seat::{BySeat, Seat};
use crate::tournament::Entrant;
use crate::tournament::pairing::knockout::Knockout;
use crate::tournament::pairing::{Format, Kind, KindName, Orders};
use crate::tournament::played::{Charge, HalfPoints, Played};
use crate::tournament::ratings::sample::{forfeited, game, games};
use crate::tournament::ratings::sprt::{Model, Sprt, Unit};
use crate::tournament::standings::sample::{events, results};
use crate::tournament::standings::{Bye, Results};

const TIMES: View = View { times: true };
const PLAIN: View = View { times: false };

fn of(results: &Results) -> Standings {
    Standings::of(results).unwrap()
}

/// Three bots, four games, a fault.
fn small() -> Results {
    let mut all = games(&[(&[0, 1], &[1, 2]), (&[1, 0], &[1, 2]), (&[2, 0], &[1, 1]), (&[1, 2], &[1, 2])]);
    all[0].faults = vec![Charge { seat: Seat::new(1), kind: "timeout".to_owned(), tolerated: false }];
    all[3].voids = 1;
    Results { planned: Some(6), ..results(KindName::RoundRobin, 3, all) }
}

#[test]
fn a_reader_sees_everything_in_order() {
    let shown = human(&of(&small()), TIMES);
    let expected = "\
cup
alto-ahi, round-robin, 3 bots, 2 seats
4 of 6 games played, 4 decided, 1 void and played again or left
ended: 4 by goal

 #  bot  points  games  W  D  L   share    SB     Elo      ±  above next  Glicko-2 (RD)  faults  voids
 1  b       2.0      3  2  0  1  66.7 %  2.00   +97.8  292.3      62.5 %     1600 (228)       1      1
 2  a       1.5      3  1  1  1  50.0 %  2.25   +25.4  280.9      69.3 %     1500 (228)       0      0
 3  c       0.5      2  0  1  1  25.0 %  0.75  -123.2  361.3         n/a     1376 (253)       0      1

Each against each
 #  bot      1      2      3
 1  b        ·  1.0/2  1.0/1
 2  a    1.0/2      ·  0.5/1
 3  c    0.0/1  0.5/1      ·

From each seat
 bot    seat 0  seat 1
 b       2.0/2   0.0/1
 a       1.0/1   0.5/2
 c       0.5/1   0.0/1
 (all)  87.5 %  12.5 %

Faults
 bot  kind     times  tolerated
 b    timeout      1          0

Time used, in seconds
 bot  in all  a game  most in a game
 b     0.007   0.002           0.004
 a     0.006   0.002           0.003
 c     0.007   0.003           0.004

seat 0 wins 87.5 % of the points (95 %: 39.6 % to 98.7 %), which is worth +338.0 Elo (95 %: -73.5 to +749.6)
ordered by points, then games against each other, then Sonneborn-Berger, then wins; who is level in all shares a rank
";
    assert!(shown.starts_with(expected), "{shown}");
    assert_eq!(shown.lines().count(), expected.lines().count() + 1, "{shown}");
}

#[test]
fn markdown_has_the_same_tables() {
    let shown = markdown(&of(&small()), PLAIN);
    for line in [
        "## cup",
        "- 4 of 6 games played, 4 decided, 1 void and played again or left",
        "| # | bot | points | games | W | D | L | share | SB | Elo | ± | above next | Glicko-2 (RD) | faults | voids |",
        "| ---: | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| 1 | b | 2.0 | 3 | 2 | 0 | 1 | 66.7 % | 2.00 | +97.8 | 292.3 | 62.5 % | 1600 (228) | 1 | 1 |",
        "### Each against each",
        "| 2 | a | 1.0/2 | · | 0.5/1 |",
    ] {
        assert!(shown.lines().any(|shown| shown == line), "{line}\n{shown}");
    }
}

/// A match with so many pairs of each worth, and drawn ones among those worth 2.
fn duel(pairs: [u64; 5], drawn: u64) -> Results {
    // What the first bot made of the games from the first and from the second seat, in half points.
    let kinds = [(0, 0), (1, 0), (2, 0), (1, 2), (2, 2), (1, 1)];
    let counts = [pairs[0], pairs[1], pairs[2] - drawn, pairs[3], pairs[4], drawn];
    let sets = kinds.into_iter().zip(counts).flat_map(|(kind, count)| (0..count).map(move |_| kind));
    let ranks = |half_points: u8| [[2, 1], [1, 1], [1, 2]][usize::from(half_points)];
    let games = (1..).zip(sets).flat_map(|(set, (here, there))| {
        let turned: Vec<u8> = ranks(there).into_iter().rev().collect();
        [Played { set, ..game(2 * set - 1, &[0, 1], &ranks(here)) }, Played { set, ..game(2 * set, &[1, 0], &turned) }]
    });
    results(KindName::Match, 2, games.collect())
}

#[test]
fn two_bots_get_the_lines_that_testers_know() {
    // The counts and the first numbers are those of “EloPentanomial 2” in fastchess's tests; the ratios are by hand.
    let shown = human(&of(&duel([332, 433, 457 + 41, 333, 334], 41)), PLAIN);
    let block = "\
--------------------------------------------------
Results of a vs b (alto-ahi):
Elo: -8.64 +/- 10.33, nElo: -9.17 +/- 10.96
LOS: 5.05 %, DrawRatio: 25.80 %, PairsRatio: 0.87
Games: 3860, Wins: 1458, Losses: 1554, Draws: 848, Points: 1882.0 (48.76 %)
Ptnml(0-2): [332, 433, 498, 333, 334], WL/DD Ratio: 11.15
--------------------------------------------------
";
    assert!(shown.contains(block), "{shown}");
    assert!(markdown(&of(&duel([1, 2, 3, 2, 1], 1)), PLAIN).contains("```text\n-----"));
}

#[test]
fn more_bots_have_their_pairs_against_all_others() {
    // a against b: 2 points and 1; c and a: drawn twice; b and c: no pair; d: a single game.
    let set = |set: u64, games: [(&[u16], &[u8]); 2]| {
        let game =
            |(place, (seats, ranks)): (u64, (&[u16], &[u8]))| Played { set, ..game(2 * set + place, seats, ranks) };
        (0..).zip(games).map(game).collect::<Vec<Played>>()
    };
    let all = [
        set(1, [(&[0, 1], &[1, 2]), (&[1, 0], &[2, 1])]),
        set(2, [(&[0, 1], &[1, 2]), (&[1, 0], &[1, 2])]),
        set(3, [(&[2, 0], &[1, 1]), (&[0, 2], &[1, 1])]),
        set(4, [(&[1, 2], &[1, 2]), (&[1, 2], &[1, 2])]),
        vec![Played { set: 5, ..game(20, &[2, 3], &[1, 2]) }],
    ];
    let standings = of(&results(KindName::RoundRobin, 4, all.concat()));
    let shown = human(&standings, PLAIN);
    let table = "\
Pairs
 bot    nElo      ±  pairs       Ptnml(0-2)
 a    +173.7  278.0      3  [0, 0, 2, 0, 1]
 b    -245.7  340.5      2  [1, 0, 1, 0, 0]
 c       n/a    n/a      1  [0, 0, 1, 0, 0]

";
    assert!(shown.contains(table), "{shown}");
    let told: Value = serde_json::from_str(&json(&standings, PLAIN)).unwrap();
    assert_eq!(told["bots"][0]["pairs"]["ptnml"], serde_json::json!([0, 0, 2, 0, 1]));
    assert_eq!(told["bots"][0]["pairs"]["won_and_lost"], 1);
    assert_eq!(told["bots"][0]["nelo"], 173.72);
    let last = &told["bots"][3];
    assert_eq!((&last["name"], &last["pairs"], &last["nelo"]), (&"d".into(), &Value::Null, &Value::Null));
    let lines = csv(&standings, PLAIN);
    assert!(lines.lines().nth(1).unwrap().contains(",173.72,278.00,0,0,2,0,1,"), "{lines}");
    assert!(lines.lines().nth(4).unwrap().contains(",n/a,n/a,n/a,n/a,n/a,n/a,n/a,"), "{lines}");
}

#[test]
fn a_test_that_stops_by_itself_shows_its_ratio_and_verdict() {
    let sprt = |elo1| Some((Sprt::new(0.0, elo1, 0.05, 0.10, Model::Normalized).unwrap(), Unit::Pairs));
    let running = of(&Results { sprt: sprt(5.0), ..duel([1, 2, 10, 3, 1], 4) });
    let shown = human(&running, PLAIN);
    // The ratio is that of an independent computation.
    assert!(shown.contains("\nLLR: 0.02 (-2.25, 2.89) [0.00, 5.00]\nSPRT (normalized Elo): goes on\n"), "{shown}");
    let over = of(&Results { sprt: sprt(150.0), ..duel([60, 0, 0, 0, 0], 0) });
    let stop = over.sprt.as_ref().unwrap().stop.unwrap();
    assert!(human(&over, PLAIN).contains(&format!("SPRT (normalized Elo): H0 accepted after set {}\n", stop.set)));
    let told: Value = serde_json::from_str(&json(&over, PLAIN)).unwrap();
    assert_eq!(told["sprt"]["verdict"], "H0");
    assert_eq!(told["sprt"]["stopped_after_set"], stop.set);
    assert_eq!((&told["sprt"]["model"], &told["sprt"]["counts"]), (&"normalized".into(), &"pairs".into()));
}

#[test]
fn what_cannot_be_told_is_n_a_in_texts_and_null_in_json() {
    let mut won = duel([0, 0, 0, 0, 2], 0);
    won.games.truncate(2);
    won.bots.push("idle".to_owned());
    let standings = of(&won);
    let told: Value = serde_json::from_str(&json(&standings, PLAIN)).unwrap();
    assert_eq!(told["bots"][2]["elo"], Value::Null);
    assert_eq!(told["bots"][2]["glicko2"], Value::Null);
    assert_eq!(told["head_to_head"][0]["elo"], Value::Null);
    assert_eq!(told["bots"][2]["share"], Value::Null);
    let lines = csv(&standings, PLAIN);
    let cells: Vec<&str> = lines.lines().nth(3).unwrap().split(',').collect();
    assert_eq!((cells[1], cells.iter().filter(|cell| **cell == "n/a").count()), ("\"idle\"", 15));
    won.bots.pop();
    let block = human(&of(&won), PLAIN);
    assert!(
        block.contains("Elo: n/a +/- n/a, nElo: n/a +/- n/a\nLOS: n/a, DrawRatio: 0.00 %, PairsRatio: n/a\n"),
        "{block}"
    );
}

#[test]
fn json_says_everything_there_is() {
    let standings = of(&small());
    let told: Value = serde_json::from_str(&json(&standings, PLAIN)).unwrap();
    assert_eq!((&told["schema"], &told["format"]), (&1.into(), &"round-robin".into()));
    assert_eq!(told["games"]["planned"], 6);
    assert_eq!(told["ordered_by"][1], "head_to_head");
    let first = &told["bots"][0];
    assert_eq!((&first["rank"], &first["name"], &first["points"]), (&1.into(), &"b".into(), &2.0.into()));
    assert_eq!(first["faults"]["timeout"], 1);
    assert_eq!(first["by_seat"][0]["points"], 2.0);
    assert_eq!(first["elo"]["value"], 97.78);
    assert_eq!(first.get("time"), None);
    assert_eq!(told["head_to_head"][0]["bots"], serde_json::json!(["a", "b"]));
    assert_eq!(told["head_to_head"][0]["points"], serde_json::json!([1.0, 1.0]));
    assert_eq!(told["by_seat"][0]["interval"], serde_json::json!([0.3958, 0.9868]));
    assert_eq!(told["sprt"], Value::Null);
    let timed: Value = serde_json::from_str(&json(&standings, TIMES)).unwrap();
    assert_eq!(timed["bots"][0]["time"]["total_us"], 7000);
}

#[test]
fn formats_show_what_belongs_to_them() {
    let bye = |round, bot| Bye { round, entrant: Entrant(bot), points: HalfPoints(2) };
    let swiss = human(&of(&Results { format: KindName::Swiss, byes: vec![bye(1, 2)], ..small() }), PLAIN);
    assert!(swiss.contains("points  byes (points)  games") && swiss.contains("Buchholz"), "{swiss}");
    let knockout = Results {
        format: KindName::Knockout,
        bracket: Format {
            kind: Kind::Knockout(Knockout { sets: 1, extra_sets: 0, third_place: false }),
            orders: Orders::Turns,
        }
        .bracket(3, &[]),
        disqualified: [Entrant(0)].into(),
        ..small()
    };
    let shown = human(&of(&knockout), PLAIN);
    assert!(shown.contains(" #  bot           out   stage  points"), "{shown}");
    assert!(shown.contains(" 1  b                  last 4     2.0"), "{shown}");
    assert!(shown.contains(" 3  a    disqualified   final     1.5"), "{shown}");
    let table = [Played { ranks: Some(BySeat::collect([1, 2, 2, 4])), ..game(1, &[0, 1, 2, 3], &[1, 2, 3, 4]) }];
    let table = of(&results(KindName::Pods, 4, table.to_vec()));
    let pods = human(&table, PLAIN);
    assert!(markdown(&table, PLAIN).contains("\n| b | 0.0/0 | 1.5/3 | 0.0/0 | 0.0/0 |\n"), "1.5 of 3 points");
    assert!(pods.contains("1st  2nd  3rd  4th") && pods.contains("Plackett-Luce"), "{pods}");
    assert!(pods.contains("seat 3 wins 0.0 % of the points"), "{pods}");
}

#[test]
fn repetitions_are_told() {
    let mut results = small();
    results.games[1].course = results.games[0].course;
    let shown = human(&of(&results), PLAIN);
    let line = "1 of 4 decided games repeat another move for move: intervals count the 3 distinct ones\n";
    assert!(shown.ends_with(line), "{shown}");
    assert!(!human(&of(&small()), PLAIN).contains("repeat"));
}

#[test]
fn games_lost_by_disqualification_alone_are_told_apart() {
    let mut results = small();
    results.games.push(forfeited(game(5, &[2, 1], &[2, 1]), 0));
    let standings = of(&results);
    let shown = human(&standings, PLAIN);
    assert!(shown.contains("5 of 6 games played, 5 decided, 1 of these by disqualification alone, 1 void"), "{shown}");
    let head = shown.lines().find(|line| line.starts_with(" #")).unwrap();
    assert!(head.ends_with("faults  forfeited  voids"), "{head}");
    assert!(shown.contains("ended: 1 by disqualified, "), "{shown}");
    assert_eq!(shown.matches("disqualified").count(), 1, "it is no fault: {shown}");
    assert!(!human(&of(&small()), PLAIN).contains("forfeited"));
    let told: Value = serde_json::from_str(&json(&standings, PLAIN)).unwrap();
    let bots = ["b", "a", "c"]
        .map(|name| &told["bots"].as_array().unwrap().iter().find(|bot| bot["name"] == name).unwrap()["forfeited"]);
    assert_eq!((&told["games"]["forfeited"], bots), (&1.into(), [&0.into(), &0.into(), &1.into()]));
}

#[test]
fn hostile_names_do_no_harm_in_any_format() {
    let hostile = [
        "\x1b]0;owned\x07\x1b[2J".to_owned(),
        "<script>alert(1)</script>|x|".to_owned(),
        "=cmd|' /C calc'!A0,\"x\"\n+1".to_owned(),
        "\u{202e}gnp.exe".to_owned(),
        "أ1 شطرنج".to_owned(),
        "x".repeat(5000),
        String::new(),
        "` ![x](http://x)".to_owned(),
    ];
    let all = (1..).zip(0..8u16).map(|(number, bot)| game(number, &[bot, (bot + 1) % 8], &[1, 2])).collect();
    let mut results = results(KindName::RoundRobin, 8, all);
    results.bots = hostile.to_vec();
    results.name = hostile[1].clone();
    results.games[0].faults = vec![Charge { seat: Seat::new(0), kind: "\x1b[31m=|<b>".to_owned(), tolerated: true }];
    let standings = of(&results);
    let shown = human(&standings, TIMES);
    let is_harmless = |text: &str| {
        text.chars().all(|letter| {
            letter == '\n'
                || crate::protocol::receive::is_showable(letter)
                || ('\u{2068}'..='\u{2069}').contains(&letter)
        })
    };
    for text in [&shown, &markdown(&standings, TIMES), &csv(&standings, TIMES), &json(&standings, TIMES)] {
        assert!(is_harmless(text), "{text}");
    }
    assert!(shown.lines().all(|line| line.chars().count() < 250), "{shown}");

    // In Markdown all hostile letters are inside code, and every row of a table has as many cells as its head.
    let marked = markdown(&standings, PLAIN);
    for line in marked.lines() {
        let outside: String = line.split('`').step_by(2).collect();
        assert!(!outside.contains(['<', '[', '!']), "{line}");
        assert_eq!(line.matches('`').count() % 2, 0, "{line}");
    }
    let table: Vec<&str> = marked.lines().skip_while(|line| !line.starts_with("| #")).take(10).collect();
    assert!(table.iter().all(|line| line.matches('|').count() == table[0].matches('|').count()), "{table:?}");

    // CSV has as many fields in each line, read by the rules of the format, and none that a spreadsheet would run.
    let lines: Vec<Vec<String>> = csv(&standings, TIMES).lines().map(fields).collect();
    assert_eq!(lines.len(), 9);
    for line in &lines {
        assert_eq!(line.len(), lines[0].len(), "{line:?}");
        assert!(!line[1].starts_with(['=', '+', '-', '@']), "{line:?}");
    }
    assert!(lines.iter().any(|line| line[1] == "'=cmd|' /C calc'!A0,\"x\"\\u{a}+1"), "{lines:?}");

    // JSON has the names as they are.
    let told: Value = serde_json::from_str(&json(&standings, PLAIN)).unwrap();
    let names: Vec<&str> = told["bots"].as_array().unwrap().iter().map(|bot| bot["name"].as_str().unwrap()).collect();
    assert!(hostile.iter().all(|name| names.contains(&name.as_str())));
    assert!(!json(&standings, PLAIN).contains('<'));
}

/// The fields of a line of CSV.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            letter => field.push(letter),
        }
    }
    fields.push(field);
    fields
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn nothing_is_infinite_or_no_number_in_any_format(results in events()) {
        let standings = Standings::of(&results).unwrap();
        for text in [human(&standings, TIMES), markdown(&standings, TIMES), csv(&standings, TIMES)] {
            let words = || text.split(|letter: char| !letter.is_alphanumeric()).map(str::to_lowercase);
            prop_assert!(words().all(|word| word != "nan" && word != "inf" && word != "infinity"), "{}", text);
            prop_assert!(!text.contains("-0.0 ") && !text.contains("-0.00"), "{}", text);
        }
        let told: Value = serde_json::from_str(&json(&standings, TIMES)).unwrap();
        prop_assert_eq!(told["bots"].as_array().unwrap().len(), results.bots.len());
    }

    #[test]
    fn equal_games_give_equal_bytes_and_times_show_only_when_asked_for(results in events(), seed in any::<u64>()) {
        let mut other = results.clone();
        other.games.sort_by_key(|game| (game.game ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for game in &mut other.games {
            game.host.thought_us.iter_mut().for_each(|thought| *thought += 77_777_777);
            game.host.took_us += 1;
        }
        let (one, other) = (Standings::of(&results).unwrap(), Standings::of(&other).unwrap());
        for format in [human, markdown, csv, json] {
            prop_assert_eq!(format(&one, PLAIN), format(&other, PLAIN));
            prop_assert!(results.games.iter().all(Played::is_forfeited) || format(&one, TIMES) != format(&other, TIMES));
        }
    }
}
