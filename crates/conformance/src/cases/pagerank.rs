//! PageRank: ranks near the oracle's.
//!
//! The bound: a sweep brings any two vectors of sum 1 closer by the factor d, the damping. Ranks x that a sweep changes
//! by r in all are therefore at most r / (1 - d) from the fixed point, in all. A run that stopped by its tolerance t has
//! r < t (Jacobi: r <= d t), one that used its sweeps up has at most the change it reported. [`ROUNDING`] is added for
//! the sums of f64: n = 10^5 terms of total 1 are off by less than n * 2^-53 = 1.2e-11 a sweep.

use super::{Case, Draw, Subject, answer, has_weights_from_0, named, place, refuses};
use crate::oracle;
use crate::{
    Backend,
    fixtures::{self, Edges, Fixture},
};
use warpgraph::{
    Answer, Graph, Halted, PageRank, PageRankAnswer, Plan, Question,
    graph::{Vertex, Weights},
};

/// What rounding may add to the distance from the oracle.
pub const ROUNDING: f64 = 1e-9;

/// PageRank under test.
pub(super) const SUBJECT: Subject = Subject {
    name: "pagerank",
    cases: named!(
        Case,
        is_near_the_oracle,
        meets_any_tolerance_in_time,
        follows_weights_and_personalisation,
        says_what_ended_it,
        is_within_the_error,
        refuses_what_makes_no_sense
    ),
    holds: holds_by_default,
    holds_drawn,
    questions,
    wrong: wrong::ALL,
};

/// On every fixture, for several dampings and tolerances, by every plan.
fn is_near_the_oracle(backend: &Backend) {
    let fine = PageRank { max_iterations: 1000, ..PageRank::default().tolerance(1e-11) };
    let configs = [
        PageRank::default(),
        PageRank { damping: 0.0, ..fine.clone() },
        PageRank { damping: 0.5, ..fine.clone() },
        PageRank { damping: 0.97, ..fine.clone() },
        fine,
    ];
    for fixture in backend.fixtures() {
        let asked = if fixture.is_large() { 1 } else { configs.len() };
        for config in &configs[..asked] {
            holds(backend, fixture, config, &backend.plans::<PageRank>(fixture));
        }
    }
}

/// Plain sweeps leave `d` times the change at most in the long run, and whatever an engine does to be faster must not be
/// slower than that: `d^k < t` for k of some 170. Also where the error sits in a corner, a loop beside a path.
fn meets_any_tolerance_in_time(backend: &Backend) {
    let config = PageRank { max_iterations: 250, ..PageRank::default().tolerance(1e-12) };
    let loop_beside_a_path = Fixture {
        name: "a loop beside a path".to_owned(),
        graph: Edges::new(5, [(0, 1), (1, 3), (3, 2), (0, 2), (4, 4)]).build(true),
    };
    for fixture in backend.fixtures().into_iter().filter(|f| !f.is_large()).chain([&loop_beside_a_path]) {
        let answer = answer(backend, fixture, &config, Plan::AUTO);
        let at = place::<PageRank>(backend, fixture, Plan::AUTO);
        assert_ne!(answer.run().halt, Halted::MaxIterations, "{at}: {:?}", answer.figures());
    }
}

/// Weighted where the weights allow it, personalised to the ends, and both.
fn follows_weights_and_personalisation(backend: &Backend) {
    for fixture in backend.fixtures().into_iter().filter(|f| f.graph.vertices() > 0 && !f.is_large()) {
        let ids = fixture.graph.ids();
        let last = ids.id(fixture.graph.vertices() as Vertex - 1);
        let fine = PageRank { max_iterations: 1000, ..PageRank::default().tolerance(1e-10) };
        let personal =
            fine.clone().personalize(ids.id(0), 1.0).personalize(last, 2.5).personalize(ids.id(0), 0.5);
        holds(backend, fixture, &personal, &[Plan::AUTO]);
        let weights = &fixture.graph.out().weights;
        if !matches!(weights, Weights::None) && weights.range().is_none_or(|(least, _)| least >= 0.0) {
            holds(backend, fixture, &PageRank { weighted: true, ..fine }, &[Plan::AUTO]);
            holds(backend, fixture, &PageRank { weighted: true, ..personal }, &[Plan::AUTO]);
        }
    }
}

/// The tolerance when it was met, the limit when that came first; with as many sweeps as are reported.
fn says_what_ended_it(backend: &Backend) {
    let graph = &fixtures::named("random 4097, directed").graph;
    let ask = |config: PageRank| backend.ask(graph, &config, Plan::AUTO).expect("ranks");
    let met = ask(PageRank::default().tolerance(1e-4));
    assert_eq!(met.run().halt, Halted::Tolerance);
    assert!(met.figures().residual < 1e-4, "{:?}", met.figures());
    assert!((2..100).contains(&met.run().rounds), "{:?}", met.run());
    let cut = ask(PageRank { max_iterations: 3, ..PageRank::default().tolerance(1e-12) });
    assert_eq!((cut.run().halt, cut.run().rounds), (Halted::MaxIterations, 3));
    assert_eq!(cut.figures().iterations, 3);
    assert!(cut.figures().residual > 1e-12, "{:?}", cut.figures());
    let endless = ask(PageRank { max_iterations: 7, ..PageRank::default().tolerance(0.0) });
    assert_eq!((endless.run().halt, endless.run().rounds), (Halted::MaxIterations, 7));
}

