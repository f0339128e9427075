//! What was found: sections of items, as people and as programs read them.

use std::io::Write;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use super::show::Show;
use crate::cli::failure::{Failure, Kind};

/// How an item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// As it should be.
    Ok,
    /// Good to know; no match depends on it.
    Note,
    /// A part of the sandbox that this machine does not have.
    Missing,
    /// It was tried, and does not hold.
    Failed,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
pub struct Item {
    pub id: &'static str,
    pub name: &'static str,
    pub state: State,
    /// What was found, in words.
    pub found: String,
    /// The numbers behind the words, with their units in their names.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub figures: Map<String, Value>,
    /// What it means for a match, where it is not as it should be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<String>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// What was tried, one by one, where that is more than one thing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<Attempt>,
}

/// Something that a bot tried.
#[derive(Clone, Debug, Serialize)]
pub struct Attempt {
    pub name: String,
    pub works: bool,
    /// Why it does not work, as the bot was told; empty where it works.
    pub why: String,
}

impl Item {
    pub fn new(id: &'static str, name: &'static str, state: State, found: impl Into<String>) -> Item {
        let found = found.into();
        Item { id, name, state, found, figures: Map::new(), means: None, remedy: None, attempts: Vec::new() }
    }

    /// Adds a number.
    pub fn figure(mut self, name: &str, value: impl Into<Value>) -> Item {
        self.figures.insert(name.to_owned(), value.into());
        self
    }

    /// Says what it means for a match, unless all is well.
    pub fn means(mut self, words: impl Into<String>) -> Item {
        self.means = (self.state != State::Ok).then(|| words.into());
        self
    }

    /// Says what to do about it, unless all is well.
    pub fn remedy(mut self, words: impl Into<String>) -> Item {
        self.remedy = (self.state != State::Ok).then(|| words.into());
        self
    }
}

#[derive(Serialize)]
struct Section {
    name: &'static str,
    items: Vec<Item>,
}

/// Everything that was found so far; people are shown each item at once.
pub struct Report {
    sections: Vec<Section>,
    show: Option<Show>,
}

impl Report {
    /// An empty report, shown to people as it grows, or not at all.
    pub fn new(show: Option<Show>) -> Report {
        Report { sections: Vec::new(), show }
    }

    /// Begins a section.
    ///
    /// # Errors
    /// When it cannot be printed; so below.
    pub fn section(&mut self, name: &'static str) -> Result<(), Failure> {
        self.print(|show| show.section(name, self.sections.is_empty()))?;
        self.sections.push(Section { name, items: Vec::new() });
        Ok(())
    }

    /// Adds an item to the last section.
    pub fn add(&mut self, item: Item) -> Result<(), Failure> {
        self.print(|show| show.item(&item))?;
        self.sections.last_mut().expect("an item belongs to a section").items.push(item);
        Ok(())
    }

    /// Ends the report. `missing` says what keeps `--sandbox require` from starting, if anything does.
    ///
    /// # Errors
    /// A negative answer where something is missing or does not hold.
    pub fn conclude(self, missing: Option<String>, took: Duration) -> Result<(), Failure> {
        let failed = self.sections.iter().flat_map(|section| &section.items);
        let failed: Vec<&str> = failed.filter(|item| item.state == State::Failed).map(|item| item.name).collect();
        let well = missing.is_none() && failed.is_empty();
        if self.show.is_none() {
            self.print_json(missing.as_deref(), well, took)?;
        }
        self.print(|show| show.verdict(missing.as_deref(), &failed))?;
        if well { Ok(()) } else { Err(Failure::silent(Kind::No)) }
    }

    fn print(&self, words: impl FnOnce(&Show) -> String) -> Result<(), Failure> {
        let text = self.show.as_ref().map(words).unwrap_or_default();
        Ok(std::io::stdout().write_all(text.as_bytes())?)
    }

    fn print_json(&self, missing: Option<&str>, well: bool, took: Duration) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Row<'a> {
            schema: u32,
            referee: &'static str,
            well: bool,
            require_starts: bool,
            missing: Option<&'a str>,
            took_ms: u64,
            sections: &'a [Section],
        }
        let row = Row {
            schema: 1,
            referee: env!("CARGO_PKG_VERSION"),
            well,
            require_starts: missing.is_none(),
            missing,
            took_ms: took.as_millis() as u64,
            sections: &self.sections,
        };
        let mut out = std::io::stdout().lock();
        serde_json::to_writer(&mut out, &row).map_err(std::io::Error::from)?;
        Ok(writeln!(out)?)
    }
}
