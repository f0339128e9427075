//! Pods: games of three or four seats, planned so that everybody meets everybody as often.
//!
//! One time around is one of two [designs](Design). In the complete one, every set of bots that fits a table meets once.
//! That grows fast, so larger fields play a balanced one: some of these sets, chosen so that every bot has as many
//! meetings as every other, and every pair of bots meets, once or twice.
//!
//! Who sits where is chosen over all meetings of as many times around as there are seats: every bot sits in every seat
//! as often, and where the event ends before, the counts differ by one at most. With `orders = "turns"` and `"all"` the
//! games of a set take care of that already; with `orders = "one"` it is all there is.

mod design;
mod seating;

pub use design::Design;

use super::{Meeting, Round};

/// How many meetings one time around has.
pub fn meetings(field: usize, seats: usize, design: Option<Design>) -> u64 {
    design::meetings(field, seats, design)
}

/// The round with this number, from 1, of so many times around.
pub fn round(number: u32, field: usize, seats: usize, times: u32, design: Option<Design>) -> Option<Round> {
    if number > times {
        return None;
    }
    // Seats are dealt out over as many rounds as there are seats, beginning with round 1, seats + 1, and so on.
    let rounds = design::Rounds::new(field, seats, design);
    let (done, place) = ((number as usize - 1) / seats * seats, (number as usize - 1) % seats);
    let together = seats.min(times as usize - done);
    let groups: Vec<Vec<_>> = rounds.skip(done).take(together).collect();
    let seated = seating::seated(&groups.concat(), field);
    let before: usize = groups[..place].iter().map(Vec::len).sum();
    let own = seated.into_iter().skip(before).take(groups[place].len());
    Some(Round { meetings: own.map(|seats| Meeting { seats }).collect(), sets: 1, byes: Vec::new() })
}

#[cfg(test)]
mod tests;
