//! Sections 12 and 13: the two hashes, computed here from the text alone, and what a checker finds in a forged log.

use arbitro::chance::Hex32;
use arbitro::clock::Span;
use arbitro::protocol::limits::Limits;
use arbitro::record::verify::{Finding, verify};
use arbitro::referee::Event;
use arbitro::seat::Seat;
use proptest::prelude::*;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::arena::{Arena, draws, setup};
use crate::document::lines;

/// Computes both hashes of a log anew, as section 12 says, and puts them into its end line.
fn sealed(lines: &[String]) -> String {
    let mut game = Sha256::new();
    let mut log = String::new();
    for line in lines {
        match (end_parts(line), line.split_once(",\"host\":{")) {
            (Some((start, host)), _) => {
                game.update(start);
                log += &format!("{start},\"game_sha256\":\"{}\",\"host\":{host}", hex(game.clone()));
                let digest = hex(Sha256::new().chain_update(&log));
                log += &format!(",\"sha256\":\"{digest}\"}}}}\n");
                continue;
            }
            _ if line.starts_with("{\"host\":") => {}
            (None, Some((start, _))) => game.update(format!("{start}}}}}\n")),
            (None, None) => game.update(format!("{line}\n")),
        }
        log += line;
        log += "\n";
    }
    log
}

/// What stands before the hash of the game in an end line, and what stands between the hashes.
fn end_parts(line: &str) -> Option<(&str, &str)> {
    let (start, rest) = line.split_once(",\"game_sha256\":").filter(|_| line.starts_with("{\"end\":"))?;
    let (host, _) = rest.split_once(",\"host\":")?.1.rsplit_once(",\"sha256\":")?;
    Some((start, host))
}

fn hex(sha: Sha256) -> Hex32 {
    Hex32(sha.finalize().into())
}

fn split(log: &[u8]) -> Vec<String> {
    std::str::from_utf8(log).unwrap().lines().map(str::to_owned).collect()
}

/// The log of a game of four with dice in which a fault is tolerated, and then one is not.
fn of_four() -> Vec<String> {
    let mut setup = setup("alto-riesgo", "{}", 4);
    setup.limits = Limits { strikes: 1, ..Limits::default() };
    let mut arena = Arena::new(setup);
    arena.write(Seat::new(3), b"hello?\n");
    (0..3).for_each(|seat| arena.write(Seat::new(seat), b"{\"type\":\"ready\"}\n"));
    for _ in 0..2 {
        while arena.asked() != Some(Seat::new(0)) {
            arena.play_on(&mut draws("of four"), 1);
        }
        arena.wait(Span::from_ms(100));
        arena.play("jump");
    }
    arena.play_on(&mut draws("of four"), 10_000);
    assert!(arena.end.is_some());
    split(&arena.log())
}

/// The log of a game of two that a timeout ends, after an opening.
fn of_two() -> Vec<String> {
    let mut setup = setup("alto-ahi", "{}", 2);
    setup.opening = vec!["e2".to_owned(), "e8".to_owned()];
    let mut arena = Arena::ready(setup);
    arena.play_on(&mut draws("of two"), 5);
    for _ in 0..2 {
        arena.wait(Span::from_secs(100));
        arena.event(Event::Tick);
    }
    assert!(arena.end.is_some());
    split(&arena.log())
}

#[test]
fn the_hashes_are_those_of_the_text() {
    let documented: Vec<String> = lines("json whole-log").into_iter().map(|(_, line)| line).collect();
    for log in [documented, of_four(), of_two()] {
        let whole = log.join("\n") + "\n";
        assert_eq!(sealed(&log), whole);
        verify(whole.as_bytes()).unwrap_or_else(|finding| panic!("{finding}"));
    }
}

/// What `verify` finds in the log after a change, with both hashes made to fit it again.
fn found(log: &[String], change: impl FnOnce(&mut Vec<String>)) -> String {
    let mut forged = log.to_vec();
    change(&mut forged);
    assert_ne!(forged, log, "the change changes something");
    match verify(sealed(&forged).as_bytes()) {
        Err(finding) => finding.to_string(),
        Ok(_) => panic!("nothing was found in\n{}", forged.join("\n")),
    }
}

/// The place of the first line that holds this.
fn place(log: &[String], text: &str) -> usize {
    log.iter().position(|line| line.contains(text)).unwrap_or_else(|| panic!("no line has {text}"))
}

/// Replaces a text in the first line that holds it.
fn replace(from: &str, to: &str) -> impl FnOnce(&mut Vec<String>) {
    move |log| {
        let at = place(log, from);
        log[at] = log[at].replacen(from, to, 1);
    }
}

