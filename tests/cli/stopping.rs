//! Stopping a running game: in order by a signal, at once by a second one, and by force.

use rustix::process::Signal;

use crate::running::{Running, SHORTLY, wait_for_end_of};
use crate::support::{Place, wait_until};

/// A game that runs: seat 0 plays, seat 1 thinks for long and does not end by itself, and has a daemon.
fn running_game(place: &Place, options: &str) -> Running {
    let stubborn = place.bot("stubborn", "trap '' TERM INT HUP; setsid sleep 100 & ready; ask; sleep 100; sleep 100");
    let running = place.start(&format!("play alto-ahi random {stubborn} --log g.jsonl --json {options}"));
    let log = || std::fs::read_to_string(place.path("g.jsonl")).unwrap_or_default();
    wait_until("the first move is in the log", || log().contains("{\"move\":{\"ply\":1,"));
    running.family_of(5);
    running
}

#[test]
fn a_signal_ends_a_game_in_order() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let place = Place::new();
        let running = running_game(&place, "");
        let family = running.family();
        running.signal(signal);
        let ended = running.wait();
        assert_eq!(ended.code, Some(code), "{}", ended.stderr);
        assert!(ended.took < SHORTLY, "{:?}", ended.took);
        wait_for_end_of(&family[..0]);
        assert!(!family.iter().any(|process| process.is_alive()), "{family:?}");
        place.is_empty_of_processes();
        assert!(ended.stderr.contains("arbitro: stopped: the running game is logged as aborted"), "{}", ended.stderr);
        let row: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!((&row["result"], &row["reason"]), (&"aborted".into(), &"interrupted".into()));
        place.run("verify g.jsonl").code(0).says(&["1 plies, the referee was stopped", "seed is not revealed"]);
        place.run("show g.jsonl").code(0).says(&["aborted: the referee was stopped"]);
    }
}

#[test]
fn a_signal_while_bots_start_up_ends_the_game_too() {
    let place = Place::new();
    let slow = place.bot("slow", "sleep 100");
    let running = place.start(&format!("play alto-ahi {slow} {slow} --log g.jsonl --json"));
    running.family_of(6);
    running.signal(Signal::TERM);
    let ended = running.wait();
    assert_eq!(ended.code, Some(143), "{}", ended.stderr);
    assert!(ended.took < SHORTLY, "{:?}", ended.took);
    place.is_empty_of_processes();
    place.run("verify g.jsonl").code(0).says(&["0 plies, the referee was stopped"]);
}

#[test]
fn a_stopped_match_starts_no_other_game() {
    let place = Place::new();
    let line = "play alto-ahi random 'random sleep=60ms' --games 6 --swap --set max_plies=8 --log m.jsonl --json";
    let running = place.start(line);
    let moves = |log: &str| std::fs::read_to_string(place.path(log)).unwrap_or_default().matches("{\"move\":").count();
    wait_until("the fourth game is played", || moves("m-4.jsonl") > 0);
    running.signal(Signal::INT);
    let ended = running.wait();
    assert_eq!(ended.code, Some(130), "{}", ended.stderr);
    let results: Vec<String> = ended
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["result"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(results, ["decided", "decided", "decided", "aborted"]);
    assert_eq!(place.files(), ["m-1.jsonl", "m-2.jsonl", "m-3.jsonl", "m-4.jsonl"]);
    place.run("verify .").code(0);
    // The third game shared its luck with the one that was stopped, and nobody plays that one again.
    assert!(place.text("m-3.jsonl").contains("\"game_seed\":\""));
    assert!(place.text("m-4.jsonl").contains("\"game_seed\":null"));
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let place = Place::new();
    let running = running_game(&place, "");
    let family = running.family();
    // Bots have a tenth of a second to end by themselves after the first signal, and this one does not. Stopped in
    // between, the referee sees both at once, in either order, however late the second comes.
    [Signal::STOP, Signal::INT, Signal::TERM, Signal::CONT].into_iter().for_each(|signal| running.signal(signal));
    let ended = running.wait();
    assert!([Some(130), Some(143)].contains(&ended.code), "{:?}: {}", ended.code, ended.stderr);
    assert!(wait_for_end_of(&family) < SHORTLY, "the keepers see to the bots");
    place.is_empty_of_processes();
    place.run("verify g.jsonl").code(1).says(&["without its end line"]);
}

#[test]
fn a_referee_that_is_killed_leaves_no_bot_and_no_keeper() {
    let place = Place::new();
    let running = running_game(&place, "");
    let family = running.family();
    assert_eq!(family.iter().filter(|process| process.name.contains("keeper")).count(), 2, "{family:?}");
    assert!(!place.processes().is_empty());
    running.signal(Signal::KILL);
    let ended = running.wait();
    assert_eq!((ended.code, ended.signal), (None, Some(9)));
    assert!(wait_for_end_of(&family) < SHORTLY, "{family:?}");
    place.is_empty_of_processes();
    let row = place.run("verify --json g.jsonl").code(1).rows().remove(0);
    assert_eq!((&row["verdict"], row["ply"].as_u64()), (&"truncated".into(), Some(1)), "{row}");
    place.run("show g.jsonl").code(0).says(&["ply 1: seat 0 played"]);
}

#[test]
fn a_signal_that_was_ignored_from_the_start_stays_so() {
    for (name, signal) in [("HUP", Signal::HUP), ("INT", Signal::INT)] {
        let place = Place::new();
        let mut shell = std::process::Command::new("sh");
        let script = format!(
            "trap '' {name}; exec \"$ARBITRO\" play alto-ahi random 'random sleep=60ms' --set max_plies=10 --log g.jsonl --json"
        );
        shell.args(["-c", &script]).env("ARBITRO", env!("CARGO_BIN_EXE_arbitro")).current_dir(place.folder());
        let running = Running::start(shell);
        let log = || std::fs::read_to_string(place.path("g.jsonl")).unwrap_or_default();
        wait_until("the first move is in the log", || log().contains("{\"move\":{\"ply\":1,"));
        running.signal(signal);
        running.signal(signal);
        let ended = running.wait();
        assert_eq!(ended.code, Some(0), "as under nohup: {}", ended.stderr);
        assert!(ended.stdout.contains("\"max_plies\""), "{}", ended.stdout);
    }
}
