//! Who sits where in the games of a set.

use serde::{Deserialize, Serialize};

use crate::seat::{BySeat, Seat};

/// In which orders of seats each set is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Orders {
    /// One game, in the order in which the meeting names its bots.
    One,
    /// As many games as seats: everybody moves on by one seat from game to game.
    Turns,
    /// Every order there is.
    All,
}

impl Orders {
    /// How many games that are.
    pub fn count(self, seats: usize) -> usize {
        match self {
            Orders::One => 1,
            Orders::Turns => seats,
            Orders::All => (1..=seats).product(),
        }
    }

    /// Who sits where in the game at a place of the set, from 0, if this is who sits where in its first.
    ///
    /// # Panics
    /// If the set has no such place.
    pub fn seats<T: Clone>(self, first: &BySeat<T>, place: usize) -> BySeat<T> {
        let seats = first.len();
        assert!(place < self.count(seats), "a set has {} games", self.count(seats));
        let from = match self {
            Orders::One | Orders::Turns => (0..seats).map(|seat| (seat + seats - place) % seats).collect(),
            Orders::All => nth_order(seats, place),
        };
        BySeat::from_fn(seats, |seat| first[Seat::new(from[seat.index()])].clone())
    }
}

/// The `place`th order of so many things, from 0, as a dictionary would list them.
fn nth_order(count: usize, mut place: usize) -> Vec<usize> {
    let mut left: Vec<usize> = (0..count).collect();
    let mut order = Vec::with_capacity(count);
    for rest in (0..count).rev() {
        let orders_of_rest: usize = (1..=rest).product();
        order.push(left.remove(place / orders_of_rest));
        place %= orders_of_rest;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(orders: Orders, names: &str) -> Vec<String> {
        let first = BySeat::collect(names.chars());
        (0..orders.count(names.len())).map(|place| orders.seats(&first, place).iter().collect()).collect()
    }

    #[test]
    fn the_first_game_is_as_the_meeting_names_it() {
        for orders in [Orders::One, Orders::Turns, Orders::All] {
            assert_eq!(all(orders, "abcd")[0], "abcd");
        }
    }

    #[test]
    fn each_way_of_turning_gives_its_orders() {
        assert_eq!(all(Orders::One, "ab"), ["ab"]);
        assert_eq!(all(Orders::Turns, "ab"), ["ab", "ba"]);
        assert_eq!(all(Orders::Turns, "abcd"), ["abcd", "dabc", "cdab", "bcda"]);
        assert_eq!(all(Orders::All, "abc"), ["abc", "acb", "bac", "bca", "cab", "cba"]);
        let mut four = all(Orders::All, "abcd");
        four.sort();
        four.dedup();
        assert_eq!(four.len(), 24);
    }

    #[test]
    fn everybody_sits_everywhere_equally_often() {
        for orders in [Orders::Turns, Orders::All] {
            let games = all(orders, "abc");
            for (seat, name) in (0..3).flat_map(|seat| "abc".chars().map(move |name| (seat, name))) {
                let count = games.iter().filter(|game| game.chars().nth(seat) == Some(name)).count();
                assert_eq!(count, games.len() / 3, "{name} in seat {seat}");
            }
        }
    }
}
