//! What is left to be played, handed out in the order of the plan: one sitting to each worker that asks.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::super::Entrant;
use crate::seat::BySeat;

/// What is left, and what must not be played any more.
pub struct Schedule {
    left: Mutex<Left>,
    changed: Condvar,
}

#[derive(Default)]
struct Left {
    /// The sets that nobody has taken, by their places in the plan, each with its sitting.
    sets: VecDeque<(usize, u32)>,
    /// No set from here on may be taken yet.
    until: usize,
    /// Nothing more comes.
    closed: bool,
    halted: BTreeSet<Vec<Entrant>>,
    out: BTreeSet<Entrant>,
}

impl Schedule {
    /// Nothing to do yet, and no set may be taken before that is allowed.
    pub fn new() -> Schedule {
        Schedule { left: Mutex::default(), changed: Condvar::new() }
    }

    fn left(&self) -> MutexGuard<'_, Left> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Left)) {
        change(&mut self.left());
        self.changed.notify_all();
    }

    /// Adds sets that are to be played, each with its sitting.
    pub fn add(&self, sets: impl IntoIterator<Item = (usize, u32)>) {
        self.change(|left| left.sets.extend(sets));
    }

    /// Lets sets be taken up to here.
    pub fn allow(&self, until: usize) {
        if self.left().until < until {
            self.change(|left| left.until = until);
        }
    }

    /// Nothing more is handed out.
    pub fn close(&self) {
        self.change(|left| left.closed = true);
    }

    /// These bots do not meet any more.
    pub fn halt(&self, bots: &BySeat<Entrant>) {
        self.change(|left| {
            left.halted.insert(pairing(bots));
        });
    }

    /// This bot does not play any more.
    pub fn put_out(&self, bot: Entrant) {
        self.change(|left| {
            left.out.insert(bot);
        });
    }

    /// Whether these bots still meet.
    pub fn is_open(&self, bots: &BySeat<Entrant>) -> bool {
        let left = self.left();
        !left.halted.contains(&pairing(bots)) && !bots.iter().any(|bot| left.out.contains(bot))
    }

    /// The sets of the next sitting, once there is one; nothing when all is over.
    pub fn next(&self) -> Option<Vec<usize>> {
        let mut left = self.left();
        loop {
            if left.closed {
                return None;
            }
            let first = left.sets.front().copied();
            if let Some((_, sitting)) = first.filter(|&(set, _)| set < left.until) {
                let count = left.sets.iter().take_while(|(_, other)| *other == sitting).count();
                return Some(left.sets.drain(..count).map(|(set, _)| set).collect());
            }
            left = self.changed.wait(left).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The bots of a meeting, wherever they sit.
pub fn pairing(bots: &BySeat<Entrant>) -> Vec<Entrant> {
    let mut pairing: Vec<Entrant> = bots.iter().copied().collect();
    pairing.sort_unstable();
    pairing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bots(seats: [u16; 2]) -> BySeat<Entrant> {
        BySeat::collect(seats.map(Entrant))
    }

    #[test]
    fn sittings_are_handed_out_whole_and_in_order() {
        let schedule = Schedule::new();
        schedule.allow(usize::MAX);
        schedule.add([(0, 1), (1, 1), (4, 2), (5, 3), (6, 3)]);
        assert_eq!([schedule.next(), schedule.next()], [Some(vec![0, 1]), Some(vec![4])]);
        schedule.add([(7, 3)]);
        assert_eq!(schedule.next(), Some(vec![5, 6, 7]));
        schedule.close();
        schedule.add([(8, 4)]);
        assert_eq!(schedule.next(), None);
    }

    #[test]
    fn whoever_runs_too_far_ahead_waits() {
        let schedule = Schedule::new();
        schedule.allow(2);
        schedule.add([(0, 1), (1, 2), (2, 3)]);
        assert_eq!([schedule.next(), schedule.next()], [Some(vec![0]), Some(vec![1])]);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| schedule.next());
            schedule.allow(1);
            assert!(!waiting.is_finished(), "nothing was allowed that was not before");
            schedule.allow(3);
            assert_eq!(waiting.join().unwrap(), Some(vec![2]));
            let waiting = scope.spawn(|| schedule.next());
            schedule.close();
            assert_eq!(waiting.join().unwrap(), None);
        });
    }

    #[test]
    fn whoever_is_out_or_halted_does_not_play() {
        let schedule = Schedule::new();
        schedule.halt(&bots([0, 1]));
        schedule.put_out(Entrant(3));
        let open = [[0, 1], [1, 0], [0, 2], [2, 3]].map(|seats| schedule.is_open(&bots(seats)));
        assert_eq!(open, [false, false, true, false]);
    }
}