/// By every plan, weighted and personalised too: the ranks are as near to the oracle's as the report proves.
fn is_within_the_error(backend: &Backend) {
    for fixture in backend.fixtures().into_iter().filter(|f| f.graph.vertices() > 0 && !f.is_large()) {
        let first = fixture.graph.ids().id(0);
        let weighted = super::has_weights_from_0(&fixture.graph);
        for error in [0.3, 1e-3, 1e-8] {
            let plain = PageRank { max_iterations: 1000, ..PageRank::default().max_error(error) };
            let personal = PageRank { weighted, ..plain.clone().personalize(first.clone(), 1.0) };
            for config in [plain, personal] {
                let exact = PageRank { max_error: None, ..config.clone().tolerance(1e-13) };
                let expected = oracle::pagerank(&fixture.graph, &exact).expect("vertices of the graph");
                for plan in backend.plans::<PageRank>(fixture) {
                    let at = format!("{}, {config:?}", place::<PageRank>(backend, fixture, plan));
                    let answer = answer(backend, fixture, &config, plan);
                    let off: f64 = answer.ranks().iter().zip(&expected).map(|(a, b)| (a - b).abs()).sum();
                    let accuracy =
                        answer.run().accuracy.as_ref().unwrap_or_else(|| panic!("{at}: no report"));
                    assert!(off <= accuracy.achieved + ROUNDING, "{at}: {off:e} off, {accuracy:?}");
                    assert!(accuracy.achieved <= error, "{at}: {accuracy:?}");
                }
            }
        }
    }
}

/// One ranking is right in all it says, by each of these plans.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &Backend, fixture: &Fixture, config: &PageRank, plans: &[Plan]) {
    let expected = oracle::pagerank(&fixture.graph, config).expect("vertices of the graph");
    for &plan in plans {
        let at = format!("{}, {config:?}", place::<PageRank>(backend, fixture, plan));
        let answer = answer(backend, fixture, config, plan);
        check_ranks(&answer, &expected, config, &at);
        check_figures(&answer, fixture, config, &at);
    }
}

fn check_ranks(answer: &PageRankAnswer, expected: &[f64], config: &PageRank, at: &str) {
    assert_eq!(answer.ranks().len(), expected.len(), "{at}");
    let off: f64 = answer.ranks().iter().zip(expected).map(|(got, exact)| (got - exact).abs()).sum();
    let change = match answer.run().halt {
        Halted::MaxIterations => answer.figures().residual.max(config.tolerance),
        Halted::Tolerance | Halted::Converged => config.tolerance,
        Halted::Alternates => panic!("{at}: only labels alternate"),
    };
    let bound = change / (1.0 - config.damping) + ROUNDING;
    assert!(off <= bound, "{at}: {off:e} from the oracle in all, allowed are {bound:e}");
}

fn check_figures(answer: &PageRankAnswer, fixture: &Fixture, config: &PageRank, at: &str) {
    let figures = answer.figures();
    assert_eq!(figures.iterations, answer.run().rounds, "{at}");
    // Along paths, rounds may be short, and the limit is one of messages.
    let is_limited = answer.run().paths.is_none();
    assert!(!is_limited || figures.iterations <= config.max_iterations, "{at}: {figures:?}");
    let ids = fixture.graph.ids();
    let mut order: Vec<Vertex> = (0..fixture.graph.vertices() as Vertex).collect();
    let rank = |v: Vertex| answer.ranks()[v as usize];
    order.sort_by(|&a, &b| rank(b).total_cmp(&rank(a)).then(a.cmp(&b)));
    order.truncate(10);
    let top: Vec<_> = order.iter().map(|&v| (ids.id(v), rank(v))).collect();
    assert_eq!(figures.top.into_iter().map(|r| (r.vertex, r.rank)).collect::<Vec<_>>(), top, "{at}: top");
}

fn holds_by_default(backend: &Backend, fixture: &Fixture) {
    holds(backend, fixture, &PageRank::default(), &[Plan::AUTO]);
    if fixture.graph.vertices() > 0 {
        let personal = PageRank::default().personalize(fixture.graph.ids().id(0), 1.0);
        holds(backend, fixture, &personal, &[Plan::AUTO]);
    }
}

