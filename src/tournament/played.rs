//! A finished game as the journal has it: all that pairings, standings and ratings need to know.

use serde::{Deserialize, Serialize};

use super::Entrant;
use super::plan::PlannedGame;
use crate::chance::Hex32;
use crate::record::course::Course;
use crate::record::outcome::{GameResult, Reason};
use crate::seat::{BySeat, Seat};

/// One finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// Its number in the plan, from 1.
    pub game: u64,
    /// The round that it belongs to, from 1.
    pub round: u32,
    /// The set of games with the same luck and opening that it belongs to, from 1.
    pub set: u64,
    /// Who sat where.
    pub seats: BySeat<Entrant>,
    /// What came of it. A game that stayed void, or in which nobody got ready, counts for nobody.
    pub result: GameResult,
    /// The rank of each seat from 1, equal where they are tied; only where the game was decided.
    pub ranks: Option<BySeat<u8>>,
    /// Why it ended.
    pub reason: Reason,
    /// How many moves were made.
    pub plies: u64,
    /// What the bots were charged with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Charge>,
    /// How often it was void before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub voids: u32,
    /// What was played, whatever the ids and seeds: equal games have equal ones.
    pub course: Course,
    /// The digest of its log without what was measured: equal games have equal ones, apart from their seeds and names.
    pub game_sha256: Hex32,
    /// The digest of its log.
    pub sha256: Hex32,
    /// What was measured.
    pub host: PlayedHost,
}

/// The fault of a bot that was disqualified before a game, which was then not played.
pub const DISQUALIFIED: &str = "disqualified";

/// What the log calls giving up, which is no fault.
pub const RESIGNED: &str = "resigned";

impl Played {
    /// A game that is not played, because these bots were disqualified: the others are tied in front of them. Without
    /// anybody else it counts for nobody.
    pub fn forfeited(game: &PlannedGame, round: u32, is_out: impl Fn(Entrant) -> bool) -> Played {
        let inside = game.seats.iter().filter(|&&bot| !is_out(bot)).count() as u8;
        let out = game.seats.seats().filter(|&(_, &bot)| is_out(bot));
        let charge = |(seat, _)| Charge { seat, kind: DISQUALIFIED.to_owned(), tolerated: false };
        let reason = if inside > 0 { Reason::Faults } else { Reason::NobodyReady };
        Played {
            game: game.number,
            round,
            set: game.set,
            seats: game.seats.clone(),
            result: reason.result(),
            ranks: (inside > 0).then(|| game.seats.map(|&bot| if is_out(bot) { inside + 1 } else { 1 })),
            reason,
            plies: 0,
            faults: out.map(charge).collect(),
            voids: 0,
            course: Course::of(&game.id()),
            game_sha256: Hex32([0; 32]),
            sha256: Hex32([0; 32]),
            host: PlayedHost { thought_us: game.seats.map(|_| 0), took_us: 0 },
        }
    }

    /// Whether it was not played, because a bot was disqualified before. It has no log then, and tells nothing of how
    /// well anybody plays.
    pub fn is_forfeited(&self) -> bool {
        self.faults.iter().any(|fault| fault.kind == DISQUALIFIED)
    }
}

/// A fault that a bot was charged with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Charge {
    /// Whose.
    pub seat: Seat,
    /// Its name, as in the log.
    pub kind: String,
    /// Whether a strike was taken for it, and the game went on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tolerated: bool,
}

impl Charge {
    /// Whether it is a fault, tolerated or not: giving up is none, and neither is having been disqualified before.
    pub fn is_fault(&self) -> bool {
        self.kind != RESIGNED && self.kind != DISQUALIFIED
    }
}

/// What was measured of a finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedHost {
    /// How long each seat thought in all, in microseconds.
    pub thought_us: BySeat<u64>,
    /// How long the game took, starts included, in microseconds.
    pub took_us: u64,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Points of a bot, counted in halves so that they are exact: a rival behind it is worth two, one level with it one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HalfPoints(pub u64);

/// The points of each seat: with two seats 1, ½ or 0; with more, as many as rivals stand behind it, ties half.
pub fn points(ranks: &BySeat<u8>) -> BySeat<HalfPoints> {
    ranks.map(|own| {
        let of = |rival: &u8| u64::from(own < rival) + u64::from(own <= rival);
        // Everybody is level with itself.
        HalfPoints(ranks.iter().map(of).sum::<u64>() - 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rival_behind_is_worth_a_point_and_one_level_with_it_half() {
        let of = |ranks: &[u8]| points(&BySeat::collect(ranks.iter().copied())).map(|points| points.0);
        assert_eq!(of(&[1, 2]), BySeat::collect([2, 0]));
        assert_eq!(of(&[1, 1]), BySeat::collect([1, 1]));
        assert_eq!(of(&[3, 1, 1, 4]), BySeat::collect([2, 5, 5, 0]));
    }
}
