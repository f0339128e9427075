//! The field tables of `protocol.md` as something that JSON values can be held against.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::document::{Table, nth_table, plain, table};

/// The fields of one kind of object, from one table.
struct Fields(BTreeMap<String, Field>);

/// One row of a table: which values a field has, and whether it may be absent.
struct Field {
    kind: String,
    optional: bool,
}

/// All tables of messages, log lines and notes, and which of their fields were met.
pub struct Schema {
    tables: BTreeMap<&'static str, Fields>,
    met: RefCell<BTreeSet<String>>,
}

impl Fields {
    fn of(table: &Table, all_but_first_optional: bool) -> Fields {
        let fields = table.rows.iter().enumerate().map(|(index, row)| {
            let optional = row[2].contains("absent") || all_but_first_optional && index > 0;
            (plain(&row[0]), Field { kind: row[1].clone(), optional })
        });
        Fields(fields.collect())
    }

    /// The fields of a note, which stand in one cell: `seat` integer, `at` moment.
    fn of_note(cell: &str) -> Fields {
        let field = |text: &str| {
            let (name, kind) = text.split_once("` ").unwrap_or_else(|| panic!("{text}"));
            (name.trim_start_matches('`').to_owned(), Field { kind: kind.to_owned(), optional: false })
        };
        Fields(cell.split(", ").map(field).collect())
    }
}

impl Schema {
    pub fn read() -> Schema {
        let fields = |heading: &str, number: usize| Fields::of(&nth_table(heading, "field", number), false);
        let mut tables = BTreeMap::from([
            ("hello", fields("`hello`", 0)),
            ("hello.clock", fields("`hello`", 1)),
            ("hello.clock.byo_yomi", fields("`hello`", 2)),
            ("turn", fields("`turn`", 0)),
            ("turn.clock", fields("`turn`", 1)),
            ("over", fields("`over`", 0)),
            ("ready", fields("`ready`", 0)),
            ("move", fields("`move`", 0)),
            ("resign", fields("`resign`", 0)),
            ("log.header", fields("`header`", 0)),
            ("log.header.host", Fields::of(&nth_table("`header`", "field", 1), true)),
            // The messages of a bot come before the lines of a log in the document.
            ("log.move", fields("`move`", 1)),
            ("log.move.host", fields("`move`", 2)),
            ("log.load", fields("`move`", 3)),
            ("log.chance", fields("`chance`", 0)),
            ("log.leave", fields("`leave`", 0)),
            ("log.fault", fields("`fault`", 0)),
            ("log.fault.host", fields("`fault`", 1)),
            ("log.end", fields("`end`", 0)),
        ]);
        let notes = table("`host`: notes", "note");
        for name in ["ready", "ignored", "stopped", "stderr", "stderr_tail", "awake", "ended"] {
            let row = notes.rows.iter().find(|row| plain(&row[0]) == name).unwrap_or_else(|| panic!("no note {name}"));
            tables.insert(name_of_note(name), Fields::of_note(&row[1]));
        }
        assert_eq!(notes.rows.len(), 7, "every note is read above");
        Schema { tables, met: RefCell::default() }
    }

    /// A message of either side.
    pub fn message(&self, context: &str, message: &Value) {
        let name = message["type"].as_str().unwrap_or_else(|| panic!("{context}: no type"));
        let known = ["hello", "turn", "over", "ready", "move", "resign"].into_iter().find(|known| *known == name);
        self.object(context, known.unwrap_or_else(|| panic!("{context}: {name}")), message);
        match name {
            "hello" => self.clock_and_limits(context, message),
            "turn" => {
                self.object(context, "turn.clock", &message["clock"]);
                message["events"].as_array().unwrap().iter().for_each(|event| an_event(context, event));
            }
            _ => {}
        }
    }

