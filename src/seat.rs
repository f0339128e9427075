//! Who sits where: seats, sets of seats, and one value for each seat.
//!
//! A game has two to four seats, numbered from 0. This module knows nothing of games, rules or programs.

use std::fmt;
use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

/// The most seats that any game has.
pub const MAX_SEATS: usize = 4;

/// One seat at the table, numbered from 0; written as that number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub struct Seat(u8);

impl Seat {
    /// The seat with this number.
    ///
    /// # Panics
    /// If the number is not below [`MAX_SEATS`]; use [`Seat::try_from`] for numbers from outside.
    pub const fn new(index: usize) -> Seat {
        assert!(index < MAX_SEATS, "a seat number is below MAX_SEATS");
        Seat(index as u8)
    }

    /// The number of this seat, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The first `count` seats in order.
    pub fn first(count: usize) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        (0..count).map(Seat::new)
    }

    /// The next seat clockwise among `count` seats.
    pub const fn next(self, count: usize) -> Seat {
        Seat::new((self.index() + 1) % count)
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> u8 {
        seat.0
    }
}

/// A number that names no seat.
#[derive(Debug, thiserror::Error)]
#[error("there is no seat {0}: seats are numbered 0 to 3")]
pub struct NoSuchSeat(u8);

impl TryFrom<u8> for Seat {
    type Error = NoSuchSeat;

    fn try_from(index: u8) -> Result<Seat, NoSuchSeat> {
        if usize::from(index) < MAX_SEATS { Ok(Seat(index)) } else { Err(NoSuchSeat(index)) }
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct SeatSet(u8);

impl SeatSet {
    /// The empty set.
    pub const EMPTY: SeatSet = SeatSet(0);

    /// The first `count` seats.
    pub const fn first(count: usize) -> SeatSet {
        assert!(count <= MAX_SEATS, "a game has at most MAX_SEATS seats");
        SeatSet((1 << count) - 1)
    }

    /// The set of this one seat.
    pub const fn only(seat: Seat) -> SeatSet {
        SeatSet(1 << seat.0)
    }

    /// Whether the seat is in the set.
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << seat.0) != 0
    }

    /// This set and the seat.
    #[must_use]
    pub const fn with(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 | 1 << seat.0)
    }

    /// This set without the seat.
    #[must_use]
    pub const fn without(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 & !(1 << seat.0))
    }

    /// The seats in either set.
    #[must_use]
    pub const fn union(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 | other.0)
    }

    /// The seats of this set that are not in the other.
    #[must_use]
    pub const fn minus(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 & !other.0)
    }

    /// How many seats are in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no seat is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats in order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::first(MAX_SEATS).filter(move |&seat| self.contains(seat))
    }

    /// The seat of the set that follows `seat` clockwise, if the set holds another one or `seat` itself.
    pub fn after(self, seat: Seat) -> Option<Seat> {
        (1..=MAX_SEATS).map(|step| Seat::new((seat.index() + step) % MAX_SEATS)).find(|&next| self.contains(next))
    }

    /// The set as bits, seat 0 the lowest: for canonical position bytes.
    pub const fn bits(self) -> u8 {
        self.0
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Seat::index)).finish()
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        seats.into_iter().fold(SeatSet::EMPTY, SeatSet::with)
    }
}

/// One value for each seat of a game, in the order of the seats; written as a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BySeat<T>(ArrayVec<T, MAX_SEATS>);

impl<T> BySeat<T> {
    /// A value for each of `count` seats.
    ///
    /// # Panics
    /// If `count` is above [`MAX_SEATS`].
    pub fn from_fn(count: usize, make: impl FnMut(Seat) -> T) -> BySeat<T> {
        BySeat(Seat::first(count).map(make).collect())
    }

    /// The values, one for each item.
    ///
    /// # Panics
    /// If there are more than [`MAX_SEATS`] items.
    pub fn collect(values: impl IntoIterator<Item = T>) -> BySeat<T> {
        BySeat(values.into_iter().collect())
    }

    /// How many seats there are.
    #[expect(clippy::len_without_is_empty, reason = "a game always has seats")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The values in the order of the seats.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// The values in the order of the seats, to change.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }

    /// Each seat with its value.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = (Seat, &T)> {
        self.0.iter().enumerate().map(|(index, value)| (Seat::new(index), value))
    }

    /// The value of a seat, if the game has that seat.
    pub fn get(&self, seat: Seat) -> Option<&T> {
        self.0.get(seat.index())
    }

    /// A new value for each seat, made from the old.
    pub fn map<U>(&self, make: impl FnMut(&T) -> U) -> BySeat<U> {
        BySeat(self.0.iter().map(make).collect())
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

impl<'a, T> IntoIterator for &'a BySeat<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T> IntoIterator for BySeat<T> {
    type Item = T;
    type IntoIter = arrayvec::IntoIter<T, MAX_SEATS>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Numbers of seats to choose from, in words: `2, 3 or 4`.
pub fn alternatives(seats: &[usize]) -> String {
    let words: Vec<String> = seats.iter().map(usize::to_string).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_to_choose_from_are_a_list_in_words() {
        assert_eq!([&[2][..], &[2, 4], &[2, 3, 4]].map(alternatives), ["2", "2 or 4", "2, 3 or 4"]);
    }

    #[test]
    fn the_next_seat_skips_those_that_are_out() {
        let seats = SeatSet::first(4).without(Seat::new(1)).without(Seat::new(2));
        assert_eq!(seats.after(Seat::new(0)), Some(Seat::new(3)));
        assert_eq!(seats.after(Seat::new(3)), Some(Seat::new(0)));
        assert_eq!(SeatSet::only(Seat::new(2)).after(Seat::new(2)), Some(Seat::new(2)));
        assert_eq!(SeatSet::EMPTY.after(Seat::new(0)), None);
    }

    #[test]
    fn sets_count_and_list_their_seats() {
        let seats: SeatSet = [Seat::new(3), Seat::new(1)].into_iter().collect();
        assert_eq!(seats.len(), 2);
        assert_eq!(seats.iter().map(Seat::index).collect::<Vec<_>>(), [1, 3]);
        assert!(SeatSet::first(4).minus(seats).contains(Seat::new(0)));
        assert!(!SeatSet::first(2).minus(seats).contains(Seat::new(1)));
    }

    #[test]
    fn a_seat_is_written_as_its_number_and_only_four_exist() {
        assert_eq!(serde_json::to_string(&Seat::new(2)).unwrap(), "2");
        assert_eq!(serde_json::from_str::<Seat>("3").unwrap(), Seat::new(3));
        assert!(serde_json::from_str::<Seat>("4").is_err());
    }
}
