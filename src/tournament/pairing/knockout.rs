//! Knockout: two bots duel, who loses is out, and who wins is in the next stage.
//!
//! The first stage has the next power of two of places. Seeds stand in it as usual, so that 1 meets 2 in the final at the
//! earliest, 1 and 2 meet 3 and 4 in the semifinals at the earliest, and so on; the places that the field leaves empty
//! are those opposite the top seeds, who have byes.
//!
//! A duel is one meeting of `sets` sets, and who has more points in it wins. Those that are level play on, one further
//! set at a time, each in a round of its own with nobody but them, until one is ahead or `extra_sets` are played; then the
//! higher seed wins, and [`Won::how`] says so. Games that stay void count for nobody, so two bots that nobody can tell
//! apart do not stop the event.
//!
//! The losers of the semifinals meet for the third place where that is asked for, in the round of the final and before
//! it. Knockouts are for two seats: at tables of three or four there is no one rival to beat.

use std::ops::RangeInclusive;

use super::format::turned;
use super::{Meeting, Round, RoundPlayed};
use crate::seat::{BySeat, Seat};
use crate::tournament::Entrant;

/// The parameters of a knockout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Knockout {
    /// How many sets a duel has.
    pub sets: u32,
    /// How many further sets those that are level play at most.
    pub extra_sets: u32,
    /// Whether the losers of the semifinals meet.
    pub third_place: bool,
}

/// How far a knockout has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bracket {
    /// All duels of all stages that are known, in the order of the bracket, stage after stage.
    pub duels: Vec<Duel>,
    next: Option<Round>,
}

/// Two bots that play for a place in the next stage, or one that has it already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Duel {
    /// In which stage.
    pub stage: Stage,
    /// The higher seed.
    pub high: Entrant,
    /// The lower seed, if that place is taken.
    pub low: Option<Entrant>,
    /// Who won, once it is decided.
    pub won: Option<Won>,
}

/// A stage of a knockout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// That of so many places, of which half remain: 2 is the final.
    Of(usize),
    /// The losers of the semifinals.
    ThirdPlace,
}

/// Who won a duel, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Won {
    /// Who.
    pub by: Entrant,
    /// How.
    pub how: How,
}

/// How a duel was won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// There was no rival.
    Bye,
    /// With more points in the meeting.
    Points,
    /// They were level until the further set with this number, from 1.
    FurtherSet(u32),
    /// They were level to the end.
    HigherSeed,
}

/// How many sets a knockout of `field` bots has, at least and at most.
pub fn sets(rules: &Knockout, field: usize) -> RangeInclusive<u64> {
    let duels = field.saturating_sub(1) as u64 + u64::from(rules.third_place && field >= 4);
    duels * u64::from(rules.sets)..=duels.saturating_mul(u64::from(rules.sets) + u64::from(rules.extra_sets))
}

impl Bracket {
    /// Where the knockout of `field` bots stands after these rounds.
    ///
    /// # Panics
    /// If the rounds are not those that it paired.
    pub(super) fn of(rules: &Knockout, field: usize, before: &[RoundPlayed]) -> Bracket {
        let mut bracket = Bracket { duels: Vec::new(), next: None };
        let mut rounds = before.iter();
        let mut stage = first_stage(field);
        loop {
            bracket.next = play_stage(rules, &mut stage, &mut rounds);
            bracket.duels.extend(&stage);
            if bracket.next.is_some() {
                return bracket;
            }
            if stage.iter().any(|duel| duel.stage == Stage::Of(2)) {
                assert!(rounds.next().is_none(), "a round was played after the final");
                return bracket;
            }
            stage = next_stage(&stage, rules.third_place);
        }
    }

    /// Whether something is to be played still.
    pub fn goes_on(&self) -> bool {
        self.next.is_some()
    }

    /// What is to be played next; nothing when the event is over.
    pub fn next_round(self) -> Option<Round> {
        self.next
    }

    /// The place of a bot, from 1, once it is out or has won; who goes out in the same stage shares a place.
    pub fn place(&self, bot: Entrant) -> Option<usize> {
        let last = self.duels.iter().rev().find(|duel| duel.high == bot || duel.low == Some(bot))?;
        let won = last.won.map(|won| won.by == bot);
        match (last.stage, won) {
            (Stage::Of(2), Some(true)) => Some(1),
            (Stage::ThirdPlace, Some(false)) => Some(4),
            (Stage::ThirdPlace, _) => Some(3),
            (Stage::Of(places), Some(false)) => Some(places / 2 + 1),
            _ => None,
        }
    }
}

