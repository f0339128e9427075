//! The card game as a textbook would write it, around the textbook's board: what a card lets its seat choose is found by
//! trying everything.

use std::collections::BTreeMap;

use super::super::Effect;
use super::plain::{Board, MAX, Move, STEPS};

/// A wall: file, rank, and whether it is horizontal.
pub type Wall = (usize, usize, bool);

/// The textbook's card game, apart from the deck.
#[derive(Clone, Debug)]
pub struct Table {
    pub board: Board,
    /// Who placed each wall on the board.
    pub owners: BTreeMap<Wall, usize>,
    pub halts: [u32; 4],
    /// The card in hand, and whether its second choice is due.
    pub hand: Option<(Effect, bool)>,
    /// The wall that `move-wall` has lifted, with its owner.
    pub lifted: Option<(Wall, usize)>,
}

impl Table {
    pub fn new(board: Board) -> Table {
        Table { board, owners: BTreeMap::new(), halts: [0; 4], hand: None, lifted: None }
    }

    /// What the seat to move can do, in the order of a list of legal moves.
    pub fn choices(&mut self) -> Vec<String> {
        match self.hand {
            None => {
                let mut moves = Vec::new();
                self.board.legal_moves(&mut moves);
                let moves = moves.into_iter().filter(|&mv| mv != Move::Pass).map(|mv| mv.to_string());
                moves.chain(["card".to_owned()]).collect()
            }
            Some((Effect::AdvanceTwo, false)) => names(self.first_moves()),
            Some((Effect::AdvanceTwo, true)) => names(self.pawn_moves()),
            Some((Effect::Diagonal, _)) => names(self.diagonals()),
            Some((Effect::LeapWall, _)) => names(self.leaps()),
            Some((Effect::Push, _)) => {
                rivals((0..4).filter(|&seat| self.square_behind(seat).is_some() && seat != self.board.turn))
            }
            Some((Effect::Halt, _)) => {
                rivals((0..4).filter(|&seat| self.board.pawns[seat].is_some() && seat != self.board.turn))
            }
            Some((Effect::RemoveWall, _)) => walls(self.owners.keys().copied()),
            Some((Effect::MoveWall, false)) => walls(self.movable().into_iter()),
            Some((Effect::MoveWall, true)) => {
                let (lifted, _) = self.lifted.expect("the first choice lifts one");
                walls(self.places().into_iter().filter(|&place| place != lifted))
            }
            Some((Effect::DoubleWall, false)) => walls(self.first_places().into_iter()),
            Some((Effect::DoubleWall, true)) => walls(self.places().into_iter()),
            Some((Effect::RecoverWall, _)) => {
                walls(self.owners.iter().filter(|&(_, &owner)| owner == self.board.turn).map(|(&wall, _)| wall))
            }
            Some((Effect::StepBack | Effect::LoseTurn, _)) => Vec::new(),
        }
    }

    /// Turns over a card.
    pub fn draw(&mut self, effect: Effect) {
        if effect == Effect::StepBack
            && let Some(square) = self.square_behind(self.board.turn)
        {
            self.board.pawns[self.board.turn] = Some(square);
        }
        self.hand = Some((effect, false));
        if self.choices().is_empty() {
            self.end_turn();
        }
    }

