//! The stacks that threads run on: one mapping, cut into equal parts, each with a guard page at its low end.

use super::super::LABEL;
use crate::{Error, Result};

/// Bytes per stack, including the guard page.
pub(super) const STACK_BYTES: usize = 64 << 10;
const GUARD_BYTES: usize = 4 << 10;

/// Stacks, as many as the largest launch so far needed.
#[derive(Debug)]
pub(super) struct Stacks {
    base: *mut u8,
    count: usize,
}

// SAFETY: the mapping is its own, and is accessed by address only.
unsafe impl Send for Stacks {}

impl Stacks {
    pub(super) fn new() -> Self {
        Self { base: std::ptr::null_mut(), count: 0 }
    }

    /// Returns the address of the first of at least `count` stacks. Requires that no kernel is in progress, since the
    /// stacks may move.
    pub(super) fn at_least(&mut self, count: usize) -> Result<*mut u8> {
        if count > self.count {
            *self = Self::map(count)?;
        }
        Ok(self.base)
    }

    fn map(count: usize) -> Result<Self> {
        let (protection, flags) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
        );
        // SAFETY: a new anonymous mapping at an address of the system's choice.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), count * STACK_BYTES, protection, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return Err(failed("mmap", count));
        }
        let stacks = Self { base: base.cast(), count };
        for i in 0..count {
            // SAFETY: the first page of the i-th stack, in the mapping above.
            let guard = unsafe { stacks.base.add(i * STACK_BYTES) };
            // SAFETY: as above; no thread uses it yet.
            if unsafe { libc::mprotect(guard.cast(), GUARD_BYTES, libc::PROT_NONE) } != 0 {
                return Err(failed("mprotect", count));
            }
        }
        Ok(stacks)
    }
}

fn failed(call: &str, count: usize) -> Error {
    Error::Call {
        label: LABEL.to_owned(),
        call: call.to_owned(),
        what: format!("no room for {count} stacks of threads: {}", std::io::Error::last_os_error()),
    }
}

impl Drop for Stacks {
    fn drop(&mut self) {
        if !self.base.is_null() {
            // SAFETY: its own mapping of that size. The threads that ran on it never continue.
            unsafe { libc::munmap(self.base.cast(), self.count * STACK_BYTES) };
        }
    }
}
