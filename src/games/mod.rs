//! The four games, a folder each: rules, notation, public view and board. Each stands alone; none knows another.

pub mod alto_ahi;
pub mod alto_riesgo;
#[cfg(test)]
pub mod conformance;
pub mod crecer;
pub mod passage;
