//! The parts of a graph that are walked at the same time.

use std::ops::Range;
use warpgraph_graph::{Csr, Graph, Vertex};

/// The most arcs of a part, about. A part that is larger has longer paths, one that is smaller lets more threads work: with 2^22, a
/// graph of 3 million arcs was walked by one thread.
const ARCS: usize = 1 << 17;
/// The most parts.
const MOST: usize = 256;

/// Returns the number of parts of a graph. It does not depend on the machine, because the paths depend on it.
pub(super) fn number(graph: &Graph) -> usize {
    graph.arcs().div_ceil(ARCS).clamp(1, MOST)
}

/// Ranges of vertices of about equal arcs.
pub(super) struct Parts {
    /// Where each part begins, and where the last one ends; strictly increasing.
    starts: Vec<Vertex>,
}

impl Parts {
    /// Cuts the vertices into at most `number` parts.
    pub(super) fn of(csr: &Csr, number: usize) -> Self {
        let (n, m) = (csr.vertices(), csr.arcs());
        let first_from = |arc: usize| {
            let (mut low, mut high) = (0, n);
            while low < high {
                let middle = low.midpoint(high);
                if csr.offsets().get(middle) < arc { low = middle + 1 } else { high = middle }
            }
            low as Vertex
        };
        let inner = (1..number).map(|i| first_from((m as u128 * i as u128 / number as u128) as usize));
        let mut starts: Vec<Vertex> = std::iter::once(0).chain(inner).chain([n as Vertex]).collect();
        starts.dedup();
        Self { starts }
    }

    /// Returns the number of parts.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the vertices of a part.
    pub(super) fn part(&self, i: usize) -> Range<Vertex> {
        self.starts[i]..self.starts[i + 1]
    }
}
