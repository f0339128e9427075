//! A line from a bot: nothing panics, what is understood is what another reader understands, and it can be logged.

#![no_main]

use arbitro::clock::Moment;
use arbitro::protocol::receive::{Message, is_showable, read, shown};
use arbitro::record::entry::{Entry, Note};
use arbitro::seat::Seat;
use arbitro_fuzz::logs::{GOLDEN, Log};
use libfuzzer_sys::fuzz_target;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// What was understood, written as a message.
fn said(message: &Message) -> Option<Value> {
    match message {
        Message::Move(mv) => {
            let info = mv.checked_info(1024).ok()?.map(|info| serde_json::from_str::<Value>(info.get()));
            let info = info.transpose().expect("info that is kept is JSON");
            Some(json!({ "type": "move", "turn": mv.turn, "move": mv.token, "info": info }))
        }
        Message::Ready(ready) => Some(json!({ "type": "ready", "name": ready.name, "legal": ready.legal })),
        Message::Resign(resign) => Some(json!({ "type": "resign", "turn": resign.turn })),
    }
}

/// Whether this entry, written to a log, is read back from it as it was.
fn check_logged(entry: Entry) {
    let words = format!("{entry:?}");
    let mut log = Log::read(header().as_bytes()).expect("a header is a log");
    log.entries.push(entry);
    let (bytes, _) = log.written();
    let again = Log::read(&bytes).expect("what was written is a log");
    assert_eq!(again.entries.last().map(|entry| format!("{entry:?}")), Some(words));
}

fn with_info(info: &RawValue) -> Entry {
    let line = GOLDEN[0].lines().find(|line| line.starts_with("{\"move\":")).expect("a game has a move");
    let mut log = Log::read(format!("{header}{line}\n", header = header()).as_bytes()).expect("it is a log");
    let Some(Entry::Move(mut mv)) = log.entries.pop() else { panic!("{line}") };
    mv.host.as_mut().expect("it has times").info = Some(info.to_owned());
    Entry::Move(mv)
}

/// The first line of a log.
fn header() -> &'static str {
    GOLDEN[0].split_inclusive('\n').next().expect("a log begins with a line")
}

fuzz_target!(|line: &[u8]| {
    if line.contains(&b'\n') {
        return;
    }
    let text = shown(line);
    assert!(text.chars().all(is_showable), "{text:?}");
    match read(line) {
        Err(error) => {
            assert!(!error.to_string().is_empty());
            check_logged(Entry::Note(Box::new(Note::Ignored { seat: Seat::new(0), at: Moment(1), line: text })));
        }
        Ok(message) => {
            let Some(said) = said(&message) else { return };
            let otherwise: Value = serde_json::from_slice(line).expect("what is understood is JSON");
            for (field, value) in said.as_object().expect("a message is an object") {
                assert_eq!(otherwise.get(field).unwrap_or(&Value::Null), value, "{field}");
            }
            let again = serde_json::to_vec(&said).expect("it is plain data");
            let again = read(&again).expect("what is understood is understood again");
            assert_eq!(self::said(&again), Some(said));
            if let Message::Move(mv) = message {
                mv.info.into_iter().for_each(|info| check_logged(with_info(info)));
            }
        }
    }
});
