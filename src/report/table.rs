//! A table that can be shown on a terminal, in Markdown and on a page.

use comfy_table::{CellAlignment, Table as Comfy, presets};

use super::text;

/// Rows of cells under heads. The first columns, as many as [`Table::words`] says, are words and stand to the left; the
/// others are numbers and stand to the right.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Table {
    /// What it shows; may be empty.
    pub title: String,
    /// The head of each column.
    pub heads: Vec<String>,
    /// Which columns are words.
    pub words: Vec<usize>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

/// What stands in a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cell {
    /// A name from outside, which may hold anything.
    Name(String),
    /// Words or a number of our own.
    Own(String),
    /// The same, of what is no good sign: a page shows it so.
    Bad(String),
}

impl Cell {
    /// A number, or other words of our own.
    pub fn own(shown: impl ToString) -> Cell {
        Cell::Own(shown.to_string())
    }
}

impl Table {
    /// The table for a terminal: a line a row.
    pub fn human(&self) -> String {
        let mut table = Comfy::new();
        table.load_style(presets::NOTHING);
        table.set_header(&self.heads);
        for row in &self.rows {
            table.add_row(row.iter().map(|cell| match cell {
                Cell::Name(name) => text::name(name),
                Cell::Own(shown) | Cell::Bad(shown) => shown.clone(),
            }));
        }
        for (index, column) in table.column_iter_mut().enumerate() {
            let alignment = if self.words.contains(&index) { CellAlignment::Left } else { CellAlignment::Right };
            column.set_cell_alignment(alignment);
        }
        let title = if self.title.is_empty() { String::new() } else { format!("{}\n", self.title) };
        format!("{title}{}\n", table.trim_fmt())
    }

    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut shown = if self.title.is_empty() { String::new() } else { format!("### {}\n\n", self.title) };
        shown.push_str(&line(self.heads.clone()));
        let rule = |index: usize| if self.words.contains(&index) { ":---".to_owned() } else { "---:".to_owned() };
        shown.push_str(&line((0..self.heads.len()).map(rule).collect()));
        for row in &self.rows {
            shown.push_str(&line(
                row.iter()
                    .map(|cell| match cell {
                        Cell::Name(name) => text::markdown(name),
                        Cell::Own(shown) | Cell::Bad(shown) => shown.clone(),
                    })
                    .collect(),
            ));
        }
        shown
    }
}
