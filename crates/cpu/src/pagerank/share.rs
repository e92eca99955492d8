//! Shares in three widths: as coarse as the tolerance allows, since a sweep costs what it gathers.
//!
//! A share is stored as a multiple of a *unit*. Sixteen bits are fixed-point: the unit is a 65,535th of the largest share,
//! so each is off by half a unit at most, and the ranks by at most `d * m * unit / 2` in all. On undirected graphs shares
//! differ little (a rank is nearly proportional to its degree), which makes this error about 1e-5; it is computed, and
//! where it is too large, wider shares take over.

use crate::parts::Atomic;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};
use warpgraph_graph::Vertex;

/// A width of shares.
pub(super) trait Share: Atomic<Twin: Sync + Send> + bytemuck::Pod + Send + Sync {
    /// The unit for shares up to `largest`.
    fn unit(largest: f64) -> f64;
    /// A bound on the total error of ranks that are computed from such shares.
    fn error(unit: f64, arcs: usize) -> f64;
    /// Stores a share that was divided by the unit; false if it does not fit.
    fn store(cell: &Self::Twin, value: f64) -> bool;
    /// The share, in units.
    fn load(cell: &Self::Twin) -> f64;
    /// The sum of the shares of some vertices, in units. They must be vertices of the graph the cells are for.
    fn sum(cells: &[Self::Twin], vertices: &[Vertex]) -> f64;
}

/// The cell of a vertex.
#[inline(always)]
fn cell<C>(cells: &[C], v: Vertex) -> &C {
    debug_assert!((v as usize) < cells.len());
    // SAFETY: v is a target of a checked CSR over as many vertices as there are cells (`Sweeper::new`).
    unsafe { cells.get_unchecked(v as usize) }
}

/// Chains of additions that run side by side, so that one does not wait for the other.
const CHAINS: usize = 4;

impl Share for u16 {
    fn unit(largest: f64) -> f64 {
        // Some room for shares that grow during a sweep.
        1.25 * largest / f64::from(Self::MAX)
    }

    fn error(unit: f64, arcs: usize) -> f64 {
        arcs as f64 * unit / 2.0
    }

    #[inline(always)]
    fn store(cell: &AtomicU16, value: f64) -> bool {
        // Saturates; adding a half rounds to nearest.
        cell.store((value + 0.5) as Self, Relaxed);
        value < f64::from(Self::MAX)
    }

    #[inline(always)]
    fn load(cell: &AtomicU16) -> f64 {
        cell.load(Relaxed).into()
    }

    #[inline(always)]
    fn sum(cells: &[AtomicU16], vertices: &[Vertex]) -> f64 {
        let load = |v: Vertex| u64::from(cell(cells, v).load(Relaxed));
        let (blocks, rest) = vertices.as_chunks::<CHAINS>();
        let mut chains = [0; CHAINS];
        for block in blocks {
            for (chain, &v) in chains.iter_mut().zip(block) {
                *chain += load(v);
            }
        }
        (chains.iter().sum::<u64>() + rest.iter().map(|&v| load(v)).sum::<u64>()) as f64
    }
}

macro_rules! float_share {
    ($float:ty, $cell:ty) => {
        impl Share for $float {
            fn unit(_: f64) -> f64 {
                1.0
            }

            fn error(_: f64, _: usize) -> f64 {
                // Shares sum to 1 at most; each is off by half an ulp, and so is each of the additions of a chain.
                f64::from(<$float>::EPSILON) * (BLOCK / CHAINS) as f64
            }

            #[inline(always)]
            fn store(cell: &$cell, value: f64) -> bool {
                cell.store((value as $float).to_bits(), Relaxed);
                true
            }

            #[inline(always)]
            fn load(cell: &$cell) -> f64 {
                <$float>::from_bits(cell.load(Relaxed)).into()
            }

            #[inline(always)]
            fn sum(cells: &[$cell], vertices: &[Vertex]) -> f64 {
                let load = |v: Vertex| <$float>::from_bits(cell(cells, v).load(Relaxed));
                let mut total = 0.0;
                for part in vertices.chunks(BLOCK) {
                    let (blocks, rest) = part.as_chunks::<CHAINS>();
                    let mut chains = [0.0; CHAINS];
                    for block in blocks {
                        for (chain, &v) in chains.iter_mut().zip(block) {
                            *chain += load(v);
                        }
                    }
                    let sum = chains.iter().sum::<$float>() + rest.iter().map(|&v| load(v)).sum::<$float>();
                    total += f64::from(sum);
                }
                total
            }
        }
    };
}

/// Shares added in their own precision before the sum is widened.
const BLOCK: usize = 128;

float_share!(f32, AtomicU32);
float_share!(f64, AtomicU64);
