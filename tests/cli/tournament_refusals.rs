//! What no tournament can be made of is refused before anything is made or started: one clear line, and its exit code.

use predicates::prelude::*;
use predicates::str::contains;

use crate::support::Place;
use crate::tournament::{THREE, cup};

/// Refuses this file, with a line that begins with its name and the number of a line.
fn refuses(place: &Place, code: i32, text: &str, words: &[&str]) {
    place.write("cup.toml", text);
    for command in ["run --out o", "run --dry-run"] {
        place.refuses(code, command, words);
    }
}

fn two(format: &str, more: &str) -> String {
    cup(format, more, &THREE[..2])
}

const ROUND_ROBIN: &str = "kind = \"round-robin\"";

#[test]
fn a_file_that_cannot_be_read_is_refused() {
    let place = Place::new();
    place.write("binary.toml", b"game = \"\xff\"");
    place.refuses(66, "run nowhere.toml --out o", &["nowhere.toml cannot be read"]);
    place.refuses(66, "run --out o", &["cup.toml cannot be read"]);
    place.refuses(66, "run . --out o", &[". is a folder: name the tournament's file in it"]);
    place.refuses(65, "run binary.toml --out o", &["binary.toml is not UTF-8"]);
    place.refuses(65, "run /dev/zero --out o", &["/dev/zero is too long"]);
    place.write("cup.toml", two(ROUND_ROBIN, ""));
    place.refuses(2, "run cup.toml", &["--out"]);
    place.refuses(2, "run cup.toml --out o --concurrency -1", &["-1 is not in 1..=10000"]);
    place.refuses(2, "run cup.toml --out o --concurrency 0", &["0 is not in 1..=10000"]);
    place.refuses(2, "run cup.toml --dry-run=later", &["[possible values: plan, try]"]);
}

#[test]
fn what_is_wrong_in_the_file_is_told_by_line_and_key() {
    let place = Place::new();
    refuses(&place, 78, "game = \"alto-ahi\"\nseats 2\n", &["cup.toml:2: this is no TOML"]);
    refuses(
        &place,
        78,
        &two("kind = \"round-robin\"\nruonds = 2", ""),
        &["cup.toml:7: unknown key `ruonds` in [format]: did you mean `rounds`?"],
    );
    refuses(&place, 78, &two(ROUND_ROBIN, "options.sise = 7"), &["cup.toml:4: this is no TOML"]);
    refuses(
        &place,
        78,
        &two(ROUND_ROBIN, "limits.memroy = 7"),
        &["cup.toml:4: unknown limit `memroy`: did you mean `memory`?"],
    );
    refuses(&place, 78, &two(ROUND_ROBIN, "clock.margin = \"-1s\""), &["cup.toml:4: clock.margin: ", "at least 0"]);
    refuses(&place, 78, &two(ROUND_ROBIN, "seats = 4"), &["cup.toml:4: seats: with 4 seats the bots meet in pods"]);
    refuses(&place, 78, &two("kind = \"pods\"", ""), &["cup.toml:5: format: pods needs 4 bots or more"]);
    refuses(
        &place,
        78,
        &cup("kind = \"match\"\nsets = 2", "", &THREE),
        &["a match is between two bots, and there are 3"],
    );
    refuses(
        &place,
        78,
        &cup(ROUND_ROBIN, "", &[]),
        &["cup.toml:1: bots: two bots at least are needed, and there is none"],
    );
    refuses(&place, 78, &cup(ROUND_ROBIN, "", &THREE[..1]), &["cup.toml:7: bots: two bots at least", "there is one"]);
    let twice = [THREE[0], ("ada", "[\"random\"]")];
    refuses(
        &place,
        78,
        &cup(ROUND_ROBIN, "", &twice),
        &["cup.toml:11: bots.name: “ada” is called so already in line 8"],
    );
}

