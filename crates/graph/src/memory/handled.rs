//! Marks allocations whose failure the caller turns into an error.
//!
//! A program whose global allocator ends it when memory runs out asks [`is_handled`] first, and returns null if the
//! failing call is one of these.

use super::shortage;
use crate::error::Result;
use bytemuck::Pod;
use std::cell::Cell;

thread_local! {
    static HANDLED: Cell<bool> = const { Cell::new(false) };
}

/// Returns true if this thread is inside an allocation whose failure the caller handles. Does not allocate.
pub fn is_handled() -> bool {
    HANDLED.get()
}

/// Makes room for exactly `more` elements after the last one.
///
/// # Errors
/// [`crate::Error::TooLarge`] if the system refuses the memory.
pub(crate) fn reserve<T>(vec: &mut Vec<T>, more: usize) -> Result<()> {
    let reserved = handled(|| vec.try_reserve_exact(more));
    let bytes = (vec.len() as u64).saturating_add(more as u64).saturating_mul(size_of::<T>() as u64);
    reserved.map_err(|_| shortage("an array", bytes))
}

/// Returns `len` zeroes, which take physical memory only once written.
///
/// # Errors
/// As [`reserve`].
pub(crate) fn zeroes<T: Pod>(len: usize) -> Result<Vec<T>> {
    let bytes = (len as u64).saturating_mul(size_of::<T>() as u64);
    handled(|| bytemuck::try_zeroed_vec(len)).map_err(|()| shortage("an array", bytes))
}

/// Runs an allocation with the thread marked.
fn handled<T>(allocate: impl FnOnce() -> T) -> T {
    /// Unmarks the thread, also after a panic.
    struct Mark(bool);
    impl Drop for Mark {
        fn drop(&mut self) {
            HANDLED.set(self.0);
        }
    }
    let _mark = Mark(HANDLED.replace(true));
    allocate()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reservation_that_fails_is_an_error_and_leaves_no_mark() {
        let mut bytes = vec![1u8];
        let error = reserve(&mut bytes, isize::MAX as usize - 9).unwrap_err();
        assert_eq!(error.kind(), "too-large");
        assert!(!is_handled());
        reserve(&mut bytes, 10).unwrap();
        assert!(bytes.capacity() >= 11);
    }
}
