//! Adsorption by plain iteration of the formula.

use super::arcs;
use warpgraph::graph::Graph;
use warpgraph_core::{Result, adsorption::Adsorption};

/// Iteration ends when a sweep changes every value by less than this.
const EXACT: f64 = 1e-15;

/// Returns the fixed point of the formula in [`warpgraph_core::adsorption`], for the labels, probabilities and weights
/// of `config`. It ignores the stopping rule of `config`.
///
/// Reference for: values, to within what a run's residual allows. Each sweep shrinks the largest difference between two
/// vectors by the factor `p_continue`, so a vector that a sweep changes by r differs from this one by at most r / (1 -
/// `p_continue`) per vertex.
///
/// # Errors
/// When a vertex of the labels is not in the graph.
pub fn adsorption(graph: &Graph, config: &Adsorption) -> Result<Vec<f64>> {
    let n = graph.vertices();
    let mut label = vec![0.0; n];
    for injected in &config.inject {
        label[graph.ids().vertex(&injected.vertex)? as usize] += injected.value;
    }
    if config.inject.is_empty() && n > 0 {
        let degree = |v: &u32| (graph.out().csr.degree(*v), std::cmp::Reverse(*v));
        label[(0..n as u32).max_by_key(degree).unwrap_or(0) as usize] = 1.0;
    }
    let weight = |i: usize| if config.weighted { graph.out().weights.get(i) } else { 1.0 };
    let mut values = vec![0.0; n];
    for _ in 0..10_000 {
        let (mut sum, mut weights) = (vec![0.0; n], vec![0.0; n]);
        for (u, v, i) in arcs(graph) {
            sum[v as usize] += weight(i) * values[u as usize];
            weights[v as usize] += weight(i);
        }
        let mean = |v: usize| if weights[v] > 0.0 { sum[v] / weights[v] } else { 0.0 };
        let next: Vec<f64> =
            (0..n).map(|v| config.p_inject * label[v] + config.p_continue * mean(v)).collect();
        let change = values.iter().zip(&next).fold(0.0f64, |most, (old, new)| most.max((new - old).abs()));
        values = next;
        if change < EXACT {
            break;
        }
    }
    Ok(values)
}
