//! Forged logs, with hashes that fit: what a replay finds, and that nothing makes it panic.

use std::panic::catch_unwind;
use std::sync::LazyLock;

use arbitro::record::verify::{Finding, verify};

use crate::forger::Forger;
use crate::support::Place;

/// A log with an opening, strikes of both kinds, faults of both kinds, seats that leave, and an end by the rules.
static RICH: LazyLock<Forger> = LazyLock::new(|| {
    let place = Place::new();
    place.write("seed", "7".repeat(64));
    let clumsy = place.bot("clumsy", "ready; ask; move=a9; answer; ask; answer; ask; move=a9; answer; play");
    let silent = place.bot("silent", "ready; ask; answer; ask; sleep 100");
    let line = format!("alto-ahi random {clumsy} {silent} random --seed-file seed --set size=5 --set walls=1");
    let game = place.play(&format!("{line} --opening 'c2 b3' --strikes 1 --move-limit 1s --set max_plies=24"));
    let shown = game.ran.shown();
    assert_eq!(game.faults(), ["1 illegal", "2 timeout", "2 timeout", "1 illegal"], "{shown}");
    Forger::new(&place.bytes("g.jsonl"))
});

/// A log of a game in which one seat of four never got ready.
static LAME: LazyLock<Forger> = LazyLock::new(|| {
    let place = Place::new();
    place.write("seed", "9".repeat(64));
    let absent = place.bot("absent", "exit 7");
    let line = format!("alto-ahi random {absent} random random --seed-file seed");
    let game = place.play(&format!("{line} --set size=5 --set walls=0 --set max_plies=12"));
    assert_eq!(game.faults(), ["1 exited"], "{}", game.ran.shown());
    Forger::new(&place.bytes("g.jsonl"))
});

/// What a replay finds in this log; nothing if it verifies.
fn found(forged: &Forger, what: &str) -> Option<Finding> {
    let log = forged.sealed();
    let outcome = catch_unwind(|| verify(&log));
    outcome.unwrap_or_else(|_| panic!("{what} made it panic:\n{}", forged.lines.join("\n"))).err()
}

/// The replay finds it, and says these words.
fn finds(forged: Forger, words: &str) {
    match found(&forged, words) {
        None => panic!("not found, though it should say “{words}”:\n{}", forged.lines.join("\n")),
        Some(finding) => {
            let said = finding.to_string();
            assert!(said.contains(words), "it says “{said}”, not “{words}”");
            assert!(!said.contains("sha256"), "the hashes fit: {said}");
        }
    }
}

#[test]
fn the_forger_knows_the_format() {
    for log in [&*RICH, &*LAME] {
        assert!(found(log, "nothing").is_none(), "what was not forged verifies");
        assert_eq!(Forger::new(&log.sealed()).lines, log.lines, "and has the hashes that the writer gave it");
    }
    let unsealed = RICH.clone().set(("host", 0), "at", "0").lines.join("\n") + "\n";
    let finding = verify(unsealed.as_bytes()).unwrap_err().to_string();
    assert!(finding.contains("sha256 should be"), "without new hashes even a note cannot be changed: {finding}");
    assert!(found(&RICH.clone().set(("host", 0), "at", "0"), "a note").is_none(), "with them it decides nothing");
}

