//! Adsorption: values near the oracle's.
//!
//! The bound: two vectors come closer by the factor p, `p_continue`, in their largest difference in every sweep. Values that a sweep
//! changes by r in all, and so by r at most at any vertex, are at most r / (1 - p) from the fixed point at any vertex.
//! `ROUNDING` is added for sums of f64, relative to the greatest label.

use super::{answer, place};
use crate::{
    Backend,
    fixtures::{self, Fixture},
};
use warpgraph::{
    Adsorption, Answer, Halted, Plan,
    graph::{Vertex, Weights},
    oracle,
};

/// What rounding may add to the distance from the oracle, per unit of label.
const ROUNDING: f64 = 1e-12;

/// On every fixture, for several probabilities and labels, by every plan, weighted where the weights allow it.
pub fn is_near_the_oracle(backend: &impl Backend) {
    let fine = Adsorption { max_iterations: 2000, ..Adsorption::default().tolerance(1e-10) };
    for fixture in backend.fixtures() {
        holds(backend, fixture, &Adsorption::default());
        let Some(last) = fixture.graph.vertices().checked_sub(1).map(|v| fixture.graph.ids().id(v as Vertex))
        else {
            continue;
        };
        let first = fixture.graph.ids().id(0);
        let two = fine.clone().inject(first, 3.0).inject(last.clone(), -1.5).inject(last, 0.25);
        holds(backend, fixture, &two);
        holds(backend, fixture, &Adsorption { p_continue: 0.0, p_inject: 1.0, ..two.clone() });
        holds(backend, fixture, &Adsorption { p_continue: 0.95, p_inject: 0.02, ..two.clone() });
        let weights = &fixture.graph.out().weights;
        if !matches!(weights, Weights::None) && weights.range().is_none_or(|(least, _)| least >= 0.0) {
            holds(backend, fixture, &Adsorption { weighted: true, ..two });
        }
    }
}

/// The tolerance when it was met, the limit when that came first.
pub fn says_what_ended_it(backend: &impl Backend) {
    let fixture = fixtures::named("random 4097, directed");
    let ask = |config: Adsorption| answer(backend, fixture, &config, Plan::AUTO);
    let met = ask(Adsorption::default().tolerance(1e-4));
    assert_eq!(met.run().halt, Halted::Tolerance);
    assert!(met.figures().residual < 1e-4, "{:?}", met.figures());
    let cut = ask(Adsorption { max_iterations: 3, ..Adsorption::default().tolerance(1e-12) });
    assert_eq!((cut.run().halt, cut.run().rounds), (Halted::MaxIterations, 3));
    assert!(cut.figures().residual > 1e-12, "{:?}", cut.figures());
}

/// One answer is right in all it says, by every plan.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &impl Backend, fixture: &Fixture, config: &Adsorption) {
    let expected = oracle::adsorption(&fixture.graph, config).expect("vertices of the graph");
    let labels = config.inject.iter().map(|label| label.value.abs()).sum::<f64>().max(1.0);
    for plan in backend.plans::<Adsorption>(fixture) {
        let at = format!("{}, {config:?}", place::<Adsorption>(backend, fixture, plan));
        let answer = answer(backend, fixture, config, plan);
        let residual = answer.figures().residual.max(config.tolerance);
        let bound = residual / (1.0 - config.p_continue) + ROUNDING * labels;
        for (v, (got, exact)) in answer.values().iter().zip(&expected).enumerate() {
            let off = (got - exact).abs();
            assert!(
                off <= bound,
                "{at}: vertex number {v} has {got}, the oracle says {exact}, allowed are {bound:e}"
            );
        }
        assert_eq!(answer.figures().iterations, answer.run().rounds, "{at}");
        let best = answer.values().iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(answer.figures().top.first().map_or(f64::NEG_INFINITY, |top| top.value), best, "{at}");
    }
}
