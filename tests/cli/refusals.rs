//! What cannot be done is refused before anything is made or started: one clear line, and the exit code for it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;

use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::support::Place;

#[test]
fn a_game_that_there_is_not_is_refused() {
    let place = Place::new();
    for command in ["play chess random random", "legal chess", "perft chess 2", "rules chess"] {
        place.refuses(2, command, &["no game is called “chess”; there is alto-ahi"]);
    }
}

#[test]
fn an_option_of_the_game_that_cannot_be_is_refused() {
    let place = Place::new();
    let refuses = |option: &str, words: &[&str]| {
        for command in ["play alto-ahi random random", "legal alto-ahi", "perft alto-ahi 1"] {
            place.refuses(2, &format!("{command} {option}"), words);
        }
    };
    refuses("--set colour=red", &["colour", "expected one of `size`, `walls`", "arbitro rules alto-ahi"]);
    refuses("--set size=8", &["size: 8 squares", "3, 5, 7 or 9"]);
    refuses("--set size=big", &["size", "\"big\""]);
    refuses("--set size=-3", &["size", "-3"]);
    refuses("--set size=9.5", &["size", "9.5"]);
    refuses("--set size=1e3", &["size"]);
    refuses("--set size=99999999999999999999999", &["size"]);
    refuses("--set size=[9]", &["size"]);
    refuses("--set walls=65", &["walls", "0 to 64"]);
    refuses("--set walls=1000", &["walls: invalid value: integer `1000`, expected a whole number from 0 to 255"]);
    refuses("--set max_plies=0", &["max_plies", "1 to 100000"]);
    refuses("--set repetition=1", &["repetition"]);
    refuses("--set edge=open", &["edge", "`side` or `none`"]);
    refuses("--set cards=maybe", &["cards", "\"maybe\""]);
    refuses("--set size", &["--set size: write it as KEY=VALUE"]);
    refuses("--set =", &["arbitro rules alto-ahi"]);
}

#[test]
fn a_file_of_options_that_is_none_is_refused() {
    let place = Place::new();
    place.write("list.json", "[1, 2]");
    place.write("broken.json", "{\"size\": 7");
    place.write("binary.json", b"{\"size\": \xff\xfe}");
    place.write("unknown.json", "{\"colour\": \"red\"}");
    place.write("long.json", " ".repeat(2 << 20));
    place.write("twice.json", "{\"size\": 7, \"walls\": 3, \"size\": 9}");
    let refuses = |code: i32, file: &str, words: &[&str]| {
        place.refuses(code, &format!("play alto-ahi random random --options {file}"), words);
    };
    refuses(65, "list.json", &["list.json is not an object of options"]);
    refuses(65, "twice.json", &["twice.json is not an object of options: duplicate field `size`"]);
    refuses(65, "broken.json", &["broken.json", "line 1"]);
    refuses(65, "binary.json", &["binary.json is not UTF-8"]);
    refuses(65, "long.json", &["long.json is too long"]);
    refuses(65, "/dev/zero", &["/dev/zero"]);
    refuses(2, "unknown.json", &["colour"]);
    refuses(66, "nowhere.json", &["nowhere.json cannot be read"]);
    refuses(74, ".", &["cannot be read"]);
}

#[test]
fn a_seed_that_is_none_is_refused() {
    let place = Place::new();
    place.write("short", "abc");
    place.write("long", "0".repeat(65));
    place.write("letters", "g".repeat(64));
    let refuses = |code: i32, seed: &str, words: &[&str]| {
        place.refuses(code, &format!("play alto-ahi random random {seed}"), words);
    };
    refuses(65, "--seed-file short", &["short is not a seed: expected 64 hex digits"]);
    refuses(65, "--seed-file long", &["64 hex digits"]);
    refuses(65, "--seed-file letters", &["64 hex digits"]);
    refuses(65, "--seed-file /dev/zero", &["/dev/zero"]);
    refuses(66, "--seed-file nowhere", &["nowhere cannot be read"]);
    refuses(2, "--seed-file short --seed 1", &["cannot be used with"]);
}

#[test]
fn other_numbers_of_players_than_the_game_has_are_refused() {
    let place = Place::new();
    for count in [1, 3, 5, 40] {
        let words = format!("alto-ahi is played by 2 or 4 players, and {count} were given");
        place.refuses(2, &format!("play alto-ahi {}", "random ".repeat(count)), &[&words]);
    }
    place.refuses(2, "play alto-ahi", &["<PLAYER>"]);
    place.refuses(2, "legal alto-ahi --seats 3", &["seats", "2 or 4"]);
    place.refuses(2, "perft alto-ahi 1 --seats 0", &["seats"]);
}

