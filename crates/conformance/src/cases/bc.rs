//! Betweenness: scores near the oracle's.
//!
//! All terms are positive, so both sides are right to a relative error of the number of sums on a longest path and its
//! rows, times 2^-53: some 10^4 on the fixtures. [`RELATIVE`] leaves room for 10^6. [`TINY`] stands for shares of paths so
//! small that an engine may leave them out.

use super::{Case, Draw, Subject, answer, named, place, refuses};
use crate::oracle;
use crate::{
    Backend,
    fixtures::{self, Edges, Fixture},
};
use warpgraph::{
    Answer, Bc, BcAnswer, Graph, Plan, Question,
    graph::{Vertex, Weights, build::EdgeWeights},
};

/// The relative error allowed.
pub const RELATIVE: f64 = 1e-10;
/// And in scores near zero, before they are scaled.
pub const TINY: f64 = 1e-12;

/// Bc under test.
pub(super) const SUBJECT: Subject = Subject {
    name: "bc",
    cases: named!(
        Case,
        is_near_the_oracle,
        follows_weights,
        refuses_sums_beyond_the_range,
        draws_sources_from_the_seed,
        counts_more_paths_than_f64_can_hold,
        is_within_the_error,
        refuses_what_makes_no_sense
    ),
    holds: holds_by_default,
    holds_drawn,
    questions,
    wrong: wrong::ALL,
};

