//! The largest values of an array.

use warpgraph_graph::{Vertex, par};

/// Returns the `count` vertices with the largest values, smallest vertex first on ties. Ignores NaN.
pub(crate) fn top(values: &[f64], count: usize) -> Vec<Vertex> {
    top_by(values.len(), count, |v| values[v])
}

/// Returns the same for values that `value` returns, of vertices below `len`.
pub(crate) fn top_by(len: usize, count: usize, value: impl Fn(usize) -> f64 + Sync) -> Vec<Vertex> {
    let better = |a: &Vertex, b: &Vertex| value(*b as usize).total_cmp(&value(*a as usize)).then(a.cmp(b));
    let keep = |mut best: Vec<Vertex>, v: Vertex| {
        best.push(v);
        if best.len() >= 2 * count.max(16) {
            best.sort_unstable_by(better);
            best.truncate(count);
        }
        best
    };
    let block = |range: std::ops::Range<usize>| {
        range.filter(|&v| !value(v).is_nan()).map(|v| v as Vertex).fold(Vec::new(), keep)
    };
    let join = |a: Vec<Vertex>, b: Vec<Vertex>| b.into_iter().fold(a, keep);
    let mut best = par::reduce(len, 1 << 14, block, join).unwrap_or_default();
    best.sort_unstable_by(better);
    best.truncate(count);
    best
}
