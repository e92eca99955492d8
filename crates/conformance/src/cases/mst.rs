//! Minimum spanning forest: the same edges as the oracle's.

use super::{answer, assert_same, place};
use crate::{
    Backend,
    fixtures::{self, Fixture},
};
use serde_json::Value;
use warpgraph::{
    Answer, Mst, MstAnswer, Plan,
    graph::{Vertex, Weights},
    oracle,
};

/// On every fixture, by every plan.
pub fn equals_the_oracle(backend: &impl Backend) {
    for fixture in backend.fixtures() {
        for plan in backend.plans::<Mst>(fixture) {
            holds(backend, fixture, plan);
        }
    }
}

/// One run is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &impl Backend, fixture: &Fixture, plan: Plan) {
    let at = place::<Mst>(backend, fixture, plan);
    let answer = answer(backend, fixture, &Mst {}, plan);
    let expected = oracle::mst(&fixture.graph);
    assert_eq!(answer.len(), expected.len(), "{at}: edges");
    assert_same(&answer.edges().collect::<Vec<_>>(), &expected, &at);
    check_figures(&answer, fixture, &expected, &at);
    let ids = fixture.graph.ids();
    let first = expected.first().map(|&(u, v, weight)| (ids.id(u), ids.id(v), weight));
    assert_eq!(answer.edge_ids().next(), first, "{at}: the first edge");
    assert_eq!(answer.table().rows(), expected.len(), "{at}: one row an edge");
}

fn check_figures(answer: &MstAnswer, fixture: &Fixture, expected: &[(Vertex, Vertex, f64)], at: &str) {
    let figures = answer.figures();
    assert_eq!(figures.edges, expected.len() as u64, "{at}");
    assert_eq!(figures.trees, (fixture.graph.vertices() - expected.len()) as u64, "{at}");
    let weights = expected.iter().map(|e| e.2);
    let sum: Value = match &fixture.graph.out().weights {
        Weights::None => expected.len().into(),
        Weights::U32(_) => weights.map(|w| w as u64).sum::<u64>().into(),
        Weights::I32(_) => weights.map(|w| w as i64).sum::<i64>().into(),
        Weights::F32(_) | Weights::F64(_) => weights.sum::<f64>().into(),
    };
    assert_eq!(figures.weight, sum, "{at}");
}
