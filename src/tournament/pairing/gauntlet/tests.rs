use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::seat::Seat;

fn seats(number: u32, field: usize, challengers: usize) -> Vec<[u16; 2]> {
    let meetings = round(number, field, challengers, 2).unwrap().meetings;
    meetings.iter().map(|meeting| [0, 1].map(|seat| meeting.seats[Seat::new(seat)].0)).collect()
}

#[test]
fn one_challenger_meets_the_others_in_order() {
    let all: Vec<_> = (1..=6).map(|number| seats(number, 4, 1)).collect();
    assert_eq!(all, [[[0, 1]], [[2, 0]], [[0, 3]], [[1, 0]], [[0, 2]], [[3, 0]]]);
    assert_eq!(round(7, 4, 1, 2), None);
}

#[test]
fn two_challengers_play_at_the_same_time() {
    assert_eq!(seats(1, 5, 2), [[0, 2], [1, 3]]);
    assert_eq!(seats(2, 5, 2), [[3, 0], [4, 1]]);
}

proptest! {
    #[test]
    fn every_challenger_meets_every_other_and_nobody_else(
        (field, challengers) in (2..40usize).prop_flat_map(|field| (Just(field), 1..field)),
        times in 1..5u32,
    ) {
        let mut met = BTreeMap::new();
        let mut firsts = vec![0i64; field];
        let mut number = 0;
        while let Some(round) = round(number + 1, field, challengers, times) {
            number += 1;
            let mut here: Vec<Entrant> = round.meetings.iter().flat_map(|meeting| meeting.seats.clone()).collect();
            let plays = here.len();
            here.sort();
            here.dedup();
            prop_assert_eq!(here.len(), plays, "somebody plays twice in round {}", number);
            for meeting in &round.meetings {
                let (first, second) = (meeting.seats[Seat::new(0)], meeting.seats[Seat::new(1)]);
                let pair = (first.min(second), first.max(second));
                prop_assert!(pair.0.index() < challengers && pair.1.index() >= challengers);
                *met.entry(pair).or_insert(0u32) += 1;
                firsts[first.index()] += 1;
                firsts[second.index()] -= 1;
            }
        }
        prop_assert_eq!(number as usize, times as usize * challengers.max(field - challengers));
        prop_assert_eq!(met.len() as u64, meetings(field, challengers));
        prop_assert!(met.values().all(|&count| count == times));
        let odd = i64::from(times % 2);
        prop_assert!(firsts.iter().all(|difference| difference.abs() <= odd), "{:?}", firsts);
    }
}
