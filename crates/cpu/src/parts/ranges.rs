//! Equal work per thread: ranges of vertices with about the same number of arcs.

use std::ops::Range;
use warpgraph_graph::{Offset, View};

/// Cuts the vertices into ranges of about `work` arcs and vertices together. The arcs of a vertex stay in one range.
pub(crate) fn balanced<O: Offset>(graph: View<'_, O>, work: usize) -> Vec<Range<usize>> {
    let n = graph.vertices();
    let offsets = graph.offsets();
    let before = |v: usize| offsets[v].index() + v;
    let mut ranges = Vec::with_capacity(before(n) / work + 1);
    let mut start = 0;
    while start < n {
        let aim = before(start) + work;
        // Binary search for the first end of a range that reaches the aim.
        let (mut low, mut high) = (start + 1, n);
        while low < high {
            let middle = low + (high - low) / 2;
            if before(middle) >= aim { high = middle } else { low = middle + 1 }
        }
        ranges.push(start..low);
        start = low;
    }
    ranges
}
