//! What the fuzz targets share: how bytes become choices, positions and damaged logs.
//!
//! An input is a list of choices, a byte or a few each, and behind them text. So whatever a fuzzer does to it gives
//! another list of choices, and pieces of the text stay what they are.

#![forbid(unsafe_code)]

pub mod choices;
pub mod damage;
pub mod events;
pub mod logs;
pub mod tables;
