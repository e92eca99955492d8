//! Draws from the Zipf distribution on 1..=largest, P(k) = k^-alpha / Z, in constant time.
//!
//! A table of cumulative probabilities, with a guide of 1024 entries as its index, yields the first 1024 values. Larger
//! values come from inverting the integral that approximates their sum, sum_{j=a+1}^{b} j^-alpha ~
//! int_{a+1/2}^{b+1/2} x^-alpha dx. Its relative error is alpha (alpha + 1) / (24 * 1024^2), under 10^-5 of the tail
//! for every allowed alpha.

const HEAD: u64 = 1024;
const GUIDE: usize = 1024;

/// A truncated Zipf distribution.
pub(super) struct Zipf {
    alpha: f64,
    largest: u64,
    /// The probability of a value of at most k, at index k - 1.
    cumulative: Vec<f64>,
    /// At i, the first index of `cumulative` that a draw in [i, i + 1) / GUIDE can select.
    guide: Vec<u16>,
    mean: f64,
}

impl Zipf {
    /// Tabulates the distribution for `alpha` above 1 and `largest` of at least 1.
    pub(super) fn new(alpha: f64, largest: u64) -> Self {
        let head = largest.min(HEAD);
        let weight = |k: u64| (k as f64).powf(-alpha);
        let z = (1..=head).map(weight).sum::<f64>() + tail(alpha, head, largest);
        let first_moment =
            (1..=head).map(|k| k as f64 * weight(k)).sum::<f64>() + tail(alpha - 1.0, head, largest);
        let mut sum = 0.0;
        let mut cumulative: Vec<f64> = (1..=head)
            .map(|k| {
                sum += weight(k) / z;
                sum
            })
            .collect();
        if head == largest {
            cumulative[head as usize - 1] = 1.0;
        }
        let index = |i: usize| cumulative.partition_point(|&c| c <= i as f64 / GUIDE as f64) as u16;
        let guide = (0..GUIDE).map(index).collect();
        Self { alpha, largest, cumulative, guide, mean: first_moment / z }
    }

    /// Returns the expected value, sum k^(1 - alpha) / sum k^-alpha.
    pub(super) fn mean(&self) -> f64 {
        self.mean
    }

    /// Returns the value at which the cumulative distribution exceeds `u`, where `u` lies in [0, 1).
    #[inline]
    pub(super) fn at(&self, u: f64) -> u64 {
        let mut index = self.guide[(u * GUIDE as f64) as usize] as usize;
        while let Some(&cumulative) = self.cumulative.get(index) {
            if u < cumulative {
                return index as u64 + 1;
            }
            index += 1;
        }
        self.at_tail(u)
    }

    #[cold]
    fn at_tail(&self, u: f64) -> u64 {
        let head = self.cumulative[self.cumulative.len() - 1];
        let power = |x: f64| x.powf(1.0 - self.alpha);
        let (low, high) = (power(HEAD as f64 + 0.5), power(self.largest as f64 + 0.5));
        let left = (1.0 - u) / (1.0 - head);
        let x = (high + left * (low - high)).powf(1.0 / (1.0 - self.alpha));
        (x.round() as u64).clamp(HEAD + 1, self.largest)
    }
}

/// Approximates sum_{k = after + 1}^{last} k^-s by its integral.
fn tail(s: f64, after: u64, last: u64) -> f64 {
    let (a, b) = (after as f64 + 0.5, last as f64 + 0.5);
    if (s - 1.0).abs() < 1e-9 { (b / a).ln() } else { (b.powf(1.0 - s) - a.powf(1.0 - s)) / (1.0 - s) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_the_exact_sum() {
        for alpha in [1.5f64, 2.0, 2.2, 3.0] {
            let sum = |s: f64| (1..=200_000u64).map(|k| (k as f64).powf(-s)).sum::<f64>();
            let exact = sum(alpha - 1.0) / sum(alpha);
            assert!((Zipf::new(alpha, 200_000).mean() / exact - 1.0).abs() < 1e-6, "alpha = {alpha}");
        }
    }

    #[test]
    fn draws_have_the_distribution_of_the_exact_sums() {
        let zipf = Zipf::new(1.8, 1_000_000);
        let weight = |k: u64| (k as f64).powf(-1.8);
        let z: f64 = (1..=1_000_000).map(weight).sum();
        let steps = 4_000_000u64;
        let mut draws: Vec<u64> = (0..steps).map(|i| zipf.at((i as f64 + 0.5) / steps as f64)).collect();
        assert!(draws.is_sorted(), "a larger u never gives a smaller value");
        for k in [1u64, 2, 10, 1000, 1024, 1025, 2000, 50_000] {
            let at_most = draws.partition_point(|&d| d <= k) as f64 / steps as f64;
            let exact: f64 = (1..=k).map(weight).sum::<f64>() / z;
            assert!((at_most - exact).abs() < 1e-6, "P(at most {k}) = {at_most}, expected {exact}");
        }
        draws.truncate(1);
        assert_eq!(zipf.at(0.0), 1);
        assert!(zipf.at(1.0 - f64::EPSILON / 2.0) <= 1_000_000);
    }

    #[test]
    fn a_short_distribution_ends_at_its_largest_value() {
        for largest in 1..5 {
            let zipf = Zipf::new(2.0, largest);
            assert_eq!(zipf.at(1.0 - f64::EPSILON / 2.0), largest);
        }
    }
}
