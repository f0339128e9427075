//! The position: pawns, barriers, stores and whose turn it is, as a small `Copy` value; everything that a search needs.
//!
//! Steps and floods work on whole sets of squares at once. A barrier needs a search for the paths that it might cut only
//! if it closes a line with at least two others or the edge, and lies across the shortest path that a pawn has now;
//! every other barrier leaves some path as it was.
//!
//! It knows nothing of limits of plies, repetition or the options' text form: those stand in the module above.

use crate::seat::{MAX_SEATS, Seat, SeatSet};

use super::grid::{Barrier, BarrierSet, Grid, Heading, Square, SquareSet};
use super::notation::Move;
use super::ways::Ways;

/// The readings of the rules that change which steps a pawn has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Jumps {
    /// Whether a pawn at the edge, with no square behind it, may be passed to the side, as one before a barrier may.
    pub past_edge: bool,
    /// Whether a pawn with another pawn behind it may be passed to the side.
    pub past_pawn: bool,
}

/// Pawns, barriers, stores, the seats still in and the seat to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    grid: &'static Grid,
    pub(super) ways: Ways,
    placed: BarrierSet,
    /// The low and the high bit of the number of the seat that placed the barrier at each anchor.
    owner: [u64; 2],
    pawns: [Option<Square>; MAX_SEATS],
    store: [u8; MAX_SEATS],
    seats_in: SeatSet,
    to_move: Seat,
    winner: Option<Seat>,
    jumps: Jumps,
}

impl Position {
    /// The start: pawns in the middle of their sides, no barriers on the board, `store` of them in each hand, seat 0 to
    /// move.
    pub fn start(grid: &'static Grid, store: u8, jumps: Jumps) -> Position {
        let mut position = Position {
            grid,
            ways: Ways::of(grid),
            placed: BarrierSet::EMPTY,
            owner: [0; 2],
            pawns: [None; MAX_SEATS],
            store: [0; MAX_SEATS],
            seats_in: SeatSet::first(grid.seats),
            to_move: Seat::new(0),
            winner: None,
            jumps,
        };
        for seat in Seat::first(grid.seats) {
            position.pawns[seat.index()] = Some(grid.start(seat));
            position.store[seat.index()] = store;
        }
        position
    }

