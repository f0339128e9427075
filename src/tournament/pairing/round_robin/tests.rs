use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::seat::Seat;

/// All rounds as they stand in the handbook: `1-4 2-3`.
fn table(field: usize) -> Vec<String> {
    let rounds = (1..).map_while(|number| round(number, field, 1));
    rounds
        .map(|round| {
            let meeting = |meeting: &Meeting| {
                format!("{}-{}", meeting.seats[Seat::new(0)].0 + 1, meeting.seats[Seat::new(1)].0 + 1)
            };
            round.meetings.iter().map(meeting).collect::<Vec<_>>().join(" ")
        })
        .collect()
}

#[test]
fn the_tables_of_the_handbook() {
    assert_eq!(table(2), ["1-2"]);
    assert_eq!(table(4), ["1-4 2-3", "4-3 1-2", "2-4 3-1"]);
    assert_eq!(table(6), ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"]);
    assert_eq!(
        table(8),
        [
            "1-8 2-7 3-6 4-5",
            "8-5 6-4 7-3 1-2",
            "2-8 3-1 4-7 5-6",
            "8-6 7-5 1-4 2-3",
            "3-8 4-2 5-1 6-7",
            "8-7 1-6 2-5 3-4",
            "4-8 5-3 6-2 7-1",
        ]
    );
}

#[test]
fn in_an_odd_field_everybody_rests_once() {
    assert_eq!(table(3), ["2-3", "1-2", "3-1"]);
    assert_eq!(table(5), ["2-5 3-4", "5-3 1-2", "3-1 4-5", "1-4 2-3", "4-2 5-1"]);
    assert!((1..=5).all(|number| round(number, 5, 1).unwrap().byes.is_empty()));
}

#[test]
fn the_second_time_around_the_seats_are_turned() {
    for field in [4, 5] {
        for number in 1..=5u32 {
            let Some(first) = round(number, field, 1) else { continue };
            let again = round(number + if field == 4 { 3 } else { 5 }, field, 2).unwrap();
            let turned = |meeting: &Meeting| Meeting::of(meeting.seats.iter().rev().copied());
            assert_eq!(again.meetings, first.meetings.iter().map(turned).collect::<Vec<_>>());
        }
    }
    assert_eq!(round(6, 4, 2).map(|round| round.meetings.len()), Some(2));
    assert_eq!(round(7, 4, 2), None);
}

proptest! {
    #[test]
    fn everybody_meets_everybody_as_often_and_sits_in_both_seats(field in 2..40usize, times in 1..5u32) {
        let mut met = BTreeMap::new();
        let mut firsts = vec![0i64; field];
        let mut number = 0;
        while let Some(round) = round(number + 1, field, times) {
            number += 1;
            let mut here: Vec<Entrant> = round.meetings.iter().flat_map(|meeting| meeting.seats.clone()).collect();
            prop_assert_eq!(here.len(), field / 2 * 2);
            here.sort();
            here.dedup();
            prop_assert_eq!(here.len(), field / 2 * 2, "somebody plays twice in round {}", number);
            for meeting in &round.meetings {
                let (first, second) = (meeting.seats[Seat::new(0)], meeting.seats[Seat::new(1)]);
                *met.entry((first.min(second), first.max(second))).or_insert(0u32) += 1;
                firsts[first.index()] += 1;
                firsts[second.index()] -= 1;
            }
        }
        prop_assert_eq!(number as usize, times as usize * (field - 1 + field % 2));
        prop_assert_eq!(met.len() as u64, meetings(field));
        prop_assert!(met.values().all(|&count| count == times));
        let odd = i64::from(times % 2);
        prop_assert!(firsts.iter().all(|difference| difference.abs() <= odd), "{:?}", firsts);
    }
}
