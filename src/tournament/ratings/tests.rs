use proptest::prelude::*;

use super::sample::{game, games};
use super::*;
use crate::record::course::Course;

/// The likeliest strengths of a field with next to no prior, counted from the first bot, and the standard error of each
/// difference to it.
fn exact(field: usize, games: &[Played]) -> (Vec<f64>, Vec<f64>) {
    let mut choices = Choices::default();
    decided(games)
        .into_iter()
        .for_each(|(game, ranks)| choices.add(game.seats.iter().copied().zip(ranks.iter().copied()), 1));
    let group: Vec<Entrant> = Entrant::field(field).collect();
    let likelihood = Likelihood::new(&choices, &group, 1e-9);
    let logs = likelihood.maximum();
    // Something has to hold the mean; differences do not feel it.
    let mut curvature = likelihood.curvature(&logs);
    curvature.iter_mut().flatten().for_each(|entry| *entry += 1.0);
    let spread = Spread::of(curvature.len(), || curvature).unwrap();
    let errors = (1..field).map(|bot| spread.of_difference(0, bot).unwrap().sqrt()).collect();
    (logs.iter().map(|log| log - logs[0]).collect(), errors)
}

#[test]
fn the_citations_of_four_journals_come_out_as_published() {
    // Turner and Firth, “Bradley-Terry models in R”, Journal of Statistical Software 48/9 (2012), section 2.1; the
    // counts are Stigler's. Biometrika, Communications in Statistics, JASA, JRSS-B: who is cited wins.
    let cited = [[714, 730, 498, 221], [33, 425, 68, 17], [320, 813, 1072, 142], [284, 276, 325, 188]];
    let mut all = Vec::new();
    for (winner, row) in cited.iter().enumerate() {
        for (loser, &count) in row.iter().enumerate().filter(|&(loser, _)| loser != winner) {
            all.extend((0..count).map(|_| game(0, &[winner as u16, loser as u16], &[1, 2])));
        }
    }
    let (logs, errors) = exact(4, &all);
    for (found, published) in logs.iter().zip([0.0, -2.94907, -0.47957, 0.26895]) {
        assert!((found - published).abs() < 1e-5, "{found} {published}");
    }
    for (found, published) in errors.iter().zip([0.10255, 0.06059, 0.07083]) {
        assert!((found - published).abs() < 1e-5, "{found} {published}");
    }
}

#[test]
fn two_bots_differ_by_what_their_score_says() {
    let mut all = games(&[(&[0u16, 1][..], &[1u8, 2][..]); 9]);
    all.push(game(10, &[0, 1], &[2, 1]));
    let (logs, errors) = exact(2, &all);
    assert!((logs[1] + 9f64.ln()).abs() < 1e-9, "nine to one");
    assert!((errors[0] - (1.0f64 / (10.0 * 0.9 * 0.1)).sqrt()).abs() < 1e-9);
    let ratings = rate(2, &all);
    let [Some(first), Some(second)] = ratings.elo[..] else { panic!("{ratings:?}") };
    // The prior takes off a little, and the mean is 0.
    assert!((first.value - 190.85).abs() < 3.0, "{first:?}");
    assert!((first.value + second.value).abs() < 1e-9, "{second:?}");
    assert!((first.error.unwrap() - second.error.unwrap()).abs() < 1e-9);
    assert_eq!(ratings.by_strength, [Entrant(0), Entrant(1)]);
    let above = first.above_next.unwrap();
    assert!(above > 0.97 && above < 0.99, "{above}");
    assert_eq!(second.above_next, None);
}

#[test]
fn the_prior_is_a_tenth_of_a_drawn_game_against_an_average_bot() {
    // One game won: at its strength x, and -x of the rival, the slope 1 - p(2x) + 0.1 (1/2 - p(x)) is 0.
    let ratings = rate(2, &games(&[(&[0, 1], &[1, 2])]));
    let x = ratings.elo[0].unwrap().value / ELO_PER_NAT;
    let p = |x: f64| 1.0 / (1.0 + (-x).exp());
    assert!((1.0 - p(2.0 * x) + 0.1 * (0.5 - p(x))).abs() < 1e-9, "{x}");
    // And the variance of the difference is one over the curvature along it.
    let curvature = p(2.0 * x) * p(-2.0 * x) + 0.1 * p(x) * p(-x) / 2.0;
    let error = ratings.elo[0].unwrap().error.unwrap() / ELO_PER_NAT / scale::sigmas_95();
    assert!((2.0 * error - (1.0 / curvature).sqrt()).abs() < 1e-9, "{error}");
}

