//! The difference in strength between two bots, as testers of chess engines know it: Elo, normalised Elo, likelihood of
//! superiority, each from the mean and the variance of results.
//!
//! The numbers are those of `fastchess`; see there `elo_wdl.cpp` and `elo_pentanomial.cpp`. Normalised Elo is by Michel
//! Van den Bergh (“Comments on normalized Elo”): the mean in standard deviations of one game, which tells how many games
//! it takes to see the difference. Where a number would be infinite or undefined there is none.

use super::scale::{self, NORMALISED_PER_SIGMA, elo_of, finite};

/// How much stronger one bot is than another.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Estimate {
    /// Logistic Elo.
    pub elo: Option<f64>,
    /// Half of the width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// Normalised Elo.
    pub nelo: Option<f64>,
    /// Half of the width of its 95 % interval.
    pub nelo_error: Option<f64>,
    /// How likely it is to be stronger at all.
    pub superiority: Option<f64>,
}

/// The difference that these results show, counted from the worst to the best: losses, draws and wins, or pairs by half
/// points. `distinct` of the results count for the intervals.
///
/// # Panics
/// If there are neither three nor five counts.
pub fn estimate(counts: &[u64], distinct: u64) -> Estimate {
    assert!(counts.len() == 3 || counts.len() == 5, "results are games or pairs");
    let Some((mean, variance)) = mean_and_variance(counts) else { return Estimate::default() };
    let games_of_each = (counts.len() / 2) as f64;
    let nelo = |score: f64| finite((score - 0.5) / (games_of_each * variance).sqrt() * NORMALISED_PER_SIGMA);
    let of_mean = (variance / distinct as f64).sqrt();
    let (low, high) = (mean - scale::sigmas_95() * of_mean, mean + scale::sigmas_95() * of_mean);
    let half = |scale: &dyn Fn(f64) -> Option<f64>| Some((scale(high)? - scale(low)?) / 2.0).filter(|_| of_mean > 0.0);
    Estimate {
        elo: elo_of(mean),
        elo_error: half(&elo_of).and_then(finite),
        nelo: nelo(mean),
        nelo_error: half(&nelo).and_then(finite),
        superiority: finite((mean - 0.5) / of_mean).map(scale::below),
    }
}

/// The mean of results between 0 and 1, and how they vary; none without results.
fn mean_and_variance(counts: &[u64]) -> Option<(f64, f64)> {
    let total: u64 = counts.iter().sum();
    if total == 0 {
        return None;
    }
    let best = (counts.len() - 1) as f64;
    let results =
        || counts.iter().enumerate().map(|(place, &count)| (place as f64 / best, count as f64 / total as f64));
    let mean: f64 = results().map(|(result, share)| result * share).sum();
    Some((mean, results().map(|(result, share)| share * (result - mean).powi(2)).sum()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn near(found: Option<f64>, published: f64) {
        let found = found.unwrap();
        assert!((found - published).abs() < 0.01, "{found} {published}");
    }

    fn of(counts: &[u64]) -> Estimate {
        estimate(counts, counts.iter().sum())
    }

    #[test]
    fn games_come_out_as_in_the_tests_of_fastchess() {
        // app/tests/elo_test.cpp there, “EloWDL” 1 to 3: losses, draws, wins.
        let first = of(&[89, 123, 76]);
        near(first.nelo, -20.76);
        near(first.nelo_error, 40.13);
        near(first.superiority.map(|share| share * 100.0), 15.53);
        let second = of(&[96, 111, 136]);
        near(second.nelo, 49.77);
        near(second.nelo_error, 36.77);
        near(second.elo, 40.70);
        near(second.elo_error, 30.43);
        near(second.superiority.map(|share| share * 100.0), 99.60);
        let third = of(&[356, 0, 34]);
        near(third.nelo, -508.44);
        near(third.nelo_error, 34.48);
    }

    #[test]
    fn pairs_come_out_as_in_the_tests_of_fastchess() {
        // “EloPentanomial” 1 to 3 there, which count won and lost pairs apart from drawn ones.
        let first = of(&[34, 54, 31 + 32, 64, 75]);
        near(first.nelo, 57.94);
        near(first.nelo_error, 28.28);
        near(first.elo, 55.58);
        near(first.elo_error, 27.65);
        near(first.superiority.map(|share| share * 100.0), 100.0);
        let second = of(&[332, 433, 457 + 41, 333, 334]);
        near(second.nelo, -9.17);
        near(second.nelo_error, 10.96);
        near(second.elo, -8.64);
        near(second.elo_error, 10.33);
        near(second.superiority.map(|share| share * 100.0), 5.05);
        let third = of(&[7895, 8757, 5485 + 200, 568, 9999]);
        near(third.nelo, -19.01);
        near(third.nelo_error, 2.65);
        near(third.elo, -21.04);
        near(third.elo_error, 2.95);
    }

    #[test]
    fn what_cannot_be_told_is_not_told() {
        assert_eq!(of(&[0, 0, 0]), Estimate::default());
        assert_eq!(of(&[0, 0, 0, 0, 7]), Estimate::default(), "it won everything");
        assert_eq!(of(&[0, 9, 0]), Estimate { elo: Some(0.0), ..Estimate::default() }, "all drawn");
        let few = of(&[0, 1, 1]);
        assert!(few.elo.is_some() && few.elo_error.is_none(), "its interval goes on to infinity: {few:?}");
    }

    #[test]
    fn repetitions_widen_the_interval() {
        let (all, few) = (estimate(&[10, 20, 30], 60), estimate(&[10, 20, 30], 15));
        assert_eq!((all.elo, all.nelo), (few.elo, few.nelo));
        assert!((few.nelo_error.unwrap() / all.nelo_error.unwrap() - 2.0).abs() < 1e-9);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_other_bot_sees_the_opposite(counts in proptest::collection::vec(0..50u64, 5)) {
            let turned: Vec<u64> = counts.iter().rev().copied().collect();
            let (one, other) = (of(&counts), of(&turned));
            for (one, other) in [(one.elo, other.elo), (one.nelo, other.nelo)] {
                prop_assert_eq!(one.is_some(), other.is_some());
                prop_assert!(one.is_none() || (one.unwrap() + other.unwrap()).abs() < 1e-6);
            }
            let values = [one.elo, one.elo_error, one.nelo, one.nelo_error, one.superiority];
            prop_assert!(values.iter().flatten().all(|value| value.is_finite()));
        }
    }
}