    /// Makes a choice of [`Table::choices`] other than `card`.
    pub fn choose(&mut self, token: &str) {
        let seat = self.board.turn;
        let bytes: Vec<usize> = token.bytes().map(usize::from).collect();
        let place = || (bytes[0] - usize::from(b'a'), bytes[1] - usize::from(b'1'));
        let Some((effect, second)) = self.hand else {
            let mut moves = Vec::new();
            self.board.legal_moves(&mut moves);
            let mv = *moves.iter().find(|mv| mv.to_string() == token).expect("one of the choices");
            self.board.play(mv);
            if let Move::Wall { file, rank, horizontal } = mv {
                self.owners.insert((file, rank, horizontal), seat);
            }
            self.skip_halted();
            return;
        };
        let mut done = true;
        match effect {
            Effect::Push => {
                let rival = bytes[1] - usize::from(b'0');
                self.board.pawns[rival] = self.square_behind(rival);
            }
            Effect::Halt => self.halts[bytes[1] - usize::from(b'0')] += 1,
            Effect::AdvanceTwo | Effect::Diagonal | Effect::LeapWall => {
                self.board.pawns[seat] = Some(place());
                if self.board.is_goal(seat, place()) {
                    self.board.winner = Some(seat);
                    return;
                }
                done = second || effect != Effect::AdvanceTwo;
            }
            _ => {
                let wall = (place().0, place().1, bytes[2] == usize::from(b'h'));
                done = self.choose_wall(effect, second, wall);
            }
        }
        if done {
            self.end_turn();
        } else {
            self.hand = Some((effect, true));
        }
    }

    /// Takes a seat out.
    pub fn leave(&mut self, seat: usize) {
        self.halts[seat] = 0;
        let its_turn = self.board.turn == seat;
        if its_turn && let Some((wall, owner)) = self.lifted.take() {
            self.set(wall, true);
            self.owners.insert(wall, owner);
        }
        self.board.leave(seat);
        if its_turn {
            self.hand = None;
            self.skip_halted();
        } else if self.hand.is_some() && self.choices().is_empty() {
            self.end_turn();
        }
    }

    /// Whether the card is done with this.
    fn choose_wall(&mut self, effect: Effect, second: bool, wall: Wall) -> bool {
        let seat = self.board.turn;
        match (effect, second) {
            (Effect::RemoveWall, _) => {
                self.lift(wall);
            }
            (Effect::RecoverWall, _) => {
                let owner = self.lift(wall);
                self.board.store[owner] += 1;
            }
            (Effect::MoveWall, false) => self.lifted = Some((wall, self.lift(wall))),
            (Effect::MoveWall, true) => {
                let (_, owner) = self.lifted.take().expect("a lifted wall");
                self.set(wall, true);
                self.owners.insert(wall, owner);
            }
            _ => {
                self.set(wall, true);
                self.owners.insert(wall, seat);
                self.board.store[seat] -= 1;
            }
        }
        second || !matches!(effect, Effect::MoveWall | Effect::DoubleWall)
    }

    fn end_turn(&mut self) {
        self.hand = None;
        self.board.end_turn();
        self.skip_halted();
    }

    fn skip_halted(&mut self) {
        while self.board.winner.is_none() && self.halts[self.board.turn] > 0 {
            self.halts[self.board.turn] -= 1;
            self.board.end_turn();
        }
    }

    fn set(&mut self, (file, rank, horizontal): Wall, there: bool) {
        self.board.put_wall(file, rank, horizontal, there);
    }

    fn lift(&mut self, wall: Wall) -> usize {
        self.set(wall, false);
        self.owners.remove(&wall).expect("a wall on the board")
    }

    fn pawn_moves(&self) -> Vec<(usize, usize)> {
        let mut moves = Vec::new();
        self.board.pawn_moves(&mut moves);
        let square = |mv| match mv {
            Move::To { file, rank } => (file, rank),
            _ => unreachable!("pawn moves only"),
        };
        moves.into_iter().map(square).collect()
    }

    fn first_moves(&self) -> Vec<(usize, usize)> {
        let seat = self.board.turn;
        let goes_on = |&square: &(usize, usize)| {
            let mut next = self.clone();
            next.board.pawns[seat] = Some(square);
            self.board.is_goal(seat, square) || !next.pawn_moves().is_empty()
        };
        self.pawn_moves().into_iter().filter(goes_on).collect()
    }