#[test]
fn a_ranking_of_three_is_two_choices() {
    // Each of three orders once: 0 1 2, 0 2 1 and 1 0 2. Then the strengths a, b, c solve 2 = 3a/(a+b+c) + a/(a+c) and
    // so on; the numbers are from an independent solution of these equations.
    let all = games(&[(&[0, 1, 2], &[1, 2, 3]), (&[0, 1, 2], &[1, 3, 2]), (&[1, 0, 2], &[1, 2, 3])]);
    let (logs, _) = exact(3, &all);
    let strength: Vec<f64> = logs.iter().map(|log| log.exp()).collect();
    let [a, b, c] = strength[..] else { unreachable!() };
    let total = a + b + c;
    assert!((3.0 * a / total + a / (a + c) - 3.0).abs() < 1e-9, "{strength:?}");
    assert!((3.0 * b / total + 2.0 * b / (b + c) - 2.0).abs() < 1e-9, "{strength:?}");
    assert!((3.0 * c / total + 2.0 * c / (b + c) + c / (a + c) - 1.0).abs() < 1e-9, "{strength:?}");
}

#[test]
fn glickmans_period_is_rated_as_he_does() {
    // His own example has rivals of known strength, which is how the crate is called here.
    use skillratings::Outcomes;
    use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};
    let rated = |rating, deviation| Glicko2Rating { rating, deviation, volatility: 0.06 };
    let played = [
        (rated(1400.0, 30.0), Outcomes::WIN),
        (rated(1550.0, 100.0), Outcomes::LOSS),
        (rated(1700.0, 300.0), Outcomes::LOSS),
    ];
    let new = glicko2_rating_period(&rated(1500.0, 200.0), &played, &Glicko2Config::new());
    assert!((new.rating - 1464.06).abs() < 0.02, "{new:?}");
    assert!((new.deviation - 151.52).abs() < 0.01, "{new:?}");
    assert!((new.volatility - 0.05999).abs() < 0.00001, "{new:?}");
}

#[test]
fn glicko_counts_a_table_of_three_as_each_against_each() {
    let ratings = rate(4, &games(&[(&[0, 1, 2], &[1, 2, 2])]));
    let of = |bot: usize| ratings.glicko[bot];
    assert_eq!(of(0), glicko::rate(Tally { wins: 2, draws: 0, losses: 0 }));
    assert_eq!(of(1), glicko::rate(Tally { wins: 0, draws: 1, losses: 1 }));
    assert_eq!(of(1), of(2));
    assert_eq!(of(3), None, "it did not play");
    // By hand from the paper: one game against an equal moves 1500 ± 350 by 162.
    let one = glicko::rate(Tally { wins: 1, draws: 0, losses: 0 }).unwrap();
    assert!((one.rating - 1662.31).abs() < 0.01 && (one.deviation - 290.32).abs() < 0.01, "{one:?}");
    // A draw with an equal moves nothing and tells as much; one with each outcome is three games.
    let drawn = glicko::rate(Tally { wins: 0, draws: 1, losses: 0 }).unwrap();
    assert!((drawn.rating - 1500.0).abs() < 1e-9 && (drawn.deviation - 290.32).abs() < 0.01, "{drawn:?}");
    let mixed = glicko::rate(Tally { wins: 1, draws: 1, losses: 1 }).unwrap();
    assert!((mixed.rating - 1500.0).abs() < 1e-9 && mixed.deviation < 230.0, "{mixed:?}");
}

#[test]
fn bots_without_games_and_groups_apart_have_no_elo() {
    let all = games(&[(&[0, 1], &[1, 2]), (&[2, 3], &[1, 2]), (&[3, 4], &[1, 2])]);
    let ratings = rate(6, &all);
    let rated: Vec<bool> = ratings.elo.iter().map(Option::is_some).collect();
    assert_eq!(rated, [false, false, true, true, true, false]);
    assert_eq!(ratings.by_strength, [Entrant(2), Entrant(3), Entrant(4)]);
    assert_eq!(rate(3, &[]), Ratings { elo: vec![None; 3], glicko: vec![None; 3], by_strength: vec![] });
}

