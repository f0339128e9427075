use std::collections::BTreeSet;
use std::time::Instant;

use integer_blossom::max_weight_matching;
use proptest::prelude::*;

use super::*;
use crate::chance::{Draws, Purpose, Seed, Streams};
use crate::seat::Seat;
use crate::tournament::Entrant;

/// A tournament so far.
struct Cup {
    field: usize,
    orders: Orders,
    before: Vec<RoundPlayed>,
}

impl Cup {
    fn new(field: usize, orders: Orders) -> Cup {
        Cup { field, orders, before: Vec::new() }
    }

    fn next(&self) -> Round {
        round(self.field, 1, self.orders, &self.before)
    }

    /// Plays a round: the first of each meeting gets so many half-points.
    fn play(&mut self, round: Round, mut first: impl FnMut(&Meeting) -> u64) {
        let win = bye_points(1, self.orders).0;
        let points = |meeting| {
            let first: u64 = first(meeting);
            BySeat::collect([HalfPoints(first), HalfPoints(win - first)])
        };
        let points = round.meetings.iter().map(points).collect();
        self.before.push(RoundPlayed { round, points });
    }

    /// Plays a round in which anything may happen.
    fn play_at_random(&mut self, luck: &mut Draws) {
        let win = bye_points(1, self.orders).0 as u32;
        self.play(self.next(), |_| u64::from(luck.below(win + 1)));
    }

    fn points(&self) -> Vec<u64> {
        let mut points = vec![0; self.field];
        for played in &self.before {
            for (meeting, won) in played.round.meetings.iter().zip(&played.points) {
                meeting.seats.iter().zip(won).for_each(|(bot, won)| points[bot.index()] += won.0);
            }
            let bye = bye_points(1, self.orders).0;
            played.round.byes.iter().for_each(|bot| points[bot.index()] += bye);
        }
        points
    }

    fn met(&self) -> BTreeSet<(usize, usize)> {
        self.before.iter().flat_map(|played| &played.round.meetings).map(pair).collect()
    }

    fn had_bye(&self, bot: usize) -> bool {
        self.before.iter().any(|played| played.round.byes.contains(&Entrant(bot as u16)))
    }

    /// The seats that each bot had: 1 for each first, -1 for each second.
    fn sat(&self) -> Vec<Vec<i64>> {
        let mut sat = vec![Vec::new(); self.field];
        for meeting in self.before.iter().flat_map(|played| &played.round.meetings) {
            meeting.seats.seats().for_each(|(seat, bot)| sat[bot.index()].push(1 - 2 * seat.index() as i64));
        }
        sat
    }

    /// The seat that each bot must have next, if it must: the other than that which it had twice more often, or twice in
    /// a row.
    fn must_sit(&self) -> Vec<Option<i64>> {
        let must = |sat: &Vec<i64>| match (sat.iter().sum::<i64>(), &sat[..]) {
            (difference, _) if difference.abs() > 1 => Some(-difference.signum()),
            (difference, [.., one, last]) if one == last => Some(if difference == 0 { -last } else { -difference }),
            _ => None,
        };
        self.sat().iter().map(must).collect()
    }
}

fn pair(meeting: &Meeting) -> (usize, usize) {
    let [one, other] = [0, 1].map(|seat| meeting.seats[Seat::new(seat)].index());
    (one.min(other), one.max(other))
}

fn luck(text: &str) -> Draws {
    Streams::new(Seed::from_text(text)).of(Purpose::SetUp).clone()
}

/// The meetings in the numbers of the field, from 1.
fn told(round: &Round) -> String {
    let meeting =
        |meeting: &Meeting| meeting.seats.iter().map(|bot| (bot.0 + 1).to_string()).collect::<Vec<_>>().join("-");
    let byes = round.byes.iter().map(|bot| (bot.0 + 1).to_string());
    round.meetings.iter().map(meeting).chain(byes).collect::<Vec<_>>().join(" ")
}

#[test]
fn in_the_first_round_the_top_half_meets_the_bottom_half() {
    assert_eq!(told(&Cup::new(2, Orders::One).next()), "1-2");
    assert_eq!(told(&Cup::new(8, Orders::One).next()), "1-5 6-2 3-7 8-4");
    assert_eq!(told(&Cup::new(7, Orders::Turns).next()), "1-4 5-2 3-6 7");
}

/// Round after round by hand, where the higher seed always wins.
#[test]
fn eight_bots_as_they_are_paired_by_hand() {
    let mut cup = Cup::new(8, Orders::One);
    let mut rounds = Vec::new();
    for _ in 0..3 {
        let round = cup.next();
        rounds.push(told(&round));
        cup.play(round, |meeting| if meeting.seats[Seat::new(0)] < meeting.seats[Seat::new(1)] { 2 } else { 0 });
    }
    assert_eq!(rounds[0], "1-5 6-2 3-7 8-4");
    // 1 to 4 won, 5 to 8 lost. The halves would be 1-3 and 2-4, but 1 and 3 had the first seat and 2 and 4 the second. So
    // 2 and 3 change halves, and likewise below.
    assert_eq!(rounds[1], "4-1 2-3 5-8 7-6");
    // 1 and 2 won twice, 3 to 6 once: 3-5 and 4-6 are the halves, and give everybody its other seat.
    assert_eq!(rounds[2], "1-2 3-5 6-4 8-7");
}

