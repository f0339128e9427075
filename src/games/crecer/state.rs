//! The position: where the stacks stand, what the hands hold, who is to move, and what an action makes of it.
//!
//! [`Core`] is small and `Copy`, made for search: it is copied and played on without allocating. It carries the rules
//! that decide what is legal, but knows nothing of how often a position occurred nor of how long a game may last;
//! that is for [`Crecer`](super::Crecer).

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::heights::Heights;
use super::illegal::Illegal;
use super::notation::Move;
use super::options::HAND;
use super::square::{SIZE, Square, Squares};
use super::view::Stacks;
use crate::game::EndReason;
use crate::seat::Seat;

/// No position has more legal moves: each of at most twelve stacks has eight neighbours to go to or to attack, and may grow.
pub const MOST_MOVES: usize = 2 * SIZE * (8 + 1);

/// What is legal and what it does, as far as it can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The height up to which a stack may grow, from 1 to 12.
    pub max_height: u8,
    /// Whether a stack may attack a taller one.
    pub attack_up: bool,
    /// What it means that an action leaves both seats without a stack of height 1.
    pub mutual: Mutual,
    /// Whether a stack may move to a rank nearer its own side.
    pub backward: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { max_height: 4, attack_up: true, mutual: Mutual::Draw, backward: true }
    }
}

/// What it means that an action leaves both seats without a stack of height 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mutual {
    /// Nobody wins.
    Draw,
    /// The seat whose action it was wins.
    MoverWins,
    /// The seat whose action it was loses.
    MoverLoses,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The seat that won; nobody in a draw.
    pub winner: Option<Seat>,
    /// Why.
    pub reason: EndReason,
}

/// A position, with the rules it is played by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Core {
    /// Where each seat has stacks.
    stacks: [Squares; 2],
    heights: Heights,
    /// The pieces in each hand.
    hand: [u8; 2],
    to_move: Seat,
    /// Whether the last move was a pass.
    passed: bool,
    rules: Rules,
}

impl Core {
    /// The position at the start of a game: twelve stacks of height 1 and twelve pieces in hand for each seat.
    pub fn start(rules: Rules) -> Core {
        let mut core = Core::bare(rules, [HAND; 2], Seat::new(0));
        for square in Square::all() {
            match square.rank() {
                0 | 1 => core.put(Seat::new(0), square, 1),
                4 | 5 => core.put(Seat::new(1), square, 1),
                _ => {}
            }
        }
        core
    }

    /// The rules in force.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The seat to move; in a finished game, the one that would be.
    pub const fn to_move(&self) -> Seat {
        self.to_move
    }

    /// Whether the last move was a pass: another one now is a draw.
    pub const fn passed(&self) -> bool {
        self.passed
    }

    /// How many pieces a seat has in its hand.
    pub const fn hand(&self, seat: Seat) -> u8 {
        self.hand[seat.index()]
    }

    /// The squares with a stack of this seat.
    pub const fn stacks(&self, seat: Seat) -> Squares {
        self.stacks[seat.index()]
    }

    /// The squares without a stack.
    pub const fn empty(&self) -> Squares {
        Squares::BOARD.minus(self.stacks[0]).minus(self.stacks[1])
    }

    /// The squares with a stack of this height, of either seat; for 0, the empty squares.
    pub const fn of_height(&self, height: u8) -> Squares {
        self.heights.of(height)
    }

    /// The stacks of height 1 of a seat: those that can win, and without which it has lost.
    pub const fn singles(&self, seat: Seat) -> Squares {
        self.stacks[seat.index()].minus(self.heights.above_one())
    }

    /// The height of the stack on a square, 0 where there is none.
    pub fn height(&self, square: Square) -> u8 {
        self.heights.at(square)
    }

    /// The seat whose stack stands on a square.
    pub fn owner(&self, square: Square) -> Option<Seat> {
        Seat::first(2).find(|&seat| self.stacks(seat).contains(square))
    }

