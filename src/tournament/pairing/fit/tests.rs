use std::collections::BTreeSet;

use super::*;
use crate::seat::BySeat;
use crate::tournament::Entrant;
use crate::tournament::pairing::knockout::Knockout;
use crate::tournament::pairing::{Orders, RoundPlayed};
use crate::tournament::played::HalfPoints;

fn format(kind: Kind) -> Format {
    Format { kind, orders: Orders::Turns }
}

fn swiss(rounds: u32) -> Kind {
    Kind::Swiss { rounds, sets: 2 }
}

fn knockout(third_place: bool) -> Kind {
    Kind::Knockout(Knockout { sets: 2, extra_sets: 3, third_place })
}

const PODS: Kind = Kind::Pods { rounds: 2, design: None };
const MATCH: Kind = Kind::Match { sets: 7, sprt: None };
const ROUND_ROBIN: Kind = Kind::RoundRobin { rounds: 3 };
const GAUNTLET: Kind = Kind::Gauntlet { rounds: 2, challengers: 2 };

#[test]
fn what_does_not_fit_is_refused_in_words() {
    for (kind, field, seats, words) in [
        (ROUND_ROBIN, 0, 2, "round-robin needs 2 bots or more, and there are 0: add [[bots]]"),
        (ROUND_ROBIN, 1, 2, "round-robin needs 2 bots or more, and there is 1: add [[bots]]"),
        (swiss(1), 1, 2, "swiss needs 2 bots or more, and there is 1: add [[bots]]"),
        (knockout(true), 1, 2, "knockout needs 2 bots or more, and there is 1: add [[bots]]"),
        (GAUNTLET, 1, 2, "gauntlet needs 2 bots or more, and there is 1: add [[bots]]"),
        (GAUNTLET, 2, 2, "with `challengers = 2` the gauntlet needs 3 bots or more, and there are 2"),
        (MATCH, 1, 2, "match needs 2 bots or more, and there is 1: add [[bots]]"),
        (
            MATCH,
            3,
            2,
            "a match is between two bots, and there are 3: leave some out, or play a round-robin or a gauntlet",
        ),
        (PODS, 2, 3, "pods needs 3 bots or more, and there are 2: add [[bots]]"),
        (PODS, 8, 2, "pods are for games of three or four seats, and this one has 2: play a round-robin"),
        (
            ROUND_ROBIN,
            8,
            4,
            "round-robin is for games of two seats, and this one has 4: play pods, or set `seats = 2` if the game \
             allows it",
        ),
        (
            knockout(false),
            8,
            3,
            "knockout is for games of two seats, and this one has 3: play pods, or set `seats = 2` if the game allows it",
        ),
        (
            swiss(8),
            8,
            2,
            "after 7 rounds of swiss, 8 bots have met each other: `rounds` must be 7 or less (and with so many, a \
             round-robin is fairer)",
        ),
        (
            swiss(1),
            1001,
            2,
            "swiss can be planned for 1000 bots or fewer, and there are 1001: divide the field, or play another format",
        ),
        (
            Kind::RoundRobin { rounds: 10 },
            1500,
            2,
            "this format may take 11242500 sets of games, and 10000000 are the most: play fewer rounds or sets, or \
             another format",
        ),
    ] {
        assert_eq!(format(kind).check(field, seats).unwrap_err().to_string(), words);
    }
}

#[test]
fn what_fits_is_not_refused() {
    for kind in [ROUND_ROBIN, swiss(1), knockout(true), MATCH] {
        assert_eq!(format(kind).check(2, 2), Ok(()));
    }
    assert_eq!(format(GAUNTLET).check(3, 2), Ok(()));
    assert_eq!(format(swiss(7)).check(8, 2), Ok(()));
    // Each of an odd field rests once.
    assert_eq!(format(swiss(7)).check(7, 2), Ok(()));
    assert_eq!(format(swiss(8)).check(7, 2), Err(Misfit::TooManyRounds { bots: 7, most: 7 }));
    assert_eq!(format(PODS).check(3, 3), Ok(()));
    assert_eq!(format(PODS).check(4, 4), Ok(()));
    assert_eq!(format(Kind::RoundRobin { rounds: 8 }).check(1500, 2), Ok(()));
}

