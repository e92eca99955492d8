//! Damaged answers of programs.

use crate::{
    Backend,
    cases::{Wrong, named},
    fixtures::Edges,
    wrong::{broken, graph, run},
};
use std::sync::Arc;
use warpgraph::{
    Graph, Halt, Halted, Order, ProgramAnswer, VertexProgram,
    graph::Pages,
    program::{
        Combine, Dialect, Edge, Scalar, Vertex as Seen,
        library::{Hops, Ranks, Reach, ShortestPaths, WidestPaths},
    },
};

pub(crate) const WRONG: &[Wrong] = named!(
    Wrong,
    every_damage_of_a_minimum_is_named,
    a_ring_does_not_hold_itself_up,
    a_sum_must_be_still,
    a_false_declaration_is_found_on_the_graph_at_hand
);

const FAR: u32 = u32::MAX;
const BETTER: &str = "no message improves a value";
const ATTAINED: &str = "every value is attained";
const GROUND: &str = "a value does not hold itself up";

fn verdict<P: VertexProgram>(graph: &Graph, program: P, values: &[P::Value], halt: Halted) -> &'static str {
    let values = Pages::from(values.to_vec());
    let residual = (P::COMBINE == Combine::Sum).then_some(1e-7);
    broken(&ProgramAnswer::new(graph, Arc::new(program), values, residual, run(halt)), graph)
}

fn every_damage_of_a_minimum_is_named() {
    let verdict = |values: [u32; 7]| verdict(&graph(), Hops::from(0), &values, Halted::Converged);
    assert_eq!(verdict([0, 1, 2, 2, 1, FAR, FAR]), "");
    assert_eq!(verdict([0, 1, 2, 3, 1, FAR, FAR]), BETTER, "a longer way");
    assert_eq!(verdict([0, 1, 2, FAR, 1, FAR, FAR]), BETTER, "left out");
    assert_eq!(verdict([0, 1, 2, 1, 1, FAR, FAR]), ATTAINED, "too near");
    assert_eq!(verdict([0, 1, 2, 2, 1, FAR, 4]), ATTAINED, "invented");
    assert_eq!(verdict([FAR, 1, 2, 2, 1, FAR, FAR]), BETTER, "the source");
}

fn a_ring_does_not_hold_itself_up() {
    let ring = Edges::new(4, [(0, 1), (2, 3), (3, 2)]).weigh(|_| 0).build(true);
    let shortest =
        |values: &[u32; 4]| verdict(&ring, ShortestPaths::<u32>::from(0), values, Halted::Converged);
    assert_eq!(shortest(&[0, 0, FAR, FAR]), "");
    assert_eq!(shortest(&[0, 0, 5, 5]), GROUND);
    let bits = "every bit follows, and no other";
    let reach = |values: &[u32; 4]| verdict(&ring, Reach::from([0], 4), values, Halted::Converged);
    assert_eq!(reach(&[1, 1, 0, 0]), "");
    assert_eq!(reach(&[1, 1, 1, 1]), bits);
    assert_eq!(reach(&[1, 0, 0, 0]), bits);
    let low = f64::NEG_INFINITY;
    let widest = |values: &[f64; 4]| verdict(&ring, WidestPaths::<f64>::from(0), values, Halted::Converged);
    assert_eq!(widest(&[f64::INFINITY, 0.0, low, low]), "");
    assert_eq!(widest(&[f64::INFINITY, 0.0, -3.0, -3.0]), GROUND);
    assert_eq!(widest(&[f64::INFINITY, f64::NAN, low, low]), "every value is a number");
}

fn a_sum_must_be_still() {
    let graph = graph();
    let program = || Ranks::<f64>::of(&graph, 0.85, Halt::l1(1e-6).or(Halt::rounds(100)));
    let loaded = Backend::cpu(1).engine().load(&graph, Order::Natural).expect("a small graph");
    let right = loaded.program(program()).run().expect("a small graph");
    let values = right.values().to_vec();
    assert_eq!(verdict(&graph, program(), &values, Halted::Tolerance), "");
    let still = "a superstep does not change the values";
    let mut wrong = values.clone();
    wrong[3] += 1e-4;
    assert_eq!(verdict(&graph, program(), &wrong, Halted::Tolerance), still);
    assert_eq!(verdict(&graph, program(), &wrong, Halted::MaxIterations), still, "more than it reported");
    let halved: Vec<f64> = values.iter().map(|x| x / 2.0).collect();
    assert_eq!(verdict(&graph, program(), &halved, Halted::Tolerance), still);
    assert_eq!(verdict(&graph, program(), &values[1..], Halted::Tolerance), "one value per vertex");
}

/// Says that a vertex changes once, and is wrong.
#[derive(Clone)]
struct Hasty;

impl VertexProgram for Hasty {
    type Value = u32;
    type Weight = u32;
    type Column = ();
    const NAME: &'static str = "hasty";
    const COMBINE: Combine = Combine::Min;
    const ONCE: bool = true;
    fn init<D: Dialect>(&self, d: &D, v: Seen<D, ()>) -> D::Val<u32> {
        d.select(d.eq(v.id, d.lit(0)), d.lit(0), d.lit(u32::GREATEST))
    }
    fn seeds(&self) -> warpgraph::program::Seeds {
        warpgraph::program::Seeds::one(0)
    }
    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<u32> {
        e.value + e.weight
    }
}

fn a_false_declaration_is_found_on_the_graph_at_hand() {
    let graph = Edges::new(3, [(0, 1), (0, 2), (2, 1)]).weigh(|i| [10, 1, 2][i]).build(true);
    let loaded = Backend::cpu(2).engine().load(&graph, Order::Natural).expect("a small graph");
    let answer = loaded.program(Hasty).run().expect("a small graph");
    assert_eq!(broken(&answer, &graph), BETTER);
}
