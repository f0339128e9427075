//! The fixed geometry of a board: squares, barriers, sets of both, and the masks of each size and number of seats.
//!
//! It knows where things can be, and nothing of what stands where or of whose turn it is.
//!
//! Squares are bits of a `u128`, ten to a rank, so that every board of up to nine files has at least one empty guard
//! column between the end of a rank and the start of the next: a shift by 1 moves a set of squares sideways and a
//! shift by 10 up or down, and what falls off the board falls on a guard or outside all ranks. Barriers are bits of two
//! `u64`s, eight to a rank, by the one of the four squares around their middle that lies nearest a1.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::seat::{MAX_SEATS, Seat};

use super::names::{BARRIER_ITEMS, BARRIER_NAMES, SQUARE_ITEMS, SQUARE_NAMES};

/// The distance between a square and the one above it, as bits.
pub const STRIDE: u32 = 10;

/// The greatest number of squares along a side.
pub const MAX_SIZE: usize = 9;

/// One square, by file and rank from 0; written like `e4`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square on this file and rank, both from 0.
    ///
    /// # Panics
    /// If the greatest board has no such square.
    pub const fn new(file: usize, rank: usize) -> Square {
        assert!(file < MAX_SIZE && rank < MAX_SIZE, "a square lies on the greatest board");
        Square((rank * STRIDE as usize + file) as u8)
    }

    /// The number of its file, `a` being 0.
    pub const fn file(self) -> usize {
        self.0 as usize % STRIDE as usize
    }

    /// The number of its rank, the lowest being 0.
    pub const fn rank(self) -> usize {
        self.0 as usize / STRIDE as usize
    }

    /// The set of this one square.
    pub const fn set(self) -> SquareSet {
        SquareSet(1 << self.0)
    }

    /// The number of the square in sets and canonical bytes: ten times its rank and its file.
    pub const fn index(self) -> u8 {
        self.0
    }

    pub(super) fn as_str(self) -> &'static str {
        SQUARE_NAMES[self.0 as usize]
    }

    /// The square as an item of a JSON list that is not its first.
    pub(super) fn item(self) -> &'static [u8; 5] {
        &SQUARE_ITEMS[self.0 as usize]
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SquareSet(pub(super) u128);

impl SquareSet {
    /// Whether the square is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 != 0
    }

    /// How many squares are in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no square is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        SquareSet(squares.into_iter().fold(0, |set, square| set | square.set().0))
    }
}

/// The squares of a set: along each rank from `a`, from the lowest rank up.
#[derive(Clone, Debug)]
pub struct Squares(u128);

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = (self.0 != 0).then(|| Square(self.0.trailing_zeros() as u8));
        self.0 &= self.0.wrapping_sub(1);
        square
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

/// How a barrier lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lie {
    /// Between two ranks.
    Horizontal,
    /// Between two files.
    Vertical,
}

/// One place for a barrier: its anchor, which is the square nearest a1 of the four that it touches, and how it lies;
/// written like `e3h`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Barrier {
    lie: Lie,
    anchor: u8,
}

impl Barrier {
    /// The barrier with its anchor on this file and rank, both from 0.
    ///
    /// # Panics
    /// If the greatest board has no such anchor.
    pub const fn new(file: usize, rank: usize, lie: Lie) -> Barrier {
        assert!(file < MAX_SIZE - 1 && rank < MAX_SIZE - 1, "an anchor lies on the greatest board");
        Barrier { lie, anchor: (rank * 8 + file) as u8 }
    }

    /// The number of its anchor's file, `a` being 0.
    pub const fn file(self) -> usize {
        self.anchor as usize % 8
    }

    /// The number of its anchor's rank, the lowest being 0.
    pub const fn rank(self) -> usize {
        self.anchor as usize / 8
    }

    /// How it lies.
    pub const fn lie(self) -> Lie {
        self.lie
    }

    /// The set of this one barrier.
    pub const fn set(self) -> BarrierSet {
        match self.lie {
            Lie::Horizontal => BarrierSet { horizontal: 1 << self.anchor, vertical: 0 },
            Lie::Vertical => BarrierSet { horizontal: 0, vertical: 1 << self.anchor },
        }
    }

