//! How far each bot came in a knockout.

use crate::tournament::Entrant;
use crate::tournament::pairing::knockout::{Bracket, Stage};

/// How far a bot came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// Of how many bots it was one at the last: 2 in the final, 1 when it has won that.
    pub last: usize,
    /// Its place, once it is out or has won; shared by all who went out in the same stage.
    pub place: Option<usize>,
}

impl Reached {
    /// How far a bot came in a bracket.
    pub(super) fn of(bracket: &Bracket, bot: Entrant) -> Option<Reached> {
        let duel = bracket.duels.iter().rev().find(|duel| duel.high == bot || duel.low == Some(bot))?;
        let has_won = duel.won.is_some_and(|won| won.by == bot);
        let last = match duel.stage {
            Stage::Of(places) if has_won => places / 2,
            Stage::Of(places) => places,
            Stage::ThirdPlace => 4,
        };
        Some(Reached { last, place: bracket.place(bot) })
    }

    /// What bots are ordered by, more is better: who is still in comes before all others.
    pub(super) fn worth(self) -> u64 {
        const MOST: usize = 1 << 17;
        // When the final has a winner, nobody is still in.
        let (base, behind) = self.place.map_or((MOST, self.last), |place| (0, place));
        (base + MOST - behind) as u64
    }

    /// How far it came in words: `won`, `final`, `last 8`.
    pub fn words(self) -> String {
        match self.last {
            1 => "won".to_owned(),
            2 => "final".to_owned(),
            last => format!("last {last}"),
        }
    }
}
