//! The board as plain values: its 25 squares, which of them touch, and sets of them as bits.
//!
//! Knows nothing of pawns, turns or rules, only of the two sides that the start rows and discs belong to.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign};

use arrayvec::{ArrayString, ArrayVec};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeSeq};

use crate::seat::Seat;

/// The number of squares.
pub const SQUARES: usize = 25;
/// The number of holes for discs: all squares but the two neutral rows.
pub const HOLES: usize = 17;

/// The squares from the lowest rank up, each rank from the left. A number in this order is the square's only number.
const NAMES: [&str; SQUARES] = [
    "a1", "c1", "e1", "g1", //
    "b2", "d2", "f2", //
    "a3", "c3", "e3", "g3", //
    "b4", "d4", "f4", //
    "a5", "c5", "e5", "g5", //
    "b6", "d6", "f6", //
    "a7", "c7", "e7", "g7",
];

/// One side: its pawns, and the discs that its pawns may pass over. Written as its letter, `R` or `B`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Colour {
    /// Seat 0, which starts on rank 1.
    #[serde(rename = "R")]
    Red,
    /// Seat 1, which starts on rank 7.
    #[serde(rename = "B")]
    Black,
}

impl Colour {
    /// Both colours, in the order of their seats.
    pub const BOTH: [Colour; 2] = [Colour::Red, Colour::Black];

    /// The other colour.
    pub const fn rival(self) -> Colour {
        match self {
            Colour::Red => Colour::Black,
            Colour::Black => Colour::Red,
        }
    }

    /// The seat that plays this colour.
    pub const fn seat(self) -> Seat {
        Seat::new(self.index())
    }

    /// The number of the seat that plays this colour: for arrays with a place for each.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter, `R` or `B`.
    pub const fn letter(self) -> char {
        match self {
            Colour::Red => 'R',
            Colour::Black => 'B',
        }
    }

    /// The colour with this letter.
    pub const fn of_letter(letter: char) -> Option<Colour> {
        match letter {
            'R' => Some(Colour::Red),
            'B' => Some(Colour::Black),
            _ => None,
        }
    }

    /// The row where this colour's pawns start.
    pub const fn start(self) -> Squares {
        match self {
            Colour::Red => Squares(0xf),
            Colour::Black => Squares(0xf << 21),
        }
    }

    /// The row that this colour's pawns must reach: where the rival starts.
    pub const fn goal(self) -> Squares {
        self.rival().start()
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::Red => "red",
            Colour::Black => "black",
        })
    }
}

/// One square, written as its name, such as `d4`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with this number, counted from `a1` along each rank and up.
    ///
    /// # Panics
    /// If the number is not below [`SQUARES`].
    pub const fn new(index: usize) -> Square {
        assert!(index < SQUARES, "a square number is below SQUARES");
        Square(index as u8)
    }

    /// The square with this name.
    pub fn named(name: &str) -> Option<Square> {
        let &[file, rank] = name.as_bytes() else { return None };
        let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
        // Ranks of four and three squares take turns, so two ranks are seven squares.
        let dark = file < 7 && rank < 7 && (file + rank) % 2 == 0;
        dark.then(|| Square(rank / 2 * 7 + rank % 2 * 4 + file / 2))
    }

    /// The square on this file (0 is `a`) and rank (0 is `1`), both below 7; none where the board has a light field.
    pub const fn at(file: usize, rank: usize) -> Option<Square> {
        if file < 7 && rank < 7 && (file + rank).is_multiple_of(2) {
            Some(Square((rank / 2 * 7 + rank % 2 * 4 + file / 2) as u8))
        } else {
            None
        }
    }

    /// The number of the square, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The name of the square.
    pub const fn name(self) -> &'static str {
        NAMES[self.index()]
    }

    /// The two letters of the name, in ASCII.
    pub const fn letters(self) -> [u8; 2] {
        let name = self.name().as_bytes();
        [name[0], name[1]]
    }

    /// The set of this one square.
    pub const fn alone(self) -> Squares {
        Squares(1 << self.0)
    }

    /// Where this square comes to lie when the board is turned by 180°.
    #[must_use]
    pub const fn turned(self) -> Square {
        Square(SQUARES as u8 - 1 - self.0)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Square, D::Error> {
        let name = ArrayString::<2>::deserialize(deserializer)?;
        Square::named(&name).ok_or_else(|| de::Error::custom(format_args!("{name} is no square of this board")))
    }
}

/// A set of squares, written as a list of their names: bit `n` is the square with the number `n`.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Squares(u32);

impl Squares {
    /// No square.
    pub const NONE: Squares = Squares(0);
    /// All 25 squares.
    pub const BOARD: Squares = Squares((1 << SQUARES) - 1);
    /// The start and goal rows of both sides, which have no disc.
    pub const NEUTRAL: Squares = Squares(0xf | 0xf << 21);
    /// The 17 squares with a hole for a disc.
    pub const HOLES: Squares = Squares(0x1f_fff0);
    /// The six holes that the seats fill: `b2 d2 f2 b6 d6 f6`.
    pub const OUTER: Squares = Squares(0x7 << 4 | 0x7 << 18);
    /// The eleven holes that are filled by chance: ranks 3 to 5.
    pub const CENTRAL: Squares = Squares(0x7ff << 7);

    /// The squares of files `a` and `g`, which have neighbours on one side only.
    const FILE_A: u32 = 1 | 1 << 7 | 1 << 14 | 1 << 21;
    const FILE_G: u32 = Self::FILE_A << 3;