#[test]
fn counts_that_no_number_holds_are_refused_too() {
    let complete = Kind::Pods { rounds: u32::MAX, design: Some(super::pods::Design::Complete) };
    assert_eq!(format(complete).check(1000, 4), Err(Misfit::TooLarge { sets: u64::MAX }));
    let balanced = Kind::Pods { rounds: u32::MAX, design: None };
    assert!(matches!(format(balanced).check(1000, 4), Err(Misfit::TooLarge { .. })));
    let most = Kind::Knockout(Knockout { sets: u32::MAX, extra_sets: u32::MAX, third_place: true });
    assert!(matches!(format(most).check(65536, 2), Err(Misfit::TooLarge { .. })));
}

/// How many sets are played in all when who sits first wins everything, or everything is level.
fn played(format: &Format, field: usize, seats: usize, level: bool) -> u64 {
    let mut before = Vec::new();
    let mut sets = 0;
    while let Some(round) = format.round(before.len() as u32 + 1, field, seats, &before, &BTreeSet::new()) {
        sets += round.meetings.len() as u64 * u64::from(round.sets);
        let won =
            |seats: usize| BySeat::from_fn(seats, |seat| HalfPoints(if level { 1 } else { 3 - seat.index() as u64 }));
        let points = round.meetings.iter().map(|meeting| won(meeting.seats.len())).collect();
        before.push(RoundPlayed { round, points });
    }
    sets
}

#[test]
fn a_swiss_with_one_bot_left_is_over() {
    let swiss = format(Kind::Swiss { rounds: 5, sets: 1 });
    let out = |count: usize| Entrant::field(4).take(count).collect();
    assert_eq!(swiss.round(1, 4, 2, &[], &out(2)).unwrap().meetings.len(), 1);
    assert_eq!(swiss.round(1, 4, 2, &[], &out(3)), None);
    assert_eq!(swiss.round(1, 4, 2, &[], &out(4)), None);
}

#[test]
fn what_is_planned_is_what_is_asked_for() {
    for (kind, field, seats) in [(ROUND_ROBIN, 7, 2), (GAUNTLET, 7, 2), (PODS, 7, 3), (PODS, 20, 4), (MATCH, 2, 2)] {
        let format = format(kind);
        assert!(format.is_fixed());
        let planned: Vec<_> = format.planned(field, seats).unwrap().collect();
        let asked: Vec<_> =
            (1..).map_while(|number| format.round(number, field, seats, &[], &BTreeSet::new())).collect();
        assert_eq!(planned, asked);
    }
    for kind in [swiss(3), knockout(true)] {
        assert!(!format(kind.clone()).is_fixed());
        assert!(format(kind).planned(8, 2).is_none());
    }
}

#[test]
fn as_many_sets_are_played_as_were_announced() {
    for field in 4..24 {
        for (kind, seats) in [(ROUND_ROBIN, 2), (GAUNTLET, 2), (swiss(3), 2), (PODS, 3), (PODS, 4)] {
            let format = format(kind);
            let sets = played(&format, field, seats, false);
            assert_eq!(format.sets(field, seats), sets..=sets, "{format:?} with {field}");
        }
        for third_place in [false, true] {
            let format = format(knockout(third_place));
            let range = played(&format, field, 2, false)..=played(&format, field, 2, true);
            assert_eq!(format.sets(field, 2), range, "{format:?} with {field}");
        }
    }
    assert_eq!(format(MATCH).sets(2, 2), 7..=7);
    assert_eq!(played(&format(MATCH), 2, 2, true), 7);
    // With three bots there is one semifinal, and nobody to play for the third place.
    assert_eq!(format(knockout(true)).sets(3, 2), 4..=10);
    assert_eq!(played(&format(knockout(true)), 3, 2, true), 10);
}