    /// A line of a log.
    pub fn log_line(&self, context: &str, line: &Value) {
        let line = line.as_object().unwrap_or_else(|| panic!("{context}: no object"));
        assert_eq!(line.len(), 1, "{context}: one field a line");
        let (name, inner) = line.iter().next().unwrap();
        match name.as_str() {
            "header" => {
                self.object(context, "log.header", inner);
                self.clock_and_limits(context, inner);
                self.object(context, "log.header.host", &inner["host"]);
            }
            "move" => self.with_host(context, "log.move", "log.move.host", inner),
            "chance" => self.object(context, "log.chance", inner),
            "leave" => self.object(context, "log.leave", inner),
            "fault" => self.with_host(context, "log.fault", "log.fault.host", inner),
            "end" => {
                self.object(context, "log.end", inner);
                let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
                assert_eq!(keys(&inner["outcome"]), ["ranks", "reason", "result"], "{context}");
                assert_eq!(keys(&inner["host"]), ["at"], "{context}");
            }
            "host" => {
                let note = inner.as_object().unwrap();
                assert_eq!(note.len(), 1, "{context}: one field a note");
                let (name, inner) = note.iter().next().unwrap();
                self.object(context, name_of_note(name), inner);
            }
            other => panic!("{context}: no line is a {other}"),
        }
    }

    /// Every documented field was met in what was held against the tables so far.
    pub fn nothing_is_made_up(&self) {
        for (name, fields) in &self.tables {
            for field in fields.0.keys() {
                let field = format!("{name}/{field}");
                assert!(self.met.borrow().contains(&field), "{field} is documented, and nothing has it");
            }
        }
    }

    fn with_host(&self, context: &str, name: &str, host: &str, value: &Value) {
        self.object(context, name, value);
        if let Some(inner) = value.get("host") {
            self.object(context, host, inner);
            if let Some(load) = inner.get("load") {
                self.object(context, "log.load", load);
            }
        }
    }

    fn clock_and_limits(&self, context: &str, value: &Value) {
        self.object(context, "hello.clock", &value["clock"]);
        if let Some(byo_yomi) = value["clock"].get("byo_yomi") {
            self.object(context, "hello.clock.byo_yomi", byo_yomi);
        }
        let limits = value["limits"].as_object().unwrap();
        let told = table("8. Limits", "limit").rows.into_iter().filter(|row| row[3] == "yes").map(|row| plain(&row[0]));
        let told: BTreeSet<String> = told.collect();
        assert_eq!(limits.keys().cloned().collect::<BTreeSet<_>>(), told, "{context}");
        assert!(limits.values().all(Value::is_u64), "{context}");
    }

    fn object(&self, context: &str, name: &str, value: &Value) {
        let fields = &self.tables[name].0;
        let object = value.as_object().unwrap_or_else(|| panic!("{context}: {name} is an object"));
        for (key, value) in object {
            let field = fields.get(key).unwrap_or_else(|| panic!("{context}: {name} has no field {key}"));
            assert!(fits(value, &field.kind), "{context}: {name}: {key} is {}, and this is {value}", field.kind);
            self.met.borrow_mut().insert(format!("{name}/{key}"));
        }
        for (key, field) in fields {
            assert!(field.optional || object.contains_key(key), "{context}: {name} lacks {key}");
        }
    }
}

fn name_of_note(name: &str) -> &'static str {
    match name {
        "ready" => "note.ready",
        "ignored" => "note.ignored",
        "stopped" => "note.stopped",
        "stderr" => "note.stderr",
        "stderr_tail" => "note.stderr_tail",
        "awake" => "note.awake",
        "ended" => "note.ended",
        other => panic!("no note is called {other}"),
    }
}

fn an_event(context: &str, event: &Value) {
    let event = event.as_object().unwrap();
    let keys: Vec<&str> = event.keys().map(String::as_str).collect();
    match keys.as_slice() {
        ["move", "seat"] | ["leave"] | ["chance"] => {}
        ["by", "move", "seat"] => assert!(["opening", "strike"].iter().any(|by| event["by"] == *by), "{context}"),
        other => panic!("{context}: no event has the fields {other:?}"),
    }
}

/// Whether a value is of a type as the tables write it.
fn fits(value: &Value, kind: &str) -> bool {
    if let Some(items) = kind.strip_suffix(" or null") {
        return value.is_null() || fits(value, items);
    }
    let each = |fits: fn(&Value) -> bool| value.as_array().is_some_and(|items| items.iter().all(fits));
    match kind {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" | "moment" | "span" => value.is_u64(),
        "number" => value.is_number(),
        "object" => value.is_object(),
        "any" => true,
        "list of strings" => each(Value::is_string),
        "list of integers" => each(Value::is_u64),
        "list of objects" => each(Value::is_object),
        "list of numbers or nulls" => each(|item| item.is_number() || item.is_null()),
        other => panic!("no type is called {other}"),
    }
}
