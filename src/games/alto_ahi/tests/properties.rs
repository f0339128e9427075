//! The rules compared with a textbook's: arrays and a breadth-first search, on random positions.

use proptest::prelude::*;

use crate::game::Notation;
use crate::seat::Seat;

use super::super::state::Jumps;
use super::super::{Barrier, Grid, Lie, Move, Position, Square};
use super::plain;

/// A random game: a board, and numbers that choose the moves.
#[derive(Clone, Debug)]
struct Line {
    size: usize,
    seats: usize,
    walls: u8,
    past_edge: bool,
    past_pawn: bool,
    choices: Vec<(u8, u16)>,
}

fn lines() -> impl Strategy<Value = Line> {
    let choices = proptest::collection::vec((any::<u8>(), any::<u16>()), 1..60);
    let board = (prop_oneof![Just(3usize), Just(5), Just(7), Just(9)], prop_oneof![Just(2usize), Just(4)], 0..20u8);
    (board, any::<bool>(), any::<bool>(), choices).prop_map(|((size, seats, walls), past_edge, past_pawn, choices)| {
        Line { size, seats, walls, past_edge, past_pawn, choices }
    })
}

/// Both implementations of one position.
#[derive(Clone)]
struct Pair {
    position: Position,
    plain: plain::Board,
}

impl Pair {
    fn start(line: &Line) -> Pair {
        let grid = Grid::of(line.size, line.seats).expect("a possible board");
        let jumps = Jumps { past_edge: line.past_edge, past_pawn: line.past_pawn };
        Pair {
            position: Position::start(grid, line.walls, jumps),
            plain: plain::Board::new(line.size, line.seats, line.walls.into(), line.past_edge, line.past_pawn),
        }
    }

    /// The legal moves, after checking that both agree on them, on who is to move and on who has won.
    fn moves(&mut self) -> (Vec<Move>, Vec<plain::Move>) {
        let (mut moves, mut plain_moves) = (Vec::new(), Vec::new());
        self.position.legal_moves(&mut moves);
        self.plain.legal_moves(&mut plain_moves);
        let tokens: Vec<String> = moves.iter().map(|mv| mv.token().to_string()).collect();
        let plain_tokens: Vec<String> = plain_moves.iter().map(plain::Move::to_string).collect();
        assert_eq!(tokens, plain_tokens);
        assert_eq!(self.position.winner().map(Seat::index), self.plain.winner);
        if self.plain.winner.is_none() {
            assert_eq!(self.position.to_move().index(), self.plain.turn);
        }
        for seat in Seat::first(self.plain.seats) {
            let distance = self.position.distance(seat).map(|steps| steps as usize);
            assert_eq!(distance, self.plain.distance(seat.index()));
        }
        (moves, plain_moves)
    }

    /// Plays one of the moves: one of the barriers three times out of four, since they make positions tight.
    fn play(&mut self, (kind, choice): (u8, u16), moves: &[Move], plain_moves: &[plain::Move]) {
        let pawn_moves = moves.iter().filter(|mv| matches!(mv, Move::To(_))).count();
        let (from, to) = match kind % 4 {
            0 if pawn_moves > 0 => (0, pawn_moves),
            _ if pawn_moves < moves.len() => (pawn_moves, moves.len()),
            _ => (0, moves.len()),
        };
        let index = from + usize::from(choice) % (to - from);
        self.position.play(moves[index]);
        self.plain.play(plain_moves[index]);
    }
}

/// Everything that the notation can say.
fn all_moves() -> Vec<Move> {
    let squares = (0..81).map(|cell| Move::To(Square::new(cell % 9, cell / 9)));
    let barriers = [Lie::Horizontal, Lie::Vertical]
        .into_iter()
        .flat_map(|lie| (0..64).map(move |anchor| Move::Barrier(Barrier::new(anchor % 8, anchor / 8, lie))));
    squares.chain(barriers).chain([Move::Pass]).collect()
}

/// Plays a line through and checks each position on the way.
fn agrees(line: &Line) {
    let mut pair = Pair::start(line);
    for &choice in &line.choices {
        let (moves, plain_moves) = pair.moves();
        assert_eq!(pair.position.count_legal(), moves.len() as u64);
        for mv in all_moves() {
            assert_eq!(pair.position.check(mv).is_ok(), moves.contains(&mv), "{mv:?}");
        }
        if moves.is_empty() {
            return;
        }
        if choice.0 == 255 && pair.position.seats_in().len() > 2 {
            let seat = pair.position.seats_in().iter().nth(usize::from(choice.1) % 3).expect("three are in");
            pair.position.leave(seat);
            pair.plain.leave(seat.index());
        } else {
            pair.play(choice, &moves, &plain_moves);
        }
        barriers_need_a_search_only_where_they_close(&pair.position);
        only_barriers_across_a_way_make_it_longer(&pair.position);
    }
}

/// Every free place: what the quick test lets through without a search leaves each pawn a path.
fn barriers_need_a_search_only_where_they_close(position: &Position) {
    for barrier in position.free_places() {
        let searched = position.without_path(position.ways.closed_by(barrier));
        assert_eq!(position.first_cut_off(barrier), searched, "{barrier}");
    }
}

fn only_barriers_across_a_way_make_it_longer(position: &Position) {
    for seat in position.seats_in().iter() {
        let across = position.across_shortest_path(seat);
        let (pawn, goal) = (position.pawn(seat).expect("it is in").set().0, position.grid().goal(seat).0);
        for barrier in position.free_places().minus(across) {
            let longer = position.ways.closed_by(barrier).distance(pawn, goal);
            assert_eq!(longer, position.distance(seat), "{barrier} for seat {seat}");
        }
        let most = 2 * position.distance(seat).expect("it has a path");
        assert!(across.and(position.free_places()).len() <= most, "two at most for each step of the path");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn the_rules_agree_with_a_textbook(line in lines()) {
        agrees(&line);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(6_000) })]

    #[test]
    #[ignore = "deep: run with --release --ignored"]
    fn deep_the_rules_agree_with_a_textbook(line in lines()) {
        agrees(&line);
    }
}
