//! Bots for Passage.

mod greedy;
mod minimax;
mod node;
#[cfg(test)]
mod tests;
mod worth;

pub use greedy::Greedy;
pub use minimax::Minimax;
