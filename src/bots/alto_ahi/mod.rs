//! Bots for Alto Ahí.

mod greedy;
mod minimax;
mod node;
mod race;

pub use greedy::Greedy;
pub use minimax::Minimax;
