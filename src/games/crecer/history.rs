//! How often the position occurred: what `repetition` is judged by.
//!
//! Knows positions and no rules but one: a growth or an attack can never be taken back, so what stood before it is forgotten.

use super::notation::Move;
use super::state::Core;

/// The positions since the last growth or attack; allocates nothing where repetition is off.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// The occurrence at which the game is a draw, 0 for never.
    limit: u32,
    seen: Vec<Core>,
    occurrences: u32,
}

impl History {
    /// The history of a game that begins with this position.
    pub(super) fn new(limit: u32, start: &Core) -> History {
        let mut history = History { limit, seen: Vec::new(), occurrences: 0 };
        history.count(start);
        history
    }

    /// The occurrence at which the game is a draw, 0 for never.
    pub(super) const fn limit(&self) -> u32 {
        self.limit
    }

    /// How often the newest position occurred, itself included; 0 where repetition is off.
    pub(super) const fn occurrences(&self) -> u32 {
        self.occurrences
    }

    /// The positions at whose next occurrence the game is a draw.
    pub(super) fn spent(&self) -> Vec<Core> {
        let before = |index: usize| self.seen[..index].iter().filter(|&earlier| *earlier == self.seen[index]).count();
        let is_spent = |index: usize| before(index) as u32 + 2 == self.limit;
        (0..self.seen.len()).filter(|&index| is_spent(index)).map(|index| self.seen[index]).collect()
    }

    /// Takes in the position that a move led to; whether it occurred too often.
    pub(super) fn add(&mut self, mv: Move, position: &Core) -> bool {
        if self.limit == 0 {
            return false;
        }
        if matches!(mv, Move::Grow(_) | Move::Attack { .. }) {
            self.seen.clear();
        }
        self.count(position);
        self.occurrences >= self.limit
    }

    fn count(&mut self, position: &Core) {
        if self.limit > 0 {
            self.seen.push(position.canonical());
            let newest = &self.seen[self.seen.len() - 1];
            self.occurrences = self.seen.iter().filter(|&earlier| earlier == newest).count() as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::crecer::Rules;

    #[test]
    fn it_holds_no_more_than_can_come_back_and_nothing_where_it_is_off() {
        let start = Core::start(Rules::default());
        let [step, growth]: [Move; 2] = ["a2-a3", "+a1"].map(|token| token.parse().unwrap());
        let mut history = History::new(3, &start);
        history.add(step, &start);
        assert_eq!(history.seen.len(), 2);
        history.add(growth, &start);
        assert_eq!((history.seen.len(), history.occurrences()), (1, 1));
        let mut off = History::new(0, &start);
        off.add(step, &start);
        assert_eq!((off.seen.capacity(), off.occurrences()), (0, 0));
    }
}
