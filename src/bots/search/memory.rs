//! What a search remembers of positions that it looked at before (a “transposition table”).

use super::SURE;

/// What was found out about a position.
#[derive(Clone, Copy, Debug)]
pub struct Entry<M> {
    /// The best move, or the one that was good enough.
    pub mv: Option<M>,
    value: i32,
    bound: Bound,
    depth: u8,
}

/// What a value says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value itself.
    Exact,
    /// The true value may be higher.
    AtLeast,
    /// The true value may be lower.
    AtMost,
}

impl<M> Entry<M> {
    /// What was found `ply` plies behind the root, by looking `depth` plies ahead.
    pub fn new(mv: Option<M>, value: i32, bound: Bound, depth: u32, ply: u32) -> Entry<M> {
        // Ends are counted from the position itself, for it may be met again at another distance from the root.
        let value = if value.abs() > SURE { value + value.signum() * ply as i32 } else { value };
        Entry { mv, value, bound, depth: depth as u8 }
    }

    /// The value, if it is good enough for a search of this depth and window.
    pub fn settles(&self, depth: u32, ply: u32, low: i32, high: i32) -> Option<i32> {
        let value = if self.value.abs() > SURE { self.value - self.value.signum() * ply as i32 } else { self.value };
        let settled = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => value >= high,
            Bound::AtMost => value <= low,
        };
        (settled && u32::from(self.depth) >= depth).then_some(value)
    }
}

/// As many positions as fit; newer ones take the place of older ones.
pub struct Memory<M> {
    slots: Vec<Option<Slot<M>>>,
    /// The number of the search.
    age: u32,
}

struct Slot<M> {
    key: u64,
    entry: Entry<M>,
    age: u32,
}

const SLOTS: usize = 1 << 17;

impl<M> Default for Memory<M> {
    fn default() -> Memory<M> {
        Memory { slots: Vec::new(), age: 0 }
    }
}

impl<M: Copy> Memory<M> {
    /// What is remembered of a position.
    pub fn get(&self, key: u64) -> Option<Entry<M>> {
        let slot = self.slots.get(key as usize % SLOTS)?.as_ref()?;
        (slot.key == key).then_some(slot.entry)
    }

    /// Remembers a position, unless another in its place was looked into more deeply by the same search.
    pub fn put(&mut self, key: u64, entry: Entry<M>) {
        if self.slots.is_empty() {
            self.slots.resize_with(SLOTS, || None);
        }
        let slot = &mut self.slots[key as usize % SLOTS];
        let keeps = |old: &Slot<M>| old.age == self.age && old.key != key && old.entry.depth > entry.depth;
        if !slot.as_ref().is_some_and(keeps) {
            *slot = Some(Slot { key, entry, age: self.age });
        }
    }

    /// Another search begins, for which everything so far makes room.
    pub fn begin_search(&mut self) {
        self.age += 1;
    }
}

/// A 64-bit number for these bytes: as good as different for different ones.
///
/// The finalizer of MurmurHash3 (Appleby) over the length and then over each eight bytes.
pub fn key(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(mixed(bytes.len() as u64), |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mixed(hash ^ u64::from_le_bytes(word))
    })
}

fn mixed(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::bots::search::WIN;

    #[test]
    fn short_texts_of_different_lengths_have_different_keys() {
        let mut keys = BTreeSet::new();
        for length in 0..=12 {
            for byte in 0..=255u8 {
                keys.insert(key(&vec![byte; length]));
            }
        }
        assert_eq!(keys.len(), 12 * 256 + 1);
    }

    #[test]
    fn a_win_is_as_far_away_wherever_it_is_met() {
        let entry = Entry::new(Some(0), WIN - 7, Bound::Exact, 3, 5);
        assert_eq!(entry.settles(3, 5, -WIN, WIN), Some(WIN - 7));
        assert_eq!(entry.settles(2, 9, -WIN, WIN), Some(WIN - 11));
        assert_eq!(entry.settles(4, 5, -WIN, WIN), None);
        let bound = Entry::new(Some(0), 50, Bound::AtLeast, 3, 5);
        assert_eq!([bound.settles(3, 0, 0, 50), bound.settles(3, 0, 0, 51)], [Some(50), None]);
    }
}
