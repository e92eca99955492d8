//! Converts arrays of numbers to vertices, offsets and weights, on all threads.

use super::npy::Array;
use crate::{
    csr::{Offset, Offsets, Vertex, first_fall},
    error::{Error, Result},
    memory::Pages,
    par,
    weights::Weights,
};
use bytemuck::Pod;
use std::{
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering},
};

/// Number of elements that one task converts.
const BLOCK: usize = 1 << 16;
/// Number of elements widened at a time into a buffer on the stack.
const STEP: usize = 1 << 10;
/// f64 represents every integer of at most this absolute value exactly.
const MAX_EXACT: i64 = 1 << 53;

/// The integers of an array, read as i64 whatever their type, so that the compiler makes each conversion once per
/// target type.
struct Whole<'a> {
    bytes: &'a [u8],
    width: usize,
    /// Widens numbers; a number beyond i64 becomes `i64::MAX`, which no conversion accepts.
    widen: fn(&[u8], &mut [i64]),
    /// Reads the first number without loss.
    exact: fn(&[u8]) -> i128,
}

impl<'a> Whole<'a> {
    /// Returns the numbers of an array, or `None` if its element type is not an integer type.
    fn of(array: &'a Array<'_>) -> Option<Self> {
        macro_rules! whole {
            ($type:ty) => {{
                const WIDTH: usize = size_of::<$type>();
                fn widen(bytes: &[u8], to: &mut [i64]) {
                    for (to, from) in to.iter_mut().zip(bytes.as_chunks::<WIDTH>().0) {
                        *to = i64::try_from(<$type>::from_le_bytes(*from)).unwrap_or(i64::MAX);
                    }
                }
                fn exact(bytes: &[u8]) -> i128 {
                    bytes.first_chunk().map_or(0, |first| <$type>::from_le_bytes(*first).into())
                }
                Some(Self { bytes: array.bytes(), width: WIDTH, widen, exact })
            }};
        }
        match array.kind.as_str() {
            "|i1" => whole!(i8),
            "|u1" => whole!(u8),
            "<i2" => whole!(i16),
            "<u2" => whole!(u16),
            "<i4" => whole!(i32),
            "<u4" => whole!(u32),
            "<i8" => whole!(i64),
            "<u8" => whole!(u64),
            _ => None,
        }
    }

    fn len(&self) -> usize {
        self.bytes.len() / self.width
    }

    /// Calls `visit` with the numbers of a range, at most [`STEP`] at a time, and the index of the first of them.
    fn walk(&self, range: Range<usize>, mut visit: impl FnMut(usize, &[i64])) {
        let mut numbers = [0; STEP];
        for start in range.clone().step_by(STEP) {
            let numbers = &mut numbers[..STEP.min(range.end - start)];
            (self.widen)(&self.bytes[start * self.width..(start + numbers.len()) * self.width], numbers);
            visit(start, numbers);
        }
    }

    /// Returns the smallest and the largest number, or 0 and 0 if the array is empty.
    fn range(&self) -> (i64, i64) {
        let scan = |range: Range<usize>| {
            let mut all = (i64::MAX, i64::MIN);
            self.walk(range, |_, numbers| {
                all = numbers.iter().fold(all, |(low, high), &n| (low.min(n), high.max(n)));
            });
            all
        };
        par::reduce(self.len(), BLOCK, scan, |a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 0))
    }

    /// Converts all numbers. If `convert` refuses some, returns the error that `refused` makes from the index and the
    /// value of the first of them.
    fn convert<T: Pod + Send + Sync>(
        &self,
        convert: impl Fn(i64) -> Option<T> + Sync,
        refused: impl Fn(usize, i128) -> Error,
    ) -> Result<Pages<T>> {
        let mut pages = Pages::<T>::scratch(self.len())?;
        let first_refused = AtomicUsize::new(usize::MAX);
        par::parts_mut(&mut pages, BLOCK, |first, part| {
            self.walk(first..first + part.len(), |start, numbers| {
                for (i, (to, &number)) in part[start - first..].iter_mut().zip(numbers).enumerate() {
                    match convert(number) {
                        Some(converted) => *to = converted,
                        None => _ = first_refused.fetch_min(start + i, Ordering::Relaxed),
                    }
                }
            });
        });
        match first_refused.into_inner() {
            usize::MAX => Ok(pages),
            place => Err(refused(place, (self.exact)(&self.bytes[place * self.width..]))),
        }
    }
}

