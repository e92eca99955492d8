//! Label propagation in synchronous rounds.

use super::arcs;
use std::collections::BTreeMap;
use warpgraph::graph::{Graph, Vertex};
use warpgraph_core::label_propagation::LabelPropagation;

/// Returns the labels after `max_iterations` rounds, or earlier if a round changes nothing.
///
/// Reference for: in each round all vertices at once take the label with the largest count (or sum of weights) over
/// their arcs in both directions, the smallest label on ties. The weights of one label are added in ascending order.
pub fn label_propagation(graph: &Graph, config: &LabelPropagation) -> Vec<Vertex> {
    let n = graph.vertices();
    let mut labels: Vec<Vertex> = (0..n as Vertex).collect();
    for _ in 0..config.max_iterations {
        let mut counts: Vec<BTreeMap<Vertex, Vec<f64>>> = vec![BTreeMap::new(); n];
        for (u, v, i) in arcs(graph) {
            let weight = if config.weighted { graph.out().weights.get(i) } else { 1.0 };
            counts[u as usize].entry(labels[v as usize]).or_default().push(weight);
            if graph.is_directed() {
                counts[v as usize].entry(labels[u as usize]).or_default().push(weight);
            }
        }
        let before = labels.clone();
        for (label, counts) in labels.iter_mut().zip(counts) {
            let mut most = None;
            for (candidate, mut weights) in counts {
                weights.sort_by(f64::total_cmp);
                let sum: f64 = weights.iter().sum();
                if most.is_none_or(|most| sum > most) {
                    (most, *label) = (Some(sum), candidate);
                }
            }
        }
        if labels == before {
            break;
        }
    }
    labels
}
