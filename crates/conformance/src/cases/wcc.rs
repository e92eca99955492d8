//! Components: names equal the oracle's.

use super::{Case, Subject, answer, assert_same, by_every_plan, class_sizes, named, on_every_fixture, place};
use crate::oracle;
use crate::{Backend, fixtures::Fixture};
use warpgraph::{Plan, Wcc, WccAnswer, graph::Vertex, wcc::WccSummary};

/// Wcc under test.
pub(super) const SUBJECT: Subject = Subject {
    name: "wcc",
    cases: named!(Case, equals_the_oracle),
    holds: |backend, fixture| holds(backend, fixture, Plan::AUTO),
    holds_drawn: |backend, fixture, _| by_every_plan::<Wcc>(backend, fixture, holds),
    questions: |_| vec![Box::new(Wcc {})],
    wrong: wrong::ALL,
};

/// On every fixture, by every plan.
fn equals_the_oracle(backend: &Backend) {
    on_every_fixture::<Wcc>(backend, holds);
}

/// One run is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &Backend, fixture: &Fixture, plan: Plan) {
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
    let (components, largest, sizes) = class_sizes(expected);
    assert_eq!(answer.figures(), WccSummary { components, largest }, "{at}");
    assert_eq!(answer.sizes(), sizes, "{at}");
}

/// Wrong answers.
mod wrong {
    use super::*;
    use crate::{
        cases::Wrong,
        wrong::{broken, graph, run},
    };
    use warpgraph::{
        Halted,
        graph::{NO_VERTEX, Pages},
    };

    pub(super) const ALL: &[Wrong] = named!(Wrong, every_damage_is_named);

    fn every_damage_is_named() {
        let verdict = |names: &[Vertex]| {
            let names = Pages::from(names.to_vec());
            broken(&WccAnswer::new(&graph(), names, run(Halted::Converged)), &graph())
        };
        let smallest = "a component is named by its smallest vertex";
        assert_eq!(verdict(&[0, 0, 0, 0, 0, 0, 6]), "");
        assert_eq!(verdict(&[0, 0, 0, 0, 0, 0, 0]), "a component hangs together", "6 is alone");
        assert_eq!(verdict(&[0, 0, 2, 2, 0, 0, 6]), "both ends of an arc are in one component");
        assert_eq!(verdict(&[0, 0, 0, 0, 0, 5, 6]), "both ends of an arc are in one component");
        assert_eq!(verdict(&[1, 1, 1, 1, 1, 1, 6]), smallest);
        assert_eq!(verdict(&[0, 0, 0, 0, 0, 0, 5]), smallest, "a name that is not its own");
        assert_eq!(verdict(&[0, 0, 0, 0, 0, 0, NO_VERTEX]), smallest);
        assert_eq!(verdict(&[0]), "one value per vertex");
    }
}
