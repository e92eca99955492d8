//! Components: names equal the oracle's.

use super::{answer, assert_same, place};
use crate::{
    Backend,
    fixtures::{self, Fixture},
};
use std::collections::BTreeMap;
use warpgraph::{Plan, Wcc, WccAnswer, graph::Vertex, oracle, wcc::WccSummary};

/// On every fixture, by every plan.
pub fn equals_the_oracle(backend: &impl Backend) {
    for fixture in backend.fixtures() {
        for plan in backend.plans::<Wcc>(fixture) {
            holds(backend, fixture, plan);
        }
    }
}

/// One run is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &impl Backend, fixture: &Fixture, plan: Plan) {
    let at = place::<Wcc>(backend, fixture, plan);
    let answer = answer(backend, fixture, &Wcc {}, plan);
    let expected = oracle::wcc(&fixture.graph);
    assert_same(answer.components(), &expected, &at);
    check_figures(&answer, &expected, &at);
    let ids = fixture.graph.ids();
    if let Some(last) = expected.len().checked_sub(1) {
        let component = answer.component(ids.id(last as Vertex));
        assert_eq!(component, Some(ids.id(expected[last])), "{at}: the last vertex");
    }
}

fn check_figures(answer: &WccAnswer, expected: &[Vertex], at: &str) {
    let mut sizes = BTreeMap::new();
    for &name in expected {
        *sizes.entry(name).or_insert(0u64) += 1;
    }
    let largest = sizes.values().copied().max().unwrap_or(0);
    assert_eq!(answer.figures(), WccSummary { components: sizes.len() as u64, largest }, "{at}");
    assert_eq!(answer.sizes(), sizes.into_iter().collect::<Vec<_>>(), "{at}");
}
