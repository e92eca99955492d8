//! Arrays of numbers as vertices, offsets and weights; conversions run on all threads.

use super::npy::Array;
use crate::{
    csr::{Offset, Offsets, Vertex, first_fall},
    error::{Error, Result},
    memory::Pages,
    par,
    weights::Weights,
};
use bytemuck::Pod;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Elements converted per task.
const BLOCK: usize = 1 << 16;
/// The largest whole number below which f64 holds all.
const MAX_EXACT: i128 = 1 << 53;

/// A type of number that NumPy stores.
trait Number: Copy + PartialOrd + Send + Sync {
    const WIDTH: usize;
    fn read(bytes: &[u8]) -> Self;
    fn whole(self) -> i128;
    fn decimal(self) -> f64;
}

macro_rules! number {
    ($($type:ty),*) => {$(
        impl Number for $type {
            const WIDTH: usize = size_of::<$type>();
            #[inline(always)]
            fn read(bytes: &[u8]) -> Self {
                bytes.try_into().map_or(Default::default(), Self::from_le_bytes)
            }
            #[inline(always)]
            fn whole(self) -> i128 {
                self as i128
            }
            #[inline(always)]
            fn decimal(self) -> f64 {
                self as f64
            }
        }
    )*};
}
number!(i8, u8, i16, u16, i32, u32, i64, u64, f32, f64);

/// Converts all elements; the first that `convert` refuses is returned with its place.
fn convert<N: Number, T: Pod + Send + Sync>(
    bytes: &[u8],
    convert: impl Fn(N) -> Option<T> + Sync,
) -> Result<Result<Pages<T>, (usize, N)>> {
    let mut pages = Pages::<T>::scratch(bytes.len() / N::WIDTH)?;
    let refused = AtomicUsize::new(usize::MAX);
    par::chunks_mut(&mut pages, BLOCK, |block, to| {
        let first = block * BLOCK;
        for (i, to) in to.iter_mut().enumerate() {
            match convert(nth(bytes, first + i)) {
                Some(converted) => *to = converted,
                None => {
                    refused.fetch_min(first + i, Ordering::Relaxed);
                    return;
                }
            }
        }
    });
    Ok(match refused.into_inner() {
        usize::MAX => Ok(pages),
        place => Err((place, nth(bytes, place))),
    })
}

/// Returns the number at `index` of an array's bytes.
#[inline(always)]
fn nth<N: Number>(bytes: &[u8], index: usize) -> N {
    N::read(&bytes[index * N::WIDTH..(index + 1) * N::WIDTH])
}

/// An array of indices, 32 or 64 bits each.
fn indices<T: Pod + Send + Sync>(
    array: &Array<'_>,
    limit: u64,
    what: &str,
    take: impl Fn(u64) -> T + Sync,
) -> Result<Pages<T>> {
    array.len()?;
    let wrong = |(place, value): (usize, i128)| {
        let range = if limit == 0 { "none".to_owned() } else { format!("0 to {}", limit - 1) };
        array.wrong(format!("{what} {place} is {value}, expected {range}"))
    };
    macro_rules! of {
        ($type:ty) => {{
            let checked = |n: $type| u64::try_from(n).ok().filter(|&n| n < limit).map(&take);
            convert::<$type, T>(array.bytes(), checked)?.map_err(|(place, n)| wrong((place, n.whole())))
        }};
    }
    match array.kind.as_str() {
        "<i4" => of!(i32),
        "<i8" => of!(i64),
        "<u4" => of!(u32),
        "<u8" => of!(u64),
        other => Err(array.wrong(format!("expected indices of type <i4 or <i8, got {other}"))),
    }
}

/// Vertices below `vertices`.
pub(super) fn vertices(array: &Array<'_>, vertices: u64) -> Result<Pages<Vertex>> {
    indices(array, vertices, "index", |n| n as Vertex)
}

/// Where rows start, from 0 to `entries`, never falling.
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

/// Weights of the narrowest type that holds them; none for truth values.
pub(super) fn weights(array: &Array<'_>) -> Result<Weights> {
    match array.kind.as_str() {
        "|b1" | "?" => Ok(Weights::None),
        "|i1" => whole::<i8>(array),
        "|u1" => whole::<u8>(array),
        "<i2" => whole::<i16>(array),
        "<u2" => whole::<u16>(array),
        "<i4" => whole::<i32>(array),
        "<u4" => whole::<u32>(array),
        "<i8" => whole::<i64>(array),
        "<u8" => whole::<u64>(array),
        "<f4" => Ok(Weights::F32(decimal::<f32>(array)?.into())),
        "<f8" => Ok(Weights::F64(decimal::<f64>(array)?.into())),
        kind if kind.contains('c') => Err(array.wrong("complex weights are not supported")),
        other => Err(array.wrong(format!("weights of type {other} are not supported"))),
    }
}

fn whole<N: Number>(array: &Array<'_>) -> Result<Weights> {
    let bytes = array.bytes();
    let scan = |range: std::ops::Range<usize>| {
        let start: N = nth(bytes, range.start);
        range.map(|i| nth(bytes, i)).fold((start, start), |all, n| wider(all, (n, n)))
    };
    let range = par::reduce(bytes.len() / N::WIDTH, BLOCK, scan, wider);
    let (low, high) = range.map_or((0, 0), |(low, high)| (low.whole(), high.whole()));
    let lost = |(place, n): (usize, N)| -> Error {
        array.wrong(format!("weight {place} is {}, decimals hold whole numbers up to 2^53 only", n.whole()))
    };
    if low >= 0 && high <= u32::MAX.into() {
        Ok(Weights::U32(convert(array.bytes(), |n: N| Some(n.whole() as u32))?.map_err(lost)?.into()))
    } else if low >= i32::MIN.into() && high <= i32::MAX.into() {
        Ok(Weights::I32(convert(array.bytes(), |n: N| Some(n.whole() as i32))?.map_err(lost)?.into()))
    } else {
        let exact = |n: N| (-MAX_EXACT..=MAX_EXACT).contains(&n.whole()).then(|| n.decimal());
        Ok(Weights::F64(convert(array.bytes(), exact)?.map_err(lost)?.into()))
    }
}

fn wider<N: Number>(a: (N, N), b: (N, N)) -> (N, N) {
    (if b.0 < a.0 { b.0 } else { a.0 }, if b.1 > a.1 { b.1 } else { a.1 })
}

fn decimal<N: Number + Pod>(array: &Array<'_>) -> Result<Pages<N>> {
    let finite = |w: N| w.decimal().is_finite().then_some(w);
    convert(array.bytes(), finite)?.map_err(|(place, w)| {
        array.wrong(format!("weight {place} is {}, expected a finite number", w.decimal()))
    })
}