    /// Whether the square is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.alone().0 != 0
    }

    /// Whether every square of this set is in the other.
    pub const fn within(self, other: Squares) -> bool {
        self.0 & !other.0 == 0
    }

    /// The squares of this set that are not in the other.
    #[must_use]
    pub const fn minus(self, other: Squares) -> Squares {
        Squares(self.0 & !other.0)
    }

    /// How many squares are in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set has no square.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The square with the lowest number.
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// The squares from the lowest number up.
    pub const fn iter(self) -> Iter {
        Iter(self)
    }

    /// The squares that touch a square of the set, whether in the set or not.
    ///
    /// Up to the right is four numbers on, up to the left three, and down the same back; files `a` and `g` have no left and no right.
    #[must_use]
    pub const fn around(self) -> Squares {
        let [right_up, left_up, left_down, right_down] = self.shifted();
        Squares(right_up | left_up | left_down | right_down)
    }

    /// The squares that touch at least two squares of the set.
    #[must_use]
    pub const fn around_twice(self) -> Squares {
        let [a, b, c, d] = self.shifted();
        Squares(a & b | c & d | (a | b) & (c | d))
    }

    /// This set and all squares that can be reached from it by steps onto squares of `open`.
    #[must_use]
    pub const fn flooded(self, open: Squares) -> Squares {
        let mut region = self;
        loop {
            let next = region.0 | region.around().0 & open.0;
            if next == region.0 {
                return region;
            }
            region = Squares(next);
        }
    }

    /// The set after the board is turned by 180°.
    #[must_use]
    pub const fn turned(self) -> Squares {
        Squares(self.0.reverse_bits() >> (u32::BITS as usize - SQUARES))
    }

    /// The set as bits, the square with the number `n` as bit `n`: for canonical bytes and keys.
    pub const fn bits(self) -> u32 {
        self.0
    }

    const fn shifted(self) -> [u32; 4] {
        let (left, right) = (self.0 & !Self::FILE_A, self.0 & !Self::FILE_G);
        [right << 4 & Self::BOARD.0, left << 3 & Self::BOARD.0, left >> 4, right >> 3]
    }
}

/// The squares of a set from the lowest number up.
#[derive(Clone, Debug)]
pub struct Iter(Squares);

impl Iterator for Iter {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0 = Squares(self.0.0 & (self.0.0 - 1));
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Iter {}

impl IntoIterator for Squares {
    type Item = Square;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        self.iter()
    }
}

impl BitOr for Squares {
    type Output = Squares;

    fn bitor(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }
}

impl BitAnd for Squares {
    type Output = Squares;

    fn bitand(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }
}

impl BitOrAssign for Squares {
    fn bitor_assign(&mut self, other: Squares) {
        self.0 |= other.0;
    }
}

impl From<Square> for Squares {
    fn from(square: Square) -> Squares {
        square.alone()
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        squares.into_iter().fold(Squares::NONE, |set, square| set | square.alone())
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for Squares {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for square in self.iter() {
            list.serialize_element(square.name())?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for Squares {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Squares, D::Error> {
        Ok(ArrayVec::<Square, SQUARES>::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_light_fields_are_no_squares() {
        for square in Squares::BOARD.iter() {
            assert_eq!(Square::named(square.name()), Some(square));
        }
        for bad in ["", "a", "a2", "b1", "h1", "a8", "a0", "A1", "a11", "é"] {
            assert_eq!(Square::named(bad), None, "{bad}");
        }
        let squares: Vec<Square> =
            (0..7).flat_map(|rank| (0..7).filter_map(move |file| Square::at(file, rank))).collect();
        assert_eq!(squares, Squares::BOARD.iter().collect::<Vec<_>>());
    }

    #[test]
    fn the_regions_have_the_sizes_of_the_published_board() {
        assert_eq!(Squares::CENTRAL.len(), 11);
        assert_eq!(Squares::OUTER.len(), 6);
        assert_eq!(Squares::NEUTRAL.len(), 8);
        assert_eq!(Squares::HOLES.len(), HOLES);
        assert_eq!(Squares::CENTRAL | Squares::OUTER, Squares::HOLES);
        assert_eq!(Squares::HOLES | Squares::NEUTRAL, Squares::BOARD);
        assert_eq!(Colour::Red.start() | Colour::Red.goal(), Squares::NEUTRAL);
    }

    #[test]
    fn around_twice_counts_neighbours() {
        // Any set of up to two squares tells adding apart from joining.
        for one in Squares::BOARD.iter() {
            for two in Squares::BOARD.iter().filter(|&two| two != one) {
                let both = one.alone().around() & two.alone().around();
                assert_eq!((one.alone() | two.alone()).around_twice(), both);
            }
        }
        assert_eq!(
            Squares::HOLES.around_twice(),
            Squares::BOARD.minus(["a1", "g1", "a7", "g7"].map(named).into_iter().collect())
        );
    }

    #[test]
    fn turning_keeps_neighbours_and_swaps_the_sides() {
        assert_eq!(Colour::Red.start().turned(), Colour::Black.start());
        for square in Squares::BOARD.iter() {
            assert_eq!(square.alone().turned(), square.turned().alone());
            assert_eq!(square.alone().around().turned(), square.turned().alone().around());
        }
        assert_eq!(named("b2").turned(), named("f6"));
    }

    fn named(name: &str) -> Square {
        Square::named(name).unwrap()
    }
}
