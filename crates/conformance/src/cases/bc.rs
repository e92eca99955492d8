//! Betweenness: scores near the oracle's.
//!
//! All terms are positive, so both sides are right to a relative error of the number of sums on a longest path and its
//! rows, times 2^-53: some 10^4 on the fixtures. [`RELATIVE`] leaves room for 10^6. [`TINY`] stands for shares of paths so
//! small that an engine may leave them out.

use super::{answer, place};
use crate::{
    Backend,
    fixtures::{self, Edges, Fixture},
};
use warpgraph::{
    Answer, Bc, BcAnswer, Plan,
    graph::{Vertex, Weights, build::EdgeWeights},
    oracle,
};

/// The relative error allowed.
pub const RELATIVE: f64 = 1e-10;
/// And in scores near zero, before they are scaled.
pub const TINY: f64 = 1e-12;

/// On every fixture, from all vertices of small ones and some of large ones, with every scaling.
pub fn is_near_the_oracle(backend: &impl Backend) {
    for fixture in backend.fixtures() {
        let named = |config: Bc| {
            backend.sources(fixture).into_iter().fold(config, |c, s| c.source(fixture.graph.ids().id(s)))
        };
        let mut configs =
            vec![named(Bc::default()), named(Bc::default().normalized()), named(Bc::default().endpoints())];
        let few = if backend.is_slow() { 100 } else { 3000 };
        if fixture.graph.vertices() + fixture.graph.arcs() < few {
            configs.extend([
                Bc::default(),
                Bc::default().normalized(),
                Bc::default().normalized().endpoints(),
            ]);
        }
        configs.iter().for_each(|config| holds(backend, fixture, config));
        by_every_balance(backend, fixture, &named(Bc::default().endpoints()));
    }
}

/// Where weights are positive, by the sum of them.
pub fn follows_weights(backend: &impl Backend) {
    // There a weight vanishes beside the distance; see `config`.
    let positive = |f: &&Fixture| can_weigh(f) && !f.name.starts_with("f64 of all sizes");
    for fixture in backend.fixtures().into_iter().filter(positive) {
        let some = backend
            .sources(fixture)
            .into_iter()
            .fold(Bc::default(), |c, s| c.source(fixture.graph.ids().id(s)));
        by_every_balance(backend, fixture, &some.clone().weighted());
        holds(backend, fixture, &some.weighted());
        if !fixture.is_large() && fixture.graph.vertices() < if backend.is_slow() { 50 } else { 700 } {
            holds(backend, fixture, &Bc::default().weighted().endpoints());
        }
    }
}

/// Where a sum of weights leaves the range of f64 nothing is reached.
pub fn does_not_reach_what_is_infinitely_far(backend: &impl Backend) {
    // Small ones are not so small that they vanish beside the large ones.
    let weights = EdgeWeights::F64(vec![1e308, 1e300, 1e308, 2e300]);
    let edges = Edges::new(5, [(0, 1), (0, 2), (1, 3), (2, 4)]).weights(weights);
    for directed in [true, false] {
        let fixture = Fixture::new("infinitely far", edges.build(directed));
        let config = Bc::default().weighted().endpoints();
        holds(backend, &fixture, &config);
        by_every_balance(backend, &fixture, &config);
    }
}

/// Has it weights, all greater than zero?
pub fn can_weigh(fixture: &Fixture) -> bool {
    let weights = &fixture.graph.out().weights;
    !matches!(weights, Weights::None) && weights.range().is_none_or(|(least, _)| least > 0.0)
}

/// A draw is that of its seed and run, scaled by its size, and all vertices drawn are all vertices.
pub fn draws_sources_from_the_seed(backend: &impl Backend) {
    let fixture = fixtures::named("random 130, undirected");
    let ask = |k: u64, seed: u64, run: u64| {
        let loaded = backend.engine().load(&fixture.graph, warpgraph::Order::Natural).expect("a small graph");
        loaded.bc(Bc::default().sources(k)).seed(seed, run).deterministic(true).run().expect("an answer")
    };
    let once = ask(7, 3, 0);
    assert_eq!(once.sources().map(<[_]>::len), Some(7));
    assert_eq!((once.sources(), once.scores()), (ask(7, 3, 0).sources(), ask(7, 3, 0).scores()));
    assert_ne!(once.sources(), ask(7, 4, 0).sources());
    assert_ne!(once.sources(), ask(7, 3, 1).sources());
    assert_eq!(once.figures().sources, 7);
    check_scores(&once, &oracle::bc(&fixture.graph, &Bc::default(), once.sources()), "drawn");
    let all = ask(130, 3, 0);
    assert_eq!((all.sources(), all.figures().sources), (None, 130));
    check_scores(&all, &oracle::bc(&fixture.graph, &Bc::default(), None), "all drawn");
}

