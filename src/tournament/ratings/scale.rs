//! The scales that strength is told on, and the normal distribution behind every interval.

use statrs::distribution::{ContinuousCDF, Normal};
use std::f64::consts::LN_10;

/// Points of Elo for each unit of log-strength: 400 points are odds of ten to one.
pub const ELO_PER_NAT: f64 = 400.0 / LN_10;

/// Points of normalised Elo for each standard deviation of a game's result: 800 / ln 10, as on fishtest, where it was
/// chosen so that both scales agree for even games without draws.
pub const NORMALISED_PER_SIGMA: f64 = 800.0 / LN_10;

/// How many standard deviations to each side hold 95 % of a normal distribution.
pub fn sigmas_95() -> f64 {
    standard().inverse_cdf(0.975)
}

/// How likely a normal value is to lie below this many standard deviations above its mean.
pub fn below(sigmas: f64) -> f64 {
    standard().cdf(sigmas)
}

fn standard() -> Normal {
    Normal::standard()
}

/// The difference in Elo at which this share of the points is to be expected; none at or beyond 0 and 1, where it would
/// be infinite.
pub fn elo_of(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| finite(-400.0 * (1.0 / score - 1.0).log10())).flatten()
}

/// The share of the points to be expected at this difference in Elo.
pub fn score_at(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The value, if it is a number that can be told.
pub fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// The 95 % interval of a share by Wilson's score method (1927), which stays between 0 and 1 and keeps its width where
/// the share is 0 or 1; none without observations.
///
/// For results that can also be halves it is a little too wide: nothing between 0 and 1 varies more than a coin.
pub fn wilson(share: f64, observations: u64) -> Option<(f64, f64)> {
    if observations == 0 {
        return None;
    }
    let (n, z2) = (observations as f64, sigmas_95().powi(2));
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt() * sigmas_95() / (1.0 + z2 / n);
    Some(((centre - half).max(0.0), (centre + half).min(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_scores_are_each_others_inverse() {
        assert!((elo_of(10.0 / 11.0).unwrap() - 400.0).abs() < 1e-9, "ten to one");
        assert_eq!(elo_of(0.5), Some(0.0));
        assert!((elo_of(score_at(-123.4)).unwrap() + 123.4).abs() < 1e-9);
        assert_eq!((elo_of(0.0), elo_of(1.0), elo_of(f64::NAN)), (None, None, None));
    }

    #[test]
    fn the_quantiles_are_those_of_the_tables() {
        // Abramowitz and Stegun, table 26.1 and 26.5.
        assert!((sigmas_95() - 1.959_963_984_540_054).abs() < 1e-9);
        assert!((below(1.0) - 0.841_344_746_068_543).abs() < 1e-10);
        assert!((below(-2.0) - 0.022_750_131_948_179).abs() < 1e-10);
    }

    #[test]
    fn wilsons_interval_is_that_of_the_literature() {
        // Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263, 15 of 148, 0 of 20 and 1 of 29.
        for (hits, all, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let (found_low, found_high) = wilson(f64::from(hits) / f64::from(all), all as u64).unwrap();
            assert!((found_low - low).abs() < 5e-5 && (found_high - high).abs() < 5e-5, "{found_low} {found_high}");
        }
        assert_eq!(wilson(0.5, 0), None);
        for observations in 1..200 {
            assert!(wilson(0.0, observations).unwrap().0 >= 0.0 && wilson(1.0, observations).unwrap().1 <= 1.0);
        }
    }
}
