//! Plans: each pair of algorithm and plan runs or gives its exact refusal.

use crate::{Backend, PLANS, fixtures};
use warpgraph::{
    Adsorption, Answer, Bc, Bfs, Closeness, Dispatch, Kcore, LabelPropagation, Mst, Options, Order, PageRank,
    Plan, Scc, Sssp, Triangles, Wcc,
};

/// The whole product of algorithms and plans. The words of refusals are tested where they are written; here it is seen that engines
/// run everything else to an answer that its verifier passes, and that nothing refused is run.
pub fn each_pair_runs_or_gives_its_exact_refusal(backend: &impl Backend) {
    expect(backend, &Bfs::from(0));
    expect(backend, &Sssp::from(0));
    expect(backend, &PageRank::default());
    expect(backend, &Wcc {});
    expect(backend, &Triangles::default());
    expect(backend, &Kcore {});
    expect(backend, &Scc {});
    expect(backend, &Mst {});
    expect(backend, &LabelPropagation::default());
    expect(backend, &Adsorption::default());
    expect(backend, &Bc::default().source(0));
    expect(backend, &Closeness::default());
}

fn expect<A: Dispatch>(backend: &impl Backend, config: &A) {
    let graph = &fixtures::named("grid, undirected").graph;
    let device = backend.engine().device();
    for &plan in PLANS.iter() {
        let words = |result: warpgraph::Result<()>| result.map_or_else(|e| e.to_string(), |()| String::new());
        let expected = words(A::RULES.check(device, &Options { plan, ..Options::default() }));
        let answer = backend.ask(graph, config, plan);
        if let Ok(answer) = &answer {
            answer.verify(graph).unwrap_or_else(|error| panic!("{} by {plan}: {error}", A::NAME));
        }
        assert_eq!(words(answer.map(drop)), expected, "{} by {plan}", A::NAME);
    }
}

/// A trace, where one is asked for, tells of every round in order.
pub fn a_trace_has_one_step_a_round(backend: &impl Backend) {
    traced(backend, &Bfs::from(0));
    traced(backend, &Sssp::from(0));
    traced(backend, &PageRank::default());
    traced(backend, &Wcc {});
    traced(backend, &Triangles::local());
    traced(backend, &Kcore {});
    traced(backend, &Scc {});
    traced(backend, &Mst {});
    traced(backend, &LabelPropagation::default());
    traced(backend, &Adsorption::default());
    traced(backend, &Bc::default().sources(5));
    traced(backend, &Closeness::default());
}

fn traced<A: Dispatch>(backend: &impl Backend, config: &A) {
    if !backend.has::<A>() {
        return;
    }
    let graph = &fixtures::named("weighted grid, undirected").graph;
    let loaded = backend.engine().load(graph, Order::Natural).expect("a small graph");
    let answer = loaded.job(config.clone()).plan(Plan::AUTO).trace(true).run().expect("an answer");
    let rounds: Vec<u64> = answer.run().trace.iter().map(|step| step.round).collect();
    assert_eq!(rounds, (0..answer.run().rounds).collect::<Vec<_>>(), "{}", A::NAME);
    assert!(answer.run().trace.iter().all(|step| step.seconds >= 0.0), "{}", A::NAME);
}
