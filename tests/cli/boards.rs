//! `arbitro show`, `legal` and `perft`: positions.

use std::fs;

use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::Value;

use crate::support::{Place, Ran};

fn played(place: &Place) {
    place.run("play alto-ahi greedy greedy --set size=3 --set walls=0 --opening 'b2 a3' -q --log g.jsonl").code(0);
}

#[test]
fn a_board_is_shown_at_the_end_and_after_any_ply() {
    let place = Place::new();
    played(&place);
    let end = place.run("show g.jsonl").code(0).err(is_empty());
    let end = end.says(&[
        "alto-ahi — 0 greedy, 1 greedy#2 — ply 3: seat 0 played b3",
        "greedy (seat 0) wins: the goal was reached",
    ]);
    end.says(&["┌", "won"]).out(contains('\x1b').not());
    place.run("show g.jsonl --ply 3").code(0).says(&["ply 3: seat 0 played b3"]);
    place.run("show g.jsonl --ply 0").code(0).says(&["before the first ply"]).out(contains("wins").not());
    let second = place.run("show --ascii --ply 2 g.jsonl").code(0).says(&["ply 2: seat 1 played a3", "+-----"]);
    let board: Vec<String> = second.lines().into_iter().skip(1).collect();
    assert!(board.iter().all(|line| line.is_ascii()), "{board:?}");
}

#[test]
fn a_ply_that_is_not_there_is_refused() {
    let place = Place::new();
    played(&place);
    place.refuses(2, "show g.jsonl --ply 4", &["the game has 3 plies: there is no ply 4"]);
    place.refuses(2, "show g.jsonl --ply=-1", &["--ply"]);
    place.refuses(66, "show nowhere.jsonl", &["nowhere.jsonl cannot be read"]);
}

#[test]
fn a_game_that_still_runs_is_shown_as_far_as_it_is() {
    let place = Place::new();
    played(&place);
    let log = place.text("g.jsonl");
    let third = log.find("{\"move\":{\"ply\":3").unwrap();
    place.write("g.jsonl", &log[..third + 20]);
    place.run("show g.jsonl").code(0).says(&["ply 2: seat 1 played a3"]);
}

#[test]
fn a_damaged_log_is_shown_up_to_the_damage_and_not_beyond() {
    let place = Place::new();
    played(&place);
    place.write("g.jsonl", place.text("g.jsonl").replace("{\"move\":{\"ply\":2", "{\"mooo\":{\"ply\":2"));
    place.run("show g.jsonl --ply 1").code(0).says(&["ply 1: seat 0 played b2"]);
    place.refuses(1, "show g.jsonl", &["g.jsonl: line 3, ply 1: the line cannot be read"]);
    place.refuses(1, "show g.jsonl --ply 2", &["line 3"]);
}

#[test]
fn legal_moves_are_listed_as_text_and_as_json() {
    let place = Place::new();
    let lines = place.run("legal alto-ahi").code(0).err(is_empty()).lines();
    assert_eq!(lines.len(), 131);
    assert_eq!(lines[..4], ["d1", "f1", "e2", "a1h"]);
    let json = place.run("legal alto-ahi --json").code(0).rows().remove(0);
    assert_eq!(json, Value::from(lines));
    let after = place.run("legal alto-ahi --set size=3 --set walls=0 --moves 'b2 a3 a2'").code(0).lines();
    assert_eq!(after, ["a1", "b3"]);
    let over = place.run("legal alto-ahi --set size=3 --set walls=0 --moves 'b2 a3 b3'").code(0);
    over.out(is_empty()).err(predicates::ord::eq("no seat is to move: the game is over\n"));
}

#[test]
fn where_chance_decides_no_move_is_legal_and_its_outcome_is_taken_from_a_log() {
    let place = Place::new();
    let due = place.run("legal alto-riesgo").code(0).out(is_empty());
    due.err(predicates::ord::eq("no seat is to move: a chance step is due\n"));
    place.run("perft alto-riesgo 1").code(65).err(contains("perft counts moves only"));
    place.write("seed", "3".repeat(64));
    place.run("play alto-riesgo random random --seed-file seed -q --log g.jsonl").code(0);
    let outcome = place.logged("g.jsonl", "chance")[0]["outcome"].to_string();
    let first = place.logged("g.jsonl", "move")[0]["move"].as_str().unwrap().to_owned();
    let legal = place.run(&format!("legal alto-riesgo --moves '{outcome}'")).code(0).err(is_empty()).lines();
    assert!(legal.contains(&first), "{first} is not among {legal:?}");
}

