//! Programs: those of the library equal the oracle, and the user's own their serial form, by push, pull and auto.

mod library;
mod own;
mod refusals;

mod wrong;

pub use library::hops;
pub use own::Walks;
pub(crate) use wrong::WRONG;

use super::{Case, check_run, named};
use library::*;
use own::*;
use refusals::*;

pub(super) const CASES: &[Case] = named!(
    Case,
    hops_equal_the_oracle,
    hops_do_not_depend_on_the_order,
    shortest_paths_equal_the_oracle,
    widest_paths_equal_a_serial_loop,
    components_equal_the_oracle,
    ranks_are_near_the_oracle,
    own_apply_and_active_are_followed,
    supersteps_of_a_sum_are_counted,
    whole_sums_are_exact,
    deterministic_sums_give_the_same_bits,
    impossible_programs_get_their_exact_answer,
    weights_are_read_as_wanted,
    a_cancelled_program_is_interrupted,
);

use crate::{Backend, fixtures::Fixture};
use std::time::Duration;
use warpgraph::{
    Answer, Control, Plan, ProgramAnswer, Result, Rules, VertexProgram,
    graph::{Graph, Vertex},
};

/// The plans a program is run with on a graph.
fn plans<P: VertexProgram>(backend: &Backend, fixture: &Fixture, program: &P) -> Vec<Plan> {
    backend.plans_by(&Rules::of_program(program), fixture)
}

fn ask<P: VertexProgram>(
    backend: &Backend,
    graph: &Graph,
    program: P,
    plan: Plan,
) -> Result<ProgramAnswer<P::Value>> {
    let loaded = backend.engine().load(graph, backend.order())?;
    let control = Control::new().with_time_limit(Duration::from_secs(60));
    loaded.program(program).plan(plan).control(&control).run()
}

/// Runs by every plan; each answer passes its own verifier, reports its run truly, and is then judged.
fn each_plan<P: VertexProgram + Clone>(
    backend: &Backend,
    fixture: &Fixture,
    program: &P,
    judge: impl Fn(&ProgramAnswer<P::Value>, &str),
) {
    for plan in plans(backend, fixture, program) {
        let at = format!("{}, {}, {} by {plan}", backend.name(), fixture.name, P::NAME);
        let answer =
            ask(backend, &fixture.graph, program.clone(), plan).unwrap_or_else(|e| panic!("{at}: {e}"));
        check_run(backend, answer.run(), plan, &at);
        judge(&answer, &at);
        answer.verify(&fixture.graph).unwrap_or_else(|violation| panic!("{at}: {violation}"));
    }
}

/// Every arc as (source, target, weight).
fn arcs(graph: &Graph) -> Vec<(Vertex, Vertex, f64)> {
    let out = graph.out();
    let of = |u: Vertex| out.csr.arcs_of(u).map(move |i| (u, out.csr.targets()[i], out.weights.get(i)));
    (0..graph.vertices() as Vertex).flat_map(of).collect()
}
