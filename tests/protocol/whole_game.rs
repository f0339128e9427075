//! The game of section 3: its messages and its log, byte for byte, and the bot in Python.

use std::process::Command;

use arbitro::clock::Span;
use arbitro::record::entry::{Entry, Exit, HeaderHost, Note};
use arbitro::record::verify::verify;
use arbitro::seat::Seat;

use crate::arena::{Arena, setup};
use crate::document::{blocks, lines};

const MINE: Seat = Seat::new(0);
const YOURS: Seat = Seat::new(1);

/// The lines of the transcript: whose, and what. Messages of the referee are told by their type.
fn transcript() -> Vec<(bool, String)> {
    let is_ours =
        |line: &str| ["hello", "turn", "over"].iter().any(|kind| line.contains(&format!("\"type\":\"{kind}\"")));
    lines("json wire").into_iter().map(|(_, line)| (is_ours(&line), line)).collect()
}

/// The game in which seat 0 writes what the transcript says, and the messages that it got.
fn played() -> (Arena, Vec<String>) {
    let mut setup = setup("alto-ahi", r#"{"size":3,"walls":1}"#, 2);
    setup.host = HeaderHost {
        referee: "0.1.0".to_owned(),
        started: Some("2026-05-01T09:30:00Z".to_owned()),
        ..HeaderHost::default()
    };
    let mut arena = Arena::new(setup);
    let mut rival = ["a2h", "a3"].into_iter();
    for (_, line) in transcript().into_iter().filter(|(ours, _)| !ours) {
        let ready = line.contains("\"ready\"");
        arena.wait(Span::from_ms(if ready { 20 } else { 1500 }));
        arena.write(MINE, format!("{line}\n").as_bytes());
        if ready {
            arena.wait(Span::from_ms(15));
            arena.write(YOURS, b"{\"type\":\"ready\"}\n");
        } else if arena.end.is_none() {
            arena.wait(Span::from_ms(250));
            arena.play(rival.next().expect("the rival has two moves"));
        }
    }
    for seat in [MINE, YOURS] {
        let ended = Note::Ended { seat, exit: Some(Exit::Code(0)), leftovers: 0 };
        arena.entries.push(Entry::Note(Box::new(ended)));
    }
    let got = arena.sent.iter().filter(|(seat, _)| *seat == MINE).map(|(_, line)| line.clone()).collect();
    (arena, got)
}

/// Compares line by line, so that what is to be written into the text can be taken from the message.
fn same_lines<D: AsRef<str>, F: AsRef<str>>(documented: &[D], found: &[F]) {
    for (documented, found) in documented.iter().zip(found) {
        assert!(
            documented.as_ref() == found.as_ref(),
            "the text has\n{}\nand it should be\n{}",
            documented.as_ref(),
            found.as_ref()
        );
    }
    assert_eq!(documented.len(), found.len());
}

#[test]
fn the_messages_are_those_of_the_referee() {
    let documented: Vec<String> = transcript().into_iter().filter(|(ours, _)| *ours).map(|(_, line)| line).collect();
    same_lines(&documented, &played().1);
}

#[test]
fn the_log_is_that_of_the_writer_and_verifies() {
    let (arena, _) = played();
    let documented: String = lines("json whole-log").into_iter().map(|(_, line)| line + "\n").collect();
    let log = String::from_utf8(arena.log()).unwrap();
    same_lines(&documented.lines().collect::<Vec<_>>(), &log.lines().collect::<Vec<_>>());
    assert_eq!(verify(documented.as_bytes()).expect("all holds").plies, 5);
}

#[test]
fn the_bot_in_python_plays() {
    if Command::new("python3").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "python3 is needed");
        eprintln!("skipped: python3 not found");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = blocks().into_iter().find(|block| block.info == "python").expect("there is a bot").lines.join("\n");
    std::fs::write(folder.path().join("bot.py"), source + "\n").unwrap();
    for game in ["alto-ahi", "alto-riesgo"] {
        let output = Command::new(env!("CARGO_BIN_EXE_arbitro"))
            .current_dir(folder.path())
            .args(["play", game, "python3 bot.py", "python3 bot.py", "--strict", "-q", "--log"])
            .arg(format!("{game}.jsonl"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{game}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(verify(&std::fs::read(folder.path().join(format!("{game}.jsonl"))).unwrap()).is_ok());
    }
}
