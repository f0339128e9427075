use proptest::prelude::*;

use super::super::sample::{forfeited, game};
use super::*;
use crate::record::course::Course;

fn sprt(elo0: f64, elo1: f64, model: Model) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
}

#[test]
fn ratios_come_out_as_in_the_tests_of_fastchess() {
    // app/tests/sprt_test.cpp there: losses, draws, wins; then pairs from the worst to the best.
    use Model::{Logistic, Normalized};
    let cases: [(f64, f64, Model, &[u64], f64); 8] = [
        (0.0, 2.0, Normalized, &[36027, 68692, 36433], 0.92),
        (-1.75, 0.25, Normalized, &[10650, 20431, 10871], 2.30),
        (0.5, 2.5, Logistic, &[21184, 40708, 21404], -1.57),
        (0.0, 2.0, Logistic, &[57030, 106593, 57433], -2.59),
        (0.0, 2.0, Normalized, &[365, 16618, 36029 + 200, 16974, 390], 2.25),
        (-1.75, 0.25, Normalized, &[127, 4883, 10311 + 401, 5150, 104], 3.01),
        (0.5, 2.5, Logistic, &[223, 9863, 20279 + 1000, 10037, 246], -3.07),
        (0.0, 2.0, Logistic, &[871, 26175, 55003 + 980, 26678, 821], -4.98),
    ];
    for (elo0, elo1, model, counts, published) in cases {
        let found = sprt(elo0, elo1, model).llr(counts).unwrap();
        assert!((found - published).abs() < 0.006, "{counts:?}: {found} {published}");
    }
}

#[test]
fn the_bounds_are_walds() {
    let (low, high) = sprt(0.0, 2.0, Model::Normalized).bounds();
    assert!((low + 19f64.ln()).abs() < 1e-12 && (high - 19f64.ln()).abs() < 1e-12);
    let uneven = Sprt::new(0.0, 2.0, 0.05, 0.10, Model::Normalized).unwrap();
    assert!((uneven.bounds().0 - (0.1f64 / 0.95).ln()).abs() < 1e-12);
    assert!((uneven.bounds().1 - (0.9f64 / 0.05).ln()).abs() < 1e-12);
    assert_eq!(uneven.verdict(2.9), Some(Verdict::H1));
    assert_eq!(uneven.verdict(-2.3), Some(Verdict::H0));
    assert_eq!(uneven.verdict(2.8), None);
}

#[test]
fn tests_that_make_no_sense_are_refused_in_words() {
    let words = |elo0, elo1, alpha, beta, model| Sprt::new(elo0, elo1, alpha, beta, model).unwrap_err().to_string();
    assert_eq!(words(2.0, 2.0, 0.05, 0.05, Model::Logistic), "elo0 must be less than elo1, and they are 2 and 2");
    assert_eq!(
        words(0.0, 0.5, 0.05, 0.5, Model::Logistic),
        "alpha and beta must be above 0 and below 0.5, and one is 0.5"
    );
    assert!(words(0.0, 0.5, f64::NAN, 0.05, Model::Logistic).ends_with("one is NaN"));
    assert_eq!(
        words(0.0, 201.0, 0.05, 0.05, Model::Normalized),
        "elo0 and elo1 must lie between -200 and 200 in this model, and one is 201"
    );
    assert!(words(f64::NAN, 0.5, 0.05, 0.05, Model::Logistic).ends_with("one is NaN"));
    assert!(Sprt::new(0.0, 201.0, 0.05, 0.05, Model::Logistic).is_ok());
}

/// The two games of a set, as what the first bot made of them: 0, 1 or 2 half points each.
fn set(number: u64, here: u8, there: u8) -> Vec<Played> {
    let ranks = |half_points: u8| [[2, 1], [1, 1], [1, 2]][usize::from(half_points)];
    let turned = ranks(there).into_iter().rev().collect::<Vec<u8>>();
    vec![
        Played { set: number, ..game(2 * number - 1, &[0, 1], &ranks(here)) },
        Played { set: number, ..game(2 * number, &[1, 0], &turned) },
    ]
}

#[test]
fn the_test_stops_at_the_first_set_that_decides_and_waits_for_gaps() {
    let test = sprt(0.0, 100.0, Model::Normalized);
    let sets: Vec<Vec<Played>> = (1..=60).map(|number| set(number, 2, if number % 7 == 0 { 0 } else { 2 })).collect();
    let all = sets.concat();
    let stop = test.stop(Entrant(0), Unit::Pairs, &all).unwrap();
    assert_eq!(stop.verdict, Verdict::H1);
    assert_eq!(test.stop(Entrant(1), Unit::Pairs, &all).unwrap().verdict, Verdict::H0, "the rival is not better");
    // One set earlier it goes on, and with a gap before the end too; the order of what is there does not matter.
    let mut up_to: Vec<Played> = sets[..stop.set as usize].concat();
    up_to.reverse();
    assert_eq!(test.stop(Entrant(0), Unit::Pairs, &up_to), Some(stop));
    assert_eq!(test.stop(Entrant(0), Unit::Pairs, &sets[..stop.set as usize - 1].concat()), None);
    let gap: Vec<Played> = all.iter().filter(|game| game.set != stop.set).cloned().collect();
    assert_eq!(test.stop(Entrant(0), Unit::Pairs, &gap), None);
    // The ratio at the stop is that of the counts there.
    let mut running = Running::new(test, Entrant(0), Unit::Pairs);
    let stopped = sets.iter().find_map(|set| running.take(set));
    assert_eq!((stopped, running.sets(), Some(running.llr())), (Some(stop), stop.set, test.llr(running.counts())));
    assert_eq!(running.counts().iter().sum::<u64>(), stop.set);
    assert_eq!(running.take(&sets[59]), Some(stop), "it stays stopped");
}

