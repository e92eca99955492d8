//! Numbers edges by their sources: first the edges of vertex 0, then those of vertex 1, and so on. Degrees are
//! computed, not stored.
//!
//! [`Rows`] stores only the number of edges before every 1024th vertex (8 bytes per 1024 vertices), and computes the
//! degrees again when it walks a range of edges. So threads get equal numbers of edges, however unequal the degrees
//! are.

use crate::{control::Control, csr::Vertex, error::Result, par};
use std::ops::Range;

const BLOCK: u64 = 1024;

/// The number of edges before each block of vertices, with one more entry for the number of all edges.
pub(super) struct Rows {
    vertices: u64,
    before: Vec<u64>,
}

impl Rows {
    /// Sums the degrees of all vertices in parallel.
    ///
    /// # Errors
    /// Returns the error of `control` if `control` stops the work.
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

    /// Returns the number of all edges.
    pub(super) fn total(&self) -> u64 {
        self.before.last().copied().unwrap_or(0)
    }

    /// Calls `visit` with each vertex that has edges in `range`, those edges, and the number of the vertex's first
    /// edge. `degree` must be the function given to [`Rows::plan`].
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
