//! Label propagation: labels equal the oracle's after any number of rounds.

use super::{Case, Draw, Subject, answer, assert_same, has_weights_from_0, named, place, refuses};
use crate::oracle;
use crate::{
    Backend,
    fixtures::{self, Fixture},
};
use std::collections::BTreeMap;
use warpgraph::{
    Answer, Graph, Halted, LabelPropagation, LabelPropagationAnswer, Plan, Question,
    graph::{Vertex, Weights},
};

/// LabelPropagation under test.
pub(super) const SUBJECT: Subject = Subject {
    name: "label_propagation",
    cases: named!(Case, equals_the_oracle, follows_weights, says_what_ended_it, refuses_what_makes_no_sense),
    holds: holds_by_default,
    holds_drawn,
    questions,
    wrong: wrong::ALL,
};

/// On every fixture, for several numbers of rounds, even and odd, by every plan.
fn equals_the_oracle(backend: &Backend) {
    for fixture in backend.fixtures() {
        let rounds = if fixture.is_large() { &[10][..] } else { &[1, 2, 3, 10, 11, 40] };
        for &rounds in rounds {
            let config = LabelPropagation::default().max_iterations(rounds);
            holds(backend, fixture, &config, &backend.plans::<LabelPropagation>(fixture));
        }
    }
}

/// Weighted, where the weights allow it.
fn follows_weights(backend: &Backend) {
    for fixture in backend.fixtures().into_iter().filter(|f| !f.is_large()) {
        let weights = &fixture.graph.out().weights;
        if !matches!(weights, Weights::None) && weights.range().is_none_or(|(least, _)| least >= 0.0) {
            for rounds in [1, 4, 11] {
                let config = LabelPropagation { max_iterations: rounds, weighted: true };
                holds(backend, fixture, &config, &backend.plans::<LabelPropagation>(fixture));
            }
        }
    }
}

/// Settled labels, the limit, and labels that swap for ever without being followed for ever.
fn says_what_ended_it(backend: &Backend) {
    let ask = |name: &str, rounds: u64| {
        let config = LabelPropagation::default().max_iterations(rounds);
        backend.ask(&fixtures::named(name).graph, &config, Plan::AUTO).expect("labels")
    };
    let settled = ask("clique, undirected", 1000);
    assert_eq!(settled.run().halt, Halted::Converged);
    assert!(settled.run().rounds < 10, "{:?}", settled.run());
    let cut = ask("path of 10000, undirected", 3);
    assert_eq!((cut.run().halt, cut.run().rounds), (Halted::MaxIterations, 3));
    // Both ends of an edge take each other's label, round after round.
    for (rounds, labels) in [(u64::MAX, [1, 0]), (u64::MAX - 1, [0, 1])] {
        let swapping = ask("two vertices, undirected", rounds);
        assert_eq!(swapping.run().halt, Halted::Alternates);
        assert!(swapping.run().rounds < 5, "{:?}", swapping.run());
        assert_eq!(swapping.labels(), labels);
    }
}

/// One run is right in all it says, by each of these plans.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &Backend, fixture: &Fixture, config: &LabelPropagation, plans: &[Plan]) {
    let expected = oracle::label_propagation(&fixture.graph, config);
    for &plan in plans {
        let at = format!("{}, {config:?}", place::<LabelPropagation>(backend, fixture, plan));
        let answer = answer(backend, fixture, config, plan);
        assert_same(answer.labels(), &expected, &at);
        check_figures(&answer, &expected, config, &at);
        let ids = fixture.graph.ids();
        if let Some(last) = expected.len().checked_sub(1) {
            let label = answer.label(ids.id(last as Vertex));
            assert_eq!(label, Some(ids.id(expected[last])), "{at}: the last vertex");
        }
    }
}

fn check_figures(answer: &LabelPropagationAnswer, expected: &[Vertex], config: &LabelPropagation, at: &str) {
    let mut sizes = BTreeMap::new();
    for &label in expected {
        *sizes.entry(label).or_insert(0u64) += 1;
    }
    let figures = answer.figures();
    assert_eq!(figures.communities, sizes.len() as u64, "{at}");
    assert_eq!(figures.largest, sizes.values().copied().max().unwrap_or(0), "{at}");
    assert_eq!(figures.iterations, answer.run().rounds, "{at}");
    assert!(figures.iterations <= config.max_iterations, "{at}: {figures:?}");
    assert_eq!(answer.sizes(), sizes.into_iter().collect::<Vec<_>>(), "{at}");
}

