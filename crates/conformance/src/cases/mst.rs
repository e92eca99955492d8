//! Minimum spanning forest: the same edges as the oracle's.

use super::{Case, Subject, answer, assert_same, by_every_plan, named, on_every_fixture, place};
use crate::oracle;
use crate::{Backend, fixtures::Fixture};
use serde_json::Value;
use warpgraph::{
    Answer, Graph, Mst, MstAnswer, Plan,
    graph::{Vertex, Weights},
};

/// Mst under test.
pub(super) const SUBJECT: Subject = Subject {
    name: "mst",
    cases: named!(Case, equals_the_oracle),
    holds: |backend, fixture| holds(backend, fixture, Plan::AUTO),
    holds_drawn: |backend, fixture, _| by_every_plan::<Mst>(backend, fixture, holds),
    questions: |_| vec![Box::new(Mst::default())],
    wrong: wrong::ALL,
};

/// On every fixture, by every plan.
fn equals_the_oracle(backend: &Backend) {
    on_every_fixture::<Mst>(backend, holds);
}

/// One run is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &Backend, fixture: &Fixture, plan: Plan) {
    let at = place::<Mst>(backend, fixture, plan);
    let answer = answer(backend, fixture, &Mst::default(), plan);
    let expected = oracle::mst(&fixture.graph);
    assert_eq!(answer.len(), expected.len(), "{at}: edges");
    assert_same(&answer.edges().collect::<Vec<_>>(), &expected, &at);
    check_figures(&answer, fixture, &expected, &at);
    let ids = fixture.graph.ids();
    let first = expected.first().map(|&(u, v, weight)| (ids.id(u), ids.id(v), weight));
    assert_eq!(answer.edge_ids().next(), first, "{at}: the first edge");
    assert_eq!(answer.table().rows(), expected.len(), "{at}: one row per edge");
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

/// Wrong answers.
mod wrong {
    use super::*;
    use crate::{
        cases::Wrong,
        fixtures::Edges,
        wrong::{broken, run},
    };
    use warpgraph::{Halted, graph::Pages};

    pub(super) const ALL: &[Wrong] = named!(Wrong, every_damage_is_named);

    use warpgraph::graph::Weights;

    /// A square with a diagonal, and an edge apart; ties between the sides of weight 2.
    fn graph(directed: bool) -> Graph {
        Edges::new(7, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (4, 5)])
            .weigh(|i| [1, 2, 2, 3, 2, 9][i])
            .build(directed)
    }

    fn verdict(edges: &[(Vertex, Vertex, u32)]) -> &'static str {
        let ends = |end: fn(&(Vertex, Vertex, u32)) -> Vertex| {
            Pages::from(edges.iter().map(end).collect::<Vec<_>>())
        };
        let weights = Weights::U32(edges.iter().map(|e| e.2).collect::<Vec<_>>().into());
        let verdicts = [false, true].map(|directed| {
            let graph = graph(directed);
            let (sources, targets) = (ends(|e| e.0), ends(|e| e.1));
            broken(&MstAnswer::new(&graph, sources, targets, weights.clone(), run(Halted::Converged)), &graph)
        });
        assert_eq!(verdicts[0], verdicts[1], "directions are ignored");
        verdicts[0]
    }

    fn every_damage_is_named() {
        let ordered = "edges come in order, the smaller end first";
        let real = "every edge is in the graph";
        let forest = "no edge closes a cycle";
        let spans = "both ends of an edge of the graph are in one tree";
        let least = "no edge of the graph is less than the greatest on the way between its ends";
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (2, 3, 2), (4, 5, 9)]), "");
        assert_eq!(
            verdict(&[(0, 1, 1), (1, 2, 2), (2, 3, 2), (4, 5, 9)]),
            least,
            "as light, but not the first"
        );
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (0, 3, 3), (4, 5, 9)]), least, "too heavy");
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (2, 3, 2)]), spans, "4 and 5 are apart");
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (4, 5, 9)]), spans, "3 is left out");
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (1, 2, 2), (4, 5, 9)]), forest);
        assert_eq!(verdict(&[(0, 1, 1), (0, 1, 1), (0, 2, 2), (2, 3, 2), (4, 5, 9)]), forest, "twice");
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 1), (2, 3, 2), (4, 5, 9)]), real, "a lighter weight");
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (2, 3, 2), (4, 6, 9)]), real, "invented");
        assert_eq!(verdict(&[(0, 1, 1), (2, 0, 2), (2, 3, 2), (4, 5, 9)]), ordered, "turned round");
        assert_eq!(verdict(&[(0, 2, 2), (0, 1, 1), (2, 3, 2), (4, 5, 9)]), ordered);
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (2, 3, 2), (4, 100, 9)]), ordered, "not a vertex");
    }
}
