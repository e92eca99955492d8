//! The middle of repeated measurements, and how far they lie apart.
//!
//! Times have a floor and a long tail, so everything here is by rank: one slow run moves neither the median nor the
//! quartiles. A run is an outlier when it lies more than ten standard deviations from the median, the deviation estimated
//! by the median absolute deviation (1.4826 times it), as hyperfine does.

use serde::{Deserialize, Serialize};

pub use warpgraph::measure::median;

/// Deviations from the median beyond which a value is an outlier, in units of the median absolute deviation.
const FAR: f64 = 10.0 * 1.4826;

/// Where measured values lie.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Spread {
    pub median: f64,
    pub min: f64,
    pub max: f64,
    /// A quarter lies below.
    pub q1: f64,
    /// A quarter lies above.
    pub q3: f64,
    /// The part of the median that the middle half takes: (q3 - q1) / median.
    pub spread: f64,
}

impl Spread {
    /// Of some values; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let (q1, median, q3) = (quantile(&sorted, 0.25), quantile(&sorted, 0.5), quantile(&sorted, 0.75));
        let spread = if median > 0.0 { (q3 - q1) / median } else { 0.0 };
        Some(Self { median, min, max, q1, q3, spread })
    }

    /// Do the middle halves of both have nothing in common?
    pub fn is_apart(&self, other: &Self) -> bool {
        self.q3 < other.q1 || other.q3 < self.q1
    }
}

/// How many values are so far from the others that something else must have happened.
pub fn outliers(values: &[f64]) -> usize {
    let middle = median(values);
    let distance: Vec<f64> = values.iter().map(|v| (v - middle).abs()).collect();
    let usual = median(&distance);
    distance.iter().filter(|&&d| usual > 0.0 && d > FAR * usual).count()
}

/// The n-th root of the product of n positive values; `None` if there are none.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logs: f64 = values.iter().map(|v| v.ln()).sum();
    (!values.is_empty()).then(|| (logs / values.len() as f64).exp())
}

/// The value below which a share of the sorted values lies, between two of them in proportion.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Spread {
        Spread::of(values).unwrap()
    }

    #[test]
    fn quartiles_hold_the_middle_half() {
        let spread = of(&[5.0, 1.0, 3.0, 2.0, 4.0]);
        assert_eq!((spread.min, spread.q1, spread.median, spread.q3, spread.max), (1.0, 2.0, 3.0, 4.0, 5.0));
        assert_eq!((spread.spread, of(&[4.0, 1.0, 2.0, 3.0]).median), (2.0 / 3.0, 2.5));
        assert_eq!(Spread::of(&[]), None);
        assert!(
            median(&[]).is_nan() && median(&[3.0, 1.0, 2.0]) == 2.0 && median(&[4.0, 1.0, 2.0, 3.0]) == 2.5
        );
    }

    #[test]
    fn one_slow_run_is_an_outlier_and_an_even_spread_is_none() {
        let runs = [1.00, 1.01, 0.99, 1.02, 0.98, 1.0, 3.0];
        assert_eq!((outliers(&runs[..6]), outliers(&runs)), (0, 1));
        assert_eq!(outliers(&[1.0, 1.0, 1.0, 9.0]), 0, "no spread to measure by");
    }

    #[test]
    fn apart_means_that_middle_halves_do_not_meet() {
        let (low, high) = (of(&[1.0, 1.1, 1.2, 1.3, 9.0]), of(&[1.35, 1.4, 1.5, 1.6, 1.7]));
        assert!(low.is_apart(&high) && high.is_apart(&low) && !low.is_apart(&of(&[1.2, 1.25, 1.3])));
    }

    #[test]
    fn the_geometric_mean_of_twice_and_half_is_one() {
        assert_eq!((geometric_mean(&[2.0, 0.5]), geometric_mean(&[])), (Some(1.0), None));
    }
}
