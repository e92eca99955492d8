//! Random small graphs: all algorithms and some programs equal the oracle, whatever the edges, weights and plan.
//!
//! Negative decimals are multiples of 1/4, so that their sums are exact: rounding on a cycle of weight zero could make
//! it negative, and then which answer is right depends on the order of the additions.

use proptest::{collection::vec, prelude::*};
use warpgraph::{
    Adsorption, Bc, Bfs, Closeness, Kcore, LabelPropagation, Mst, PageRank, Plan, Scc, Sssp, Triangles, Wcc,
    graph::{
        Vertex,
        build::{EdgeWeights, Parallel},
    },
};
use warpgraph_conformance::{
    Backend, Cpu, cases,
    fixtures::{Edges, Fixture},
};

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

/// A graph and a source in it.
fn graphs() -> impl Strategy<Value = (Fixture, Vertex)> {
    let edges = |n: Vertex| vec((0..n, 0..n, any::<u32>()), 0..(4 * n as usize).min(200));
    let kinds = prop::sample::select(&KINDS[..]);
    let merges = prop::sample::select(vec![Parallel::Keep, Parallel::Min]);
    let parts = (1..90u32).prop_flat_map(move |n| (Just(n), 0..n, edges(n)));
    (parts, kinds, merges, any::<bool>()).prop_map(|((n, source, edges), kind, parallel, directed)| {
        let drawn: Vec<u32> = edges.iter().map(|e| e.2).collect();
        let list = Edges::new(n as usize, edges.iter().map(|e| (e.0, e.1)));
        let graph = list.weights(weights(kind, &drawn)).parallel(parallel).build(directed);
        let way = if directed { "directed" } else { "undirected" };
        (Fixture::new(format!("{kind:?}, {way}, {n} vertices, edges {edges:?}"), graph), source)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bfs_equals_the_oracle((fixture, source) in graphs(), depth in prop::option::of(0..6u32)) {
        for threads in [1, 3] {
            let backend = Cpu::threads(threads);
            for plan in backend.plans::<Bfs>(&fixture) {
                cases::bfs::holds(&backend, &fixture, source, depth, plan);
            }
        }
    }

    #[test]
    fn sssp_equals_the_oracle((fixture, source) in graphs(), delta in prop::option::of(0.1..1e10f64)) {
        for threads in [1, 3] {
            let backend = Cpu::threads(threads);
            for plan in backend.plans::<Sssp>(&fixture) {
                cases::sssp::holds(&backend, &fixture, source, delta, plan);
            }
        }
    }

    #[test]
    fn pagerank_is_near_the_oracle((fixture, source) in graphs(), damping in 0.0..0.95f64, personal: bool) {
        let backend = Cpu::threads(2);
        let mut config = PageRank { damping, ..PageRank::default().tolerance(1e-9) };
        let weights = &fixture.graph.out().weights;
        config.weighted = weights.range().is_some_and(|(least, _)| least >= 0.0);
        if personal {
            config = config.personalize(source, 2.0).personalize(0, 1.0);
        }
        cases::pagerank::holds(&backend, &fixture, &config, &backend.plans::<PageRank>(&fixture));
    }

    #[test]
    fn bc_is_near_the_oracle((fixture, source) in graphs(), some: bool, endpoints: bool, normalized: bool) {
        let mut config = Bc { endpoints, normalized, ..Bc::default() };
        config.weighted = cases::bc::can_weigh(&fixture);
        if some {
            config = config.source(source);
        }
        for threads in [1, 3] {
            cases::bc::holds(&Cpu::threads(threads), &fixture, &config);
        }
    }

    #[test]
    fn closeness_equals_the_oracle((fixture, source) in graphs(), some: bool) {
        let all = Closeness::default();
        let config = if some { all.source(source) } else { all };
        for threads in [1, 3] {
            cases::closeness::holds(&Cpu::threads(threads), &fixture, &config);
        }
    }

    #[test]
    fn wcc_equals_the_oracle((fixture, _) in graphs()) {
        for threads in [1, 3] {
            let backend = Cpu::threads(threads);
            for plan in backend.plans::<Wcc>(&fixture) {
                cases::wcc::holds(&backend, &fixture, plan);
            }
        }
    }

    #[test]
    fn triangles_equal_the_oracle((fixture, _) in graphs()) {
        for threads in [1, 3] {
            let backend = Cpu::threads(threads);
            cases::triangles::holds(&backend, &fixture, &backend.plans::<Triangles>(&fixture));
        }
    }

    #[test]
    fn scc_equals_the_oracle((fixture, _) in graphs()) {
        for threads in [1, 3] {
            let backend = Cpu::threads(threads);
            backend.plans::<Scc>(&fixture).into_iter().for_each(|plan| cases::scc::holds(&backend, &fixture, plan));
        }
    }

    #[test]
    fn cores_equal_the_oracle((fixture, _) in graphs()) {
        for threads in [1, 3] {
            let backend = Cpu::threads(threads);
            cases::kcore::holds(&backend, &fixture, &backend.plans::<Kcore>(&fixture));
        }
    }

    #[test]
    fn mst_equals_the_oracle((fixture, _) in graphs()) {
        for threads in [1, 3] {
            let backend = Cpu::threads(threads);
            backend.plans::<Mst>(&fixture).into_iter().for_each(|plan| cases::mst::holds(&backend, &fixture, plan));
        }
    }

    #[test]
    fn label_propagation_equals_the_oracle((fixture, _) in graphs(), rounds in 1..15u64, weighted: bool) {
        let mut config = LabelPropagation::default().max_iterations(rounds);
        let weights = &fixture.graph.out().weights;
        config.weighted = weighted && weights.range().is_some_and(|(least, _)| least >= 0.0);
        for threads in [1, 3] {
            cases::label_propagation::holds(&Cpu::threads(threads), &fixture, &config, &[Plan::AUTO]);
        }
    }

    #[test]
    fn programs_equal_the_oracle((fixture, source) in graphs(), limit in 0..6u32) {
        for threads in [1, 3] {
            cases::programs::hops(&Cpu::threads(threads), &fixture, source, limit);
            cases::programs::hops(&Cpu::threads(threads), &fixture, source, u32::MAX);
        }
    }

    #[test]
    fn adsorption_is_near_the_oracle((fixture, source) in graphs(), p_continue in 0.0..0.9f64, value in -5.0..5.0f64) {
        let weights = &fixture.graph.out().weights;
        let weighted = weights.range().is_some_and(|(least, _)| least >= 0.0);
        let config = Adsorption { p_continue, p_inject: 0.1, weighted, ..Adsorption::default().tolerance(1e-9) };
        cases::adsorption::holds(&Cpu::threads(2), &fixture, &config.inject(source, value).inject(0, 1.0));
    }
}