#[test]
fn forged_moves_are_found() {
    let rich = || RICH.clone();
    let last = RICH.lines.iter().filter(|line| line.starts_with("{\"move\":")).count() - 1;
    finds(rich().set(("move", 2), "move", "\"c1\""), "cannot be played: c1 is");
    finds(rich().set(("move", 2), "move", "\"zz\""), "is not a move");
    finds(rich().set(("move", 2), "move", "\"d5\""), "the position should have the hash");
    finds(rich().set(("move", 0), "move", "\"d1\""), "the position should have the hash");
    finds(rich().set(("move", 2), "hash", "\"0123456789abcdef\""), "and the log says 0123456789abcdef");
    finds(rich().set(("move", 2), "hash", "\"0123\""), "the line cannot be read");
    finds(rich().set(("move", 2), "seat", "3"), "the seat to move should be 2");
    finds(rich().set(("move", 2), "ply", "4"), "the number of the ply should be 3");
    finds(rich().set(("move", 2), "turn", "7"), "turn 2 after turn 7");
    finds(rich().set(("move", 2), "turn", "0"), "turn 0 after turn 0");
    finds(rich().set(("move", 2), "turn", "18446744073709551615"), "turn 2 after turn 18446744073709551615");
    finds(rich().set(("move", 0), "turn", "1"), "the number of the turn of an opening move");
    finds(rich().change(("move", 2), "\"hash\"", "\"by\":\"opening\",\"hash\""), "the turn of an opening move");
    finds(rich().change(("move", 0), ",\"by\":\"opening\"", ""), "turn 0 after turn 0");
    finds(rich().change(("move", 2), "\"hash\"", "\"by\":\"strike\",\"hash\""), "whether the referee chose the move");
    finds(rich().change(("move", 5), ",\"by\":\"strike\"", ""), "whether the referee chose the move");
    finds(rich().remove(("move", last)), "the number of plies");
    finds(rich().remove(("move", last)).set(("end", 0), "plies", &last.to_string()), "the state at the end should be");
    let again = rich().lines[RICH.find("move", last)].clone();
    let mut longer = rich();
    longer.lines.insert(
        RICH.find("move", last) + 1,
        again.replace(&format!("\"ply\":{}", last + 1), &format!("\"ply\":{}", last + 2)),
    );
    finds(longer, "a move after the game was over");
}

#[test]
fn forged_draws_of_the_referee_are_found() {
    // The drawn move is a barrier: another one is as legal, and only the seed tells it.
    let drawn = RICH.get(("move", 5), "move");
    assert!(drawn.ends_with("h\"") || drawn.ends_with("v\""), "{drawn}");
    let other = if drawn == "\"a1h\"" { "\"a1v\"" } else { "\"a1h\"" };
    finds(RICH.clone().set(("move", 5), "move", other), "the move that the referee drew should be");
    let seed = RICH.get(("end", 0), "game_seed");
    let forged = format!("\"{}{}", if seed.starts_with("\"0") { '1' } else { '0' }, &seed[2..]);
    finds(RICH.clone().set(("end", 0), "game_seed", &forged), "the move that the referee drew should be");
}

#[test]
fn forged_dice_are_found() {
    let place = Place::new();
    place.write("seed", "3".repeat(64));
    place.play("alto-riesgo random random random --seed-file seed");
    let log = Forger::new(&place.bytes("g.jsonl"));
    assert!(found(&log, "nothing").is_none());
    let rolls = log.lines.iter().filter(|line| line.starts_with("{\"chance\":")).count();
    assert!(rolls >= 10, "{rolls}");
    for roll in 0..rolls.min(10) {
        let outcome = log.get(("chance", roll), "outcome");
        let other = if outcome.starts_with("\"A") { 'D' } else { 'A' };
        let forged = format!("\"{other}{}", &outcome[2..]);
        finds(log.clone().set(("chance", roll), "outcome", &forged), "what the revealed seed draws should be");
        assert!(found(&log.clone().remove(("chance", roll)), "a lost roll").is_some());
    }
    finds(log.clone().set(("chance", 0), "outcome", "\"AA\""), "what the revealed seed draws should be");
    finds(log.clone().set(("chance", 0), "outcome", "7"), "what the revealed seed draws should be");
    // A seed that is not the one committed to draws something else, or is found at the end.
    let other = format!("\"{}\"", "ab".repeat(32));
    finds(log.clone().set(("end", 0), "game_seed", &other), "should be");
    // Where the seed is hidden, as in a game that was stopped, dice must at least be possible.
    let last = log.find("end", 0);
    let mut stopped = log.clone();
    stopped.lines.drain(stopped.find("move", 5)..last);
    let stopped = stopped.set(("end", 0), "plies", "5").set(("end", 0), "ranks", "null");
    let stopped = stopped.set(("end", 0), "result", "\"aborted\"").set(("end", 0), "reason", "\"interrupted\"");
    let stopped = stopped.set(("end", 0), "game_seed", "null").set(("end", 0), "bot_seeds", "null");
    finds(stopped.clone().set(("chance", 2), "outcome", "\"AAAAAAAAAAAA\""), "is not possible");
    finds(stopped, "the state at the end should be");
}

