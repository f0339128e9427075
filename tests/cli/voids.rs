//! What is nobody's fault is charged to nobody: the game is void, kept, and played again.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::support::{Place, wait_until};

/// How the log of an attempt ended.
fn ending(place: &Place, log: &str) -> (String, String) {
    let outcome = place.logged(log, "end").remove(0)["outcome"].clone();
    (outcome["result"].as_str().unwrap().to_owned(), outcome["reason"].as_str().unwrap().to_owned())
}

fn void(reason: &str) -> (String, String) {
    ("void".to_owned(), reason.to_owned())
}

#[test]
fn a_referee_that_stood_still_while_a_bot_thought_charges_nobody() {
    let place = Place::new();
    // Asked for the first time ever, it answers after its time, which the referee does not see.
    place.open_to_all();
    let bot = place.bot("bot", "ready; ask; [ -e again ] || { : >again; sleep 1.5; }; answer; play");
    let line = format!("play alto-ahi {bot} random --write 0=. --move-limit 1s --set max_plies=4 --log g.jsonl --json");
    let running = place.start(&line);
    wait_until("the bot thinks", || place.path("again").exists());
    running.signal(Signal::STOP);
    std::thread::sleep(Duration::from_secs(5));
    running.signal(Signal::CONT);
    let ended = running.wait();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let row: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&row["reason"], &row["faults"]), (&json!("max_plies"), &json!([])), "it was played again: {row}");
    assert_eq!(ending(&place, "g-void-1.jsonl"), void("referee_late"));
    assert!(ended.stderr.contains("void, and played again"), "{}", ended.stderr);
    place.run("verify .").code(0);
    place.is_empty_of_processes();
}

#[test]
fn a_referee_that_stood_still_charges_a_bot_that_is_silent_all_the_same() {
    let place = Place::new();
    let bot = place.bot("bot", "ready; ask; : >&2; echo asked >&2; sleep 100");
    let running = place.start(&format!("play alto-ahi {bot} random --move-limit 1s --log g.jsonl --json"));
    let asked = || std::fs::read_to_string(place.path("g.jsonl")).unwrap_or_default().contains("asked");
    wait_until("the bot thinks", asked);
    running.signal(Signal::STOP);
    std::thread::sleep(Duration::from_secs(3));
    running.signal(Signal::CONT);
    let ended = running.wait();
    let row: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(row["faults"][0]["kind"], json!("timeout"), "{row}");
}

#[test]
fn a_keeper_that_is_killed_is_nobodys_fault() {
    let place = Place::new();
    let line = "play alto-ahi 'random sleep=100ms' 'random sleep=100ms' --set max_plies=8 --log g.jsonl --json";
    let running = place.start(line);
    let family = running.family_of(4);
    let keeper = family.iter().find(|process| process.name.contains("keeper")).expect("each bot has one");
    kill_process(Pid::from_raw(keeper.pid).unwrap(), Signal::KILL).expect("it is below us");
    let ended = running.wait();
    let row: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((ended.code, &row["reason"], &row["faults"]), (Some(0), &json!("max_plies"), &json!([])), "{row}");
    assert_eq!(ending(&place, "g-void-1.jsonl"), void("infrastructure"));
    place.is_empty_of_processes();
}

/// Plays where the shell sets this limit first.
fn limited(limit: &str) -> (Place, std::process::Output) {
    let place = Place::new();
    place.open_to_all();
    let program = env!("CARGO_BIN_EXE_arbitro");
    let script = format!("{limit}; exec {program} play alto-ahi random random --log g.jsonl --json");
    let mut command = std::process::Command::new("bash");
    let output = command.args(["-c", &script]).current_dir(place.folder()).output().expect("there is a shell");
    (place, output)
}

#[test]
fn files_that_cannot_be_opened_are_missed_before_anything_is_started() {
    let (place, output) = limited("ulimit -n 16");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), place.files().len()), (Some(78), 0), "{told}");
    let needed = told.trim_end().rsplit_once("(ulimit -n ").and_then(|(_, rest)| rest.strip_suffix(')'));
    let needed = needed.unwrap_or_else(|| panic!("it says how many are needed: {told}"));
    let (_, output) = limited(&format!("ulimit -n {needed}"));
    assert_eq!(output.status.code(), Some(0), "{needed}: {}", String::from_utf8_lossy(&output.stderr));
    // The soft limit alone is raised.
    let (_, output) = limited("ulimit -Sn 16");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn processes_that_cannot_be_started_are_nobodys_fault() {
    if rustix::process::geteuid().is_root() {
        println!("the kernel refuses root no process; this is for ordinary users");
        return;
    }
    let (place, output) = limited("ulimit -u 1");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(75), "{told}");
    let row: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a row");
    assert_eq!((&row["result"], &row["reason"]), (&json!("void"), &json!("infrastructure")), "{row}");
    assert_eq!((&row["faults"], &row["ranks"]), (&json!([]), &json!(null)), "{row}");
    assert_eq!(ending(&place, "g-void-1.jsonl"), void("infrastructure"));
    assert!(told.contains("ulimit -u"), "{told}");
}

#[test]
fn rules_that_fail_make_one_game_void_and_the_others_go_on() {
    let place = Place::new();
    let line = "play alto-ahi random random --games 2 --set max_plies=6 --opening 'e2 e8' --log g.jsonl --json";
    let mut command = place.command(line);
    // Each game counts its plies anew; both fail at the same one, and neither is played again.
    let output = command.env("ARBITRO_PRETEND_PANIC_AT", "4").output().expect("it starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(70), "{told}");
    assert!(told.contains("the rules failed in 2 games: a bug of ours"), "{told}");
    for log in ["g-1.jsonl", "g-2.jsonl"] {
        assert_eq!(ending(&place, log), void("panic"));
        assert_eq!(place.logged(log, "move").len(), 4, "what was played until then is there to look at");
    }
    assert!(!place.path("g-1-void-1.jsonl").exists());
    place.run("verify .").code(0);
    place.is_empty_of_processes();
}