#[test]
fn a_bot_that_cannot_be_started_is_told_by_its_line() {
    let place = Place::new();
    place.write("plain/bot.py", "print()\n");
    place.write("plain/run", "#!/bin/sh\n");
    let bot = |code: i32, rest: &str, words: &[&str]| {
        refuses(&place, code, &cup(ROUND_ROBIN, "", &[THREE[0], ("bob", rest)]), words);
    };
    bot(
        66,
        "[\"gredy\"]",
        &["cup.toml:12: bots.command: “bob” cannot be started: there is no program \"gredy\" in PATH", "greedy"],
    );
    bot(
        78,
        "[\"greedy\", \"depth=2\"]",
        &["cup.toml:12: bots.command: option “depth=2” of greedy: there is no such key"],
    );
    bot(78, "[\"odds\"]", &["cup.toml:12: bots.command: odds does not play alto-ahi with 2 seats"]);
    bot(
        66,
        "[\"./run\"]",
        &["cup.toml:12: bots.command: “bob” cannot be started: there is no file ", "counts from bots.dir"],
    );
    bot(
        78,
        "[\"./run\"]\ndir = \"plain\"",
        &["“bob” cannot be started: ", "plain/run\" is not executable: run chmod +x"],
    );
    bot(66, "[\"random\"]\ndir = \"nowhere\"", &["cup.toml:13: bots.dir: ", "nowhere is no folder that is there"]);
    bot(66, "[\"random\"]\ndir = \"plain/run\"", &["cup.toml:13: bots.dir: ", "is no folder that is there"]);
    bot(
        66,
        "[\"random\"]\ndir = \"plain\"\nfiles = [\"run\", \"net\"]",
        &["cup.toml:14: bots.files: ", "plain/net cannot be read"],
    );
    bot(
        78,
        "[\"random\"]\nfiles = [\"plain\"]",
        &["cup.toml:13: bots.files: ", "plain is a folder: name the files in it"],
    );
    bot(66, "[\"random\"]\nread = [\"net\"]", &["cup.toml:13: bots.read: ", "net cannot be read"]);
    bot(66, "[\"random\"]\nwrite = [\"out\"]", &["cup.toml:13: bots.write: ", "out cannot be read"]);
    bot(78, "[\"sh\"]\nenv = { \"A=B\" = \"1\" }", &["cup.toml:13: bots.env.A=B: this cannot name a variable"]);
}

#[test]
fn a_seed_that_is_none_is_refused() {
    let place = Place::new();
    place.write("short.hex", "abc");
    let seed = |file: &str| two(ROUND_ROBIN, &format!("seed_file = \"{file}\""));
    refuses(
        &place,
        65,
        &seed("short.hex"),
        &["cup.toml:4: seed_file: ", "short.hex is not a seed: expected 64 hex digits"],
    );
    refuses(&place, 65, &seed("/dev/zero"), &["cup.toml:4: seed_file: /dev/zero is too long"]);
    refuses(&place, 74, &seed("."), &["cup.toml:4: seed_file: ", "cannot be read"]);
    refuses(&place, 74, &seed("nowhere/seed.hex"), &["cup.toml:4: seed_file: ", "cannot be made"]);
}

#[test]
fn openings_that_cannot_be_played_are_refused() {
    let place = Place::new();
    place.write("bad.txt", "# two\nc2 c4\nc2 c4 z9 # no\n");
    place.write("empty.txt", "# nothing\n");
    place.write("unseen.txt", "c2 c4\nc2 \u{feff}c4\n");
    let openings = |lines: &str| two(ROUND_ROBIN, &format!("[openings]\n{lines}"));
    refuses(&place, 65, &openings("file = \"bad.txt\""), &["bad.txt:3: move 3 of the opening, “z9”: "]);
    refuses(&place, 65, &openings("file = \"unseen.txt\""), &["unseen.txt:2: move 2 of the opening, “\\u{feff}c4”: "]);
    refuses(&place, 65, &openings("file = \"empty.txt\""), &["empty.txt: there is no opening in it"]);
    refuses(&place, 66, &openings("file = \"nowhere.txt\""), &["cup.toml:5: openings.file: ", "cannot be read"]);
    refuses(
        &place,
        78,
        &openings("plies = 1\ncount = 90\nbalance = false"),
        &["cup.toml:4: openings: only ", "take a smaller `count`"],
    );
    let dice = openings("plies = 1\ncount = 2").replace("alto-ahi", "alto-riesgo").replace("size = 5, walls = 2", "");
    refuses(&place, 78, &dice, &["cup.toml:4: openings: alto-riesgo begins with luck", "leave [openings] out"]);
}

#[test]
fn more_games_at_once_than_can_be_are_refused() {
    let place = Place::new();
    place.write("cup.toml", two(ROUND_ROBIN, "run.concurrency = 9999"));
    place.refuses(78, "run --out o", &["9999 games at once need ", "ask for at most "]);
}