fn holds_by_default(backend: &Backend, fixture: &Fixture) {
    holds(backend, fixture, &LabelPropagation::default(), &[Plan::AUTO]);
    if !fixture.is_large() && has_weights_from_0(&fixture.graph) {
        let config = LabelPropagation { weighted: true, ..LabelPropagation::default() };
        holds(backend, fixture, &config, &[Plan::AUTO]);
    }
}

fn holds_drawn(backend: &Backend, fixture: &Fixture, draw: &mut Draw) {
    let weighted = has_weights_from_0(&fixture.graph) && draw.flip();
    let config = LabelPropagation { max_iterations: 1 + draw.below(14), weighted };
    holds(backend, fixture, &config, &[Plan::AUTO]);
}

fn questions(graph: &Graph) -> Vec<Box<dyn Question>> {
    let weighted = has_weights_from_0(graph);
    vec![Box::new(LabelPropagation { weighted, ..LabelPropagation::default() })]
}

/// Every refusal, word for word.
fn refuses_what_makes_no_sense(backend: &Backend) {
    let weighted = LabelPropagation { weighted: true, ..LabelPropagation::default() };
    let none = "label-propagation: --weighted needs a weighted graph, and this one has no weights";
    refuses(backend, "path, undirected", &weighted, none);
    let negative = "label-propagation: weights must not be negative, the least is -3";
    refuses(backend, "negative weights, directed", &weighted, negative);
    let never = "label-propagation: max-iterations must be at least 1, got 0";
    refuses(backend, "path, undirected", &LabelPropagation::default().max_iterations(0), never);
}

/// Wrong answers.
mod wrong {
    use super::*;
    use crate::{
        cases::Wrong,
        fixtures::Edges,
        wrong::{broken, run},
    };
    use warpgraph::graph::{NO_VERTEX, Pages};

    pub(super) const ALL: &[Wrong] = named!(Wrong, every_damage_is_named);

    /// Two triangles, a path of two between them that swaps labels, and 8 alone.
    fn graph() -> Graph {
        Edges::new(9, [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (6, 7)]).build(false)
    }

    fn verdict(labels: &[Vertex], rounds: u64, halt: Halted, limit: u64) -> &'static str {
        let config = LabelPropagation::default().max_iterations(limit);
        let mut run = run(halt);
        run.rounds = rounds;
        let labels = Pages::from(labels.to_vec());
        broken(&LabelPropagationAnswer::new(&graph(), &config, labels, run), &graph())
    }

    fn every_damage_is_named() {
        let vertex = "a label is a vertex that hangs together with those it labels";
        let defined = "the labels are those of the definition";
        let cut = |labels: &[Vertex]| verdict(labels, 1, Halted::MaxIterations, 1);
        assert_eq!(cut(&[1, 0, 0, 4, 3, 3, 7, 6, 8]), "");
        assert_eq!(cut(&[0, 0, 0, 4, 3, 3, 7, 6, 8]), defined, "a round too far");
        assert_eq!(cut(&[0, 1, 2, 3, 4, 5, 6, 7, 8]), defined, "where it started");
        assert_eq!(cut(&[1, 0, 0, 4, 3, 3, 7, 6, 0]), vertex, "8 is alone");
        assert_eq!(cut(&[1, 0, 0, 4, 3, 3, 7, 6, NO_VERTEX]), vertex);
        assert_eq!(cut(&[0]), "one value per vertex");
        let swapped = [0, 0, 0, 3, 3, 3, 6, 7, 8];
        assert_eq!(
            verdict(&swapped, 4, Halted::MaxIterations, 10),
            "",
            "after 4 rounds all but 6 and 7 have settled"
        );
        assert_eq!(verdict(&swapped, 4, Halted::MaxIterations, 11), defined, "an odd number");
        assert_eq!(verdict(&swapped, 1, Halted::MaxIterations, 10), defined, "one round does not tell");
        assert_eq!(verdict(&swapped, 4, Halted::MaxIterations, 3), "no more rounds than allowed");
        assert_eq!(verdict(&swapped, 4, Halted::Converged, 10), "every vertex has the label it would take");
    }
}
