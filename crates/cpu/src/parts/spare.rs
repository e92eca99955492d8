//! Scratch memory kept from one run to the next: growing vectors anew every time costs page faults and flushes of every
//! core's address translations, as much as a short run itself.

use std::sync::Mutex;

/// A place for one value that is not in use. Runs at the same time make their own.
pub(crate) struct Spare<T>(Mutex<Option<T>>);

impl<T> Spare<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// The value kept, or a new one.
    pub(crate) fn take_or(&self, make: impl FnOnce() -> T) -> T {
        self.0.lock().ok().and_then(|mut kept| kept.take()).unwrap_or_else(make)
    }

    /// Keeps a value of this many bytes for the next run, unless that is too much to hold on to.
    pub(crate) fn keep(&self, value: T, bytes: usize) {
        const LIMIT: usize = 256 << 20;
        if bytes <= LIMIT
            && let Ok(mut kept) = self.0.lock()
        {
            *kept = Some(value);
        }
    }
}
