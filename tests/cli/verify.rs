//! `arbitro verify` and `arbitro show` on logs in which everything holds, and on what is no log.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use serde_json::json;

use crate::support::Place;

#[test]
fn one_log_is_told_of_in_one_line() {
    let place = Place::new();
    let game = place.play("alto-ahi greedy random --set max_plies=4");
    let ran = place.run("verify g.jsonl").code(0).err(is_empty());
    assert_eq!(ran.stdout(), "g.jsonl: all holds: 4 plies, the limit of plies was reached\n");
    place.run("verify -q g.jsonl").code(0).out(is_empty()).err(is_empty());
    let row = place.run("verify --json g.jsonl").code(0).rows().remove(0);
    assert_eq!(
        row,
        json!({
            "log": "g.jsonl",
            "verdict": "verified",
            "outcome": {"result": "decided", "ranks": [1, 1], "reason": "max_plies"},
            "plies": 4,
            "seed_checked": true,
            "game_sha256": game.row["game_sha256"],
        })
    );
}

#[test]
fn many_logs_and_folders_are_summed_up() {
    let place = Place::new();
    for log in ["one.jsonl", "deep/two.jsonl", "deep/er/three.jsonl"] {
        place.write(log, "");
        place.run(&format!("play alto-ahi random random --set max_plies=4 --force -q --log {log}")).code(0);
    }
    place.write("deep/notes.txt", "no log, and not looked at");
    place.run("verify one.jsonl deep").code(0).prints("3 logs: all holds in 3 (12 plies)\n").err(is_empty());
    place.run("verify one.jsonl deep -q").code(0).out(is_empty());
    let rows = place.run("verify --json .").code(0).rows();
    let logs: Vec<_> = rows.iter().map(|row| row["log"].clone()).collect();
    assert_eq!(logs, ["./deep/er/three.jsonl", "./deep/two.jsonl", "./one.jsonl"], "in order");
}

#[test]
fn each_log_with_something_wrong_is_named_and_the_worst_decides_the_exit_code() {
    let place = Place::new();
    place.run("play alto-ahi random random --set max_plies=4 -q --log good.jsonl").code(0);
    let good = place.text("good.jsonl");
    place.write("cut.jsonl", &good[..good.len() - 10]);
    place.write("forged.jsonl", good.replacen("\"ply\":3", "\"ply\":4", 1));
    place.write("foreign.jsonl", "{\"type\":\"hello\"}\n");
    let ran = place.run("verify .").code(1);
    let ran = ran.out(contains("./cut.jsonl: line ")).out(contains("./foreign.jsonl: not a log of arbitro"));
    let ran = ran.out(contains("./forged.jsonl: line ")).out(contains("./good.jsonl").not());
    ran.out(contains("4 logs: all holds in 1 (4 plies), 2 differ or are cut off, 1 is no log\n"));
    place.run("verify good.jsonl foreign.jsonl").code(65);
    place.run("verify good.jsonl nowhere.jsonl").code(66).err(contains("nowhere.jsonl cannot be read"));
    std::os::unix::fs::symlink("loop.jsonl", place.path("loop.jsonl")).unwrap();
    place.run("verify good.jsonl nowhere.jsonl loop.jsonl").code(74).err(contains("loop.jsonl cannot be read"));
    std::fs::remove_file(place.path("loop.jsonl")).unwrap();
    place.run("verify good.jsonl foreign.jsonl nowhere.jsonl cut.jsonl").code(1);
    let rows = place.run("verify --json .").code(1).rows();
    let verdicts: Vec<_> = rows.iter().map(|row| row["verdict"].clone()).collect();
    assert_eq!(verdicts, ["truncated", "not_a_log", "differs", "verified"]);
    assert_eq!((&rows[2]["ply"], rows[2]["line"].as_u64()), (&json!(3), Some(6)));
    assert_eq!(rows[2]["what"], "the number of the ply should be 3, and the log says 4");
}

#[test]
fn a_folder_without_logs_is_no_success() {
    let place = Place::new();
    place.write("empty/notes.txt", "");
    place.run("verify empty").code(66).err(contains("there is no log (*.jsonl) in there"));
}

#[test]
fn a_folder_that_leads_back_to_itself_is_read_once() {
    let place = Place::new();
    place.run("play alto-ahi random random --set max_plies=4 -q --log g.jsonl").code(0);
    std::os::unix::fs::symlink(".", place.path("again")).unwrap();
    place.run("verify .").code(0).prints("1 log: all holds in 1 (4 plies)\n");
}

#[test]
fn a_log_of_whatever_name_is_told_of() {
    let place = Place::new();
    let name = OsStr::from_bytes(b"no\xff\n\x1b[31mtext.jsonl");
    let line = "play alto-ahi random random --set max_plies=4 --json --log";
    let played = place.command(line).arg(name).output().unwrap();
    assert!(played.status.success(), "{played:?}");
    let row: serde_json::Value = serde_json::from_slice(&played.stdout).expect("a whole line");
    assert_eq!(row["log"], "no\u{fffd}\n\u{1b}[31mtext.jsonl");
    place.run("play alto-ahi random random --set max_plies=4 -q --log other.jsonl").code(0);
    let rows = place.run("verify --json .").code(0).rows();
    assert_eq!((rows.len(), &rows[0]["log"]), (2, &json!("./no\u{fffd}\n\u{1b}[31mtext.jsonl")));
    let told = place.command("verify").arg(name).output().unwrap();
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(told.contains("\\u{1b}[31mtext.jsonl: all holds") && told.lines().count() == 1, "{told}");
    // What a match says of a log to people holds it too.
    let played =
        place.command("play alto-ahi random random --set max_plies=4 --force --log").arg(name).output().unwrap();
    assert!(!String::from_utf8(played.stdout).unwrap().contains('\u{1b}'));
}

#[test]
fn a_log_can_come_through_a_pipe() {
    let place = Place::new();
    place.run("play alto-ahi random random --set max_plies=4 -q --log g.jsonl").code(0);
    place.run_with("verify /dev/stdin", &place.bytes("g.jsonl")).code(0).says(&["all holds: 4 plies"]);
}
