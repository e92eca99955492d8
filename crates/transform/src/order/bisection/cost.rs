//! The cost of a query that is spread over two halves, and the change of the cost when a member changes halves.
//!
//! With `bits(d) = d log2(d + 1)`, equation (5) is the sum over all queries of `deg_1 log2(n_1) + deg_2 log2(n_2) -
//! bits(deg_1) - bits(deg_2)`. When a member leaves half 1 for half 2, the cost drops by `log2(n_1) - log2(n_2) +
//! step(deg_2 + 1) - step(deg_1)`, where `step(d) = bits(d) - bits(d - 1)`.

use std::f64::consts::LN_2;

/// Degrees below this are looked up in tables.
const SMALL: usize = 1024;

/// Logarithms of the sizes of the two halves of a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes([f64; 2]);

impl Sizes {
    pub(super) fn of(sizes: [usize; 2]) -> Self {
        Self(sizes.map(|n| log2(n as f64)))
    }
}

/// Tables of `bits` and `step`.
pub(super) struct Costs {
    bits: [f64; SMALL],
    steps: [f64; SMALL],
}

impl Costs {
    pub(super) fn new() -> Self {
        Self { bits: std::array::from_fn(|d| bits(d as u32)), steps: std::array::from_fn(|d| step(d as u32)) }
    }

    /// Returns the cost of a query with this many members in each half.
    #[inline]
    pub(super) fn of(&self, degrees: [u32; 2], Sizes(logs): Sizes) -> f64 {
        let half = |i: usize| f64::from(degrees[i]) * logs[i] - self.bits(degrees[i]);
        half(0) + half(1)
    }

    /// Returns by how much the cost drops when a member leaves the first half, and when one leaves the second.
    #[inline]
    pub(super) fn leaving(&self, [first, second]: [u32; 2], Sizes(logs): Sizes) -> [f32; 2] {
        let skew = logs[0] - logs[1];
        let leave_first = skew + (self.step(second + 1) - self.step(first));
        let leave_second = -skew + (self.step(first + 1) - self.step(second));
        [leave_first as f32, leave_second as f32]
    }

    #[inline]
    fn bits(&self, d: u32) -> f64 {
        self.bits.get(d as usize).copied().unwrap_or_else(|| bits(d))
    }

    #[inline]
    fn step(&self, d: u32) -> f64 {
        self.steps.get(d as usize).copied().unwrap_or_else(|| step(d))
    }
}

/// Returns the sum of a table's entries over a row, always in the same order.
#[inline]
pub(super) fn sum(row: &[u32], table: &[f32]) -> f32 {
    // Four partial sums, since each addition waits for the one before it.
    let mut sums = [0.0; 4];
    let (fours, rest) = row.as_chunks::<4>();
    for four in fours {
        sums.iter_mut().zip(four).for_each(|(sum, &q)| *sum += table[q as usize]);
    }
    sums.iter_mut().zip(rest).for_each(|(sum, &q)| *sum += table[q as usize]);
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

fn bits(d: u32) -> f64 {
    f64::from(d) * log2(f64::from(d) + 1.0)
}

/// Computes `bits(d) - bits(d - 1)` without a difference of large numbers: `log2(d + 1) + (d - 1) log2((d + 1) / d)`.
fn step(d: u32) -> f64 {
    let d = f64::from(d);
    log2(d + 1.0) + (d - 1.0).max(0.0) * log2_of_ratio(1.0 / (2.0 * d + 1.0))
}

/// Computes the logarithm of a number of at least 1, with operations that every machine rounds alike.
fn log2(x: f64) -> f64 {
    let exponent = (x.to_bits() >> 52) as i64 - 1023;
    let mantissa = f64::from_bits((x.to_bits() & ((1 << 52) - 1)) | (1023 << 52));
    exponent as f64 + log2_of_ratio((mantissa - 1.0) / (mantissa + 1.0))
}

/// Computes `log2((1 + s) / (1 - s))` for s from 0 to 1/3, by the series of the inverse hyperbolic tangent.
fn log2_of_ratio(s: f64) -> f64 {
    const TERMS: i32 = 17;
    let square = s * s;
    let series = (0..TERMS).rev().fold(0.0, |sum, i| sum * square + 1.0 / f64::from(2 * i + 1));
    2.0 / LN_2 * s * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_library() {
        for x in [1.0, 1.0 + 1e-9, 2.0, 3.0, 7.5, 1023.0, 1024.0, 4e9] {
            assert!((log2(x) - f64::log2(x)).abs() <= 1e-14 * (1.0 + f64::log2(x)), "{x}");
        }
        assert_eq!((log2(1.0), log2(2.0), log2(1024.0)), (0.0, 1.0, 10.0));
    }

    #[test]
    fn a_step_is_the_difference_of_two_costs() {
        let costs = Costs::new();
        for d in [1, 2, 3, 500, 1022, 1023, 1024, 1025, 3_000_000] {
            let direct = bits(d) - bits(d - 1);
            assert!((costs.step(d) - direct).abs() < 1e-7 * direct, "{d}");
        }
        assert_eq!((costs.bits(0), costs.bits(1), costs.bits(3)), (0.0, 1.0, 6.0));
    }

    #[test]
    fn leaving_a_half_lowers_the_cost_by_the_gain() {
        let costs = Costs::new();
        for (degrees, sizes) in [([1, 1], [4, 4]), ([5, 2], [9, 8]), ([2000, 3], [4000, 4001])] {
            let logs = Sizes::of(sizes);
            let cost = |a: u32, b: u32| costs.of([a, b], logs);
            let [a, b] = degrees;
            let drops = [cost(a, b) - cost(a - 1, b + 1), cost(a, b) - cost(a + 1, b - 1)];
            for (got, expected) in costs.leaving(degrees, logs).into_iter().zip(drops) {
                assert!((f64::from(got) - expected).abs() < 1e-5, "{degrees:?}: {got} and {expected}");
            }
        }
    }
}