#[test]
fn a_player_that_cannot_be_started_is_refused() {
    let place = Place::new();
    place.bot("far/good", "ready; play");
    place.write("plain", "#!/bin/sh\n");
    place.program("shebangless", "echo '{\"type\":\"ready\"}'\n");
    place.program("empty", "");
    place.program("lost", "#!/no/such/interpreter\n");
    place.program("windows", "#!/bin/sh\r\necho\r\n");
    place.program("marked", "\u{feff}#!/bin/sh\n");
    place.program("envless", "#!/usr/bin/env no-such-python\n");
    place.program("elf", "\x7fELF");
    let refuses = |code: i32, player: &str, words: &[&str]| {
        place.refuses(code, &format!("play alto-ahi random \"{player}\""), words);
        place.refuses(code, &format!("play alto-ahi \"{player}\" random"), words);
    };
    refuses(66, "nosuchbot", &["the player “nosuchbot”", "in PATH", "./nosuchbot", "built-in bots are random, greedy"]);
    refuses(66, "good", &["./good"]);
    refuses(66, "./nowhere", &["there is no file", "nowhere", "check the path"]);
    refuses(66, "far/nowhere --fast", &["there is no file"]);
    refuses(78, "./plain", &["not executable", "chmod +x", "interpreter first"]);
    refuses(78, "./far", &["is a directory: name the program in it"]);
    refuses(66, ".", &["in PATH"]);
    refuses(78, "./shebangless", &["no interpreter line", "#!/usr/bin/env python3"]);
    refuses(78, "./empty", &["no interpreter line"]);
    refuses(78, "./lost", &["/no/such/interpreter", "not there"]);
    refuses(78, "./windows", &["carriage return", "Unix line ends"]);
    refuses(78, "./marked", &["byte order mark"]);
    refuses(78, "./envless", &["no-such-python", "not in PATH"]);
    refuses(78, "./elf", &["damaged program"]);
    refuses(78, "/dev/null", &["no regular file"]);
    refuses(2, "./far/good 'x", &["is no command", "missing closing quote"]);
    refuses(2, "", &["a player is empty"]);
    refuses(2, "   ", &["a player is empty"]);
    refuses(2, "''", &["a player is empty"]);
    refuses(2, "random depth=3", &["option “depth=3” of random", "sleep, think"]);
}

#[test]
fn a_working_directory_that_cannot_be_entered_is_refused() {
    let place = Place::new();
    place.write("file", "");
    let refuses = |code: i32, dir: &str, words: &[&str]| {
        place.refuses(code, &format!("play alto-ahi random random {dir}"), words);
    };
    refuses(78, "--dir 0=nowhere", &["no working directory", "nowhere"]);
    refuses(78, "--dir 1=file", &["is no directory"]);
    for nonsense in ["nonsense", "=x", "0", "2=.", "-1=.", "x=.", "0.5=."] {
        refuses(2, &format!("--dir={nonsense}"), &["write the number of the player, from 0"]);
    }
}

