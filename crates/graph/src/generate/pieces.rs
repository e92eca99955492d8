//! Lists the edges of a generator in pieces; one thread lists a piece.

use super::{Edges, weights::Hashed};
use crate::{
    atomics::atomics,
    build::{EdgeChunk, EdgeList, EdgeWeights},
    control::Control,
    csr::{Offsets, Vertex},
    error::Result,
    memory::{self, Pages},
    par,
    weights::Weights,
};
use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

/// The number of items per piece: large enough for the builder, small enough to balance the load of the threads.
const PIECE: u64 = 1 << 20;
/// The number of items per piece that is dropped at once: few enough to stay in cache.
const SMALL: u64 = 1 << 16;

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

    /// Returns the weights of arcs in rows; `edge(row, target)` is the edge of an arc.
    pub(super) fn of_rows(
        &self,
        offsets: &Offsets,
        targets: &[Vertex],
        edge: impl Fn(usize, Vertex) -> [Vertex; 2] + Sync,
    ) -> Result<Weights> {
        let (Self::U32(hashed) | Self::I32(hashed)) = self else { return Ok(Weights::None) };
        let mut weights = Pages::<u32>::scratch(targets.len())?;
        let cells = atomics(&mut weights);
        par::ranges(offsets.len() - 1, par::FINE, |rows| {
            for row in rows {
                for arc in offsets.get(row)..offsets.get(row + 1) {
                    // An i32 travels as the u32 of the same bits.
                    cells[arc].store(hashed.weight(edge(row, targets[arc])) as u32, Ordering::Relaxed);
                }
            }
        });
        Ok(match self {
            Self::I32(_) => Weights::I32(weights.cast().into()),
            _ => Weights::U32(weights.into()),
        })
    }
}

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
    let counts: Vec<AtomicU64> = (0..blocks).map(|_| AtomicU64::new(0)).collect();
    visit(edges, 0..1, control, &|pairs| {
        for &[u, v] in pairs.iter().filter(|[u, v]| u != v) {
            counts[(u64::from(u) / block) as usize].fetch_add(1, Ordering::Relaxed);
            if !directed {
                counts[(u64::from(v) / block) as usize].fetch_add(1, Ordering::Relaxed);
            }
        }
    })?;
    Ok(counts.into_iter().map(AtomicU64::into_inner).collect())
}

/// Calls `call` with all edges, in small pieces that are dropped at once. It is pass `passes.start` of `passes.end`, for the
/// progress that is reported.
///
/// # Errors
/// Returns [`crate::Error::TooLarge`] if memory is short, and the error of `control` if `control` stops the work.
pub(super) fn visit(
    edges: &dyn Edges,
    passes: Range<u64>,
    control: &Control,
    call: &(dyn Fn(&[[Vertex; 2]]) + Sync),
) -> Result<()> {
    let items = edges.items();
    let done = AtomicU64::new(passes.start * items);
    par::try_each(items.div_ceil(SMALL) as usize, |number| {
        control.check(STAGE)?;
        let first = number as u64 * SMALL;
        let range = first..(first + SMALL).min(items);
        let (mut pairs, listed) = (Vec::new(), range.end - range.start);
        memory::reserve(&mut pairs, listed as usize)?;
        edges.fill(range, &mut pairs);
        call(&pairs);
        report(control, done.fetch_add(listed, Ordering::Relaxed), listed, passes.end * items);
        Ok(())
    })
}

/// Lists all edges in pieces. The order is that of the items, on any number of threads.
///
/// # Errors
/// Returns [`crate::Error::TooLarge`] if memory is short, and the error of `control` if `control` stops the work.
pub(super) fn list(
    edges: &dyn Edges,
    vertices: usize,
    weigher: &Weigher,
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
