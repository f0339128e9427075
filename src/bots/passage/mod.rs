//! Bots for Passage.

mod greedy;
mod node;
#[cfg(test)]
mod tests;
mod worth;

pub use greedy::Greedy;
