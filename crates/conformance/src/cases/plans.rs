//! Plans: each pair of algorithm and plan runs or gives its exact refusal.

use crate::{Backend, PLANS, fixtures};
use warpgraph::{
    Adsorption, Answer, Bc, Bfs, Closeness, Dispatch, Kcore, LabelPropagation, Mst, Order, PageRank, Plan,
    Scc, Sssp, Triangles, Wcc,
};

/// The whole product of algorithms and plans.
pub fn each_pair_runs_or_gives_its_exact_refusal(backend: &impl Backend) {
    let push_only = "delta-stepping relaxes outgoing arcs";
    let pull_only = "ranks are summed over incoming arcs without atomics";
    let neither = "it hooks trees along arcs of either direction";
    expect(backend, &Bfs::from(0), ["", "", "", ""], "");
    expect(backend, &Sssp::from(0), ["", "", "", "pull"], push_only);
    expect(backend, &PageRank::default(), ["", "", "push", ""], pull_only);
    expect(backend, &Wcc {}, ["", "", "push", "pull"], neither);
    let lists = "it intersects lists of neighbours";
    expect(backend, &Triangles::default(), ["", "", "push", "pull"], lists);
    expect(backend, &Kcore {}, ["", "", "push", "pull"], "it peels vertices by degree");
    let both = "it searches along arcs of both directions";
    expect(backend, &Scc {}, ["", "", "push", "pull"], both);
    let lightest = "it hooks trees along the lightest arc of each";
    expect(backend, &Mst {}, ["", "", "push", "pull"], lightest);
    let at_once = "a vertex needs the labels of all its neighbours at once";
    expect(backend, &LabelPropagation::default(), ["", "", "push", ""], at_once);
    let summed = "values are summed over incoming arcs without atomics";
    expect(backend, &Adsorption::default(), ["", "", "push", ""], summed);
    let both = "it goes forward and back, each way in its own direction";
    expect(backend, &Bc::default().source(0), ["", "", "push", "pull"], both);
    let by_level = "a batch of searches chooses its direction by the level";
    expect(backend, &Closeness::default(), ["", "", "push", "pull"], by_level);
}

/// `refused` names the direction that each of [`PLANS`] is refused for, or is empty.
fn expect<A: Dispatch>(backend: &impl Backend, config: &A, refused: [&str; 4], why: &str) {
    let graph = &fixtures::named("grid, undirected").graph;
    for (plan, direction) in PLANS.into_iter().zip(refused) {
        let got = backend.ask(graph, config, plan).map_or_else(|e| e.to_string(), |_| String::new());
        let device = backend.engine().device();
        let expected = match direction {
            "" => String::new(),
            _ => format!("{} on {device} cannot run with `{direction}`: {why}", A::NAME),
        };
        assert_eq!(got, expected, "{} by {plan}", A::NAME);
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
    traced(backend, &Bc::default());
    traced(backend, &Closeness::default());
}

fn traced<A: Dispatch>(backend: &impl Backend, config: &A) {
    let graph = &fixtures::named("weighted grid, undirected").graph;
    let loaded = backend.engine().load(graph, Order::Natural).expect("a small graph");
    let answer = loaded.job(config.clone()).plan(Plan::Auto).trace(true).run().expect("an answer");
    let rounds: Vec<u64> = answer.run().trace.iter().map(|step| step.round).collect();
    assert_eq!(rounds, (0..answer.run().rounds).collect::<Vec<_>>(), "{}", A::NAME);
    assert!(answer.run().trace.iter().all(|step| step.seconds >= 0.0), "{}", A::NAME);
}
