//! HALO-I \[1\]: by decreasing harmonic centrality, approximated from sampled searches; components are separated.
//!
//! `H(x)` is the sum of `1 / d(y, x)` over all other vertices `y` (equation 4): a search from anywhere meets a vertex
//! with a high value early, whether the graph is directed or connected or not. Each of k sampled searches adds `1 /
//! level` to the vertices that it reaches (Algorithm 2); the searches run at the same time. A sampled source does not
//! count itself, so its sum is scaled by `k / (k - 1)`.
//!
//! Sums are 64-bit and added in the order of levels, so they do not depend on threads or devices. Vertices of equal
//! centrality keep their order, so that the locality of the ids is kept where nothing better is known.
//!
//! Work O(k (n + m)) at most, usually far less, since searches share their reads; O(n log n) to sort. Memory: 16 bytes
//! per vertex besides the result, the memory of the searches, and the transpose of a directed graph.
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7),
//! 2020.

use super::{Means, components, degree::falling, samples::draw_sources};
use crate::traverse::AT_ONCE;
use std::sync::atomic::Ordering::Relaxed;
use warpgraph_core::Result;
use warpgraph_graph::{Graph, Pages, Vertex, atomics::atomics};

/// Returns all vertices by centrality.
pub(super) fn order(graph: &Graph, samples: u32, means: &Means<'_>) -> Result<Pages<Vertex>> {
    let scores = harmonic(graph, samples, means)?;
    means.control.check(super::DURING)?;
    // The bits of non-negative floats increase with their values. The bits lost in f32 are below the error of sampling.
    let score = |v: Vertex| u64::from((scores[v as usize] as f32).to_bits());
    let order = falling(graph.vertices(), u64::from(u32::MAX), score)?;
    drop(scores);
    components::apart(graph, order, means.control)
}

/// Estimates the harmonic centrality of every vertex from samples.
pub(crate) fn harmonic(graph: &Graph, samples: u32, means: &Means<'_>) -> Result<Pages<f64>> {
    let sources = draw_sources(graph, samples, means.seed);
    let mut sums: Pages<f64> = Pages::zeroed(graph.vertices())?;
    let cells = atomics(&mut sums);
    // Calls for one vertex never overlap, so no term is lost between load and store.
    let add = |v: Vertex, depth: u32, new: u64| {
        let (cell, term) = (&cells[v as usize], f64::from(new.count_ones()) / f64::from(depth));
        cell.store((f64::from_bits(cell.load(Relaxed)) + term).to_bits(), Relaxed);
    };
    for (i, some) in sources.chunks(AT_ONCE).enumerate() {
        means.control.report("sampling", (i * AT_ONCE) as u64, Some(sources.len() as u64));
        means.traverse.traverse(graph, some, means.control, &add)?;
    }
    let k = sources.len() as f64;
    if k > 1.0 {
        sources.iter().for_each(|&s| sums[s as usize] *= k / (k - 1.0));
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph_graph::Control;

    /// Computes centralities by definition, from the same samples.
    fn by_definition(graph: &Graph, samples: u32) -> Vec<f64> {
        let sources = draw_sources(graph, samples, 1);
        let mut scores = vec![0.0; graph.vertices()];
        for &source in &sources {
            let mut distance = vec![None; graph.vertices()];
            distance[source as usize] = Some(0);
            let mut queue = std::collections::VecDeque::from([source]);
            while let Some(u) = queue.pop_front() {
                let next = distance[u as usize].map(|d: u32| d + 1);
                for &v in graph.out().csr.neighbors(u) {
                    if distance[v as usize].is_none() {
                        distance[v as usize] = next;
                        queue.push_back(v);
                    }
                }
            }
            let away = |d: &Option<u32>| d.filter(|d| *d > 0).map_or(0.0, |d| 1.0 / f64::from(d));
            scores.iter_mut().zip(&distance).for_each(|(score, d)| *score += away(d));
        }
        let k = sources.len() as f64;
        sources.iter().for_each(|&s| scores[s as usize] *= k / (k - 1.0));
        scores
    }

    #[test]
    fn centralities_are_those_of_the_definition() {
        for text in ["kron:9", "powerlaw:600,alpha=2.1,directed", "grid:20x30", "uniform:8,degree=2"] {
            let graph = text.parse::<warpgraph_graph::generate::Spec>().unwrap();
            let graph = graph.generate(&Control::new()).unwrap();
            for samples in [2, 32, 100] {
                let got = harmonic(&graph, samples, &Means::on_cpu(1, &Control::new())).unwrap();
                for (v, (got, expected)) in got.iter().zip(by_definition(&graph, samples)).enumerate() {
                    assert!((got - expected).abs() <= 1e-9 * expected, "{text} {v}: {got}, not {expected}");
                }
            }
        }
    }

    #[test]
    fn the_middle_of_a_path_comes_first() {
        let edges: Vec<_> = (0..8).map(|v| (v, v + 1)).collect();
        let graph = Graph::from_edges(9, &edges, false).unwrap();
        // All vertices are samples.
        let got = order(&graph, 9, &Means::on_cpu(1, &Control::new())).unwrap();
        assert_eq!(got[..], [4, 3, 5, 2, 6, 1, 7, 0, 8]);
    }
}
