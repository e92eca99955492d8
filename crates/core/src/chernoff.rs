//! How far the share of successes among samples may be from the probability of success: Chernoff's bound \[1\].
//!
//! For independent samples of probability p, the share s of m samples satisfies
//!
//! ```text
//! P(s >= x) <= exp(-m D(x, p)) for x above p,    P(s <= x) <= exp(-m D(x, p)) for x below p,
//! D(x, p) = x ln(x / p) + (1 - x) ln((1 - x) / (1 - p))
//! ```
//! D(s, p) grows as p moves away from s. So all p with m D(s, p) < ln(1 / f) form an interval around s, and the true
//! probability is beyond its upper end, or beyond its lower end, with probability f at most each. Functions here take
//! the *rate* ln(1 / f) / m. A small share has a much shorter interval than Hoeffding's, which holds for every share.
//!
//! Ends of intervals are rounded outwards, so that rounding does not weaken a bound.
//!
//! \[1\] H. Chernoff, A measure of asymptotic efficiency for tests of a hypothesis based on the sum of observations, Annals
//! of Mathematical Statistics 23, 1952. W. Hoeffding, Probability inequalities for sums of bounded random variables,
//! JASA 58, 1963: equation 2.1 extends it to values from 0 to 1.

/// Halvings of an interval: the end is known to 2^-60.
const HALVINGS: usize = 60;

/// Returns D(share, probability) of the module head; infinite if the share cannot occur.
pub fn divergence(share: f64, probability: f64) -> f64 {
    let hits = if share > 0.0 { share * (share / probability).ln() } else { 0.0 };
    let misses = if share < 1.0 { (1.0 - share) * ((-share).ln_1p() - (-probability).ln_1p()) } else { 0.0 };
    (hits + misses).max(0.0)
}

/// Returns whether the probability is at most `bound`, which is not below the share.
pub fn is_below(share: f64, bound: f64, rate: f64) -> bool {
    bound >= 1.0 || share <= bound && divergence(share, bound) >= rate
}

/// Returns whether the probability is at most `error` away from the share.
pub fn is_within(share: f64, error: f64, rate: f64) -> bool {
    is_below(share, share + error, rate) && is_below(1.0 - share, 1.0 - share + error, rate)
}

/// Returns the greatest probability that the samples allow.
pub fn greatest(share: f64, rate: f64) -> f64 {
    // D(s, p) is at least 2 (p - s)^2.
    let (mut low, mut high) = (share, (share + (rate / 2.0).sqrt()).min(1.0));
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if divergence(share, middle) < rate { low = middle } else { high = middle }
    }
    high
}

/// Returns the least probability that the samples allow.
pub fn least(share: f64, rate: f64) -> f64 {
    (1.0 - greatest(1.0 - share, rate)).max(0.0)
}

/// Returns the greatest distance between the share and a probability that the samples allow.
pub fn error(share: f64, rate: f64) -> f64 {
    (greatest(share, rate) - share).max(share - least(share, rate))
}

/// Returns how many samples of values from 0 to 1 have a mean within `error` of the expected one, except with probability
/// `failure`: Hoeffding's bound for both directions.
pub fn hoeffding(error: f64, failure: f64) -> u64 {
    ((2.0 / failure).ln() / (2.0 * error * error)).ceil().max(1.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability of at most `hits` successes.
    fn at_most(hits: u32, samples: u32, p: f64) -> f64 {
        let mut term = (1.0 - p).powi(samples as i32);
        let mut sum = term;
        for k in 0..hits {
            term *= f64::from(samples - k) / f64::from(k + 1) * p / (1.0 - p);
            sum += term;
        }
        sum
    }

    #[test]
    fn the_ends_of_an_interval_are_as_unlikely_as_they_say() {
        for (hits, samples) in [(0, 100), (1, 50), (30, 100), (99, 100)] {
            let share = f64::from(hits) / f64::from(samples);
            for failure in [0.1, 1e-3, 1e-6] {
                let rate = (1.0f64 / failure).ln() / f64::from(samples);
                let (low, high) = (least(share, rate), greatest(share, rate));
                assert!(low <= share && share <= high);
                assert!(
                    at_most(hits, samples, high) <= failure * (1.0 + 1e-9),
                    "{hits} of {samples}: {high}"
                );
                let at_least = if hits == 0 { 1.0 } else { 1.0 - at_most(hits - 1, samples, low) };
                assert!(low == 0.0 || at_least <= failure * (1.0 + 1e-9), "{hits} of {samples}: {low}");
                let bound = error(share, rate);
                assert!(is_within(share, bound + 1e-12, rate) && !is_within(share, bound - 1e-6, rate));
            }
        }
    }

    #[test]
    fn a_share_near_zero_needs_far_fewer_samples_than_any_share() {
        let (error, failure) = (0.01, 1e-6);
        let any = hoeffding(error, failure);
        let rate = (2.0 / failure).ln() / any as f64;
        assert!(is_within(0.5, error, rate) && is_within(0.0, error, 20.0 * rate));
        assert_eq!(hoeffding(0.1, 0.1), 150);
    }
}
