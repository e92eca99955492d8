//! The simple undirected graph of a graph.

use crate::parts::BothWays;
use warpgraph_graph::{Offset, Pages, Result, Vertex, par};

impl<O: Offset, I: Offset> BothWays<'_, O, I> {
    /// Returns the largest possible number of edges.
    pub(super) fn max_edges(&self) -> usize {
        if self.incoming.is_some() { self.out.arcs() } else { self.out.arcs().div_ceil(2) }
    }

    /// Visits every neighbour of `v` below `limit` once, in increasing order.
    #[inline(always)]
    pub(super) fn below(&self, v: Vertex, limit: Vertex, mut visit: impl FnMut(Vertex)) {
        let [a, b] = self.rows(v);
        if b.is_empty() {
            return unique(a, v, limit, visit);
        }
        let (mut i, mut j) = (0, 0);
        let mut last = v;
        while i < a.len() || j < b.len() {
            let x = a.get(i).into_iter().chain(b.get(j)).copied().min().unwrap_or(limit);
            if x >= limit {
                return;
            }
            i += usize::from(a.get(i) == Some(&x));
            j += usize::from(b.get(j) == Some(&x));
            if x != last && x != v {
                visit(x);
                last = x;
            }
        }
    }

    /// Returns the number of neighbours of every vertex.
    pub(super) fn degrees(&self) -> Result<Pages<u32>> {
        let mut degrees = Pages::scratch(self.vertices())?;
        par::parts_mut(&mut degrees, 1 << 10, |first, part| {
            for (i, degree) in part.iter_mut().enumerate() {
                *degree = 0;
                self.below((first + i) as Vertex, Vertex::MAX, |_| *degree += 1);
            }
        });
        Ok(degrees)
    }
}

/// [`BothWays::below`] for one sorted row.
#[inline(always)]
fn unique(row: &[Vertex], v: Vertex, limit: Vertex, mut visit: impl FnMut(Vertex)) {
    // v itself is never visited, so it can stand for "nothing yet".
    let mut last = v;
    for &x in row {
        if x >= limit {
            return;
        }
        if x != last && x != v {
            visit(x);
            last = x;
        }
    }
}
