//! The blocks and the field tables of `protocol.md` against what a real referee sends, accepts and writes.

use std::collections::BTreeMap;

use arbitro::clock::{Moment, Span};
use arbitro::protocol::limits::Limits;
use arbitro::protocol::receive::{Message, read};
use arbitro::record::entry::{BotHost, Entry, Exit, HeaderHost, Load, Note};
use arbitro::record::reader::{Line, Reader};
use arbitro::record::verify::verify;
use arbitro::record::writer::Writer;
use arbitro::referee::{Event, Gone, Setup, Usage};
use arbitro::seat::Seat;
use serde_json::Value;

use crate::arena::{Arena, draws, master, setup};
use crate::document::{blocks, lines, text};
use crate::schema::Schema;

const KINDS: [&str; 7] = ["json wire", "json referee", "json bot", "json log", "json whole-log", "text", "python"];

#[test]
fn every_block_is_of_a_kind_that_is_tested() {
    for block in blocks() {
        assert!(KINDS.contains(&block.info.as_str()), "line {}: {}", block.number, block.info);
        assert!(!block.lines.is_empty(), "line {}", block.number);
    }
    assert!(!text().contains("\r"));
}

#[test]
fn what_a_bot_is_said_to_send_is_understood() {
    let schema = Schema::read();
    let limits = Limits::default();
    for (place, line) in lines("json bot").into_iter().chain(lines("json wire")) {
        let value: Value = serde_json::from_str(&line).unwrap();
        schema.message(&place, &value);
        let understood = read(line.as_bytes());
        match value["type"].as_str().unwrap() {
            "ready" => assert!(matches!(understood, Ok(Message::Ready(_))), "{place}"),
            "resign" => assert!(matches!(understood, Ok(Message::Resign(_))), "{place}"),
            "move" => {
                let Ok(Message::Move(mv)) = understood else { panic!("{place}") };
                assert_eq!(value["move"], *mv.token, "{place}");
                let info = mv.checked_info(limits.info_bytes).expect(&place);
                assert_eq!(info.is_some(), value.get("info").is_some(), "{place}");
            }
            _ => assert!(understood.is_err(), "{place}: a bot does not send this"),
        }
    }
}

#[test]
fn the_messages_in_the_text_have_the_documented_fields() {
    let schema = Schema::read();
    for (place, line) in lines("json referee") {
        schema.message(&place, &serde_json::from_str(&line).unwrap());
    }
}

/// Each line is read into the program's own types and comes out of its writer as it was: it has every field, and no
/// other, in the right order.
#[test]
fn the_log_lines_in_the_text_are_lines_of_a_log() {
    let schema = Schema::read();
    let header = lines("json whole-log").remove(0).1 + "\n";
    for (place, line) in lines("json log").into_iter().chain(lines("json whole-log")) {
        schema.log_line(&place, &serde_json::from_str(&line).unwrap());
        let whole = if line.starts_with("{\"header\":") { line.clone() + "\n" } else { header.clone() + &line + "\n" };
        let (mut reader, read_header) = Reader::new(whole.as_bytes()).expect(&place);
        let mut out = Vec::new();
        let mut writer = Writer::new(&mut out);
        match reader.read().expect(&place) {
            None => writer.entry(&Entry::Header(Box::new(read_header))).unwrap(),
            Some(Line::Entry(entry)) => writer.entry(&entry).unwrap(),
            Some(Line::End(ending)) => {
                writer.end(&ending.end).unwrap();
                // Its hashes are those of another log: only what stands before them can be alike.
                out.truncate(out.windows(14).position(|bytes| bytes == b",\"game_sha256\"").unwrap());
                assert!(line.as_bytes().starts_with(&out), "{place}");
                continue;
            }
        }
        assert_eq!(String::from_utf8(out).unwrap(), line + "\n", "{place}");
    }
}

/// A header that leaves nothing out.
fn hosted(mut setup: Setup) -> Setup {
    let bot = BotHost { command: vec!["./bot".to_owned()], files: BTreeMap::from([("/bot".to_owned(), master())]) };
    setup.host = HeaderHost {
        referee: "0.1.0".to_owned(),
        started: Some("2026-05-01T09:30:00Z".to_owned()),
        bots: vec![bot; setup.players.len()],
        cores: vec![0],
        ponder: Some("allow".to_owned()),
        sandbox: Some("none".to_owned()),
    };
    setup
}

