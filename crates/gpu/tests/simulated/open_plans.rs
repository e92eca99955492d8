//! The forms that run when a plan leaves everything open: components by Afforest, and ranks by pulling shares.

use std::path::Path;
use warpgraph_core::{
    Answer, Halted, Options, Plan,
    pagerank::{PageRank, PageRankAnswer},
    wcc::Wcc,
};
use warpgraph_device::{
    Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_gpu::{DeviceGraph, pagerank, wcc};
use warpgraph_graph::{Arcs, Control, Csr, Graph, Offsets, Vertex, generate::Spec};

fn generated(spec: &str) -> Graph {
    Spec::parse(spec).unwrap().generate(&Control::new()).unwrap()
}

/// Two stars whose rows are several chunks, a path between the leaves of one, and vertices alone; hubs in the middle of the numbers.
fn stars(directed: bool) -> Graph {
    let (hub, other) = (3000, 3001);
    let mut edges: Vec<(Vertex, Vertex)> = (0..3000).map(|v| (hub, v)).collect();
    edges.extend((3100..8100).map(|v| (v, other)));
    edges.extend((3100..3200).map(|v| (v, v + 1)));
    edges.extend([(8200, 8200), (8201, 8202), (8202, 8201)]);
    Graph::from_edges(8300, &edges, directed).unwrap()
}

/// The same graph with vertices of large degree first.
fn by_degree(graph: &Graph) -> Graph {
    let n = graph.vertices() as Vertex;
    let mut order: Vec<Vertex> = (0..n).collect();
    order.sort_by_key(|&v| std::cmp::Reverse(graph.degree(v)));
    let mut place = vec![0; n as usize];
    for (new, &old) in order.iter().enumerate() {
        place[old as usize] = new as Vertex;
    }
    let renamed = |u: Vertex, v: Vertex| (place[u as usize], place[v as usize]);
    let edges: Vec<_> =
        (0..n).flat_map(|u| graph.out().csr.neighbors(u).iter().map(move |&v| renamed(u, v))).collect();
    Graph::from_edges(n as usize, &edges, graph.is_directed()).unwrap()
}

/// The same graph with offsets of 64 bits.
fn widened(graph: &Graph) -> Graph {
    let out = graph.out();
    let offsets: Vec<u64> = (0..=graph.vertices()).map(|v| out.csr.offsets().get(v) as u64).collect();
    let csr = Csr::new(Offsets::Wide(offsets.into()), out.csr.targets().clone(), "wide").unwrap();
    let arcs = Arcs { csr, weights: out.weights.clone() };
    Graph::new(arcs, graph.is_directed(), graph.ids().clone(), graph.origin().clone()).unwrap()
}

/// On a simulator that runs lanes in an order of its own and writes down the kernels it used.
fn device_graph(graph: &Graph, seed: u64, kernels: Option<&Path>) -> DeviceGraph {
    let settings = Settings { keep_kernels: kernels.map(Path::to_owned), ..Settings::default() };
    DeviceGraph::new(&Simt::open(&settings, SimtOptions { seed, ..SimtOptions::default() }).unwrap(), graph)
}

fn graphs() -> Vec<(&'static str, Graph)> {
    let kron = generated("kron:10");
    vec![
        ("stars, undirected", stars(false)),
        ("stars, directed", stars(true)),
        ("grid", generated("grid:50x41,drop=0.3")),
        ("kron in degree order", by_degree(&kron)),
        ("wide offsets", widened(&generated("kron:9,directed"))),
        ("kron", kron),
        ("no arcs", Graph::from_edges(40, &[], true).unwrap()),
        ("nothing", Graph::from_edges(0, &[], false).unwrap()),
    ]
}

#[test]
fn components_are_right_from_either_end_of_arcs() {
    for (name, graph) in graphs() {
        for with_incoming in [false, true] {
            if with_incoming {
                graph.incoming().unwrap();
            }
            let answer = wcc(&device_graph(&graph, 7, None), &Wcc {}, &Options::default()).unwrap();
            answer.verify(&graph).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!((answer.run().plan, answer.run().rounds), (Plan::AUTO, 2), "{name}");
        }
    }
}

fn ranks(graph: &Graph, config: &PageRank, seed: u64) -> PageRankAnswer {
    let answer = pagerank(&device_graph(graph, seed, None), config, &Options::default()).unwrap();
    assert_eq!(answer.run().plan, Plan::AUTO);
    answer
}

#[test]
fn ranks_are_right_coarse_and_fine_and_have_the_same_bits_in_any_order() {
    for (name, graph) in graphs() {
        for tolerance in [1e-4, 1e-6, 1e-10] {
            let config = PageRank { max_iterations: 300, ..PageRank::default().tolerance(tolerance) };
            let [one, other] = [1, 2].map(|seed| ranks(&graph, &config, seed));
            one.verify(&graph).unwrap_or_else(|e| panic!("{name}, {tolerance}: {e}"));
            assert!(one.figures().residual <= tolerance, "{name}, {tolerance}: {:?}", one.figures());
            assert_ne!(one.run().halt, Halted::MaxIterations, "{name}, {tolerance}");
            assert_eq!(one.run().rounds, other.run().rounds, "{name}, {tolerance}");
            let [one, other] =
                [one, other].map(|a| a.ranks().iter().map(|r| r.to_bits()).collect::<Vec<_>>());
            assert!(one == other, "{name}, {tolerance}: other bits in another order");
        }
    }
}

#[test]
fn sweeps_end_at_the_limit_and_teleports_go_where_they_are_told() {
    let graph = stars(true);
    for max_iterations in [1, 2, 8, 9, 17] {
        let config = PageRank { max_iterations, ..PageRank::default().tolerance(0.0).personalize(3000, 1.0) };
        let answer = ranks(&graph, &config.personalize(17, 3.0), 3);
        answer.verify(&graph).unwrap();
        assert!(answer.run().rounds <= max_iterations, "{:?}", answer.run());
        let is_cut = answer.run().halt == Halted::MaxIterations;
        assert!(!is_cut || answer.run().rounds == max_iterations, "{:?}", answer.run());
    }
}

/// Names of the modules that a ranking used.
fn modules(graph: &Graph, tolerance: f64) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let device_graph = device_graph(graph, 0, Some(folder.path()));
    pagerank(&device_graph, &PageRank::default().tolerance(tolerance), &Options::default()).unwrap();
    let files = std::fs::read_dir(folder.path()).unwrap();
    files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn blocks_keep_shares_where_the_first_vertices_have_many_arcs() {
    let has = |modules: &[String], name: &str| modules.iter().any(|module| module.contains(name));
    let kron = generated("kron:11");
    let used = modules(&by_degree(&kron), 1e-6);
    assert!(has(&used, "pagerank-hot") && !has(&used, "pagerank-fine"), "{used:?}");
    let used = modules(&generated("grid:60x60"), 1e-9);
    assert!(has(&used, "pagerank-coarse") && has(&used, "pagerank-fine"), "{used:?}");
}
