//! Sizes of classes (components, communities), each named by one of its vertices.

use warpgraph_graph::{Vertex, par};

/// Returns (name, size) of each class, in ascending order of names.
pub(crate) fn sizes(classes: &[Vertex]) -> Vec<(Vertex, u64)> {
    let sizes = counts(classes);
    sizes.into_iter().enumerate().filter(|(_, s)| *s > 0).map(|(v, s)| (v as Vertex, u64::from(s))).collect()
}

/// Returns the number of classes and the size of the largest.
pub(crate) fn figures(classes: &[Vertex]) -> (u64, u64) {
    let counts = counts(classes);
    let figure = |range: std::ops::Range<usize>| {
        let sizes = &counts[range];
        let held = sizes.iter().filter(|s| **s > 0).count() as u64;
        (held, u64::from(sizes.iter().copied().max().unwrap_or(0)))
    };
    par::reduce(counts.len(), 1 << 16, figure, |a, b| (a.0 + b.0, a.1.max(b.1))).unwrap_or((0, 0))
}

fn counts(classes: &[Vertex]) -> Vec<u32> {
    let mut sizes = vec![0; classes.len()];
    classes.iter().for_each(|&c| sizes[c as usize] += 1);
    sizes
}
