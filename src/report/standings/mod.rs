//! Standings as texts: for a terminal, Markdown, CSV and JSON.
//!
//! Equal games give equal bytes, for which reason what was measured is shown only where [`View::times`] asks for it.

pub(super) mod block;
mod csv;
mod json;
pub(super) mod sections;

#[cfg(test)]
mod tests;

use sections::Section;

use super::text;
use crate::tournament::standings::Standings;

pub use csv::csv;
pub use json::{SCHEMA, json};

/// What is shown besides.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct View {
    /// The times that bots used.
    pub times: bool,
}

/// Standings for a terminal.
pub fn human(standings: &Standings, view: View) -> String {
    let mut shown = match standings.name.as_str() {
        "" => String::new(),
        name => format!("{}\n", text::name(name)),
    };
    for (place, section) in sections::of(standings, view).iter().enumerate() {
        if place > 0 {
            shown.push('\n');
        }
        match section {
            Section::Lines(lines) => lines.iter().for_each(|line| shown.push_str(&format!("{line}\n"))),
            Section::Table(table) => shown.push_str(&table.human()),
            Section::Block(block) => shown.push_str(block),
        }
    }
    shown
}

/// Standings in Markdown.
pub fn markdown(standings: &Standings, view: View) -> String {
    let title = match standings.name.as_str() {
        "" => "Standings".to_owned(),
        name => text::markdown(name),
    };
    let mut shown = format!("## {title}\n");
    for section in sections::of(standings, view) {
        shown.push('\n');
        match section {
            Section::Lines(lines) => lines.iter().for_each(|line| shown.push_str(&format!("- {line}\n"))),
            Section::Table(table) => shown.push_str(&table.markdown()),
            Section::Block(block) => shown.push_str(&format!("```text\n{block}```\n")),
        }
    }
    shown
}
