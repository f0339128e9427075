//! Decides what no plan can know, by the format: who meets whom in the next round, and whether enough is known.

use std::collections::BTreeSet;

use super::progress::Live;
use crate::tournament::Entrant;
use crate::tournament::cup::{Cup, test_of};
use crate::tournament::pairing::{Format, Round, RoundPlayed};
use crate::tournament::played::Played;
use crate::tournament::ratings::sprt::{Running, Stop, Unit};
use crate::tournament::run::Director;

/// A director that goes by a format.
pub struct ByFormat<'a> {
    format: &'a Format,
    field: usize,
    seats: usize,
    /// Who is told of byes.
    live: &'a Live,
    test: Option<Running>,
    stop: Option<Stop>,
}

impl<'a> ByFormat<'a> {
    /// Of a tournament of which nothing is played.
    pub fn new(cup: &'a Cup, live: &'a Live) -> ByFormat<'a> {
        // A test that makes no sense was refused when the file was read.
        let test = test_of(&cup.format).ok().flatten();
        ByFormat {
            format: &cup.format,
            field: cup.bots.len(),
            seats: cup.seats,
            live,
            test: test.map(|sprt| Running::new(sprt, Entrant(0), Unit::Pairs)),
            stop: None,
        }
    }

    /// The test as far as it has come, if there is one, and where it stopped.
    pub fn test(self) -> Option<(Running, Option<Stop>)> {
        self.test.map(|test| (test, self.stop))
    }
}

impl Director for ByFormat<'_> {
    fn pairs_by_results(&self) -> bool {
        !self.format.is_fixed()
    }

    fn next_round(&mut self, before: &[RoundPlayed], out: &BTreeSet<Entrant>) -> Option<Round> {
        let round = self.format.round(before.len() as u32 + 1, self.field, self.seats, before, out)?;
        self.live.credit(&round.byes, self.format.bye_points());
        Some(round)
    }

    fn may_end_early(&self) -> bool {
        self.test.is_some()
    }

    fn see(&mut self, games: &[Played]) {
        if let Some(test) = &mut self.test {
            self.stop = test.take(games);
        }
    }

    fn is_enough(&self) -> bool {
        self.stop.is_some()
    }
}