    /// The squares from which a horizontal barrier stops a step up, or a vertical one a step to the right.
    pub(super) const fn stops(self) -> u128 {
        let anchor = 1 << (self.rank() * STRIDE as usize + self.file());
        match self.lie {
            Lie::Horizontal => anchor | anchor << 1,
            Lie::Vertical => anchor | anchor << STRIDE,
        }
    }

    /// The two steps that it stops, each as the two squares that it joins.
    pub(super) const fn stopped_steps(self) -> [u128; 2] {
        let anchor = 1 << (self.rank() * STRIDE as usize + self.file());
        let (along, across) = match self.lie {
            Lie::Horizontal => (1, STRIDE),
            Lie::Vertical => (STRIDE, 1),
        };
        let step = anchor | anchor << across;
        [step, step << along]
    }

    /// The bit of its anchor: no two barriers share one, since they would overlap or cross.
    pub(super) const fn anchor_bit(self) -> u64 {
        1 << self.anchor
    }

    pub(super) fn as_str(self) -> &'static str {
        BARRIER_NAMES[self.lie as usize][self.anchor as usize]
    }

    /// The barrier as an item of a JSON list that is not its first.
    pub(super) fn item(self) -> &'static [u8; 6] {
        &BARRIER_ITEMS[self.lie as usize][self.anchor as usize]
    }
}

impl fmt::Display for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Barrier {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// A set of barriers, or of places for barriers: a bit for each anchor, rank by rank.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct BarrierSet {
    pub(super) horizontal: u64,
    pub(super) vertical: u64,
}

impl BarrierSet {
    /// The empty set.
    pub const EMPTY: BarrierSet = BarrierSet { horizontal: 0, vertical: 0 };

    /// Whether the barrier is in the set.
    pub const fn contains(self, barrier: Barrier) -> bool {
        !self.and(barrier.set()).is_empty()
    }

    /// How many barriers are in the set.
    pub const fn len(self) -> u32 {
        self.horizontal.count_ones() + self.vertical.count_ones()
    }

    /// Whether no barrier is in the set.
    pub const fn is_empty(self) -> bool {
        self.horizontal | self.vertical == 0
    }

    /// The barriers in both sets.
    #[must_use]
    pub const fn and(self, other: BarrierSet) -> BarrierSet {
        BarrierSet { horizontal: self.horizontal & other.horizontal, vertical: self.vertical & other.vertical }
    }

    /// The barriers in either set.
    #[must_use]
    pub const fn or(self, other: BarrierSet) -> BarrierSet {
        BarrierSet { horizontal: self.horizontal | other.horizontal, vertical: self.vertical | other.vertical }
    }

    /// The barriers of this set that are not in the other.
    #[must_use]
    pub const fn minus(self, other: BarrierSet) -> BarrierSet {
        BarrierSet { horizontal: self.horizontal & !other.horizontal, vertical: self.vertical & !other.vertical }
    }
}

impl IntoIterator for BarrierSet {
    type Item = Barrier;
    type IntoIter = Barriers;

    fn into_iter(self) -> Barriers {
        Barriers(self)
    }
}

impl FromIterator<Barrier> for BarrierSet {
    fn from_iter<I: IntoIterator<Item = Barrier>>(barriers: I) -> BarrierSet {
        barriers.into_iter().fold(BarrierSet::EMPTY, |set, barrier| set.or(barrier.set()))
    }
}

/// The barriers of a set: first the horizontal ones by their anchors (along each rank from `a`, from the lowest rank
/// up), then the vertical ones likewise.
#[derive(Clone, Debug)]
pub struct Barriers(BarrierSet);

impl Iterator for Barriers {
    type Item = Barrier;

    fn next(&mut self) -> Option<Barrier> {
        let (lie, bits) = match self.0 {
            BarrierSet { horizontal: 0, vertical: 0 } => return None,
            BarrierSet { horizontal: 0, .. } => (Lie::Vertical, &mut self.0.vertical),
            _ => (Lie::Horizontal, &mut self.0.horizontal),
        };
        let anchor = bits.trailing_zeros() as u8;
        *bits &= *bits - 1;
        Some(Barrier { lie, anchor })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.len() as usize;
        (count, Some(count))
    }
}

/// A direction in which a pawn steps, as seen from seat 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heading {
    /// To the next rank.
    Up,
    /// To the next file.
    Right,
    /// To the rank before.
    Down,
    /// To the file before.
    Left,
}

