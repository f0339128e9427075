//! Alpha-beta search by iterative deepening, for every game that can say of a position what follows and what it is
//! worth.
//!
//! Values are those of one seat, the one that searches. With more than two seats each of the others is taken to make
//! the move that leaves itself best off at once: were they taken to play against the one that searches, it would fear
//! what none of them has a reason to do. A seat may move several times in a row.

mod limits;
mod memory;
#[cfg(test)]
pub(super) mod tests;

use std::cmp::Reverse;

use crate::chance::Draws;
use crate::seat::{Seat, SeatSet};

pub use limits::{Budget, Limits};

use limits::Pace;
pub use memory::key;
use memory::{Bound, Entry, Memory};

/// A position as a search sees it.
pub trait Node: Clone {
    /// A decision.
    type Move: Copy + Eq;

    /// The worth of a position that is as good as won: what wins and losses count as where chance mixes them with
    /// positions that are not decided.
    const DECISIVE: i32;

    /// The seats that still play: two, unless the game says otherwise.
    fn seats(&self) -> SeatSet {
        SeatSet::first(2)
    }

    /// The seat to move.
    fn mover(&self) -> Seat;

    /// How the game ended, if it did.
    fn end(&self) -> Option<End>;

    /// Appends the moves worth looking at, in any order; at least one, unless the game ended. `me` is the seat that
    /// searches, or one of more than two that moves for itself.
    fn expand(&self, me: Seat, out: &mut Vec<Child<Self>>);

    /// Appends the moves worth looking at where the search begins: more of them, if there are any that it looks at only
    /// there.
    fn expand_root(&self, me: Seat, out: &mut Vec<Child<Self>>) {
        self.expand(me, out);
    }

    /// Where chance decides: what can come of it, each with its weight. What it leads to is weighed, not chosen.
    fn chance(&self) -> Option<Chance<Self>> {
        None
    }

    /// The position after a move that [`Node::expand`] listed.
    fn after(&self, mv: Self::Move) -> Self;

    /// What the position is worth to `me`; far less than [`WIN`] either way.
    fn worth(&self, me: Seat) -> i32;

    /// What the position is worth to `me`, the end of the game included.
    fn worth_at_once(&self, me: Seat) -> i32 {
        match self.end() {
            Some(End::Won(winner)) if winner == me => WIN,
            Some(End::Won(_)) => -WIN,
            Some(End::Drawn) => 0,
            None => self.worth(me),
        }
    }

    /// Appends bytes that are different for positions with different futures.
    fn encode(&self, out: &mut Vec<u8>);
}

/// What can come of a chance step: positions with their weights.
pub type Chance<N> = Vec<(u32, N)>;

/// A move, and the position behind it.
#[derive(Clone, Copy)]
pub struct Child<N: Node> {
    /// The move.
    pub mv: N::Move,
    /// How promising it looks to the mover: the higher, the earlier it is looked at.
    pub order: i32,
    /// The position behind it.
    pub node: N,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Won by this seat.
    Won(Seat),
    /// Won by nobody.
    Drawn,
}

/// The value of a game won now; wins further away are worth a little less.
pub const WIN: i32 = 1_000_000;

/// The most plies that are looked ahead.
pub const MAX_DEPTH: u32 = 64;

/// Values from here on are wins.
const SURE: i32 = WIN - 1000;

/// The best move that a search found.
#[derive(Clone, Copy, Debug)]
pub struct Found<M> {
    /// The move.
    pub mv: M,
    /// What it leads to.
    pub value: i32,
    /// How many plies were looked ahead; 0 where there was nothing to choose.
    pub depth: u32,
    /// How many positions were looked at.
    pub nodes: u64,
}

