//! A line from a bot: nothing panics, what is understood is what another reader understands, and it can be logged.

#![no_main]

use std::fmt;

use arbitro::clock::Moment;
use arbitro::protocol::receive::{Message, is_showable, read, shown};
use arbitro::record::entry::{Entry, Note};
use arbitro::seat::Seat;
use arbitro_fuzz::logs::{GOLDEN, Log};
use libfuzzer_sys::fuzz_target;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// What was understood, written as a message.
fn said(message: &Message) -> Option<String> {
    let text = |text: &str| serde_json::to_string(text).expect("text is JSON");
    let or_null = |part: Option<String>| part.unwrap_or_else(|| "null".to_owned());
    match message {
        Message::Move(mv) => {
            let info = or_null(mv.checked_info(1024).ok()?.map(|info| info.get().to_owned()));
            Some(format!(r#"{{"type":"move","turn":{},"move":{},"info":{info}}}"#, mv.turn, text(&mv.token)))
        }
        Message::Ready(ready) => {
            let (name, legal) = (ready.name.as_deref().map(text), ready.legal.map(|legal| legal.to_string()));
            Some(format!(r#"{{"type":"ready","name":{},"legal":{}}}"#, or_null(name), or_null(legal)))
        }
        Message::Resign(resign) => Some(format!(r#"{{"type":"resign","turn":{}}}"#, resign.turn)),
    }
}

/// An object as its names and values, in order.
struct Pairs<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Pairs<'de>, D::Error> {
        struct PairsVisitor;
        impl<'de> Visitor<'de> for PairsVisitor {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<'de>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        from.deserialize_map(PairsVisitor)
    }
}

/// No name comes twice in an object, anywhere, or readers could take different ones of the two.
fn check_names(json: &str) {
    if let Ok(Pairs(pairs)) = serde_json::from_str(json) {
        let mut names: Vec<&str> = pairs.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        pairs.iter().for_each(|(_, value)| check_names(value.get()));
    } else if let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(json) {
        items.iter().for_each(|item| check_names(item.get()));
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
            check_names(std::str::from_utf8(line).expect("what is understood is UTF-8"));
            let otherwise: Value = serde_json::from_slice(line).expect("what is understood is JSON");
            let taken: Value = serde_json::from_str(&said).expect("it is JSON");
            for (field, value) in taken.as_object().expect("a message is an object") {
                assert_eq!(otherwise.get(field).unwrap_or(&Value::Null), value, "{field}");
            }
            let again = read(said.as_bytes()).expect("what is understood is understood again");
            assert_eq!(self::said(&again).as_ref(), Some(&said));
            if let Message::Move(mv) = message {
                mv.info.into_iter().for_each(|info| check_logged(with_info(info)));
            }
        }
    }
});
