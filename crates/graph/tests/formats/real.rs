//! Real files, where `WARPGRAPH_DATA` names the folder that has them.

use std::path::PathBuf;
use warpgraph_graph::{Control, Graph, ReadOptions, WeightType, format::write::WriteOptions};

/// The file, or `None` with a word about it.
fn data(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("WARPGRAPH_DATA").map(|folder| PathBuf::from(folder).join(name));
    if path.is_none() {
        println!("skipped: set WARPGRAPH_DATA to the folder with {name}");
    }
    path
}

/// Opens a file and compares vertices, edges and direction.
fn expect(name: &str, vertices: usize, edges: u64, directed: bool) -> Option<Graph> {
    let graph = Graph::open(data(name)?).unwrap();
    assert_eq!((graph.vertices(), graph.edges(), graph.is_directed()), (vertices, edges, directed), "{name}");
    Some(graph)
}

#[test]
fn wave_is_a_metis_mesh() {
    expect("wave.graph.zst", 156_317, 1_059_331, false);
}

#[test]
fn new_york_is_a_weighted_road_network() {
    let Some(graph) = expect("USA-road-d.NY.gr.zst", 264_346, 730_100, true) else { return };
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::U32));
    assert_eq!(graph.origin().merged, 0);
}

#[test]
fn florida_is_a_pace_graph() {
    expect("USA-road-FLA.pace.gr.xz", 1_070_376, 1_343_951, false);
}

#[test]
fn bremen_has_no_problem_line() {
    let Some(graph) = expect("bremen_dist.gr.zst", 40_461, 85_277, true) else { return };
    assert_eq!((graph.origin().listed, graph.origin().merged), (86_475, 1_198));
    let weights = &graph.out().weights;
    assert_eq!(weights.range().unwrap().0, 0.0);
}

#[test]
fn cnr_2000_is_the_same_in_order_and_in_parallel() {
    let Some(graph) = expect("cnr-2000/cnr-2000.graph", 325_557, 3_216_152, true) else { return };
    assert_eq!(graph.counts().max_degree_vertex, 217_849);
    let folder = tempfile::tempdir().unwrap();
    for ending in ["graph", "properties"] {
        let name = format!("cnr-2000.{ending}");
        std::fs::copy(data(&format!("cnr-2000/{name}")).unwrap(), folder.path().join(name)).unwrap();
    }
    let in_order = Graph::open(folder.path().join("cnr-2000")).unwrap();
    assert_eq!(in_order.hash(), graph.hash());
}

#[test]
fn dblp_2010_is_symmetric() {
    let Some(graph) = expect("dblp-2010/dblp-2010.properties", 326_186, 1_615_400, true) else { return };
    let options = ReadOptions { directed: Some(false), ..Default::default() };
    let path = data("dblp-2010/dblp-2010").unwrap();
    let undirected = Graph::open_with(path, &options, &Control::new()).unwrap();
    assert_eq!((undirected.arcs(), undirected.edges()), (1_615_400, 807_700));
    assert_eq!(undirected.out().csr.targets()[..], graph.out().csr.targets()[..]);
}

#[test]
fn suite_sparse_matrices_are_read() {
    expect("formats/karate.mtx", 34, 78, false);
    expect("formats/jagmesh7.mtx", 1_138, 4_294, false);
    if let Some(graph) = expect("formats/west0067.mtx", 67, 294, true) {
        assert_eq!(graph.out().weights.weight_type(), Some(WeightType::F64));
    }
}

#[test]
fn collaborations_are_graphml_with_both_directions() {
    let Some(graph) = expect("formats/ca-GrQc-cc.graphml.zst", 4_158, 26_850, true) else { return };
    assert_eq!((graph.origin().listed, graph.origin().merged), (26_850, 0));
    assert_eq!(graph.out().weights.weight_type(), Some(WeightType::F64));
    assert_eq!(graph.weight_range(), Some((1.0, 1.0)));
    assert_eq!(graph.ids().describe(), "ids 0 to 4157");
}

#[test]
fn gap_test_graphs_agree_across_formats() {
    let Some(gr) = expect("formats/4.gr", 14, 58, true) else { return };
    let Some(mtx) = expect("formats/4.mtx", 14, 58, true) else { return };
    assert_eq!(gr.origin().listed, mtx.origin().listed);
    let options = ReadOptions { directed: Some(true), ..Default::default() };
    let path = data("formats/4w.graph").unwrap();
    let metis = Graph::open_with(path, &options, &Control::new()).unwrap();
    assert_eq!((metis.vertices(), metis.arcs()), (14, 53));
}

#[test]
fn a_real_graph_survives_the_way_through_every_format() {
    let Some(path) = data("bremen_dist.gr.zst") else { return };
    let graph = Graph::open(path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for ending in ["wg", "wsg", "mtx"] {
        let path = folder.path().join(format!("bremen.{ending}"));
        graph.write(&path, &WriteOptions::default(), &Control::new()).unwrap();
        let again = Graph::open(&path).unwrap();
        assert_eq!(super::arcs(&again), super::arcs(&graph), "{ending}");
    }
}
