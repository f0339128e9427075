//! Glicko-2 (Glickman, “Example of the Glicko-2 system”, 2013), with the whole event as one rating period.
//!
//! All begin at 1500 ± 350 with a volatility of 0.06, and the volatility's own freedom τ is 0.5. A game of three or four
//! is taken as one between each two of its seats: Glicko-2 knows no other, and so the deviations come out smaller there
//! than they should be. The arithmetic is that of the crate `skillratings`.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

use super::Tally;

/// A rating of Glicko-2.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Glicko {
    /// The rating; 1500 is that of a beginner.
    pub rating: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// How much the rating is expected to move in the next period.
    pub volatility: f64,
}

/// The rating after these games; none without any.
///
/// All rivals begin alike, so it depends on the counts alone, and on no order.
pub fn rate(tally: Tally) -> Option<Glicko> {
    let outcomes = [(tally.wins, Outcomes::WIN), (tally.draws, Outcomes::DRAW), (tally.losses, Outcomes::LOSS)];
    let rival = Glicko2Rating::new();
    let games: Vec<(Glicko2Rating, Outcomes)> = outcomes
        .into_iter()
        .flat_map(|(count, outcome)| std::iter::repeat_n((rival, outcome), usize::try_from(count).unwrap_or(0)))
        .collect();
    if games.is_empty() {
        return None;
    }
    let new = glicko2_rating_period(&Glicko2Rating::new(), &games, &Glicko2Config::new());
    let is_finite = [new.rating, new.deviation, new.volatility].iter().all(|value| value.is_finite());
    is_finite.then_some(Glicko { rating: new.rating, deviation: new.deviation, volatility: new.volatility })
}
