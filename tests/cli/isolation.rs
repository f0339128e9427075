//! `--isolation bwrap`: namespaces of its own for each bot.

use rustix::process::Signal;
use serde_json::Value;

use crate::running::wait_for_end_of;
use crate::support::{Place, is_there, wait_until};

#[test]
fn a_bot_sees_nothing_but_what_is_let_through() {
    if !is_there("bwrap") {
        return;
    }
    let place = Place::new();
    place.write("elsewhere/secret", "told\n");
    let look = "ls elsewhere >&2; echo $(ls /proc | grep -c '^[0-9]') >&2; ls mine >&2";
    let bot = place.bot("mine/bot", &format!("ready; ask; {look}; answer; play"));
    let game = place.play(&format!("alto-ahi {bot} random --isolation bwrap --read 0=/proc --set max_plies=4"));
    assert_eq!((game.ending().as_str(), game.faults()), ("decided by max_plies", vec![]), "{}", game.ran.shown());
    let told = place.stderr_of(0);
    assert!(told.contains("No such file or directory") && told.ends_with("bot\n"), "{told}");
    let processes = told.lines().find_map(|line| line.parse::<u32>().ok());
    assert!(processes.is_some_and(|count| count < 8), "its own processes and no others: {told}");
    let header = place.logged("g.jsonl", "header").remove(0);
    assert!(header["host"]["sandbox"].as_str().unwrap().ends_with(", bubblewrap"));
    place.run("verify g.jsonl").code(0);
    place.is_empty_of_processes();
}

#[test]
fn faults_ends_and_leftovers_are_seen_as_without_it() {
    if !is_there("bwrap") {
        return;
    }
    for (script, fault, words) in [
        ("ready; ask; exit 7", "0 exited", "exit code 7"),
        ("ready; ask; kill -KILL $$", "0 exited", "exit code 137"),
        ("ready; ask; sleep 100", "0 timeout", "no answer to turn 1"),
        ("(setsid sleep 100 &); (sleep 100 &); ready; ask; echo oops", "0 unreadable", "“oops”"),
    ] {
        let place = Place::new();
        let bot = place.bot("bot", script);
        // Without seccomp a daemon may leave its session; it stays in its namespace.
        let line = format!("play alto-ahi {bot} random --isolation bwrap --move-limit 1s --log g.jsonl --json");
        let mut command = place.command(&line);
        let output = command.env("ARBITRO_PRETEND_WITHOUT", "seccomp").output().expect("it starts");
        let row: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a row");
        let found = format!("{} {}", row["faults"][0]["seat"], row["faults"][0]["kind"].as_str().unwrap());
        assert_eq!(found, fault, "{row}");
        assert!(row["faults"][0]["words"].as_str().unwrap().contains(words), "{row}");
        place.is_empty_of_processes();
    }
}

#[test]
fn what_holds_a_bot_is_not_charged_to_it() {
    if !is_there("bwrap") {
        return;
    }
    let place = Place::new();
    // The shell and its `sleep`, for longer than it takes until they are looked at.
    let bot = place.bot("bot", "ready; ask; sleep 0.3; answer; play");
    let options = "--set max_plies=4 --isolation bwrap --limit processes=2";
    let game = place.play(&format!("alto-ahi {bot} random {options}"));
    assert_eq!((game.ending().as_str(), game.faults()), ("decided by max_plies", vec![]), "{}", game.ran.shown());
    let ended: Vec<Value> = place.logged("g.jsonl", "host").iter_mut().map(|note| note["ended"].take()).collect();
    let leftovers: Vec<&Value> =
        ended.iter().filter(|ended| !ended.is_null()).map(|ended| &ended["leftovers"]).collect();
    assert_eq!(leftovers, [0, 0]);
}

#[test]
fn nothing_survives_the_referee() {
    if !is_there("bwrap") {
        return;
    }
    let place = Place::new();
    let bot = place.bot("bot", "(sleep 100 &); ready; ask; sleep 100");
    let running = place.start(&format!("play alto-ahi {bot} random --isolation bwrap --log g.jsonl"));
    wait_until("all of it runs", || running.family().iter().filter(|process| process.name == "sleep").count() == 2);
    let family = running.family();
    running.signal(Signal::KILL);
    wait_for_end_of(&family);
    place.is_empty_of_processes();
}

#[test]
fn what_cannot_be_isolated_does_not_begin() {
    let place = Place::new();
    let mut command = place.command("play alto-ahi random random --isolation bwrap --log g.jsonl");
    let output = command.env("PATH", place.folder()).output().expect("it starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(78), "{told}");
    assert!(told.contains("no program bwrap in PATH; install bubblewrap"), "{told}");
    // One that does not work is told in its own words.
    place.program("bwrap", "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n");
    let mut command = place.command("play alto-ahi random random --isolation bwrap --log g.jsonl");
    let path = format!("{}:/usr/bin:/bin", place.folder().display());
    let output = command.env("PATH", path).output().expect("it starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(78), "{told}");
    assert!(told.contains("does not work here for random: bwrap: No permissions"), "{told}");
    assert!(!place.path("g.jsonl").exists());
}
