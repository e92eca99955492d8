//! Label propagation, round by round.

use super::arcs;
use std::collections::BTreeMap;
use warpgraph_core::label_propagation::LabelPropagation;
use warpgraph_graph::{Graph, Vertex};

/// The labels after the rounds asked for.
///
/// The reference for: all at once, every vertex takes the label of the greatest count (or sum of weights) over its arcs
/// both ways, the smallest on ties. Weights of one label are added from the least to the greatest.
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
