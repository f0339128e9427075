//! `protocol.md` is what the program does: every block, table and number in it is compared with the real thing, every
//! line that it allows is understood, and every other one is refused.

mod anything;
mod arena;
mod document;
mod faults;
mod fixtures;
mod logs;
mod positions;
mod schema;
mod shapes;
mod tables;
mod vectors;
mod whole_game;
