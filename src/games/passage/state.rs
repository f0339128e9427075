//! A position of the game on the board: where discs and pawns are, whose move it is, and what may move where.
//!
//! [`Position`] is small and `Copy`, allocates nothing and remembers nothing: programs that search play on it alone.
//! It knows nothing of the set-up, of legs, or of limits on plies and repetitions; the game around it does.

use std::cmp::{Ordering, Reverse};

use arrayvec::ArrayVec;

use super::illegal::{Closed, Illegal, WhyClosed};
use super::notation::{Discs, Move};
use super::squares::{Colour, HOLES, SQUARES, Square, Squares};

/// The pawns of each side.
pub const PAWNS: usize = 4;

/// More moves than any position has: each pawn can reach the 17 squares at most that no pawn stands on.
pub const MOST_MOVES: usize = PAWNS * (SQUARES - 2 * PAWNS);

/// A list of moves, in place.
pub type Moves = ArrayVec<Move, MOST_MOVES>;

/// The pawns of one side in the order of their squares, each with the squares where it can end.
pub type Reach = ArrayVec<(Square, Squares), PAWNS>;

/// Discs, pawns, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    discs: [Squares; 2],
    pawns: [Squares; 2],
    to_move: Colour,
    /// The squares on which an own pawn is a bridge: all, or the holes only.
    bridges: Squares,
    both_stuck: bool,
}

impl Position {
    /// The position with these pawns on a board of these 17 discs; pawns of red first, in the order of the seats.
    /// Without `bridge_on_neutral`, own pawns on start and goal squares cannot be passed over.
    ///
    /// # Panics
    /// If two pawns share a square.
    pub fn new(layout: Discs<HOLES>, pawns: [Squares; 2], to_move: Colour, bridge_on_neutral: bool) -> Position {
        let mut position = Position::bare(bridge_on_neutral);
        for (hole, disc) in Squares::HOLES.iter().zip(layout.0) {
            position.set_disc(hole, disc);
        }
        position.with_pawns(pawns, to_move)
    }

    /// The same discs with these pawns.
    ///
    /// # Panics
    /// If two pawns share a square.
    #[must_use]
    pub fn with_pawns(&self, pawns: [Squares; 2], to_move: Colour) -> Position {
        assert!((pawns[0] & pawns[1]).is_empty(), "two pawns never share a square");
        Position { pawns, to_move, both_stuck: false, ..*self }
    }

    /// The first position of a leg on a board of these 17 discs: every pawn on its start row.
    pub fn start(layout: Discs<HOLES>, starter: Colour, bridge_on_neutral: bool) -> Position {
        Position::new(layout, Colour::BOTH.map(Colour::start), starter, bridge_on_neutral)
    }

    /// The board before any disc is on it, with the pawns on their start rows.
    pub(super) fn bare(bridge_on_neutral: bool) -> Position {
        Position {
            discs: [Squares::NONE; 2],
            pawns: Colour::BOTH.map(Colour::start),
            to_move: Colour::Red,
            bridges: if bridge_on_neutral { Squares::BOARD } else { Squares::HOLES },
            both_stuck: false,
        }
    }

    pub(super) fn set_disc(&mut self, hole: Square, colour: Colour) {
        self.discs[colour.index()] |= hole.alone();
    }

    pub(super) fn set_to_move(&mut self, colour: Colour) {
        self.to_move = colour;
    }

    /// The position with what is known of the last move besides.
    pub(super) fn with_both_stuck(self, both_stuck: bool) -> Position {
        Position { both_stuck, ..self }
    }

    /// The first position of the second leg: the discs turned by 180°, the pawns on their start rows again.
    pub(super) fn turned(&self, starter: Colour) -> Position {
        let discs = self.discs.map(Squares::turned);
        Position { discs, ..*self }.with_pawns(Colour::BOTH.map(Colour::start), starter)
    }

    /// The side to move.
    pub const fn to_move(&self) -> Colour {
        self.to_move
    }

    /// The squares of a side's pawns.
    pub const fn pawns(&self, colour: Colour) -> Squares {
        self.pawns[colour.index()]
    }

    /// The squares of a side's discs.
    pub const fn discs(&self, colour: Colour) -> Squares {
        self.discs[colour.index()]
    }

    /// The squares without a pawn.
    pub fn free(&self) -> Squares {
        Squares::BOARD.minus(self.pawns[0] | self.pawns[1])
    }

    /// The outer holes without a disc: none once the pawns move.
    pub fn free_outer(&self) -> Squares {
        Squares::OUTER.minus(self.discs[0] | self.discs[1])
    }

    /// Whether the rival has just passed and the side to move has to pass as well: the leg ends in a draw with it.
    pub const fn both_stuck(&self) -> bool {
        self.both_stuck
    }

