//! Random small graphs: all algorithms and some programs equal the oracle, whatever the edges, weights and plan.
//!
//! Graphs are drawn and shrunk by proptest; the question to an algorithm is drawn from a seed that proptest draws.
//!
//! Negative decimals are multiples of 1/4, so that their sums are exact: rounding on a cycle of weight zero could make
//! it negative, and then which answer is right depends on the order of the additions.

use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{TestError, TestRunner},
};
use std::process::ExitCode;
use warpgraph::graph::{
    Vertex,
    build::{EdgeWeights, Parallel},
};
use warpgraph_conformance::{
    Backend,
    cases::{self, Draw, SUBJECTS},
    fixtures::{Edges, Fixture},
};
use warpgraph_testing::{Suite, Test, tests};

/// Random graphs per algorithm.
const CASES: u32 = 1500;

/// How the numbers drawn for the edges become weights.
#[derive(Debug, Clone, Copy)]
enum Kind {
    None,
    Small,
    Huge,
    Signed,
    F32,
    F64,
    SignedF64,
}

const KINDS: [Kind; 7] =
    [Kind::None, Kind::Small, Kind::Huge, Kind::Signed, Kind::F32, Kind::F64, Kind::SignedF64];

fn weights(kind: Kind, drawn: &[u32]) -> EdgeWeights {
    // Few negative ones, or nearly every graph would have a negative cycle.
    let signed = |x: u32| (x % 40) as i32 - 2;
    let drawn = || drawn.iter().copied();
    match kind {
        Kind::None => EdgeWeights::None,
        Kind::Small => EdgeWeights::U32(drawn().map(|x| x % 10).collect()),
        Kind::Huge => EdgeWeights::U32(drawn().collect()),
        Kind::Signed => EdgeWeights::I32(drawn().map(signed).collect()),
        Kind::F32 => EdgeWeights::F32(drawn().map(|x| x as f32 / 1e6).collect()),
        Kind::F64 => EdgeWeights::F64(drawn().map(|x| f64::from(x) / 1e6).collect()),
        Kind::SignedF64 => EdgeWeights::F64(drawn().map(|x| f64::from(signed(x)) / 4.0).collect()),
    }
}

/// A graph with a vertex at least.
fn graphs() -> impl Strategy<Value = Fixture> {
    let edges = |n: Vertex| vec((0..n, 0..n, any::<u32>()), 0..(4 * n as usize).min(200));
    let kinds = prop::sample::select(&KINDS[..]);
    let merges = prop::sample::select(vec![Parallel::Keep, Parallel::Min]);
    let parts = (1..90u32).prop_flat_map(move |n| (Just(n), edges(n)));
    (parts, kinds, merges, any::<bool>()).prop_map(|((n, edges), kind, parallel, directed)| {
        let drawn: Vec<u32> = edges.iter().map(|e| e.2).collect();
        let list = Edges::new(n as usize, edges.iter().map(|e| (e.0, e.1)));
        let graph = list.weights(weights(kind, &drawn)).parallel(parallel).build(directed);
        let way = if directed { "directed" } else { "undirected" };
        Fixture::new(format!("{kind:?}, {way}, {n} vertices, edges {edges:?}"), graph)
    })
}

fn main() -> ExitCode {
    let test =
        |subject: &'static cases::Subject| Test::new(subject.name, || on_random_graphs(subject.holds_drawn));
    Suite::default().tests(SUBJECTS.iter().map(test).collect()).tests(tests![programs]).run()
}

fn programs() {
    on_random_graphs(|backend, fixture, draw| {
        let source = draw.vertex(&fixture.graph);
        cases::programs::hops(backend, fixture, source, draw.below(6) as u32);
        cases::programs::hops(backend, fixture, source, u32::MAX);
    });
}

/// Sees that something holds of random graphs, on one thread and on three; the least graph it does not hold of if not.
fn on_random_graphs(holds: impl Fn(&Backend, &Fixture, &mut Draw)) {
    let config = ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() };
    let outcome = TestRunner::new(config).run(&(graphs(), any::<u64>()), |(fixture, seed)| {
        [1, 3].into_iter().for_each(|threads| holds(&Backend::cpu(threads), &fixture, &mut Draw::new(seed)));
        Ok(())
    });
    if let Err(TestError::Fail(reason, (fixture, seed))) = &outcome {
        panic!("{reason}\nthe least graph: {}, seed {seed}", fixture.name);
    }
    outcome.expect("graphs are drawn");
}