#[test]
fn the_same_pair_over_and_over_proves_nothing() {
    let test = sprt(0.0, 100.0, Model::Logistic);
    let again: Vec<Played> = (1..=500)
        .flat_map(|number| set(number, 2, 2).into_iter().zip(["a", "b"]))
        .map(|(game, course)| Played { course: Course::of(course), ..game })
        .collect();
    assert_eq!(test.stop(Entrant(0), Unit::Pairs, &again), None);
}

#[test]
fn a_void_game_leaves_its_set_out_but_does_not_hold_the_test_up() {
    let test = sprt(0.0, 100.0, Model::Logistic);
    let mut sets: Vec<Vec<Played>> = (1..=60).map(|number| set(number, 2, 2)).collect();
    let undisturbed = test.stop(Entrant(0), Unit::Pairs, &sets.concat()).unwrap();
    sets[0][1].result = crate::record::outcome::GameResult::Void;
    let stop = test.stop(Entrant(0), Unit::Pairs, &sets.concat()).unwrap();
    assert_eq!(stop, Stop { set: undisturbed.set + 1, ..undisturbed });
}

#[test]
fn games_lost_by_disqualification_alone_prove_nothing() {
    let test = sprt(0.0, 100.0, Model::Logistic);
    for unit in [Unit::Pairs, Unit::Games] {
        let all: Vec<Played> = (1..=60).flat_map(|number| set(number, 2, 2)).collect();
        assert!(test.stop(Entrant(0), unit, &all).is_some());
        let loser = |game: &Played| usize::from(game.seats[Seat::new(0)] == Entrant(0));
        let forfeits: Vec<Played> = all.into_iter().map(|game| forfeited(game.clone(), loser(&game))).collect();
        assert_eq!(test.stop(Entrant(0), unit, &forfeits), None);
    }
}

#[test]
fn single_games_are_counted_where_there_are_no_pairs() {
    let test = sprt(0.0, 200.0, Model::Logistic);
    let all: Vec<Played> = (1..=80)
        .map(|number| if number % 2 == 0 { game(number, &[0, 1], &[1, 2]) } else { game(number, &[1, 0], &[2, 1]) })
        .collect();
    let stop = test.stop(Entrant(0), Unit::Games, &all).unwrap();
    assert_eq!(stop.verdict, Verdict::H1);
    let wins = stop.set;
    assert!(test.llr(&[0, 0, wins]).unwrap() >= 19f64.ln() && test.llr(&[0, 0, wins - 1]).unwrap() < 19f64.ln());
}

/// Whole numbers that look random: splitmix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[test]
fn it_errs_about_as_often_as_it_may() {
    // Pairs of independent games without draws, exactly as strong as each hypothesis says: 120 matches each.
    let test = sprt(0.0, 120.0, Model::Logistic);
    for (elo, right) in [(0.0, Verdict::H0), (120.0, Verdict::H1)] {
        let mut state = 7;
        let mut wrong = 0;
        for _ in 0..120 {
            let mut counts = [0u64; 5];
            let verdict = loop {
                let mut drawn = || (random(&mut state) >> 11) as f64 / (1u64 << 53) as f64;
                let mut wins = || usize::from(score_at(elo) > drawn());
                counts[2 * (wins() + wins())] += 1;
                if let Some(verdict) = test.verdict(test.llr(&counts).unwrap()) {
                    break verdict;
                }
            };
            wrong += u64::from(verdict != right);
        }
        // 6 are to be expected; more than 15 come once in ten thousand times.
        assert!(wrong <= 15, "{wrong} of 120 at {elo}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_ratio_is_a_number_and_grows_with_better_results(
        counts in proptest::collection::vec(prop_oneof![Just(0u64), 1..40u64, 1000..100_000u64], 5),
        elo0 in -200.0..199.0f64,
        wide in 0.5..50.0f64,
        is_normalized in any::<bool>(),
    ) {
        let model = if is_normalized { Model::Normalized } else { Model::Logistic };
        let test = sprt(elo0, (elo0 + wide).min(200.0), model);
        for counts in [&counts[..], &counts[..3]] {
            let llr = test.llr(counts);
            prop_assert!(llr.is_some_and(f64::is_finite), "{:?}", llr);
        }
        let mut better = counts.clone();
        *better.last_mut().unwrap() += 1;
        if !is_normalized {
            prop_assert!(test.llr(&better).unwrap() >= test.llr(&counts).unwrap() - 1e-6);
        }
    }

    #[test]
    fn turned_round_the_test_says_the_opposite(
        counts in proptest::collection::vec(0..200u64, 5),
        elo in 1.0..100.0f64,
        is_normalized in any::<bool>(),
    ) {
        let model = if is_normalized { Model::Normalized } else { Model::Logistic };
        let turned: Vec<u64> = counts.iter().rev().copied().collect();
        let test = sprt(-elo, elo, model);
        let sum = test.llr(&counts).unwrap() + test.llr(&turned).unwrap();
        prop_assert!(sum.abs() < 1e-4, "{}", sum);
    }
}
