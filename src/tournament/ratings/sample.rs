//! Finished games for tests.

use crate::chance::Hex32;
use crate::game::EndReason;
use crate::record::course::Course;
use crate::record::outcome::{GameResult, Reason};
use crate::seat::{BySeat, Seat};
use crate::tournament::Entrant;
use crate::tournament::played::{Charge, DISQUALIFIED, Played, PlayedHost};

/// A decided game with a course of its own, in a set and a round of its own.
pub fn game(number: u64, seats: &[u16], ranks: &[u8]) -> Played {
    Played {
        game: number,
        round: 1,
        set: number,
        seats: BySeat::collect(seats.iter().map(|&bot| Entrant(bot))),
        result: GameResult::Decided,
        ranks: Some(BySeat::collect(ranks.iter().copied())),
        reason: Reason::Rules(EndReason::Goal),
        plies: 40,
        faults: vec![],
        voids: 0,
        game_sha256: Hex32([number as u8; 32]),
        course: Course::of(&format!("{number:016x}")),
        sha256: Hex32([number as u8; 32]),
        host: PlayedHost { thought_us: BySeat::collect(seats.iter().map(|_| 1000 * number)), took_us: 2500 * number },
    }
}

/// Decided games, numbered from 1.
pub fn games(games: &[(&[u16], &[u8])]) -> Vec<Played> {
    games.iter().zip(1..).map(|(&(seats, ranks), number)| game(number, seats, ranks)).collect()
}

/// The same game, not played, because the bot in this seat was disqualified before.
pub fn forfeited(game: Played, seat: usize) -> Played {
    let charge = Charge { seat: Seat::new(seat), kind: DISQUALIFIED.to_owned(), tolerated: false };
    Played { reason: Reason::Faults, plies: 0, faults: vec![charge], ..game }
}