#[test]
fn where_a_bot_does_not_start_nothing_begins() {
    let place = Place::new();
    let ends = place.bot("ends", "echo 'no weights found' >&2; exit 3");
    let hangs = place.bot("hangs", "sleep 100");
    let bots = [
        ("ada", "[\"greedy\"]"),
        ("bob", &*format!("[\"{ends}\"]")),
        ("cy", &*format!("[\"{hangs}\"]")),
        ("di", "[\"random\"]"),
        ("eve", "[\"random\"]"),
    ];
    place.write("cup.toml", cup(ROUND_ROBIN, "clock.startup = \"1s\"", &bots));
    let before = place.files();
    let ran = place.run("run --out o").code(78).out(predicates::str::is_empty());
    let lines: Vec<String> =
        ran.stderr().lines().filter(|line| line.starts_with("arbitro: ")).map(str::to_owned).collect();
    assert_eq!(lines.len(), 2, "one line each: {}", ran.shown());
    let says = |line: &str, words: &[&str]| assert!(words.iter().all(|word| line.contains(word)), "{line}");
    says(&lines[0], &["cup.toml:12: bots.command: “bob” does not start: ", "stderr: no weights found"]);
    says(&lines[1], &["cup.toml:15: bots.command: “cy” does not start: "]);
    assert_eq!(place.files(), before, "neither folder nor seed were made");
    place.is_empty_of_processes();
    // Alone it gets a line as any other refusal does.
    place.write("cup.toml", cup(ROUND_ROBIN, "", &bots[..2]));
    place.refuses(78, "run --out o", &["“bob” does not start: ", "stderr: no weights found"]);
    place.refuses(78, "run --dry-run=try", &["“bob” does not start: "]);
}

#[test]
fn nothing_begins_in_a_folder_that_is_there_either() {
    let place = Place::new();
    let dumb = place.bot("dumb", "echo no weights found >&2; exit 1");
    place.write("cup.toml", cup(ROUND_ROBIN, "", &[("ada", "[\"random\"]"), ("bob", &format!("[\"{dumb}\"]"))]));
    place.write("o/events.jsonl", "");
    place.refuses(78, "run --out o --events o/events.jsonl", &["“bob” does not start: "]);
    assert!(!place.path("o/plan.jsonl").exists(), "{:?}", place.files());
    // What is mended is no changed bot then.
    place.bot("dumb", "ready; play");
    place.run("run --out o --events o/events.jsonl -q").code(0);
    // The file may lie in a folder that the tournament makes.
    place.run("run --out p --events p/events.jsonl -q").code(0);
    assert_eq!(place.logged("p/events.jsonl", "ended").len(), 1);
}

#[test]
fn luck_is_carried_from_no_game_to_the_next() {
    let place = Place::new();
    place.write("w/notes.txt", "");
    let lucky = |orders: &str, rest: &str| {
        let bots = [("ada", "[\"random\"]"), ("bob", &*format!("[\"sh\", \"bob.sh\"]\n{rest}"))];
        let format = format!("kind = \"round-robin\"\norders = \"{orders}\"");
        let text = cup(&format, "", &bots).replace("options = { size = 5, walls = 2 }\n", "");
        place.write("cup.toml", text.replace("alto-ahi", "alto-riesgo").replace("game", "seats = 2\ngame"));
    };
    place.write("bob.sh", "exit 1");
    let shared = "the games of a set share their luck, and what a bot writes down in one it could read in the next";
    lucky("turns", "write = [\"w\"]");
    place.refuses(78, "run --dry-run", &["cup.toml:14: bots.write: ", shared, "limits.scratch", "orders = \"one\""]);
    lucky("one", "write = [\"w\"]");
    place.run("run --dry-run").code(0);
    let could = contains("bob could carry luck from one game to the next");
    lucky("turns", "network = true");
    place.run("run --dry-run").code(0).err(could.clone());
    lucky("turns", "");
    place.run("run --dry-run").code(0).err(could.clone().not());
    lucky("turns", "[run]\nsandbox = \"off\"");
    place.run("run --dry-run").code(0).err(could.clone());
    // Where there is no luck there is nothing to carry.
    place.write("cup.toml", cup(ROUND_ROBIN, "", &[("ada", "[\"random\"]"), ("bob", "[\"random\"]\nwrite = [\"w\"]")]));
    place.run("run --dry-run").code(0);
    let match_of =
        |more: &str| place.run(&format!("play alto-riesgo random 'sh bob.sh' --games 2 --swap --log m.jsonl {more}"));
    match_of("--write 1=w --force").err(could.clone());
    match_of("--force").err(could.not());
}

#[test]
fn a_folder_or_a_file_that_holds_something_else_is_left_alone() {
    let place = Place::new();
    place.write("cup.toml", two(ROUND_ROBIN, ""));
    place.write("seed.hex", "0".repeat(64));
    place.write("full/mine.txt", "mine");
    place.refuses(78, "run --out full", &["full/mine.txt: it belongs to no tournament"]);
    place.refuses(65, "run --out o --events cup.toml", &["--events cup.toml: this file holds something else"]);
    place.refuses(74, "run --out o --events nowhere/e.jsonl", &["--events nowhere/e.jsonl: it cannot be written"]);
    place.refuses(74, "init", &["cup.toml is there already: name another file, or give --force"]);
    place.refuses(74, "init full", &["full is a folder: name a file in it"]);
    place.refuses(74, "init nowhere/cup.toml", &["nowhere/cup.toml cannot be written"]);
    place.refuses(66, "status full", &["full: there is no tournament here"]);
    place.refuses(66, "status nowhere", &["nowhere: there is no tournament here"]);
}