    fn diagonals(&self) -> Vec<(usize, usize)> {
        let pawn = self.board.pawns[self.board.turn].expect("in");
        let mut squares = Vec::new();
        for first in STEPS {
            for second in STEPS.into_iter().filter(|second| second.0 * first.0 + second.1 * first.1 == 0) {
                let corner = self.board.neighbour(pawn, first);
                if let Some(square) = corner.and_then(|corner| self.board.neighbour(corner, second))
                    && !self.board.is_occupied(square)
                    && !squares.contains(&square)
                {
                    squares.push(square);
                }
            }
        }
        squares
    }

    fn leaps(&self) -> Vec<(usize, usize)> {
        let seat = self.board.turn;
        let pawn = self.board.pawns[seat].expect("in");
        let mut squares = Vec::new();
        for step in STEPS {
            let square = (pawn.0 as isize + step.0, pawn.1 as isize + step.1);
            if !self.board.is_on_board(square) || self.board.neighbour(pawn, step).is_some() {
                continue;
            }
            let square = (square.0 as usize, square.1 as usize);
            let mut next = self.board.clone();
            next.pawns[seat] = Some(square);
            if !self.board.is_occupied(square) && next.distance(seat).is_some() {
                squares.push(square);
            }
        }
        squares
    }

    fn square_behind(&self, seat: usize) -> Option<(usize, usize)> {
        let back = if self.board.seats == 2 {
            [(0, -1), (0, 1)][seat.min(1)]
        } else {
            [(0, -1), (-1, 0), (0, 1), (1, 0)][seat]
        };
        let square = self.board.neighbour(self.board.pawns[seat]?, back)?;
        (!self.board.is_occupied(square)).then_some(square)
    }

    fn places(&mut self) -> Vec<Wall> {
        let last = self.board.size - 1;
        let mut places = Vec::new();
        for horizontal in [true, false] {
            for rank in 0..last {
                for file in 0..last {
                    if self.board.is_free(file, rank, horizontal) && self.board.leaves_paths(file, rank, horizontal) {
                        places.push((file, rank, horizontal));
                    }
                }
            }
        }
        places
    }

    fn has_place_besides(&mut self, wall: Option<Wall>) -> bool {
        let last = self.board.size - 1;
        (0..2 * last * last).any(|number| {
            let (cell, horizontal) = (number / 2, number % 2 == 0);
            let place = (cell % last, cell / last, horizontal);
            Some(place) != wall
                && self.board.is_free(place.0, place.1, horizontal)
                && self.board.leaves_paths(place.0, place.1, horizontal)
        })
    }

    fn movable(&mut self) -> Vec<Wall> {
        let on_board: Vec<Wall> = self.owners.keys().copied().collect();
        let mut movable = Vec::new();
        for wall in on_board {
            self.set(wall, false);
            if self.has_place_besides(Some(wall)) {
                movable.push(wall);
            }
            self.set(wall, true);
        }
        movable
    }

    fn first_places(&mut self) -> Vec<Wall> {
        if self.board.store[self.board.turn] < 2 {
            return Vec::new();
        }
        let mut first = Vec::new();
        for wall in self.places() {
            self.set(wall, true);
            if self.has_place_besides(None) {
                first.push(wall);
            }
            self.set(wall, false);
        }
        first
    }
}

fn names(mut squares: Vec<(usize, usize)>) -> Vec<String> {
    squares.sort_by_key(|&(file, rank)| (rank, file));
    squares.into_iter().map(|(file, rank)| Move::To { file, rank }.to_string()).collect()
}

fn walls(walls: impl Iterator<Item = Wall>) -> Vec<String> {
    let mut walls: Vec<Wall> = walls.collect();
    walls.sort_by_key(|&(file, rank, horizontal)| (!horizontal, rank * MAX + file));
    walls.into_iter().map(|(file, rank, horizontal)| Move::Wall { file, rank, horizontal }.to_string()).collect()
}

fn rivals(seats: impl Iterator<Item = usize>) -> Vec<String> {
    seats.map(|seat| format!("s{seat}")).collect()
}
