//! What is said of a tournament while it runs.

mod screen;
pub mod tally;
pub mod words;
