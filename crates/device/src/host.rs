//! Memory of the host: how much there is, memory of huge pages, and copies on all cores.

use crate::ring::{CHUNK, WORTH};
use std::{
    alloc::{Layout, alloc, dealloc},
    mem::MaybeUninit,
    ptr::NonNull,
    sync::{Mutex, PoisonError},
    thread,
};

/// Bytes of a huge page.
pub(crate) const HUGE_PAGE: usize = 2 << 20;
/// The most threads of a copy. With more, the host's memory is the limit.
const MOST_THREADS: usize = 32;

/// Returns the host's available and total memory in bytes; `u64::MAX` where the system does not tell.
pub(crate) fn memory() -> (u64, u64) {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
    };
    (field("MemAvailable:").unwrap_or(u64::MAX), field("MemTotal:").unwrap_or(u64::MAX))
}

/// Memory in huge pages where the system has them, with a copy of some bytes at its start.
#[derive(Debug)]
pub(crate) struct Pages {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: the pages own their memory, and nothing writes to it after `copy_of`.
unsafe impl Send for Pages {}
// SAFETY: as above.
unsafe impl Sync for Pages {}

impl Pages {
    /// Copies bytes into new memory. Returns `None` if the system has none. The caller has checked that the host has
    /// room: a system that promises memory which it does not have would end the process.
    pub(crate) fn copy_of(bytes: &[u8]) -> Option<Self> {
        let size = bytes.len().max(1).checked_next_multiple_of(HUGE_PAGE)?;
        let layout = Layout::from_size_align(size, HUGE_PAGE).ok()?;
        // SAFETY: the layout is not empty.
        let start = NonNull::new(unsafe { alloc(layout) })?;
        advise_huge(start, size);
        // SAFETY: the memory was just allocated with at least that many bytes, and nothing else has its address.
        copy(unsafe { std::slice::from_raw_parts_mut(start.as_ptr().cast(), bytes.len()) }, bytes);
        Some(Self { start, layout })
    }

    /// Returns the address of the first byte.
    pub(crate) fn address(&self) -> u64 {
        self.start.as_ptr() as u64
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: allocated in `copy_of` with this layout.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

/// Copies bytes, many of them on all cores. Their threads give the target its pages. The target is then initialised.
///
/// # Panics
/// If the lengths differ.
pub(crate) fn copy(to: &mut [MaybeUninit<u8>], from: &[u8]) {
    assert_eq!(to.len(), from.len(), "as many bytes");
    let cores = thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
    let threads = cores.min(from.len() / WORTH + 1);
    let pieces = Mutex::new(to.chunks_mut(CHUNK).zip(from.chunks(CHUNK)));
    let work = || {
        let next = || pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some((to, from)) = next() {
            // SAFETY: two pieces of one length. The target is borrowed alone, so they do not overlap.
            unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to.as_mut_ptr().cast(), from.len()) };
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // The other threads do the work of one that cannot start.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
}

/// Asks for huge pages. Without them, locking takes longer, and that is all.
pub(crate) fn advise_huge(start: NonNull<u8>, bytes: usize) {
    #[cfg(target_os = "linux")]
    // SAFETY: whole pages that the caller just allocated; the advice does not change what they hold.
    unsafe {
        libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, bytes);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_host_says_how_much_memory_is_available() {
        let (free, total) = memory();
        assert!(0 < free && free <= total);
    }

    #[test]
    fn pages_hold_a_copy_of_every_byte() {
        for len in [0, 1, CHUNK - 1, CHUNK + 1, 3 * WORTH + 5] {
            let bytes: Vec<u8> = (0..len).map(|i| (i * 31 / 8) as u8).collect();
            let pages = Pages::copy_of(&bytes).unwrap();
            assert_eq!(pages.address() % HUGE_PAGE as u64, 0);
            // SAFETY: `copy_of` initialised that many bytes.
            let copied = unsafe { std::slice::from_raw_parts(pages.address() as *const u8, len) };
            assert!(copied == bytes, "{len} bytes");
        }
    }
}
