//! Cores: numbers equal the oracle's.

use super::{Case, Subject, answer, assert_same, named, place};
use crate::oracle;
use crate::{Backend, fixtures::Fixture};
use warpgraph::{Kcore, Plan, graph::Vertex, kcore::KcoreSummary};

/// Kcore under test.
pub(super) const SUBJECT: Subject = Subject {
    name: "kcore",
    cases: named!(Case, equals_the_oracle),
    holds: |backend, fixture| holds(backend, fixture, &[Plan::AUTO]),
    holds_drawn: |backend, fixture, _| holds(backend, fixture, &backend.plans::<Kcore>(fixture)),
    questions: |_| vec![Box::new(Kcore {})],
    wrong: wrong::ALL,
};

/// On every fixture, by every plan.
fn equals_the_oracle(backend: &Backend) {
    for fixture in backend.fixtures() {
        holds(backend, fixture, &backend.plans::<Kcore>(fixture));
    }
}

/// One run by each plan is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &Backend, fixture: &Fixture, plans: &[Plan]) {
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

/// Wrong answers.
mod wrong {
    use super::*;
    use crate::{
        cases::Wrong,
        fixtures::Edges,
        wrong::{broken, run},
    };
    use warpgraph::{Halted, KcoreAnswer};

    pub(super) const ALL: &[Wrong] = named!(Wrong, every_damage_is_named);

    fn every_damage_is_named() {
        // A triangle 0 1 2 with a tail 2 - 3 - 4, a loop at the end of it, and 5 alone.
        let graph = Edges::new(6, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 4)]).build(false);
        let verdict = |cores: &[u32]| {
            broken(&KcoreAnswer::new(&graph, cores.to_vec().into(), run(Halted::Converged)), &graph)
        };
        let (lower, higher) =
            ("as many arcs into its core as its number", "no vertex belongs to a higher core");
        assert_eq!(verdict(&[2, 2, 2, 1, 1, 0]), "");
        assert_eq!(verdict(&[2, 2, 2, 2, 1, 0]), lower);
        assert_eq!(verdict(&[2, 2, 2, 1, 1, 1]), lower, "5 has no arc");
        assert_eq!(verdict(&[2, 2, 2, 1, 2, 0]), lower, "a loop is no arc to another");
        assert_eq!(verdict(&[1, 1, 1, 1, 1, 0]), higher, "a triangle is a core of 2");
        assert_eq!(verdict(&[2, 2, 2, 0, 0, 0]), higher, "3 and 4 hold each other");
        assert_eq!(verdict(&[2, 2, 1, 1, 1, 0]), lower);
        assert_eq!(verdict(&[0; 6]), higher);
        assert_eq!(verdict(&[u32::MAX; 6]), lower);
        assert_eq!(verdict(&[2]), "one value per vertex");
    }
}
