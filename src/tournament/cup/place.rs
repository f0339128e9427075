//! Where in the file something is wrong, and what to write instead.

use std::fmt;
use std::ops::{Deref, Range};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong with a tournament's file: in which line, with which key, and what to write instead.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}: {}{words}", prefix(.key))]
pub struct BadCup {
    /// The line, from 1.
    pub line: usize,
    /// The key with the tables that it stands in, as in `clock.move_limit`; empty where it is about no key.
    pub key: String,
    /// What is wrong, and what to do.
    pub words: String,
}

fn prefix(key: &str) -> String {
    if key.is_empty() { String::new() } else { format!("{key}: ") }
}

impl BadCup {
    /// Something that is wrong with a value of this key.
    pub fn new(line: usize, key: impl Into<String>, words: impl fmt::Display) -> BadCup {
        BadCup { line, key: visible(&key.into()), words: visible(&words.to_string()) }
    }
}

/// Control characters, and those that change the direction of a text or take up no room.
pub(super) fn is_unseen(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A line as it can be shown, whatever stood in the file.
fn visible(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    for character in line.chars() {
        if is_unseen(character) { shown.extend(character.escape_default()) } else { shown.push(character) }
    }
    shown
}

/// A value with the line in which it stands: what is looked at later, when files are opened and programs found, can
/// still be told where it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located<T> {
    /// The line, from 1.
    pub line: usize,
    /// What is written there.
    pub value: T,
}

impl<T> Deref for Located<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// The text of a tournament's file.
pub(super) struct Text<'a> {
    pub whole: &'a str,
    /// Where lines end, so that a field of thousands is located in no time.
    ends: Vec<usize>,
}

impl<'a> Text<'a> {
    pub fn new(whole: &'a str) -> Text<'a> {
        let ends = whole.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at);
        Text { whole, ends: ends.collect() }
    }

    /// Where a value stands.
    pub fn locate<T>(&self, value: Spanned<T>) -> Located<T> {
        Located { line: self.line(value.span().start), value: value.into_inner() }
    }

    /// The same for a list of them.
    pub fn locate_all<T>(&self, values: Vec<Spanned<T>>) -> Vec<Located<T>> {
        values.into_iter().map(|value| self.locate(value)).collect()
    }

    /// What is wrong with what stands at a place.
    pub fn fault(&self, at: &Range<usize>, words: impl fmt::Display) -> BadCup {
        BadCup::new(self.line(at.start), self.key(at.start), words)
    }

    /// What is wrong within a table that begins at a place: at the first key in it that the words name, if they do.
    pub fn fault_within(&self, at: &Range<usize>, words: impl fmt::Display) -> BadCup {
        let words = words.to_string();
        let Ok(whole) = DeTable::parse(self.whole) else { return self.fault(at, words) };
        let table = self.key(at.start);
        let named = words.split('`').skip(1).step_by(2).find_map(|name| {
            let value =
                table.split('.').try_fold(whole.get_ref(), |inner, key| inner.get(key)?.get_ref().as_table())?;
            // A key may be named with its value: `rounds = 2`.
            span_of(value, name.split(' ').next().unwrap_or(name))
        });
        self.fault(&named.unwrap_or(at.clone()), words)
    }

    /// What kept the text from being read as a tournament's file.
    pub fn unreadable(&self, error: &toml::de::Error) -> BadCup {
        let at = error.span().unwrap_or(0..0);
        let Ok(table) = DeTable::parse(self.whole) else {
            return BadCup::new(self.line(at.start), "", format!("this is no TOML: {}", error.message()));
        };
        let (key, line) = (key_at(table.get_ref(), at.start), self.line(at.start));
        if let Some((unknown, known)) = unknown("field", error.message()) {
            // The key itself is named by the words.
            let table = key.rsplit_once('.').map_or_else(String::new, |(table, _)| format!(" in [{table}]"));
            return BadCup::new(line, "", format!("unknown key `{unknown}`{table}: {}", instead(unknown, &known)));
        }
        if let Some((unknown, known)) = unknown("variant", error.message()) {
            return BadCup::new(line, key, format!("“{unknown}” cannot be used: {}", instead(unknown, &known)));
        }
        if let Some(missing) = error.message().strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
            // The file as a whole has no place.
            let table = if at.is_empty() || key.is_empty() { String::new() } else { format!("{key}.") };
            return BadCup::new(
                line,
                format!("{table}{missing}"),
                "this key is missing; `arbitro init` writes an example with all keys",
            );
        }
        self.fault_within(&at, in_plain_words(error.message()))
    }

    /// The line in which something begins.
    pub fn line_of(&self, at: &Range<usize>) -> usize {
        self.line(at.start)
    }

    fn line(&self, at: usize) -> usize {
        self.ends.partition_point(|&end| end < at) + 1
    }

    fn key(&self, at: usize) -> String {
        DeTable::parse(self.whole).map(|table| key_at(table.get_ref(), at)).unwrap_or_default()
    }
}

