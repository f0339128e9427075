//! How sure the strengths are: the covariance that the curvature of the likelihood leaves to them.
//!
//! Only differences between strengths can be known. So the inverse of the curvature is taken with the mean of all bots
//! held at 0 on both sides, which for the likelihood alone is its pseudo-inverse; the prior is in it, and keeps the
//! matrix from being singular.

/// The most bots of which a covariance is computed: the work grows with their cube.
pub const MOST_BOTS: usize = 1000;

/// The covariance of the logarithms of strengths.
pub struct Spread {
    inverse: Vec<Vec<f64>>,
    means: Vec<f64>,
    mean: f64,
}

impl Spread {
    /// The covariance that this curvature leaves to so many bots; none where it leaves none, or for more than
    /// [`MOST_BOTS`], whose curvature is not asked for: it would fill the memory.
    pub fn of(bots: usize, curvature: impl FnOnce() -> Vec<Vec<f64>>) -> Option<Spread> {
        if bots == 0 || bots > MOST_BOTS {
            return None;
        }
        let inverse = inverse(curvature())?;
        let means: Vec<f64> = inverse.iter().map(|row| row.iter().sum::<f64>() / bots as f64).collect();
        let mean = means.iter().sum::<f64>() / bots as f64;
        Some(Spread { inverse, means, mean })
    }

    /// The variance of the difference between a bot and the mean of all.
    pub fn of_one(&self, bot: usize) -> Option<f64> {
        positive(self.inverse[bot][bot] - 2.0 * self.means[bot] + self.mean)
    }

    /// The variance of the difference between two bots.
    pub fn of_difference(&self, bot: usize, rival: usize) -> Option<f64> {
        positive(self.inverse[bot][bot] + self.inverse[rival][rival] - 2.0 * self.inverse[bot][rival])
    }
}

fn positive(variance: f64) -> Option<f64> {
    (variance.is_finite() && variance > 0.0).then_some(variance)
}

/// The inverse of a symmetric positive definite matrix, by Cholesky's decomposition; none if it is not one.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    // The lower triangle becomes the factor.
    for row in 0..size {
        let (done, rest) = matrix.split_at_mut(row);
        let own = &mut rest[0];
        for column in 0..row {
            let known: f64 = own[..column].iter().zip(&done[column]).map(|(a, b)| a * b).sum();
            own[column] = (own[column] - known) / done[column][column];
        }
        let known: f64 = own[..row].iter().map(|a| a * a).sum();
        own[row] = positive(own[row] - known)?.sqrt();
    }
    // The inverse of the factor, row by row; the inverse of the matrix is its transpose times itself.
    let mut factor: Vec<Vec<f64>> = Vec::with_capacity(size);
    for (row, own) in matrix.iter().enumerate() {
        let entry = |column: usize| {
            let known: f64 = (column..row).map(|between| own[between] * factor[between][column]).sum();
            (f64::from(u8::from(column == row)) - known) / own[row]
        };
        factor.push((0..=row).map(entry).collect());
    }
    let mut inverse = vec![vec![0.0; size]; size];
    for line in &factor {
        for (to, &times) in inverse.iter_mut().zip(line) {
            to.iter_mut().zip(line).for_each(|(to, by)| *to += times * by);
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_times_its_matrix_is_one() {
        let matrix = vec![vec![4.0, -1.0, 0.5], vec![-1.0, 3.0, -0.25], vec![0.5, -0.25, 2.0]];
        let inverse = inverse(matrix.clone()).unwrap();
        let product = |row: usize, column: usize| (0..3).map(|k| matrix[row][k] * inverse[k][column]).sum::<f64>();
        for (row, column) in (0..9).map(|place| (place / 3, place % 3)) {
            let one = f64::from(u8::from(row == column));
            assert!((product(row, column) - one).abs() < 1e-12, "{row} {column}: {}", product(row, column));
        }
    }

    #[test]
    fn what_has_no_inverse_has_no_spread() {
        assert!(Spread::of(0, Vec::new).is_none());
        assert!(Spread::of(2, || vec![vec![1.0, -1.0], vec![-1.0, 1.0]]).is_none());
        assert!(Spread::of(1, || vec![vec![f64::NAN]]).is_none());
    }

    #[test]
    fn of_too_many_bots_nothing_is_computed() {
        assert!(Spread::of(MOST_BOTS + 1, || panic!("a matrix of all against all")).is_none());
    }

    #[test]
    fn two_bots_of_one_curve_vary_together() {
        // A hundred games between two equal bots: the curvature of each pair is 100 / 4.
        let spread = Spread::of(2, || vec![vec![25.0 + 1e-6, -25.0], vec![-25.0, 25.0 + 1e-6]]).unwrap();
        assert!((spread.of_difference(0, 1).unwrap() - 1.0 / 25.0).abs() < 1e-6);
        assert!((spread.of_one(0).unwrap() - 0.25 / 25.0).abs() < 1e-6, "half the difference");
    }
}