#[test]
fn a_log_that_cannot_be_written_is_refused() {
    let place = Place::new();
    place.write("there.jsonl", "precious");
    place.write("folder/inside", "");
    let refuses = |log: &str, words: &[&str]| {
        place.refuses(74, &format!("play alto-ahi random random --log {log}"), words);
    };
    refuses("there.jsonl", &["there.jsonl is there already", "--force"]);
    refuses("nowhere/g.jsonl", &["the folder for the log nowhere/g.jsonl is not there: make it"]);
    refuses("there.jsonl/g.jsonl", &["cannot be written"]);
    refuses("folder", &["folder is a folder: name a file in it"]);
    refuses("folder --force", &["folder is a folder: name a file in it"]);
    // Opening a pipe would wait for whoever reads it.
    mknodat(CWD, place.path("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let _socket = UnixListener::bind(place.path("socket")).unwrap();
    for name in ["pipe", "pipe --force", "socket --force"] {
        refuses(name, &["is a pipe or a socket: name a file for the log"]);
    }
    assert_eq!(place.text("there.jsonl"), "precious");
    // Nobody writes there, not even the superuser.
    let ran = place.run("play alto-ahi random random --log /proc/g.jsonl").code(74).out(is_empty());
    ran.err(contains("/proc/g.jsonl cannot be written")).err(contains("is not there").not());
    if !rustix::process::getuid().is_root() {
        fs::set_permissions(place.path("folder"), fs::Permissions::from_mode(0o555)).unwrap();
        refuses("folder/g.jsonl", &["cannot be written", "denied"]);
        fs::set_permissions(place.path("folder"), fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn moves_that_are_not_legal_are_refused() {
    let place = Place::new();
    for (moves, words) in [
        ("e2 e9", "move 2 of --moves, e9: your pawn stands on e9 already"),
        ("e2 e8 e2", "move 3 of --moves"),
        ("e2 nonsense", "“nonsense” is not a move"),
        ("E2", "all in lower case"),
    ] {
        for command in ["legal alto-ahi", "perft alto-ahi 1"] {
            place.refuses(2, &format!("{command} --moves '{moves}'"), &[words]);
        }
    }
    place.refuses(2, "legal alto-ahi --set size=3 --set walls=0 --moves 'b2 a3 b3 a2'", &["no seat is to move"]);
    place.refuses(
        2,
        "legal alto-riesgo --moves roll",
        &["a chance step is due there; write its outcome as logs have it, such as"],
    );
    let opening = "play alto-ahi random random --opening";
    place.refuses(2, &format!("{opening} 'e2 e9'"), &["move 2 of the opening, “e9”: your pawn stands on e9 already"]);
    place.refuses(2, &format!("{opening} 'e2 nonsense'"), &["“nonsense” is not a move"]);
    let ends = "play alto-ahi random random --set size=3 --set walls=0 --opening";
    place.refuses(2, &format!("{ends} 'b2 a3 b3'"), &["to its end", "leave its last move out"]);
    place.refuses(2, &format!("{ends} 'b2 a3 b3 a2'"), &["to its end"]);
}

#[test]
fn times_and_counts_that_make_no_sense_are_refused() {
    let place = Place::new();
    let refuses = |option: &str, words: &[&str]| {
        place.refuses(2, &format!("play alto-ahi random random {option}"), words);
    };
    for clock in ["soon", "60", "60s+", "+1s", "60s+x", "''", "60s+1s+1s"] {
        refuses(&format!("--clock {clock}"), &["--clock", "write for example"]);
    }
    for (clock, words) in [
        ("0s", "“0s” leaves no time for the first move"),
        ("0s+1s", "“0s+1s” leaves no time for the first move"),
        ("60s/2s", "“2s” is neither a delay nor byo-yomi"),
        ("60s/0x1s", "byo-yomi has 1 to 1000 periods"),
        ("60s/d1s/d1s", "one too many"),
        ("unlimited/3x30s", "is not a time control"),
    ] {
        refuses(&format!("--clock {clock}"), &[&format!("--clock {clock}: "), words]);
    }
    refuses("--move-limit 0s", &["--move-limit 0s: nobody could move in no time"]);
    for option in ["--move-limit", "--startup", "--margin"] {
        for time in ["soon", "10", "''"] {
            refuses(&format!("{option} {time}"), &[option, "write for example 500ms"]);
        }
    }
    for option in ["--clock", "--move-limit", "--startup", "--margin"] {
        for time in ["-5s", "1us", "400000000h", "1500us"] {
            refuses(&format!("{option} {time}"), &[option, "in whole milliseconds, and at most a year"]);
            refuses(&format!("{option}={time}"), &[option, "in whole milliseconds, and at most a year"]);
        }
    }
    refuses("--clock 60s+-1s", &["at least 0"]);
    refuses("--games 0", &["--games", "0 is not in 1..=100000"]);
    refuses("--games -1", &["-1"]);
    refuses("--games many", &["many"]);
    refuses("--games 3 --swap", &["--games must be a multiple of 2"]);
    refuses("--swap", &["--games must be a multiple of 2"]);
    refuses("--strikes=-1", &["--strikes"]);
    refuses("--lenient x", &["--lenient"]);
    refuses("--cores-per-game 0", &["--cores-per-game"]);
    refuses("--cores-per-game 2 --no-pin", &["cannot be used with"]);
    refuses("--ponder maybe", &["stop", "allow"]);
}

#[test]
fn results_that_nobody_reads_are_no_panic() {
    let place = Place::new();
    place.run("play alto-ahi random random --set max_plies=2 -q --log g.jsonl").code(0);
    let arbitro = env!("CARGO_BIN_EXE_arbitro");
    let shell = |script: &str| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", script]).env("ARBITRO", arbitro).current_dir(place.folder());
        let output = assert_cmd::Command::from_std(shell).timeout(crate::support::PATIENCE).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    for line in [
        "rules alto-ahi",
        "legal alto-ahi",
        "games",
        "bot --list",
        "show g.jsonl",
        "verify --json g.jsonl g.jsonl",
        "play --help",
        "--help",
        "--version",
    ] {
        // The reader takes one line and goes; what is told of it on stderr must be nothing.
        let script = format!("({{ \"$ARBITRO\" {line}; echo \"code $?\" >&3; }} 2>&3 | head -n 1 >/dev/null) 3>&1");
        let told = shell(&script);
        assert!(matches!(told.as_str(), "code 0\n" | "code 74\n"), "{line}: {told}");
        let script = format!("\"$ARBITRO\" {line} >/dev/full 2>told; echo \"code $?\"; cat told");
        let told = shell(&script);
        assert!(
            !told.contains("panicked") && told.starts_with("code 74\narbitro: the output cannot be written"),
            "{line}: {told}"
        );
    }
    let told = shell(
        "\"$ARBITRO\" play alto-ahi random random --log m.jsonl --set max_plies=2 >/dev/full 2>told; echo \"code $?\"; cat told",
    );
    assert!(told.starts_with("code 74\n") && told.contains("the output cannot be written"), "{told}");
    place.run("verify m.jsonl").code(0);
    for line in [
        "play chess",
        "play alto-ahi '' random",
        "verify nowhere.jsonl",
        "legal alto-ahi --set size=3 --set walls=0 --moves 'b2 a3 b3'",
        "-v perft alto-ahi 1",
    ] {
        let told = shell(&format!("\"$ARBITRO\" {line} 2>/dev/full; echo \"code $?\""));
        assert!(["code 0\n", "code 2\n", "code 66\n"].iter().any(|code| told.ends_with(code)), "{line}: {told}");
    }
}
