//! Counts of samples against exact betweenness.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use super::sampler::{Found, Sampler};
use crate::{
    DeviceGraph,
    machine::Machine,
    testing::{generated, simt},
};
use warpgraph_core::{Options, bc::Bc};
use warpgraph_device::Gpu;
use warpgraph_graph::Graph;

/// Returns how many samples count for each vertex, and what else they found.
fn drawn(gpu: &Gpu, graph: &Graph, samples: u64, options: &Options) -> (Vec<u64>, Found) {
    let device_graph = DeviceGraph::new(gpu, graph);
    let machine = Machine::new(gpu, options, "sampling");
    let mut sampler = Sampler::new(&machine, &device_graph).unwrap();
    // In two parts: a sample does not depend on the call that draws it.
    let first = sampler.draw(0, samples / 3, |_| {}).unwrap();
    let second = sampler.draw(samples / 3, samples - samples / 3, |_| {}).unwrap();
    let mut counts = vec![0; graph.vertices()];
    sampler.read(&mut counts).unwrap();
    (counts, Found { connected: first.connected + second.connected, work: first.work + second.work })
}

/// Returns the probability that a sample counts for each vertex.
fn probabilities(graph: &Graph) -> Vec<f64> {
    let n = graph.vertices() as f64;
    let options = Options { plan: "workload".parse().unwrap(), ..Options::default() };
    let answer = crate::bc(&DeviceGraph::new(&simt(), graph), &Bc::default().normalized(), &options).unwrap();
    answer.scores().iter().map(|score| score * (n - 2.0) / n).collect()
}

/// Checks that every count is within four and a half standard deviations: one of 30,000 is not.
fn check(graph: &Graph, counts: &[u64], samples: u64, what: &str) {
    for (v, (&count, p)) in counts.iter().zip(probabilities(graph)).enumerate() {
        let (mean, deviation) = (p * samples as f64, (p * (1.0 - p) * samples as f64).sqrt());
        let off = (count as f64 - mean).abs();
        assert!(off <= 4.5 * deviation + 1.0, "{what}, vertex {v}: {count} of {samples}, expected {mean:.1} +- {deviation:.1}");
        assert!(p > 0.0 || count == 0, "{what}, vertex {v} is on no path");
    }
}

#[test]
fn counts_are_near_exact_betweenness() {
    let gpu = simt();
    for spec in ["grid:9x1", "grid:7x6", "grid:30x2", "kron:7", "kron:7,directed", "uniform:6,degree=3,directed", "powerlaw:150,alpha=1.8"] {
        let graph = generated(spec);
        let (counts, found) = drawn(&gpu, &graph, 3000, &Options::default());
        check(&graph, &counts, 3000, spec);
        assert!(found.connected > 0 && found.work > 0, "{spec}: {found:?}");
    }
}