fn holds_drawn(backend: &Backend, fixture: &Fixture, draw: &mut Draw) {
    let weighted = has_weights_from_0(&fixture.graph);
    let damping = draw.between(0.0, 0.95);
    let mut config = PageRank { damping, weighted, ..PageRank::default().tolerance(1e-9) };
    if draw.flip() {
        config = config.personalize(draw.vertex(&fixture.graph), 2.0).personalize(0, 1.0);
    }
    holds(backend, fixture, &config, &backend.plans::<PageRank>(fixture));
}

fn questions(graph: &Graph) -> Vec<Box<dyn Question>> {
    let weighted = has_weights_from_0(graph);
    let plain = PageRank::default().tolerance(1e-9);
    let by_weight = weighted.then(|| Box::new(PageRank { weighted, ..plain.clone() }) as Box<dyn Question>);
    std::iter::once(Box::new(plain) as Box<dyn Question>).chain(by_weight).collect()
}

/// Every refusal, word for word.
fn refuses_what_makes_no_sense(backend: &Backend) {
    for (damping, said) in [(1.0, "1"), (1.5, "1.5"), (-0.1, "-0.1"), (f64::NAN, "NaN")] {
        let expected = format!("pagerank: damping must be in [0, 1), got {said}");
        refuses(backend, "path, directed", &PageRank { damping, ..PageRank::default() }, &expected);
    }
    for (tolerance, said) in [(f64::NAN, "NaN"), (-1e-6, "-0.000001"), (f64::INFINITY, "inf")] {
        let expected = format!("pagerank: tolerance must be a number from 0, got {said}");
        refuses(backend, "path, directed", &PageRank::default().tolerance(tolerance), &expected);
    }
    refuses_shares(backend);
    let weighted = PageRank { weighted: true, ..PageRank::default() };
    let none = "pagerank: --weighted needs a weighted graph, and this one has no weights";
    refuses(backend, "path, undirected", &weighted, none);
    let negative = "pagerank: weights must not be negative, the least is -3";
    refuses(backend, "negative weights, directed", &weighted, negative);
}

fn refuses_shares(backend: &Backend) {
    let to = |vertex: u32, share: f64| PageRank::default().personalize(vertex, share);
    let path = "path, directed";
    refuses(backend, path, &to(10, 1.0), "vertex 10 is not in the graph (ids 0 to 9)");
    for (share, said) in [(-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
        let expected = format!("pagerank: the share of vertex 3 must be a number from 0, got {said}");
        refuses(backend, path, &to(3, share), &expected);
    }
    refuses(backend, path, &to(3, 0.0), "pagerank: the shares of --personalize sum to 0");
    let huge = to(3, f64::MAX).personalize(4, f64::MAX);
    refuses(backend, path, &huge, "pagerank: the shares of --personalize sum to inf");
}

/// Wrong answers.
mod wrong {
    use super::*;
    use crate::{
        cases::Wrong,
        wrong::{broken, graph, run},
    };
    use warpgraph::graph::Pages;

    pub(super) const ALL: &[Wrong] =
        named!(Wrong, every_damage_is_named, a_run_that_used_its_sweeps_up_is_held_to_the_change_it_reported);

    fn verdict(ranks: Vec<f64>, residual: f64, halt: Halted) -> &'static str {
        let config = PageRank::default();
        let answer = PageRankAnswer::new(&graph(), &config, Pages::from(ranks), residual, run(halt));
        broken(&answer, &graph())
    }

    fn right() -> Vec<f64> {
        crate::oracle::pagerank(&graph(), &PageRank::default()).expect("ranks")
    }

    /// The right ranks with `amount` moved from vertex 3 to vertex `to`.
    fn moved(amount: f64, to: usize) -> Vec<f64> {
        let mut ranks = right();
        ranks[3] -= amount;
        ranks[to] += amount;
        ranks
    }

    fn every_damage_is_named() {
        let fixed = "a sweep does not change the ranks";
        let verdict = |ranks| verdict(ranks, 1e-7, Halted::Tolerance);
        assert_eq!(verdict(right()), "");
        assert_eq!(verdict(moved(1e-8, 6)), "", "within the tolerance");
        assert_eq!(verdict(moved(1e-5, 6)), fixed);
        assert_eq!(verdict(vec![1.0 / 7.0; 7]), fixed, "where it started");
        assert_eq!(verdict(moved(1.0, 0)), "every rank is a number from 0");
        assert_eq!(verdict(moved(f64::NAN, 0)), "every rank is a number from 0");
        assert_eq!(verdict(right().iter().map(|x| x * 7.0).collect()), "ranks sum to 1", "a sum of n");
        assert_eq!(verdict(vec![1.0]), "one value per vertex");
    }

    fn a_run_that_used_its_sweeps_up_is_held_to_the_change_it_reported() {
        assert_eq!(verdict(moved(1e-3, 6), 1e-2, Halted::MaxIterations), "");
        let fixed = "a sweep does not change the ranks";
        assert_eq!(verdict(moved(1e-3, 6), 1e-5, Halted::MaxIterations), fixed);
        assert_eq!(verdict(moved(1e-3, 6), f64::NAN, Halted::MaxIterations), fixed);
    }
}
