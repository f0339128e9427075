//! Bots for Crecer.
//!
//! [`worth`] says what a position is worth and looks no move ahead but for a win at once; [`Place`](node::Place) is a
//! position as a search sees it.

mod greedy;
mod node;
#[cfg(test)]
mod tests;
mod worth;

pub use greedy::Greedy;
