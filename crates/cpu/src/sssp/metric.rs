//! Distances that several threads lower, and the weights that they consist of.

use super::{bins::LAST_BUCKET, delta::Local};
use crate::parts::{Atomic, Spare, prefetch};
use std::{
    ops::Range,
    sync::{
        Mutex,
        atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
    },
};
use warpgraph_core::sssp::Distance;

/// A type of distances without negative values. Floats are stored as their bits, which have the same order as the
/// floats from zero on.
pub(super) trait Metric: Distance + Atomic<Twin: Sync> {
    /// A bucket width in the form that `bucket` needs.
    type Width: Copy + Send + Sync;

    fn width(delta: f64) -> Self::Width;
    /// Returns the bucket of a distance.
    fn bucket(self, width: Self::Width) -> u64;
    fn load(cell: &Self::Twin) -> Self;
    fn store(cell: &Self::Twin, value: Self);
    /// Lowers the cell to `value`. Returns false if the cell was not greater.
    fn lower(cell: &Self::Twin, value: Self) -> bool;
    /// Returns the place where the threads' bins are kept from one run to the next.
    fn spare() -> &'static Spare<Vec<Mutex<Local<Self>>>>;
}

macro_rules! integer_metric {
    ($type:ty, $cell:ty) => {
        impl Metric for $type {
            /// Powers of two only, for a shift instead of a division.
            type Width = u32;

            fn width(delta: f64) -> u32 {
                // The nearest power of two.
                delta.clamp(1.0, (1u64 << 62) as f64).log2().round() as u32
            }
            #[inline(always)]
            fn bucket(self, shift: u32) -> u64 {
                u64::from(self) >> shift
            }
            #[inline(always)]
            fn load(cell: &$cell) -> Self {
                cell.load(Relaxed)
            }
            #[inline(always)]
            fn store(cell: &$cell, value: Self) {
                cell.store(value, Relaxed);
            }
            #[inline(always)]
            fn lower(cell: &$cell, value: Self) -> bool {
                cell.fetch_min(value, Relaxed) > value
            }
            fn spare() -> &'static Spare<Vec<Mutex<Local<Self>>>> {
                static SPARE: Spare<Vec<Mutex<Local<$type>>>> = Spare::new();
                &SPARE
            }
        }
    };
}
integer_metric!(u32, AtomicU32);
integer_metric!(u64, AtomicU64);

macro_rules! float_metric {
    ($type:ty, $cell:ty) => {
        impl Metric for $type {
            /// The reciprocal of the width.
            type Width = f64;

            fn width(delta: f64) -> f64 {
                1.0 / delta.max(f64::MIN_POSITIVE)
            }
            #[inline(always)]
            fn bucket(self, per_unit: f64) -> u64 {
                // Distances too large to count share the last bucket.
                ((f64::from(self) * per_unit) as u64).min(LAST_BUCKET)
            }
            #[inline(always)]
            fn load(cell: &$cell) -> Self {
                Self::from_bits(cell.load(Relaxed))
            }
            #[inline(always)]
            fn store(cell: &$cell, value: Self) {
                cell.store(value.to_bits(), Relaxed);
            }
            #[inline(always)]
            fn lower(cell: &$cell, value: Self) -> bool {
                // Adding zero turns -0.0, whose bits are the greatest, into 0.0.
                let bits = (value + 0.0).to_bits();
                cell.fetch_min(bits, Relaxed) > bits
            }
            fn spare() -> &'static Spare<Vec<Mutex<Local<Self>>>> {
                static SPARE: Spare<Vec<Mutex<Local<$type>>>> = Spare::new();
                &SPARE
            }
        }
    };
}
float_metric!(f32, AtomicU32);
float_metric!(f64, AtomicU64);

/// The weights of a range of arcs as distances.
pub(super) trait WeightOf<D>: Copy + Send + Sync {
    fn of(&self, arcs: Range<usize>) -> impl Iterator<Item = D>;
    /// Prefetches the weight of an arc.
    fn prefetch(&self, arc: usize);
}

/// Weight 1 for every arc.
#[derive(Clone, Copy)]
pub(super) struct Unit;

impl WeightOf<u32> for Unit {
    #[inline(always)]
    fn of(&self, arcs: Range<usize>) -> impl Iterator<Item = u32> {
        std::iter::repeat_n(1, arcs.len())
    }

    fn prefetch(&self, _: usize) {}
}

macro_rules! weight_of {
    ($($weight:ty => $distance:ty),*) => {$(
        impl WeightOf<$distance> for &[$weight] {
            #[inline(always)]
            fn of(&self, arcs: Range<usize>) -> impl Iterator<Item = $distance> {
                self[arcs].iter().map(|&w| w as $distance)
            }
            #[inline(always)]
            fn prefetch(&self, arc: usize) {
                prefetch(self, arc);
            }
        }
    )*};
}
weight_of!(u32 => u32, u32 => u64, i32 => u32, i32 => u64, f32 => f32, f64 => f64);
