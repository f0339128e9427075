//! Pods: games of three or four seats, planned so that everybody meets everybody as often.
//!
//! One time around is one of two [designs](Design). In the complete one, every set of bots that fits a table meets once.
//! That grows fast, so larger fields play a balanced one: some of these sets, chosen so that every bot has as many
//! meetings as every other, and every pair of bots meets, once or twice.
//!
//! Over as many times around as there are seats, every bot sits in every seat as often; where the event ends before, its
//! counts differ by one at most. With `orders = "turns"` and `"all"` the games of a set take care of that already; with
//! `orders = "one"` it is all there is.

mod design;
mod seating;

pub use design::Design;

use std::collections::VecDeque;

use super::{Meeting, Round};
use design::Around;

/// How many meetings one time around has.
pub fn meetings(field: usize, seats: usize, design: Option<Design>) -> u64 {
    design::meetings(field, seats, design)
}

/// All rounds: one for each time around.
pub struct Rounds {
    field: usize,
    seats: usize,
    groups: design::Rounds,
    /// How many rounds are not made yet.
    left: usize,
    /// Those that are, in the order in which they are played.
    made: VecDeque<Round>,
}

impl Rounds {
    /// So many times around.
    pub fn new(field: usize, seats: usize, times: u32, design: Option<Design>) -> Rounds {
        let groups = design::Rounds::new(field, seats, design);
        Rounds { field, seats, groups, left: times as usize, made: VecDeque::new() }
    }
}

impl Iterator for Rounds {
    type Item = Round;

    fn next(&mut self) -> Option<Round> {
        if self.made.is_empty() {
            // As many as there are seats have theirs dealt out together.
            let together = self.seats.min(self.left);
            self.left -= together;
            let around: Vec<Around> = self.groups.by_ref().take(together).collect();
            let unseated: Vec<_> = around.iter().flat_map(|around| around.unseated.iter().cloned()).collect();
            let mut seated = seating::seated(&unseated, self.field).into_iter();
            let round = |around: Around| {
                let count = around.unseated.len();
                let meetings = around.seated.into_iter().chain(seated.by_ref().take(count));
                Round { meetings: meetings.map(|seats| Meeting { seats }).collect(), sets: 1, byes: Vec::new() }
            };
            self.made.extend(around.into_iter().map(round));
        }
        self.made.pop_front()
    }
}

#[cfg(test)]
mod tests;
