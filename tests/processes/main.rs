//! Keeper, launcher and player against real processes.

mod support;

mod ends;
mod leftovers;
