//! A tournament while it runs, and when it is stopped.

use rustix::process::Signal;
use serde_json::json;

use crate::running::Running;
use crate::support::{PATIENCE, Place, is_there, wait_until};
use crate::tournament::{THREE, cup, journaled};

/// A tournament of some seconds, of which a game is finished.
fn running(place: &Place, options: &str) -> Running {
    let slow = [THREE[0], ("bob", "[\"random\", \"sleep=20ms\"]"), ("cy", "[\"random\", \"sleep=20ms\"]")];
    place.write("cup.toml", cup("kind = \"round-robin\"\nrounds = 12", "", &slow));
    let running = place.start(&format!("run --out o {options}"));
    wait_until("a game is finished", || place.path("o/journal.jsonl").exists() && !journaled(place, "o").is_empty());
    running
}

#[test]
fn what_is_stopped_before_it_goes_on_can_go_on_later() {
    let place = Place::new();
    let slow = place.bot("bob/slow", "while [ -e ${0%/*}/wait ]; do sleep 0.1; done; ready; play");
    place.write(
        "cup.toml",
        cup("kind = \"round-robin\"\nrounds = 12", "", &[THREE[2], ("bob", &format!("[\"{slow}\"]"))]),
    );
    let first = place.start("run --out o");
    wait_until("a game is finished", || place.path("o/journal.jsonl").exists() && !journaled(&place, "o").is_empty());
    first.signal(Signal::TERM);
    assert_eq!(first.wait().code, Some(75));
    place.write("bob/wait", "");
    let second = place.start("run --out o");
    second.family_of(3);
    second.signal(Signal::TERM);
    let ended = second.wait();
    assert_eq!(ended.code, Some(75), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("stopped; what is finished is safe, and the same command goes on"),
        "{}",
        ended.stderr
    );
    place.is_empty_of_processes();
}

#[test]
fn a_stopped_tournament_goes_on() {
    let place = Place::new();
    let first = running(&place, "--json");
    let family = first.family_of(4);
    first.signal(Signal::TERM);
    let ended = first.wait();
    assert_eq!(ended.code, Some(75), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("games left; what is finished is safe, and the same command goes on"),
        "{}",
        ended.stderr
    );
    let row: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(row["ending"], "interrupted");
    assert!(!family.iter().any(|process| process.is_alive()), "{family:?}");
    let finished = journaled(&place, "o").len();
    assert!(finished < 72, "it was stopped in the middle");
    let status = place.run("status o --json").code(0).rows().remove(0);
    assert_eq!((&status["state"], &status["finished"]), (&json!("stopped"), &json!(finished)));
    assert_eq!((&status["process"], &status["planned_most"]), (&json!(null), &json!(72)));
    place.run("status o").code(0).says(&["round-robin", " of 72 games", "the same `arbitro run` goes on"]);
    assert_eq!(place.run("standings o --format json").code(0).rows()[0]["games"]["final"], json!(false));
    // With quicker bots it would be another tournament.
    place
        .run("run --out o")
        .code(0)
        .err(predicates::str::contains(format!("going on in o: {finished} games are finished")));
    assert_eq!(journaled(&place, "o").len(), 72);
    place.run("status o").code(0).says(&["72 of 72 games", "finished"]);
    place.is_empty_of_processes();
}

#[test]
fn rounds_that_are_not_paired_yet_are_left_too() {
    let place = Place::new();
    let slow = "[\"random\", \"sleep=100ms\"]";
    let slow = ["ada", "bob", "cy", "di"].map(|name| (name, slow));
    place.write("cup.toml", cup("kind = \"swiss\"\nrounds = 3", "run.concurrency = 1", &slow));
    let run = place.start("run --out o");
    wait_until("a set is finished", || place.path("o/journal.jsonl").exists() && !journaled(&place, "o").is_empty());
    run.signal(Signal::TERM);
    let ended = run.wait();
    let left = 12 - journaled(&place, "o").len();
    assert_eq!(ended.code, Some(75), "{}", ended.stderr);
    assert!(ended.stderr.contains(&format!("stopped with {left} games left; ")), "{}", ended.stderr);
}

#[test]
fn a_running_tournament_says_how_it_stands() {
    let place = Place::new();
    let run = running(&place, "-q");
    let status = place.run("status o --json").code(0).rows().remove(0);
    assert_eq!((&status["state"], &status["process"]), (&json!("running"), &json!(run.pid())), "{status}");
    assert_eq!(status["standings"].as_array().unwrap().len(), 3);
    // Nobody else can play here.
    place.run("run --out o").code(75).err(predicates::str::contains("another referee (process "));
    wait_until("there is a pace", || {
        let status = place.run("status o --json").code(0).rows().remove(0);
        status["games_a_second"].is_number() && status["seconds_left"].is_number()
    });
    run.signal(Signal::USR1);
    wait_until("it says how it stands", || run.told().contains("   1. "));
    run.signal(Signal::INT);
    let ended = run.wait();
    assert_eq!(ended.code, Some(75), "{}", ended.stderr);
    let told: Vec<&str> = ended.stderr.lines().collect();
    assert!(told[0].starts_with("round-robin of alto-ahi: ") && told[0].contains(" of 72 games"), "{}", ended.stderr);
    assert!(told[1].contains("0 faults, 0 voids; "), "{}", ended.stderr);
    assert!(told[2].starts_with("   1. "), "{}", ended.stderr);
}

#[test]
fn lines_come_now_and_then_where_there_is_no_terminal() {
    let place = Place::new();
    let run = running(&place, "");
    // The first comes after two seconds.
    wait_until("there is a line", || run.told().contains(" of 72 games, 0 faults, 0 voids"));
    run.signal(Signal::HUP);
    let ended = run.wait();
    let lines = ended.stderr.lines().filter(|line| line.contains(" of 72 games, 0 faults, 0 voids")).count();
    assert!((2..5).contains(&lines), "one on the way and one at the end: {}", ended.stderr);
    assert!(!ended.stderr.contains('\u{1b}'), "nothing for terminals: {}", ended.stderr);
}

#[test]
fn a_bar_is_drawn_on_a_terminal() {
    if !is_there("script") {
        return;
    }
    let place = Place::new();
    place.write("cup.toml", cup("kind = \"round-robin\"\nrounds = 4", "", &THREE));
    let run = format!("{} run --out o", env!("CARGO_BIN_EXE_arbitro"));
    let mut command = std::process::Command::new("script");
    command.args(["-qec", &run, "typescript"]).current_dir(place.folder()).stdin(std::process::Stdio::null());
    let output = assert_cmd::Command::from_std(command).timeout(PATIENCE).assert().success();
    let shown = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    // It is drawn anew over what stood there, with those who lead below it; in the end a line stays.
    for part in ["\u{1b}[2K", " of 24 games", "0 faults, 0 voids", "   1. ada ", "24 of 24 games, 0 faults, 0 voids, "]
    {
        assert!(shown.contains(part), "{part:?} is not in {shown:?}");
    }
}
