//! Label propagation: labels equal the oracle's after any number of rounds.

use super::{answer, assert_same, place};
use crate::{
    Backend,
    fixtures::{self, Fixture},
};
use std::collections::BTreeMap;
use warpgraph::{
    Answer, Halted, LabelPropagation, LabelPropagationAnswer, Plan,
    graph::{Vertex, Weights},
    oracle,
};

/// On every fixture, for several numbers of rounds, even and odd, by every plan.
pub fn equals_the_oracle(backend: &impl Backend) {
    for fixture in backend.fixtures() {
        let rounds = if fixture.is_large() { &[10][..] } else { &[1, 2, 3, 10, 11, 40] };
        for &rounds in rounds {
            let config = LabelPropagation::default().max_iterations(rounds);
            holds(backend, fixture, &config, &backend.plans::<LabelPropagation>(fixture));
        }
    }
}

/// Weighted, where the weights allow it.
pub fn follows_weights(backend: &impl Backend) {
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
pub fn says_what_ended_it(backend: &impl Backend) {
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
        assert_eq!(swapping.run().halt, Halted::MaxIterations);
        assert!(swapping.run().rounds < 5, "{:?}", swapping.run());
        assert_eq!(swapping.labels(), labels);
    }
}

/// One run is right in all it says, by each of these plans.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &impl Backend, fixture: &Fixture, config: &LabelPropagation, plans: &[Plan]) {
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
