//! The four games, a folder each: rules, notation, public view and board. Each stands alone; none knows another.

#[cfg(test)]
pub mod conformance;
pub mod passage;
