//! Lists the edges of a generator in pieces of 2^20 items; one thread lists a piece.

use super::{Edges, weights::Hashed};
use crate::{
    build::{EdgeChunk, EdgeList, EdgeWeights},
    control::Control,
    csr::Vertex,
    error::Result,
    memory, par,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of items per piece: large enough for the builder, small enough to balance the load of the threads.
const PIECE: u64 = 1 << 20;

const STAGE: &str = "generating";

/// The number of equal steps in which the generator reports progress.
const REPORTS: u64 = 64;

/// Computes the weights of edges.
#[derive(Debug, Clone, Copy)]
pub(super) enum Weigher {
    /// Edges have no weights.
    None,
    /// Weights are whole numbers from 0.
    U32(Hashed),
    /// Weights are whole numbers, and some may be negative.
    I32(Hashed),
}

impl Weigher {
    fn weigh(&self, pairs: &[[Vertex; 2]]) -> EdgeWeights {
        match self {
            Self::None => EdgeWeights::None,
            // `WeightRange::read` has checked that the range fits the type.
            Self::U32(hashed) => EdgeWeights::U32(pairs.iter().map(|&p| hashed.weight(p) as u32).collect()),
            Self::I32(hashed) => EdgeWeights::I32(pairs.iter().map(|&p| hashed.weight(p) as i32).collect()),
        }
    }
}

/// Returns true for the edges to list.
pub(super) type Keep<'a> = dyn Fn([Vertex; 2]) -> bool + Sync + 'a;

/// Adds up how many ends of arcs lie in each block of vertices; self-loops do not count.
///
/// # Errors
/// Returns the error of `control` if `control` stops the work.
pub(super) fn count(
    edges: &dyn Edges,
    blocks: usize,
    block: u64,
    directed: bool,
    control: &Control,
) -> Result<Vec<u64>> {
    let items = edges.items();
    let (counts, done): (Vec<AtomicU64>, _) =
        ((0..blocks).map(|_| AtomicU64::new(0)).collect(), AtomicU64::new(0));
    par::try_map(items.div_ceil(PIECE) as usize, |number| -> Result<()> {
        control.check(STAGE)?;
        let first = number as u64 * PIECE;
        let range = first..(first + PIECE).min(items);
        let (mut pairs, listed) = (Vec::new(), range.end - range.start);
        memory::reserve(&mut pairs, listed as usize)?;
        edges.fill(range, &mut pairs);
        for [u, v] in pairs.into_iter().filter(|[u, v]| u != v) {
            counts[(u64::from(u) / block) as usize].fetch_add(1, Ordering::Relaxed);
            if !directed {
                counts[(u64::from(v) / block) as usize].fetch_add(1, Ordering::Relaxed);
            }
        }
        report(control, done.fetch_add(listed, Ordering::Relaxed), listed, items);
        Ok(())
    })?;
    Ok(counts.into_iter().map(AtomicU64::into_inner).collect())
}

/// Lists all edges in pieces, or those to keep. The order is that of the items, on any number of threads.
///
/// # Errors
/// Returns [`crate::Error::TooLarge`] if memory is short, and the error of `control` if `control` stops the work.
pub(super) fn list(
    edges: &dyn Edges,
    vertices: usize,
    weigher: &Weigher,
    keep: Option<&Keep<'_>>,
    control: &Control,
) -> Result<EdgeList> {
    let items = edges.items();
    let done = AtomicU64::new(0);
    control.report(STAGE, 0, Some(items));
    let piece = |number: usize| -> Result<EdgeChunk> {
        control.check(STAGE)?;
        let first = number as u64 * PIECE;
        let range = first..(first + PIECE).min(items);
        let count = range.end - range.start;
        let mut pairs = Vec::new();
        memory::reserve(&mut pairs, count as usize)?;
        edges.fill(range, &mut pairs);
        if let Some(keep) = keep {
            pairs.retain(|&pair| keep(pair));
            pairs.shrink_to_fit();
        }
        let weights = weigher.weigh(&pairs);
        report(control, done.fetch_add(count, Ordering::Relaxed), count, items);
        Ok(EdgeChunk { pairs, weights })
    };
    let chunks = par::try_map(items.div_ceil(PIECE) as usize, piece)?;
    Ok(EdgeList { vertices, chunks })
}

/// Reports progress each time another 1/[`REPORTS`] of the items is done, and at the end.
fn report(control: &Control, before: u64, count: u64, items: u64) {
    let step = items.div_ceil(REPORTS).max(1);
    let after = before + count;
    if before / step != after / step || after == items {
        control.report(STAGE, after, Some(items));
    }
}
