//! Shares in two widths: f32 while the change is far above its rounding error, since the cost of a sweep is what it
//! gathers.

use crate::parts::Atomic;
use std::{
    ops::{Add, Div, Mul, Sub},
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};
use warpgraph_graph::Vertex;

/// A width of shares.
pub(super) trait Share:
    Atomic<Twin: Sync + Send>
    + bytemuck::Pod
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + PartialOrd
{
    const ONE: Self;
    /// The least total change to which sweeps with such shares may be run: well above a bound on the total error of
    /// ranks that are computed from them.
    const FLOOR: f64;
    /// A bound on what rounding alone adds to the total change of an exact sweep.
    const ROUNDING: f64;

    fn from_f64(share: f64) -> Self;
    /// Converts a degree: exact below 2^24, and as close as the width allows above.
    fn from_degree(degree: usize) -> Self;
    fn abs(self) -> Self;
    fn to_f64(self) -> f64;
    fn store(cell: &Self::Twin, share: Self);
    fn load(cell: &Self::Twin) -> Self;
    /// Returns the sum of the shares of some vertices, which must be vertices of the graph that the cells are for.
    fn sum(cells: &[Self::Twin], vertices: &[Vertex]) -> Self;
}

/// Independent chains of additions, so that one does not wait for the other.
const CHAINS: usize = 4;
/// Shares added in their own precision before the sum is widened.
const BLOCK: usize = 128;

macro_rules! share {
    ($float:ty, $bits:ty, $cell:ty) => {
        impl Share for $float {
            const ONE: Self = 1.0;
            // Shares sum to at most 1. Each is off by half an ulp, and so is each addition of a chain.
            const FLOOR: f64 = 2.5 * (BLOCK / CHAINS) as f64 * <$float>::EPSILON as f64;

            // Half an ulp per addition of a chain, and some for the operations on the sum and on the share.
            const ROUNDING: f64 = (BLOCK / CHAINS + 4) as f64 * <$float>::EPSILON as f64;

            #[inline(always)]
            fn from_f64(share: f64) -> Self {
                share as $float
            }

            #[inline(always)]
            fn from_degree(degree: usize) -> Self {
                // The conversion of a signed number is one instruction.
                degree as i64 as $float
            }

            #[inline(always)]
            fn abs(self) -> Self {
                <$float>::abs(self)
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self.into()
            }

            #[inline(always)]
            fn store(cell: &$cell, share: Self) {
                cell.store(share.to_bits(), Relaxed);
            }

            #[inline(always)]
            fn load(cell: &$cell) -> Self {
                Self::from_bits(cell.load(Relaxed))
            }

            #[inline(always)]
            fn sum(cells: &[$cell], vertices: &[Vertex]) -> Self {
                let load = |v: Vertex| {
                    debug_assert!((v as usize) < cells.len());
                    // SAFETY: v is a target of a checked CSR over as many vertices as there are cells.
                    <$float>::from_bits(unsafe { cells.get_unchecked(v as usize) }.load(Relaxed))
                };
                if let [first, ..] = vertices
                    && vertices.len() <= CHAINS
                {
                    // Meshes: avoids a loop whose end the processor would often mispredict. Places beyond the end load
                    // the first share again and mask it out.
                    let nth = |i: usize| {
                        let mask = (0 as $bits).wrapping_sub((i < vertices.len()) as $bits);
                        let v = *vertices.get(i).unwrap_or(first);
                        <$float>::from_bits(load(v).to_bits() & mask)
                    };
                    return (nth(0) + nth(1)) + (nth(2) + nth(3));
                }
                let mut total = 0.0f64;
                for part in vertices.chunks(BLOCK) {
                    let (blocks, rest) = part.as_chunks::<CHAINS>();
                    let mut chains = [0.0; CHAINS];
                    for block in blocks {
                        for (chain, &v) in chains.iter_mut().zip(block) {
                            *chain += load(v);
                        }
                    }
                    let rest = rest.iter().map(|&v| load(v)).sum::<$float>();
                    total += f64::from((chains[0] + chains[1]) + (chains[2] + chains[3]) + rest);
                }
                total as $float
            }
        }
    };
}
share!(f32, u32, AtomicU32);
share!(f64, u64, AtomicU64);