/// The key that stands at a place of the text, or whose value does.
fn key_at(table: &DeTable, at: usize) -> String {
    let covers = |span: Range<usize>| span.contains(&at) || span.start == at;
    table
        .iter()
        .find_map(|(key, value)| {
            // The span of a table is its heading: what stands below it lies elsewhere.
            let inner = deeper(value.get_ref(), at);
            match inner.is_empty() {
                false => Some(format!("{}.{inner}", key.get_ref())),
                true if covers(key.span()) || covers(value.span()) => Some(key.get_ref().to_string()),
                true => heads_of(value.get_ref()).any(covers).then(|| key.get_ref().to_string()),
            }
        })
        .unwrap_or_default()
}

/// Where a key stands in a table, or in one below it.
fn span_of(table: &DeTable, name: &str) -> Option<Range<usize>> {
    let below = || table.values().find_map(|value| span_of(value.get_ref().as_table()?, name));
    table.keys().find(|key| key.get_ref() == name).map(Spanned::span).or_else(below)
}

fn deeper(value: &DeValue, at: usize) -> String {
    match value {
        DeValue::Table(table) => key_at(table, at),
        DeValue::Array(items) => {
            items.iter().map(|item| deeper(item.get_ref(), at)).find(|key| !key.is_empty()).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// Where the headings of an array of tables stand.
fn heads_of<'a>(value: &'a DeValue) -> Box<dyn Iterator<Item = Range<usize>> + 'a> {
    match value {
        DeValue::Array(items) => Box::new(items.iter().map(Spanned::span)),
        _ => Box::new(std::iter::empty()),
    }
}

/// What serde says of a word that is none of those that it knows: the word, and what it knows.
pub(super) fn unknown<'a>(what: &str, message: &'a str) -> Option<(&'a str, Vec<&'a str>)> {
    let rest = message.strip_prefix("unknown ")?.strip_prefix(what)?.strip_prefix(" `")?;
    let (unknown, rest) = rest.split_once("`, ").or_else(|| rest.split_once('`'))?;
    Some((unknown, rest.split('`').skip(1).step_by(2).collect()))
}

/// What to write instead of an unknown word.
pub(super) fn instead(unknown: &str, known: &[&str]) -> String {
    match nearest(unknown, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "nothing can be said here".to_owned(),
        None => format!("there is {}", known.join(", ")),
    }
}

/// The known word that was most likely meant: at most a third of it is mistyped.
pub(super) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let plain = |word: &str| word.to_lowercase().replace(['-', ' '], "_");
    let distance = |known: &&&str| strsim::osa_distance(&plain(word), &plain(known));
    let near = known.iter().min_by_key(distance)?;
    (distance(&near) * 3 <= near.chars().count().max(3)).then_some(*near)
}

/// What serde says, in the words of the file.
fn in_plain_words(message: &str) -> String {
    let words = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "));
    let Some((found, wanted)) = words.and_then(|words| words.rsplit_once(", expected ")) else {
        return match message {
            "wanted string or table" => "a word in quotes is needed".to_owned(),
            _ => message.to_owned(),
        };
    };
    let found = match found {
        "map" => "a table".to_owned(),
        "sequence" => "an array".to_owned(),
        _ => found.replace('`', "").replace("string ", "the text "),
    };
    let wanted = match wanted {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0 is needed, without quotes".to_owned(),
        "a sequence" if found == "a table" => {
            "an array is needed: write each of them under a heading in double brackets, as in [[bots]]".to_owned()
        }
        "a sequence" => "an array is needed, as in [\"python3\", \"bot.py\"]".to_owned(),
        "a map" => "a table is needed, as in { NAME = \"value\" }".to_owned(),
        "a boolean" => "true or false is needed, without quotes".to_owned(),
        "a string" | "path string" => "a text in quotes is needed".to_owned(),
        other => format!("{other} is needed"),
    };
    format!("{found} cannot be used: {wanted}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_was_meant_is_near() {
        let known = ["rounds", "orders", "kind", "move_limit", "sets"];
        let near = |word| nearest(word, &known);
        assert_eq!(near("ruonds"), Some("rounds"));
        assert_eq!(near("Move-Limit"), Some("move_limit"));
        assert_eq!(near("set"), Some("sets"));
        assert_eq!(near("colour"), None);
        assert_eq!(near("x"), None);
        assert_eq!(nearest("x", &[]), None);
    }

    #[test]
    fn what_serde_says_is_taken_apart() {
        #[derive(serde::Deserialize, Debug)]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "it is only read")]
        struct Two {
            one: u8,
            other: u8,
        }
        #[derive(serde::Deserialize, Debug)]
        #[serde(deny_unknown_fields)]
        struct None {}
        #[derive(serde::Deserialize, Debug)]
        #[serde(rename_all = "kebab-case")]
        enum Word {
            This,
            That,
        }
        let message = toml::from_str::<Two>("on = 1").unwrap_err();
        assert_eq!(unknown("field", message.message()), Some(("on", vec!["one", "other"])));
        let message = toml::from_str::<None>("on = 1").unwrap_err();
        assert_eq!(unknown("field", message.message()), Some(("on", vec![])));
        let message = toml::from_str::<std::collections::BTreeMap<String, Word>>("a = 'the'").unwrap_err();
        assert_eq!(unknown("variant", message.message()), Some(("the", vec!["this", "that"])));
        assert_eq!(unknown("field", "unknown variant `a`, expected `b`"), None);
    }
}
