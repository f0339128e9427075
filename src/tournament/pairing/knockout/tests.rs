use proptest::prelude::*;

use super::*;
use crate::tournament::played::HalfPoints;

const RULES: Knockout = Knockout { sets: 2, extra_sets: 2, third_place: true };

/// Plays rounds until the event is over, each bot winning as many points of each set as `strength` says.
fn play(rules: &Knockout, field: usize, strength: impl Fn(Entrant, usize) -> u64) -> (Vec<RoundPlayed>, Bracket) {
    let mut before = Vec::new();
    loop {
        let bracket = Bracket::of(rules, field, &before);
        let Some(round) = bracket.clone().next_round() else { return (before, bracket) };
        let number = before.len();
        let points = |meeting: &Meeting| meeting.seats.map(|&bot| HalfPoints(strength(bot, number)));
        let points = round.meetings.iter().map(points).collect();
        before.push(RoundPlayed { round, points });
    }
}

fn seats(round: &Round) -> Vec<Vec<u16>> {
    round.meetings.iter().map(|meeting| meeting.seats.iter().map(|bot| bot.0 + 1).collect()).collect()
}

/// The higher seed is the stronger.
fn as_seeded(bot: Entrant, _: usize) -> u64 {
    100_000 - u64::from(bot.0)
}

#[test]
fn a_bracket_of_eight_stands_as_usual() {
    let (before, bracket) = play(&RULES, 8, as_seeded);
    let rounds: Vec<_> = before.iter().map(|played| seats(&played.round)).collect();
    let (quarters, semis) = (vec![vec![1, 8], vec![4, 5], vec![2, 7], vec![3, 6]], vec![vec![1, 4], vec![2, 3]]);
    assert_eq!(rounds, [quarters, semis, vec![vec![3, 4], vec![1, 2]]]);
    assert!(before.iter().all(|played| played.round.sets == 2 && played.round.byes.is_empty()));
    let places: Vec<_> = Entrant::field(8).map(|bot| bracket.place(bot).unwrap()).collect();
    assert_eq!(places, [1, 2, 3, 4, 5, 5, 5, 5]);
    assert_eq!(bracket.duels.last().unwrap().stage, Stage::Of(2));
    assert_eq!(bracket.duels[6].stage, Stage::ThirdPlace);
}

#[test]
fn sixteen_begin_so_that_favourites_meet_late() {
    let round = Bracket::of(&RULES, 16, &[]).next_round().unwrap();
    let first: Vec<Vec<u16>> =
        [[1, 16], [8, 9], [4, 13], [5, 12], [2, 15], [7, 10], [3, 14], [6, 11]].map(Vec::from).into();
    assert_eq!(seats(&round), first);
}

#[test]
fn top_seeds_have_the_byes() {
    let round = Bracket::of(&RULES, 5, &[]).next_round().unwrap();
    assert_eq!(seats(&round), [[4, 5]]);
    assert_eq!(round.byes, [Entrant(0), Entrant(1), Entrant(2)]);
    let (before, bracket) = play(&RULES, 5, as_seeded);
    assert_eq!(seats(&before[1].round), [[1, 4], [2, 3]]);
    assert!(before[1].round.byes.is_empty());
    assert_eq!(bracket.duels[0].won, Some(Won { by: Entrant(0), how: How::Bye }));
    let places: Vec<_> = Entrant::field(5).map(|bot| bracket.place(bot).unwrap()).collect();
    assert_eq!(places, [1, 2, 3, 4, 5]);
}

#[test]
fn without_a_match_for_it_the_third_place_is_shared() {
    let (before, bracket) = play(&Knockout { third_place: false, ..RULES }, 4, as_seeded);
    assert_eq!(seats(&before[1].round), [[1, 2]]);
    let places: Vec<_> = Entrant::field(4).map(|bot| bracket.place(bot).unwrap()).collect();
    assert_eq!(places, [1, 2, 3, 3]);
    // With three bots, one semifinal is a bye, and who loses the other is third.
    let (before, bracket) = play(&RULES, 3, as_seeded);
    assert_eq!(seats(&before[1].round), [[1, 2]]);
    assert_eq!(bracket.place(Entrant(2)), Some(3));
}

