//! Strong components: names equal the oracle's.

use super::{Case, Subject, answer, assert_same, by_every_plan, class_sizes, named, on_every_fixture, place};
use crate::oracle;
use crate::{Backend, fixtures::Fixture};
use warpgraph::{Graph, Plan, Scc, SccAnswer, graph::Vertex, scc::SccSummary};

/// Scc under test.
pub(super) const SUBJECT: Subject = Subject {
    name: "scc",
    cases: named!(Case, equals_the_oracle),
    holds: |backend, fixture| holds(backend, fixture, Plan::AUTO),
    holds_drawn: |backend, fixture, _| by_every_plan::<Scc>(backend, fixture, holds),
    questions: |_| vec![Box::new(Scc::default())],
    wrong: wrong::ALL,
};

/// On every fixture, by every plan.
fn equals_the_oracle(backend: &Backend) {
    on_every_fixture::<Scc>(backend, holds);
}

/// One run is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &Backend, fixture: &Fixture, plan: Plan) {
    let at = place::<Scc>(backend, fixture, plan);
    let answer = answer(backend, fixture, &Scc::default(), plan);
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
    let (components, largest, sizes) = class_sizes(expected);
    assert_eq!(answer.figures(), SccSummary { components, largest }, "{at}");
    assert_eq!(answer.sizes(), sizes, "{at}");
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
