//! Cores: numbers equal the oracle's.

use super::{answer, assert_same, place};
use crate::{
    Backend,
    fixtures::{self, Fixture},
};
use warpgraph::{Kcore, Plan, graph::Vertex, kcore::KcoreSummary, oracle};

/// On every fixture, by every plan.
pub fn equals_the_oracle(backend: &impl Backend) {
    for fixture in backend.fixtures() {
        holds(backend, fixture, &backend.plans::<Kcore>(fixture));
    }
}

/// One run by each plan is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &impl Backend, fixture: &Fixture, plans: &[Plan]) {
    let expected = oracle::kcore(&fixture.graph);
    let degeneracy = expected.iter().copied().max().unwrap_or(0);
    let innermost = expected.iter().filter(|&&core| core == degeneracy).count() as u64;
    for &plan in plans {
        let at = place::<Kcore>(backend, fixture, plan);
        let answer = answer(backend, fixture, &Kcore {}, plan);
        assert_same(answer.cores(), &expected, &at);
        assert_eq!(answer.figures(), KcoreSummary { degeneracy, innermost }, "{at}");
        if let Some(last) = expected.len().checked_sub(1) {
            let core = answer.core(fixture.graph.ids().id(last as Vertex));
            assert_eq!(core, Some(expected[last]), "{at}: the last vertex");
        }
    }
}
