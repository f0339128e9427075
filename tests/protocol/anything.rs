//! Whatever a bot writes: nothing panics, nothing grows, and what is understood is what another reader understands.

use arbitro::protocol::limits::Limits;
use arbitro::protocol::lines::Lines;
use arbitro::protocol::receive::{Message, read};
use arbitro::record::entry::FaultKind;
use arbitro::record::verify::verify;
use arbitro::referee::Event;
use arbitro::seat::Seat;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;

use crate::arena::{Arena, setup};

/// A good answer, and what bots make of it: pieces of JSON put in, taken out or put for one another.
const ANSWERS: [&str; 4] = [
    r#"{"type":"move","turn":1,"move":"e2","info":{"depth":3,"pv":["e2","e8"],"score":-0.5}}"#,
    r#"{"type":"ready","name":"Kröte \u00e9","legal":false}"#,
    r#"{"type":"resign","turn":1,"x":[null,true,{"a":1e5}]}"#,
    r#"{ "turn" : 1 , "move" : "e3h" , "type" : "move" }"#,
];
const PIECES: [&str; 28] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u0041",
    "\\ud800",
    "\n",
    "\r",
    " ",
    "\0",
    "null",
    "true",
    "1e999",
    "-0",
    "1.5",
    "18446744073709551616",
    "\"type\":\"move\",",
    "\"turn\":1,",
    "\"move\":\"e2\",",
    "\"info\":{},",
    "é",
    "\u{feff}",
    "//",
    "[[[[[[[[",
];

/// One thing done to a text: what, where, and with which piece.
type Edit = (usize, Index, Index);

fn edits() -> impl Strategy<Value = (usize, Vec<Edit>)> {
    let edit = (0usize..4, any::<Index>(), any::<Index>());
    (0..ANSWERS.len(), prop::collection::vec(edit, 0..6))
}

fn edited(answer: usize, edits: &[Edit]) -> Vec<u8> {
    let mut text = ANSWERS[answer].as_bytes().to_vec();
    for (what, place, piece) in edits {
        let at = place.index(text.len() + 1);
        let piece_text = PIECES[piece.index(PIECES.len())];
        match what {
            0 => drop(text.splice(at..at, piece_text.bytes())),
            1 => drop(text.splice(at..text.len().min(at + piece_text.len()), piece_text.bytes())),
            2 => drop(text.drain(at..text.len().min(at + 1 + piece.index(12)))),
            _ => text.get_mut(at).into_iter().for_each(|byte| *byte = piece.index(256) as u8),
        }
    }
    text
}

/// What a reader of another kind takes the line for; nothing if it is no message for it either.
fn taken_otherwise(line: &[u8]) -> Option<Value> {
    serde_json::from_slice::<Value>(line).ok().filter(Value::is_object)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn a_changed_answer_is_understood_as_it_reads_or_refused((answer, edits) in edits()) {
        let line = edited(answer, &edits);
        let taken = taken_otherwise(&line);
        match read(&line) {
            Err(error) => prop_assert!(!error.to_string().is_empty()),
            Ok(Message::Move(mv)) if mv.checked_info(1024).is_err() => {}
            Ok(message) => {
                let taken = taken.expect("what is understood is JSON");
                match message {
                    Message::Move(mv) => {
                        prop_assert_eq!(&taken["type"], "move");
                        prop_assert_eq!(&taken["turn"], mv.turn);
                        prop_assert_eq!(&taken["move"], &*mv.token);
                        let info = mv.info.map(|info| serde_json::from_str::<Value>(info.get()).unwrap());
                        prop_assert_eq!(taken.get("info").filter(|info| !info.is_null()), info.as_ref());
                    }
                    Message::Ready(ready) => {
                        prop_assert_eq!(&taken["type"], "ready");
                        prop_assert_eq!(taken.get("name").and_then(Value::as_str), ready.name.as_deref());
                        prop_assert_eq!(taken.get("legal").and_then(Value::as_bool), ready.legal);
                    }
                    Message::Resign(resign) => {
                        prop_assert_eq!(&taken["type"], "resign");
                        prop_assert_eq!(&taken["turn"], resign.turn);
                    }
                }
            }
        }
    }

    /// A good answer is understood, so that the one above does not only refuse.
    #[test]
    fn an_answer_is_understood_with_any_sound_fields_beside_it(
        numbers in prop::collection::vec(any::<f64>().prop_filter("JSON has these", |number| number.is_finite()), 0..4),
        text in any::<String>(),
        turn in any::<u64>(),
    ) {
        let mut message = serde_json::json!({ "type": "move", "turn": turn, "move": text, "info": { "text": text } });
        message["other"] = serde_json::json!(numbers);
        let line = serde_json::to_vec(&message).unwrap();
        let Ok(Message::Move(mv)) = read(&line) else { panic!("{message}") };
        prop_assert_eq!((mv.turn, &*mv.token), (turn, text.as_str()));
        prop_assert!(mv.checked_info(usize::MAX).unwrap().is_some());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_split_and_read_within_the_limit(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        pieces in 1usize..50,
        limit in 1usize..60,
    ) {
        // As many braces, quotes and line ends as anything else.
        let usual = |byte: u8| if byte < 128 { b"{\"\n\r \"\xef\xff"[usize::from(byte / 16)] } else { byte };
        let bytes: Vec<u8> = bytes.into_iter().map(usual).collect();
        let mut lines = Lines::new(limit);
        'all: for piece in bytes.chunks(pieces) {
            let mut rest = piece;
            loop {
                let (taken, line) = lines.next(rest);
                prop_assert!(taken <= rest.len());
                match line {
                    None => break,
                    Some(Err(_)) => break 'all,
                    Some(Ok(line)) => {
                        prop_assert!(!line.is_empty() && line.len() <= limit && !line.contains(&b'\n'));
                        let _ = read(line);
                    }
                }
                rest = &rest[taken..];
            }
            prop_assert!(lines.partial().len() <= limit);
        }
    }

    /// A referee that is written to by two bots as they please: a game comes to some end, and its log verifies.
    #[test]
    fn any_output_leads_to_a_log_that_verifies(
        outputs in prop::collection::vec((any::<bool>(), edits(), 1usize..40), 1..12),
        lenient in 0u32..3,
        strikes in 0u32..3,
    ) {
        let mut setup = setup("alto-ahi", r#"{"size":3,"walls":1}"#, 2);
        setup.limits = Limits { lenient, strikes, unasked_lines: 3, line_bytes: 120, output_bytes: 300, ..Limits::default() };
        let mut arena = Arena::ready(setup);
        for (seat, (answer, edits), pieces) in outputs {
            let mut bytes = edited(answer, &edits);
            bytes.push(b'\n');
            let seat = Seat::new(usize::from(seat));
            bytes.chunks(pieces).for_each(|bytes| arena.write(seat, bytes));
        }
        if arena.end.is_none() {
            arena.event(Event::Stop);
        }
        let known = arena.faults().iter().all(|fault| FaultKind::ALL.contains(&fault.kind));
        prop_assert!(known);
        prop_assert!(verify(&arena.log()).is_ok());
    }
}
