//! `fixtures/protocol`: one line a file, named for what it shows, as a bot's answer to the question with the number 1.
//!
//! The name of an accepted line begins with what it is understood as. Moves there are all `e2`.

use std::fs;

use arbitro::protocol::limits::{Limits, NAME_CHARS};
use arbitro::protocol::lines::{Lines, TooLong};
use arbitro::protocol::receive::{Message, Unreadable, read};
use arbitro::record::entry::{FaultKind, Note};
use arbitro::record::reader::Reader;
use arbitro::seat::Seat;

use crate::arena::{Arena, setup};
use crate::document::path;

const ZERO: Seat = Seat::new(0);

/// The lines of a folder: name and bytes, the last line end included.
fn folder(name: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(path("fixtures/protocol").join(name)).expect("the folder is there");
    let files = entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some());
    let mut files: Vec<(String, Vec<u8>)> =
        files.map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())).collect();
    files.sort();
    files
}

/// What the only line of the bytes is understood as, and what is wrong with it.
fn understood(bytes: &[u8]) -> Result<String, String> {
    let limits = Limits::default();
    let mut lines = Lines::new(limits.line_bytes);
    let (taken, line) = lines.next(bytes);
    let line = match line.expect("a file holds a line") {
        Ok(line) => line.to_vec(),
        Err(TooLong) => return Err("too long".to_owned()),
    };
    assert_eq!(lines.next(&bytes[taken..]).1, None, "a file holds one line");
    match read(&line).map_err(|error| error.to_string())? {
        Message::Ready(_) => Ok("ready".to_owned()),
        Message::Resign(resign) => Ok(format!("resign {}", resign.turn)),
        Message::Move(mv) => {
            mv.checked_info(limits.info_bytes).map_err(|error: Unreadable| error.to_string())?;
            Ok(format!("move {} {}", mv.turn, mv.token))
        }
    }
}

#[test]
fn what_is_accepted_is_understood_by_its_first_word() {
    let accepted = folder("accepted");
    assert!(accepted.len() >= 20);
    for (name, bytes) in accepted {
        let expected = match name.split('-').next().unwrap() {
            "move" => "move 1 e2",
            "ready" => "ready",
            "resign" => "resign 1",
            other => panic!("no message is a {other}"),
        };
        assert_eq!(understood(&bytes).as_deref(), Ok(expected), "{name}");
    }
}

#[test]
fn what_is_accepted_answers_the_question() {
    for (name, bytes) in folder("accepted") {
        let is_ready = name.starts_with("ready");
        let mut arena = if is_ready { Arena::new(setup("alto-ahi", "{}", 2)) } else { asked() };
        arena.write(ZERO, &bytes);
        let faults: Vec<FaultKind> = arena.faults().iter().map(|fault| fault.kind).collect();
        let ignored = arena.notes().iter().any(|note| matches!(note, Note::Ignored { .. }));
        assert!(!ignored, "{name}");
        if is_ready {
            let [Note::Ready { name: said, .. }] = arena.notes()[..] else { panic!("{name}") };
            let said = said.as_deref().unwrap_or_default();
            assert!(said.chars().count() <= NAME_CHARS && !said.chars().any(char::is_control), "{name}: {said}");
            assert!(faults.is_empty(), "{name}");
        } else if name.starts_with("resign") {
            assert_eq!(faults, [FaultKind::Resigned], "{name}");
        } else {
            assert_eq!((arena.referee.plies(), faults.is_empty()), (1, true), "{name}");
        }
        readable(&arena, &name);
    }
}

#[test]
fn what_is_refused_is_refused_with_its_place() {
    let refused = folder("refused");
    assert!(refused.len() >= 40);
    for (name, bytes) in refused {
        let words = understood(&bytes).expect_err(&name);
        let somewhere = ["at column ", "at byte ", "begin with", "no message has the type", "info", "too long"];
        assert!(somewhere.iter().any(|words_for_it| words.contains(words_for_it)), "{name}: {words}");
        assert!(words.len() < 400 && !words.contains(char::is_control), "{name}: {words}");
    }
}

#[test]
fn what_is_refused_is_a_fault_with_words_that_show_it_however_it_is_cut() {
    for (name, bytes) in folder("refused") {
        let long = understood(&bytes).expect_err(&name) == "too long";
        let expected = if long { FaultKind::TooLong } else { FaultKind::Unreadable };
        for pieces in [bytes.len(), 1000] {
            let mut arena = asked();
            bytes.chunks(pieces).for_each(|bytes| arena.write(ZERO, bytes));
            let [fault] = arena.faults()[..] else { panic!("{name}: {:?}", arena.faults()) };
            assert_eq!((fault.seat, fault.turn, fault.kind), (ZERO, 1, expected), "{name}");
            let words = &fault.host.as_ref().unwrap().words;
            assert!(words.len() < 2000 && !words.contains(char::is_control), "{name}: {words}");
            readable(&arena, &name);
        }
    }
}

/// A game in which seat 0 is asked its first question.
fn asked() -> Arena {
    Arena::ready(setup("alto-ahi", "{}", 2))
}

/// The log of the game so far can be read back, whatever the bot wrote.
fn readable(arena: &Arena, name: &str) {
    let log = arena.log();
    let (mut reader, _) = Reader::new(&log).expect(name);
    while reader.read().expect(name).is_some() {}
}