    /// A number that no other position on the same discs has, below 2⁵²: for repetition and transposition tables.
    pub const fn key(&self) -> u64 {
        let pawns = self.pawns[0].bits() as u64 | (self.pawns[1].bits() as u64) << SQUARES;
        pawns | (self.to_move as u64) << (2 * SQUARES) | (self.both_stuck as u64) << (2 * SQUARES + 1)
    }

    /// Whether all four pawns of a side stand on its goal squares: it has won if the last move was its own.
    pub fn is_home(&self, colour: Colour) -> bool {
        self.pawns(colour) == colour.goal()
    }

    /// How many pawns of a side stand on its goal squares.
    pub fn pawns_home(&self, colour: Colour) -> usize {
        (self.pawns(colour) & colour.goal()).len()
    }

    /// The side with more pawns home, or with fewer ranks to go where that is equal; none where both are.
    pub fn ahead(&self) -> Option<Colour> {
        let progress = |colour| (self.pawns_home(colour), Reverse(self.ranks_to_go(colour)));
        match progress(Colour::Red).cmp(&progress(Colour::Black)) {
            Ordering::Greater => Some(Colour::Red),
            Ordering::Less => Some(Colour::Black),
            Ordering::Equal => None,
        }
    }

    /// The sum over a side's pawns of the ranks between each and its goal row: 24 at the start, 0 when all are home.
    pub fn ranks_to_go(&self, colour: Colour) -> usize {
        // Seen from the goal row, the squares of the next rank are those from 4, 7, 11, … on: each such bound that a pawn
        // lies beyond is a rank still to go.
        const BEYOND: [u32; 6] = [4, 7, 11, 14, 18, 21];
        let pawns = match colour {
            Colour::Red => self.pawns(colour).turned(),
            Colour::Black => self.pawns(colour),
        };
        BEYOND.iter().map(|&bound| (pawns.bits() >> bound).count_ones() as usize).sum()
    }

    /// The squares that a side's pawns may pass over: its discs without a rival pawn, and its own pawns.
    fn passable(&self, colour: Colour) -> Squares {
        self.discs(colour).minus(self.pawns(colour.rival())) | self.pawns(colour) & self.bridges
    }

    /// The squares where a side's pawns may end: the free ones that are neutral or have a disc of the rival.
    fn ends(&self, colour: Colour) -> Squares {
        self.free() & (self.discs(colour.rival()) | Squares::NEUTRAL)
    }

    /// Where each pawn of a side can go, were there no mobility ban.
    pub fn geometric(&self, colour: Colour) -> Reach {
        let (passable, ends) = (self.passable(colour), self.ends(colour));
        let mut reach = Reach::new();
        // Pawns that are bridges to each other pass over the same squares and can go to the same places.
        let (mut region, mut targets) = (Squares::NONE, Squares::NONE);
        for pawn in self.pawns(colour).iter() {
            if !region.contains(pawn) {
                region = pawn.alone().flooded(passable);
                targets = region.around() & ends;
            }
            reach.push((pawn, targets));
            if !passable.contains(pawn) {
                // The others cannot pass over this one, so what it reaches says nothing of them.
                region = Squares::NONE;
            }
        }
        reach
    }

    /// Where each pawn of the side to move can go: its legal moves, `pass` apart.
    pub fn legal(&self) -> Reach {
        let mut reach = self.geometric(self.to_move);
        let ends = reach.iter().fold(Squares::NONE, |all, &(_, targets)| all | targets);
        let suspects = self.could_immobilise(ends);
        if !suspects.is_empty() {
            for (from, targets) in &mut reach {
                let banned = (*targets & suspects).iter().filter(|&to| !self.moved(*from, to).immobile().is_empty());
                *targets = targets.minus(banned.collect());
            }
        }
        reach
    }

    /// Those of `ends` where a pawn of the side to move could immobilise a rival pawn, if it did not make room where it leaves.
    fn could_immobilise(&self, ends: Squares) -> Squares {
        let rival = self.to_move.rival();
        let (pawns, rival_ends) = (self.pawns(rival), self.ends(rival));
        // A move takes at most one of these ends away, so a pawn that touches two of them stays mobile.
        let poor = pawns.minus(rival_ends.around_twice());
        if poor.is_empty() {
            return Squares::NONE;
        }
        let suspects = if poor.within(rival_ends.around()) { ends & poor.around() & rival_ends } else { ends };
        let passable = self.passable(rival);
        let blocks =
            |to: &Square| !pawns.minus(mobile(passable.minus(to.alone()), rival_ends.minus(to.alone()))).is_empty();
        suspects.iter().filter(blocks).collect()
    }

