//! `arbitro bot`: the built-in bots, driven by hand.

use predicates::str::{contains, is_empty};
use serde_json::{Value, json};

use crate::support::Place;

const HELLO: &str = r#"{"type":"hello","protocol":1,"rules":1,"game":"alto-ahi","options":{"size":3,"walls":0},"seat":0,"players":["me","you"],"bot_seed":"1111111111111111111111111111111111111111111111111111111111111111","unknown":[1,2]}"#;

#[test]
fn the_bots_are_listed_with_what_they_play() {
    let place = Place::new();
    let ran = place.run("bot --list").code(0).err(is_empty());
    ran.says(&[
        "random ",
        "greedy ",
        "plays alto-ahi with 2 or 4 seats",
        "plays crecer with 2 seats",
        "sleep=…",
        "think=…",
    ]);
}

#[test]
fn the_faulty_bot_lists_its_modes_and_takes_one_either_way() {
    let place = Place::new();
    place
        .run("bot faulty --list-modes")
        .code(0)
        .says(&["Time\n  silent ", "\n  flood ", "\n  kill-rival "])
        .err(is_empty());
    let turn = r#"{"type":"turn","turn":7,"legal":["a1"]}"#;
    for line in ["bot faulty --mode null", "bot faulty mode=null", "bot --mode null faulty turn=1"] {
        let ran = place.run_with(line, format!("{HELLO}\n{turn}\n").as_bytes()).code(0);
        ran.prints("{\"type\":\"ready\",\"name\":\"faulty\"}\nnull\n");
    }
}

#[test]
fn a_bot_answers_line_by_line_until_its_input_ends() {
    let place = Place::new();
    let turn = r#"{"type":"turn","turn":7,"events":[],"legal":["a1","c1","b2"],"clock":{"move_ms":null,"left_ms":[null,null]}}"#;
    let over = r#"{"type":"over","result":"decided","ranks":[1,2],"reason":"goal"}"#;
    for bot in ["random", "greedy"] {
        let input = format!("{HELLO}\n{turn}\n{over}\n");
        let rows = place.run_with(&format!("bot {bot}"), input.as_bytes()).code(0).err(is_empty()).rows();
        assert_eq!(rows[0], json!({"type": "ready", "name": bot}));
        assert_eq!((&rows[1]["type"], &rows[1]["turn"]), (&json!("move"), &json!(7)));
        assert!(["a1", "c1", "b2"].contains(&rows[1]["move"].as_str().unwrap()), "{rows:?}");
        assert_eq!(rows.len(), 2);
    }
    place.run_with("bot random", b"").code(0).out(is_empty());
}

#[test]
fn a_bot_draws_the_same_from_the_same_seed() {
    let place = Place::new();
    let turns: String = (1..30)
        .map(|turn| format!("{{\"type\":\"turn\",\"turn\":{turn},\"legal\":[\"a1\",\"c1\",\"b2\"]}}\n"))
        .collect();
    let moves = |hello: &str| -> Vec<Value> {
        let ran = place.run_with("bot random", format!("{hello}\n{turns}").as_bytes()).code(0);
        ran.rows().into_iter().skip(1).map(|row| row["move"].clone()).collect()
    };
    assert_eq!(moves(HELLO), moves(HELLO));
    assert_ne!(moves(HELLO), moves(&HELLO.replace("1111", "2222")));
}

#[test]
fn a_bot_says_what_it_cannot_understand() {
    let place = Place::new();
    place.refuses(2, "bot nosuch", &["no built-in bot is called “nosuch”; there is random, greedy"]);
    place.refuses(2, "bot", &["NAME"]);
    place.refuses(2, "bot greedy depth=3", &["option “depth=3” of greedy: there is no such key", "sleep"]);
    place.refuses(2, "bot random sleep=soon", &["option “sleep=soon” of random", "500ms"]);
    place.refuses(2, "bot random sleep", &["write key=value"]);
    place.refuses(2, "bot random --mode flood", &["option “mode=flood” of random: there is no such key"]);
    place.refuses(
        2,
        "bot faulty --mode food",
        &["option “mode=food” of faulty: there is no such mode", "--list-modes"],
    );
    place.refuses(2, "play alto-ahi faulty random", &["option “mode” of faulty: say how it misbehaves"]);
    let unknown = HELLO.replace("alto-ahi", "chess");
    place.run_with("bot greedy", unknown.as_bytes()).code(78).err(contains("greedy does not play chess with 2 seats"));
    place
        .run_with("bot greedy", b"{\"type\":\"hello\"}\n")
        .code(65)
        .err(contains("hello cannot be understood: missing field"));
    let early = b"{\"type\":\"turn\",\"turn\":1,\"legal\":[\"a1\"]}\nnoise\n";
    place.run_with("bot greedy", early).code(0).out(is_empty()).err(contains("a turn came before any hello"));
}

#[test]
fn the_options_of_a_bot_reach_it_through_play() {
    let place = Place::new();
    let game = place.play("alto-ahi 'random sleep=30ms' random --set max_plies=4");
    let slow = place.logged("g.jsonl", "move");
    let took = |mv: &Value| mv["host"]["got"].as_u64().unwrap() - mv["host"]["sent"].as_u64().unwrap();
    assert!(took(&slow[0]) >= 30_000_000 && took(&slow[2]) >= 30_000_000, "{slow:?}");
    assert_eq!(game.row["players"], json!(["random", "random#2"]));
    place.write("g.jsonl", "");
    place.refuses(2, "play alto-ahi 'random sleep=soon' random", &["option “sleep=soon” of random", "500ms"]);
}
