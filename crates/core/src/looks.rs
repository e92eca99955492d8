//! At which numbers of samples a run looks at its counts, so that it may stop at any of them.
//!
//! The numbers are chosen before the first sample that counts, and every look has its own share of the failure that the
//! user allows. So all looks together fail with no more than that, whichever of them ends the run.

/// The sum of 1 / i^2 over all i: look i gets the share 1 / (i^2 SUM) of the failure.
const SUM: f64 = std::f64::consts::PI * std::f64::consts::PI / 6.0;

/// Returns the numbers of samples at which to look, ascending: from `first`, which is at least 1, to `last`, each `growth`
/// times the one before.
pub(crate) fn between(first: f64, last: u64, growth: f64) -> Vec<u64> {
    let next = |&at: &f64| Some(at * growth);
    let is_before = |at: &f64| at * growth < last as f64;
    let mut looks: Vec<u64> =
        std::iter::successors(Some(first), next).take_while(is_before).map(|at| at.ceil() as u64).collect();
    looks.dedup();
    looks.push(last);
    looks
}

/// Returns what a look, numbered from 0, adds to ln(1 / failure) of all looks together.
pub(crate) fn surprise(look: usize) -> f64 {
    let number = (look + 1) as f64;
    (number * number * SUM).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_grow_to_the_last_one_and_share_one_failure() {
        assert_eq!(between(100.0, 200, 1.2), [100, 120, 144, 200]);
        assert_eq!((between(300.0, 200, 1.2), between(1.0, 1, 1.5)), (vec![200], vec![1]));
        assert!(between(1.0, 1 << 40, 1.2).is_sorted_by(|a, b| a < b));
        let sum: f64 = (0..100_000).map(|look| (-surprise(look)).exp()).sum();
        assert!(sum < 1.0 && sum > 0.9999, "{sum}");
    }
}
