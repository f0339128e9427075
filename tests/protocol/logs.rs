//! Section 12: the two hashes, computed here from the text alone; and a checker that nothing makes fail.

use arbitro::chance::Hex32;
use arbitro::clock::Span;
use arbitro::protocol::limits::Limits;
use arbitro::record::entry::Entry;
use arbitro::record::reader::{Line, Reader};
use arbitro::record::verify::verify;
use arbitro::record::writer::Writer;
use arbitro::referee::Event;
use arbitro::seat::Seat;
use proptest::prelude::*;
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

/// What `verify` finds in the log after a change of a line that holds this text, with both hashes made to fit it again.
fn found(log: &[String], text: &str, change: impl FnOnce(&mut Vec<String>, usize)) -> String {
    let mut forged = log.to_vec();
    let place = log.iter().position(|line| line.contains(text)).unwrap_or_else(|| panic!("no line has {text}"));
    change(&mut forged, place);
    match verify(sealed(&forged).as_bytes()) {
        Err(finding) => finding.to_string(),
        Ok(_) => panic!("nothing was found in\n{}", forged.join("\n")),
    }
}

#[test]
fn a_note_that_only_newer_programs_know_is_passed_over_and_kept() {
    let mut log = of_two();
    log.insert(2, "{\"host\":{\"weather\":{\"seat\":0,\"at\":1,\"a\":2}}}".to_owned());
    let text = sealed(&log);
    verify(text.as_bytes()).unwrap_or_else(|finding| panic!("{finding}"));
    let (mut reader, header) = Reader::new(text.as_bytes()).unwrap();
    let mut writer = Writer::new(Vec::new());
    writer.entry(&Entry::Header(Box::new(header))).unwrap();
    let end = loop {
        match reader.read().unwrap().unwrap() {
            Line::Entry(entry) => writer.entry(&entry).unwrap(),
            Line::End(ending) => break ending.end,
        }
    };
    assert_eq!(String::from_utf8(writer.finish(&end).unwrap().to).unwrap(), text);
    // What a note that is known has in it is known too.
    for note in ["{}", "7", "[]", "{\"a\":1,\"b\":2}", "{\"ready\":{\"seat\":0}}", "{\"ready\":{\"seat\":9,\"at\":1}}"]
    {
        let words = found(&of_two(), "{\"host\":", |log, at| log[at] = format!("{{\"host\":{note}}}"));
        assert!(words.contains("the line cannot be read"), "{note}: {words}");
    }
}

#[test]
fn a_drawn_move_that_is_missing_at_the_end_is_found() {
    let words = found(&of_four(), "\"tolerated\":true", |log, fault| {
        let end = log.pop().unwrap();
        log.truncate(fault + 1);
        log.push(end.replacen("\"decided\",\"ranks\":[", "\"aborted\",\"ranks\":null,\"was\":[", 1).replacen(
            "goal",
            "interrupted",
            1,
        ));
    });
    assert!(words.contains("is due"), "{words}");
}

#[test]
fn a_game_without_result_reveals_its_seed_and_one_that_is_played_again_keeps_it() {
    let mut arena = Arena::new(setup("crecer", "{}", 2));
    Seat::first(2).for_each(|seat| arena.write(seat, b"hello?\n"));
    let log = split(&arena.log());
    verify(&arena.log()).unwrap_or_else(|finding| panic!("{finding}"));
    let (before, seeds) = log.last().unwrap().split_once("\"game_seed\":").unwrap();
    let (seeds, after) = seeds.split_once(",\"game_sha256\"").unwrap();
    let hidden = "null,\"bot_seeds\":null";
    let words = found(&log, "{\"end\":", |log, end| {
        log[end] = format!("{before}\"game_seed\":{hidden},\"game_sha256\"{after}");
    });
    assert!(words.contains("does not reveal its seed"), "{words}");

    let mut arena = Arena::ready(setup("crecer", "{}", 2));
    arena.event(Event::Stop);
    let verified = verify(&arena.log()).unwrap_or_else(|finding| panic!("{finding}"));
    assert!(!verified.seed_checked);
    let words = found(&split(&arena.log()), "{\"end\":", |log, end| log[end] = log[end].replacen(hidden, seeds, 1));
    assert!(words.contains("may be played again and reveals its seed"), "{words}");
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