#[test]
fn forged_clocks_are_found() {
    let rich = || RICH.clone();
    let number = |line: (&str, usize), key: &str| RICH.get(line, key).parse::<u64>().unwrap();
    let shifted = |line: (&'static str, usize), key: &str, by: i64| {
        rich().set(line, key, &number(line, key).checked_add_signed(by).unwrap().to_string())
    };
    let mv = ("move", 3);
    for by in [-1, 1] {
        finds(shifted(mv, "sent", by), "the time left in ns should be");
        finds(shifted(mv, "got", by), "the time left in ns should be");
        finds(shifted(mv, "left", by), "the time left in ns should be");
    }
    finds(rich().set(mv, "left", "null"), "the time left in ns should be");
    finds(rich().change(mv, ",\"left\"", ",\"overrun\":5,\"left\""), "the overrun in ns should be 0");
    finds(rich().set(mv, "sent", "1"), "times run backwards");
    let late = number(mv, "sent") + 1_000_000_001;
    finds(rich().set(mv, "got", &late.to_string()), "ms, which is more than the clock allowed, and no fault is logged");
    finds(rich().change(mv, ",\"host\"", ",\"nowhere\""), "the move has no times");
    // A drawn move has the times of its fault: other ones would give its seat time back.
    let drawn = ("move", 6);
    finds(shifted(drawn, "got", 1), "the time of a drawn move");
    finds(rich().set(drawn, "sent", &RICH.get(drawn, "got")), "the time of the question of a drawn move should be");
    finds(rich().set(drawn, "sent", "0"), "the time of the question of a drawn move should be");
    finds(rich().change(drawn, ",\"left\"", ",\"overrun\":5,\"left\""), "the overrun in ns should be 0");
}

