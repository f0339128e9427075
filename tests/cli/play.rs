//! `arbitro play`: one game that goes well, and everything that can be chosen about it.

use predicates::prelude::*;
use predicates::str::{contains, is_empty, is_match};
use serde_json::{Value, json};

use crate::support::{PATIENCE, Place, python_is_there};

#[test]
fn two_programs_play_a_whole_game_and_its_log_verifies() {
    let place = Place::new();
    let ran = place.run("play alto-ahi greedy random").code(0);
    let lines = ran.lines();
    assert_eq!(lines[0], "greedy (seat 0) wins: the goal was reached");
    let [log] = <[String; 1]>::try_from(place.files()).expect("one file: the log");
    assert!(is_match(r"^alto-ahi-\d{8}-\d{6}-\d+\.jsonl$").unwrap().eval(&log), "{log}");
    assert!(is_match(format!(r"^\d+ plies, log {log}$")).unwrap().eval(&lines[1]), "{lines:?}");
    assert_eq!(lines.len(), 2);
    assert!(ran.stderr().starts_with("ply 1 seat 0 e2\n"), "a line a ply: {}", ran.shown());
    place.run(&format!("verify {log}")).code(0).says(&["all holds", "the goal was reached"]);
    place.is_empty_of_processes();
}

#[test]
fn four_programs_play_and_have_names_that_differ() {
    let place = Place::new();
    let game = place.play("alto-ahi greedy random greedy random");
    assert_eq!(game.row["players"], json!(["greedy", "random", "greedy#2", "random#2"]));
    assert_eq!(game.row["ranks"].as_array().map(Vec::len), Some(4));
    assert_eq!(game.faults(), [] as [&str; 0]);
    place.run("verify g.jsonl").code(0);
}

#[test]
fn the_result_as_json_has_every_field_and_the_hashes_of_the_log() {
    let place = Place::new();
    let game = place.play("alto-ahi greedy random");
    let end = place.logged("g.jsonl", "end").remove(0);
    let expected = json!({
        "schema": 1,
        "game_id": "game-000001",
        "players": ["greedy", "random"],
        "result": "decided",
        "ranks": [1, 2],
        "winner": 0,
        "reason": "goal",
        "plies": end["plies"],
        "faults": [],
        "log": "g.jsonl",
        "game_sha256": end["game_sha256"],
        "sha256": end["sha256"],
    });
    assert_eq!(game.row, expected);
    assert_eq!(game.ran.stderr().matches('\n').count() as u64, end["plies"].as_u64().unwrap(), "{}", game.ran.shown());
}

#[test]
fn a_draw_has_no_winner() {
    let place = Place::new();
    let game = place.play("alto-ahi greedy random --set max_plies=2");
    assert_eq!((game.ending().as_str(), game.winner()), ("decided by max_plies", None));
    assert_eq!(game.row["ranks"], json!([1, 1]));
    place
        .run("play alto-ahi greedy random --set max_plies=2 -q --log d.jsonl")
        .code(0)
        .prints("draw: the limit of plies was reached\n");
}

#[test]
fn the_same_seed_file_gives_the_same_game() {
    let place = Place::new();
    place.write("seed", format!("{}\n", "0123456789abcdef".repeat(4)));
    place.write("other", "f".repeat(64));
    let hash = |seed: &str, log: &str| {
        let ran = place.run(&format!("play alto-ahi random random --seed-file {seed} --json --log {log}")).code(0);
        place.run(&format!("verify {log}")).code(0);
        ran.rows()[0]["game_sha256"].as_str().expect("a hash").to_owned()
    };
    let first = hash("seed", "a.jsonl");
    assert_eq!(first, hash("seed", "b.jsonl"));
    assert_ne!(first, hash("other", "c.jsonl"));
    assert_ne!(place.bytes("a.jsonl"), place.bytes("b.jsonl"), "times differ");
    assert_eq!(place.logged("a.jsonl", "header")[0]["guessable_seed"], false);
}

#[test]
fn a_seed_from_a_text_warns_and_marks_the_log() {
    let place = Place::new();
    let line = "play alto-ahi random random --set size=3 --set walls=0 --seed 42 --json";
    let first = place.run(&format!("{line} --log a.jsonl")).code(0).err(contains("anyone can guess"));
    let again = place.run(&format!("{line} --log b.jsonl -q")).code(0).err(is_empty());
    assert_eq!(first.rows()[0]["game_sha256"], again.rows()[0]["game_sha256"]);
    assert_eq!(place.logged("a.jsonl", "header")[0]["guessable_seed"], true);
    place.run("verify a.jsonl b.jsonl").code(0);
}

