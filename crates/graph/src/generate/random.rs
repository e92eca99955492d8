//! Draws random numbers from a counter: a draw is a hash of (seed, purpose, index), so threads can generate the pieces
//! of a graph in any order with the same result.

use crate::hash::mix;

/// The purpose of a draw; draws of one seed for different purposes are independent.
#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose {
    /// The endpoints of edges.
    Edges = 1,
    /// The degrees of vertices.
    Degrees = 2,
    /// The renumbering of vertices.
    Order = 3,
    /// The weights of edges.
    Weights = 4,
    /// The bounds of communities.
    Bounds = 5,
    /// The popularity ranks of vertices.
    Popularity = 6,
}

/// An endless table of 64-bit words, each computed when it is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draws {
    key: u64,
}

impl Draws {
    pub(super) fn new(seed: u64, purpose: Purpose) -> Self {
        Self { key: mix(seed, purpose as u64) }
    }

    /// Returns the word at `index`.
    #[inline(always)]
    pub(super) fn at(self, index: u64) -> u64 {
        mix(self.key, index)
    }
}

/// Maps a word to a whole number below `n`, uniform except for a bias under n / 2^64.
#[inline(always)]
pub(super) fn below(word: u64, n: u64) -> u64 {
    ((u128::from(word) * u128::from(n)) >> 64) as u64
}

/// Maps a word to a number in [0, 1) of 53 bits.
#[inline(always)]
pub(super) fn unit(word: u64) -> f64 {
    (word >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Returns the number below which a `share` of all words lies: 0 for no words, 2^64 for all words.
pub(super) fn threshold(share: f64) -> u128 {
    (share * 2f64.powi(64)) as u128
}

/// A keyed bijection of `0..n` without a table: three rounds of multiply-add and xor-shift on as many bits as n - 1
/// has, repeated while the result is not below n (less than one repetition on average).
///
/// Each round is invertible on `0..2^bits`: it multiplies by an odd factor, adds a constant, and combines the value
/// with its own right shift by xor. Hence the chain of the rounds is a bijection of `0..2^bits`. Following a cycle of a
/// bijection from a point of a subset to the next point of that subset is a bijection of the subset.
#[derive(Debug, Clone, Copy)]
pub(super) struct Permutation {
    n: u64,
    mask: u64,
    shift: u32,
    factors: [u64; 3],
}

impl Permutation {
    /// Returns the bijection of `0..n` that belongs to `key`; `n` is at least 1 and at most 2^63.
    #[inline]
    pub(super) fn new(n: u64, key: u64) -> Self {
        let bits = 64 - (n - 1).leading_zeros();
        let factors = [mix(key, 0), mix(key, 1), mix(key, 2)];
        Self { n, mask: (1u64 << bits) - 1, shift: (bits / 2).max(1), factors }
    }

    /// Returns the image of `x`, which must be below `n`.
    #[inline(always)]
    pub(super) fn apply(&self, mut x: u64) -> u64 {
        loop {
            for factor in self.factors {
                x = x.wrapping_mul(factor | 1).wrapping_add(factor >> 32) & self.mask;
                x ^= x >> self.shift;
            }
            if x < self.n {
                return x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permutation_hits_every_number_once() {
        for n in [1u64, 2, 3, 5, 8, 17, 1000, 1024, 4097] {
            for key in 0..5 {
                let permutation = Permutation::new(n, key);
                let mut images: Vec<u64> = (0..n).map(|x| permutation.apply(x)).collect();
                images.sort_unstable();
                assert!(images.into_iter().eq(0..n), "n = {n}, key = {key}");
            }
        }
    }

    #[test]
    fn a_permutation_leaves_no_order() {
        let permutation = Permutation::new(1 << 20, 7);
        let ascents = (1..1u64 << 20).filter(|&x| permutation.apply(x) > permutation.apply(x - 1)).count();
        assert!((ascents as f64 / (1u64 << 20) as f64 - 0.5).abs() < 0.05, "{ascents} ascents");
    }

    #[test]
    fn draws_are_uniform_in_every_bit() {
        let draws = Draws::new(1, Purpose::Edges);
        let mut ones = [0u32; 64];
        for i in 0..40_000 {
            let word = draws.at(i);
            ones.iter_mut().enumerate().for_each(|(b, c)| *c += (word >> b & 1) as u32);
        }
        // Five standard deviations of a binomial(40000, 1/2) are 500.
        assert!(ones.iter().all(|&c| c.abs_diff(20_000) < 500), "{ones:?}");
    }
}
