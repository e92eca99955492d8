//! Adsorption: values near the oracle's.
//!
//! The bound: two vectors come closer by the factor p, `p_continue`, in their largest difference in every sweep. Values that a sweep
//! changes by r in all, and so by r at most at any vertex, are at most r / (1 - p) from the fixed point at any vertex.
//! `ROUNDING` is added for sums of f64, relative to the greatest label.

use super::{Case, Draw, Subject, answer, has_weights_from_0, named, place};
use crate::oracle;
use crate::{
    Backend,
    fixtures::{self, Fixture},
};
use warpgraph::{
    Adsorption, Answer, Graph, Halted, Plan, Question,
    graph::{Vertex, Weights},
};

/// What rounding may add to the distance from the oracle, per unit of label.
const ROUNDING: f64 = 1e-12;

/// Adsorption under test.
pub(super) const SUBJECT: Subject = Subject {
    name: "adsorption",
    cases: named!(Case, is_near_the_oracle, says_what_ended_it),
    holds: holds_by_default,
    holds_drawn,
    questions,
    wrong: wrong::ALL,
};

/// On every fixture, for several probabilities and labels, by every plan, weighted where the weights allow it.
fn is_near_the_oracle(backend: &Backend) {
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
fn says_what_ended_it(backend: &Backend) {
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
pub fn holds(backend: &Backend, fixture: &Fixture, config: &Adsorption) {
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

fn holds_by_default(backend: &Backend, fixture: &Fixture) {
    holds(backend, fixture, &Adsorption::default());
    if fixture.graph.vertices() > 0 {
        holds(backend, fixture, &Adsorption::default().inject(fixture.graph.ids().id(0), 2.0));
    }
}

fn holds_drawn(backend: &Backend, fixture: &Fixture, draw: &mut Draw) {
    let weighted = has_weights_from_0(&fixture.graph);
    let p_continue = draw.between(0.0, 0.9);
    let config = Adsorption { p_continue, p_inject: 0.1, weighted, ..Adsorption::default().tolerance(1e-9) };
    let (vertex, label) = (draw.vertex(&fixture.graph), draw.between(-5.0, 5.0));
    holds(backend, fixture, &config.inject(vertex, label).inject(0, 1.0));
}

fn questions(graph: &Graph) -> Vec<Box<dyn Question>> {
    let weighted = has_weights_from_0(graph);
    vec![Box::new(Adsorption { weighted, ..Adsorption::default() })]
}

/// Wrong answers.
mod wrong {
    use super::*;
    use crate::{
        cases::Wrong,
        wrong::{broken, graph, run},
    };
    use warpgraph::{AdsorptionAnswer, graph::Pages};

    pub(super) const ALL: &[Wrong] = named!(
        Wrong,
        every_damage_is_named,
        a_run_that_used_its_sweeps_up_is_held_to_the_residual_it_reported
    );

    fn verdict(values: Vec<f64>, residual: f64, halt: Halted) -> &'static str {
        let answer = AdsorptionAnswer::new(&graph(), &config(), Pages::from(values), residual, run(halt));
        broken(&answer, &graph())
    }

    fn config() -> Adsorption {
        Adsorption::default().inject(0, 1.0)
    }

    fn right() -> Vec<f64> {
        crate::oracle::adsorption(&graph(), &config()).expect("values")
    }

    /// The right values with `amount` more at vertex `at`.
    fn with(amount: f64, at: usize) -> Vec<f64> {
        let mut values = right();
        values[at] += amount;
        values
    }

    fn every_damage_is_named() {
        let still = "a sweep does not change the values";
        let verdict = |values| verdict(values, 1e-7, Halted::Tolerance);
        assert_eq!(verdict(right()), "");
        assert_eq!(verdict(with(1e-8, 3)), "", "within the tolerance");
        assert_eq!(verdict(with(1e-3, 3)), still);
        assert_eq!(verdict(with(1e-3, 6)), still, "a vertex nothing arrives at");
        assert_eq!(verdict(vec![0.0; 7]), still, "where it started");
        assert_eq!(verdict(with(2.0, 3)), "no value is beyond what is injected");
        assert_eq!(verdict(with(f64::NAN, 3)), "every value is a number");
        assert_eq!(verdict(vec![0.0]), "one value per vertex");
    }

    fn a_run_that_used_its_sweeps_up_is_held_to_the_residual_it_reported() {
        assert_eq!(verdict(with(1e-3, 3), 1e-2, Halted::MaxIterations), "");
        let still = "a sweep does not change the values";
        assert_eq!(verdict(with(1e-3, 3), 1e-5, Halted::MaxIterations), still);
        assert_eq!(verdict(with(1e-3, 3), f64::NAN, Halted::MaxIterations), still);
    }
}