/// On every fixture, from all vertices of small ones and some of large ones, with every scaling.
fn is_near_the_oracle(backend: &Backend) {
    for fixture in backend.fixtures() {
        let named = |config: Bc| {
            backend.sources(fixture).into_iter().fold(config, |c, s| c.source(fixture.graph.ids().id(s)))
        };
        let mut configs =
            vec![named(Bc::default()), named(Bc::default().normalized()), named(Bc::default().endpoints())];
        let few = if backend.is_dealt() { 100 } else { 3000 };
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
fn follows_weights(backend: &Backend) {
    // There a weight vanishes beside the distance; see `config`.
    let positive = |f: &&Fixture| can_weigh(f) && !f.name.starts_with("f64 of all sizes");
    for fixture in backend.fixtures().into_iter().filter(positive) {
        let some = from_sources(backend, fixture);
        by_every_balance(backend, fixture, &some.clone().weighted());
        holds(backend, fixture, &some.weighted());
        if !fixture.is_large() && fixture.graph.vertices() < if backend.is_dealt() { 50 } else { 700 } {
            holds(backend, fixture, &Bc::default().weighted().endpoints());
        }
    }
}

/// A sum of weights that may leave the range of f64 is refused: a vertex behind it would seem unreached.
fn refuses_sums_beyond_the_range(backend: &Backend) {
    let weights = EdgeWeights::F64(vec![1e308, 1e300, 1e308, 2e300]);
    let edges = Edges::new(5, [(0, 1), (0, 2), (1, 3), (2, 4)]).weights(weights);
    for directed in [true, false] {
        let graph = edges.build(directed);
        let loaded = backend.engine().load(&graph, warpgraph::Order::Natural).expect("a small graph");
        let error = loaded.bc(Bc::default().weighted()).run().expect_err("a refusal").to_string();
        assert!(error.contains("sums of weights may be beyond the range of f64"), "{error}");
    }
}

/// Asks from the sources of a fixture.
fn from_sources(backend: &Backend, fixture: &Fixture) -> Bc {
    let ids = fixture.graph.ids();
    backend.sources(fixture).into_iter().fold(Bc::default(), |config, source| config.source(ids.id(source)))
}

/// Returns whether it has weights, all greater than zero.
pub fn can_weigh(fixture: &Fixture) -> bool {
    let weights = &fixture.graph.out().weights;
    !matches!(weights, Weights::None) && weights.range().is_none_or(|(least, _)| least > 0.0)
}

/// A draw is that of its seed and run, scaled by its size, and all vertices drawn are all vertices.
fn draws_sources_from_the_seed(backend: &Backend) {
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
fn counts_more_paths_than_f64_can_hold(backend: &Backend) {
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
    if backend.is_dealt() {
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

/// Sampled or exact, normalised scores are as near to the oracle's as the report proves, on every device that samples.
fn is_within_the_error(backend: &Backend) {
    let config = Bc::default().normalized().max_error(0.03).confidence(0.9999);
    let is_answered =
        Question::rules(&config).check(backend.engine().device(), &Backend::options(Plan::AUTO)).is_ok();
    let few = |f: &&Fixture| f.graph.vertices() * (f.graph.vertices() + f.graph.arcs()) < 30_000_000;
    for fixture in backend.fixtures().into_iter().filter(few).filter(|_| is_answered) {
        let at = place::<Bc>(backend, fixture, Plan::AUTO);
        let answer = answer(backend, fixture, &config, Plan::AUTO);
        let accuracy = answer.run().accuracy.as_ref().unwrap_or_else(|| panic!("{at}: no report"));
        assert!(accuracy.achieved <= 0.03 + 1e-12, "{at}: {accuracy:?}");
        let expected = oracle::bc(&fixture.graph, &Bc::default().normalized(), None);
        for (v, (got, exact)) in answer.scores().iter().zip(&expected).enumerate() {
            let is_near = (got - exact).abs() <= accuracy.achieved + RELATIVE * exact + TINY;
            assert!(is_near, "{at}: vertex number {v} has {got:e}, the oracle says {exact:e}; {accuracy:?}");
        }
    }
}

/// The same by those plans that name a balance.
fn by_every_balance(backend: &Backend, fixture: &Fixture, config: &Bc) {
    let plans = backend.plans::<Bc>(fixture).into_iter().filter(|plan| plan.balance().is_some());
    plans.for_each(|plan| holds_by(backend, fixture, config, plan));
}

/// One answer is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &Backend, fixture: &Fixture, config: &Bc) {
    holds_by(backend, fixture, config, Plan::AUTO);
}

/// [`holds`] by a plan.
fn holds_by(backend: &Backend, fixture: &Fixture, config: &Bc, plan: Plan) {
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

fn holds_by_default(backend: &Backend, fixture: &Fixture) {
    holds(backend, fixture, &from_sources(backend, fixture));
}

fn holds_drawn(backend: &Backend, fixture: &Fixture, draw: &mut Draw) {
    let mut config = Bc { endpoints: draw.flip(), normalized: draw.flip(), ..Bc::default() };
    config.weighted = can_weigh(fixture);
    if draw.flip() {
        config = config.source(draw.vertex(&fixture.graph));
    }
    holds(backend, fixture, &config);
}

fn questions(graph: &Graph) -> Vec<Box<dyn Question>> {
    let few = Bc::default().sources(graph.vertices().min(9) as u64);
    // A weight that vanishes beside the sum of others is refused.
    let can_weigh = graph.weight_range().is_some_and(|(least, most)| least > 0.0 && most / least < 1e9);
    let weighted = (can_weigh && graph.arcs() > 0).then(|| few.clone().weighted());
    std::iter::once(few).chain(weighted).map(|config| Box::new(config) as Box<dyn Question>).collect()
}

/// Every refusal, word for word.
fn refuses_what_makes_no_sense(backend: &Backend) {
    let (plain, weighted) = (Bc::default, || Bc::default().weighted());
    let path = "path, directed";
    refuses(backend, path, &plain().sources(0), "bc: sources must be at least 1, got 0");
    refuses(backend, path, &plain().sources(11), "bc: 11 sources asked for, the graph has 10 vertices");
    refuses(backend, path, &plain().sources(2).source(1), "bc: 2 sources to draw and 1 named ones");
    refuses(backend, path, &plain().source(3).source(4).source(3), "bc: source 3 is named twice");
    refuses(backend, path, &plain().source(10), "vertex 10 is not in the graph (ids 0 to 9)");
    refuses(backend, path, &weighted(), "bc: --weighted needs a weighted graph, and this one has no weights");
    let zero = "bc: weights must be greater than zero, the least is 0";
    refuses(backend, "a cycle of zero weights, directed", &weighted(), zero);
    refuses(backend, "f64 zeros, undirected", &weighted(), zero);
    let negative = "bc: weights must be greater than zero, the least is -3";
    refuses(backend, "negative weights, directed", &weighted(), negative);
    let tiny = "bc: the weight 1e-300 of 3 -> 4 vanishes beside the distance 6.000000000000001e-1";
    refuses(backend, "f64 of all sizes, directed", &weighted().source(0), tiny);
}

/// Wrong answers.
mod wrong {
    use super::*;
    use crate::{
        cases::Wrong,
        wrong::{broken, run},
    };
    use warpgraph::Halted;

    pub(super) const ALL: &[Wrong] = named!(
        Wrong,
        every_damage_is_named,
        ends_and_sources_are_taken_as_asked,
        only_the_only_source_may_be_nan
    );

    const NUMBER: &str = "every score is a number from 0";
    const END: &str = "no path leads through an end";
    const SHARES: &str = "scores are sums of shares of shortest paths";
    const SUM: &str = "scores sum to the inner vertices of all paths";

    /// A ring of 6 with a tail, 5 - 6 - 7.
    fn ring() -> Graph {
        Edges::new(8, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (5, 6), (6, 7)]).build(false)
    }

    /// The verdict on raw sums from all vertices, each path counted both ways.
    fn verdict(config: &Bc, sources: Option<Vec<Vertex>>, sums: Vec<f64>) -> &'static str {
        broken(&BcAnswer::new(&ring(), config, sources, sums.into(), 0, run(Halted::Converged)), &ring())
    }

    fn raw(config: &Bc) -> Vec<f64> {
        crate::oracle::bc(&ring(), config, None).into_iter().map(|score| 2.0 * score).collect()
    }

    fn every_damage_is_named() {
        let config = Bc::default();
        let damaged = |v: usize, sum: f64| {
            let mut sums = raw(&config);
            sums[v] = sum;
            verdict(&config, None, sums)
        };
        let right = raw(&config);
        assert_eq!(verdict(&config, None, right.clone()), "");
        assert_eq!(damaged(3, -1.0), NUMBER);
        assert_eq!(damaged(3, f64::NAN), NUMBER);
        assert_eq!(damaged(3, f64::INFINITY), NUMBER);
        assert_eq!(damaged(7, 1e-3), END, "a leaf");
        assert_eq!(damaged(5, right[5] + 0.5), SHARES, "the highest");
        assert_eq!(damaged(5, right[5] * (1.0 + 1e-7)), SHARES, "by a little");
        assert_eq!(verdict(&config, None, vec![0.0; 8]), SHARES, "nothing done");
        assert_eq!(verdict(&config, None, vec![1.0]), "one value per vertex");
        let wrong = (0..5).map(|v| damaged(v, right[v] + 1e-6)).collect::<Vec<_>>();
        assert!(wrong.contains(&SUM) && wrong.iter().all(|rule| [SUM, SHARES].contains(rule)), "{wrong:?}");
    }

    fn ends_and_sources_are_taken_as_asked() {
        let ends = Bc::default().endpoints();
        assert_eq!(verdict(&ends, None, raw(&ends)), "");
        assert_eq!(verdict(&ends, None, raw(&Bc::default())), SHARES, "ends left out");
        assert_eq!(verdict(&Bc::default(), None, raw(&ends)), END, "ends counted");
        let one = vec![0.0, 1.5, 0.5, 0.0, 0.5, 3.5, 1.0, 0.0];
        assert_eq!(verdict(&Bc::default(), Some(vec![0]), one.clone()), "");
        assert_eq!(verdict(&Bc::default(), Some(vec![1]), one.clone()), SHARES, "another source");
        let mut own = one;
        own[0] = 1.0;
        assert_eq!(verdict(&Bc::default().endpoints(), Some(vec![0]), own), SHARES);
    }

    fn only_the_only_source_may_be_nan() {
        let config = Bc::default().source(0);
        let answer = Backend::cpu(1).ask(&ring(), &config, Plan::AUTO).expect("an answer");
        assert!(answer.scores()[0].is_nan() && broken(&answer, &ring()).is_empty());
        assert!(answer.figures().top.iter().all(|scored| !scored.score.is_nan()));
    }
}