#[test]
fn those_who_are_level_play_on_alone_and_with_turned_seats() {
    // In the first round 2 and 3 are level, and 1 and 4 are not; after two further sets they still are.
    let strength = |bot: Entrant, round| if round == 0 && bot == Entrant(3) { 1 } else { 4 };
    let (before, bracket) = play(&RULES, 4, strength);
    let rounds: Vec<_> = before.iter().map(|played| (seats(&played.round), played.round.sets)).collect();
    // Two sets, then one and one: the seats turn each time.
    assert_eq!(rounds[0], (vec![vec![1, 4], vec![2, 3]], 2));
    assert_eq!(rounds[1], (vec![vec![2, 3]], 1));
    assert_eq!(rounds[2], (vec![vec![3, 2]], 1));
    assert_eq!(rounds[3], (vec![vec![3, 4], vec![1, 2]], 2));
    assert_eq!(rounds.len(), 6);
    let won: Vec<_> = bracket.duels.iter().map(|duel| duel.won.unwrap()).collect();
    assert_eq!(won[0], Won { by: Entrant(0), how: How::Points });
    assert_eq!(won[1], Won { by: Entrant(1), how: How::HigherSeed });
    assert_eq!(won[3], Won { by: Entrant(0), how: How::HigherSeed });
}

#[test]
fn a_further_set_that_is_won_decides() {
    let strength = |bot: Entrant, round| u64::from(round == 2 && bot == Entrant(1));
    let (before, bracket) = play(&Knockout { third_place: false, ..RULES }, 2, strength);
    assert_eq!(before.len(), 3);
    assert_eq!(bracket.duels[0].won, Some(Won { by: Entrant(1), how: How::FurtherSet(2) }));
    assert_eq!((bracket.place(Entrant(0)), bracket.place(Entrant(1))), (Some(2), Some(1)));
}

#[test]
fn without_further_sets_the_higher_seed_wins_at_once() {
    let rules = Knockout { sets: 1, extra_sets: 0, third_place: false };
    let (before, bracket) = play(&rules, 2, |_, _| 3);
    assert_eq!(before.len(), 1);
    assert_eq!(bracket.duels[0].won, Some(Won { by: Entrant(0), how: How::HigherSeed }));
}

#[test]
fn nobody_has_a_place_before_it_is_out_or_has_won() {
    let (before, _) = play(&RULES, 4, as_seeded);
    let bracket = Bracket::of(&RULES, 4, &before[..1]);
    let places: Vec<_> = Entrant::field(4).map(|bot| bracket.place(bot)).collect();
    // The losers of the semifinals may still become third.
    assert_eq!(places, [None, None, Some(3), Some(3)]);
}

#[test]
#[should_panic(expected = "a round of this knockout was paired otherwise")]
fn rounds_of_another_event_are_no_history() {
    let (before, _) = play(&RULES, 8, as_seeded);
    Bracket::of(&RULES, 7, &before[..1]);
}

proptest! {
    #[test]
    fn everybody_but_one_loses_once(field in 2..70usize, points in prop::collection::vec(0..3u64, 512), third_place: bool) {
        let rules = Knockout { sets: 1, extra_sets: 1, third_place };
        let (before, bracket) = play(&rules, field, |bot, round| points[(bot.index() * 7 + round * 31) % points.len()]);
        let duels: Vec<&Duel> = bracket.duels.iter().filter(|duel| duel.stage != Stage::ThirdPlace).collect();
        let mut losers: Vec<Entrant> = duels.iter().filter_map(|duel| duel.loser()).collect();
        prop_assert_eq!(losers.len(), field - 1);
        losers.sort();
        losers.dedup();
        prop_assert_eq!(losers.len(), field - 1, "somebody lost twice");
        // As many byes as places are empty, all in the first round and of the first seeds.
        let byes: Vec<Entrant> = before.iter().flat_map(|played| played.round.byes.clone()).collect();
        prop_assert_eq!(byes.len(), field.next_power_of_two() - field);
        prop_assert!(byes.iter().all(|bot| bot.index() < byes.len()));
        prop_assert!(before[1..].iter().all(|played| played.round.byes.is_empty()));
        // The places are those of one to all, where those who share one leave as many free behind it.
        let mut places: Vec<usize> = Entrant::field(field).map(|bot| bracket.place(bot).unwrap()).collect();
        places.sort_unstable();
        for (ahead, &place) in places.iter().enumerate() {
            prop_assert_eq!(place, places.iter().position(|other| *other == place).unwrap() + 1, "{} ahead", ahead);
        }
        let again = Bracket::of(&rules, field, &before);
        prop_assert_eq!(again, bracket);
    }
}