#[test]
fn a_file_that_would_be_in_the_way_of_a_tournament_is_not_made() {
    let place = Place::new();
    place.write("cup.toml", two(ROUND_ROBIN, ""));
    place.write("seed.hex", "0".repeat(64));
    std::fs::create_dir(place.path("there")).unwrap();
    let whole = place.folder().display();
    for (out, events) in [
        ("new", "new/ev.jsonl".to_owned()),
        ("new", "./new/plan-0002.jsonl".to_owned()),
        ("./there", "there/ev.jsonl".to_owned()),
        ("there", format!("{whole}/there/games/events.jsonl")),
    ] {
        let words = [&*events, "it would be in the way of the tournament", "events.jsonl, or one elsewhere"];
        place.refuses(2, &format!("run --out {out} --events {events}"), &words);
    }
    // However the path of one that may lie there is written, it is found there again.
    for (out, events) in [("a", "./a/events.jsonl"), ("./b", "b/events.jsonl"), ("c", &format!("{whole}/c/events.x"))] {
        place.run(&format!("run --out {out} --events {events} -q")).code(0);
        place.run(&format!("run --out {out} --events {events} -q")).code(0);
        assert_eq!(place.logged(events, "ended").len(), 2);
    }
    let in_the_way = |line: &str, instead: &str| {
        place.refuses(2, line, &["it would be in the way of the tournament", instead, "elsewhere"]);
    };
    in_the_way("run --out d --events a/d.jsonl", "/a/events.jsonl, or one ");
    in_the_way("report a -o a/page.html", "/a/report.html, or one ");
    in_the_way("report b -o ./a/page.html --force", "/a/report.html, or one ");
    in_the_way("init a/other.toml", "/a/cup.toml, or one ");
    in_the_way("play alto-ahi random random --log a/game.jsonl", ": name one ");
    in_the_way("check random --junit a/junit.xml", "/a/report.xml, or one ");
    place.write("other.toml", two(ROUND_ROBIN, "seed_file = \"a/master.hex\""));
    let words = ["other.toml:4: seed_file: ", "/a/master.hex: it would be in the way", "/a/seed.hex, or one elsewhere"];
    place.refuses(78, "run other.toml --dry-run", &words);
    place.run("report a -o a/report.html").code(0);
    place.run("run --out a -q").code(0);
}

#[test]
fn where_no_folder_can_be_that_is_said() {
    let place = Place::new();
    place.write("cup.toml", two(ROUND_ROBIN, ""));
    place.write("seed.hex", "0".repeat(64));
    place.refuses(78, "run --out cup.toml", &["cup.toml: it is no folder: name a new or an empty one"]);
    place.refuses(78, "run --out cup.toml/o", &["cup.toml/o: it is no folder"]);
    place.refuses(74, "run --out /proc/o", &["/proc/o: it cannot be made: ", "; name a folder elsewhere"]);
}

#[test]
fn a_dash_is_no_file() {
    let place = Place::new();
    place.write("cup.toml", two(ROUND_ROBIN, ""));
    place.write("seed.hex", "0".repeat(64));
    for line in [
        "init -",
        "report o -o -",
        "run --out o --events -",
        "play alto-ahi random random --log -",
        "check random --junit -",
    ] {
        place.refuses(2, line, &["- does not stand for the output here: name a file"]);
    }
}

#[test]
fn a_file_of_a_tournament_that_fails_is_no_bad_input() {
    let place = Place::new();
    place.write("cup.toml", two(ROUND_ROBIN, ""));
    place.run("run --out o -q").code(0);
    for name in ["journal.jsonl", "plan.jsonl"] {
        let path = place.path(&format!("o/{name}"));
        let kept = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        let words = [&*format!("o/{name}: it cannot be read: "), "directory"];
        ["run --out o", "status o", "standings o"].iter().for_each(|line| place.refuses(74, line, &words));
        std::fs::remove_dir(&path).unwrap();
        std::fs::write(&path, kept).unwrap();
    }
}

#[test]
fn a_byte_order_mark_before_a_file_is_passed_over() {
    let place = Place::new();
    let text = two(ROUND_ROBIN, "[openings]\nfile = \"openings.txt\"");
    place.write("cup.toml", format!("\u{feff}{text}"));
    place.write("seed.hex", format!("\u{feff}{}\r\n", "0".repeat(64)));
    place.write("openings.txt", "\u{feff}c2 c4\r\nc2 b5\r\n");
    place.run("run --dry-run").code(0).says(&["\nopenings    2\n"]);
    place.write("options.json", "\u{feff}{\"size\":5,\"walls\":2}\r\n");
    place.run("play alto-ahi random random --options options.json --seed-file seed.hex --log g.jsonl -q").code(0);
}
