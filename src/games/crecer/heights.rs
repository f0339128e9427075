//! How tall the stack on each square is, for both seats together: a square holds one stack.
//!
//! Heights are kept as sets of squares, one for each binary digit, so that all stacks of a height are found at once.

use super::square::{Square, Squares};

/// How many binary digits a height is written with: no height is above 15.
const DIGITS: usize = 4;

/// The height on each square, 0 where there is no stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Heights {
    /// The squares in whose height this digit is 1, the lowest digit first.
    digits: [Squares; DIGITS],
}

impl Heights {
    /// No stack anywhere.
    pub(super) const NONE: Heights = Heights { digits: [Squares::EMPTY; DIGITS] };

    /// The height on a square.
    pub(super) fn at(&self, square: Square) -> u8 {
        (0..DIGITS).map(|digit| u8::from(self.digits[digit].contains(square)) << digit).sum()
    }

    /// The squares with this height.
    pub(super) const fn of(&self, height: u8) -> Squares {
        let mut squares = Squares::BOARD;
        let mut digit = 0;
        while digit < DIGITS {
            squares = match height >> digit & 1 {
                0 => squares.minus(self.digits[digit]),
                _ => squares.and(self.digits[digit]),
            };
            digit += 1;
        }
        squares
    }

    /// The squares with a height of 2 or more.
    pub(super) const fn above_one(&self) -> Squares {
        self.digits[1].or(self.digits[2]).or(self.digits[3])
    }

    /// The sum of the heights on these squares.
    pub(super) fn sum(&self, squares: Squares) -> u32 {
        (0..DIGITS).map(|digit| self.digits[digit].and(squares).count() << digit).sum()
    }

    /// The heights on these squares, and none on the others.
    pub(super) fn within(&self, squares: Squares) -> Heights {
        Heights { digits: self.digits.map(|digit| digit.and(squares)) }
    }

    /// The heights of both, which have no square in common.
    pub(super) fn joined(&self, other: &Heights) -> Heights {
        Heights { digits: std::array::from_fn(|digit| self.digits[digit].or(other.digits[digit])) }
    }

    /// Puts a stack on an empty square.
    pub(super) fn put(&mut self, square: Square, height: u8) {
        for (digit, squares) in self.digits.iter_mut().enumerate() {
            if height >> digit & 1 == 1 {
                *squares = squares.or(Squares::only(square));
            }
        }
    }

    /// Makes the stack on a square taller by one: a binary addition with the carry going up.
    pub(super) fn grow(&mut self, square: Square) {
        let mut carry = Squares::only(square);
        for squares in &mut self.digits {
            let next = carry.and(*squares);
            *squares = squares.xor(carry);
            carry = next;
        }
    }

    /// Moves the stack on `from` to the empty square `to`.
    pub(super) fn carry(&mut self, from: Square, to: Square) {
        for squares in &mut self.digits {
            if squares.contains(from) {
                *squares = squares.xor(Squares::only(from)).or(Squares::only(to));
            }
        }
    }

    /// Takes the stack away from a square.
    pub(super) fn remove(&mut self, square: Square) {
        self.digits.iter_mut().for_each(|squares| *squares = squares.minus(Squares::only(square)));
    }

    /// The digits, for canonical bytes.
    pub(super) const fn digits(&self) -> &[Squares; DIGITS] {
        &self.digits
    }
}