#[test]
fn a_bye_is_worth_a_won_meeting() {
    assert_eq!(bye_points(1, Orders::One), HalfPoints(2));
    assert_eq!(bye_points(3, Orders::Turns), HalfPoints(12));
    let mut cup = Cup::new(5, Orders::Turns);
    cup.play(cup.next(), |_| 2);
    // 5 had the bye, and leads alone; the others are level.
    assert_eq!(cup.points(), [2, 2, 2, 2, 4]);
    let next = cup.next();
    assert!(next.meetings.iter().any(|meeting| pair(meeting) == (0, 4)), "{}", told(&next));
    assert_eq!(next.byes, [Entrant(3)]);
}

/// What the first four respects say about a round, from nothing but what was played: rematches; whether the bye is one
/// again, and its points; squares of differences in points; pairs that both must have the same seat.
fn worth(cup: &Cup, pairs: &[(usize, usize)], bye: Option<usize>) -> (usize, bool, u64, u64, usize) {
    let (points, met, must) = (cup.points(), cup.met(), cup.must_sit());
    let apart = |&(one, other): &(usize, usize)| points[one].abs_diff(points[other]).pow(2);
    let both_must = |pair: &&(usize, usize)| must[pair.0].is_some() && must[pair.0] == must[pair.1];
    (
        pairs.iter().filter(|pair| met.contains(pair)).count(),
        bye.is_some_and(|bot| cup.had_bye(bot)),
        bye.map_or(0, |bot| points[bot]),
        pairs.iter().map(apart).sum(),
        if cup.orders == Orders::One { pairs.iter().filter(both_must).count() } else { 0 },
    )
}

fn worth_of(cup: &Cup, round: &Round) -> (usize, bool, u64, u64, usize) {
    let pairs: Vec<_> = round.meetings.iter().map(pair).collect();
    worth(cup, &pairs, round.byes.first().map(|bot| bot.index()))
}

/// The best that any way to pair these bots has, found by trying them all.
fn best(
    cup: &Cup,
    left: &[usize],
    pairs: &mut Vec<(usize, usize)>,
    bye: Option<usize>,
) -> (usize, bool, u64, u64, usize) {
    let Some((&first, rest)) = left.split_first() else { return worth(cup, pairs, bye) };
    let without = |place: usize| [&rest[..place], &rest[place + 1..]].concat();
    let mut found = Vec::new();
    for (place, &rival) in rest.iter().enumerate() {
        pairs.push((first, rival));
        found.push(best(cup, &without(place), pairs, bye));
        pairs.pop();
    }
    if left.len() % 2 == 1 {
        found.push(best(cup, rest, pairs, Some(first)));
    }
    found.into_iter().min().expect("somebody is left")
}

#[test]
fn no_other_way_to_pair_a_small_field_is_better() {
    let mut luck = luck("small fields");
    for number in 0..240 {
        let field = 3 + number % 6;
        let orders = if number % 4 < 3 { Orders::Turns } else { Orders::One };
        let mut cup = Cup::new(field, orders);
        // Until long after everybody has met everybody.
        for _ in 0..field + 2 {
            let all: Vec<usize> = (0..field).collect();
            let round = cup.next();
            let best = best(&cup, &all, &mut Vec::new(), None);
            assert_eq!(worth_of(&cup, &round), best, "{}", told(&round));
            cup.play(round, |_| u64::from(luck.below(bye_points(1, orders).0 as u32 + 1)));
        }
    }
}

/// The same with ten bots, and with nine and a bye: 945 ways.
#[test]
fn no_other_way_to_pair_ten_bots_is_better() {
    let mut luck = luck("ten bots");
    for number in 0..12 {
        let mut cup = Cup::new(9 + number % 2, if number % 4 < 2 { Orders::Turns } else { Orders::One });
        for _ in 0..cup.field - 1 {
            let all: Vec<usize> = (0..cup.field).collect();
            let round = cup.next();
            assert_eq!(worth_of(&cup, &round), best(&cup, &all, &mut Vec::new(), None), "{}", told(&round));
            cup.play_at_random(&mut luck);
        }
    }
}