    /// The geometry of the board.
    pub fn grid(&self) -> &'static Grid {
        self.grid
    }

    /// The readings of the rules that change which steps a pawn has.
    pub fn jumps(&self) -> Jumps {
        self.jumps
    }

    /// The seat to move; the last one that moved, when the game is won.
    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    /// The seat whose pawn is on its goal, when there is one.
    pub fn winner(&self) -> Option<Seat> {
        self.winner
    }

    /// The seats still in.
    pub fn seats_in(&self) -> SeatSet {
        self.seats_in
    }

    /// Where the pawn of a seat stands; nowhere when the seat is out.
    pub fn pawn(&self, seat: Seat) -> Option<Square> {
        self.pawns[seat.index()]
    }

    /// The seat whose pawn stands on a square.
    pub fn pawn_on(&self, square: Square) -> Option<Seat> {
        self.seats_in.iter().find(|seat| self.pawns[seat.index()] == Some(square))
    }

    /// How many barriers a seat has in store.
    pub fn store(&self, seat: Seat) -> u8 {
        self.store[seat.index()]
    }

    /// The barriers on the board.
    pub fn barriers(&self) -> BarrierSet {
        self.placed
    }

    /// The barriers on the board that come from the store of one seat.
    pub fn barriers_of(&self, seat: Seat) -> BarrierSet {
        let matches = |bit: usize| if seat.index() >> bit & 1 == 1 { self.owner[bit] } else { !self.owner[bit] };
        let anchors = matches(0) & matches(1);
        self.placed.and(BarrierSet { horizontal: anchors, vertical: anchors })
    }

    /// The squares to which the seat to move may move its pawn.
    pub fn pawn_targets(&self) -> SquareSet {
        let occupied = self.occupied();
        let mut targets = 0;
        for heading in Heading::ALL {
            let neighbour = self.step(self.pawn_bit(self.to_move), heading);
            targets |= if neighbour & occupied == 0 { neighbour } else { self.jump_over(neighbour, heading, occupied) };
        }
        SquareSet(targets)
    }

    /// The places where the seat to move may place a barrier; none without a barrier in store.
    pub fn barrier_places(&self) -> BarrierSet {
        if self.store[self.to_move.index()] == 0 {
            return BarrierSet::EMPTY;
        }
        self.legal_places()
    }

    /// Whether the seat to move has any other move than passing.
    pub fn can_move(&self) -> bool {
        !self.pawn_targets().is_empty() || !self.barrier_places().is_empty()
    }

    /// Appends the legal moves: those of the pawn, then horizontal barriers, then vertical ones, each along the ranks from
    /// a1; or only [`Move::Pass`]. None when the game is won.
    pub fn legal_moves(&self, out: &mut Vec<Move>) {
        if self.winner.is_some() {
            return;
        }
        let before = out.len();
        out.extend(self.pawn_targets().into_iter().map(Move::To));
        out.extend(self.barrier_places().into_iter().map(Move::Barrier));
        if out.len() == before {
            out.push(Move::Pass);
        }
    }

    /// The number of legal moves.
    pub fn count_legal(&self) -> u64 {
        match self.winner {
            Some(_) => 0,
            None => u64::from((self.pawn_targets().len() + self.barrier_places().len()).max(1)),
        }
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.winner.is_none()
            && match mv {
                Move::To(square) => self.pawn_targets().contains(square),
                Move::Barrier(barrier) => self.may_place(barrier),
                Move::Pass => !self.can_move(),
                Move::Card | Move::Rival(_) => false,
            }
    }

    /// Makes a legal move of the seat to move.
    ///
    /// # Panics
    /// If the move is not legal; a release build leaves out the search for the paths that a barrier might cut.
    pub fn play(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} was not checked");
        match mv {
            Move::To(square) => {
                assert!(self.winner.is_none() && self.pawn_targets().contains(square), "{mv:?} was not checked");
                self.put_pawn(self.to_move, square);
            }
            Move::Barrier(barrier) => {
                assert!(self.winner.is_none() && self.free_places().contains(barrier), "{mv:?} was not checked");
                self.place_from_store(barrier);
            }
            Move::Pass => assert!(self.winner.is_none() && !self.can_move(), "{mv:?} was not checked"),
            Move::Card | Move::Rival(_) => panic!("{mv:?} belongs to the card game, which stands around the position"),
        }
        if self.winner.is_none() {
            self.end_turn();
        }
    }

    /// Takes a seat out: its pawn and its store go, its barriers on the board stay, and its turn ends.
    ///
    /// # Panics
    /// If the seat is out already or would leave fewer than two behind, or if the game is won.
    pub fn leave(&mut self, seat: Seat) {
        assert!(self.winner.is_none(), "nobody leaves a game that is won");
        assert!(self.seats_in.contains(seat) && self.seats_in.len() > 2, "two seats are left to play");
        self.seats_in = self.seats_in.without(seat);
        self.pawns[seat.index()] = None;
        self.store[seat.index()] = 0;
        if self.to_move == seat {
            self.end_turn();
        }
    }

    /// The number of steps in the shortest path of a seat's pawn to its goal, as if there were no other pawns; none if
    /// there is no path or no pawn.
    pub fn distance(&self, seat: Seat) -> Option<u32> {
        self.ways.distance(self.pawn_bit(seat), self.grid.goal(seat).0)
    }

    /// The places, taken or free, where a barrier would lie across one shortest path of a seat's pawn: only there can a
    /// barrier make its way longer. None when the seat is out.
    pub fn across_shortest_path(&self, seat: Seat) -> BarrierSet {
        match self.pawn_bit(seat) {
            0 => BarrierSet::EMPTY,
            pawn => self.ways.across(pawn, self.grid.goal(seat).0),
        }
    }

    /// Appends canonical bytes: seats in and seat to move, pawns, stores, barriers.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.push(self.seats_in.bits() | (self.to_move.index() as u8) << 4);
        out.extend(self.pawns[..self.grid.seats].iter().map(|pawn| pawn.map_or(u8::MAX, Square::index)));
        out.extend_from_slice(&self.store[..self.grid.seats]);
        out.extend_from_slice(&self.placed.horizontal.to_le_bytes());
        out.extend_from_slice(&self.placed.vertical.to_le_bytes());
    }

    /// Appends canonical bytes of who placed which barrier.
    pub(super) fn encode_owners(&self, out: &mut Vec<u8>) {
        out.extend(self.owner.iter().flat_map(|owners| owners.to_le_bytes()));
    }

    /// The pawn of a seat as a set of squares, empty when the seat is out.
    pub(super) fn pawn_bit(&self, seat: Seat) -> u128 {
        self.pawns[seat.index()].map_or(0, |square| square.set().0)
    }

    pub(super) fn occupied(&self) -> u128 {
        Seat::first(self.grid.seats).fold(0, |occupied, seat| occupied | self.pawn_bit(seat))
    }

    /// The squares one step from these in a direction, barriers and edge in mind.
    pub(super) fn step(&self, from: u128, heading: Heading) -> u128 {
        self.ways.step(from, heading)
    }

    /// Where a pawn may go that meets the pawn on `over` in this direction.
    fn jump_over(&self, over: u128, heading: Heading, occupied: u128) -> u128 {
        let behind = self.step(over, heading);
        let sides = || {
            let [one, other] = heading.sides();
            (self.step(over, one) | self.step(over, other)) & !occupied
        };
        if behind & !occupied != 0 {
            behind
        } else if behind != 0 {
            if self.jumps.past_pawn { sides() } else { 0 }
        } else if self.grid.edge[heading as usize] & over != 0 && !self.jumps.past_edge {
            0
        } else {
            sides()
        }
    }

    /// The places on the board where a barrier would neither overlap nor cross another.
    pub(super) fn free_places(&self) -> BarrierSet {
        let BarrierSet { horizontal, vertical } = self.placed;
        let overlapping = BarrierSet {
            horizontal: horizontal | right_of(horizontal) | left_of(horizontal),
            vertical: vertical | vertical << 8 | vertical >> 8,
        };
        let board = BarrierSet { horizontal: self.grid.anchors, vertical: self.grid.anchors };
        board.minus(overlapping).minus(BarrierSet { horizontal: vertical, vertical: horizontal })
    }

    /// The places where a barrier would touch other barriers or the edge with at least two of its left end, its middle
    /// and its right end (or lower end, middle, upper end): only such a barrier can close anything off.
    pub(super) fn closing(&self) -> BarrierSet {
        let BarrierSet { horizontal, vertical } = self.placed;
        let [left_side, right_side] = self.grid.anchor_sides;
        let [lower_end, upper_end] = self.grid.anchor_ends;
        let along_file = vertical | vertical << 8 | vertical >> 8;
        let along_rank = horizontal | right_of(horizontal) | left_of(horizontal);
        BarrierSet {
            horizontal: at_least_two(
                left_side | right_of(along_file | right_of(horizontal)),
                vertical << 8 | vertical >> 8,
                right_side | left_of(along_file | left_of(horizontal)),
            ),
            vertical: at_least_two(
                lower_end | (along_rank | vertical << 8) << 8,
                right_of(horizontal) | left_of(horizontal),
                upper_end | (along_rank | vertical >> 8) >> 8,
            ),
        }
    }

    /// The places where a barrier would be legal, from whatever store it came.
    pub(super) fn legal_places(&self) -> BarrierSet {
        let free = self.free_places();
        free.minus(self.cutting(free.and(self.closing())))
    }

    fn may_place(&self, barrier: Barrier) -> bool {
        self.store[self.to_move.index()] > 0
            && self.free_places().contains(barrier)
            && self.first_cut_off(barrier).is_none()
    }

    /// Those of these places where a barrier would leave a pawn without a path.
    fn cutting(&self, doubtful: BarrierSet) -> BarrierSet {
        if doubtful.is_empty() {
            return BarrierSet::EMPTY;
        }
        self.seats_in.iter().fold(BarrierSet::EMPTY, |cutting, seat| {
            let doubtful = doubtful.minus(cutting);
            cutting.or(self.ways.cutting(self.pawn_bit(seat), self.grid.goal(seat).0, doubtful))
        })
    }

    /// The first seat that a barrier on a free place would leave without a path.
    pub(super) fn first_cut_off(&self, barrier: Barrier) -> Option<Seat> {
        if !self.closing().contains(barrier) {
            return None;
        }
        self.without_path(self.ways.closed_by(barrier))
    }

    /// The first seat that has no path when these ways are open.
    pub(super) fn without_path(&self, ways: Ways) -> Option<Seat> {
        self.seats_in.iter().find(|&seat| !ways.reach(self.pawn_bit(seat), self.grid.goal(seat).0))
    }

    /// Puts a barrier on the board that a seat owns, wherever it was before.
    pub(super) fn put_barrier(&mut self, owner: Seat, barrier: Barrier) {
        self.ways.close(barrier);
        self.placed = self.placed.or(barrier.set());
        for (bit, owners) in self.owner.iter_mut().enumerate() {
            *owners |= if owner.index() >> bit & 1 == 1 { barrier.anchor_bit() } else { 0 };
        }
    }

    /// Takes a barrier off the board; says who owns it.
    ///
    /// # Panics
    /// If it is not on the board.
    pub(super) fn lift_barrier(&mut self, barrier: Barrier) -> Seat {
        assert!(self.placed.contains(barrier), "a barrier that is lifted lies on the board");
        let bit = |owners: u64| usize::from(owners & barrier.anchor_bit() != 0);
        let owner = Seat::new(bit(self.owner[0]) | bit(self.owner[1]) << 1);
        self.ways.open(barrier);
        self.placed = self.placed.minus(barrier.set());
        self.owner.iter_mut().for_each(|owners| *owners &= !barrier.anchor_bit());
        owner
    }

    /// Places a barrier from the store of the seat to move.
    pub(super) fn place_from_store(&mut self, barrier: Barrier) {
        let store = &mut self.store[self.to_move.index()];
        *store = store.checked_sub(1).expect("a barrier comes from the store");
        self.put_barrier(self.to_move, barrier);
    }

    /// Gives a barrier that was lifted back into the store of its owner.
    pub(super) fn return_to_store(&mut self, owner: Seat) {
        self.store[owner.index()] += 1;
    }

    /// Puts the pawn of a seat on a square; on its goal, it has won.
    pub(super) fn put_pawn(&mut self, seat: Seat, square: Square) {
        self.pawns[seat.index()] = Some(square);
        if self.grid.goal(seat).contains(square) {
            self.winner = Some(seat);
        }
    }

    /// Gives the turn to the next seat still in.
    pub(super) fn end_turn(&mut self) {
        self.to_move = self.seats_in.after(self.to_move).expect("seats are left to play");
    }
}

/// The first file of anchors.
const FIRST_FILE: u64 = 0x0101_0101_0101_0101;

/// The anchors to the right of these.
const fn right_of(anchors: u64) -> u64 {
    anchors << 1 & !FIRST_FILE
}

/// The anchors to the left of these.
const fn left_of(anchors: u64) -> u64 {
    anchors >> 1 & !(FIRST_FILE << 7)
}

const fn at_least_two(one: u64, two: u64, three: u64) -> u64 {
    one & two | one & three | two & three
}
