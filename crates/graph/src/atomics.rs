//! Plain arrays as arrays of atomics, for the time threads write them together.
//!
//! Relaxed loads and stores of these compile to plain moves, so nothing is lost against raw pointers, and a race is a
//! stale value instead of undefined behaviour.

use std::sync::atomic::{AtomicU32, AtomicU64};

/// A plain type that has an atomic twin of the same size and alignment.
///
/// # Safety
/// `Twin` has the same size, alignment and valid values as `Self`, and lets shared references be written.
pub unsafe trait Atomic: Sized {
    /// The twin.
    type Twin;
}

// SAFETY: the standard library promises equal size and bit validity; alignment is asserted below.
unsafe impl Atomic for u32 {
    type Twin = AtomicU32;
}
// SAFETY: as above; f32 and u32 have the same layout, and every bit pattern is a value of both.
unsafe impl Atomic for f32 {
    type Twin = AtomicU32;
}
// SAFETY: as above, with 64 bits.
unsafe impl Atomic for f64 {
    type Twin = AtomicU64;
}
// SAFETY: as above.
unsafe impl Atomic for u64 {
    type Twin = AtomicU64;
}
const _: () = assert!(align_of::<AtomicU32>() == align_of::<u32>());
const _: () = assert!(align_of::<AtomicU64>() == align_of::<u64>());

/// Views an exclusively borrowed array as atomics.
pub fn atomics<T: Atomic>(array: &mut [T]) -> &[T::Twin] {
    let array: *mut [T] = array;
    // SAFETY: equal layout by the trait's promise; the exclusive borrow lasts as long as the view, so that the atomics
    // are the only way to the memory.
    unsafe { &*(array as *const [T::Twin]) }
}