/// Counts of paths leave the range of f64: along diamonds and layers, on a grid from corner to corner, and by parallel edges.
pub fn counts_more_paths_than_f64_can_hold(backend: &impl Backend) {
    // 1100 diamonds in a row: 2^1100 paths from end to end.
    let diamond = |d: u32| [(0, 1), (0, 2), (1, 3), (2, 3)].map(|(u, v)| (3 * d + u, 3 * d + v));
    let diamonds = Edges::new(3301, (0..1100).flat_map(diamond));
    // 400 layers of 8 vertices, each joined to all of the next: 8^400 = 2^1200 paths.
    let layers = (0..399u32).flat_map(|l| (0..64).map(move |i| (l * 8 + i / 8, l * 8 + 8 + i % 8)));
    let layers = Edges::new(3200, layers);
    for directed in [true, false] {
        let ends = Bc::default().source(0).source(1600).source(3199);
        let weighted = diamonds.clone().weigh(|edge| 1 + (edge / 4 % 3) as u32).build(directed);
        for (fixture, config) in [
            (Fixture::new("1100 diamonds", diamonds.build(directed)), ends.clone()),
            (Fixture::new("400 layers of 8", layers.build(directed)), ends.clone()),
            (Fixture::new("1100 weighted diamonds", weighted), ends.weighted()),
        ] {
            holds(backend, &fixture, &config);
            by_every_balance(backend, &fixture, &config);
        }
    }
    if backend.is_slow() {
        return;
    }
    let grid = Fixture::new("grid 1200 x 1200", fixtures::square(1200).build(false));
    holds(backend, &grid, &Bc::default().source(0).source(1200 * 1200 - 1));
    // Layers of 2, joined by 2^12 parallel edges each way: 2^(13 * 29) paths through 30, 2^(13 * 99) through 100.
    let thick = |layers: u32| {
        let ends = move |l: u32| (0..4u32).map(move |i| (2 * l + i / 2, 2 * l + 2 + i % 2));
        (0..layers - 1).flat_map(move |l| ends(l).flat_map(|edge| std::iter::repeat_n(edge, 1 << 12)))
    };
    for layers in [30, 100] {
        let edges = Edges::new(2 * layers as usize, thick(layers));
        let some = Bc::default().source(0).source(7);
        holds(backend, &Fixture::new("thick layers", edges.build(true)), &some);
        let weighted = Fixture::new("thick weighted layers", edges.weigh(|_| 3).build(true));
        holds(backend, &weighted, &some.weighted());
    }
}

/// The same by those plans that name a balance.
fn by_every_balance(backend: &impl Backend, fixture: &Fixture, config: &Bc) {
    let plans = backend.plans::<Bc>(fixture).into_iter().filter(|plan| plan.balance().is_some());
    plans.for_each(|plan| holds_by(backend, fixture, config, plan));
}

/// One answer is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &impl Backend, fixture: &Fixture, config: &Bc) {
    holds_by(backend, fixture, config, Plan::AUTO);
}

/// [`holds`] by a plan.
fn holds_by(backend: &impl Backend, fixture: &Fixture, config: &Bc, plan: Plan) {
    let at = format!("{}, {config:?}", place::<Bc>(backend, fixture, plan));
    let answer = answer(backend, fixture, config, plan);
    let sources = config.resolve(&fixture.graph, 0, 0).expect("vertices of the graph");
    assert_eq!(answer.sources(), sources.as_deref(), "{at}");
    check_scores(&answer, &oracle::bc(&fixture.graph, config, sources.as_deref()), &at);
    check_figures(&answer, fixture, &at);
}

fn check_scores(answer: &BcAnswer, expected: &[f64], at: &str) {
    assert_eq!(answer.scores().len(), expected.len(), "{at}");
    for (v, (&got, &exact)) in answer.scores().iter().zip(expected).enumerate() {
        let is_near = (got - exact).abs() <= RELATIVE * exact + TINY || got.is_nan() && exact.is_nan();
        assert!(is_near, "{at}: vertex number {v} has {got:e}, the oracle says {exact:e}");
    }
}

fn check_figures(answer: &BcAnswer, fixture: &Fixture, at: &str) {
    let figures = answer.figures();
    let (n, ids) = (fixture.graph.vertices(), fixture.graph.ids());
    assert_eq!(figures.sources, answer.sources().map_or(n, <[_]>::len) as u64, "{at}");
    let score = |v: Vertex| answer.scores()[v as usize];
    let mut order: Vec<Vertex> = (0..n as Vertex).filter(|&v| !score(v).is_nan()).collect();
    order.sort_by(|&a, &b| score(b).total_cmp(&score(a)).then(a.cmp(&b)));
    order.truncate(10);
    let top: Vec<_> = order.iter().map(|&v| (ids.id(v), score(v))).collect();
    assert_eq!(figures.top.into_iter().map(|s| (s.vertex, s.score)).collect::<Vec<_>>(), top, "{at}: top");
    assert!(answer.arcs_reached() <= figures.sources * fixture.graph.arcs() as u64, "{at}");
}
