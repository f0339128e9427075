//! `arbitro run`: plays a whole tournament.

mod field;
mod file;
mod openings;
mod progress;
mod room;
mod trial;
