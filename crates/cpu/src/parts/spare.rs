//! Scratch memory kept from one run to the next. Growing vectors again in every run causes page faults and TLB flushes
//! on all cores, which cost as much as a short run itself.

use std::sync::Mutex;

/// A place for one value that is not in use. Concurrent runs create their own.
pub(crate) struct Spare<T>(Mutex<Option<T>>);

impl<T> Spare<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Takes the value that is kept, or makes a new one.
    pub(crate) fn take_or(&self, make: impl FnOnce() -> T) -> T {
        self.0.lock().ok().and_then(|mut kept| kept.take()).unwrap_or_else(make)
    }

    /// Keeps a value of this many bytes for the next run, unless it is too large.
    pub(crate) fn keep(&self, value: T, bytes: usize) {
        const LIMIT: usize = 256 << 20;
        if bytes <= LIMIT
            && let Ok(mut kept) = self.0.lock()
        {
            *kept = Some(value);
        }
    }
}
