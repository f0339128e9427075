//! Who meets whom: formats as functions of the field and of what was played before. Nothing here plays, reads or writes.
//!
//! A [`Format`] is read from `cup.toml`, and [checked](Format::check) against the field and the seats of the game. Then
//! [`Format::round`] gives one [`Round`] after the other. A round is a set of meetings that can be planned and played
//! together; rounds are numbered from 1.
//!
//! | kind | seats | rounds | may depend on results |
//! |---|---|---|---|
//! | [round-robin](round_robin) | 2 | one for each round of the Berger tables, each time around | no |
//! | [gauntlet] | 2 | as many as each challenger has others to meet, each time around | no |
//! | [pods] | 3, 4 | one each time around | no |
//! | match | 2 | one | no; statistics may end it early |
//! | [swiss] | 2 | as many as were asked for | yes |
//! | [knockout] | 2 | one for each stage, and one for each further set of those that are level | yes |
//!
//! Who is named first in `cup.toml` is seeded first, everywhere.
//!
//! Times around (`rounds` of a round robin, a gauntlet or pods) are further rounds with meetings of their own, and not
//! more sets in one meeting: so everybody has met everybody as often as possible whenever the event is looked at, and
//! the seats turn from one time to the next.

pub mod format;
pub mod gauntlet;
pub mod knockout;
pub mod pods;
pub mod round_robin;
pub mod swiss;

mod fit;

pub use fit::{MOST_PAIRED, MOST_SETS, Misfit};
pub use format::{Format, Kind, KindName, Orders};

use std::collections::BTreeSet;

use super::Entrant;
use super::played::HalfPoints;
use crate::seat::BySeat;

/// Bots that play each other, in the order of the seats of their first game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// Who sits where in the first game of the first set; [`Orders::of_set`] says who does in all others.
    pub seats: BySeat<Entrant>,
}

/// What is played before anything is paired anew. Who is in no meeting and has no bye rests.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Round {
    /// Who meets whom, in the order in which they are to be played.
    pub meetings: Vec<Meeting>,
    /// How many sets each meeting has; with [`Kind::Match`] the most that it may have.
    pub sets: u32,
    /// Who has nobody to play in this round. In a Swiss that is credited as a won meeting, see [`Format::bye_points`]; in
    /// a knockout it is the way to the next stage.
    pub byes: Vec<Entrant>,
}

/// A round that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundPlayed {
    /// What was paired.
    pub round: Round,
    /// What each seat of each meeting, as named in [`Meeting::seats`], won in all games of the meeting together.
    pub points: Vec<BySeat<HalfPoints>>,
}

impl Meeting {
    fn of(seats: impl IntoIterator<Item = Entrant>) -> Meeting {
        Meeting { seats: BySeat::collect(seats) }
    }
}

impl Format {
    /// Whether all rounds can be planned beforehand, because none of them depends on results.
    pub fn is_fixed(&self) -> bool {
        !matches!(self.kind, Kind::Swiss { .. } | Kind::Knockout { .. })
    }

    /// All rounds of an event of `field` bots at tables of `seats`, one after the other, where none depends on results.
    /// That is faster than to ask for each.
    ///
    /// # Panics
    /// Possibly, if the format was not [checked](Format::check) for this field and these seats.
    pub fn planned(&self, field: usize, seats: usize) -> Option<Box<dyn Iterator<Item = Round>>> {
        match self.kind {
            Kind::RoundRobin { rounds } => {
                Some(Box::new((1..).map_while(move |number| round_robin::round(number, field, rounds))))
            }
            Kind::Gauntlet { rounds, challengers } => {
                let round = move |number| gauntlet::round(number, field, challengers as usize, rounds);
                Some(Box::new((1..).map_while(round)))
            }
            Kind::Pods { rounds, design } => Some(Box::new(pods::Rounds::new(field, seats, rounds, design))),
            Kind::Match { sets, .. } => {
                let meetings = vec![Meeting::of(Entrant::field(2))];
                Some(Box::new(std::iter::once(Round { meetings, sets, byes: Vec::new() })))
            }
            Kind::Swiss { .. } | Kind::Knockout(_) => None,
        }
    }

    /// The round with this number, from 1, of such an event; nothing when the event is over before it. The same question
    /// always has the same answer. Where all rounds [can be planned](Format::is_fixed), `before` is not looked at;
    /// otherwise it holds the rounds that are over, and those from this number on are not looked at. Who is `out`, because
    /// it was disqualified, rests in a Swiss; elsewhere its rivals are paired with it, and win without playing.
    ///
    /// # Panics
    /// If the number is 0; if `before` is looked at and lacks a round before this one, or has other meetings than this
    /// format paired. Possibly, if the format was not [checked](Format::check) for this field and these seats.
    pub fn round(
        &self,
        number: u32,
        field: usize,
        seats: usize,
        before: &[RoundPlayed],
        out: &BTreeSet<Entrant>,
    ) -> Option<Round> {
        assert!(number > 0, "rounds are numbered from 1");
        let before = || &before[..number as usize - 1];
        match &self.kind {
            Kind::RoundRobin { rounds } => round_robin::round(number, field, *rounds),
            Kind::Gauntlet { rounds, challengers } => gauntlet::round(number, field, *challengers as usize, *rounds),
            Kind::Pods { .. } | Kind::Match { .. } => self.planned(field, seats)?.nth(number as usize - 1),
            Kind::Swiss { rounds, .. } if swiss::is_over(before().len(), *rounds, field, out.len()) => None,
            Kind::Swiss { sets, .. } => Some(swiss::round(field, *sets, self.orders, before(), out)),
            Kind::Knockout(rules) => knockout::Bracket::of(rules, field, before()).next_round(),
        }
    }

    /// What a bye is worth: in a Swiss as much as winning all games of a meeting, elsewhere nothing. A bot that rests in
    /// a round robin is credited with nothing, for all others rest as often.
    pub fn bye_points(&self) -> HalfPoints {
        match self.kind {
            Kind::Swiss { sets, .. } => swiss::bye_points(sets, self.orders),
            _ => HalfPoints(0),
        }
    }

    /// Whether these rounds, all of which are over but perhaps the last, are paired as this format does. Looked at only in
    /// a knockout, which could not go on otherwise.
    pub fn is_history(&self, field: usize, rounds: &[RoundPlayed]) -> bool {
        let Kind::Knockout(rules) = &self.kind else { return true };
        (1..=rounds.len()).all(|count| {
            let (last, before) = rounds[..count].split_last().expect("there is one");
            knockout::Bracket::of(rules, field, before).next_round().as_ref() == Some(&last.round)
        })
    }

    /// How far a knockout has come; nothing with other formats.
    ///
    /// # Panics
    /// If `before` has other meetings than this format paired.
    pub fn bracket(&self, field: usize, before: &[RoundPlayed]) -> Option<knockout::Bracket> {
        match &self.kind {
            Kind::Knockout(rules) => Some(knockout::Bracket::of(rules, field, before)),
            _ => None,
        }
    }
}
