//! What a bot may say: one line to one [`Message`], or what is wrong with it in words for its author.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::limits::SHOWN_BYTES;
use super::strict::Strict;

/// A line that a bot sent, understood.
#[derive(Debug)]
pub enum Message<'a> {
    /// The bot is ready to play.
    Ready(Ready<'a>),
    /// The answer to a question.
    Move(Move<'a>),
    /// The bot gives up.
    Resign(Resign),
}

/// `{"type":"ready"}`: what the bot says of itself.
#[derive(Debug)]
pub struct Ready<'a> {
    /// How the bot calls itself.
    pub name: Option<Cow<'a, str>>,
    /// Whether it wants the list of legal moves with each question; it does if it says nothing.
    pub legal: Option<bool>,
}

/// `{"type":"move","turn":17,"move":"e2"}`.
#[derive(Debug)]
pub struct Move<'a> {
    /// The number of the question that this answers.
    pub turn: u64,
    /// The move.
    pub token: Cow<'a, str>,
    /// What the bot wants kept in the log: an object.
    pub info: Option<&'a RawValue>,
}

/// `{"type":"resign","turn":17}`.
#[derive(Debug)]
pub struct Resign {
    /// The number of the question that this answers.
    pub turn: u64,
}

/// A line that is no message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unreadable {
    /// The line does not begin an object; mostly text for people that got onto stdout.
    #[error("a line on stdout does not begin with “{{” as every message does (text for people goes to stderr)")]
    NotAnObject,
    /// Not UTF-8.
    #[error("the line is not UTF-8 at byte {0}")]
    NotUtf8(usize),
    /// JSON that is broken, or of another shape.
    #[error("{0}")]
    Json(String),
    /// An object of no known type.
    #[error("no message has the type “{0}”; a bot sends ready, move or resign")]
    UnknownType(String),
    /// An `info` that is refused.
    #[error("info is not kept: {0}")]
    Info(String),
}

/// Reads one line, already without its line end.
///
/// # Errors
/// What is wrong with the line, naming the place.
pub fn read(line: &[u8]) -> Result<Message<'_>, Unreadable> {
    if line.first() != Some(&b'{') {
        return Err(Unreadable::NotAnObject);
    }
    let line = std::str::from_utf8(line).map_err(|error| Unreadable::NotUtf8(error.valid_up_to() + 1))?;
    let Fields { kind, turn, token, info, name, legal } = serde_json::from_str(line).map_err(json)?;
    // The end of the line is where a field is known to be missing.
    let missing = |field| Unreadable::Json(format!("missing field `{field}`, at column {}", line.len()));
    match kind.ok_or_else(|| missing("type"))?.as_ref() {
        "move" => {
            let turn = turn.ok_or_else(|| missing("turn"))?;
            Ok(Message::Move(Move { turn, token: token.ok_or_else(|| missing("move"))?, info }))
        }
        "ready" => Ok(Message::Ready(Ready { name, legal })),
        "resign" => Ok(Message::Resign(Resign { turn: turn.ok_or_else(|| missing("turn"))? })),
        other => Err(Unreadable::UnknownType(shown(other.as_bytes()))),
    }
}

fn json(error: serde_json::Error) -> Unreadable {
    let words = error.to_string();
    let what = words.split(" at line ").next().unwrap_or(&words);
    // The one number that a message has, in words of our own.
    let what = what.replace("expected u64", "expected a whole number");
    Unreadable::Json(format!("{what}, at column {}", error.column()))
}

/// The fields that any message has. Each keeps its type whatever the message is, and no name comes twice: another
/// reader of the same line might take the other one of the two. Unknown fields must be sound and are passed over.
#[derive(Default)]
struct Fields<'a> {
    kind: Option<Cow<'a, str>>,
    turn: Option<u64>,
    token: Option<Cow<'a, str>>,
    info: Option<&'a RawValue>,
    name: Option<Cow<'a, str>>,
    legal: Option<bool>,
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Fields<'de>, D::Error> {
        from.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        const KNOWN: [&str; 6] = ["type", "turn", "move", "info", "name", "legal"];
        let mut fields = Fields::default();
        let (mut seen, mut others) = ([false; KNOWN.len()], BTreeSet::new());
        while let Some(Text(key)) = map.next_key()? {
            let known = KNOWN.iter().position(|known| *known == key);
            let twice = match known {
                Some(place) => std::mem::replace(&mut seen[place], true),
                None => !others.insert(key.clone()),
            };
            if twice {
                return Err(de::Error::custom(format_args!("duplicate field `{}`", shown(key.as_bytes()))));
            }
            match known.map(|place| KNOWN[place]) {
                Some("type") => fields.kind = Some(map.next_value::<Text>()?.0),
                Some("turn") => fields.turn = Some(map.next_value()?),
                Some("move") => fields.token = Some(map.next_value::<Text>()?.0),
                Some("info") => fields.info = map.next_value()?,
                Some("name") => fields.name = map.next_value::<Option<Text>>()?.map(|text| text.0),
                Some("legal") => fields.legal = map.next_value()?,
                _ => map.next_value_seed(Strict::default())?,
            }
        }
        Ok(fields)
    }
}

/// A string that is borrowed from the line where it holds no escapes.
struct Text<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Text<'de>, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        from.deserialize_str(TextVisitor)
    }
}