#[test]
fn games_that_were_not_decided_say_nothing() {
    let mut all = games(&[(&[0, 1], &[1, 2]), (&[0, 1], &[2, 1]), (&[0, 1], &[2, 1])]);
    let before = rate(2, &all[..2]);
    all[2].result = GameResult::Void;
    assert_eq!(rate(2, &all), before);
    all[2].ranks = None;
    assert_eq!(rate(2, &all), before);
}

#[test]
fn a_game_played_again_moves_the_strength_but_narrows_no_interval() {
    let once = games(&[(&[0, 1], &[1, 2]), (&[0, 1], &[2, 1])]);
    let mut again = once.clone();
    again.extend((3..50).map(|number| Played {
        course: once[number as usize % 2].course,
        ..game(number, &[0, 1], if number % 2 == 0 { &[1, 2] } else { &[2, 1] })
    }));
    let of = |games: &[Played]| rate(2, games).elo[0].unwrap();
    assert!((of(&once).error.unwrap() - of(&again).error.unwrap()).abs() < 0.5, "{:?} {:?}", of(&once), of(&again));
    let fresh: Vec<Played> =
        again.iter().map(|game| Played { course: Course::of(&game.game.to_string()), ..game.clone() }).collect();
    assert!(of(&fresh).error.unwrap() < of(&once).error.unwrap() / 4.0);
    assert_eq!(of(&fresh).value, of(&again).value);
}

#[test]
fn who_never_won_and_who_never_lost_are_finite_and_move_the_others_little() {
    let mut all = Vec::new();
    for round in 0..20 {
        let number = 3 * round;
        let (first, second) = if round % 4 == 0 { (2, 1) } else { (1, 2) };
        all.push(game(number + 1, &[0, 1], &[first, second]));
        all.push(game(number + 2, &[0, 2], &[1, 2]));
        all.push(game(number + 3, &[2, 1], &[2, 1]));
    }
    let with = rate(3, &all);
    let without =
        rate(2, &all.iter().filter(|game| game.seats.iter().all(|bot| bot.0 < 2)).cloned().collect::<Vec<_>>());
    let value = |ratings: &Ratings, bot: usize| ratings.elo[bot].unwrap().value;
    let gap = (value(&with, 0) - value(&with, 1)) - (value(&without, 0) - value(&without, 1));
    assert!(gap.abs() < 2.0, "{gap}");
    assert!(value(&with, 2) < -500.0 && value(&with, 2) > -2000.0, "{:?}", with.elo[2]);
    assert!(with.elo[2].unwrap().error.unwrap() > 500.0);
}

#[test]
fn equal_results_give_equal_ratings_to_the_last_bit() {
    // A full round robin in which everybody wins against the next two and loses against the others: all have the same
    // points, by quite different ways.
    let mut all = Vec::new();
    for first in 0..5u16 {
        for step in 1..=2 {
            all.push(game(all.len() as u64 + 1, &[first, (first + step) % 5], &[1, 2]));
        }
    }
    let ratings = rate(5, &all);
    for elo in &ratings.elo {
        assert_eq!((elo.unwrap().value, elo.unwrap().error), (0.0, ratings.elo[0].unwrap().error));
    }
    assert!(
        ratings
            .by_strength
            .iter()
            .map(|bot| ratings.elo[bot.index()].unwrap().above_next)
            .take(4)
            .all(|above| above == Some(0.5))
    );
    assert_eq!(ratings.by_strength, Entrant::field(5).collect::<Vec<_>>());
}

#[test]
fn thousands_of_games_that_one_side_wins_stay_finite() {
    for count in [1, 1000, 30_000] {
        let all: Vec<Played> = (1..=count).map(|number| game(number, &[0, 1], &[1, 2])).collect();
        let ratings = rate(2, &all);
        check_finite(&ratings);
        assert!(ratings.elo[0].unwrap().value > 100.0);
        assert!(ratings.glicko[0].unwrap().rating > 1600.0);
    }
}

