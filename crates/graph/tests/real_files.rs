//! Real files, in the folder that `WARPGRAPH_DATA` names.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::process::ExitCode;
use warpgraph_graph::{Control, Graph, ReadOptions, Vertex, WeightType, format::write::WriteOptions};
use warpgraph_testing::{
    Suite,
    needs::{self, data_path},
    tests,
};

fn main() -> ExitCode {
    Suite::default()
        .needing(
            &needs::data("real files"),
            tests![
                wave_is_a_metis_mesh,
                new_york_is_a_weighted_road_network,
                florida_is_a_pace_graph,
                bremen_has_no_problem_line,
                cnr_2000_is_the_same_in_order_and_in_parallel,
                dblp_2010_is_symmetric,
                suite_sparse_matrices_are_read,
                collaborations_are_graphml_with_both_directions,
                gap_test_graphs_agree_across_formats,
                a_real_graph_survives_the_way_through_every_format,
            ],
        )
        .run()
}

/// Opens a file and compares vertices, edges and direction.
fn expect(name: &str, vertices: usize, edges: u64, directed: bool) -> Graph {
    let graph = Graph::open(data_path(name)).unwrap();
    assert_eq!((graph.vertices(), graph.edges(), graph.is_directed()), (vertices, edges, directed), "{name}");
    graph
}

fn arcs(graph: &Graph) -> Vec<(Vertex, Vertex, f64)> {
    let out = graph.out();
    (0..graph.vertices() as Vertex)
        .flat_map(|u| out.csr.arcs_of(u).map(move |i| (u, out.csr.targets()[i], out.weights.get(i))))
        .collect()
}

fn wave_is_a_metis_mesh() {
    expect("wave.graph.zst", 156_317, 1_059_331, false);
}

fn new_york_is_a_weighted_road_network() {
    let graph = expect("USA-road-d.NY.gr.zst", 264_346, 730_100, true);
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::U32));
    assert_eq!(graph.origin().merged, 0);
}

fn florida_is_a_pace_graph() {
    expect("USA-road-FLA.pace.gr.xz", 1_070_376, 1_343_951, false);
}

fn bremen_has_no_problem_line() {
    let graph = expect("bremen_dist.gr.zst", 40_461, 85_277, true);
    assert_eq!((graph.origin().listed, graph.origin().merged), (86_475, 1_198));
    let weights = &graph.out().weights;
    assert_eq!(weights.range().unwrap().0, 0.0);
}

fn cnr_2000_is_the_same_in_order_and_in_parallel() {
    let graph = expect("cnr-2000/cnr-2000.graph", 325_557, 3_216_152, true);
    assert_eq!(graph.counts().max_degree_vertex, 217_849);
    let folder = tempfile::tempdir().unwrap();
    for ending in ["graph", "properties"] {
        let name = format!("cnr-2000.{ending}");
        std::fs::copy(data_path(&format!("cnr-2000/{name}")), folder.path().join(name)).unwrap();
    }
    let in_order = Graph::open(folder.path().join("cnr-2000")).unwrap();
    assert_eq!(in_order.hash(), graph.hash());
}

fn dblp_2010_is_symmetric() {
    let graph = expect("dblp-2010/dblp-2010.properties", 326_186, 1_615_400, true);
    let options = ReadOptions { directed: Some(false), ..Default::default() };
    let path = data_path("dblp-2010/dblp-2010");
    let undirected = Graph::open_with(path, &options, &Control::new()).unwrap();
    assert_eq!((undirected.arcs(), undirected.edges()), (1_615_400, 807_700));
    assert_eq!(undirected.out().csr.targets()[..], graph.out().csr.targets()[..]);
}

fn suite_sparse_matrices_are_read() {
    expect("formats/karate.mtx", 34, 78, false);
    expect("formats/jagmesh7.mtx", 1_138, 4_294, false);
    let graph = expect("formats/west0067.mtx", 67, 294, true);
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::F64));
}

fn collaborations_are_graphml_with_both_directions() {
    let graph = expect("formats/ca-GrQc-cc.graphml.zst", 4_158, 26_850, true);
    assert_eq!((graph.origin().listed, graph.origin().merged), (26_850, 0));
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::F64));
    assert_eq!(graph.weight_range(), Some((1.0, 1.0)));
    assert_eq!(graph.ids().describe(), "ids 0 to 4157");
}

fn gap_test_graphs_agree_across_formats() {
    let gr = expect("formats/4.gr", 14, 58, true);
    let mtx = expect("formats/4.mtx", 14, 58, true);
    assert_eq!(gr.origin().listed, mtx.origin().listed);
    let options = ReadOptions { directed: Some(true), ..Default::default() };
    let path = data_path("formats/4w.graph");
    let metis = Graph::open_with(path, &options, &Control::new()).unwrap();
    assert_eq!((metis.vertices(), metis.arcs()), (14, 53));
}

fn a_real_graph_survives_the_way_through_every_format() {
    let path = data_path("bremen_dist.gr.zst");
    let graph = Graph::open(path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for ending in ["wg", "wsg", "mtx"] {
        let path = folder.path().join(format!("bremen.{ending}"));
        graph.write(&path, &WriteOptions::default(), &Control::new()).unwrap();
        let again = Graph::open(&path).unwrap();
        assert_eq!(arcs(&again), arcs(&graph), "{ending}");
    }
}