#[test]
fn without_a_seed_no_two_games_are_the_same() {
    let place = Place::new();
    let line = "play alto-ahi random random -q --json";
    let hash = |log: &str| place.run(&format!("{line} --log {log}")).code(0).rows()[0]["game_sha256"].clone();
    assert_ne!(hash("a.jsonl"), hash("b.jsonl"));
}

#[test]
fn options_come_from_a_file_and_single_ones_go_over_them() {
    let place = Place::new();
    place.write("options.json", r#"{"size": 7, "walls": 3, "edge": "none"}"#);
    place.play("alto-ahi greedy random --options options.json --set size=5 --set pawn_behind=side");
    let options = &place.logged("g.jsonl", "header")[0]["options"];
    let chosen = |key: &str| options[key].clone();
    assert_eq!(
        ["size", "walls", "edge", "pawn_behind"].map(chosen),
        [json!(5), json!(3), json!("none"), json!("side")]
    );
    assert_eq!(options["max_plies"], 100, "what was not chosen is filled in: {options}");
}

#[test]
fn an_opening_is_played_beforehand_and_told_to_the_bots() {
    let place = Place::new();
    let bot = place.bot("bot", r#"ready; ask; printf '%s\n' "$line" >&2; answer; play"#);
    let game = place.play(&format!("alto-ahi {bot} random --opening 'e2 e8 e3' --set max_plies=8"));
    assert_eq!(game.ending(), "decided by max_plies");
    let moves = place.logged("g.jsonl", "move");
    let opening = moves.iter().filter(|mv| mv["by"] == "opening");
    assert!(opening.map(|mv| (&mv["move"], &mv["turn"])).eq([
        (&json!("e2"), &json!(0)),
        (&json!("e8"), &json!(0)),
        (&json!("e3"), &json!(0))
    ]));
    assert_eq!((&moves[3]["seat"], &moves[3]["turn"]), (&json!(1), &json!(1)), "the next seat is asked first");
    let seen = place.stderr_of(0);
    assert!(seen.contains(r#"{"seat":0,"move":"e2","by":"opening"}"#), "{seen}");
    place.run("verify g.jsonl").code(0);
}

#[test]
fn a_log_that_is_there_is_written_over_when_forced() {
    let place = Place::new();
    place.write("g.jsonl", "something longer than any log ".repeat(1000));
    place.run("play alto-ahi greedy random --log g.jsonl --force").code(0);
    place.run("verify g.jsonl").code(0);
}

#[test]
fn quiet_prints_the_result_and_nothing_else() {
    let place = Place::new();
    let ran = place.run("play alto-ahi greedy random -q --log g.jsonl").code(0);
    ran.err(is_empty()).prints("greedy (seat 0) wins: the goal was reached\n");
}

#[test]
fn verbose_tells_on_stderr_what_is_done() {
    let place = Place::new();
    let ran = place.run("play alto-ahi greedy random -v --set max_plies=4 --log g.jsonl").code(0);
    ran.err(contains("INFO game-000001 begins: greedy, random; log g.jsonl"))
        .err(is_match(r"INFO game-000001 is over after 4 plies and \d+(\.\d+)? s").unwrap())
        .out(contains("INFO").not());
}

#[test]
fn words_of_a_command_are_quoted_and_no_shell_reads_them() {
    let place = Place::new();
    let bot = place.bot("bot", r#"for word; do echo "<$word>" >&2; done; ready; play"#);
    place.play(&format!(r#"alto-ahi "{bot} 'a  b' \$HOME * ;" random --set max_plies=4"#));
    assert_eq!(place.stderr_of(0), "<a  b>\n<$HOME>\n<*>\n<;>\n");
}

#[test]
fn a_bot_runs_in_the_folder_that_is_given_for_it() {
    let place = Place::new();
    place.write("far/away/name", "found");
    let bot = place.bot("bot", r#"read -r name <name || [ "$name" ]; echo "$name in ${PWD##*/}" >&2; ready; play"#);
    let game = place.play(&format!("alto-ahi random {bot} --dir 1=far/away --set max_plies=4"));
    assert_eq!(game.faults(), [] as [&str; 0]);
    assert_eq!(place.stderr_of(1), "found in away\n");
}

#[test]
fn a_script_is_called_by_its_name_also_where_its_folder_is_given() {
    let place = Place::new();
    let script = place.bot("far/mine.sh", "ready; play").replace("far/", "");
    let game = place.play(&format!("alto-ahi 'sh {script}' random --dir 0=far --set max_plies=4"));
    assert_eq!(game.row["players"], json!(["mine", "random"]));
    let files = &place.logged("g.jsonl", "header")[0]["host"]["bots"][0]["files"];
    assert!(files.as_object().unwrap().keys().any(|path| path.ends_with("mine.sh")), "its digest is kept: {files}");
}

#[test]
fn a_bot_sees_no_environment_of_the_referee() {
    let place = Place::new();
    let bot = place.bot("bot", "env >&2; ready; play");
    let mut command = place.command(&format!("play alto-ahi {bot} random --set max_plies=4 --log g.jsonl -q"));
    command.env("ARBITRO_TEST_SECRET", "hidden").env("HOME", "/hidden");
    assert_cmd::Command::from_std(command).timeout(PATIENCE).assert().success();
    let seen = place.stderr_of(0);
    assert!(seen.contains("HOME=/nonexistent\n") && seen.contains("LANG=C.UTF-8\n"), "{seen}");
    assert!(!seen.contains("hidden"), "{seen}");
}

#[test]
fn strict_turns_a_fault_into_an_exit_code() {
    let place = Place::new();
    let bad = place.bot("bad", "ready; ask; echo thinking; sleep 10");
    let line = format!("play alto-ahi {bad} random --set size=3 --set walls=0");
    place.run(&format!("{line} --log a.jsonl")).code(0).says(&["random (seat 1) wins: all other seats were out"]);
    place
        .run(&format!("{line} --log b.jsonl --strict"))
        .code(1)
        .err(contains("1 fault of bots, and --strict was given"));
    place.run("play alto-ahi greedy random --log c.jsonl --strict").code(0);
    let quitter = place.bot("quitter", r#"ready; ask; printf '{"type":"resign","turn":%s}\n' "$turn"; sleep 10"#);
    place
        .run(&format!("play alto-ahi {quitter} random --log d.jsonl --strict"))
        .code(0)
        .says(&["resigned: the bot resigned"]);
    place.run("verify a.jsonl b.jsonl c.jsonl d.jsonl").code(0);
}

#[test]
fn strikes_are_tolerated_and_a_move_is_drawn_instead() {
    let place = Place::new();
    let clumsy = place.bot("clumsy", "ready; ask; move=a9; answer; ask; move=z1; answer; play");
    let game = place.play(&format!("alto-ahi {clumsy} random --strikes 2 --set max_plies=6"));
    assert_eq!(game.ending(), "decided by max_plies");
    assert_eq!(game.faults(), ["0 illegal", "0 illegal"]);
    assert_eq!(game.row["faults"][1]["tolerated"], true);
    let struck = place.logged("g.jsonl", "move").into_iter().filter(|mv| mv["by"] == "strike").count();
    assert_eq!(struck, 2);
    place.run("verify g.jsonl").code(0);

    let game = place.play(&format!("alto-ahi {clumsy} random --strikes 1 --force"));
    assert_eq!(game.ending(), "decided by faults");
    assert_eq!(
        (&game.row["faults"][0]["tolerated"], &game.row["faults"][1]["tolerated"]),
        (&json!(true), &json!(false))
    );
    place.run("verify g.jsonl").code(0);
}

#[test]
fn a_late_answer_is_a_strike_and_the_game_goes_on() {
    let place = Place::new();
    // The first question is never answered, and the bot goes on with the second.
    let slow = place.bot("slow", "ready; ask; play");
    let game = place.play(&format!("alto-ahi {slow} random --set max_plies=6 --strikes 1 --move-limit 500ms"));
    assert_eq!((game.ending().as_str(), game.faults()), ("decided by max_plies", vec!["0 timeout".to_owned()]));
    place.run("verify g.jsonl").code(0);
}

#[test]
fn unreadable_lines_are_skipped_where_that_is_asked_for() {
    let place = Place::new();
    let chatty = place.bot("chatty", "ready; while ask; do echo hmm; echo aha; answer; done");
    let game = place.play(&format!("alto-ahi {chatty} random --lenient 2 --set max_plies=6"));
    assert_eq!((game.ending().as_str(), game.faults()), ("decided by max_plies", vec![]));
    assert!(place.text("g.jsonl").contains(r#"{"host":{"ignored":{"seat":0,"#));
    let game = place.play(&format!("alto-ahi {chatty} random --lenient 1 --force"));
    assert_eq!(game.faults(), ["0 unreadable"]);
    assert!(game.words().contains("“aha”"), "{}", game.words());
}

#[test]
fn what_is_in_force_stands_in_the_log() {
    let place = Place::new();
    let line = "alto-ahi random random --set max_plies=2 --clock 1m+500ms --move-limit 2s --startup 8s --margin 20ms --lenient 3 --strikes 4";
    place.play(line);
    let header = place.logged("g.jsonl", "header").remove(0);
    assert_eq!(
        header["clock"],
        json!({"bank_ms": 60000, "increment_ms": 500, "move_limit_ms": 2000, "startup_ms": 8000, "margin_ms": 20})
    );
    assert_eq!((&header["limits"]["lenient"], &header["limits"]["strikes"]), (&json!(3), &json!(4)));
    assert_eq!(header["host"]["cores"].as_array().map(Vec::len), Some(1), "one core a game: {header}");
    assert_eq!(header["host"]["bots"][0]["command"], json!(["random"]));
    place.play(&format!("{line} --no-pin --force"));
    assert_eq!(place.logged("g.jsonl", "header")[0]["host"]["cores"], json!(null));
}

#[test]
fn built_in_bots_keep_to_a_clock_of_delay_and_byo_yomi() {
    for clock in ["0s/1x300ms", "100ms/d100ms/2x200ms", "0s/d300ms"] {
        let place = Place::new();
        let bots = "'minimax time=10s' 'greedy think=10ms'";
        let game = place.play(&format!("alto-ahi {bots} --set size=5 --set max_plies=12 --clock {clock}"));
        assert_eq!((game.row["result"].as_str(), game.faults()), (Some("decided"), vec![]), "{clock}");
        let given = |host: &Value| host["periods"].as_u64();
        let all = given(&place.logged("g.jsonl", "header")[0]["clock"]["byo_yomi"]);
        let moves = place.logged("g.jsonl", "move");
        assert!(moves.iter().all(|mv| given(&mv["host"]) == all), "no period is used up: {moves:?}");
        let took = |mv: &Value| mv["host"]["got"].as_u64().unwrap() - mv["host"]["sent"].as_u64().unwrap();
        assert!(moves.iter().any(|mv| took(mv) > 50_000_000), "and what is there is used: {moves:?}");
        place.run("verify g.jsonl").code(0);
    }
}

#[test]
fn without_a_clock_a_bot_that_ends_is_noticed_at_once() {
    let place = Place::new();
    let bot = place.bot("bot", "ready; ask; exit 3");
    let game = place.play(&format!("alto-ahi {bot} random --clock unlimited"));
    assert_eq!(game.faults(), ["0 exited"]);
    let header = place.logged("g.jsonl", "header").remove(0);
    assert_eq!((&header["clock"]["bank_ms"], &header["clock"]["move_limit_ms"]), (&json!(null), &json!(3_600_000)));
    place.run("verify g.jsonl").code(0);
}

#[test]
fn a_bot_in_python_plays() {
    if !python_is_there() {
        return;
    }
    let place = Place::new();
    let bot = place.program("bot.py", PYTHON);
    let game = place.play(&format!("alto-ahi {bot} 'python3 bot.py' --set max_plies=8"));
    assert_eq!((game.ending().as_str(), game.faults()), ("decided by max_plies", vec![]));
    assert_eq!(game.row["players"], json!(["bot", "bot#2"]));
    place.run("verify g.jsonl").code(0);
}

const PYTHON: &str = r#"#!/usr/bin/env python3
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "écho"}), flush=True)
    elif message["type"] == "turn":
        move = message["legal"][len(message["legal"]) // 2]
        print(json.dumps({"type": "move", "turn": message["turn"], "move": move}), flush=True)
    else:
        break
"#;
