//! What a seat is worth, whoever sits in it.

use std::collections::HashSet;

use crate::seat::{BySeat, Seat};
use crate::tournament::played::Played;
use crate::tournament::ratings::{Tally, judged, scale};

/// What came of all games in one seat.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct SeatShare {
    /// How the games came out against each rival at the table.
    pub tally: Tally,
    /// The share of the points that there were.
    pub share: Option<f64>,
    /// The 95 % interval of the share, from the distinct games.
    pub interval: Option<(f64, f64)>,
    /// How much stronger it makes whoever sits there, in Elo; only at tables of two.
    pub elo: Option<f64>,
    /// The 95 % interval of that; only where both ends are finite.
    pub elo_interval: Option<(f64, f64)>,
}

/// What each seat is worth.
///
/// The seats of a fair plan are shared evenly, so that strength cancels out; where some bot sat in one seat more often
/// than in another, its strength shows here. A game is one observation, also at a table of three or four: its rivals'
/// results hang together.
pub(super) fn shares(seats: usize, games: &[&Played]) -> BySeat<SeatShare> {
    let mut shares = BySeat::from_fn(seats, |_| SeatShare::default());
    let mut courses = HashSet::new();
    for (game, ranks) in judged(games.iter().copied()) {
        courses.insert(game.course);
        for (seat, share) in Seat::first(seats).zip(shares.iter_mut()) {
            let rivals = ranks.seats().filter(|&(other, _)| other != seat);
            rivals.for_each(|(_, &rival)| share.tally.add(ranks[seat], rival, 1));
        }
    }
    for share in shares.iter_mut() {
        share.share = share.tally.score();
        share.interval = share.share.and_then(|share| scale::wilson(share, courses.len() as u64));
        if seats == 2 {
            share.elo = share.share.and_then(scale::elo_of);
            share.elo_interval =
                share.interval.and_then(|(low, high)| Some((scale::elo_of(low)?, scale::elo_of(high)?)));
        }
    }
    shares
}