#[test]
fn forged_faults_are_found() {
    let rich = || RICH.clone();
    let (struck, late, late_again, illegal) = (("fault", 0), ("fault", 1), ("fault", 2), ("fault", 3));
    finds(rich().remove(late), "whether the referee chose the move");
    finds(rich().remove(late_again), "seat 2 leaves without a fault");
    finds(rich().remove(("leave", 0)), "the seat to move should be 2");
    finds(rich().set(("leave", 0), "seat", "3"), "seat 3 leaves without a fault");
    finds(rich().set(("leave", 0), "hash", "\"0123456789abcdef\""), "should have the hash");
    finds(rich().set(illegal, "found", "\"c3\""), "the move c3 was refused, and is legal");
    finds(rich().change(illegal, ",\"found\":\"a9\"", ""), "the refused move is missing");
    finds(rich().set(illegal, "seat", "0"), "the seat to move should be 1");
    finds(rich().set(illegal, "seat", "2"), "a fault of seat 2, which is not in the game");
    finds(rich().set(illegal, "turn", "13"), "turn 13 after turn 11");
    finds(rich().set(illegal, "turn", "0"), "a fault of the start in the middle of the game");
    finds(rich().change(illegal, ",\"host\"", ",\"tolerated\":true,\"host\""), "more faults of seat 1 are tolerated");
    finds(rich().change(struck, ",\"tolerated\":true", ""), "seat 1 had strikes left");
    finds(rich().change(late, ",\"tolerated\":true", ""), "whether the referee chose the move");
    finds(rich().set(late, "kind", "\"exited\""), "a fault of the kind exited is never tolerated");
    finds(rich().set(late, "kind", "\"startup\""), "the kind startup cannot be charged at turn");
    finds(rich().set(late, "kind", "\"not_started\""), "the kind not_started cannot be charged at turn");
    for kind in ["timeout", "illegal", "resigned"] {
        let forged = LAME.clone().set(("fault", 0), "kind", &format!("\"{kind}\""));
        finds(forged, &format!("the kind {kind} cannot be charged at turn 0"));
    }
    finds(rich().set(late, "kind", "\"tired\""), "the line cannot be read");
    let sent: u64 = RICH.get(late_again, "sent").parse().unwrap();
    let too_early = (sent + 1_000_000_000).to_string();
    finds(rich().set(late_again, "at", &too_early), "a timeout at a moment at which the time was not over");
    finds(rich().set(late_again, "sent", "1"), "times run backwards");
    finds(rich().change(late_again, &format!(",\"sent\":{sent}"), ""), "a timeout at a moment");
    finds(rich().change(late_again, ",\"host\"", ",\"nowhere\""), "the fault has no times");
    finds(rich().set(illegal, "at", "1"), "times run backwards");
    // A fault of the start cannot be repeated later, neither in the game nor after its end.
    let absent = LAME.lines[LAME.find("fault", 0)].clone();
    let left = LAME.lines[LAME.find("leave", 0)].clone();
    for place in [LAME.find("move", 2), LAME.find("end", 0)] {
        let mut forged = LAME.clone();
        forged.lines.splice(
            place..place,
            [absent.replace("\"seat\":1", "\"seat\":2"), left.replace("\"seat\":1", "\"seat\":2")],
        );
        finds(forged, "a fault of the start in the middle of the game");
    }
    finds(LAME.clone().set(("fault", 0), "seat", "0"), "seat 1 leaves without a fault");
}

#[test]
fn forged_results_are_found() {
    let rich = || RICH.clone();
    let end = ("end", 0);
    finds(rich().set(end, "ranks", "[1,2,3,4]"), "the outcome should be");
    finds(rich().set(end, "ranks", "[2,3,4,1,1]"), "the line cannot be read");
    finds(rich().set(end, "ranks", "null"), "the outcome should be");
    finds(rich().set(end, "reason", "\"max_plies\""), "the outcome should be");
    finds(rich().set(end, "reason", "\"tired\""), "no game ends by “tired”");
    finds(rich().set(end, "plies", "20"), "the number of plies should be 21");
    finds(rich().change(end, "\"turn\":null", "\"turn\":1"), "the state at the end should be");
    let ended = |result: &str, reason: &str| {
        rich().set(end, "result", result).set(end, "ranks", "null").set(end, "reason", reason)
    };
    finds(ended("\"none\"", "\"nobody_ready\""), "the outcome should be");
    finds(ended("\"aborted\"", "\"interrupted\""), "the game had a result, and the log says aborted");
    finds(ended("\"void\"", "\"infrastructure\""), "the game had a result, and the log says void");
    finds(ended("\"void\"", "\"interrupted\""), "no game is void with this reason");
    finds(ended("\"aborted\"", "\"goal\""), "no game is aborted with this reason");
    // With two seats a fault ends the game, and no word at the end changes that.
    let place = Place::new();
    let quitter = place.bot("quitter", "ready; ask; answer; ask; exit 1");
    place.play(&format!("alto-ahi {quitter} random"));
    let lost = Forger::new(&place.bytes("g.jsonl"));
    finds(lost.clone().set(end, "ranks", "[1,2]"), "the outcome should be");
    let saved = lost.set(end, "result", "\"aborted\"").set(end, "ranks", "null").set(end, "reason", "\"interrupted\"");
    finds(saved, "the game had a result, and the log says aborted");
}

