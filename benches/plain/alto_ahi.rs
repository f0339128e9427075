//! Alto Ahí without cards as a textbook would write it: arrays of squares and walls, and a breadth-first search for each
//! pawn behind each wall that could be placed. It stands on nothing else of this package.
//!
//! The tests compare the real rules with it, move list by move list, and the benches take it as the speed to beat.

#![allow(dead_code, reason = "tests and benches use different parts of it")]

pub const MAX: usize = 9;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    To { file: usize, rank: usize },
    Wall { file: usize, rank: usize, horizontal: bool },
    Pass,
}

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letter = |file: usize| (b'a' + file as u8) as char;
        match *self {
            Move::To { file, rank } => write!(f, "{}{}", letter(file), rank + 1),
            Move::Wall { file, rank, horizontal } => {
                write!(f, "{}{}{}", letter(file), rank + 1, if horizontal { 'h' } else { 'v' })
            }
            Move::Pass => f.write_str("pass"),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Board {
    pub size: usize,
    pub seats: usize,
    pub past_edge: bool,
    pub past_pawn: bool,
    pub pawns: [Option<(usize, usize)>; 4],
    pub store: [usize; 4],
    pub turn: usize,
    pub winner: Option<usize>,
    pub horizontal: [[bool; MAX]; MAX],
    pub vertical: [[bool; MAX]; MAX],
}

pub const STEPS: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

impl Board {
    pub fn new(size: usize, seats: usize, walls: usize, past_edge: bool, past_pawn: bool) -> Board {
        let (middle, last) = (size / 2, size - 1);
        let sides = [(middle, 0), (0, middle), (middle, last), (last, middle)];
        let mut pawns = [None; 4];
        let mut store = [0; 4];
        for seat in 0..seats {
            pawns[seat] = Some(if seats == 2 { sides[seat * 2] } else { sides[seat] });
            store[seat] = walls;
        }
        let walls = [[false; MAX]; MAX];
        Board {
            size,
            seats,
            past_edge,
            past_pawn,
            pawns,
            store,
            turn: 0,
            winner: None,
            horizontal: walls,
            vertical: walls,
        }
    }

    pub fn legal_moves(&mut self, moves: &mut Vec<Move>) {
        if self.winner.is_some() {
            return;
        }
        let before = moves.len();
        self.pawn_moves(moves);
        moves[before..].sort_by_key(|mv| match *mv {
            Move::To { file, rank } => (rank, file),
            _ => unreachable!("only pawn moves so far"),
        });
        if self.store[self.turn] > 0 {
            for horizontal in [true, false] {
                for rank in 0..self.size - 1 {
                    for file in 0..self.size - 1 {
                        if self.is_free(file, rank, horizontal) && self.leaves_paths(file, rank, horizontal) {
                            moves.push(Move::Wall { file, rank, horizontal });
                        }
                    }
                }
            }
        }
        if moves.len() == before {
            moves.push(Move::Pass);
        }
    }

    pub fn play(&mut self, mv: Move) {
        match mv {
            Move::To { file, rank } => {
                self.pawns[self.turn] = Some((file, rank));
                if self.is_goal(self.turn, (file, rank)) {
                    self.winner = Some(self.turn);
                    return;
                }
            }
            Move::Wall { file, rank, horizontal } => {
                self.put_wall(file, rank, horizontal, true);
                self.store[self.turn] -= 1;
            }
            Move::Pass => {}
        }
        self.end_turn();
    }

    pub fn leave(&mut self, seat: usize) {
        self.pawns[seat] = None;
        self.store[seat] = 0;
        if self.turn == seat {
            self.end_turn();
        }
    }

    /// The number of sequences of exactly `depth` moves, the last move counted from the list.
    pub fn perft(&mut self, depth: u32) -> u64 {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        if depth == 1 {
            return moves.len() as u64;
        }
        let mut count = 0;
        for mv in moves {
            let mut next = self.clone();
            next.play(mv);
            count += next.perft(depth - 1);
        }
        count
    }

    /// The length of a shortest path of a seat's pawn to its goal.
    pub fn distance(&self, seat: usize) -> Option<usize> {
        let start = self.pawns[seat]?;
        let mut seen = [[false; MAX]; MAX];
        let mut queue = [((0, 0), 0); MAX * MAX];
        let (mut first, mut end) = (0, 1);
        queue[0] = (start, 0);
        seen[start.0][start.1] = true;
        while first < end {
            let (square, distance) = queue[first];
            first += 1;
            if self.is_goal(seat, square) {
                return Some(distance);
            }
            for step in STEPS {
                if let Some(next) = self.neighbour(square, step)
                    && !seen[next.0][next.1]
                {
                    seen[next.0][next.1] = true;
                    queue[end] = (next, distance + 1);
                    end += 1;
                }
            }
        }
        None
    }

    pub fn end_turn(&mut self) {
        loop {
            self.turn = (self.turn + 1) % self.seats;
            if self.pawns[self.turn].is_some() {
                return;
            }
        }
    }

    pub fn is_goal(&self, seat: usize, (file, rank): (usize, usize)) -> bool {
        let last = self.size - 1;
        match if self.seats == 2 { seat * 2 } else { seat } {
            0 => rank == last,
            1 => file == last,
            2 => rank == 0,
            _ => file == 0,
        }
    }

    pub fn is_on_board(&self, (file, rank): (isize, isize)) -> bool {
        let size = self.size as isize;
        (0..size).contains(&file) && (0..size).contains(&rank)
    }

    /// The square one step away, if it is on the board and no wall lies between.
    pub fn neighbour(&self, (file, rank): (usize, usize), step: (isize, isize)) -> Option<(usize, usize)> {
        let (next_file, next_rank) = (file as isize + step.0, rank as isize + step.1);
        if !self.is_on_board((next_file, next_rank)) {
            return None;
        }
        let blocked = match step {
            (0, 1) => self.is_closed_above(file, rank),
            (0, -1) => self.is_closed_above(file, rank - 1),
            (1, 0) => self.is_closed_right(file, rank),
            _ => self.is_closed_right(file - 1, rank),
        };
        (!blocked).then_some((next_file as usize, next_rank as usize))
    }

    fn is_closed_above(&self, file: usize, rank: usize) -> bool {
        self.horizontal[file][rank] || file > 0 && self.horizontal[file - 1][rank]
    }

    fn is_closed_right(&self, file: usize, rank: usize) -> bool {
        self.vertical[file][rank] || rank > 0 && self.vertical[file][rank - 1]
    }

    pub fn is_occupied(&self, square: (usize, usize)) -> bool {
        self.pawns.contains(&Some(square))
    }

    pub fn pawn_moves(&self, moves: &mut Vec<Move>) {
        let from = self.pawns[self.turn].expect("the seat to move is in");
        let mut add = |(file, rank)| {
            if !moves.contains(&Move::To { file, rank }) {
                moves.push(Move::To { file, rank });
            }
        };
        for step in STEPS {
            let Some(next) = self.neighbour(from, step) else { continue };
            if !self.is_occupied(next) {
                add(next);
                continue;
            }
            let to_side = match self.neighbour(next, step) {
                Some(behind) if !self.is_occupied(behind) => {
                    add(behind);
                    false
                }
                Some(_) => self.past_pawn,
                None => {
                    let behind = (next.0 as isize + step.0, next.1 as isize + step.1);
                    self.is_on_board(behind) || self.past_edge
                }
            };
            if to_side {
                for side in [(step.1, step.0), (-step.1, -step.0)] {
                    if let Some(square) = self.neighbour(next, side)
                        && !self.is_occupied(square)
                    {
                        add(square);
                    }
                }
            }
        }
    }

    pub fn is_free(&self, file: usize, rank: usize, horizontal: bool) -> bool {
        if self.horizontal[file][rank] || self.vertical[file][rank] {
            return false;
        }
        if horizontal {
            !(file > 0 && self.horizontal[file - 1][rank] || self.horizontal[file + 1][rank])
        } else {
            !(rank > 0 && self.vertical[file][rank - 1] || self.vertical[file][rank + 1])
        }
    }

    pub fn leaves_paths(&mut self, file: usize, rank: usize, horizontal: bool) -> bool {
        self.put_wall(file, rank, horizontal, true);
        let paths = (0..self.seats).all(|seat| self.pawns[seat].is_none() || self.distance(seat).is_some());
        self.put_wall(file, rank, horizontal, false);
        paths
    }

    pub fn put_wall(&mut self, file: usize, rank: usize, horizontal: bool, there: bool) {
        if horizontal {
            self.horizontal[file][rank] = there;
        } else {
            self.vertical[file][rank] = there;
        }
    }
}
