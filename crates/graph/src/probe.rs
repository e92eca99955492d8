//! Loops that touch memory as engines do, for programs that measure what a machine can do at best.
//!
//! They live in this crate, which is always compiled with full optimisation; the benchmark itself is not.

use crate::{atomics::atomics, par};
use std::sync::atomic::Ordering;

/// Elements per task.
const PIECE: usize = 1 << 14;

/// Reads `array` at random places (each `place & mask`, where `mask` is the array's length minus one) and returns the sum.
///
/// # Panics
/// If the length of `array` is no power of two.
pub fn gather(array: &[u32], places: &[u32]) -> u64 {
    assert!(array.len().is_power_of_two(), "{} elements, expected a power of two", array.len());
    // The slice is as long as the mask can reach, so the loop has no bounds checks.
    let mask = array.len() - 1;
    par::sum(places.len(), PIECE, |range| {
        places[range].iter().map(|&place| u64::from(array[place as usize & mask])).sum()
    })
}

/// Adds 1 atomically at random places of `array`, as [`gather`] takes them.
///
/// # Panics
/// As [`gather`].
pub fn add(array: &mut [u32], places: &[u32]) {
    assert!(array.len().is_power_of_two(), "{} elements, expected a power of two", array.len());
    let mask = array.len() - 1;
    let cells = atomics(array);
    par::ranges(places.len(), PIECE, |range| {
        for &place in &places[range] {
            cells[place as usize & mask].fetch_add(1, Ordering::Relaxed);
        }
    });
}
