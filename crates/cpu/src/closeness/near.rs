//! Puts sources that are close together into one batch.
//!
//! The searches of a batch share the work of a vertex that they reach at the same distance. Where distances are long, searches
//! from all over the graph reach a vertex at as many distances as there are searches; those from a ball of 256 vertices reach
//! it within twice the radius of the ball. So the vertices are dealt into balls: each grows level by level over vertices that
//! have no batch yet, and the next one starts at the border of an earlier one.
//!
//! Work O(n + m), on one thread; memory 5 bytes per vertex.

use std::collections::VecDeque;
use warpgraph_graph::{Csr, Vertex};

/// Returns the vertices that `is_source` names, `together` neighbouring ones after another.
pub(super) fn near(csr: &Csr, together: usize, is_source: impl Fn(Vertex) -> bool) -> Vec<Vertex> {
    let n = csr.vertices();
    let mut dealt: Vec<bool> = (0..n as Vertex).map(|v| !is_source(v)).collect();
    let mut order = Vec::with_capacity(n);
    // Vertices beside a ball that was full, the oldest first.
    let mut border: VecDeque<Vertex> = VecDeque::new();
    let mut ball: VecDeque<Vertex> = VecDeque::new();
    let mut next = 0;
    loop {
        let Some(v) = ball.pop_front() else {
            // The ball has no more neighbours: the batch goes on nearby, or anywhere.
            while border.front().is_some_and(|&v| dealt[v as usize]) {
                border.pop_front();
            }
            while next < n && dealt[next] {
                next += 1;
            }
            match border.pop_front().or((next < n).then_some(next as Vertex)) {
                Some(v) => ball.push_back(v),
                None => return order,
            }
            continue;
        };
        if dealt[v as usize] {
            continue;
        }
        dealt[v as usize] = true;
        order.push(v);
        ball.extend(csr.neighbors(v).iter().filter(|&&u| !dealt[u as usize]));
        if order.len().is_multiple_of(together) {
            border.extend(ball.drain(..));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::near;
    use warpgraph_graph::{Graph, Vertex, generate::Spec};

    fn graph(spec: &str) -> Graph {
        spec.parse::<Spec>().unwrap().generate(&Default::default()).unwrap()
    }

    #[test]
    fn every_source_is_dealt_once_and_no_other_vertex() {
        for spec in ["grid:30x20", "kron:10", "uniform:9,directed,degree=3"] {
            let graph = graph(spec);
            let csr = &graph.out().csr;
            let mut order = near(csr, 64, |v| v % 3 != 0);
            order.sort_unstable();
            assert!(order.into_iter().eq((0..csr.vertices() as Vertex).filter(|v| v % 3 != 0)), "{spec}");
        }
    }

    #[test]
    fn batches_of_a_mesh_are_balls() {
        let side = 64;
        let graph = graph("grid:64x64");
        let order = near(&graph.out().csr, 64, |_| true);
        let spread = |batch: &[Vertex]| {
            let range = |of: &dyn Fn(Vertex) -> u32| {
                let all = batch.iter().map(|&v| of(v));
                all.clone().max().unwrap_or(0) - all.min().unwrap_or(0)
            };
            range(&|v| v / side) + range(&|v| v % side)
        };
        let mut spreads: Vec<u32> = order.chunks(64).map(spread).collect();
        spreads.sort_unstable();
        // A square of 64 vertices spreads by 7 in each direction, a row by 63.
        assert!(spreads[spreads.len() / 2] <= 30, "{spreads:?}");
    }
}
