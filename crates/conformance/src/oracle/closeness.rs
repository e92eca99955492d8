//! Closeness by its definition: the distances from each vertex to every other.

use super::bfs;
use warpgraph::graph::{Graph, Vertex};

/// The scores of one vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearness {
    /// Wasserman and Faust's closeness.
    pub closeness: f64,
    /// The sum of the reciprocals of the distances.
    pub harmonic: f64,
    /// The largest distance.
    pub eccentricity: u32,
}

/// Returns the scores of each vertex, from its distances to the vertices that reach it.
///
/// Reference for: eccentricities exactly, the others to a relative error of 1e-10.
pub fn closeness(graph: &Graph) -> Vec<Nearness> {
    let n = graph.vertices();
    let mut distances = vec![Vec::new(); n];
    for u in 0..n as Vertex {
        for (v, hops) in bfs(graph, u, None).into_iter().enumerate() {
            distances[v].extend(hops.filter(|_| v != u as usize).map(f64::from));
        }
    }
    let near = |list: Vec<f64>| {
        let (sum, reached) = (list.iter().sum::<f64>(), list.len() as f64);
        Nearness {
            closeness: if list.is_empty() { 0.0 } else { reached / sum * (reached / (n as f64 - 1.0)) },
            harmonic: list.iter().map(|d| 1.0 / d).sum(),
            eccentricity: list.iter().fold(0.0, |most: f64, &d| most.max(d)) as u32,
        }
    };
    distances.into_iter().map(near).collect()
}
