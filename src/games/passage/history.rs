//! How often each position of a leg has occurred.
//!
//! Stands beside the position so that searches need not carry it; holds and allocates nothing where the options do
//! without repetition.

/// The positions at which the turns of a leg began.
#[derive(Clone, Debug)]
pub(super) struct History {
    wanted: bool,
    /// Keys in the order of the turns. The sides take turns, so equal positions lie an even number of places apart.
    keys: Vec<u64>,
    occurrences: u32,
}

impl History {
    /// An empty history, which will be kept only if `wanted`.
    pub(super) fn new(wanted: bool) -> History {
        History { wanted, keys: Vec::new(), occurrences: 0 }
    }

    /// Forgets everything, for a new leg.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.occurrences = 0;
    }

    /// Adds the position with this key.
    pub(super) fn add(&mut self, key: u64) {
        if self.wanted {
            let before = self.keys.iter().rev().skip(1).step_by(2).filter(|&&earlier| earlier == key).count();
            self.occurrences = before as u32 + 1;
            self.keys.push(key);
        }
    }

    /// The keys in the order of the turns.
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// How often the last position has occurred, the last time included; 0 where no history is kept.
    pub(super) fn occurrences(&self) -> u32 {
        self.occurrences
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_count_from_one_and_anew_in_each_leg() {
        let mut history = History::new(true);
        let counted: Vec<u32> = [7, 8, 7, 9, 7, 8, 6, 8]
            .into_iter()
            .map(|key| {
                history.add(key);
                history.occurrences()
            })
            .collect();
        assert_eq!(counted, [1, 1, 2, 1, 3, 2, 1, 3]);
        history.clear();
        assert_eq!(history.occurrences(), 0);
        history.add(7);
        assert_eq!(history.occurrences(), 1);
    }

    #[test]
    fn nothing_is_kept_where_nobody_asks() {
        let mut history = History::new(false);
        history.add(7);
        history.add(8);
        history.add(7);
        assert_eq!((history.occurrences(), history.keys.capacity()), (0, 0));
    }
}
