//! Programs: those of the library equal the oracle, and the user's own their serial form, by push, pull and auto.

mod library;
mod own;
mod refusals;

pub use library::*;
pub use own::*;
pub use refusals::*;

use super::check_run;
use crate::{Backend, PLANS, fixtures::Fixture};
use std::time::Duration;
use warpgraph::{
    Answer, Control, Options, Plan, ProgramAnswer, Result, Rules, VertexProgram,
    graph::{Graph, Vertex},
};

/// The plans a program may be run with.
fn plans<P: VertexProgram>(backend: &impl Backend, fixture: &Fixture) -> Vec<Plan> {
    let device = backend.engine().device();
    let allowed = PLANS.iter().copied().filter(|&plan| {
        Rules::of_program::<P>().check(device, &Options { plan, ..Options::default() }).is_ok()
    });
    backend.dealt(P::NAME, fixture, allowed.collect())
}

fn ask<P: VertexProgram>(
    backend: &impl Backend,
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
    backend: &impl Backend,
    fixture: &Fixture,
    program: &P,
    judge: impl Fn(&ProgramAnswer<P::Value>, &str),
) {
    for plan in plans::<P>(backend, fixture) {
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
