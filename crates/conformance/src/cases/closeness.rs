//! Closeness: eccentricities equal the oracle's, sums are near it.
//!
//! Sums of distances are whole numbers, so closeness differs by the rounding of three operations; a harmonic sum has as many
//! terms as there are distances, 10^4 at most: [`RELATIVE`] leaves room for 10^5.

use super::{answer, place};
use crate::{
    Backend,
    fixtures::{self, Fixture},
};
use warpgraph::{
    Closeness, ClosenessAnswer, Plan,
    closeness::ClosenessSummary,
    graph::Vertex,
    oracle::{self, Nearness},
};

/// The relative error allowed.
pub const RELATIVE: f64 = 1e-11;

/// Can the oracle search from every vertex of it?
pub fn is_small(fixture: &Fixture) -> bool {
    let graph = &fixture.graph;
    graph.vertices() * (graph.vertices() + graph.arcs()) < 30_000_000
}

/// On every fixture that the oracle can search from every vertex of.
pub fn equals_the_oracle(backend: &impl Backend) {
    for fixture in backend.fixtures().into_iter().filter(|f| is_small(f)) {
        holds(backend, fixture, &Closeness::default());
        let plans = backend.plans::<Closeness>(fixture).into_iter().filter(|plan| plan.balance().is_some());
        plans.for_each(|plan| holds_by(backend, fixture, &Closeness::default(), plan));
    }
}

/// Those named or drawn have values, the others none; by one batch, and by several.
pub fn asks_about_some(backend: &impl Backend) {
    for name in ["random 130, directed", "random 130, undirected", "weighted random 2000, directed"] {
        let fixture = fixtures::named(name);
        for count in [1, 63, 64, 65, 130] {
            holds(backend, fixture, &Closeness::default().sources(count));
        }
        let ids = fixture.graph.ids();
        let named =
            backend.sources(fixture).into_iter().fold(Closeness::default(), |c, s| c.source(ids.id(s)));
        holds(backend, fixture, &named);
    }
    holds(backend, fixtures::named("weighted random 2000, undirected"), &Closeness::default().sources(700));
}

/// One answer is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &impl Backend, fixture: &Fixture, config: &Closeness) {
    holds_by(backend, fixture, config, Plan::AUTO);
}

/// [`holds`] by a plan.
fn holds_by(backend: &impl Backend, fixture: &Fixture, config: &Closeness, plan: Plan) {
    let at = format!("{}, {config:?}", place::<Closeness>(backend, fixture, plan));
    let answer = answer(backend, fixture, config, plan);
    let sources = config.resolve(&fixture.graph, 0, 0).expect("vertices of the graph");
    assert_eq!(answer.sources(), sources.as_deref(), "{at}");
    let expected = oracle::closeness(&fixture.graph);
    assert_eq!(answer.closeness().len(), expected.len(), "{at}");
    let mut asked = Vec::new();
    for (v, near) in expected.iter().enumerate() {
        if sources.as_ref().is_none_or(|list| list.contains(&(v as Vertex))) {
            check_vertex(&answer, v, near, &at);
            asked.push(*near);
        } else {
            assert!(
                answer.closeness()[v].is_nan() && answer.harmonic()[v].is_nan(),
                "{at}: vertex number {v}"
            );
            assert_eq!(answer.eccentricity()[v], u32::MAX, "{at}: vertex number {v}");
        }
    }
    check_figures(&answer, &asked, &at);
}

fn check_vertex(answer: &ClosenessAnswer, v: usize, expected: &Nearness, at: &str) {
    let (closeness, harmonic) = (answer.closeness()[v], answer.harmonic()[v]);
    let is_near = |got: f64, exact: f64| (got - exact).abs() <= RELATIVE * exact;
    let is_right = is_near(closeness, expected.closeness)
        && is_near(harmonic, expected.harmonic)
        && answer.eccentricity()[v] == expected.eccentricity;
    assert!(is_right, "{at}: vertex number {v} has {closeness} {harmonic}, the oracle says {expected:?}");
}

fn check_figures(answer: &ClosenessAnswer, asked: &[Nearness], at: &str) {
    let ClosenessSummary { sources, diameter, radius, top } = answer.figures();
    let far = || asked.iter().map(|near| near.eccentricity);
    assert_eq!(sources, asked.len() as u64, "{at}");
    assert_eq!(diameter, far().max().unwrap_or(0), "{at}");
    assert_eq!(radius, far().filter(|&e| e > 0).min().unwrap_or(0), "{at}");
    let mut order: Vec<f64> = answer.closeness().iter().copied().filter(|c| !c.is_nan()).collect();
    order.sort_by(|a, b| b.total_cmp(a));
    order.truncate(10);
    assert_eq!(top.iter().map(|near| near.closeness).collect::<Vec<_>>(), order, "{at}: top");
}
