//! The squares of the board of six by six, and sets of them as bits.
//!
//! Knows no pieces and no rules.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::seat::Seat;

/// How many files and how many ranks the board has.
pub const SIZE: usize = 6;

/// Bits from one rank to the next. Two more than there are files: whatever steps off an edge lands between the ranks
/// or above them, where [`Squares::BOARD`] has no square.
const STRIDE: usize = 8;

/// The names of all squares, by rank and file.
const NAMES: [[&str; SIZE]; SIZE] = [
    ["a1", "b1", "c1", "d1", "e1", "f1"],
    ["a2", "b2", "c2", "d2", "e2", "f2"],
    ["a3", "b3", "c3", "d3", "e3", "f3"],
    ["a4", "b4", "c4", "d4", "e4", "f4"],
    ["a5", "b5", "c5", "d5", "e5", "f5"],
    ["a6", "b6", "c6", "d6", "e6", "f6"],
];

/// The squares next to each square, by the number of its bit.
const NEIGHBOURS: [Squares; SIZE * STRIDE] = {
    let mut table = [Squares::EMPTY; SIZE * STRIDE];
    let mut bit = 0;
    while bit < table.len() {
        let square = Squares(1 << bit & Squares::BOARD.0);
        table[bit] = square.spread().minus(square);
        bit += 1;
    }
    table
};

/// One square; written as its file and rank, such as `b3`. Squares are ordered `a1`, `b1`, … `f1`, `a2`, … `f6`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square on this file and rank, both counted from 0.
    ///
    /// # Panics
    /// If one of them is not below [`SIZE`].
    pub const fn new(file: usize, rank: usize) -> Square {
        assert!(file < SIZE && rank < SIZE, "a square lies on the board");
        Square((rank * STRIDE + file) as u8)
    }

    /// All squares, in their order.
    pub fn all() -> impl Iterator<Item = Square> {
        Squares::BOARD.into_iter()
    }

    /// The file, from 0 (`a`) to 5 (`f`).
    pub const fn file(self) -> usize {
        self.0 as usize % STRIDE
    }

    /// The rank, counted from 0: 0 for rank `1`.
    pub const fn rank(self) -> usize {
        self.0 as usize / STRIDE
    }

    /// The number of ranks between this square and the far rank of a seat: 0 on the far rank, 5 on the seat's own first.
    pub const fn ranks_to_go(self, seat: Seat) -> usize {
        if seat.index() == 0 { SIZE - 1 - self.rank() } else { self.rank() }
    }

    /// The name, such as `b3`.
    pub const fn name(self) -> &'static str {
        NAMES[self.rank()][self.file()]
    }

    /// The up to eight squares next to this one.
    pub const fn neighbours(self) -> Squares {
        NEIGHBOURS[self.0 as usize]
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Text that names no square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a square is a letter from a to f and a digit from 1 to 6, such as b3")]
pub struct NoSuchSquare;

impl FromStr for Square {
    type Err = NoSuchSquare;

    fn from_str(text: &str) -> Result<Square, NoSuchSquare> {
        match *text.as_bytes() {
            [file @ b'a'..=b'f', rank @ b'1'..=b'6'] => Ok(Square::new((file - b'a').into(), (rank - b'1').into())),
            _ => Err(NoSuchSquare),
        }
    }
}

impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Square, D::Error> {
        struct Name;
        impl de::Visitor<'_> for Name {
            type Value = Square;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a square")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Square, E> {
                name.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Name)
    }
}

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Squares(u64);

impl Squares {
    /// The empty set.
    pub const EMPTY: Squares = Squares(0);

    /// All squares.
    pub const BOARD: Squares = Squares(0x3f3f_3f3f_3f3f);

    /// The set of this one square.
    pub const fn only(square: Square) -> Squares {
        Squares(1 << square.0)
    }

    /// The squares of a rank, counted from 0.
    pub const fn of_rank(rank: usize) -> Squares {
        Squares(0x3f << (rank * STRIDE)).and(Squares::BOARD)
    }

    /// The rank that a seat wants to reach.
    pub const fn far_rank(seat: Seat) -> Squares {
        Squares::of_rank(if seat.index() == 0 { SIZE - 1 } else { 0 })
    }

    /// Whether the square is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 & 1 << square.0 != 0
    }

    /// Whether no square is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares are in the set.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The squares in both sets.
    #[must_use]
    pub const fn and(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }

    /// The squares in either set.
    #[must_use]
    pub const fn or(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }

    /// The squares in one of the sets but not in both.
    #[must_use]
    pub const fn xor(self, other: Squares) -> Squares {
        Squares(self.0 ^ other.0)
    }

    /// The squares of this set that are not in the other.
    #[must_use]
    pub const fn minus(self, other: Squares) -> Squares {
        Squares(self.0 & !other.0)
    }

    /// The squares that are in the set or next to one that is.
    #[must_use]
    pub const fn spread(self) -> Squares {
        self.spread_up().or(self.spread_down())
    }

    /// The squares that are in the set, or beside one or diagonally or straight above one that is.
    #[must_use]
    pub const fn spread_up(self) -> Squares {
        let level = self.spread_level();
        Squares((level | level << STRIDE) & Squares::BOARD.0)
    }

    /// The squares that are in the set, or beside one or diagonally or straight below one that is.
    #[must_use]
    pub const fn spread_down(self) -> Squares {
        let level = self.spread_level();
        Squares((level | level >> STRIDE) & Squares::BOARD.0)
    }

    /// How many steps lead sideways from a square of this set to one of `targets`.
    pub const fn steps_level(self, targets: Squares) -> u32 {
        (self.0 << 1 & targets.0).count_ones() + (self.0 >> 1 & targets.0).count_ones()
    }

    /// How many steps lead to a higher rank from a square of this set to one of `targets`.
    pub const fn steps_up(self, targets: Squares) -> u32 {
        (self.0 << (STRIDE - 1) & targets.0).count_ones()
            + (self.0 << STRIDE & targets.0).count_ones()
            + (self.0 << (STRIDE + 1) & targets.0).count_ones()
    }

    /// How many steps lead to a lower rank from a square of this set to one of `targets`.
    pub const fn steps_down(self, targets: Squares) -> u32 {
        targets.steps_up(self)
    }

    /// The set as the bytes of its ranks from the first, the `a` file the lowest bit of each.
    pub fn to_bytes(self) -> [u8; SIZE] {
        std::array::from_fn(|rank| (self.0 >> (rank * STRIDE)) as u8)
    }

    /// The set and its squares to both sides, with bits off the board.
    const fn spread_level(self) -> u64 {
        self.0 | self.0 << 1 | self.0 >> 1
    }
}

impl IntoIterator for Squares {
    type Item = Square;
    type IntoIter = InOrder;

    fn into_iter(self) -> InOrder {
        InOrder(self)
    }
}

/// The squares of a set in their order.
#[derive(Clone, Debug)]
pub struct InOrder(Squares);

impl Iterator for InOrder {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        if self.0.is_empty() {
            return None;
        }
        let lowest = self.0.0.trailing_zeros();
        self.0.0 &= self.0.0 - 1;
        Some(Square(lowest as u8))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for InOrder {}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        squares.into_iter().fold(Squares::EMPTY, |set, square| set.or(Squares::only(square)))
    }
}
