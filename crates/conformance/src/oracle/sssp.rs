//! Distances by Dijkstra, or by Bellman-Ford if a weight is negative.

use super::arcs;
use std::{cmp::Ordering, collections::BinaryHeap};
use warpgraph::graph::{Graph, Vertex, Weights};

/// Distances by vertex; `None` if no path leads there.
#[derive(Debug, Clone, PartialEq)]
pub enum Lengths {
    /// Exact sums of integer weights (an unweighted arc counts 1). No graph is large enough to overflow them.
    Integers(Vec<Option<i128>>),
    /// Floating-point sums, added from the source outwards and rounded to the weight type after each addition.
    Decimals(Vec<Option<f64>>),
}

/// The source reaches a cycle of negative weight, so distances do not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NegativeCycle;

/// Returns the smallest sum of weights over all paths from `source` to each vertex.
///
/// Reference for: distances are the smallest, each is the length of a path, unreached means no path, and a negative
/// cycle is an error if and only if a path leads to it. Floating point: rounding is monotone, so for weights of at
/// least 0 the smallest rounded sum does not depend on the algorithm, and engines must match it bit for bit.
///
/// # Errors
/// [`NegativeCycle`].
///
/// # Panics
/// If `source` is not a vertex.
pub fn sssp(graph: &Graph, source: Vertex) -> Result<Lengths, NegativeCycle> {
    let weights = &graph.out().weights;
    let narrow = |d: f64, i: usize| f64::from(d as f32 + weights.get(i) as f32);
    let add = |d: f64, i: usize| d + weights.get(i);
    let whole = |d: i128, i: usize| d + weights.get(i) as i128;
    Ok(match weights {
        Weights::None | Weights::U32(_) | Weights::I32(_) => {
            Lengths::Integers(search(graph, source, 0, whole)?)
        }
        Weights::F32(_) => Lengths::Decimals(finite(search(graph, source, 0.0, narrow)?)),
        Weights::F64(_) => Lengths::Decimals(finite(search(graph, source, 0.0, add)?)),
    })
}

/// Removes distances that overflowed their floating-point type.
fn finite(lengths: Vec<Option<f64>>) -> Vec<Option<f64>> {
    lengths.into_iter().map(|d| d.filter(|d| d.is_finite())).collect()
}

fn search<T: Copy + PartialOrd>(
    graph: &Graph,
    source: Vertex,
    zero: T,
    plus: impl Fn(T, usize) -> T,
) -> Result<Vec<Option<T>>, NegativeCycle> {
    let weights = &graph.out().weights;
    if (0..weights.len()).any(|i| weights.get(i) < 0.0) {
        bellman_ford(graph, source, zero, plus)
    } else {
        Ok(dijkstra(graph, source, zero, plus))
    }
}

fn dijkstra<T: Copy + PartialOrd>(
    graph: &Graph,
    source: Vertex,
    zero: T,
    plus: impl Fn(T, usize) -> T,
) -> Vec<Option<T>> {
    let csr = &graph.out().csr;
    let mut settled = vec![None; graph.vertices()];
    let mut heap = BinaryHeap::from([Nearest(zero, source)]);
    while let Some(Nearest(distance, u)) = heap.pop() {
        if settled[u as usize].is_some() {
            continue;
        }
        settled[u as usize] = Some(distance);
        heap.extend(csr.arcs_of(u).map(|i| Nearest(plus(distance, i), csr.targets()[i])));
    }
    settled
}

/// Relaxes all arcs n - 1 times, after which every distance is final. If another round lowers one, there is a negative
/// cycle.
fn bellman_ford<T: Copy + PartialOrd>(
    graph: &Graph,
    source: Vertex,
    zero: T,
    plus: impl Fn(T, usize) -> T,
) -> Result<Vec<Option<T>>, NegativeCycle> {
    let mut distance = vec![None; graph.vertices()];
    distance[source as usize] = Some(zero);
    for _ in 0..graph.vertices() {
        let mut fell = false;
        for (u, v, i) in arcs(graph) {
            let Some(here) = distance[u as usize] else { continue };
            let there = plus(here, i);
            if distance[v as usize].is_none_or(|d| there < d) {
                distance[v as usize] = Some(there);
                fell = true;
            }
        }
        if !fell {
            return Ok(distance);
        }
    }
    Err(NegativeCycle)
}

/// An entry in the heap of [`dijkstra`]; the greatest entry has the smallest distance.
struct Nearest<T>(T, Vertex);

impl<T: PartialOrd> Ord for Nearest<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.partial_cmp(&self.0).unwrap_or(Ordering::Equal)
    }
}

impl<T: PartialOrd> PartialOrd for Nearest<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: PartialOrd> PartialEq for Nearest<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T: PartialOrd> Eq for Nearest<T> {}
