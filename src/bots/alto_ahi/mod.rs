//! Bots for Alto Ahí.

mod greedy;
mod node;
mod race;

pub use greedy::Greedy;
