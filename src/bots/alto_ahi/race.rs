//! The game as a race: who would arrive first if from now on everybody just walked.

use crate::games::alto_ahi::AltoAhi;
use crate::seat::{MAX_SEATS, Seat, SeatSet};

/// How far each seat is from its goal, how many turns it is going to lose, and whose turn it is.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    steps: [i32; MAX_SEATS],
    halts: [i32; MAX_SEATS],
    seats_in: SeatSet,
    to_move: Seat,
}

/// Further than any way, and later than any arrival: for seats that do not walk any more.
const NEVER: i32 = 10_000;

/// Earlier than any arrival, for a pawn that is there.
const THERE: i32 = -1_000;

impl Race {
    /// The race from a position on. Pawns are not in each other's way, and jumps do not count.
    pub fn from(game: &AltoAhi) -> Race {
        let position = game.position();
        let race = Race {
            steps: [NEVER; MAX_SEATS],
            halts: [0; MAX_SEATS],
            seats_in: position.seats_in(),
            to_move: position.to_move(),
        };
        race.after(game, position.seats_in())
    }

    /// The race from the position after a step on, which changed the ways of these seats only.
    #[must_use]
    pub fn after(mut self, game: &AltoAhi, changed: SeatSet) -> Race {
        let position = game.position();
        (self.seats_in, self.to_move) = (position.seats_in(), position.to_move());
        for seat in changed.iter() {
            self.steps[seat.index()] = position.distance(seat).map_or(NEVER, |steps| steps as i32);
        }
        for seat in self.seats_in.iter() {
            self.halts[seat.index()] = game.halts(seat) as i32;
        }
        self
    }

    /// How many steps a seat has to go.
    pub fn steps(&self, seat: Seat) -> i32 {
        self.steps[seat.index()]
    }

    /// When a seat arrives, in turns of all seats: 0 if it is to move and a single step takes it there.
    pub fn arrival(&self, seat: Seat) -> i32 {
        match self.steps(seat) {
            0 => THERE,
            NEVER => NEVER,
            steps => (steps - 1 + self.halts[seat.index()]) * self.seats_in.len() as i32 + self.turns_before(seat),
        }
    }

    /// When the first other seat arrives.
    pub fn first_rival(&self, seat: Seat) -> i32 {
        let rivals = Seat::first(MAX_SEATS).filter(|&rival| rival != seat);
        rivals.map(|rival| self.arrival(rival)).min().expect("there are other seats")
    }

    /// How many turns a seat is ahead of the first other seat; below 0, behind.
    pub fn lead(&self, seat: Seat) -> i32 {
        self.first_rival(seat) - self.arrival(seat)
    }

    /// How many turns of others come before the next one of a seat.
    fn turns_before(&self, seat: Seat) -> i32 {
        let place = |seat: Seat| (seat.index() + MAX_SEATS - self.to_move.index()) % MAX_SEATS;
        self.seats_in.iter().filter(|&other| place(other) < place(seat)).count() as i32
    }
}
