use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::tournament::Entrant;

/// All rounds of an event.
fn rounds(field: usize, seats: usize, times: u32, design: Option<Design>) -> Vec<Round> {
    Rounds::new(field, seats, times, design).collect()
}

/// How often each bot sat in each seat.
fn sat<'a>(field: usize, seats: usize, rounds: impl IntoIterator<Item = &'a Round>) -> Vec<Vec<u32>> {
    let mut sat = vec![vec![0; seats]; field];
    for meeting in rounds.into_iter().flat_map(|round| &round.meetings) {
        meeting.seats.seats().for_each(|(seat, bot)| sat[bot.index()][seat.index()] += 1);
    }
    sat
}

/// How often each two bots met.
fn met<'a>(field: usize, rounds: impl IntoIterator<Item = &'a Round>) -> BTreeMap<(Entrant, Entrant), u32> {
    let pairs = |one| Entrant::field(field).skip(one as usize + 1).map(move |other| (Entrant(one), other));
    let mut met: BTreeMap<_, _> = (0..field as u16).flat_map(pairs).map(|pair| (pair, 0)).collect();
    for meeting in rounds.into_iter().flat_map(|round| &round.meetings) {
        for one in &meeting.seats {
            meeting
                .seats
                .iter()
                .filter(|other| one < other)
                .for_each(|other| *met.get_mut(&(*one, *other)).unwrap() += 1);
        }
    }
    met
}

fn least_and_most(counts: impl IntoIterator<Item = u32>) -> (u32, u32) {
    counts.into_iter().fold((u32::MAX, 0), |(least, most), count| (least.min(count), most.max(count)))
}

#[test]
fn a_small_field_plays_every_set_of_bots() {
    for (field, seats, all) in [(3, 3, 1), (4, 4, 1), (5, 3, 10), (6, 4, 15), (8, 4, 70), (12, 4, 495), (15, 3, 455)] {
        let rounds = rounds(field, seats, 1, None);
        let mut groups: Vec<Vec<Entrant>> =
            rounds[0].meetings.iter().map(|meeting| meeting.seats.iter().copied().collect()).collect();
        groups.iter_mut().for_each(|group| group.sort());
        groups.sort();
        groups.dedup();
        assert_eq!((rounds.len(), groups.len(), meetings(field, seats, None)), (1, all, all as u64));
        assert!(groups.iter().all(|group| group.windows(2).all(|pair| pair[0] < pair[1])));
    }
}

#[test]
fn a_larger_field_plays_no_more_than_it_takes() {
    assert_eq!(meetings(16, 3, None), 48);
    assert_eq!(meetings(13, 4, None), 13);
    assert_eq!(meetings(20, 4, None), 40);
    assert_eq!(meetings(13, 4, Some(Design::Complete)), 715);
    // Here even the fewest base groups make as many meetings as there are sets of bots.
    assert_eq!(meetings(5, 4, Some(Design::Balanced)), 5);
    assert_eq!(meetings(4, 4, Some(Design::Balanced)), 1);
}

/// The one projective plane of 13 points: every two bots meet exactly once.
#[test]
fn thirteen_bots_at_tables_of_four_meet_once() {
    let rounds = rounds(13, 4, 1, None);
    assert!(met(13, &rounds).values().all(|&count| count == 1));
}

#[test]
fn in_a_balanced_field_everybody_meets_everybody_once_or_twice() {
    for seats in [3, 4] {
        for field in seats + 1..=100 {
            let rounds = rounds(field, seats, 1, Some(Design::Balanced));
            let (least, most) = least_and_most(met(field, &rounds).into_values());
            assert!(least >= 1 && most - least <= 1, "{field} bots at {seats} seats: {least} to {most}");
            let plays: Vec<u32> = sat(field, seats, &rounds).iter().map(|seats| seats.iter().sum()).collect();
            assert!(plays.iter().all(|&count| count == plays[0]), "{field} bots at {seats} seats: {plays:?}");
            // Each bot has so many rivals, and meets one less than the seats in a meeting: it is in no more meetings than
            // a design with one base group more than there must be.
            let fewest = (field - 1).div_ceil(seats * (seats - 1));
            assert!(plays[0] as usize <= (fewest + 1) * seats, "{field} bots at {seats} seats");
            assert_eq!(rounds[0].meetings.len() as u64, meetings(field, seats, Some(Design::Balanced)));
        }
    }
}

#[test]
fn further_times_around_even_out_who_met_whom() {
    for (field, seats) in [(16, 3), (21, 3), (13, 4), (20, 4), (31, 4)] {
        let rounds = rounds(field, seats, 6, None);
        for times in 1..=6 {
            let (least, most) = least_and_most(met(field, &rounds[..times]).into_values());
            assert!(most - least <= 2, "{field} bots at {seats} seats, {times} times: {least} to {most}");
        }
    }
}

/// What the rounds say about seats, for every design.
fn seats_are_even(field: usize, seats: usize, times: u32, design: Option<Design>) {
    let rounds = rounds(field, seats, times, design);
    assert_eq!(rounds.len(), times as usize);
    for (bot, counts) in sat(field, seats, &rounds).iter().enumerate() {
        let (least, most) = least_and_most(counts.iter().copied());
        assert!(most - least <= 1, "{field} bots at {seats} seats, {times} times: bot {bot} sat {counts:?}");
    }
    for block in rounds.chunks_exact(seats) {
        for (bot, counts) in sat(field, seats, block).iter().enumerate() {
            assert!(counts.iter().all(|&count| count == counts[0]), "bot {bot} sat {counts:?} in {seats} times around");
        }
    }
}

#[test]
fn every_bot_sits_in_every_seat_as_often() {
    for (field, seats) in [(3, 3), (4, 3), (5, 3), (9, 3), (16, 3), (4, 4), (5, 4), (6, 4), (9, 4), (13, 4), (22, 4)] {
        for times in 1..=2 * seats as u32 + 1 {
            seats_are_even(field, seats, times, None);
        }
    }
}

#[test]
fn everybody_plays_early_and_late() {
    for (field, seats) in [(8, 4), (12, 4), (10, 3), (30, 4)] {
        let round = &rounds(field, seats, 1, None)[0];
        let half = Round { meetings: round.meetings[..round.meetings.len() / 2].to_vec(), ..round.clone() };
        for (all, early) in sat(field, seats, [round]).iter().zip(sat(field, seats, [&half])) {
            let (all, early) = (all.iter().sum::<u32>(), early.iter().sum::<u32>());
            assert!((all / 4..=all - all / 4).contains(&early), "{early} of {all} in the first half");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn meetings_are_balanced_whatever_the_field(
        seats in 3..=4usize,
        more in 0..26usize,
        times in 1..6u32,
        balanced: bool,
    ) {
        let design = if balanced { Some(Design::Balanced) } else { None };
        let field = seats + more;
        seats_are_even(field, seats, times, design);
        let all = rounds(field, seats, times, design);
        for round in &all {
            prop_assert_eq!(round.meetings.len() as u64, meetings(field, seats, design));
            prop_assert_eq!((round.sets, round.byes.len()), (1, 0));
            let (least, most) = least_and_most(sat(field, seats, [round]).iter().map(|seats| seats.iter().sum()));
            prop_assert_eq!(least, most);
        }
        prop_assert_eq!(all, rounds(field, seats, times, design));
    }
}