#[test]
fn what_is_no_outcome_of_chance_is_told_what_one_looks_like() {
    let place = Place::new();
    for (line, word) in
        [("alto-riesgo --moves roll", "roll"), ("alto-ahi --set cards=true --moves 'card \"push\"'", "\"push\"")]
    {
        let told = place.run(&format!("legal {line}")).code(2).out(is_empty()).stderr();
        let (said, example) = told.trim_end().split_once("such as ").expect("an example");
        assert!(
            said.contains(&format!(", {word}: a chance step is due there; write its outcome as logs have it")),
            "{told}"
        );
        let tried = line.replace(&line[line.find("--moves").unwrap()..], "");
        let before = if word == "roll" { "" } else { "card " };
        place.run(&format!("legal {tried} --moves '{before}{example}'")).code(0).err(is_empty());
    }
    place.refuses(2, "legal alto-riesgo --moves '\"AA\"'", &["6 dice are to be thrown, and the outcome shows 2"]);
}

#[test]
fn a_move_is_explained_by_the_rule_that_it_breaks() {
    let place = Place::new();
    place.run("legal alto-ahi --explain e2").code(0).prints("e2 is legal\n");
    let why = |mv: &str, words: &str| {
        place.run(&format!("legal alto-ahi --explain {mv}")).code(1).out(contains(words)).err(is_empty())
    };
    why("e3", "e3 is two squares from e1");
    why("e9h", "“e9h” is not a move: a barrier is written as its anchor, from a1 to h8");
    why("-1", "is not a move");
    why("''", "is not a move");
    place.run("legal alto-riesgo --explain roll").code(1).prints("no seat is to move: a chance step is due\n");
    let over = "legal alto-ahi --set size=3 --set walls=0 --moves 'b2 a3 b3' --explain b2";
    place.run(over).code(1).prints("no seat is to move: the game is over\n");
    let blocked = "legal alto-ahi --moves 'd1h e8' --explain e2";
    place.run(blocked).code(1).out(contains("barrier"));
}

/// Whether `perft` prints these numbers, one for each depth; only so far as a debug build counts quickly.
fn counts(place: &Place, line: &str, expected: &Value) {
    let expected: Vec<u64> = expected.as_array().expect("a list").iter().map(|count| count.as_u64().unwrap()).collect();
    let depth = expected.iter().take_while(|&&count| count < 20_000).count();
    let lines: Vec<String> = (1..=depth).map(|depth| format!("perft {depth} {}", expected[depth - 1])).collect();
    let ran: Ran = place.run(&format!("perft alto-ahi {depth} {line}")).code(0).err(is_empty());
    assert_eq!(ran.lines(), lines, "{}", ran.shown());
}

#[test]
fn perft_prints_the_numbers_of_the_fixtures() {
    let place = Place::new();
    let fixture = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/perft/alto-ahi.json")).unwrap();
    let fixture: Value = serde_json::from_str(&fixture).unwrap();
    let mut compared = 0;
    for row in ["from_the_start", "positions"].iter().flat_map(|key| fixture[key].as_array().expect("a list")) {
        let setting = format!("--seats {} --set size={} --set walls={}", row["seats"], row["size"], row["walls"]);
        let line = format!("{setting} --moves '{}'", row["moves"].as_str().unwrap_or_default());
        for (key, option) in [
            ("perft", ""),
            ("edge_none", "--set edge=none"),
            ("perft_edge_none", "--set edge=none"),
            ("perft_pawn_behind_side", "--set pawn_behind=side"),
        ] {
            // One run a number is enough where an option changes nothing.
            if row.get(key).is_some_and(|expected| key == "perft" || *expected != row["perft"]) {
                counts(&place, &format!("{line} {option}"), &row[key]);
                compared += 1;
            }
        }
    }
    assert!(compared >= 31, "{compared}");
}

#[test]
fn perft_divides_and_tells_its_time_when_asked() {
    let place = Place::new();
    let ran = place.run("perft alto-ahi 2 --divide --set size=3 --set walls=0 -v").code(0).err(contains("sequences/s"));
    assert_eq!(ran.lines(), ["a1 3", "c1 3", "b2 3", "perft 1 3", "perft 2 9"]);
    place.run("perft alto-ahi 0").code(0).prints("perft 0 1\n");
    place.refuses(2, "perft alto-ahi deep", &["deep", "DEPTH"]);
}