/// Converts an array of indices of 32 or 64 bits, all of which must be below `limit`.
fn indices<T: Pod + Send + Sync>(
    array: &Array<'_>,
    limit: u64,
    what: &str,
    take: impl Fn(u64) -> T + Sync,
) -> Result<Pages<T>> {
    array.len()?;
    let is_wide = ["<i4", "<i8", "<u4", "<u8"].contains(&array.kind.as_str());
    let Some(numbers) = Whole::of(array).filter(|_| is_wide) else {
        return Err(array.wrong(format!("expected indices of type <i4 or <i8, got {}", array.kind)));
    };
    let below = |n: i64| u64::try_from(n).ok().filter(|&n| n < limit).map(&take);
    numbers.convert(below, |place, value| {
        let range = if limit == 0 { "none".to_owned() } else { format!("0 to {}", limit - 1) };
        array.wrong(format!("{what} {place} is {value}, expected {range}"))
    })
}

/// Returns the elements as vertices, all of which must be below `vertices`.
pub(super) fn vertices(array: &Array<'_>, vertices: u64) -> Result<Pages<Vertex>> {
    indices(array, vertices, "index", |n| n as Vertex)
}

/// Returns the row offsets, which must start at 0, end at `entries` and never decrease.
pub(super) fn offsets(array: &Array<'_>, entries: usize) -> Result<Offsets> {
    fn of<O: Offset>(array: &Array<'_>, entries: usize) -> Result<crate::memory::Buffer<O>> {
        let offsets = indices(array, entries as u64 + 1, "offset", |n| O::from_index(n as usize))?;
        let (first, last) = (offsets.first().map(|o| o.index()), offsets.last().map(|o| o.index()));
        if first != Some(0) || last != Some(entries) {
            let (first, last) = (first.unwrap_or(0), last.unwrap_or(0));
            return Err(array.wrong(format!("offsets run from {first} to {last}, expected 0 to {entries}")));
        }
        match first_fall(&offsets) {
            Some(row) => Err(array.wrong(format!("offset {} is smaller than the one before it", row + 1))),
            None => Ok(offsets.into()),
        }
    }
    if u32::try_from(entries).is_ok() {
        Ok(Offsets::Narrow(of::<u32>(array, entries)?))
    } else {
        Ok(Offsets::Wide(of::<u64>(array, entries)?))
    }
}

/// Returns the weights: integers as the first of u32, i32 and f64 that holds all of them, f32 and f64 unchanged.
/// Returns no weights if the values are boolean.
pub(super) fn weights(array: &Array<'_>) -> Result<Weights> {
    if let Some(numbers) = Whole::of(array) {
        return whole(array, &numbers);
    }
    match array.kind.as_str() {
        "|b1" | "?" => Ok(Weights::None),
        "<f4" => {
            let numbers = decimal(array, |bytes| f32::from_le_bytes(*bytes), |w| w.is_finite())?;
            Ok(Weights::F32(numbers.into()))
        }
        "<f8" => {
            let numbers = decimal(array, |bytes| f64::from_le_bytes(*bytes), |w| w.is_finite())?;
            Ok(Weights::F64(numbers.into()))
        }
        kind if kind.contains('c') => Err(array.wrong("complex weights are not supported")),
        other => Err(array.wrong(format!("weights of type {other} are not supported"))),
    }
}

fn whole(array: &Array<'_>, numbers: &Whole<'_>) -> Result<Weights> {
    let (low, high) = numbers.range();
    let lost = |place: usize, value: i128| {
        array.wrong(format!("weight {place} is {value}, decimals hold whole numbers up to 2^53 only"))
    };
    if low >= 0 && high <= u32::MAX.into() {
        Ok(Weights::U32(numbers.convert(|n| Some(n as u32), lost)?.into()))
    } else if low >= i32::MIN.into() && high <= i32::MAX.into() {
        Ok(Weights::I32(numbers.convert(|n| Some(n as i32), lost)?.into()))
    } else {
        let exact = |n: i64| (-MAX_EXACT..=MAX_EXACT).contains(&n).then_some(n as f64);
        Ok(Weights::F64(numbers.convert(exact, lost)?.into()))
    }
}

fn decimal<T: Pod + Send + Sync + std::fmt::Display, const WIDTH: usize>(
    array: &Array<'_>,
    read: impl Fn(&[u8; WIDTH]) -> T + Sync,
    is_finite: impl Fn(T) -> bool + Sync,
) -> Result<Pages<T>> {
    let numbers = array.bytes().as_chunks::<WIDTH>().0;
    let mut pages = Pages::<T>::scratch(numbers.len())?;
    par::parts_mut(&mut pages, BLOCK, |first, part| {
        part.iter_mut().zip(&numbers[first..]).for_each(|(to, from)| *to = read(from));
    });
    let found = par::find_first(pages.len(), BLOCK, |mut range| range.find(|&i| !is_finite(pages[i])));
    match found {
        None => Ok(pages),
        Some(place) => {
            let problem = format!("weight {place} is {}, expected a finite number", pages[place]);
            Err(array.wrong(problem))
        }
    }
}
