//! Strong components: names equal the oracle's.

use super::{Case, Draw, Subject, answer, assert_same, named, place};
use crate::oracle;
use crate::{Backend, fixtures::Fixture};
use std::collections::BTreeMap;
use warpgraph::{Graph, Plan, Question, Scc, SccAnswer, graph::Vertex, scc::SccSummary};

/// Scc under test.
pub(super) const SUBJECT: Subject = Subject {
    name: "scc",
    cases: named!(Case, equals_the_oracle),
    holds: holds_by_default,
    holds_drawn,
    questions,
    wrong: wrong::ALL,
};

/// On every fixture, by every plan.
fn equals_the_oracle(backend: &Backend) {
    for fixture in backend.fixtures() {
        for plan in backend.plans::<Scc>(fixture) {
            holds(backend, fixture, plan);
        }
    }
}

/// One run is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &Backend, fixture: &Fixture, plan: Plan) {
    let at = place::<Scc>(backend, fixture, plan);
    let answer = answer(backend, fixture, &Scc {}, plan);
    let expected = oracle::scc(&fixture.graph);
    assert_same(answer.components(), &expected, &at);
    check_figures(&answer, &expected, &at);
    let ids = fixture.graph.ids();
    if let Some(last) = expected.len().checked_sub(1) {
        let component = answer.component(ids.id(last as Vertex));
        assert_eq!(component, Some(ids.id(expected[last])), "{at}: the last vertex");
    }
}

fn check_figures(answer: &SccAnswer, expected: &[Vertex], at: &str) {
    let mut sizes = BTreeMap::new();
    for &name in expected {
        *sizes.entry(name).or_insert(0u64) += 1;
    }
    let largest = sizes.values().copied().max().unwrap_or(0);
    assert_eq!(answer.figures(), SccSummary { components: sizes.len() as u64, largest }, "{at}");
    assert_eq!(answer.sizes(), sizes.into_iter().collect::<Vec<_>>(), "{at}");
}

fn holds_by_default(backend: &Backend, fixture: &Fixture) {
    holds(backend, fixture, Plan::AUTO);
}

fn holds_drawn(backend: &Backend, fixture: &Fixture, _: &mut Draw) {
    backend.plans::<Scc>(fixture).into_iter().for_each(|plan| holds(backend, fixture, plan));
}

fn questions(_: &Graph) -> Vec<Box<dyn Question>> {
    vec![Box::new(Scc {})]
}

/// Wrong answers.
mod wrong {
    use super::*;
    use crate::{
        cases::Wrong,
        fixtures::Edges,
        wrong::{broken, run},
    };
    use warpgraph::{
        Halted,
        graph::{NO_VERTEX, Pages},
    };

    pub(super) const ALL: &[Wrong] = named!(Wrong, every_damage_is_named);

    /// 0 <-> 1 -> 2 -> 3 -> 4 -> 2, and 5 alone.
    fn graph() -> Graph {
        Edges::new(6, [(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2)]).build(true)
    }

    fn every_damage_is_named() {
        let verdict = |names: &[Vertex]| {
            let names = Pages::from(names.to_vec());
            broken(&SccAnswer::new(&graph(), names, run(Halted::Converged)), &graph())
        };
        let named = "a component is named by its smallest vertex";
        let reached = "its name reaches all of a component inside it";
        let reaching = "all of a component reach its name inside it";
        let cycle = "no cycle joins two components";
        assert_eq!(verdict(&[0, 0, 2, 2, 2, 5]), "");
        assert_eq!(verdict(&[0, 0, 0, 0, 0, 5]), reaching, "one way only");
        assert_eq!(verdict(&[0, 0, 2, 2, 2, 2]), reached, "5 is alone");
        assert_eq!(verdict(&[0, 1, 2, 2, 2, 5]), cycle, "0 and 1 taken apart");
        assert_eq!(verdict(&[0, 0, 2, 3, 4, 5]), cycle, "a ring taken apart");
        assert_eq!(verdict(&[0, 0, 2, 3, 2, 5]), reached, "4 without the way to it");
        assert_eq!(verdict(&[0, 0, 3, 3, 3, 5]), named);
        assert_eq!(verdict(&[0, 0, 2, 2, 2, NO_VERTEX]), named);
        assert_eq!(verdict(&[0]), "one value per vertex");
    }
}
