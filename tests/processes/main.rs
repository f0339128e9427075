//! Keeper, launcher and player against real processes.
//!
//! Tests that kill keepers or whole referees, or that count descriptors, run in a process of their own: see
//! [`referee`].

mod birth;
mod ends;
mod freezing;
mod keepers;
mod leftovers;
mod limits;
mod overload;
mod referee;
mod support;
mod usage;