impl<M> Found<M> {
    /// The search as an `info` for the log.
    pub fn info(&self) -> String {
        format!(r#"{{"depth":{},"nodes":{},"value":{}}}"#, self.depth, self.nodes, self.value)
    }
}

/// A search, with what it remembers from move to move.
pub struct Search<N: Node> {
    me: Seat,
    memory: Memory<N::Move>,
    /// The children of all positions on the way to the one that is looked at.
    children: Vec<Child<N>>,
    /// For each ply, the move that was last found to refute another.
    killers: [Option<N::Move>; MAX_DEPTH as usize + 1],
    pace: Pace,
    bytes: Vec<u8>,
}

impl<N: Node> Search<N> {
    /// A search for the moves of one seat in one game.
    pub fn new(me: Seat) -> Search<N> {
        Search {
            me,
            memory: Memory::default(),
            children: Vec::new(),
            killers: [None; MAX_DEPTH as usize + 1],
            pace: Pace::default(),
            bytes: Vec::new(),
        }
    }

    /// The best move in a position in which the seat is to move. Moves that are worth the same are chosen from by
    /// chance.
    ///
    /// # Panics
    /// If the game is over.
    pub fn best(&mut self, root: &N, limits: &Limits, draws: &mut Draws) -> Found<N::Move> {
        self.pace = Pace::start(limits);
        self.memory.begin_search();
        let mut moves = Vec::new();
        root.expand_root(self.me, &mut moves);
        draws.shuffle(&mut moves);
        moves.sort_by_key(|child| Reverse(child.order));
        let mut found = Found { mv: moves[0].mv, value: moves[0].node.worth(self.me), depth: 0, nodes: 0 };
        let deepest = limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        for depth in 1..=deepest {
            if moves.len() == 1 || found.value.abs() > SURE || (depth > 1 && self.pace.is_too_late_to_deepen()) {
                break;
            }
            let Some((best, value)) = self.look_at_all(&moves, depth) else { break };
            found = Found { mv: moves[best].mv, value, depth, nodes: 0 };
            moves[..=best].rotate_right(1);
            if self.pace.is_over() {
                break;
            }
        }
        Found { nodes: self.pace.nodes(), ..found }
    }

    /// The best of the moves and its value; none if the time ended before the first of them was looked at. The first is
    /// the best so far, so that an answer from some of them is as good as none or better.
    fn look_at_all(&mut self, moves: &[Child<N>], depth: u32) -> Option<(usize, i32)> {
        let mut best = None;
        let mut least = -WIN;
        for (index, child) in moves.iter().enumerate() {
            let value = self.child_value(child.node.clone(), depth, 0, 1, (least, WIN), index > 0);
            if self.pace.is_over() {
                break;
            }
            if value > least || best.is_none() {
                best = Some((index, value));
                least = least.max(value);
            }
        }
        best
    }

    /// The value of a child for the mover, whose sign is 1 if it is the seat that searches and −1 otherwise, in the
    /// mover's own window. Moves that are not expected to be the best are first only shown not to be.
    fn child_value(&mut self, child: N, depth: u32, ply: u32, sign: i32, window: (i32, i32), doubted: bool) -> i32 {
        let mut look = |low: i32, high: i32| {
            let (low, high) = if sign > 0 { (low, high) } else { (-high, -low) };
            sign * self.value(&child, depth - 1, ply + 1, low, high)
        };
        let (low, high) = window;
        if doubted && high - low > 1 {
            let value = look(low, low + 1);
            if value <= low || value >= high {
                return value;
            }
        }
        look(low, high)
    }

