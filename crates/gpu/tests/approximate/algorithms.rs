//! Algorithms that are no programs: filters and kernels reflect copies too.

use crate::{
    Place,
    graphs::{Case, cases},
};
use warpgraph_core::{Algorithm, Answer as _, Options, bc::Bc, mst::Mst, scc::Scc};
use warpgraph_gpu::{DeviceGraph, OnGpu, bytes_needed, reflects, run};
use warpgraph_graph::{
    Graph, Vertex, VertexId,
    build::{self, EdgeWeights, FromEdges, Parallel},
};

/// Directed and undirected graphs.
fn all(place: Place) -> Vec<Case> {
    let undirected = [(11, 60, 3), (12, 90, 1), (13, 50, 6)];
    let undirected = undirected.map(|(seed, n, degree)| Case::undirected(place, seed, n, degree));
    // Of one arc per vertex: long chains to trim, and small components.
    let sparse = Case::new(place, 14, 150, 1);
    cases(place).into_iter().chain(undirected).chain([sparse]).collect()
}

impl Case {
    /// Returns the answer on the merged graph, and the restored one on the graph with copies.
    fn asked<A: OnGpu>(&self, config: &A, plan: &str) -> [A::Answer; 2] {
        let plain = Options { plan: plan.parse().unwrap(), ..Options::default() };
        let merged = DeviceGraph::new(&(self.place.open)(1), &self.merged);
        let expected = run(&merged, config, &plain).unwrap();
        let options = Options { map: Some(self.map.clone()), merged: Some(self.merged.clone()), ..plain };
        assert!(reflects(config.form(&self.inner, &options)), "{} by {plan}", A::NAME);
        let asked = config.renumbered(&self.merged, &self.map, 0, 0).unwrap();
        let inner = DeviceGraph::new(&(self.place.open)(self.seed), &self.inner);
        let answer = run(&inner, &asked, &options).unwrap();
        let (peak, said) =
            (inner.gpu().memory().unwrap().peak, bytes_needed(&self.inner, &asked, &options).total());
        // Several sources at once take memory that is free.
        let is_known = self.place.measures_memory && A::NAME != Bc::NAME && options.plan.residency.is_none();
        assert!(!is_known || peak <= said, "{} by {plan}: {peak} bytes, {said} were said", A::NAME);
        let answer = config.restore(answer, &self.merged, &self.map).unwrap();
        answer
            .verify(&self.merged)
            .unwrap_or_else(|wrong| panic!("{}, graph {}: {wrong}", A::NAME, self.seed));
        [expected, answer]
    }
}

pub(crate) fn forests_are_those_of_the_merged_graph(place: Place) {
    for case in all(place) {
        let [expected, found] =
            case.asked(&Mst::default(), "auto").map(|answer| answer.edges().collect::<Vec<_>>());
        assert_eq!(found, expected, "graph {}", case.seed);
    }
}

pub(crate) fn strong_components_are_those_of_the_merged_graph(place: Place) {
    for case in all(place) {
        for plan in ["auto", "node", "edge", "tiled+zero-copy"] {
            let [expected, found] = case.asked(&Scc::default(), plan);
            assert_eq!(found.components(), expected.components(), "{plan}, graph {}", case.seed);
        }
    }
}

pub(crate) fn betweenness_is_that_of_the_merged_graph(place: Place) {
    for case in all(place) {
        // A GPU has large graphs.
        let some = if place.scale == 1 { Bc::default() } else { Bc::default().sources(48) };
        let few = Bc::default().sources(9).endpoints();
        let questions = [some.clone(), some.clone().weighted(), few.clone(), few.weighted().normalized()];
        for (question, plan) in questions.iter().zip(["node", "auto", "tiled+zero-copy", "workload"]) {
            case.agree(question, plan);
        }
    }
}

impl Case {
    /// Checks that scores are within the rounding of sums of positive numbers.
    fn agree(&self, question: &Bc, plan: &str) {
        let [expected, found] = self.asked(question, plan);
        assert_eq!(found.sources(), expected.sources());
        assert_eq!(found.arcs_reached(), expected.arcs_reached(), "{plan}, graph {}", self.seed);
        for (v, (&e, &f)) in expected.scores().iter().zip(found.scores()).enumerate() {
            assert!(
                (e - f).abs() <= 1e-9 * e.abs().max(1.0),
                "{plan}, graph {}, vertex {v}: {f}, not {e}",
                self.seed
            );
        }
    }
}

/// A path with 2^7 parallel arcs per step: 2^(7 * 150) paths from end to end.
fn braid() -> Graph {
    let pairs: Vec<[Vertex; 2]> = (0..150).flat_map(|v| [[v, v + 1]; 128]).collect();
    let weights = EdgeWeights::U32(vec![2; pairs.len()]);
    let options = build::Options { parallel: Parallel::Keep, ..FromEdges::default().options };
    FromEdges { options }.build(151, pairs, weights).unwrap()
}

pub(crate) fn numbers_of_paths_beyond_the_range_of_f64_are_reflected(place: Place) {
    let case = Case::of(place, 15, braid());
    let ends = Bc::default().source(VertexId::from(0u64)).source(VertexId::from(3u64));
    case.agree(&ends, "node");
    case.agree(&ends.weighted(), "tiled");
}