    /// How many pieces of a seat are on the board, in all its stacks.
    pub fn pieces(&self, seat: Seat) -> u32 {
        self.heights.sum(self.stacks(seat))
    }

    /// The fewest steps in which a stack of height 1 of this seat could reach the far rank if nothing else moved;
    /// nothing if there is none or stacks are in the way of them all.
    pub fn steps_to_goal(&self, seat: Seat) -> Option<u8> {
        let (singles, empty) = (self.singles(seat), self.empty());
        let mut reaching = empty.and(Squares::far_rank(seat));
        for steps in 1.. {
            let from = self.origins(seat, reaching);
            if !from.and(singles).is_empty() {
                return Some(steps);
            }
            let wider = reaching.or(from.and(empty));
            if wider == reaching {
                return None;
            }
            reaching = wider;
        }
        unreachable!("a set of squares cannot grow for ever")
    }

    /// Where the stack on this square, one of the seat to move, may move to.
    pub const fn steps_from(&self, from: Square) -> Squares {
        from.neighbours().and(self.empty()).and(self.allowed_ranks(from))
    }

    /// The stacks of the seat to move that may grow.
    pub const fn growable(&self) -> Squares {
        match self.hand(self.to_move) {
            0 => Squares::EMPTY,
            _ => self.stacks(self.to_move).minus(self.of_height(self.rules.max_height)),
        }
    }

    /// The rival's stacks that the stack on this square, one of the seat to move, may attack.
    pub fn targets_from(&self, from: Square) -> Squares {
        let height = self.height(from);
        let mut fair = self.of_height(height).or(self.of_height(height.saturating_sub(1)));
        if self.rules.attack_up {
            fair = fair.or(self.of_height(height + 1));
        }
        from.neighbours().and(self.stacks(self.rival())).and(fair)
    }

    /// The stacks of the seat to move that stand next to one of the rival's, of whatever height.
    pub const fn in_contact(&self) -> Squares {
        self.stacks(self.to_move).and(self.stacks(self.rival()).spread())
    }

    /// The legal moves: moves, growths, attacks, each by square; else the pass.
    pub fn legal(&self) -> ArrayVec<Move, MOST_MOVES> {
        let mut moves = ArrayVec::new();
        self.for_each_legal(|mv| moves.push(mv));
        moves
    }

    /// Hands on the legal moves one by one, in the order of [`Core::legal`].
    pub fn for_each_legal(&self, mut each: impl FnMut(Move)) {
        let mut stuck = true;
        let mut hand_on = |mv| {
            stuck = false;
            each(mv);
        };
        for from in self.stacks(self.to_move) {
            self.steps_from(from).into_iter().for_each(|to| hand_on(Move::Step { from, to }));
        }
        self.growable().into_iter().for_each(|square| hand_on(Move::Grow(square)));
        for from in self.in_contact() {
            self.targets_from(from).into_iter().for_each(|to| hand_on(Move::Attack { from, to }));
        }
        if stuck {
            each(Move::Pass);
        }
    }

    /// The number of legal moves, without listing them.
    pub fn count_legal(&self) -> u32 {
        self.count_actions().max(1)
    }

    /// Whether the seat to move can only pass.
    pub fn is_stuck(&self) -> bool {
        self.count_actions() == 0
    }

