//! Positions of Alto Ahí as a search sees them: which moves are worth a look, and what a position is worth.

use super::race::Race;
use crate::bots::search::{Child, End, MAX_DEPTH, Node};
use crate::games::alto_ahi::{AltoAhi, BarrierSet, Move, Position};
use crate::seat::{BySeat, MAX_SEATS, Seat, SeatSet};

/// A position, and how long the game can still last.
#[derive(Clone, Copy)]
pub struct Place {
    position: Position,
    race: Race,
    plies_left: u32,
}

/// What a turn in the race is worth: the measure of all other worths.
const TURN: i32 = 100;

impl Place {
    /// The position of a game. That it may have been there before is left out of account.
    pub fn of(game: &AltoAhi) -> Place {
        let most = crate::game::Game::options(game).max_plies.expect("the options are filled in");
        let position = *game.position();
        Place { position, race: Race::from(&position), plies_left: most - game.ply() }
    }

    /// The seats that the mover would hold up: the rivals of the seat that searches, or that seat.
    fn targets(&self, me: Seat) -> impl Iterator<Item = Seat> {
        let mover = self.position.to_move();
        self.position.seats_in().iter().filter(move |&seat| if mover == me { seat != me } else { seat == me })
    }

    /// The position after a move that changes the ways of these seats only.
    fn child(&self, mv: Move, changed: SeatSet) -> Place {
        let mut position = self.position;
        position.play(mv);
        Place { position, race: self.race.after(&position, changed), plies_left: self.plies_left - 1 }
    }

    /// Appends the barriers worth a look: those that make the way of one that the mover would hold up longer.
    fn expand_barriers(&self, me: Seat, out: &mut Vec<Child<Place>>) {
        if self.position.store(self.position.to_move()) == 0 {
            return;
        }
        let across = BySeat::from_fn(MAX_SEATS, |seat| self.position.across_shortest_path(seat));
        let useful = self.targets(me).fold(BarrierSet::EMPTY, |useful, seat| useful.or(across[seat]));
        for barrier in self.position.barrier_places().and(useful) {
            let changed = across.seats().filter(|(_, across)| across.contains(barrier)).map(|(seat, _)| seat);
            let node = self.child(Move::Barrier(barrier), changed.collect());
            let order = node.gain(self, me);
            if order > 0 {
                out.push(Child { mv: Move::Barrier(barrier), order, node });
            }
        }
    }

    /// By how many steps the ways of the mover's targets became longer, and its own shorter.
    fn gain(&self, before: &Place, me: Seat) -> i32 {
        let longer = |seat: Seat| self.race.steps(seat) - before.race.steps(seat);
        before.targets(me).map(longer).sum::<i32>() - longer(before.position.to_move())
    }
}

impl Node for Place {
    type Move = Move;

    fn mover(&self) -> Seat {
        self.position.to_move()
    }

    fn end(&self) -> Option<End> {
        match self.position.winner() {
            Some(winner) => Some(End::Won(winner)),
            None if self.plies_left == 0 => Some(End::Drawn),
            None => None,
        }
    }

    fn expand(&self, me: Seat, out: &mut Vec<Child<Place>>) {
        let first = out.len();
        for square in self.position.pawn_targets() {
            let node = self.after(Move::To(square));
            out.push(Child { mv: Move::To(square), order: node.gain(self, me), node });
        }
        self.expand_barriers(me, out);
        if out.len() == first {
            let mut moves = Vec::new();
            self.position.legal_moves(&mut moves);
            out.extend(moves.into_iter().map(|mv| Child { mv, order: 0, node: self.after(mv) }));
        }
    }

    fn after(&self, mv: Move) -> Place {
        match mv {
            Move::To(_) => self.child(mv, SeatSet::only(self.position.to_move())),
            Move::Barrier(_) => self.child(mv, self.position.seats_in()),
            Move::Pass => self.child(mv, SeatSet::EMPTY),
        }
    }

    fn worth(&self, me: Seat) -> i32 {
        let seats = self.position.seats_in();
        let lead = self.race.lead(me) * TURN / seats.len() as i32;
        let stores: i32 =
            seats.iter().map(|seat| i32::from(self.position.store(seat)) * if seat == me { 1 } else { -1 }).sum();
        lead + stores * 20
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.position.encode(out);
        // Only when the limit is in sight do plies decide anything.
        if self.plies_left <= MAX_DEPTH {
            out.push(self.plies_left as u8);
        }
    }
}