/// Whether a round without a rematch, and without a second bye, can be paired at all.
fn can_avoid_rematches(cup: &Cup) -> bool {
    let places = cup.field.next_multiple_of(2);
    let met = cup.met();
    let mut may_meet = vec![0i32; places * places];
    for other in 0..places {
        for one in 0..other {
            let may = if other < cup.field { !met.contains(&(one, other)) } else { !cup.had_bye(one) };
            may_meet[one * places + other] = i32::from(may);
        }
    }
    max_weight_matching(&may_meet, places).iter().all(Option::is_some)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_round_of_every_swiss_is_sound(field in 2..=40usize, one: bool, seed in "[a-z]{8}") {
        let orders = if one { Orders::One } else { Orders::Turns };
        let mut luck = luck(&seed);
        let mut cup = Cup::new(field, orders);
        // All rounds there can be in small fields, so that what is left gets scarce.
        for number in 0..(field - 1).min(12) {
            let round = cup.next();
            prop_assert_eq!(&round, &cup.next(), "the same question has the same answer");
            let mut bots: Vec<Entrant> = round.meetings.iter().flat_map(|meeting| meeting.seats.clone()).collect();
            bots.extend(&round.byes);
            bots.sort();
            prop_assert_eq!(bots, Entrant::field(field).collect::<Vec<_>>());
            prop_assert_eq!((round.byes.len(), round.sets), (field % 2, 1));

            let (rematches, bye_again, bye_points, ..) = worth_of(&cup, &round);
            if can_avoid_rematches(&cup) {
                prop_assert_eq!((rematches, bye_again), (0, false), "round {}", number);
            }
            // Half of the field is always left to meet, so nothing is in the way of the bye.
            if number < field / 2 - 1 && !round.byes.is_empty() {
                prop_assert_eq!((rematches, bye_again), (0, false));
                let had_none = (0..field).filter(|&bot| !cup.had_bye(bot));
                prop_assert_eq!(Some(bye_points), had_none.map(|bot| cup.points()[bot]).min());
            }
            cup.play_at_random(&mut luck);
        }
        let played: u64 = cup.points().iter().sum();
        let meetings = cup.before.len() as u64 * field.div_ceil(2) as u64;
        prop_assert_eq!(played, meetings * bye_points(1, orders).0, "every meeting and every bye gives as many points");
    }

    #[test]
    fn nobody_has_a_seat_more_often_than_need_be(field in 8..=40usize, seed in "[a-z]{8}") {
        let mut luck = luck(&seed);
        let mut cup = Cup::new(field, Orders::One);
        for _ in 0..field.ilog2() + 2 {
            // Who goes without its seat is paired with one that should have the same.
            let round = cup.next();
            let (_, _, _, _, must_both) = worth_of(&cup, &round);
            let before = cup.sat();
            cup.play_at_random(&mut luck);
            let after = cup.sat();
            let bad = |sat: &Vec<i64>| sat.iter().sum::<i64>().abs() > 2 || matches!(sat[..], [.., a, b, c] if a == b && b == c);
            let worse = before.iter().zip(&after).filter(|(before, after)| before.len() < after.len() && bad(after)).count();
            prop_assert!(worse <= must_both, "{} bots for {} pairs", worse, must_both);
        }
    }
}

#[test]
fn a_field_that_has_met_each_other_plays_on() {
    let mut luck = luck("everybody");
    for field in 2..12 {
        let mut cup = Cup::new(field, Orders::One);
        for _ in 0..3 * field {
            cup.play_at_random(&mut luck);
        }
        // And evenly: nobody meets anybody much more often than others.
        let mut met = vec![0; field * field];
        cup.before
            .iter()
            .flat_map(|played| &played.round.meetings)
            .map(pair)
            .for_each(|(one, other)| met[one * field + other] += 1);
        assert!(met.iter().all(|&count| count <= 3 + 3), "{field} bots met {met:?}");
    }
}

/// How long a round takes: printed, and far below what would be a nuisance.
#[test]
#[ignore = "a deep test: run it with an optimised build"]
fn deep_four_hundred_bots_are_paired_in_seconds() {
    for (field, orders) in [(100, Orders::Turns), (200, Orders::Turns), (400, Orders::Turns), (400, Orders::One)] {
        let mut luck = luck("many");
        let mut cup = Cup::new(field, orders);
        let mut longest = std::time::Duration::ZERO;
        for _ in 0..9 {
            let start = Instant::now();
            let round = cup.next();
            longest = longest.max(start.elapsed());
            // The higher seed wins more often.
            cup.play(round, |meeting| {
                let seeds = meeting.seats.map(|bot| i64::from(bot.0));
                let favoured = (seeds[Seat::new(1)] - seeds[Seat::new(0)]) * 30 / field as i64;
                let game =
                    |luck: &mut Draws| u64::from((i64::from(luck.below(100)) + favoured).clamp(0, 99) as u32 / 34);
                (0..orders.games(2)).map(|_| game(&mut luck)).sum()
            });
        }
        println!("{field} bots, {orders:?}: {longest:?} for the longest of nine rounds");
        assert!(longest.as_secs() < 30);
    }
}
