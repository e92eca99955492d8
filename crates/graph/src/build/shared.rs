//! Provides a slice that many threads fill, each at its own positions.

use std::marker::PhantomData;

/// A borrowed slice whose elements any thread may write.
#[derive(Debug)]
pub(super) struct Scattered<'a, T> {
    start: *mut T,
    len: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: the only access is `write`, whose caller guarantees that no two threads write the same element.
unsafe impl<T: Send> Sync for Scattered<'_, T> {}

impl<'a, T: Copy> Scattered<'a, T> {
    pub(super) fn new(slice: &'a mut [T]) -> Self {
        Self { start: slice.as_mut_ptr(), len: slice.len(), slice: PhantomData }
    }

    /// Writes one element.
    ///
    /// # Safety
    /// `index` is below the length, and no other thread writes this element while the borrow lasts.
    #[inline(always)]
    pub(super) unsafe fn write(&self, index: usize, value: T) {
        debug_assert!(index < self.len);
        // SAFETY: the caller guarantees that the element lies inside the slice and that no other thread writes it.
        unsafe { *self.start.add(index) = value };
    }
}
