//! Views plain arrays as arrays of atomics while several threads write them.
//!
//! Relaxed loads and stores compile to plain moves, so they cost no more than raw pointers, and a race yields a stale
//! value instead of undefined behaviour.

use std::sync::atomic::{AtomicU32, AtomicU64};

/// A plain type with an atomic counterpart of the same size and alignment.
///
/// # Safety
/// `Twin` has the same size, alignment and valid values as `Self`, and allows writes through shared references.
pub unsafe trait Atomic: Sized {
    /// The atomic counterpart.
    type Twin;
}

// SAFETY: the standard library guarantees equal size and bit validity; the assertions below check the alignment.
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

/// Returns a view of an exclusively borrowed array as atomics.
pub fn atomics<T: Atomic>(array: &mut [T]) -> &[T::Twin] {
    let array: *mut [T] = array;
    // SAFETY: the trait guarantees equal layout; the exclusive borrow lasts as long as the view, so the atomics are the
    // only way to access the memory.
    unsafe { &*(array as *const [T::Twin]) }
}
