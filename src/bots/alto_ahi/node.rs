//! Positions of Alto Ahí as a search sees them: which moves are worth a look, and what a position is worth.

use super::race::Race;
use crate::bots::minimax::Searched;
use crate::bots::search::{Chance, Child, End, MAX_DEPTH, Node};
use crate::game::{Game, Step, Turn};
use crate::games::alto_ahi::{AltoAhi, Barrier, BarrierSet, Drawn, Move};
use crate::seat::{BySeat, MAX_SEATS, Seat, SeatSet};

/// A game somewhere on its way, and how the race stands in it.
#[derive(Clone)]
pub struct Place {
    game: AltoAhi,
    race: Race,
    max_plies: u32,
}

/// What a turn in the race is worth: the measure of all other worths.
const TURN: i32 = 100;

/// What a barrier in store is worth.
const STORED: i32 = 20;

impl Place {
    /// Where a game stands.
    pub fn of(game: &AltoAhi) -> Place {
        let max_plies = game.options().max_plies.expect("the options are filled in");
        Place { game: game.clone(), race: Race::from(game), max_plies }
    }

    /// The seats that the mover would hold up: the rivals of the seat that searches, or that seat.
    fn targets(&self, me: Seat) -> impl Iterator<Item = Seat> {
        let position = self.game.position();
        let mover = position.to_move();
        position.seats_in().iter().filter(move |&seat| if mover == me { seat != me } else { seat == me })
    }

    /// The position after a step that changes the ways of these seats only.
    fn child(&self, step: Step<Move, Drawn>, changed: SeatSet) -> Place {
        let mut game = self.game.clone();
        game.apply(step);
        let race = self.race.after(&game, changed);
        Place { game, race, max_plies: self.max_plies }
    }

    /// The child by a move, its order being by how many steps the ways of the mover's targets became longer, and its own
    /// shorter.
    fn ordered(&self, me: Seat, mv: Move, node: Place) -> Child<Place> {
        let longer = |seat: Seat| node.race.steps(seat) - self.race.steps(seat);
        let order = self.targets(me).map(longer).sum::<i32>() - longer(self.mover());
        Child { mv, order, node }
    }

    /// Appends the barriers worth a look: those that make the way of one that the mover would hold up longer.
    fn expand_barriers(&self, me: Seat, out: &mut Vec<Child<Place>>) {
        let position = self.game.position();
        if position.store(self.mover()) == 0 {
            return;
        }
        let across = BySeat::from_fn(MAX_SEATS, |seat| position.across_shortest_path(seat));
        let changed_by = |barrier: Barrier| -> SeatSet {
            across.seats().filter(|(_, across)| across.contains(barrier)).map(|(seat, _)| seat).collect()
        };
        let useful = self.targets(me).fold(BarrierSet::EMPTY, |useful, seat| useful.or(across[seat]));
        for barrier in position.barrier_places().and(useful) {
            let mv = Move::Barrier(barrier);
            let child = self.ordered(me, mv, self.child(Step::Move(mv), changed_by(barrier)));
            if child.order > 0 {
                out.push(child);
            }
        }
    }

    fn expand_all(&self, me: Seat, out: &mut Vec<Child<Place>>) {
        let mut moves = Vec::new();
        self.game.legal_moves(&mut moves);
        out.extend(moves.into_iter().map(|mv| self.ordered(me, mv, self.after(mv))));
    }
}

impl Searched for AltoAhi {
    type Place = Place;

    fn place(&self) -> Place {
        Place::of(self)
    }
}

impl Node for Place {
    type Move = Move;
    const DECISIVE: i32 = 10 * TURN;

    fn seats(&self) -> SeatSet {
        self.game.position().seats_in()
    }

    fn mover(&self) -> Seat {
        self.game.position().to_move()
    }

    fn end(&self) -> Option<End> {
        self.game.end()?;
        Some(self.game.position().winner().map_or(End::Drawn, End::Won))
    }

    fn expand(&self, me: Seat, out: &mut Vec<Child<Place>>) {
        if self.game.card_in_hand().is_some() {
            return self.expand_all(me, out);
        }
        let first = out.len();
        for square in self.game.position().pawn_targets() {
            let mv = Move::To(square);
            out.push(self.ordered(me, mv, self.after(mv)));
        }
        self.expand_barriers(me, out);
        if out.len() == first {
            self.expand_all(me, out);
        }
    }

    fn expand_root(&self, me: Seat, out: &mut Vec<Child<Place>>) {
        self.expand(me, out);
        if self.game.check(Move::Card).is_ok() && !out.iter().any(|child| child.mv == Move::Card) {
            out.push(self.ordered(me, Move::Card, self.after(Move::Card)));
        }
    }

    fn chance(&self) -> Option<Chance<Place>> {
        if self.game.turn() != Turn::Chance {
            return None;
        }
        let draw = |card| self.child(Step::Chance(Drawn { card }), self.game.position().seats_in());
        Some(self.game.cards_left().map(|cards| (u32::from(cards.count), draw(cards.effect))).collect())
    }

    fn after(&self, mv: Move) -> Place {
        let changed = match mv {
            Move::To(_) => SeatSet::only(self.mover()),
            Move::Barrier(_) | Move::Rival(_) => self.game.position().seats_in(),
            Move::Card | Move::Pass => SeatSet::EMPTY,
        };
        self.child(Step::Move(mv), changed)
    }

    fn worth(&self, me: Seat) -> i32 {
        let position = self.game.position();
        let seats = position.seats_in();
        let lead = self.race.lead(me) * TURN / seats.len() as i32;
        let store = |seat: Seat| i32::from(position.store(seat)) * if seat == me { 1 } else { -1 };
        lead + seats.iter().map(store).sum::<i32>() * STORED
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.game.encode(out);
        // Only when the limit is in sight do plies decide anything.
        let left = self.max_plies - self.game.ply();
        if left <= MAX_DEPTH {
            out.push(left as u8);
        }
    }
}
