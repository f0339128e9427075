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
    out: BTreeSet<Entrant>,
}

impl Cup {
    fn new(field: usize, orders: Orders) -> Cup {
        Cup { field, orders, before: Vec::new(), out: BTreeSet::new() }
    }

    fn next(&self) -> Round {
        round(self.field, 1, self.orders, &self.before, &self.out)
    }

    /// Who is not out.
    fn inside(&self) -> Vec<usize> {
        (0..self.field).filter(|bot| !self.out.contains(&Entrant(*bot as u16))).collect()
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

    /// How often these two met.
    fn met(&self, bots: (usize, usize)) -> usize {
        self.before.iter().flat_map(|played| &played.round.meetings).filter(|meeting| pair(meeting) == bots).count()
    }

    fn byes(&self, bot: usize) -> usize {
        self.before.iter().filter(|played| played.round.byes.contains(&Entrant(bot as u16))).count()
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
            (_, [.., one, last]) if one == last => Some(-last),
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

#[test]
fn who_is_out_rests_and_the_others_are_paired_as_if_it_were_not_there() {
    let mut cup = Cup::new(8, Orders::One);
    cup.play(cup.next(), |meeting| if meeting.seats[Seat::new(0)] < meeting.seats[Seat::new(1)] { 2 } else { 0 });
    cup.out.extend([Entrant(0), Entrant(6)]);
    // 2, 3 and 4 won; 5, 6 and 8 lost. 4 floats to 6, who had the first seat, as 4 had not.
    let round = cup.next();
    assert_eq!(told(&round), "2-3 4-6 5-8");
    cup.play(round, |_| 2);
    cup.out.insert(Entrant(5));
    // Five are left, of whom 8 has nothing yet. Seats alternate.
    assert_eq!(told(&cup.next()), "4-2 3-5 8");
}

/// A round of which only the points are known, meetings first.
fn played(pairs: &[([u16; 2], [u64; 2])]) -> RoundPlayed {
    let meetings = pairs.iter().map(|(bots, _)| Meeting::of(bots.map(|bot| Entrant(bot - 1)))).collect();
    let points = pairs.iter().map(|(_, points)| BySeat::collect(points.map(HalfPoints))).collect();
    RoundPlayed { round: Round { meetings, sets: 1, byes: Vec::new() }, points }
}

#[test]
fn who_floated_down_meets_the_highest_and_the_first_of_them_before_others() {
    let next = |before: RoundPlayed, orders| {
        let field = 2 * before.points.len();
        told(&round(field, 1, orders, &[before], &BTreeSet::new()))
    };
    // 1 and 2 lead and have met. One of them meets 3, and the other 4, who has fewer points than 3.
    let before = played(&[([1, 2], [2, 2]), ([3, 4], [1, 0])]);
    assert_eq!(next(before, Orders::Turns), "3-1 2-4");
    // 3 leads alone, and meets the first of the next: not 4, whom it has met.
    let before = played(&[([3, 4], [4, 3]), ([1, 2], [3, 3]), ([5, 6], [3, 3])]);
    assert_eq!(next(before, Orders::Turns), "1-3 2-5 4-6");
}

/// All bots level, after rounds in which these met.
fn level(field: usize, rounds: &[Vec<[u16; 2]>]) -> Vec<usize> {
    let before: Vec<RoundPlayed> =
        rounds.iter().map(|round| played(&round.iter().map(|&bots| (bots, [2, 2])).collect::<Vec<_>>())).collect();
    assert!(before.iter().all(|played| 2 * played.points.len() == field));
    let pairs: Vec<(usize, usize)> =
        round(field, 1, Orders::Turns, &before, &BTreeSet::new()).meetings.iter().map(pair).collect();
    assert!(pairs.iter().all(|(one, other)| *one < field / 2 && *other >= field / 2), "{pairs:?}");
    pairs.iter().map(|(_, lower)| lower + 1).collect()
}

#[test]
fn the_first_of_the_top_half_meets_the_highest_that_it_can_whatever_that_is_for_others() {
    // 2 has met 6 and 7, so it meets 8 rather than 1 give way to it.
    let rounds = [vec![[2, 6], [1, 3], [4, 5], [7, 8]], vec![[2, 7], [1, 4], [3, 5], [6, 8]]];
    assert_eq!(level(8, &rounds), [5, 8, 6, 7]);
}

#[test]
fn in_large_groups_rivals_are_half_a_group_apart() {
    // In three rounds, each of these met the one half a group further down and that one's neighbours.
    let stuck = [12, 14, 16, 18];
    let rounds = [20, 21, 19].map(|further| {
        let met = stuck.map(|bot| [bot, bot + further]);
        let others: Vec<u16> = (1..=40).filter(|bot| !met.as_flattened().contains(bot)).collect();
        [met.to_vec(), others.chunks(2).map(|pair| [pair[0], pair[1]]).collect()].concat()
    });
    let apart = |place: usize, rival: usize| (rival as i32 - place as i32 - 21).pow(2);
    let rivals = level(40, &rounds);
    let found: i32 = rivals.iter().enumerate().map(|(place, &rival)| apart(place, rival)).sum();
    // The least there can be, by a matching that knows of nothing else.
    let mut closeness = vec![0; 40 * 40];
    for place in 0..20 {
        for rival in 21..=40 {
            let met = rounds.iter().flatten().any(|pair| *pair == [place as u16 + 1, rival as u16]);
            closeness[place * 40 + rival - 1] = if met { 0 } else { 10_000 - apart(place, rival) };
        }
    }
    let closest = max_weight_matching(&closeness, 40);
    let least: i32 = (0..20).map(|place| apart(place, closest[place].unwrap() + 1)).sum();
    assert_eq!(found, least, "{rivals:?}");
}

/// What the first four respects say about a round, from nothing but what was played: rematches, and how often these had
/// met; whether the bye is one again, and its points; squares of differences in points; pairs that both must have the
/// same seat.
type Worth = ((usize, usize), (usize, u64), u64, usize);

/// What decides about the next round.
struct Facts {
    points: Vec<u64>,
    byes: Vec<usize>,
    /// How often two bots met, the lower number first.
    met: Vec<Vec<usize>>,
    /// The seat that each bot must have, if it must.
    must: Vec<Option<i64>>,
}

impl Facts {
    fn of(cup: &Cup) -> Facts {
        let field = 0..cup.field;
        Facts {
            points: cup.points(),
            byes: field.clone().map(|bot| cup.byes(bot)).collect(),
            met: field.clone().map(|one| field.clone().map(|other| cup.met((one, other))).collect()).collect(),
            must: if cup.orders == Orders::One { cup.must_sit() } else { vec![None; cup.field] },
        }
    }

    fn worth(&self, pairs: &[(usize, usize)], bye: Option<usize>) -> Worth {
        let met = || pairs.iter().map(|&(one, other)| self.met[one][other]);
        let apart = |&(one, other): &(usize, usize)| self.points[one].abs_diff(self.points[other]).pow(2);
        let both_must = |pair: &&(usize, usize)| self.must[pair.0].is_some() && self.must[pair.0] == self.must[pair.1];
        (
            (met().filter(|&times| times > 0).count(), met().sum()),
            bye.map_or((0, 0), |bot| (self.byes[bot], self.points[bot])),
            pairs.iter().map(apart).sum(),
            pairs.iter().filter(both_must).count(),
        )
    }

    fn worth_of(&self, round: &Round) -> Worth {
        let pairs: Vec<_> = round.meetings.iter().map(pair).collect();
        self.worth(&pairs, round.byes.first().map(|bot| bot.index()))
    }

    /// The best that any way to pair these bots has, found by trying them all.
    fn best(&self, left: &[usize], pairs: &mut Vec<(usize, usize)>, bye: Option<usize>) -> Worth {
        let Some((&first, rest)) = left.split_first() else { return self.worth(pairs, bye) };
        let mut found = Vec::new();
        for (place, &rival) in rest.iter().enumerate() {
            pairs.push((first, rival));
            found.push(self.best(&[&rest[..place], &rest[place + 1..]].concat(), pairs, bye));
            pairs.pop();
        }
        if left.len() % 2 == 1 {
            found.push(self.best(rest, pairs, Some(first)));
        }
        found.into_iter().min().expect("somebody is left")
    }
}

impl Facts {
    /// Whether a round without a rematch and without a second bye can be paired at all.
    fn allow_only_first_meetings(&self) -> bool {
        let field = self.points.len();
        let places = field.next_multiple_of(2);
        let mut may_meet = vec![0i32; places * places];
        for other in 0..places {
            for one in 0..other {
                let times = if other < field { self.met[one][other] } else { self.byes[one] };
                may_meet[one * places + other] = i32::from(times == 0);
            }
        }
        max_weight_matching(&may_meet, places).iter().all(Option::is_some)
    }
}

/// Plays a cup of so many rounds, each of them compared with all other ways to pair it. Where seats matter, most games are
/// drawn, so that large groups have equal points and seats decide. Before a round somebody may be disqualified.
fn no_way_is_better(field: usize, orders: Orders, rounds: usize, leave: bool, luck: &mut Draws) {
    let mut cup = Cup::new(field, orders);
    for _ in 0..rounds {
        let inside = cup.inside();
        if leave && inside.len() > 2 && luck.below(3) == 0 {
            cup.out.insert(Entrant(inside[luck.below(inside.len() as u32) as usize] as u16));
        }
        let (facts, round) = (Facts::of(&cup), cup.next());
        let best = facts.best(&cup.inside(), &mut Vec::new(), None);
        assert_eq!(facts.worth_of(&round), best, "{}", told(&round));
        match orders {
            Orders::One => cup.play(round, |_| [1, 1, 1, 1, 1, 0, 2][luck.below(7) as usize]),
            _ => cup.play_at_random(luck),
        }
    }
}

#[test]
fn no_other_way_to_pair_a_small_field_is_better() {
    let mut luck = luck("small fields");
    for number in 0..200 {
        let field = 3 + number % 6;
        // Until some time after everybody has met everybody.
        no_way_is_better(
            field,
            if number % 4 < 3 { Orders::Turns } else { Orders::One },
            field + 2,
            number % 5 == 0,
            &mut luck,
        );
    }
}

/// The same with ten bots, and with nine and a bye: 945 ways.
#[test]
fn no_other_way_to_pair_ten_bots_is_better() {
    let mut luck = luck("ten bots");
    for number in 0..12 {
        let field = 9 + number % 2;
        no_way_is_better(field, if number % 4 < 2 { Orders::Turns } else { Orders::One }, field - 1, false, &mut luck);
    }
}

/// Plays a cup of so many rounds at random, each of them looked at.
fn every_round_is_sound(field: usize, orders: Orders, rounds: usize, luck: &mut Draws) {
    let mut cup = Cup::new(field, orders);
    for number in 0..rounds {
        let (facts, round) = (Facts::of(&cup), cup.next());
        let mut bots: Vec<Entrant> = round.meetings.iter().flat_map(|meeting| meeting.seats.clone()).collect();
        bots.extend(&round.byes);
        bots.sort();
        assert_eq!(bots, Entrant::field(field).collect::<Vec<_>>());
        assert_eq!((round.byes.len(), round.sets), (field % 2, 1));

        let ((rematches, _), (byes, points), _, must_both) = facts.worth_of(&round);
        if facts.allow_only_first_meetings() {
            assert_eq!((rematches, byes), (0, 0), "round {number} of {field}: {}", told(&round));
        }
        // Everybody has half of the field left to meet: nothing is in the way of the bye that is due.
        if number < (field / 2).saturating_sub(1) && !round.byes.is_empty() {
            assert_eq!((rematches, byes), (0, 0), "round {number} of {field}: {}", told(&round));
            let due = (0..field).filter(|&bot| facts.byes[bot] == 0).map(|bot| facts.points[bot]).min();
            assert_eq!(Some(points), due, "round {number} of {field}: {}", told(&round));
        }
        // Of two that must have the same seat, one does not get it, and nobody else.
        let seats = round.meetings.iter().flat_map(|meeting| meeting.seats.seats());
        let denied = seats.filter(|(seat, bot)| facts.must[bot.index()] == Some(2 * seat.index() as i64 - 1));
        assert_eq!(denied.count(), must_both, "round {number} of {field}: {}", told(&round));
        cup.play_at_random(luck);
    }
    let all: u64 = cup.points().iter().sum();
    let of_each = bye_points(1, orders).0;
    assert_eq!(all, rounds as u64 * field.div_ceil(2) as u64 * of_each, "a bye gives as much as a meeting");
    assert_eq!(cup.next(), cup.next(), "the same question has the same answer");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn every_round_of_every_swiss_is_sound(field in 2..=40usize, one: bool, seed in "[a-z]{8}") {
        let orders = if one { Orders::One } else { Orders::Turns };
        every_round_is_sound(field, orders, (field - 1).min(7), &mut luck(&seed));
    }

    /// Where what is left to meet gets scarce.
    #[test]
    fn small_fields_play_all_rounds_that_there_are(field in 2..=14usize, one: bool, seed in "[a-z]{8}") {
        every_round_is_sound(field, if one { Orders::One } else { Orders::Turns }, field - 1, &mut luck(&seed));
    }
}

#[test]
#[ignore = "a deep test: run it with an optimised build"]
fn deep_every_round_of_many_a_swiss_is_sound() {
    let mut luck = luck("deep");
    for number in 0..150 {
        let field = 2 + luck.below(39) as usize;
        let orders = if number % 2 == 0 { Orders::One } else { Orders::Turns };
        every_round_is_sound(field, orders, field - 1, &mut luck);
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
        let pairs = (0..field).flat_map(|other| (0..other).map(move |one| (one, other)));
        let met: Vec<usize> = pairs.map(|pair| cup.met(pair)).collect();
        let (least, most) = (met.iter().min().unwrap(), met.iter().max().unwrap());
        assert!(most - least <= 2, "{field} bots met {met:?}");
    }
}

/// How long a round takes: printed, and far below what would be a nuisance.
#[test]
#[ignore = "a deep test: run it with an optimised build"]
fn deep_four_hundred_bots_are_paired() {
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
    }
}