    /// The pawns of the side to move that have no geometric move.
    pub fn immobile(&self) -> Squares {
        let colour = self.to_move;
        self.pawns(colour).minus(mobile(self.passable(colour), self.ends(colour)))
    }

    /// The legal moves: by the number of the pawn's square, then by that of the square where it ends; or only `pass`.
    pub fn legal_moves(&self) -> Moves {
        let mut moves = Moves::new();
        self.add_legal_moves(&mut moves);
        moves
    }

    /// Appends the legal moves to a list of any kind.
    pub(super) fn add_legal_moves(&self, out: &mut impl Extend<Move>) {
        let reach = self.legal();
        for &(from, targets) in &reach {
            out.extend(targets.iter().map(|to| Move::Step { from, to }));
        }
        if reach.iter().all(|(_, targets)| targets.is_empty()) {
            out.extend([Move::Pass]);
        }
    }

    /// The number of legal moves, `pass` counted where it is the only one.
    pub fn count_legal(&self) -> usize {
        let count: usize = self.legal().iter().map(|(_, targets)| targets.len()).sum();
        count.max(1)
    }

    /// Whether the side to move has to pass.
    pub fn is_stuck(&self) -> bool {
        self.legal().iter().all(|(_, targets)| targets.is_empty())
    }

    /// Whether the move is legal: agrees with [`Position::legal_moves`].
    ///
    /// # Errors
    /// The first rule that the move breaks, in the order of the rules.
    pub fn check(&self, mv: Move) -> Result<(), Illegal> {
        match mv {
            Move::Place(_) => Err(Illegal::AllPlaced),
            Move::Step { from, to } => self.check_step(from, to),
            Move::Pass => match self.legal().iter().find_map(|&(from, targets)| Some((from, targets.first()?))) {
                Some((from, to)) => Err(Illegal::PassNotNeeded(Move::Step { from, to })),
                None => Ok(()),
            },
        }
    }

    fn check_step(&self, from: Square, to: Square) -> Result<(), Illegal> {
        let (own, rival) = (self.to_move, self.to_move.rival());
        if self.pawns(rival).contains(from) {
            return Err(Illegal::RivalPawn(from));
        }
        if !self.pawns(own).contains(from) {
            return Err(Illegal::NoPawn(from));
        }
        if from == to {
            return Err(Illegal::StaysPut(from));
        }
        if !self.free().contains(to) {
            return Err(Illegal::Occupied(to));
        }
        if self.discs(own).contains(to) {
            return Err(Illegal::OwnDisc(to));
        }
        let passable = self.passable(own);
        if !from.alone().flooded(passable).around().contains(to) {
            return Err(Illegal::NoWay { from, to, closed: self.closed(from, to, passable) });
        }
        match self.moved(from, to).immobile().first() {
            Some(pawn) => Err(Illegal::Immobilises(pawn)),
            None => Ok(()),
        }
    }

    /// The one square that would open a way were it passable, if there is such a square.
    fn closed(&self, from: Square, to: Square, passable: Squares) -> Option<Closed> {
        let rival = self.to_move.rival();
        let opens = |square: &Square| from.alone().flooded(passable | square.alone()).around().contains(to);
        let square = Squares::BOARD.minus(passable).iter().find(opens)?;
        let why = if self.pawns(rival).contains(square) {
            WhyClosed::RivalPawn
        } else if self.discs(rival).contains(square) {
            WhyClosed::RivalDisc
        } else if self.pawns(self.to_move).contains(square) {
            WhyClosed::NeutralBridge
        } else {
            WhyClosed::EmptyNeutral
        };
        Some(Closed { square, why })
    }

    /// The position after a legal move, or after a disc was placed. The move is not checked.
    #[must_use]
    pub fn after(&self, mv: Move) -> Position {
        match mv {
            Move::Step { from, to } => self.moved(from, to),
            Move::Pass => {
                let next = Position { to_move: self.to_move.rival(), both_stuck: false, ..*self };
                Position { both_stuck: next.is_stuck(), ..next }
            }
            Move::Place(hole) => {
                let mut next = Position { to_move: self.to_move.rival(), ..*self };
                next.set_disc(hole, self.to_move);
                next
            }
        }
    }

    fn moved(&self, from: Square, to: Square) -> Position {
        let mut next = Position { to_move: self.to_move.rival(), both_stuck: false, ..*self };
        let pawns = &mut next.pawns[self.to_move.index()];
        *pawns = pawns.minus(from.alone()) | to.alone();
        next
    }
}

/// The squares from which a pawn has a move: those that touch an end, or a passable square from which an end is reached.
fn mobile(passable: Squares, ends: Squares) -> Squares {
    let near = ends.around();
    let on_the_way = (near & passable).flooded(passable);
    near | on_the_way.around()
}
