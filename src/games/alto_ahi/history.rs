//! How often each position has occurred, where the options count that.

use std::collections::BTreeMap;

/// The positions at the beginning of each turn, by their canonical bytes. Empty, without any memory of its own, when
/// repetition is off, so that copies of a game are cheap then.
#[derive(Clone, Default, Debug)]
pub(super) struct History(BTreeMap<Vec<u8>, u32>);

impl History {
    /// Notes a position in which a turn begins, and says how often it has occurred now.
    pub fn count(&mut self, canonical: Vec<u8>) -> u32 {
        let count = self.0.entry(canonical).or_default();
        *count += 1;
        *count
    }

    /// Forgets all positions: none of them can come back.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