impl Duel {
    fn of(stage: Stage, one: Entrant, other: Option<Entrant>) -> Duel {
        let (high, low) = match other {
            Some(other) => (one.min(other), Some(one.max(other))),
            None => (one, None),
        };
        let won = low.is_none().then_some(Won { by: high, how: How::Bye });
        Duel { stage, high, low, won }
    }

    fn winner(&self) -> Entrant {
        self.won.expect("the stage is over").by
    }

    fn loser(&self) -> Option<Entrant> {
        if self.winner() == self.high { self.low } else { Some(self.high) }
    }
}

/// The places of the first stage: who is seeded where, and who has a bye.
fn first_stage(field: usize) -> Vec<Duel> {
    let mut seeds = vec![0];
    while seeds.len() < field {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    let entrant = |seed: usize| Entrant(seed as u16);
    let duel = |pair: &[usize]| {
        Duel::of(Stage::Of(seeds.len()), entrant(pair[0]), (pair[1] < field).then(|| entrant(pair[1])))
    };
    seeds.chunks(2).map(duel).collect()
}

/// The stage after one that is over.
fn next_stage(stage: &[Duel], third_place: bool) -> Vec<Duel> {
    let places = stage.len();
    let mut next = Vec::new();
    if let (true, [one, other]) = (third_place, stage)
        && let (Some(one), Some(other)) = (one.loser(), other.loser())
    {
        next.push(Duel::of(Stage::ThirdPlace, one, Some(other)));
    }
    next.extend(stage.chunks(2).map(|pair| Duel::of(Stage::Of(places), pair[0].winner(), Some(pair[1].winner()))));
    next
}

/// Decides the duels of a stage by the rounds that were played, and gives the round that is missing, if one is.
fn play_stage<'a>(
    rules: &Knockout,
    stage: &mut [Duel],
    rounds: &mut impl Iterator<Item = &'a RoundPlayed>,
) -> Option<Round> {
    for further in 0..=rules.extra_sets {
        if stage.iter().all(|duel| duel.won.is_some()) {
            return None;
        }
        let round = round_of(rules, stage, further);
        let Some(played) = rounds.next() else { return Some(round) };
        assert_eq!(played.round, round, "a round of this knockout was paired otherwise");
        let how = if further == 0 { How::Points } else { How::FurtherSet(further) };
        let open = stage.iter_mut().filter(|duel| duel.won.is_none());
        for ((duel, meeting), points) in open.zip(&round.meetings).zip(&played.points) {
            duel.won = ahead(&meeting.seats, points).map(|by| Won { by, how });
        }
    }
    for duel in stage.iter_mut().filter(|duel| duel.won.is_none()) {
        duel.won = Some(Won { by: duel.high, how: How::HigherSeed });
    }
    None
}

/// The meetings of the duels that are not decided: the first, or a further set.
fn round_of(rules: &Knockout, stage: &[Duel], further: u32) -> Round {
    // The seats turn from set to set, through all sets of a duel.
    let sets_before = if further == 0 { 0 } else { rules.sets as usize + further as usize - 1 };
    let meeting = |duel: &Duel| {
        let seats = BySeat::collect([duel.high].into_iter().chain(duel.low));
        Meeting { seats: turned(&seats, sets_before) }
    };
    let is_bye = |duel: &&Duel| further == 0 && duel.low.is_none();
    Round {
        meetings: stage.iter().filter(|duel| duel.won.is_none()).map(meeting).collect(),
        sets: if further == 0 { rules.sets } else { 1 },
        byes: stage.iter().filter(is_bye).map(|duel| duel.high).collect(),
    }
}

fn ahead<P: Ord>(seats: &BySeat<Entrant>, points: &BySeat<P>) -> Option<Entrant> {
    let (first, second) = (Seat::new(0), Seat::new(1));
    match points[first].cmp(&points[second]) {
        std::cmp::Ordering::Greater => Some(seats[first]),
        std::cmp::Ordering::Less => Some(seats[second]),
        std::cmp::Ordering::Equal => None,
    }
}

#[cfg(test)]
mod tests;
