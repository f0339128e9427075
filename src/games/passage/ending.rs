//! How a leg ends, as a matter of positions and counts alone: for the game, and for programs that search.

use super::options::{Adjudicate, Stuck, Terms};
use super::squares::Colour;
use super::state::Position;
use super::view::LegResult;
use crate::game::EndReason;

impl Terms {
    /// How a leg ends with the ply from one position to the next; none where it goes on. `plies` counts those of the leg,
    /// and `occurrences` how often the second position has begun a turn, both with this time included.
    pub fn ending(&self, before: &Position, after: &Position, plies: u32, occurrences: u32) -> Option<LegResult> {
        if after.is_home(before.to_move()) {
            Some(won(before.to_move(), EndReason::Goal))
        } else if before.both_stuck() {
            Some(drawn(EndReason::Passes))
        } else {
            self.stuck_ending(after).or_else(|| self.limit_ending(after, plies, occurrences))
        }
    }

    /// How a leg ends where the side to move is stuck, if these options end it there.
    pub(super) fn stuck_ending(&self, position: &Position) -> Option<LegResult> {
        let stuck = self.stuck != Stuck::Pass && position.is_stuck();
        stuck.then(|| match self.stuck {
            Stuck::Loss => won(position.to_move().rival(), EndReason::Stuck),
            _ => drawn(EndReason::Stuck),
        })
    }

    fn limit_ending(&self, position: &Position, plies: u32, occurrences: u32) -> Option<LegResult> {
        if self.repetition > 0 && occurrences >= self.repetition {
            return Some(drawn(EndReason::Repetition));
        }
        (plies >= self.max_plies).then(|| match (self.adjudicate, position.ahead()) {
            (Adjudicate::Progress, Some(colour)) => won(colour, EndReason::Progress),
            _ => drawn(EndReason::MaxPlies),
        })
    }
}

fn won(winner: Colour, reason: EndReason) -> LegResult {
    LegResult { winner: Some(winner.seat()), reason }
}

fn drawn(reason: EndReason) -> LegResult {
    LegResult { winner: None, reason }
}