#[test]
fn what_section_13_checks_is_found() {
    let (two, four) = (of_two(), of_four());
    for (log, from, to, words) in [
        // 1: header.
        (&two, "\"format\":1", "\"format\":2", "format 2"),
        (&two, "\"rules\":1", "\"rules\":9", "version 9"),
        (&two, "\"size\":9,", "", "options in force"),
        (&two, "\"size\":9", "\"size\":4", "size"),
        // 2: numbers.
        (&two, "\"ply\":4", "\"ply\":5", "number of the ply"),
        (&two, "\"turn\":3,\"seat\"", "\"turn\":4,\"seat\"", "turn 4 after turn 2"),
        (&two, "\"turn\":0,\"seat\"", "\"turn\":1,\"seat\"", "opening"),
        (&two, "\"turn\":3,\"seat\"", "\"turn\":18446744073709551615,\"seat\"", "turn 18446744073709551615"),
        // 3: moves and positions.
        (&two, "\"seat\":1,\"move\"", "\"seat\":0,\"move\"", "seat to move"),
        (&two, "\"move\":\"e8\"", "\"move\":\"e7\"", "cannot be played"),
        (&two, "\"move\":\"e8\"", "\"move\":\"d9\"", "hash"),
        (&four, "\"hash\":\"0", "\"hash\":\"f", "hash"),
        // 6: faults.
        (&four, "\"kind\":\"illegal\",\"found\":\"jump\"", "\"kind\":\"illegal\",\"found\":\"roll\"", "is legal"),
        (&four, "\"kind\":\"illegal\",\"found\":\"jump\"", "\"kind\":\"illegal\"", "without the move"),
        (
            &four,
            "\"kind\":\"illegal\",\"found\":\"jump\",\"tolerated\"",
            "\"kind\":\"exited\",\"tolerated\"",
            "never is",
        ),
        (&four, "\"strikes\":1", "\"strikes\":0", "header allows"),
        // 7: the end.
        (&two, "\"plies\":7", "\"plies\":8", "number of plies"),
        (&two, "\"ranks\":[", "\"ranks\":[3,", "outcome"),
        (&two, "\"reason\":\"faults\"", "\"reason\":\"goal\"", "outcome"),
        (&two, "\"result\":\"decided\"", "\"result\":\"void\"", "result"),
        (&two, "\"game_seed\":\"b", "\"game_seed\":\"c", "commitment"),
        (&two, "\"game_id\":\"game-000001\"", "\"game_id\":\"game-000002\"", "commitment"),
    ] {
        let finding = found(log, replace(from, to));
        assert!(finding.contains(words), "{from} → {to}: {finding}");
    }
}

/// Puts another number into this field of the first line that holds this.
fn set(line: &str, field: &str, number: u64) -> impl FnOnce(&mut Vec<String>) {
    move |log| {
        let at = place(log, line);
        let (before, rest) = log[at].split_once(&format!("\"{field}\":")).expect("the line has the field");
        let rest = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        log[at] = format!("{before}\"{field}\":{number}{rest}");
    }
}

#[test]
fn times_that_cannot_be_are_found() {
    let two = of_two();
    for (field, number, words) in [
        ("sent", 1, "backwards"),
        ("sent", 400_000_000_000, "backwards"),
        ("got", 1, "backwards"),
        ("got", 200_000_000_000, "more than the clock allowed"),
        ("left", 200_000_000_000, "time left"),
    ] {
        let found = found(&two, set("\"ply\":4", field, number));
        assert!(found.contains(words), "{field} {number}: {found}");
    }
    let early = found(&two, set("{\"fault\":", "at", 50_000_000_000));
    assert!(early.contains("not over"), "{early}");
}

#[test]
fn a_fault_for_lateness_needs_its_times() {
    let two = of_two();
    let at = place(&two, "\"kind\":\"timeout\"");
    let sent = two[at].split("\"sent\":").nth(1).unwrap().split(',').next().unwrap().to_owned();
    for without in
        [format!("\"sent\":{sent},"), two[at][two[at].find(",\"host\"").unwrap()..two[at].len() - 2].to_owned()]
    {
        let words = found(&two, |log| log[at] = log[at].replace(&without, ""));
        assert!(words.contains("without its times"), "{words}");
    }
}