#[test]
fn forged_seeds_are_found() {
    let rich = || RICH.clone();
    let end = ("end", 0);
    finds(rich().set(end, "game_seed", "null"), "the number of revealed bot seeds should be 0");
    finds(rich().set(end, "bot_seeds", "null"), "the number of revealed bot seeds should be 4");
    finds(rich().set(end, "game_seed", "null").set(end, "bot_seeds", "null"), "does not reveal its seed");
    let seeds = RICH.get(end, "bot_seeds");
    let fewer = format!("{}]", &seeds[..seeds.rfind(',').unwrap()]);
    finds(rich().set(end, "bot_seeds", &fewer), "the number of revealed bot seeds should be 4");
    finds(rich().set(end, "game_seed", "\"0\""), "the line cannot be read");
    // Where nothing was drawn, only the commitment tells the seed.
    let drawless = || LAME.clone();
    let other = format!("\"{}\"", "ab".repeat(32));
    finds(drawless().set(end, "game_seed", &other), "the commitment should be");
    finds(drawless().set(("header", 0), "commitment", &other), "the commitment should be");
    finds(drawless().set(("header", 0), "game_id", "\"game-000002\""), "the commitment should be");
}

#[test]
fn forged_headers_are_found() {
    let rich = || RICH.clone();
    let header = ("header", 0);
    finds(rich().set(header, "size", "7"), "line 2, ply 1");
    finds(rich().set(header, "size", "4"), "line 1, ply 0: size: 4 squares");
    finds(rich().set(header, "walls", "2"), "should have the hash");
    finds(rich().set(header, "walls", "null"), "the options in force should be");
    finds(rich().set(header, "max_plies", "20"), "a move after the game was over");
    finds(rich().set(header, "strikes", "0"), "more faults of seat 1 are tolerated");
    finds(rich().set(header, "strikes", "2"), "seat 1 had strikes left");
    finds(rich().set(header, "bank_ms", "60001"), "the time left in ns");
    finds(rich().set(header, "increment_ms", "0"), "the time left in ns");
    finds(rich().set(header, "move_limit_ms", "1100"), "a timeout at a moment");
    finds(rich().set(header, "players", "[\"a\",\"b\"]"), "ply");
    finds(rich().set(header, "players", "[\"a\",\"b\",\"c\"]"), "line 1, ply 0: seats");
    finds(rich().set(header, "players", "[]"), "line 1, ply 0: seats");
    finds(rich().set(header, "players", "[\"a\",\"b\",\"c\",\"d\",\"e\"]"), "its header cannot be read");
    finds(rich().set(header, "rules", "2"), "version 2 of the rules");
    finds(rich().set(header, "format", "0"), "a log of format 0");
    finds(rich().change(header, "\"format\"", "\"former\""), "missing field `format`");
}

#[test]
fn a_forged_log_is_told_by_file_line_and_ply() {
    let place = Place::new();
    place.write("forged.jsonl", RICH.clone().set(("move", 3), "left", "1").sealed());
    let line = RICH.find("move", 3) + 1;
    let words = format!("forged.jsonl: line {line}, ply 4: the time left in ns should be");
    place.run("verify forged.jsonl").code(1).says(&[&words]);
    let row = place.run("verify --json forged.jsonl").code(1).rows().remove(0);
    assert_eq!(
        (&row["verdict"], row["line"].as_u64(), row["ply"].as_u64()),
        (&"differs".into(), Some(line as u64), Some(4))
    );
    place.refuses(1, "show forged.jsonl", &[&words]);
    place.run("show forged.jsonl --ply 3").code(0).says(&["ply 3: seat 2 played c4"]);
    // What no result can be printed from is no panic.
    place.write("ranks.jsonl", LAME.clone().set(("header", 0), "players", "[\"a\",\"b\"]").sealed());
    place.run("show ranks.jsonl").code(1);
}

