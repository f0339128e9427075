//! Who wins small boards when both play perfectly, for ever if need be: known from outside.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::seat::Seat;

use super::super::state::Jumps;
use super::super::{Grid, Move, Position, Square};
use super::facts::facts;

/// What perfect play comes to for the seat to move, where it is known; the rest goes on for ever.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Win,
    Loss,
}

/// A position without its pawns and its turn: barriers and stores, in canonical bytes.
type Layout = Vec<u8>;

/// The outcomes of all positions with one layout, by both pawns and the seat to move.
type Outcomes = BTreeMap<(Square, Square, usize), Outcome>;

/// All layouts that were solved.
struct Solver {
    squares: Vec<Square>,
    solved: BTreeMap<Layout, Outcomes>,
}

fn key(position: &Position) -> (Square, Square, usize) {
    let pawn = |seat| position.pawn(Seat::new(seat)).expect("both are in");
    (pawn(0), pawn(1), position.to_move().index())
}

fn layout(position: &Position) -> Layout {
    let barriers = position.barriers().into_iter().flat_map(|barrier| barrier.to_string().into_bytes());
    Seat::first(2).map(|seat| position.store(seat)).chain(barriers).collect()
}

impl Solver {
    /// Finds the outcomes of all positions with the layout of this one.
    ///
    /// Barriers only ever come, so what lies behind one is solved before; pawns go to and fro, so their outcomes are
    /// found from the ends of the game backwards, until nothing new is found.
    fn solve(&mut self, position: &Position) {
        if self.solved.contains_key(&layout(position)) {
            return;
        }
        let mut open: Vec<(Position, Vec<Move>)> = Vec::new();
        for position in self.all_with_pawns(position) {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            for &mv in moves.iter().filter(|mv| matches!(mv, Move::Barrier(_))) {
                let mut next = position;
                next.play(mv);
                self.solve(&next);
            }
            open.push((position, moves));
        }
        self.solved.insert(layout(position), Outcomes::new());
        loop {
            let before = open.len();
            open.retain(|(position, moves)| match self.judge(position, moves) {
                Some(outcome) => {
                    self.solved.get_mut(&layout(position)).expect("begun").insert(key(position), outcome);
                    false
                }
                None => true,
            });
            if open.len() == before {
                return;
            }
        }
    }

    /// The outcome by those of the positions behind each move, as far as they are known.
    fn judge(&self, position: &Position, moves: &[Move]) -> Option<Outcome> {
        let replies = moves.iter().map(|&mv| {
            let mut next = *position;
            next.play(mv);
            match next.winner() {
                Some(_) => Some(Outcome::Loss),
                None => self.solved[&layout(&next)].get(&key(&next)).copied(),
            }
        });
        let mut all_won = true;
        for reply in replies {
            match reply {
                Some(Outcome::Loss) => return Some(Outcome::Win),
                Some(Outcome::Win) => {}
                None => all_won = false,
            }
        }
        all_won.then_some(Outcome::Loss)
    }

    /// This position with the pawns on all squares that are not their goals, and with either seat to move; only where
    /// each has a path, since no game comes to others.
    fn all_with_pawns(&self, position: &Position) -> Vec<Position> {
        let mut all = Vec::new();
        for (&first, &second) in
            self.squares.iter().flat_map(|first| self.squares.iter().map(move |second| (first, second)))
        {
            for turn in 0..2 {
                let mut moved = *position;
                moved.put_pawn(Seat::new(0), first);
                moved.put_pawn(Seat::new(1), second);
                if moved.to_move().index() != turn {
                    moved.end_turn();
                }
                if first != second && moved.winner().is_none() && moved.without_path(moved.ways).is_none() {
                    all.push(moved);
                }
            }
        }
        all
    }
}

/// The seat that wins from the start, if either can.
fn winner(size: usize, walls: u8) -> Option<usize> {
    let grid = Grid::of(size, 2).expect("a possible board");
    let start = Position::start(grid, walls, Jumps { past_edge: true, past_pawn: false });
    let squares = (0..size * size).map(|cell| Square::new(cell % size, cell / size)).collect();
    let mut solver = Solver { squares, solved: BTreeMap::new() };
    solver.solve(&start);
    solver.solved[&layout(&start)].get(&key(&start)).map(|outcome| match outcome {
        Outcome::Win => 0,
        Outcome::Loss => 1,
    })
}

/// The boards that the facts name as `3x3 walls 0,1,2`, with the winning seat.
fn boards() -> Vec<(usize, u8, u64)> {
    let facts = facts();
    let lines = facts["winning_seat_with_perfect_play_no_walls_or_few"].as_object().expect("lines by board");
    let read = |(name, seat): (&String, &Value)| {
        let (size, walls) = name.split_once(" walls ").expect("a size and walls");
        let size = size.split('x').next().and_then(|size| size.parse().ok()).expect("a size");
        let seat = seat.as_u64().expect("a seat");
        walls.split(',').map(|walls| (size, walls.parse().expect("walls"), seat)).collect::<Vec<_>>()
    };
    lines.iter().flat_map(read).collect()
}

#[test]
fn the_known_winner_of_small_boards() {
    let small: Vec<_> = boards().into_iter().filter(|&(size, walls, _)| size == 3 || size == 5 && walls == 0).collect();
    assert_eq!(small.len(), 4);
    for (size, walls, seat) in small {
        assert_eq!(winner(size, walls), Some(seat as usize), "{size} with {walls}");
    }
}

#[test]
#[ignore = "deep: run with --release --ignored"]
fn deep_the_known_winner_of_all_boards() {
    let all = boards();
    assert_eq!(all.len(), 7);
    for (size, walls, seat) in all {
        assert_eq!(winner(size, walls), Some(seat as usize), "{size} with {walls}");
    }
}
