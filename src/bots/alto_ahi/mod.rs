//! Bots for Alto Ahí.

mod greedy;
mod race;

pub use greedy::Greedy;
