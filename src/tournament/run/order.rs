//! Puts what is over back into the order of the plan.

use std::collections::{BTreeMap, VecDeque};

/// Sets that are waited for, in the order of the plan, and those that are over before their turn.
pub struct Order<T> {
    due: VecDeque<usize>,
    waiting: BTreeMap<usize, T>,
}

impl<T> Order<T> {
    /// Nothing is waited for.
    pub fn new() -> Order<T> {
        Order { due: VecDeque::new(), waiting: BTreeMap::new() }
    }

    /// Waits for these sets as well, after those before them.
    pub fn expect(&mut self, sets: impl IntoIterator<Item = usize>) {
        self.due.extend(sets);
    }

    /// The set that is waited for first.
    pub fn first_due(&self) -> Option<usize> {
        self.due.front().copied()
    }

    /// Takes in what came of a set.
    pub fn put(&mut self, set: usize, what: T) {
        self.waiting.insert(set, what);
    }

    /// What came of the set that is waited for first, if it is known.
    pub fn next(&mut self) -> Option<(usize, T)> {
        let first = self.first_due()?;
        let what = self.waiting.remove(&first)?;
        self.due.pop_front();
        Some((first, what))
    }

    /// Everything that is over before its turn.
    pub fn give_up(&mut self) -> impl Iterator<Item = (usize, T)> + use<T> {
        std::mem::take(&mut self.waiting).into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_early_waits_for_its_turn() {
        let mut order = Order::new();
        order.expect([2, 5, 7]);
        order.put(7, 'c');
        order.put(5, 'b');
        assert_eq!((order.next(), order.first_due()), (None, Some(2)));
        order.put(2, 'a');
        assert_eq!(
            [order.next(), order.next(), order.next(), order.next()],
            [Some((2, 'a')), Some((5, 'b')), Some((7, 'c')), None]
        );
        order.expect([8, 9]);
        order.put(9, 'e');
        assert_eq!(order.give_up().collect::<Vec<_>>(), [(9, 'e')]);
        assert_eq!((order.next(), order.first_due()), (None, Some(8)));
    }
}
