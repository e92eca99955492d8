//! Parallel sorts of the two types that callers share, compiled once.

use rayon::prelude::*;

/// Sorts numbers on all threads.
pub fn sort_numbers(numbers: &mut [u64]) {
    numbers.par_sort_unstable();
}

/// Sorts pairs of numbers on all threads, by the first and then the second.
pub fn sort_pairs(pairs: &mut [[u64; 2]]) {
    pairs.par_sort_unstable();
}
