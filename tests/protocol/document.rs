//! `protocol.md` taken apart: its code blocks and its tables.

use std::fs;
use std::path::{Path, PathBuf};

/// A code block.
pub struct Block {
    /// What stands behind the opening fence.
    pub info: String,
    pub lines: Vec<String>,
    /// The number of its first line in the file.
    pub number: usize,
}

/// A table.
pub struct Table {
    /// The last heading before it, without its hashes.
    pub heading: String,
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// A file of the package.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The whole text.
pub fn text() -> String {
    fs::read_to_string(path("protocol.md")).expect("protocol.md can be read")
}

/// All code blocks, in order.
pub fn blocks() -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for (index, line) in text().lines().enumerate() {
        match (line.strip_prefix("```"), inside) {
            (Some(info), false) => {
                blocks.push(Block { info: info.to_owned(), lines: Vec::new(), number: index + 2 });
                inside = true;
            }
            (Some(rest), true) => {
                assert_eq!(rest, "", "line {}", index + 1);
                inside = false;
            }
            (None, true) => blocks.last_mut().unwrap().lines.push(line.to_owned()),
            (None, false) => {}
        }
    }
    assert!(!inside, "the last block has an end");
    blocks
}

/// The lines of all blocks with this info string, each with where it stands.
pub fn lines(info: &str) -> Vec<(String, String)> {
    let found: Vec<(String, String)> = blocks()
        .into_iter()
        .filter(|block| block.info == info)
        .flat_map(|block| {
            let number = block.number;
            block.lines.into_iter().enumerate().map(move |(index, line)| (format!("line {}", number + index), line))
        })
        .collect();
    assert!(!found.is_empty(), "there is a block for {info}");
    found
}

/// All tables, in order.
pub fn tables() -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let mut heading = String::new();
    let mut inside = false;
    for line in text().lines() {
        if let Some(title) = line.strip_prefix('#') {
            heading = title.trim_start_matches('#').trim().to_owned();
        }
        let Some(row) = line.strip_prefix('|').and_then(|row| row.strip_suffix('|')) else {
            inside = false;
            continue;
        };
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().to_owned()).collect();
        if !inside {
            tables.push(Table { heading: heading.clone(), header: cells, rows: Vec::new() });
            inside = true;
        } else if !row.starts_with("---") {
            let table = tables.last_mut().unwrap();
            assert_eq!(cells.len(), table.header.len(), "{line}");
            table.rows.push(cells);
        }
    }
    tables
}

/// The table under this heading whose first column has this title; the first one if there are more.
pub fn table(heading: &str, first: &str) -> Table {
    nth_table(heading, first, 0)
}

/// As [`table`], but the one after so many others.
pub fn nth_table(heading: &str, first: &str, number: usize) -> Table {
    let mut found = tables().into_iter().filter(|table| table.heading == heading && table.header[0] == first);
    found.nth(number).unwrap_or_else(|| panic!("there is no table number {number} of {first} under {heading}"))
}

impl Table {
    /// The cells of the column with this title.
    pub fn column(&self, title: &str) -> Vec<String> {
        let place = self.header.iter().position(|cell| cell == title).unwrap_or_else(|| panic!("no column {title}"));
        self.rows.iter().map(|row| plain(&row[place])).collect()
    }

    /// The cell of this column in the row whose first cell is `first`.
    pub fn cell(&self, first: &str, title: &str) -> String {
        let row = self.column(&self.header[0]).iter().position(|cell| cell == first);
        self.column(title)[row.unwrap_or_else(|| panic!("no row for {first}"))].clone()
    }
}

/// A cell without the backticks around it.
pub fn plain(cell: &str) -> String {
    cell.strip_prefix('`').and_then(|cell| cell.strip_suffix('`')).unwrap_or(cell).to_owned()
}