fn check_finite(ratings: &Ratings) {
    for elo in ratings.elo.iter().flatten() {
        assert!(elo.value.is_finite(), "{elo:?}");
        assert!(elo.error.unwrap() >= 0.0 && elo.error.unwrap().is_finite(), "{elo:?}");
        assert!(elo.above_next.is_none_or(|above| (0.5 - 1e-12..=1.0).contains(&above)), "{elo:?}");
    }
    for glicko in ratings.glicko.iter().flatten() {
        assert!(
            [glicko.rating, glicko.deviation, glicko.volatility].iter().all(|value| value.is_finite()),
            "{glicko:?}"
        );
    }
}

/// A bot's ratings, to compare bit by bit.
fn bits(ratings: &Ratings, bot: usize) -> [Option<u64>; 4] {
    let elo = ratings.elo[bot];
    [
        elo.map(|elo| elo.value.to_bits()),
        elo.and_then(|elo| elo.error).map(f64::to_bits),
        ratings.glicko[bot].map(|glicko| glicko.rating.to_bits()),
        ratings.glicko[bot].map(|glicko| glicko.deviation.to_bits()),
    ]
}

/// Games of a field with two to four seats, some of them the same course again.
fn events() -> impl Strategy<Value = (usize, Vec<Played>)> {
    (2..=4usize, 4..=9usize).prop_flat_map(|(seats, field)| {
        let one = (
            Just((0..field as u16).collect::<Vec<u16>>()).prop_shuffle(),
            proptest::collection::vec(1..=seats as u8, seats),
        );
        proptest::collection::vec(one, 0..40).prop_map(move |drawn| {
            let games = drawn.iter().zip(1..).map(|((bots, ranks), number)| {
                let mut game = game(number, &bots[..seats], &dense(ranks));
                // Some games are the same course again: who sat where and how it ended, and one bit of the number.
                game.course = Course::of(&format!("{:?}{:?}{}", game.seats, game.ranks, number % 2));
                game
            });
            (field, games.collect())
        })
    })
}

/// Ranks as a game has them: each is one more than the number of seats before it.
fn dense(drawn: &[u8]) -> Vec<u8> {
    drawn.iter().map(|own| 1 + drawn.iter().filter(|other| *other < own).count() as u8).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_the_games_changes_no_bit((field, games) in events(), seed in any::<u64>()) {
        let mut shuffled = games.clone();
        shuffled.sort_by_key(|game| (game.game ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (one, other) = (rate(field, &games), rate(field, &shuffled));
        check_finite(&one);
        prop_assert_eq!(&one.by_strength, &other.by_strength);
        for bot in 0..field {
            prop_assert_eq!(bits(&one, bot), bits(&other, bot));
        }
    }

    #[test]
    fn twins_have_the_same_ratings((field, games) in events()) {
        // Every game is played again with the first and the last bot in each other's place: nothing tells them apart
        // any more, but that one comes before all others and one behind them.
        let last = field as u16 - 1;
        let swap = |bot: &Entrant| if bot.0 == 0 || bot.0 == last { Entrant(last - bot.0) } else { *bot };
        let mut twins = games.clone();
        twins.extend(games.iter().map(|game| Played {
            game: game.game + 1000,
            seats: game.seats.map(swap),
            course: Course::of(&format!("{:?} again", game.course)),
            ..game.clone()
        }));
        let ratings = rate(field, &twins);
        check_finite(&ratings);
        prop_assert_eq!(bits(&ratings, 0), bits(&ratings, field - 1));
    }

    #[test]
    fn turning_every_result_round_turns_the_ratings_round((field, games) in events()) {
        let two: Vec<Played> = games.into_iter().filter(|game| game.seats.len() == 2).collect();
        let turn = |ranks: &BySeat<u8>| BySeat::collect(ranks.iter().rev().copied());
        let turned: Vec<Played> =
            two.iter().map(|game| Played { ranks: game.ranks.as_ref().map(turn), ..game.clone() }).collect();
        let (one, other) = (rate(field, &two), rate(field, &turned));
        for bot in 0..field {
            let value = |ratings: &Ratings| ratings.elo[bot].map_or(0.0, |elo| elo.value);
            prop_assert!((value(&one) + value(&other)).abs() < 1e-6);
        }
    }
}
