//! Betweenness from several sources at once: what is free decides how many, and the scores do not depend on it.

use warpgraph_core::{
    Answer, Options,
    bc::{Bc, BcAnswer},
};
use warpgraph_device::{
    Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_gpu::{DeviceGraph, bc, bytes_needed};
use warpgraph_graph::{Control, Graph, generate::Spec};

fn generated(spec: &str) -> Graph {
    Spec::parse(spec).unwrap().generate(&Control::new()).unwrap()
}

/// On a device of so many bytes, the same bits every time.
fn ask(graph: &Graph, config: &Bc, bytes: u64) -> BcAnswer {
    let settings = Settings { memory_budget: Some(bytes), ..Settings::default() };
    let device_graph = DeviceGraph::new(&Simt::open(&settings, SimtOptions::default()).unwrap(), graph);
    let answer = bc(&device_graph, config, &Options { deterministic: true, ..Options::default() }).unwrap();
    answer.verify(graph).unwrap();
    answer
}

/// All at once, in batches, and one after the other give the same bits; gives the numbers of batches.
fn rounds(graph: &Graph, config: &Bc) -> [u64; 3] {
    let options = Options { deterministic: true, ..Options::default() };
    let least = bytes_needed(graph, config, &options).total();
    let answers = [1 << 30, least * 8, least].map(|bytes| ask(graph, config, bytes));
    let [all, some, one] = &answers;
    assert_eq!(all.scores(), some.scores());
    assert_eq!(all.scores(), one.scores());
    assert_eq!(all.arcs_reached(), one.arcs_reached());
    answers.map(|answer| answer.run().rounds)
}

#[test]
fn scores_do_not_depend_on_how_many_sources_go_at_once() {
    for spec in ["kron:8,directed,w=1..9", "uniform:8,degree=3,w=1..9"] {
        let graph = generated(spec);
        for weighted in [false, true] {
            let config = Bc { weighted, endpoints: true, ..Bc::default() };
            let [all, some, one] = rounds(&graph, &config);
            assert!(all == 1 && 1 < some && some < one, "{spec}: {all}, {some} and {one} batches");
        }
    }
}

#[test]
fn a_source_whose_paths_leave_f64_changes_no_bit_of_another() {
    // 1100 diamonds in a row: from the one end there are 2^1100 paths, from the other none that many.
    let diamond = |d: u32| [(0, 1), (0, 2), (1, 3), (2, 3)].map(|(u, v)| (3 * d + u, 3 * d + v));
    let edges: Vec<_> = (0..1100).flat_map(diamond).collect();
    let graph = Graph::from_edges(3301, &edges, true).unwrap();
    let config = Bc::default().source(0).source(2500).source(3000).source(3200);
    assert_eq!(rounds(&graph, &config)[0], 1);
}
