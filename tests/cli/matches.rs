//! `arbitro play --games`: short matches, and luck that is shared.

use serde_json::{Value, json};

use crate::support::{Place, wait_until};

#[test]
fn a_swapped_match_is_played_in_pairs_on_the_same_luck() {
    let place = Place::new();
    let ran = place.run("play alto-ahi greedy random --games 4 --swap --set size=5 --set walls=2 --log m.jsonl --json");
    let rows = ran.code(0).rows();
    let names: Vec<&Value> = rows.iter().map(|row| &row["players"]).collect();
    let (one, other) = (json!(["greedy", "random"]), json!(["random", "greedy"]));
    assert_eq!(names, [&one, &other, &one, &other]);
    let logs: Vec<&Value> = rows.iter().map(|row| &row["log"]).collect();
    assert_eq!(logs, ["m-1.jsonl", "m-2.jsonl", "m-3.jsonl", "m-4.jsonl"]);

    let headers: Vec<Value> =
        (1..=4).map(|game| place.logged(&format!("m-{game}.jsonl"), "header").remove(0)).collect();
    let ends: Vec<Value> = (1..=4).map(|game| place.logged(&format!("m-{game}.jsonl"), "end").remove(0)).collect();
    let of = |values: &[Value], key: &str| values.iter().map(|value| value[key].clone()).collect::<Vec<Value>>();
    assert_eq!(of(&headers, "game_id"), ["game-000001", "game-000002", "game-000003", "game-000004"]);
    assert_eq!(of(&headers, "luck_id"), ["luck-000001", "luck-000001", "luck-000002", "luck-000002"]);
    let seeds = of(&ends, "game_seed");
    assert_eq!((&seeds[0], &seeds[2]), (&seeds[1], &seeds[3]), "a pair has the same luck");
    assert_ne!(seeds[0], seeds[2], "another pair another");
    let mut commitments = of(&headers, "commitment");
    commitments.sort_by_key(Value::to_string);
    commitments.dedup();
    assert_eq!(commitments.len(), 4, "the same luck is committed to anew in each game");
    let mut bot_seeds = of(&ends, "bot_seeds");
    bot_seeds.dedup();
    assert_eq!(bot_seeds.len(), 4, "no bot meets its seed again");
    place.run("verify .").code(0).says(&["4 logs: all holds in 4"]);
}

#[test]
fn the_score_of_a_match_is_told_by_player() {
    let place = Place::new();
    let ran = place.run("play alto-ahi greedy random --games 4 --swap --set size=5 --set walls=1 --log m.jsonl");
    let lines = ran.code(0).lines();
    let score = |name: &str| lines.iter().find(|line| line.starts_with(&format!("{name}: "))).expect("a score").clone();
    assert!(score("greedy").ends_with(" of 4") && score("random").ends_with(" of 4"), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("game-00000")).count(), 4);
}

#[test]
fn a_seed_is_revealed_only_after_the_pair() {
    let place = Place::new();
    let line = "play alto-ahi random 'random sleep=150ms' --games 2 --swap --set max_plies=6 --log m.jsonl -q";
    let running = place.start(line);
    let moves = |log: &str| std::fs::read_to_string(place.path(log)).unwrap_or_default().matches("{\"move\":").count();
    wait_until("the second game is played", || moves("m-2.jsonl") > 0);
    let first = place.text("m-1.jsonl");
    assert!(!first.contains("{\"end\":") && !first.contains("game_seed"), "{first}");
    assert_eq!(moves("m-1.jsonl"), 6, "all else is there already: {first}");
    place.run("verify m-1.jsonl").code(1).says(&["without its end line"]);
    assert_eq!(running.wait().code, Some(0));
    place.run("verify m-1.jsonl m-2.jsonl").code(0);
}

#[test]
fn games_without_swap_have_their_own_luck_and_seats_that_stay() {
    let place = Place::new();
    let rows =
        place.run("play alto-ahi greedy random --games 3 --set max_plies=4 --log deep.game.log --json").code(0).rows();
    let logs: Vec<&Value> = rows.iter().map(|row| &row["log"]).collect();
    assert_eq!(logs, ["deep.game-1.log", "deep.game-2.log", "deep.game-3.log"]);
    assert!(rows.iter().all(|row| row["players"] == json!(["greedy", "random"])));
    for game in 1..=3 {
        let header = place.logged(&format!("deep.game-{game}.log"), "header").remove(0);
        assert_eq!(header["luck_id"], header["game_id"]);
    }
}

#[test]
fn numbers_of_logs_are_as_long_as_the_last_one() {
    let place = Place::new();
    place.run("play alto-ahi random random --games 10 --set max_plies=1 --set size=3 --log m.jsonl -q").code(0);
    let expected: Vec<String> = (1..=10).map(|game| format!("m-{game:02}.jsonl")).collect();
    assert_eq!(place.files(), expected);
}

#[test]
fn four_seats_are_played_in_four_orders() {
    let place = Place::new();
    let line = "play alto-ahi random greedy random greedy --games 4 --swap --set max_plies=4 --log m.jsonl --json";
    let rows = place.run(line).code(0).rows();
    let firsts: Vec<&Value> = rows.iter().map(|row| &row["players"][0]).collect();
    assert_eq!(firsts, ["random", "greedy#2", "random#2", "greedy"]);
}

#[test]
fn a_match_whose_logs_are_there_already_does_not_begin() {
    let place = Place::new();
    place.write("m-3.jsonl", "precious");
    place.refuses(
        74,
        "play alto-ahi random random --games 4 --log m.jsonl",
        &["m-3.jsonl is there already", "--force"],
    );
}