impl Heading {
    /// All four, clockwise.
    pub const ALL: [Heading; 4] = [Heading::Up, Heading::Right, Heading::Down, Heading::Left];

    /// The two directions at right angles to this one.
    pub const fn sides(self) -> [Heading; 2] {
        match self {
            Heading::Up | Heading::Down => [Heading::Left, Heading::Right],
            Heading::Left | Heading::Right => [Heading::Up, Heading::Down],
        }
    }

    /// The opposite direction.
    pub const fn back(self) -> Heading {
        match self {
            Heading::Up => Heading::Down,
            Heading::Right => Heading::Left,
            Heading::Down => Heading::Up,
            Heading::Left => Heading::Right,
        }
    }
}

/// The masks of one board size with one number of seats.
#[derive(PartialEq, Eq)]
pub struct Grid {
    pub(super) size: usize,
    pub(super) seats: usize,
    pub(super) board: u128,
    /// The squares at the edge, by the heading that would leave the board from them.
    pub(super) edge: [u128; 4],
    pub(super) anchors: u64,
    /// The anchors in the leftmost and the rightmost column.
    pub(super) anchor_sides: [u64; 2],
    /// The anchors in the lowest and the highest row.
    pub(super) anchor_ends: [u64; 2],
    /// The direction in which each seat's goal lies.
    pub(super) forward: [Heading; MAX_SEATS],
}

static GRIDS: [[Grid; 2]; 4] = [
    [Grid::new(3, 2), Grid::new(3, 4)],
    [Grid::new(5, 2), Grid::new(5, 4)],
    [Grid::new(7, 2), Grid::new(7, 4)],
    [Grid::new(9, 2), Grid::new(9, 4)],
];

impl Grid {
    /// The geometry of a board with `size` squares along a side, for this many seats; none if there is no such board.
    pub fn of(size: usize, seats: usize) -> Option<&'static Grid> {
        GRIDS.iter().flatten().find(|grid| grid.size == size && grid.seats == seats)
    }

    /// The squares on which the pawn of a seat wins.
    pub fn goal(&self, seat: Seat) -> SquareSet {
        SquareSet(self.edge[self.forward[seat.index()] as usize])
    }

    /// The square on which the pawn of a seat starts: in the middle of the side opposite its goal.
    pub fn start(&self, seat: Seat) -> Square {
        let (middle, last) = (self.size / 2, self.size - 1);
        match self.forward[seat.index()] {
            Heading::Up => Square::new(middle, 0),
            Heading::Right => Square::new(0, middle),
            Heading::Down => Square::new(middle, last),
            Heading::Left => Square::new(last, middle),
        }
    }

    /// The square furthest from a1.
    pub fn last_square(&self) -> Square {
        Square::new(self.size - 1, self.size - 1)
    }

    const fn new(size: usize, seats: usize) -> Grid {
        let [mut board, mut up, mut right, mut down, mut left] = [0; 5];
        let [mut anchors, mut first_column, mut last_column, mut first_row, mut last_row] = [0; 5];
        let mut cell = 0;
        while cell < size * size {
            let (file, rank) = (cell % size, cell / size);
            let square = 1u128 << (rank * STRIDE as usize + file);
            board |= square;
            up |= if rank == size - 1 { square } else { 0 };
            down |= if rank == 0 { square } else { 0 };
            right |= if file == size - 1 { square } else { 0 };
            left |= if file == 0 { square } else { 0 };
            if file < size - 1 && rank < size - 1 {
                let anchor = 1u64 << (rank * 8 + file);
                anchors |= anchor;
                first_column |= if file == 0 { anchor } else { 0 };
                last_column |= if file == size - 2 { anchor } else { 0 };
                first_row |= if rank == 0 { anchor } else { 0 };
                last_row |= if rank == size - 2 { anchor } else { 0 };
            }
            cell += 1;
        }
        let forward = match seats {
            2 => [Heading::Up, Heading::Down, Heading::Up, Heading::Up],
            4 => [Heading::Up, Heading::Right, Heading::Down, Heading::Left],
            _ => panic!("two or four seats"),
        };
        Grid {
            size,
            seats,
            board,
            edge: [up, right, down, left],
            anchors,
            anchor_sides: [first_column, last_column],
            anchor_ends: [first_row, last_row],
            forward,
        }
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}x{0} for {1} seats", self.size, self.seats)
    }
}
