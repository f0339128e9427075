//! The moves of a pawn once more, walked square by square over lists of neighbours: a second opinion on the bit tricks.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Facts;
use crate::games::passage::{Colour, Move, Position, Square};

/// A position as a table of squares.
#[derive(Clone)]
pub struct Table {
    neighbours: BTreeMap<Square, Vec<Square>>,
    discs: BTreeMap<Square, Colour>,
    pawns: BTreeMap<Square, Colour>,
    to_move: Colour,
    bridge_on_neutral: bool,
}

impl Table {
    pub fn of(position: &Position, facts: &Facts, bridge_on_neutral: bool) -> Table {
        let square = |name: &String| Square::named(name).unwrap();
        let coloured = |squares: fn(&Position, Colour) -> super::Squares| {
            let with_colour = move |colour| squares(position, colour).iter().map(move |square| (square, colour));
            Colour::BOTH.into_iter().flat_map(with_colour).collect()
        };
        Table {
            neighbours: facts
                .neighbours
                .iter()
                .map(|(name, around)| (square(name), around.iter().map(square).collect()))
                .collect(),
            discs: coloured(|position, colour| position.discs(colour)),
            pawns: coloured(|position, colour| position.pawns(colour)),
            to_move: position.to_move(),
            bridge_on_neutral,
        }
    }

    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in self.pawns_of(self.to_move) {
            for to in self.reached(from) {
                let mut after = self.clone();
                after.pawns.remove(&from);
                after.pawns.insert(to, self.to_move);
                let rivals = after.pawns_of(self.to_move.rival());
                if rivals.iter().all(|&pawn| !after.reached(pawn).is_empty()) {
                    moves.push(Move::Step { from, to });
                }
            }
        }
        if moves.is_empty() {
            moves.push(Move::Pass);
        }
        moves
    }

    fn pawns_of(&self, colour: Colour) -> Vec<Square> {
        self.pawns.iter().filter(|&(_, &pawn)| pawn == colour).map(|(&square, _)| square).collect()
    }

    fn reached(&self, from: Square) -> BTreeSet<Square> {
        let colour = self.pawns[&from];
        let mut ends = BTreeSet::new();
        let mut seen = BTreeSet::from([from]);
        let mut ways = vec![from];
        while let Some(square) = ways.pop() {
            for &next in &self.neighbours[&square] {
                if !seen.insert(next) {
                    continue;
                }
                if self.may_end(colour, next) {
                    ends.insert(next);
                }
                if self.may_pass(colour, next) {
                    ways.push(next);
                }
            }
        }
        ends
    }

    fn may_end(&self, colour: Colour, square: Square) -> bool {
        !self.pawns.contains_key(&square) && self.discs.get(&square) != Some(&colour)
    }

    fn may_pass(&self, colour: Colour, square: Square) -> bool {
        match self.pawns.get(&square) {
            Some(&pawn) => pawn == colour && (self.bridge_on_neutral || self.discs.contains_key(&square)),
            None => self.discs.get(&square) == Some(&colour),
        }
    }
}