/// A game of four on a mountain in which most of what can happen does.
fn eventful() -> Arena {
    let mut setup = hosted(setup("alto-riesgo", "{}", 4));
    setup.limits = Limits { strikes: 2, lenient: 1, ..Limits::default() };
    setup.clock.set_clock("60s+1s/d1s/3x5s").unwrap();
    setup.clock.margin = Span::from_ms(100);
    setup.clock.move_limit = Some(Span::from_secs(2));
    let mut arena = Arena::new(setup);
    arena.write(Seat::new(0), b"{\"type\":\"ready\",\"name\":\"zero\",\"legal\":false}\n");
    arena.write(Seat::new(1), b"{\"type\":\"ready\",\"name\":null}\n");
    arena.write(Seat::new(2), b"{\"type\":\"ready\"}\n");
    let dead = Event::Gone { seat: Seat::new(3), how: Gone::Exited(Exit::Signal(11)) };
    arena.event(dead);

    let seat = arena.asked().expect("the game began");
    arena.event(Event::Stderr { seat, bytes: &[b'e'; 30_000] });
    arena.write(seat, b"debug\n");
    arena.write(seat, b"{\"type\":\"ready\"}\n");
    let answer = format!("{{\"type\":\"move\",\"turn\":{},\"move\":\"up\"}}\n", arena.referee.turn());
    arena.write(seat, answer.as_bytes());

    let seat = arena.asked().expect("the strike was tolerated");
    let legal = arena.referee.table().legal();
    arena.wait(Span::from_ms(2050));
    let turn = arena.referee.turn();
    let answer = format!("{{\"type\":\"move\",\"turn\":{turn},\"move\":\"{}\",\"info\":{{\"a\":1}}}}\n", legal[0]);
    arena.write(seat, answer.as_bytes());

    let load = Load { from: Moment(1), cpu: Span(2), wait: Span(3), referee_wait: Span(4) };
    let asked = arena.asked().expect("the overrun was inside the margin");
    let other = Seat::first(3).find(|&seat| seat != asked).unwrap();
    arena.uses(other, Usage { cpu_frozen: Span::from_ms(20), ..Usage::default() });
    arena.event(Event::Gone { seat: other, how: Gone::Closed });
    arena.event(Event::Load { seat: asked, load });
    let token = arena.referee.table().legal()[0];
    arena.play(token.as_str());
    let third = arena.asked().expect("it was no last move");
    arena.event(Event::Load { seat: third, load });
    arena.write(third, format!("{{\"type\":\"move\",\"turn\":{},\"move\":\"up\"}}\n", arena.referee.turn()).as_bytes());
    arena.play_on(&mut draws("eventful"), 1000);
    arena.entries.push(Entry::Note(Box::new(Note::Ended { seat, exit: None, leftovers: 1 })));
    arena
}

#[test]
fn what_is_sent_and_logged_has_the_documented_fields_and_every_documented_field_is() {
    let schema = Schema::read();
    let mut opened = hosted(setup("alto-ahi", "{}", 4));
    opened.opening = vec!["e2".to_owned(), "b5".to_owned()];
    opened.clock.set_clock("unlimited").unwrap();
    let mut opened = Arena::ready(opened);
    opened.play_on(&mut draws("opened"), 6);
    opened.event(Event::Stop);

    for (name, arena) in [("eventful", eventful()), ("opened", opened)] {
        assert!(arena.end.is_some(), "{name}");
        for (seat, line) in &arena.sent {
            assert!(line.starts_with("{\"type\":"), "{line}");
            schema.message(&format!("{name}, to {seat:?}"), &serde_json::from_str(line).unwrap());
        }
        let log = arena.log();
        verify(&log).expect(name);
        for (index, line) in std::str::from_utf8(&log).unwrap().lines().enumerate() {
            schema.log_line(&format!("{name}, line {}", index + 1), &serde_json::from_str(line).unwrap());
            let note = line.strip_prefix("{\"host\":").and_then(|line| line.strip_suffix('}')).map(Note::read);
            assert!(!matches!(note, Some(Ok(Note::Other(_)))), "a kind that is known: {line}");
        }
    }
    // What a bot sends, no referee does.
    for (place, line) in lines("json bot") {
        schema.message(&place, &serde_json::from_str(&line).unwrap());
    }
    schema.nothing_is_made_up();
}

#[test]
fn the_list_of_legal_moves_is_left_out_for_who_declines_it_and_for_nobody_else() {
    let mut arena = Arena::new(setup("alto-ahi", "{}", 2));
    arena.write(Seat::new(0), b"{\"type\":\"ready\",\"legal\":false}\n");
    arena.write(Seat::new(1), b"{\"type\":\"ready\",\"legal\":null}\n");
    arena.play("e2");
    for (seat, line) in arena.sent.iter().filter(|(_, line)| line.contains("\"type\":\"turn\"")) {
        let turn: Value = serde_json::from_str(line).unwrap();
        assert_eq!(turn.get("legal").is_some(), *seat == Seat::new(1));
    }
}
