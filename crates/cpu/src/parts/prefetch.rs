//! Prefetching memory.

/// Starts to load element `i` of `slice` into the cache. Does nothing if there is no such element.
#[inline(always)]
pub(crate) fn prefetch<T>(slice: &[T], i: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching is a hint and never faults, whatever the address. SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(slice.as_ptr().wrapping_add(i).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, i);
}
