//! Counts of samples against exact betweenness.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use super::{
    diameter,
    sampler::{Found, Sampler},
};
use crate::{
    DeviceGraph,
    machine::Machine,
    testing::{generated, simt},
};
use warpgraph_core::{Options, bc::Bc};
use warpgraph_device::{
    Gpu, Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_graph::{
    Control, Graph, NodeMap, Vertex,
    build::{EdgeWeights, FromEdges, Parallel},
};

/// Returns a simulator whose threads run in another order, and which says that it has this many multiprocessors.
fn other_simt(seed: u64, multiprocessors: u32) -> Gpu {
    let options = SimtOptions { seed, multiprocessors, ..SimtOptions::default() };
    Simt::open(&Settings::default(), options).unwrap()
}

/// Returns how many samples count for each vertex, and what else they found.
fn drawn(gpu: &Gpu, graph: &Graph, samples: u64, options: &Options) -> (Vec<u64>, Found) {
    let device_graph = DeviceGraph::new(gpu, graph);
    let machine = Machine::new(gpu, options, "sampling");
    let mut sampler = Sampler::new(&machine, &device_graph).unwrap();
    while sampler.found().samples < samples {
        let first = sampler.found().samples;
        sampler.draw(first, samples - first).unwrap();
    }
    let mut counts = vec![0; graph.vertices()];
    sampler.read(&mut counts).unwrap();
    (counts, sampler.found())
}

/// Returns the probability that a sample counts for each vertex.
fn probabilities(graph: &Graph) -> Vec<f64> {
    let n = graph.vertices() as f64;
    let options = Options { plan: "workload".parse().unwrap(), ..Options::default() };
    let answer = crate::bc(&DeviceGraph::new(&simt(), graph), &Bc::default().normalized(), &options).unwrap();
    answer.scores().iter().map(|score| score * (n - 2.0) / n).collect()
}

/// Checks that every count is within four and a half standard deviations: one of 100,000 is not.
fn check(graph: &Graph, counts: &[u64], samples: u64, what: &str) {
    for (v, (&count, p)) in counts.iter().zip(probabilities(graph)).enumerate() {
        let (mean, deviation) = (p * samples as f64, (p * (1.0 - p) * samples as f64).sqrt());
        let off = (count as f64 - mean).abs();
        let expected = format!("{mean:.1} +- {deviation:.1}");
        assert!(
            off <= 4.5 * deviation + 1.0,
            "{what}, vertex {v}: {count} of {samples}, expected {expected}"
        );
        assert!(p > 1e-12 || count == 0, "{what}, vertex {v} is on no path");
    }
}

/// Returns two hubs with many leaves each, on both ends of a path.
fn hubs(leaves: Vertex) -> Graph {
    let edges = (0..leaves).flat_map(|leaf| [(0, 4 + leaf), (1, 4 + leaves + leaf)]);
    let edges: Vec<_> = edges.chain([(0, 2), (2, 3), (3, 1), (2, 1)]).collect();
    Graph::from_edges(4 + 2 * leaves as usize, &edges, false).unwrap()
}

/// Returns squares in a row, joined at corners: 2^k paths lead along k of them.
fn squares(count: Vertex) -> Graph {
    let square =
        |k: Vertex| [(3 * k, 3 * k + 1), (3 * k, 3 * k + 2), (3 * k + 1, 3 * k + 3), (3 * k + 2, 3 * k + 3)];
    let edges: Vec<_> = (0..count).flat_map(square).collect();
    Graph::from_edges(3 * count as usize + 1, &edges, false).unwrap()
}

#[test]
fn counts_are_near_exact_betweenness() {
    let gpu = simt();
    let specs = [
        "grid:9x1",
        "grid:7x6",
        "grid:30x2",
        "kron:7",
        "kron:7,directed",
        "uniform:6,degree=3,directed",
        "powerlaw:150,alpha=1.8",
    ];
    let named = specs.map(|spec| (spec, generated(spec)));
    for (name, graph) in named.into_iter().chain([("hubs", hubs(300)), ("squares", squares(20))]) {
        let (counts, found) = drawn(&gpu, &graph, 1500, &Options::default());
        check(&graph, &counts, 1500, name);
        assert!(found.connected > 0 && found.work > 0, "{name}: {found:?}");
    }
}

#[test]
fn each_of_parallel_edges_is_a_path_of_its_own() {
    // Of the four paths from 0 to 3, three go through 1.
    let edges = [(0, 1), (0, 1), (0, 1), (1, 3), (0, 2), (2, 3)];
    let mut from = FromEdges::default();
    from.options.directed = false;
    from.options.parallel = Parallel::Keep;
    let graph = from.build(4, edges.map(|(u, v)| [u, v]).to_vec(), EdgeWeights::None).unwrap();
    let (counts, _) = drawn(&simt(), &graph, 4000, &Options::default());
    check(&graph, &counts, 4000, "parallel edges");
    assert!(counts[1] > 2 * counts[2], "{counts:?}");
}

#[test]
fn graphs_without_inner_vertices_count_nothing() {
    let gpu = simt();
    for (n, edges) in [(2, vec![(0, 1)]), (2, vec![]), (5, vec![(0, 1), (2, 3)]), (3, vec![(0, 0), (1, 2)])] {
        let graph = Graph::from_edges(n, &edges, false).unwrap();
        let (counts, found) = drawn(&gpu, &graph, 200, &Options::default());
        assert!(counts.iter().all(|&count| count == 0), "{edges:?}");
        assert_eq!(found.connected > 0, !edges.is_empty());
    }
}

#[test]
fn blocks_lanes_and_sizes_do_not_change_the_counts() {
    for graph in [generated("kron:8,directed"), squares(25), hubs(400)] {
        let options = Options { seed: 5, run: 2, ..Options::default() };
        let (counts, found) = drawn(&simt(), &graph, 250, &options);
        // With many multiprocessors, blocks are larger, and sizes are those of large graphs.
        for (seed, multiprocessors) in [(7, 2), (1, 8)] {
            let (others, other) = drawn(&other_simt(seed, multiprocessors), &graph, 250, &options);
            assert_eq!((&counts, found.connected), (&others, other.connected), "{multiprocessors}");
        }
        let (another, _) = drawn(&simt(), &graph, 250, &Options { run: 3, ..options });
        assert_ne!(counts, another, "another run draws other samples");
    }
}

#[test]
fn the_order_of_the_graph_does_not_change_the_counts() {
    let gpu = simt();
    for spec in ["kron:8", "uniform:7,degree=4,directed", "grid:12x9"] {
        let graph = generated(spec);
        let n = graph.vertices() as Vertex;
        let order: Vec<Vertex> = (0..n).rev().map(|v| v ^ 1).filter(|&v| v < n).collect();
        let order = if order.len() == n as usize { order } else { (0..n).rev().collect() };
        let map = NodeMap::of_order(order).unwrap();
        let inner = graph.renumbered(&map, &Control::new()).unwrap();
        let (natural, _) = drawn(&gpu, &graph, 300, &Options::default());
        let options = Options { map: Some(map.clone()), ..Options::default() };
        let (counts, _) = drawn(&gpu, &inner, 300, &options);
        let restored: Vec<u64> = (0..n).map(|v| counts[map.inner(v) as usize]).collect();
        assert_eq!(natural, restored, "{spec}");
    }
}

#[test]
fn no_shortest_path_is_longer_than_the_bound() {
    let gpu = simt();
    let bound = |graph: &Graph| {
        let options = Options::default();
        diameter::bound(&DeviceGraph::new(&gpu, graph), &Machine::new(&gpu, &options, "searching")).unwrap()
    };
    let of = |n: usize, edges: &[(Vertex, Vertex)], directed| {
        bound(&Graph::from_edges(n, edges, directed).unwrap())
    };
    let path: Vec<_> = (0..9).map(|v| (v, v + 1)).collect();
    assert_eq!((of(10, &path, false), of(10, &path, true)), (9, 9));
    let star: Vec<_> = (1..9).map(|v| (0, v)).collect();
    assert_eq!(of(9, &star, false), 2);
    let ring: Vec<_> = (0..8).map(|v| (v, (v + 1) % 8)).collect();
    assert_eq!((of(8, &ring, false), of(8, &ring, true)), (7, 7));
    // A triangle, and a longer path beside it.
    let beside = [(0, 1), (1, 2), (0, 2), (0, 3), (4, 5), (5, 6), (6, 7)];
    assert_eq!(of(8, &beside, false), 3);
    assert_eq!(of(3, &[], false), 0);
    for spec in ["kron:8", "kron:8,directed", "grid:20x3", "uniform:7,degree=2,directed"] {
        let (graph, mut longest) = (generated(spec), 0);
        for v in 0..graph.vertices() as u32 {
            let answer = crate::bfs(
                &DeviceGraph::new(&gpu, &graph),
                &warpgraph_core::bfs::Bfs::from(v),
                &Options::default(),
            );
            let reached = answer.unwrap().distances().iter().copied().filter(|&hops| hops != u32::MAX).max();
            longest = longest.max(reached.unwrap_or(0));
        }
        let bound = bound(&graph);
        assert!(
            bound >= u64::from(longest) && bound <= graph.vertices() as u64,
            "{spec}: {bound}, {longest}"
        );
    }
}
