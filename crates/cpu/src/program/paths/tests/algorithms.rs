//! The algorithms that are programs give the same answers along paths.

use super::{
    Sample, along,
    graphs::{Kind, Random},
    pool,
};
use crate::{Options, adsorption, bfs, pagerank, sssp, wcc};
use warpgraph_core::{
    Answer, Halted, Run, adsorption::Adsorption, bfs::Bfs, pagerank::PageRank, sssp::Sssp, wcc::Wcc,
};
use warpgraph_graph::Graph;

/// Calls `test` with random graphs, a source, and options for walks along paths.
fn each_sample(kind: Kind, test: impl Fn(&Graph, u32, &Options, &str) + Sync) {
    let pools = [1, 2, 4].map(pool);
    for seed in 2000..2150 {
        let sample = Sample::random(seed, if seed % 5 == 0 { 300 } else { 40 }, kind);
        let source = Random::new(seed).below(sample.graph.vertices()) as u32;
        let options = along(&sample, 1 + seed as u32 % 4);
        pools[seed as usize % pools.len()].install(|| test(&sample.graph, source, &options, &sample.text));
    }
}

/// Checks that an answer came along paths and passes its verifier.
fn check(answer: &dyn Answer, graph: &Graph, text: &str) {
    assert!(answer.run().paths.is_some() && answer.run().plan.paths().is_some(), "{text}");
    answer.verify(graph).unwrap_or_else(|violation| panic!("{text}: {violation}"));
}

fn met_its_tolerance(run: &Run, text: &str) {
    assert_eq!(run.halt, Halted::Tolerance, "{text}: {} rounds", run.rounds);
}

#[test]
fn searches() {
    each_sample(Kind::None, |graph, source, options, text| {
        let answer = bfs(graph, &Bfs::from(source), options).unwrap();
        check(&answer, graph, text);
        let expected = bfs(graph, &Bfs::from(source), &Options::default()).unwrap();
        assert_eq!(answer.distances(), expected.distances(), "{text}");
    });
}

#[test]
fn shortest_paths() {
    for kind in [Kind::None, Kind::Whole, Kind::Decimal] {
        each_sample(kind, |graph, source, options, text| {
            let answer = sssp(graph, &Sssp::from(source), options).unwrap();
            check(&answer, graph, text);
            let expected = sssp(graph, &Sssp::from(source), &Options::default()).unwrap();
            assert_eq!(format!("{:?}", answer.distances()), format!("{:?}", expected.distances()), "{text}");
        });
    }
}

#[test]
fn components_of_directed_graphs_too() {
    each_sample(Kind::None, |graph, _, options, text| {
        let answer = wcc(graph, &Wcc {}, options).unwrap();
        check(&answer, graph, text);
        let expected = wcc(graph, &Wcc {}, &Options::default()).unwrap();
        assert_eq!(answer.components(), expected.components(), "{text}");
    });
}

#[test]
fn ranks() {
    each_sample(Kind::Decimal, |graph, _, options, text| {
        for weighted in [false, true] {
            let config = PageRank { weighted, max_iterations: 1000, ..PageRank::default() };
            let answer = pagerank(graph, &config, options).unwrap();
            check(&answer, graph, text);
            met_its_tolerance(answer.run(), text);
        }
    });
}

#[test]
fn labels() {
    each_sample(Kind::Decimal, |graph, _, options, text| {
        let answer = adsorption(graph, &Adsorption::default(), options).unwrap();
        check(&answer, graph, text);
        met_its_tolerance(answer.run(), text);
    });
}
