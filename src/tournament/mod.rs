//! Tournaments: many games planned beforehand, played by workers, kept in a journal, and counted from it.
//!
//! ```text
//! cup.toml ─ cup ─▶ plan (who plays whom, from where, with which luck) ─ run ─▶ games/ and journal ─▶ standings, ratings
//!                    ▲ pairing, openings                                              │
//!                    └────────────── the next round, where a format has rounds ◀──────┘
//! ```
//!
//! A [`Round`](pairing::Round) is made of meetings. A meeting is played as one *set* of games or several: the games of
//! a set share their luck and their opening, and differ in who sits where. The set is the unit of work and of
//! commitment: one worker plays its games one after another, and they enter the journal together. So the seed of a set
//! need not be kept anywhere until it may be revealed, by the end lines of its logs, when the last of its games is over.
//!
//! Whatever is derived (the next round, standings, ratings) is a function of the plan and the finished games in the
//! order of their numbers, never of the order in which they were finished.

pub mod cup;
pub mod folder;
pub mod game;
pub mod journal;
pub mod ledger;
pub mod openings;
pub mod pairing;
pub mod plan;
pub mod played;
pub mod ratings;
pub mod run;
#[cfg(test)]
pub(crate) mod samples;
pub mod standings;

use serde::{Deserialize, Serialize};

/// A bot of the field, by its place in the tournament's file, from 0: who is named first is seeded first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Entrant(pub u16);

impl Entrant {
    /// Its place, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The whole field in order.
    ///
    /// # Panics
    /// If the field has more than 65 536 bots.
    pub fn field(size: usize) -> impl DoubleEndedIterator<Item = Entrant> + Clone {
        assert!(size <= 1 << 16, "a field has at most 65536 bots");
        (0..size).map(|index| Entrant(index as u16))
    }
}
