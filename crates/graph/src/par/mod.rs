//! Provides parallel loops whose scheduling is compiled only once.
//!
//! A pipeline of rayon iterators compiles to about 2,700 lines of LLVM code per closure. The functions here pass every
//! loop through `split`, which is compiled once. It cuts `0..len` into ranges as rayon does (at first one per thread,
//! and more where another thread has run out of work) and calls a `dyn` closure per range. The loop over a range is the
//! caller's own code, so the compiler still optimises it for its types. A range costs one indirect call.
//!
//! Functions that return a list return it in index order on any number of threads. A panic in a closure reaches the
//! caller and leaks the values made before it.

mod arrays;
mod sorts;

pub use arrays::{
    Values, chunks_mut, consume, consume_each, map_each, parts_mut, parts_of_two, try_map_each, try_map_with,
};
pub use sorts::{sort_numbers, sort_pairs};

use arrays::Slots;
use std::{
    ops::Range,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

/// The least length of a range in loops that do little work per element.
pub const FINE: usize = 1 << 12;

/// Calls `task` with ranges that cover `0..len` once, each of at least `least` elements (or all of them).
pub fn ranges(len: usize, least: usize, task: impl Fn(Range<usize>) + Sync) {
    split(0..len, least.max(1), rayon::current_num_threads(), false, &task);
}

/// Halves `range` until every thread has work, and further for each half that another thread has stolen.
fn split(range: Range<usize>, least: usize, cuts: usize, stolen: bool, task: &(dyn Fn(Range<usize>) + Sync)) {
    let cuts_left = if stolen { rayon::current_num_threads().max(cuts / 2) } else { cuts / 2 };
    if range.len() / 2 < least || (cuts == 0 && !stolen) {
        if !range.is_empty() {
            task(range);
        }
        return;
    }
    let middle = range.start + range.len() / 2;
    rayon::join_context(
        |context| split(range.start..middle, least, cuts_left, context.migrated(), task),
        |context| split(middle..range.end, least, cuts_left, context.migrated(), task),
    );
}

/// Calls `task` with every index below `len`.
pub fn each(len: usize, task: impl Fn(usize) + Sync) {
    ranges(len, 1, |range| range.for_each(&task));
}

/// Calls `task` with every index below `len` until a call fails, and returns one of the errors.
///
/// # Errors
/// One of the errors that `task` returned.
pub fn try_each<E: Send>(len: usize, task: impl Fn(usize) -> Result<(), E> + Sync) -> Result<(), E> {
    let failure = Failure::default();
    each(len, |index| failure.watch(|| task(index)));
    failure.into_result()
}

/// Returns the results of `make` for all indices below `len`, in order.
pub fn map<T: Send>(len: usize, make: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let slots = Slots::new(len);
    ranges(len, 1, |range| {
        for index in range {
            // SAFETY: `ranges` covers each index once, and all indices are below the length.
            unsafe { slots.write(index, make(index)) };
        }
    });
    // SAFETY: every slot was written.
    unsafe { slots.into_vec(len) }
}

/// Maps like [`map`], with one state per range of indices, made by `state`: for example, memory to work in.
pub fn map_with<T: Send, S>(
    len: usize,
    state: impl Fn() -> S + Sync,
    make: impl Fn(&mut S, usize) -> T + Sync,
) -> Vec<T> {
    let slots = Slots::new(len);
    ranges(len, 1, |range| {
        let mut state = state();
        for index in range {
            // SAFETY: `ranges` covers each index once, and all indices are below the length.
            unsafe { slots.write(index, make(&mut state, index)) };
        }
    });
    // SAFETY: every slot was written.
    unsafe { slots.into_vec(len) }
}

/// Maps like [`map`], with a closure that may fail.
///
/// # Errors
/// One of the errors that `make` returned; other indices may then be skipped.
pub fn try_map<T: Send, E: Send>(
    len: usize,
    make: impl Fn(usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let failure = Failure::default();
    let made = map(len, |index| failure.value(|| make(index)));
    failure.into_result()?;
    Ok(made.into_iter().flatten().collect())
}

/// Returns the results of `scan` for all ranges, combined by `join` in order; `None` if `len` is 0.
pub fn reduce<T: Send>(
    len: usize,
    least: usize,
    scan: impl Fn(Range<usize>) -> T + Sync,
    join: impl FnMut(T, T) -> T,
) -> Option<T> {
    let found = Mutex::new(Vec::new());
    ranges(len, least, |range| {
        let entry = (range.start, scan(range));
        found.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable_by_key(|entry| entry.0);
    found.into_iter().map(|entry| entry.1).reduce(join)
}

/// Returns the sum of `count` over ranges that cover `0..len`, modulo 2^64.
pub fn sum(len: usize, least: usize, count: impl Fn(Range<usize>) -> u64 + Sync) -> u64 {
    let total = std::sync::atomic::AtomicU64::new(0);
    ranges(len, least, |range| {
        total.fetch_add(count(range), Ordering::Relaxed);
    });
    total.into_inner()
}

/// Returns the sum of `value` over all indices below `len`, added block by block: the same on any number of threads.
pub fn sum_f64(len: usize, value: impl Fn(usize) -> f64 + Sync) -> f64 {
    let block = |i: usize| (i * FINE..len.min((i + 1) * FINE)).map(&value).sum::<f64>();
    map(len.div_ceil(FINE), block).iter().sum()
}

/// Returns the smallest index below `len` for which `search` succeeds; `search` returns the first match in a range.
pub fn find_first(
    len: usize,
    least: usize,
    search: impl Fn(Range<usize>) -> Option<usize> + Sync,
) -> Option<usize> {
    let first = AtomicUsize::new(usize::MAX);
    ranges(len, least, |range| {
        // The loop works in pieces, so that it stops early once a smaller index is known.
        for start in range.clone().step_by(FINE) {
            if first.load(Ordering::Relaxed) < start {
                return;
            }
            if let Some(index) = search(start..range.end.min(start + FINE)) {
                first.fetch_min(index, Ordering::Relaxed);
                return;
            }
        }
    });
    Some(first.into_inner()).filter(|&index| index != usize::MAX)
}

/// Returns true if `holds` returns true for all ranges, of at most [`FINE`] indices each, that cover `0..len`.
pub fn all(len: usize, least: usize, holds: impl Fn(Range<usize>) -> bool + Sync) -> bool {
    find_first(len, least, |range| (!holds(range.clone())).then_some(range.start)).is_none()
}

/// Runs both closures, in parallel if a thread is free, and returns both results.
pub fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    fn run(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
        rayon::join(a, b);
    }
    let (mut a, mut b) = (Some(a), Some(b));
    let (mut first, mut second) = (None, None);
    run(&mut || first = a.take().map(|a| a()), &mut || second = b.take().map(|b| b()));
    match (first, second) {
        (Some(first), Some(second)) => (first, second),
        _ => unreachable!("rayon::join calls both closures"),
    }
}

/// The first error of a loop, and a flag that is set once there is one.
struct Failure<E> {
    failed: AtomicBool,
    error: Mutex<Option<E>>,
}

impl<E> Default for Failure<E> {
    fn default() -> Self {
        Self { failed: AtomicBool::new(false), error: Mutex::new(None) }
    }
}

impl<E> Failure<E> {
    /// Returns the result of `make`; `None` if it fails or an earlier call has failed.
    fn value<T>(&self, make: impl FnOnce() -> Result<T, E>) -> Option<T> {
        if self.failed.load(Ordering::Relaxed) {
            return None;
        }
        match make() {
            Ok(value) => Some(value),
            Err(error) => {
                self.failed.store(true, Ordering::Relaxed);
                self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                None
            }
        }
    }

    fn watch(&self, task: impl FnOnce() -> Result<(), E>) {
        self.value(task);
    }

    fn into_result(self) -> Result<(), E> {
        match self.error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
