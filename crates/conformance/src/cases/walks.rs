//! The model `paths` on many small random graphs: no wake-up is lost, and every run ends, whatever the schedule.

use super::{Case, Draw, named};
use crate::Backend;
use warpgraph::{
    Answer, Device, Dispatch, PageRank, Plan, Sssp, Wcc,
    graph::{
        Graph, VertexId,
        build::{self, EdgeWeights, FromEdges, Loops, Parallel},
    },
};

pub(super) const CASES: &[Case] = named!(Case, random_graphs_end_with_the_right_answer);

/// The graphs on a processor or a GPU, and on the simulator, which has a longer test of its own.
const GRAPHS: u64 = 2000;
const SIMULATED: u64 = 40;

/// Answers along paths pass the verifiers of their algorithms, on graphs with loops, parallel edges and isolated vertices.
fn random_graphs_end_with_the_right_answer(backend: &Backend) {
    let count = if backend.engine().device() == Device::Simt { SIMULATED } else { GRAPHS };
    for seed in 0..count {
        let mut draw = Draw::new(seed);
        let graph = drawn(&mut draw);
        let source = draw.below(graph.vertices() as u64);
        let plan: Plan = format!("paths(np={})", 1 + draw.below(4)).parse().expect("a plan");
        let at = format!("{}, graph {seed} by {plan}", backend.name());
        check(backend, &graph, &Sssp::from(VertexId::from(source as u32)), plan, &at);
        check(backend, &graph, &Wcc {}, plan, &at);
        check(backend, &graph, &PageRank::default().tolerance(1e-8), plan, &at);
    }
}

fn check<A: Dispatch>(backend: &Backend, graph: &Graph, question: &A, plan: Plan, at: &str) {
    let answer = backend.ask(graph, question, plan).unwrap_or_else(|e| panic!("{at}: {}: {e}", A::NAME));
    assert!(answer.run().paths.is_some(), "{at}: {} ran by {}", A::NAME, answer.run().plan);
    answer.verify(graph).unwrap_or_else(|violation| panic!("{at}: {}: {violation}", A::NAME));
}

/// Draws a graph of up to 60 vertices and 200 edges.
fn drawn(draw: &mut Draw) -> Graph {
    let (n, m) = (1 + draw.below(60), draw.below(200));
    let pairs = (0..m).map(|_| [draw.below(n) as u32, draw.below(n) as u32]).collect();
    let weights = (0..m).map(|_| 1 + draw.below(20) as u32).collect();
    let options = build::Options { directed: draw.flip(), loops: Loops::Keep, parallel: Parallel::Keep };
    FromEdges { options }.build(n as usize, pairs, EdgeWeights::U32(weights)).expect("a graph of drawn edges")
}
