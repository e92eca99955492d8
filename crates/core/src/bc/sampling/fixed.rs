//! How many sampled paths are enough for every graph of a diameter, before looking at any of them.
//!
//! Let b be the probability that a sample counts for a vertex, and r a bound on the sum of b over all vertices: the most
//! inner vertices of a path. Give each vertex the share b / r of the failure f. Bennett's inequality \[1\] for m samples
//! of variance g = b (1 - b) bounds both directions together:
//!
//! ```text
//! P(|share - b| >= e) <= 2 exp(-m g h(e / g)),    h(x) = (1 + x) ln(1 + x) - x
//! ```
//! which is at most f b / r if m >= ln(2 r / (f b)) / (g h(e / g)). The greatest value of that for any b is enough for all
//! vertices at once, as in \[2\]. It is about ln(4 r / f) / (2 e^2): the number of vertices does not matter.
//!
//! KADABRA \[3\] takes 0.5 / e^2 (floor(log2(r - 1)) + 1 + ln(2 / f)) from the VC dimension; the two differ little, but its 0.5 is
//! an estimate, and here every constant is proved.
//!
//! \[1\] G. Bennett, Probability inequalities for the sum of independent random variables, JASA 57, 1962.
//! \[2\] L. Pellegrina, F. Vandin, SILVAN: estimating betweenness centralities with progressive sampling and non-uniform
//! Rademacher bounds, ACM TKDD 18, 2023.
//! \[3\] M. Borassi, E. Natale, KADABRA is an adaptive algorithm for betweenness via random approximation, ESA 2016.

/// The ratio of neighbouring probabilities at which the bound is computed; both ends of each step are used, so that it
/// holds in between.
const STEP: f64 = 1.002;
/// Below `error / e^10`, one formula bounds all probabilities.
const SMALL: f64 = 10.0;

/// Returns the number of samples after which all shares are within `error`, except with probability `failure`. A path
/// has at most `inner` inner vertices, at least 1.
pub(super) fn samples(error: f64, failure: f64, inner: f64) -> u64 {
    let surprise = |b: f64| (2.0 * inner / (failure * b)).ln();
    // For b below this, g h(e / g) >= e (ln(e / b) - 1), and the quotient falls with b.
    let end = (error * (-SMALL).exp()).min(0.5);
    let mut most = surprise(end) / (error * ((error / end).ln() - 1.0).max(1.0));
    let mut high = 0.5f64;
    while high > end {
        let low = high / STEP;
        most = most.max(surprise(low) / exponent(high, error));
        high = low;
    }
    most.ceil().max(1.0) as u64
}

/// Returns g h(e / g) for a probability of at most 1/2; it falls as b grows, and so does the exponent.
fn exponent(b: f64, error: f64) -> f64 {
    let g = b * (1.0 - b);
    (g + error) * (error / g).ln_1p() - error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_near_that_of_the_paper_and_grows_with_the_diameter() {
        for (error, inner) in [(0.1, 3.0), (0.01, 10.0), (0.001, 10.0), (0.001, 5000.0)] {
            let paper = 0.5 / (error * error) * ((inner - 1.0f64).log2().floor() + 1.0 + (2.0f64 / 0.1).ln());
            let ratio = samples(error, 0.05, inner) as f64 / paper;
            assert!((0.6..1.4).contains(&ratio), "{error} {inner}: {ratio}");
        }
        assert!(samples(0.01, 0.05, 100.0) > samples(0.01, 0.05, 10.0));
        assert!(samples(0.01, 0.01, 10.0) > samples(0.01, 0.05, 10.0));
    }

    #[test]
    fn every_probability_meets_its_share_of_the_failure() {
        for error in [1e-4, 0.01, 0.3, 0.9, 5.0] {
            let m = samples(error, 0.05, 7.0) as f64;
            for k in 0..4000 {
                let b = 0.9f64.powf(f64::from(k) / 10.0) / 2.0;
                let failure = 2.0 * (-m * exponent(b, error)).exp();
                assert!(failure <= 0.05 * b / 7.0 * (1.0 + 1e-9), "{error}: {b} fails with {failure}");
            }
        }
    }
}