impl Move<'_> {
    /// The `info` as it came, if it may be kept.
    ///
    /// # Errors
    /// When it is no object, longer than `limit` bytes, or holds what readers of logs could stumble over.
    pub fn checked_info(&self, limit: usize) -> Result<Option<&RawValue>, Unreadable> {
        let Some(info) = self.info else { return Ok(None) };
        let text = info.get();
        if !text.starts_with('{') {
            return Err(Unreadable::Info("it is not an object".to_owned()));
        }
        if text.len() > limit {
            return Err(Unreadable::Info(format!("it has {} bytes, and {limit} are the limit", text.len())));
        }
        Strict::check(text).map_err(|error| Unreadable::Info(error.to_string()))?;
        Ok(Some(info))
    }
}

/// Bytes that a bot sent as text that is safe to show: at most [`SHOWN_BYTES`], what cannot be shown as escapes.
pub fn shown(bytes: &[u8]) -> String {
    let cut = &bytes[..bytes.len().min(SHOWN_BYTES)];
    let mut text = String::new();
    for chunk in cut.utf8_chunks() {
        text.push_str(&harmless(chunk.valid()));
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    if bytes.len() > SHOWN_BYTES {
        text.push_str(&format!("… ({} bytes)", bytes.len()));
    }
    text
}

/// Text from outside as text that is safe to show: all of it, what cannot be shown as escapes.
pub fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_showable(letter) { shown.push(letter) } else { shown.extend(letter.escape_unicode()) }
    }
    shown
}

/// Whether a letter shows as itself: no control, and nothing that turns, hides or joins the text around it.
pub fn is_showable(letter: char) -> bool {
    !letter.is_control()
        && !matches!(letter, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_messages_are_read_in_any_order_of_fields() {
        assert!(
            matches!(read(br#"{"type":"move","turn":3,"move":"e2"}"#), Ok(Message::Move(mv)) if mv.turn == 3 && mv.token == "e2")
        );
        assert!(
            matches!(read(br#"{ "move" : "e\u0032" , "turn":3, "extra":[{}], "type":"move"}"#), Ok(Message::Move(mv)) if mv.token == "e2")
        );
        assert!(
            matches!(read(br#"{"type":"ready","name":"x","legal":false}"#), Ok(Message::Ready(ready)) if ready.legal == Some(false))
        );
        assert!(matches!(read(br#"{"turn":9,"type":"resign"}"#), Ok(Message::Resign(resign)) if resign.turn == 9));
    }

    #[test]
    fn a_name_that_comes_twice_and_unsound_fields_are_refused() {
        let words = |line: &str| read(line.as_bytes()).unwrap_err().to_string();
        assert!(words(r#"{"type":"move","turn":1,"move":"e2","move":"e3"}"#).starts_with("duplicate field `move`"));
        assert!(words(r#"{"type":"ready","legal":null,"leg\u0061l":true}"#).starts_with("duplicate field `legal`"));
        assert!(words(r#"{"type":"ready","note":1,"note":1}"#).starts_with("duplicate field `note`"));
        assert!(words(r#"{"type":"ready","note":[1e999]}"#).starts_with("number out of range"));
        assert!(words(r#"{"type":"ready","turn":"3"}"#).starts_with("invalid type"));
    }

    #[test]
    fn a_fault_names_its_place() {
        let words = |line: &[u8]| read(line).unwrap_err().to_string();
        assert_eq!(
            words(br#"{"type":"move","turn":1.5,"move":"e2"}"#),
            "invalid type: floating point `1.5`, expected a whole number, at column 25"
        );
        assert_eq!(words(br#"{"type":"move","turn":1}"#), "missing field `move`, at column 24");
        assert_eq!(words(b"{\"type\":\"m\xff\"}"), "the line is not UTF-8 at byte 11");
        assert!(words(b"thinking...").contains("stderr"));
    }

    #[test]
    fn an_info_is_an_object_within_its_limit() {
        let info = |line: &'static str| match read(line.as_bytes()) {
            Ok(Message::Move(mv)) => {
                mv.checked_info(20).map(|info| info.map(|raw| raw.get().to_owned())).map_err(|error| error.to_string())
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(
            info(r#"{"type":"move","turn":1,"move":"e2","info":{"depth":3}}"#),
            Ok(Some(r#"{"depth":3}"#.to_owned()))
        );
        assert_eq!(info(r#"{"type":"move","turn":1,"move":"e2","info":null}"#), Ok(None));
        assert!(info(r#"{"type":"move","turn":1,"move":"e2","info":[1]}"#).unwrap_err().contains("object"));
        assert!(
            info(r#"{"type":"move","turn":1,"move":"e2","info":{"text":"too long to keep"}}"#)
                .unwrap_err()
                .contains("27 bytes")
        );
        assert!(info(r#"{"type":"move","turn":1,"move":"e2","info":{"v":1e999}}"#).is_err());
    }

    #[test]
    fn what_is_shown_is_short_and_harmless() {
        assert_eq!(shown(b"a\x1b[2J\xff\xe2\x80\xae"), "a\\u{1b}[2J\\xff\\u{202e}");
        assert!(shown(&[b'x'; 5000]).ends_with("… (5000 bytes)"));
    }
}