#[test]
fn what_a_seed_did_not_draw_is_found() {
    let four = of_four();
    let roll = place(&four, "{\"chance\":{\"outcome\":\"");
    let outcome = four[roll].split('"').nth(5).unwrap().to_owned();
    let other: String = if outcome.starts_with('D') { outcome.replacen('D', "A", 1) } else { "D".repeat(6) };
    let words = found(&four, replace(&outcome, &other));
    assert!(words.contains("revealed seed draws"), "{words}");

    // Another legal move than the one that was drawn.
    let words = found(&four, |log| {
        let at = place(log, "\"by\":\"strike\"");
        let token = log[at].split("\"move\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        let other = if token == "roll" { "stop" } else { "roll" };
        log[at] = log[at].replace(&token, other);
    });
    assert!(words.contains("the referee drew"), "{words}");
}

#[test]
fn lines_that_are_missing_or_made_up_are_found() {
    let (two, four) = (of_two(), of_four());
    let remove = |text: &'static str| move |log: &mut Vec<String>| drop(log.remove(place(log, text)));
    let double = |text: &'static str| {
        move |log: &mut Vec<String>| {
            let at = place(log, text);
            log.insert(at, log[at].clone());
        }
    };
    assert!(found(&four, remove("{\"leave\":{\"seat\":3")).contains("hash"));
    assert!(found(&four, remove("\"by\":\"strike\"")).contains("missing"));
    assert!(found(&four, remove("\"tolerated\":true")).contains("chose the move"));
    assert!(found(&four, double("{\"leave\":{\"seat\":3")).contains("leaves without a fault"));
    assert!(found(&four, double("{\"fault\":{\"seat\":3")).contains("not in the game"));
    assert!(found(&four, remove("{\"chance\":")).contains("chance step is due"));
    assert!(found(&four, double("{\"chance\":")).contains("where none is due"));
    assert!(found(&four, double("{\"header\":")).contains("none of move"));
    assert!(found(&two, remove("{\"fault\":")).contains("before the end"));

    let at_the_start = "{\"fault\":{\"seat\":1,\"turn\":0,\"kind\":\"exited\"}}";
    let late = found(&four, |log| log.insert(place(log, "\"ply\":3"), at_the_start.to_owned()));
    assert!(late.contains("in the middle of the game"), "{late}");
    let last = |line: &'static str| move |log: &mut Vec<String>| log.insert(log.len() - 1, line.to_owned());
    let hash = "\"hash\":\"0000000000000000\"";
    let leave = |seat: u64| format!("{{\"leave\":{{\"seat\":{seat},{hash}}}}}");
    let out = found(&two, |log| {
        let fault: Value = serde_json::from_str(&log[place(log, "{\"fault\":")]).unwrap();
        log.insert(log.len() - 1, leave(fault["fault"]["seat"].as_u64().unwrap()));
    });
    assert!(out.contains("a game that is over"), "{out}");
    assert!(found(&four, last(at_the_start)).contains("in the middle of the game"));
}

#[test]
fn damage_is_found() {
    let four = of_four();
    let whole = four.join("\n") + "\n";
    let finding = |bytes: &[u8]| verify(bytes).unwrap_err();
    // Only the hash of the file can tell this.
    let note = whole.replacen("\"ready\":{\"seat\":1", "\"ready\":{\"seat\":2", 1);
    assert!(finding(note.as_bytes()).to_string().contains("sha256"));
    assert!(finding((whole.clone() + "\n").as_bytes()).to_string().contains("1 bytes follow"));
    let mut ends: Vec<usize> = (0..whole.len()).step_by(97).collect();
    ends.push(whole.len() - 1);
    for end in ends {
        let found = finding(&whole.as_bytes()[..end]);
        let first_line = end <= whole.find('\n').unwrap();
        assert!(matches!(found, Finding::NotALog(_)) == first_line, "{end}: {found}");
        assert!(matches!(found, Finding::Truncated { .. }) != first_line, "{end}: {found}");
    }
}

/// Lines that a forger may put anywhere; S is a seat.
const MADE_UP: [&str; 6] = [
    "{\"fault\":{\"seat\":S,\"turn\":0,\"kind\":\"exited\"}}\n{\"leave\":{\"seat\":S,\"hash\":\"0000000000000000\"}}",
    "{\"fault\":{\"seat\":S,\"turn\":0,\"kind\":\"exited\"}}",
    "{\"fault\":{\"seat\":S,\"turn\":1,\"kind\":\"resigned\"}}",
    "{\"leave\":{\"seat\":S,\"hash\":\"0000000000000000\"}}",
    "{\"move\":{\"ply\":1,\"turn\":0,\"seat\":S,\"move\":\"roll\",\"hash\":\"0000000000000000\",\"by\":\"opening\"}}",
    "{\"chance\":{\"outcome\":\"DDDDDD\",\"hash\":\"0000000000000000\"}}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Whatever is done to a log, a checker says what it found; it never fails itself.
    #[test]
    fn no_log_makes_a_checker_fail(
        two in any::<bool>(),
        edits in prop::collection::vec((0usize..7, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..5),
    ) {
        thread_local!(static LOGS: [Vec<String>; 2] = {
            [of_four(), of_two()]
        });
        let mut log = LOGS.with(|logs| logs[usize::from(two)].clone());
        for (edit, one, other) in edits {
            let (at, to) = (one.index(log.len()), other.index(log.len()));
            match edit {
                0 => drop(log.remove(at)),
                1 => log.swap(at, to),
                2 => log.insert(at, log[to].clone()),
                3 => {
                    let made_up = MADE_UP[other.index(MADE_UP.len())].replace('S', &(one.index(8) % 4).to_string());
                    log.splice(at..at, made_up.lines().map(str::to_owned));
                }
                _ => {
                    // Another number, or another byte.
                    let mut bytes = log[at].clone().into_bytes();
                    let digits: Vec<usize> = (0..bytes.len()).filter(|&place| bytes[place].is_ascii_digit()).collect();
                    let place = if digits.is_empty() { to % bytes.len() } else { digits[other.index(digits.len())] };
                    bytes[place] = if edit == 4 { b'0' } else { b'0' + (to % 10) as u8 };
                    log[at] = String::from_utf8(bytes).unwrap();
                }
            }
            if log.is_empty() {
                break;
            }
        }
        let _ = verify(sealed(&log).as_bytes());
        let _ = verify((log.join("\n") + "\n").as_bytes());
    }
}
