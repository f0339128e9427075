//! Views of what was played: text for people, and JSON, CSV and Markdown for other programs.
//!
//! ```text
//! tournament::standings ─▶ standings ─┬─ sections ─ table ─▶ a terminal, Markdown
//!                                     ├─ json
//!                                     └─ csv
//! ```
//!
//! A view computes nothing that others would have to compute again, reads nothing and prints nothing: it is a text. Names
//! of bots come from outside and may hold anything; [`text`] says how each format keeps them from doing harm. A number
//! that cannot be told is `n/a` in texts and `null` in JSON.

pub mod standings;
pub mod table;
pub mod text;
