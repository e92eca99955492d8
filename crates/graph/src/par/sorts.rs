//! Provides parallel sorts of the two element types in use, each compiled once.

use rayon::prelude::*;

/// Sorts numbers on all threads.
pub fn sort_numbers(numbers: &mut [u64]) {
    numbers.par_sort_unstable();
}

/// Sorts pairs of numbers on all threads, by the first number and then by the second.
pub fn sort_pairs(pairs: &mut [[u64; 2]]) {
    pairs.par_sort_unstable();
}
