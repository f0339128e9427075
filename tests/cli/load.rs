//! What the time of a slow answer was spent on, as the log tells it.

use serde_json::Value;

use crate::support::Place;

const MS: u64 = 1_000_000;

/// The `load` of each answer of seat 0, and of its fault.
fn loads(bot: &str, options: &str) -> Vec<Value> {
    let place = Place::new();
    place.play(&format!("alto-ahi '{bot}' random --set max_plies=9 {options}"));
    place.run("verify g.jsonl").code(0);
    let lines = [place.logged("g.jsonl", "move"), place.logged("g.jsonl", "fault")].concat();
    lines.iter().filter(|line| line["seat"] == 0).map(|line| line["host"]["load"].clone()).collect()
}

#[test]
fn a_bot_that_computes_and_one_that_sleeps_are_told_apart() {
    let number = |load: &Value, key: &str| load[key].as_u64().unwrap_or_else(|| panic!("{key} is missing: {load}"));
    let (thinking, sleeping) = (loads("random think=40ms", ""), loads("random sleep=40ms", ""));
    for load in &thinking {
        // Under load it computes the same time, and waits besides.
        let (cpu, wait) = (number(load, "cpu"), number(load, "wait"));
        assert!(cpu + wait >= 38 * MS && cpu <= 60 * MS, "{load}");
    }
    for load in &sleeping {
        assert!(number(load, "cpu") < 20 * MS, "{load}");
    }
    assert_eq!((thinking.len(), sleeping.len()), (5, 5));
}

#[test]
fn a_flag_that_falls_tells_what_the_time_was_spent_on_and_quick_answers_say_nothing() {
    let late = loads("random sleep=10s", "--move-limit 300ms");
    assert!(late.len() == 1 && late[0]["cpu"].is_u64(), "{late:?}");
    let quick = loads("random", "");
    assert!(quick.iter().filter(|load| load.is_null()).count() >= 3, "hardly any answer took 2 ms: {quick:?}");
}
