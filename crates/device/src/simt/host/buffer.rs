//! Memory of an exact size, so that AddressSanitizer reports an access to the first byte beyond it.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};

/// Bytes at an address that is a multiple of 16, not initialised.
#[derive(Debug)]
pub(super) struct Buffer {
    at: *mut u8,
    layout: Layout,
}

// SAFETY: the buffer owns its memory, which is accessed by address only.
unsafe impl Send for Buffer {}

impl Buffer {
    /// Allocates `bytes` bytes. The number is small: the arguments of a launch or the shared memory of a block.
    pub(super) fn new(bytes: usize) -> Self {
        // SAFETY: 16 is a power of two, and so few bytes do not overflow when rounded up to it.
        let layout = unsafe { Layout::from_size_align_unchecked(bytes.max(1), 16) };
        // SAFETY: not of size zero.
        let at = unsafe { alloc(layout) };
        if at.is_null() {
            handle_alloc_error(layout);
        }
        Self { at, layout }
    }

    /// Allocates a buffer with a copy of these bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let buffer = Self::new(bytes.len());
        // SAFETY: a buffer of that size, just made.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), buffer.at, bytes.len()) };
        buffer
    }

    pub(super) fn address(&self) -> *mut u8 {
        self.at
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout.
        unsafe { dealloc(self.at, self.layout) };
    }
}