    /// The value of a position, exact between `low` and `high`, and a bound outside. Worth nothing once the pace is
    /// over.
    fn value(&mut self, node: &N, depth: u32, ply: u32, low: i32, high: i32) -> i32 {
        if self.pace.count() {
            return 0;
        }
        if let Some(end) = node.end() {
            return match end {
                End::Won(seat) if seat == self.me => WIN - ply as i32,
                End::Won(_) => ply as i32 - WIN,
                End::Drawn => 0,
            };
        }
        if let Some(outcomes) = node.chance() {
            return self.weighed(&outcomes, depth, ply);
        }
        if depth == 0 {
            return node.worth(self.me);
        }
        if node.mover() != self.me && node.seats().len() > 2 {
            let Some(reply) = self.reply(node) else { return 0 };
            return self.value(&reply, depth - 1, ply + 1, low, high);
        }
        let key = self.key(node);
        let known = self.memory.get(key);
        if let Some(value) = known.and_then(|entry| entry.settles(depth, ply, low, high)) {
            return value;
        }
        let sign = if node.mover() == self.me { 1 } else { -1 };
        let window = if sign > 0 { (low, high) } else { (-high, -low) };
        let first = self.children.len();
        let best = self.best_child(node, depth, ply, sign, window, known.and_then(|entry| entry.mv));
        self.children.truncate(first);
        let Some((mv, value)) = best else { return 0 };
        let bound = match sign * value {
            value if value <= low => Bound::AtMost,
            value if value >= high => Bound::AtLeast,
            _ => Bound::Exact,
        };
        self.memory.put(key, Entry::new(Some(mv), sign * value, bound, depth, ply));
        sign * value
    }

    /// The position behind the move that leaves the mover best off at once; none once the pace is over.
    fn reply(&mut self, node: &N) -> Option<N> {
        let mover = node.mover();
        let first = self.children.len();
        node.expand(mover, &mut self.children);
        let mut best: Option<(usize, (i32, i32))> = None;
        for (index, child) in self.children.iter().enumerate().skip(first) {
            if self.pace.count() {
                break;
            }
            let worth = (child.node.worth_at_once(mover), child.order);
            if best.is_none_or(|(_, most)| worth > most) {
                best = Some((index, worth));
            }
        }
        let reply = best.map(|(index, _)| self.children[index].node.clone());
        self.children.truncate(first);
        reply.filter(|_| !self.pace.is_over())
    }

    /// The mean of the values of what can come of a chance step. Chance takes no ply of the depth.
    fn weighed(&mut self, outcomes: &Chance<N>, depth: u32, ply: u32) -> i32 {
        let (mut sum, mut weights) = (0, 0);
        for (weight, node) in outcomes {
            let value = self.value(node, depth, ply, -WIN, WIN);
            if self.pace.is_over() {
                return 0;
            }
            sum += i64::from(*weight) * i64::from(value.clamp(-N::DECISIVE, N::DECISIVE));
            weights += i64::from(*weight);
        }
        (sum / weights.max(1)) as i32
    }

    /// The mover's best move and its value to the mover; none once the pace is over.
    fn best_child(
        &mut self,
        node: &N,
        depth: u32,
        ply: u32,
        sign: i32,
        (mut low, high): (i32, i32),
        known: Option<N::Move>,
    ) -> Option<(N::Move, i32)> {
        let mut best: Option<(N::Move, i32)> = None;
        let first = self.children.len();
        // The move that was best before is tried before any other is even listed.
        if let Some(mv) = known {
            let value = self.child_value(node.after(mv), depth, ply, sign, (low, high), false);
            if self.pace.is_over() {
                return None;
            }
            best = Some((mv, value));
            low = low.max(value);
        }
        if low < high {
            self.expand(node, ply, first);
        }
        for index in first..self.children.len() {
            if low >= high {
                break;
            }
            let Child { mv, node: child, .. } = self.children[index].clone();
            if known == Some(mv) {
                continue;
            }
            let value = self.child_value(child, depth, ply, sign, (low, high), best.is_some());
            if self.pace.is_over() {
                return None;
            }
            if best.is_none_or(|(_, least)| value > least) {
                best = Some((mv, value));
                low = low.max(value);
            }
        }
        if let (Some((mv, _)), true) = (best, low >= high) {
            self.killers[ply as usize] = Some(mv);
        }
        best
    }

    /// Appends the children of a position, the most promising first.
    fn expand(&mut self, node: &N, ply: u32, first: usize) {
        node.expand(self.me, &mut self.children);
        let killer = self.killers[ply as usize];
        self.children[first..].sort_by_key(|child| (killer != Some(child.mv), Reverse(child.order)));
    }

    fn key(&mut self, node: &N) -> u64 {
        self.bytes.clear();
        node.encode(&mut self.bytes);
        memory::key(&self.bytes)
    }
}
