//! Gauntlet: each challenger meets each of the others.
//!
//! The first bots of the file are the challengers. They do not meet each other, and neither do the others: that is what
//! makes a gauntlet cheaper than a round robin, when new versions are tried against a known field. In chess this is a
//! Scheveningen match of unequal teams.
//!
//! A round has as many meetings as the smaller side has bots, and nobody is in two of them. Every bot alternates between
//! the seats over its rivals, so over one time around its counts differ by one at most; each further time around turns
//! the seats.

use super::{Meeting, Round};
use crate::tournament::Entrant;

/// How many meetings one time around has.
pub fn meetings(field: usize, challengers: usize) -> u64 {
    challengers as u64 * field.saturating_sub(challengers) as u64
}

/// The round with this number, from 1, of so many times around.
pub fn round(number: u32, field: usize, challengers: usize, times: u32) -> Option<Round> {
    let others = field - challengers;
    let (fewer, more) = (challengers.min(others), challengers.max(others));
    let (time, row) = ((number as usize - 1) / more, (number as usize - 1) % more);
    if time >= times as usize {
        return None;
    }
    let meetings = (0..fewer).map(|place| {
        let rival = (place + row) % more;
        let (challenger, other) = if challengers <= others { (place, rival) } else { (rival, place) };
        let seats = [challenger, challengers + other].map(|place| Entrant(place as u16));
        let challenger_first = (challenger + other + time) % 2 == 0;
        Meeting::of(if challenger_first { seats } else { [seats[1], seats[0]] })
    });
    Some(Round { meetings: meetings.collect(), sets: 1, byes: Vec::new() })
}

#[cfg(test)]
mod tests;
