//! PageRank by power iteration of the formula.

use super::arcs;
use warpgraph::graph::Graph;
use warpgraph_core::{Result, pagerank::PageRank};

/// Power iteration ends when a sweep changes less than this in total: far below any tolerance asked of an engine.
const EXACT: f64 = 1e-14;

/// Returns the fixed point of the formula in [`warpgraph_core::pagerank`], for the damping, weights and teleport vector
/// of `config`. It ignores the stopping rule of `config`. Vertices whose outgoing weights sum to 0 are sinks.
///
/// Reference for: ranks, to within what a run's last change allows. With damping d, each sweep shrinks the distance of
/// two vectors of sum 1 by the factor d, so a vector that a sweep changes by r is at most r / (1 - d) away from this
/// one.
///
/// # Errors
/// When a vertex of the personalisation is not in the graph.
pub fn pagerank(graph: &Graph, config: &PageRank) -> Result<Vec<f64>> {
    let n = graph.vertices();
    let teleport = config.teleport(graph)?.unwrap_or_else(|| vec![1.0 / n as f64; n]);
    let weight = |i: usize| if config.weighted { graph.out().weights.get(i) } else { 1.0 };
    let mut strength = vec![0.0; n];
    for (u, _, i) in arcs(graph) {
        strength[u as usize] += weight(i);
    }
    let mut ranks = teleport.clone();
    let mut last = f64::INFINITY;
    loop {
        let sunk: f64 = (0..n).filter(|&s| strength[s] == 0.0).map(|s| ranks[s]).sum();
        let mut arrived = vec![0.0; n];
        for (u, v, i) in arcs(graph).filter(|(u, _, _)| strength[*u as usize] > 0.0) {
            arrived[v as usize] += ranks[u as usize] * weight(i) / strength[u as usize];
        }
        let next: Vec<f64> = (0..n)
            .map(|v| {
                config.damping * (arrived[v] + teleport[v] * sunk) + (1.0 - config.damping) * teleport[v]
            })
            .collect();
        let change: f64 = ranks.iter().zip(&next).map(|(old, new)| (new - old).abs()).sum();
        ranks = next;
        // Each sweep changes less than d times as much as the one before; otherwise only rounding errors are left.
        if change < EXACT || change >= last {
            return Ok(ranks);
        }
        last = change;
    }
}
