//! Bots for Alto Riesgo.
//!
//! [`Turn`](turn::Turn) reckons with the dice and knows nothing about what is good; [`Worth`](worth::Worth) says what
//! a position is worth and knows nothing about turns under way.

mod greedy;
mod odds;
#[cfg(test)]
mod tests;
mod turn;
mod worth;

pub use greedy::Greedy;
pub use odds::Odds;
