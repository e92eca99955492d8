//! Provides loops over arrays: parts of slices to write, and vectors whose elements are consumed.

use super::{Failure, ranges};
use std::{marker::PhantomData, mem::ManuallyDrop, ops::Range};

/// Calls `task` with parts that cover `slice` once, and with the index of the first element of each part.
pub fn parts_mut<T: Send>(slice: &mut [T], least: usize, task: impl Fn(usize, &mut [T]) + Sync) {
    let (len, part) = (slice.len(), Part::new(slice));
    // SAFETY: `ranges` covers each index once, so no two parts overlap.
    ranges(len, least, |range| task(range.start, unsafe { part.get(range) }));
}

/// Calls `task` with each chunk of `size` elements (the last may be shorter) and its number.
pub fn chunks_mut<T: Send>(slice: &mut [T], size: usize, task: impl Fn(usize, &mut [T]) + Sync) {
    let (len, part) = (slice.len(), Part::new(slice));
    // SAFETY: chunks of different numbers do not overlap, and `each` visits every number once.
    super::each(len.div_ceil(size), |i| task(i, unsafe { part.get(i * size..len.min((i + 1) * size)) }));
}

/// Calls `task` like [`parts_mut`], with parts of two slices of the same length at once.
pub fn parts_of_two<A: Send, B: Send>(
    a: &mut [A],
    b: &mut [B],
    least: usize,
    task: impl Fn(usize, &mut [A], &mut [B]) + Sync,
) {
    assert_eq!(a.len(), b.len(), "two slices of the same length");
    let (len, a, b) = (a.len(), Part::new(a), Part::new(b));
    // SAFETY: as in `parts_mut`, for both slices.
    ranges(len, least, |range| task(range.start, unsafe { a.get(range.clone()) }, unsafe { b.get(range) }));
}

/// Calls `task` with every element and its index; `task` owns the element.
pub fn consume_each<T: Send>(values: Vec<T>, task: impl Fn(usize, T) + Sync) {
    consume(values, |values, range| {
        for (index, value) in range.zip(values) {
            task(index, value);
        }
    });
}

/// Calls `task` with ranges that cover the vector once, and with an iterator over the elements of each range.
///
/// An element that `task` leaves in the iterator is dropped with the iterator.
pub fn consume<T: Send>(values: Vec<T>, task: impl Fn(Values<'_, T>, Range<usize>) + Sync) {
    let mut values = ManuallyDrop::new(values);
    let (len, part) = (values.len(), Part::new(&mut values[..]));
    ranges(len, 1, |range| {
        // SAFETY: `ranges` covers each index once, so each element has one owner, the iterator.
        let values = Values { slice: unsafe { part.get(range.clone()) }.iter_mut() };
        task(values, range);
    });
    // SAFETY: the iterators have moved out or dropped all elements; only the memory is left.
    unsafe { values.set_len(0) };
    drop(ManuallyDrop::into_inner(values));
}

/// Elements of a vector, moved out one by one.
pub struct Values<'a, T> {
    slice: std::slice::IterMut<'a, T>,
}

impl<T> Iterator for Values<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        // SAFETY: the slice's iterator yields each element once, and `consume` never touches elements again.
        self.slice.next().map(|value| unsafe { std::ptr::read(value) })
    }
}

impl<T> Drop for Values<'_, T> {
    fn drop(&mut self) {
        self.for_each(drop);
    }
}

/// Returns the results of `make` for all elements, in order.
pub fn map_each<T: Send, U: Send>(values: Vec<T>, make: impl Fn(usize, T) -> U + Sync) -> Vec<U> {
    let (len, slots) = (values.len(), Slots::new(values.len()));
    // SAFETY: `consume_each` visits each index once, and all indices are below the length.
    consume_each(values, |index, value| unsafe { slots.write(index, make(index, value)) });
    // SAFETY: every slot was written.
    unsafe { slots.into_vec(len) }
}

/// Maps like [`map_each`], with a closure that may fail.
///
/// # Errors
/// One of the errors that `make` returned; other elements may then be dropped unused.
pub fn try_map_each<T: Send, U: Send, E: Send>(
    values: Vec<T>,
    make: impl Fn(usize, T) -> Result<U, E> + Sync,
) -> Result<Vec<U>, E> {
    let failure = Failure::default();
    let made = map_each(values, |index, value| failure.value(|| make(index, value)));
    failure.into_result()?;
    Ok(made.into_iter().flatten().collect())
}

/// Maps like [`try_map_each`], with one state per range of elements, made by `state`: for example, memory to work in.
///
/// # Errors
/// As [`try_map_each`].
pub fn try_map_with<T: Send, U: Send, S, E: Send>(
    values: Vec<T>,
    state: impl Fn() -> S + Sync,
    make: impl Fn(&mut S, T) -> Result<U, E> + Sync,
) -> Result<Vec<U>, E> {
    let (len, slots, failure) = (values.len(), Slots::new(values.len()), Failure::default());
    consume(values, |values, range| {
        let mut state = state();
        for (index, value) in range.zip(values) {
            let made = failure.value(|| make(&mut state, value));
            // SAFETY: `consume` covers each index once, and all indices are below the length.
            unsafe { slots.write(index, made) };
        }
    });
    // SAFETY: every slot was written.
    let made: Vec<Option<U>> = unsafe { slots.into_vec(len) };
    failure.into_result()?;
    Ok(made.into_iter().flatten().collect())
}

/// A slice from which threads take parts that do not overlap.
struct Part<'a, T> {
    start: *mut T,
    len: usize,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: the only access is `get`, whose caller guarantees that parts do not overlap.
unsafe impl<T: Send> Sync for Part<'_, T> {}

impl<'a, T> Part<'a, T> {
    fn new(slice: &'a mut [T]) -> Self {
        Self { start: slice.as_mut_ptr(), len: slice.len(), slice: PhantomData }
    }

    /// Returns the elements of `range`. Panics if they do not lie in the slice.
    ///
    /// # Safety
    /// No two parts that exist at the same time share an element.
    #[allow(clippy::mut_from_ref, reason = "parts do not meet, by the caller's promise")]
    unsafe fn get(&self, range: Range<usize>) -> &mut [T] {
        assert!(range.start <= range.end && range.end <= self.len, "a part beyond its slice");
        // SAFETY: the range lies inside the exclusively borrowed slice, and no other part holds these elements.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
    }
}

/// Memory for values that threads write in any order.
pub(super) struct Slots<T> {
    values: Vec<T>,
    start: *mut T,
}

// SAFETY: shared access only writes, and the callers of `write` never write the same position twice.
unsafe impl<T: Send> Sync for Slots<T> {}

impl<T> Slots<T> {
    pub(super) fn new(len: usize) -> Self {
        let mut values = Vec::with_capacity(len);
        let start = values.as_mut_ptr();
        Self { values, start }
    }

    /// Writes the value at `index`.
    ///
    /// # Safety
    /// `index` is below the length, and no other call writes it.
    pub(super) unsafe fn write(&self, index: usize, value: T) {
        // SAFETY: the caller guarantees that the index is below the length and that no other call writes it.
        unsafe { self.start.add(index).write(value) };
    }

    /// Returns the values as a vector.
    ///
    /// # Safety
    /// All indices below `len` were written, and `len` is the length given to [`Slots::new`].
    pub(super) unsafe fn into_vec(mut self, len: usize) -> Vec<T> {
        // SAFETY: the caller guarantees that `len` values have been written.
        unsafe { self.values.set_len(len) };
        self.values
    }
}
