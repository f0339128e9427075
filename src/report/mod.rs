//! Views of what was played: text for people, pages for browsers, and JSON, CSV and Markdown for other programs.
//!
//! ```text
//! tournament::standings ─┬─ standings ─┬─ sections ─ table ─▶ a terminal, Markdown, page
//!                        │             ├─ json
//!                        │             └─ csv
//!                        └─ page ──────────────────────────▶ a browser
//! ```
//!
//! Nothing is computed here that standings or ratings do not say, and nothing is read or printed: a view is a text. Names
//! of bots come from outside and may hold anything; [`text`] and [`page`] say how each format keeps them from doing
//! harm. A number that cannot be told is `n/a` in texts and `null` in JSON.

pub mod faults;
pub mod page;
pub mod standings;
pub mod table;
pub mod text;
