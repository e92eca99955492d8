//! Edges numbered by their sources: vertex 0's first, then vertex 1's, by degrees that are computed, not stored.
//!
//! Only the number of edges before every 1024th vertex is kept (8 bytes per 1024 vertices); the rest is recomputed
//! when a range of edges is walked. So edges can be dealt out evenly however unequal the degrees are.

use crate::{control::Control, csr::Vertex, error::Result, par};
use std::ops::Range;

const BLOCK: u64 = 1024;

/// How many edges lie before each block of vertices; one more entry than there are blocks.
pub(super) struct Rows {
    vertices: u64,
    before: Vec<u64>,
}

impl Rows {
    /// Adds up the degrees of all vertices, in parallel.
    ///
    /// # Errors
    /// What `control` asks for.
    pub(super) fn plan(
        vertices: u64,
        degree: impl Fn(Vertex) -> u64 + Sync,
        control: &Control,
    ) -> Result<Self> {
        let sums = par::try_map(vertices.div_ceil(BLOCK) as usize, |block| {
            control.check("drawing degrees")?;
            let first = block as u64 * BLOCK;
            let members = first..(first + BLOCK).min(vertices);
            Ok(members.map(|v| degree(v as Vertex)).sum::<u64>())
        })?;
        let mut before = vec![0];
        before.extend(sums.into_iter().scan(0, |total, sum| {
            *total += sum;
            Some(*total)
        }));
        Ok(Self { vertices, before })
    }

    /// All edges.
    pub(super) fn total(&self) -> u64 {
        self.before.last().copied().unwrap_or(0)
    }

    /// Calls `visit` with each vertex that has edges in `range`, those edges, and the number of its first edge.
    /// `degree` is the one given to [`Rows::plan`].
    pub(super) fn walk(
        &self,
        range: Range<u64>,
        degree: impl Fn(Vertex) -> u64,
        mut visit: impl FnMut(Vertex, Range<u64>, u64),
    ) {
        let block = self.before.partition_point(|&b| b <= range.start) - 1;
        let mut first = self.before[block];
        for v in block as u64 * BLOCK..self.vertices {
            if first >= range.end {
                break;
            }
            let end = first + degree(v as Vertex);
            let own = first.max(range.start)..end.min(range.end);
            if own.start < own.end {
                visit(v as Vertex, own, first);
            }
            first = end;
        }
    }
}
