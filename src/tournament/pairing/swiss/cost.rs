//! What a pair costs: several counts, of which a later one matters only where all before it are equal.
//!
//! The matching wants numbers that it can add, compare, double and halve. Lists of counts that are added place by place
//! and compared from the front are as good as numbers: they behave like one number of which each count is a few digits,
//! but no width has to be chosen for the digits, and nothing can run over from one into the next. (Packed into an `i128`,
//! these counts do not fit from some hundred bots on.)

use std::ops::{Add, AddAssign, Sub, SubAssign};

use integer_blossom::Weight;

/// What is counted, the most important first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Bots that have met before.
    Rematch,
    /// A second bye, and the points of the one that has the bye.
    Bye,
    /// The squares of the differences in points.
    Points,
    /// Bots that must have the same seat.
    SameSeat,
    /// Bots that leave their score group, and their points.
    Floaters,
    /// Bots that do not get the seat that they should have.
    Seats,
    /// Bots that float the same way again.
    FloatAgain,
    /// Bots that change from one half of their group to the other.
    Exchanges,
    /// How far down in the other half the rivals of the first stand.
    Rivals,
    /// How far from half a group the bots of pairs are apart.
    Apart,
}

const LEVELS: usize = Level::Apart as usize + 1;

/// The counts, as [`Level`] orders them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Cost([i64; LEVELS]);

impl Cost {
    /// With this count.
    #[must_use]
    pub fn with(mut self, level: Level, count: i64) -> Cost {
        self.0[level as usize] = count;
        self
    }

    fn each(self, other: Cost, of: impl Fn(i64, i64) -> i64) -> Cost {
        Cost(std::array::from_fn(|level| of(self.0[level], other.0[level])))
    }
}

impl Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        self.each(other, |one, other| one + other)
    }
}

impl Sub for Cost {
    type Output = Cost;

    fn sub(self, other: Cost) -> Cost {
        self.each(other, |one, other| one - other)
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        *self = *self + other;
    }
}

impl SubAssign for Cost {
    fn sub_assign(&mut self, other: Cost) {
        *self = *self - other;
    }
}

impl Weight for Cost {
    const ZERO: Cost = Cost([0; LEVELS]);
    /// The least that is more than nothing.
    const ONE: Cost = {
        let mut counts = [0; LEVELS];
        counts[LEVELS - 1] = 1;
        Cost(counts)
    };

    fn inf() -> Cost {
        let mut counts = [0; LEVELS];
        counts[0] = i64::MAX / 4;
        Cost(counts)
    }

    fn double(self) -> Cost {
        self + self
    }

    /// What the matching halves is a sum of doubles, and so even in every count.
    fn half(self) -> Cost {
        Cost(self.0.map(|count| count / 2))
    }
}
