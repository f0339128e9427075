//! Round robin: everybody meets everybody, in the rounds of the Berger tables.
//!
//! The tables are those of the FIDE handbook (C.05, annex 1) for any field: who has the highest number stays, all others
//! go around. In an odd field that number is missing, and who would meet it rests. A rest is no bye: everybody rests
//! once, so nothing is credited for it.
//!
//! Each further time around turns the seats of all meetings, so over an even number of times every bot sits in each
//! seat as often; over one time the counts of a bot differ by one at most. The handbook advises to swap the last two
//! rounds of the first time around, so that nobody has the same colour three times in a row. That is not done: a program
//! does not mind, and round `n` of a schedule is easier to find.

use super::{Meeting, Round};
use crate::tournament::Entrant;

/// How many meetings one time around has.
pub fn meetings(field: usize) -> u64 {
    let field = field as u64;
    field * field.saturating_sub(1) / 2
}

/// The round with this number, from 1, of so many times around.
pub fn round(number: u32, field: usize, times: u32) -> Option<Round> {
    // The field made even: who has the highest number stays in place, and is nobody when the field is odd.
    let places = field.next_multiple_of(2);
    let around = places - 1;
    let (time, row) = ((number as usize - 1) / around, (number as usize - 1) % around);
    if time >= times as usize {
        return None;
    }
    let meetings = row_of_berger(places, row)
        .filter(|(first, second)| *first.max(second) < field)
        .map(|(first, second)| if time % 2 == 0 { [first, second] } else { [second, first] })
        .map(|seats| Meeting::of(seats.map(|place| Entrant(place as u16))))
        .collect();
    Some(Round { meetings, sets: 1, byes: Vec::new() })
}

/// Who meets whom in a row of the table, the one with the first seat first; places and rows count from 0.
fn row_of_berger(places: usize, row: usize) -> impl Iterator<Item = (usize, usize)> {
    let (stays, around) = (places - 1, places - 1);
    // Each row is the one before, turned by half of the places.
    let opposite = row * (places / 2) % around;
    let of_the_one_that_stays = if row.is_multiple_of(2) { (opposite, stays) } else { (stays, opposite) };
    let others = move |step| ((opposite + step) % around, (opposite + around - step) % around);
    std::iter::once(of_the_one_that_stays).chain((1..places / 2).map(others))
}

#[cfg(test)]
mod tests;
