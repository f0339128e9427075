//! Swiss: in each round everybody meets somebody who has about as many points, and nobody meets anybody twice.
//!
//! # How a round is paired
//!
//! The bots are ordered by their points, and among equals by their seeds; those with equal points are a *score group*.
//! Of all ways to pair the whole round, only those are looked at that are best in these respects, of which a later one
//! counts only where all before it are equal:
//!
//! 1. As few bots as possible meet somebody that they have met before, and rather once than twice. None do, unless the
//!    results so far leave no other way; no event ends for that.
//! 2. In an odd field one bot has a bye: one that had the fewest byes, and of these one of those with the fewest points. A bye
//!    is worth as much as winning all games of a meeting.
//! 3. The sum of the squares of the differences in points is as small as possible: rather two small differences than a
//!    great one.
//! 4. As few pairs as possible are of two bots that both must have the same seat: see below.
//!
//! What is left is settled by score group, from the top. A bot that leaves its group for a lower one *floats*:
//!
//! 5. As few float as possible, and those who floated down to here before others.
//! 6. As few bots as possible do not get the seat that they should have, and of these as few as possible whose counts
//!    differ already.
//! 7. As few as possible float down again who floated down in the last round, or up who floated up; then, in the one
//!    before.
//! 8. The highest who floated down to here meets the highest of the group that it can, then the next one; if one of them
//!    must float on, it is the lowest.
//! 9. The top half of the others meets the bottom half, so that as few as possible must change halves, and those from near
//!    the middle. The first of the top half meets the highest of the bottom half that it can, then the second, and so on:
//!    in groups of up to 20 bots for all of them, in larger ones for the first five to ten, behind whom the bots of a pair
//!    are as near to half a group apart as possible.
//!
//! Each of these is a minimum-weight perfect matching of all bots that are not paired yet, so nothing is tried and taken
//! back, and no group is paired in a way that leaves none for those below.
//!
//! **Seats** matter only where a set is one game and a meeting has an odd number of sets; in all other meetings both bots
//! have both seats as often. A bot should have the seat that it had less often, or else the one that it did not have last.
//! It must, if it had one seat twice more often than the other, or the same one the last two times. Who has the first seat
//! in a pair is decided as the FIDE does; in the first round, the higher of the first pair has, the lower of the second,
//! and so on.
//!
//! # What of the FIDE rules that is
//!
//! Of C.04.1 (basic rules, as of July 2025): 1, 3, 5 and 8; 2 and 4 as far as there is any way to pair the round at all,
//! where 2 is before 4; 6 and 7 not as limits, but as the fourth respect.
//!
//! Of C.04.3 (Dutch system, as of February 2026): the order of bots, score groups and floats of article 1; C1, C2, C4, C5;
//! C6, C7 and C8 behind the third respect, which they mostly imply; C3 behind them all, for bots of very different
//! points learn less from a game than bots suffer from a seat; C12 to C17; the order of articles 3 and 4, but for the finer
//! ties among exchanges (4.3.3, 4.3.4), and exactly only for the first pairs of large groups; article 5 on colours. Not
//! C9 to C11, for games won by a rival's disqualification count as played ones and there is no special last round, and not
//! C18 to C21.
//!
//! Neither acceleration, nor late entries, absences, requested byes or forbidden pairs: bots have none of these. Who is
//! disqualified withdraws: it finishes its round without playing, and is paired no more.
//!
//! It is not the FIDE Dutch system, and must not be called that. Compared with programs that are, on random tournaments of
//! 6 to 40 bots, 98 of 100 whole rounds are those of `caissify-pairings`, with or without seats, and 94 those of
//! `py4swiss`, whose rules are those until January 2026.
//!
//! Pairing 100 bots takes some 10 ms, 200 bots 0.1 s, 400 bots 1 s, and 1000 bots 6 s.

mod cost;
mod history;
mod pairs;
mod seats;

use std::collections::BTreeSet;

use super::format::{Orders, turned};
use super::{Meeting, Round, RoundPlayed};
use crate::seat::BySeat;
use crate::tournament::Entrant;
use crate::tournament::played::HalfPoints;
use history::History;
use pairs::Table;

/// What a bye is worth: as much as winning all games of a meeting.
pub fn bye_points(sets: u32, orders: Orders) -> HalfPoints {
    HalfPoints(2 * u64::from(sets) * orders.games(2))
}

/// Whether no round follows after so many of so many rounds, when so many of the field are out. One bot alone has nobody to play.
pub fn is_over(over: usize, rounds: u32, field: usize, out: usize) -> bool {
    over >= rounds as usize || field - out < 2
}

/// The round after these, of all who are not out.
pub fn round(field: usize, sets: u32, orders: Orders, before: &[RoundPlayed], out: &BTreeSet<Entrant>) -> Round {
    let history = History::of(field, bye_points(sets, orders), before);
    let seats_matter = orders == Orders::One && sets % 2 == 1;
    let pair = || paired(&Table::of(&history, out, seats_matter), sets);
    // The matching keeps its memory for the next question of its thread, and there are long games before that. Where the
    // system refuses another thread, so be it.
    std::thread::scope(|scope| match std::thread::Builder::new().spawn_scoped(scope, pair) {
        Ok(pairing) => pairing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => pair(),
    })
}

fn paired(table: &Table, sets: u32) -> Round {
    let mut round = Round { meetings: Vec::new(), sets, byes: Vec::new() };
    for (higher, lower) in table.pairs() {
        let Some(lower) = lower else {
            round.byes.push(higher.bot);
            continue;
        };
        let seats = BySeat::collect([higher.bot, lower.bot]);
        let first = seats::higher_is_first(higher, lower);
        round.meetings.push(Meeting { seats: turned(&seats, usize::from(!first)) });
    }
    round
}

#[cfg(test)]
mod tests;
