//! The largest values of an array.

use rayon::prelude::*;
use warpgraph_graph::Vertex;

/// Returns the `count` vertices with the largest values, smallest vertex first on ties. Ignores NaN.
pub(crate) fn top(values: &[f64], count: usize) -> Vec<Vertex> {
    let better = |a: &Vertex, b: &Vertex| values[*b as usize].total_cmp(&values[*a as usize]).then(a.cmp(b));
    let keep = |mut best: Vec<Vertex>, v: Vertex| {
        best.push(v);
        if best.len() >= 2 * count.max(16) {
            best.sort_unstable_by(better);
            best.truncate(count);
        }
        best
    };
    let mut best: Vec<Vertex> = (0..values.len() as Vertex)
        .into_par_iter()
        .with_min_len(1 << 14)
        .filter(|&v| !values[v as usize].is_nan())
        .fold(Vec::new, keep)
        .reduce(Vec::new, |a, b| b.into_iter().fold(a, keep));
    best.sort_unstable_by(better);
    best.truncate(count);
    best
}
