//! How much device memory a run takes, before it is tried.

use warpgraph_graph::Graph;

/// Bytes of device memory that an algorithm takes on a graph at most, the graph included.
pub fn bytes_needed(graph: &Graph, algorithm: &str) -> u64 {
    let (n, m) = (graph.vertices() as u64, graph.arcs() as u64);
    let offset = if m > u64::from(u32::MAX) { 8 } else { 4 };
    let sides = if graph.is_directed() && algorithm != "sssp" { 2 } else { 1 };
    let weight = match algorithm {
        "sssp" => 8,
        "pagerank" | "adsorption" | "bc" if graph.weight_range().is_some() => 8,
        _ => 0,
    };
    let rows = sides * (offset * (n + 1) + (4 + weight) * m);
    // Values, queues, stamps, prefix sums, and columns or the arrays of bc.
    let state = match algorithm {
        "bfs" | "sssp" | "wcc" => 8 + 12 + offset,
        "bc" => 8 + 12 + offset + 4 * 8,
        _ => 3 * 8 + 2 * 8 + 12 + offset,
    };
    rows + state * n
}
