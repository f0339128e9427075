//! The game as a race: who would arrive first if from now on everybody just walked.

use crate::games::alto_ahi::Position;
use crate::seat::{MAX_SEATS, Seat};

/// When each seat would arrive, in turns of all seats from now: 0 for the seat to move if a single step takes it to its
/// goal.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    arrivals: [i32; MAX_SEATS],
}

/// Later than any arrival: for seats that do not walk any more.
const NEVER: i32 = 10_000;

/// Earlier than any arrival, for a pawn that is there.
const THERE: i32 = -1_000;

impl Race {
    /// The race from a position on. Pawns are not in each other's way, and jumps do not count.
    pub fn from(position: &Position) -> Race {
        let mut arrivals = [NEVER; MAX_SEATS];
        let seats_in = position.seats_in();
        let (mut seat, mut turns) = (position.to_move(), 0);
        for _ in 0..seats_in.len() {
            arrivals[seat.index()] = match position.distance(seat) {
                Some(0) => THERE,
                Some(steps) => (steps as i32 - 1) * seats_in.len() as i32 + turns,
                None => NEVER,
            };
            seat = seats_in.after(seat).expect("seats are in");
            turns += 1;
        }
        Race { arrivals }
    }

    /// When a seat arrives.
    pub fn arrival(&self, seat: Seat) -> i32 {
        self.arrivals[seat.index()]
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
}