    /// Whether a move is legal for the seat to move.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub fn check(&self, mv: Move) -> Result<(), Illegal> {
        match mv {
            Move::Step { from, to } => self.check_step(from, to),
            Move::Grow(square) => self.check_growth(square),
            Move::Attack { from, to } => self.check_attack(from, to),
            Move::Pass => self.check_pass(),
        }
    }

    /// Makes a legal move, and says how the game ended if it did. What an illegal move makes of the position is not specified.
    pub fn play(&mut self, mv: Move) -> Option<Ending> {
        debug_assert_eq!(self.check(mv), Ok(()), "{mv} is not legal");
        let mover = self.to_move;
        let passed = std::mem::take(&mut self.passed);
        self.to_move = self.rival();
        match mv {
            Move::Step { from, to } => {
                self.carry(mover, from, to);
                let arrived = self.singles(mover).contains(to) && Squares::far_rank(mover).contains(to);
                arrived.then_some(Ending { winner: Some(mover), reason: EndReason::Goal })
            }
            Move::Grow(square) => {
                self.hand[mover.index()] -= 1;
                self.heights.grow(square);
                self.end_without_singles(mover)
            }
            Move::Attack { from, to } => {
                self.fight(mover, from, to);
                self.end_without_singles(mover)
            }
            Move::Pass => {
                self.passed = true;
                passed.then_some(Ending { winner: None, reason: EndReason::Passes })
            }
        }
    }

    /// The position as far as it decides the future: that the last move was a pass matters only to a seat that must pass too.
    pub fn canonical(&self) -> Core {
        Core { passed: self.passed && self.is_stuck(), ..*self }
    }

    /// Appends the canonical bytes of the position; the rules are not part of them.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let Core { stacks, heights, hand, to_move, passed, rules: _ } = self.canonical();
        stacks.iter().chain(heights.digits()).for_each(|squares| out.extend(squares.to_bytes()));
        out.extend(hand);
        out.push(to_move.index() as u8 | u8::from(passed) << 1);
    }

    /// A board without stacks.
    pub(super) const fn bare(rules: Rules, hand: [u8; 2], to_move: Seat) -> Core {
        Core { stacks: [Squares::EMPTY; 2], heights: Heights::NONE, hand, to_move, passed: false, rules }
    }

    /// The position that a state on the wire tells of.
    pub(super) fn resume(rules: Rules, stacks: [Stacks; 2], hand: [u8; 2], to_move: Seat, passed: bool) -> Core {
        let heights = stacks[0].heights.joined(&stacks[1].heights);
        Core { stacks: stacks.map(|stacks| stacks.squares), heights, hand, to_move, passed, rules }
    }

    /// The stacks of a seat with their heights.
    pub(super) fn stacks_of(&self, seat: Seat) -> Stacks {
        let squares = self.stacks(seat);
        Stacks { squares, heights: self.heights.within(squares) }
    }

    /// Puts a stack on an empty square.
    pub(super) fn put(&mut self, seat: Seat, square: Square, height: u8) {
        self.stacks[seat.index()] = self.stacks[seat.index()].or(Squares::only(square));
        self.heights.put(square, height);
    }

    const fn rival(&self) -> Seat {
        self.to_move.next(2)
    }

    /// The squares from which a step of this seat may lead into the set, and the set itself.
    fn origins(&self, seat: Seat, set: Squares) -> Squares {
        match (self.rules.backward, seat.index()) {
            (true, _) => set.spread(),
            (false, 0) => set.spread_down(),
            (false, _) => set.spread_up(),
        }
    }

    /// The ranks to which the seat to move may go from a square.
    const fn allowed_ranks(&self, from: Square) -> Squares {
        let own = Squares::only(from);
        match (self.rules.backward, self.to_move.index()) {
            (true, _) => Squares::BOARD,
            (false, 0) => own.spread_up(),
            (false, _) => own.spread_down(),
        }
    }

    fn count_actions(&self) -> u32 {
        let (own, empty) = (self.stacks(self.to_move), self.empty());
        let steps = match (self.rules.backward, self.to_move.index()) {
            (true, _) => own.steps_level(empty) + own.steps_up(empty) + own.steps_down(empty),
            (false, 0) => own.steps_level(empty) + own.steps_up(empty),
            (false, _) => own.steps_level(empty) + own.steps_down(empty),
        };
        let attacks: u32 = self.in_contact().into_iter().map(|from| self.targets_from(from).count()).sum();
        steps + self.growable().count() + attacks
    }

    fn check_own(&self, square: Square) -> Result<(), Illegal> {
        match self.owner(square) {
            None => Err(Illegal::NothingThere { square }),
            Some(seat) if seat != self.to_move => Err(Illegal::NotYours { square }),
            Some(_) => Ok(()),
        }
    }

    fn check_next_to(&self, from: Square, to: Square) -> Result<(), Illegal> {
        if from.neighbours().contains(to) { Ok(()) } else { Err(Illegal::NotNextTo { from, to }) }
    }

    fn check_step(&self, from: Square, to: Square) -> Result<(), Illegal> {
        self.check_own(from)?;
        self.check_next_to(from, to)?;
        match self.owner(to) {
            Some(seat) if seat == self.to_move => Err(Illegal::OwnInTheWay { to }),
            Some(_) => Err(Illegal::RivalInTheWay { from, to }),
            None if !self.allowed_ranks(from).contains(to) => Err(Illegal::Backward { from, to }),
            None => Ok(()),
        }
    }

    fn check_growth(&self, square: Square) -> Result<(), Illegal> {
        self.check_own(square)?;
        if self.hand(self.to_move) == 0 {
            return Err(Illegal::HandEmpty);
        }
        let height = self.height(square);
        if height >= self.rules.max_height { Err(Illegal::FullGrown { square, height }) } else { Ok(()) }
    }

    fn check_attack(&self, from: Square, to: Square) -> Result<(), Illegal> {
        self.check_own(from)?;
        self.check_next_to(from, to)?;
        match self.owner(to) {
            None => return Err(Illegal::NothingToAttack { from, to }),
            Some(seat) if seat == self.to_move => return Err(Illegal::AttackOnOwn { to }),
            Some(_) => {}
        }
        let (own, theirs) = (self.height(from), self.height(to));
        if own.abs_diff(theirs) > 1 {
            Err(Illegal::UnequalFight { from, own, to, theirs })
        } else if theirs > own && !self.rules.attack_up {
            Err(Illegal::AttackUp { from, own, to, theirs })
        } else {
            Ok(())
        }
    }

    fn check_pass(&self) -> Result<(), Illegal> {
        let mut other = None;
        self.for_each_legal(|mv| other = other.or(Some(mv)));
        match other {
            Some(Move::Pass) | None => Ok(()),
            Some(mv) => Err(Illegal::PassWithMoves { mv }),
        }
    }

    /// Moves the stack on `from`, whose height stays, to the empty square `to`.
    fn carry(&mut self, seat: Seat, from: Square, to: Square) {
        let squares = &mut self.stacks[seat.index()];
        *squares = squares.minus(Squares::only(from)).or(Squares::only(to));
        self.heights.carry(from, to);
    }

    /// Takes the stack on a square out of the game.
    fn remove(&mut self, square: Square) {
        self.stacks.iter_mut().for_each(|squares| *squares = squares.minus(Squares::only(square)));
        self.heights.remove(square);
    }

    fn fight(&mut self, mover: Seat, from: Square, to: Square) {
        let (own, theirs) = (self.height(from), self.height(to));
        if own == theirs {
            self.remove(from);
            self.remove(to);
        } else if own > theirs {
            self.remove(to);
            self.carry(mover, from, to);
        } else {
            self.remove(from);
            self.carry(mover.next(2), to, from);
        }
    }

    /// How the game ended if a seat was left without a stack of height 1 by an action of `mover`.
    fn end_without_singles(&self, mover: Seat) -> Option<Ending> {
        let without = |seat| self.singles(seat).is_empty();
        let rival = mover.next(2);
        let winner = match (without(mover), without(rival)) {
            (false, false) => return None,
            (true, false) => Some(rival),
            (false, true) => Some(mover),
            (true, true) => match self.rules.mutual {
                Mutual::Draw => None,
                Mutual::MoverWins => Some(mover),
                Mutual::MoverLoses => Some(rival),
            },
        };
        Some(Ending { winner, reason: EndReason::NoPieces })
    }
}
