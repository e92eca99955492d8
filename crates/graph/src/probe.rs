//! Provides loops with the memory access patterns of engines, for programs that measure the limits of a machine.
//!
//! They are part of this crate because it is always compiled with full optimisation, unlike the benchmark itself.

use crate::{atomics::atomics, par};
use std::sync::atomic::Ordering;

/// The least number of elements per task.
const PIECE: usize = 1 << 14;

/// Reads `array` at random places (each `place & mask`, where `mask` is the array's length minus one) and returns the
/// sum.
///
/// # Panics
/// If the length of `array` is not a power of two.
pub fn gather(array: &[u32], places: &[u32]) -> u64 {
    assert!(array.len().is_power_of_two(), "{} elements, expected a power of two", array.len());
    // The masked index is always below the length, so the loop needs no bounds checks.
    let mask = array.len() - 1;
    par::sum(places.len(), PIECE, |range| {
        places[range].iter().map(|&place| u64::from(array[place as usize & mask])).sum()
    })
}

/// Adds 1 atomically at random places of `array`, masked as in [`gather`].
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