#[test]
fn every_number_that_is_forged_is_found_or_decides_nothing() {
    // What the log cannot prove: limits that nobody reached, moments that no clock decided by, and what the time of a slow
    // answer was spent on.
    let spent = |key: &str| ["from", "cpu", "wait", "referee_wait"].contains(&key);
    let allowed = |tag: &str, key: &str| match tag {
        "host" => true,
        "header" => [
            "line_bytes",
            "output_bytes",
            "unasked_lines",
            "info_bytes",
            "stderr_bytes",
            "memory_bytes",
            "processes",
            "open_files",
            "file_bytes",
            "cpu_ms",
            "lenient",
            "startup_ms",
            "move_limit_ms",
            "margin_ms",
            "max_plies",
            "repetition",
            "cores",
        ]
        .contains(&key),
        "move" => spent(key),
        "fault" => spent(key) || ["at", "sent"].contains(&key),
        "end" => key == "at",
        _ => false,
    };
    for log in [&*RICH, &*LAME] {
        for place in 0..log.lines.len() {
            let line = &log.lines[place];
            let tag = line[2..].split('"').next().unwrap();
            let strikes_are_used = log.lines.iter().any(|line| line.contains("\"tolerated\":true"));
            for (start, end, key) in numbers(line) {
                let number: u64 = line[start..end].parse().unwrap();
                let near = [number.wrapping_add(1), number.wrapping_sub(1), 0, 3, u64::MAX];
                let texts = near.iter().map(u64::to_string).chain(["-1", "null"].map(str::to_owned));
                for text in texts.filter(|text| *text != line[start..end]) {
                    let mut forged = log.clone();
                    forged.lines[place].replace_range(start..end, &text);
                    let what = format!("{key} of {tag} set to {text}");
                    let passes = found(&forged, &what).is_none();
                    assert!(
                        !passes || allowed(tag, key) || key == "strikes" && !strikes_are_used,
                        "{what} passes in line {}: {line}",
                        place + 1
                    );
                }
            }
        }
    }
}

/// The numbers of a line that stand in no text: where each begins and ends, and the key that it is, or stands below.
fn numbers(line: &str) -> Vec<(usize, usize, &str)> {
    let (mut found, mut key, mut place) = (Vec::new(), "", 0);
    let bytes = line.as_bytes();
    while place < bytes.len() {
        let start = place;
        match bytes[place] {
            b'"' => {
                place += 1;
                while bytes[place] != b'"' {
                    place += 1 + usize::from(bytes[place] == b'\\');
                }
                if bytes.get(place + 1) == Some(&b':') {
                    key = &line[start + 1..place];
                }
            }
            b'0'..=b'9' => {
                while bytes[place + 1].is_ascii_digit() {
                    place += 1;
                }
                found.push((start, place + 1, key));
            }
            _ => {}
        }
        place += 1;
    }
    found
}

#[test]
fn lines_that_are_lost_doubled_or_moved_are_found_although_the_hashes_fit() {
    for log in [&*RICH, &*LAME] {
        let is_note = |place: usize| log.lines[place].starts_with("{\"host\":");
        for place in (0..log.lines.len()).filter(|&place| !is_note(place)) {
            let mut lost = log.clone();
            let line = lost.lines.remove(place);
            assert!(found(&lost, "a lost line").is_some(), "lost: {line}");
            for to in 0..log.lines.len() {
                let mut moved = lost.clone();
                moved.lines.insert(to, line.clone());
                let between = to.min(place)..=to.max(place);
                let passes = found(&moved, "a moved line").is_none();
                assert!(!passes || between.filter(|&other| other != place).all(is_note), "moved to {}: {line}", to + 1);
                let mut doubled = log.clone();
                doubled.lines.insert(to, line.clone());
                assert!(found(&doubled, "a doubled line").is_some(), "again as line {}: {line}", to + 1);
            }
        }
    }
}
