//! The games: one folder each, with its rules in words beside the code.

pub mod passage;
