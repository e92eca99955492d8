//! Orders: whatever the engine calls the vertices, the answer is the oracle's, in original ids.
//!
//! Every algorithm under every order and on every fixture, by the engine's own plan: one line an algorithm. Fixtures take turns with the
//! orders, some for each.

use super::{
    adsorption, bc, bfs, closeness, kcore, label_propagation, mst, pagerank, scc, sssp, triangles, wcc,
};
use crate::{
    Backend, Ordered,
    fixtures::{self, Fixture},
};
use warpgraph::{
    Adsorption, Answer, Bc, Bfs, Closeness, LabelPropagation, Order, PageRank, Plan, Sssp, Wcc,
    graph::Control,
    transform::{self, Means},
};

/// Asks `check` on every fixture under some orders, but not the natural one, which the other cases have; every order has its turn.
fn each<B: Backend>(backend: &B, check: impl Fn(&Ordered<'_, B>, &Fixture)) {
    let fixtures = backend.fixtures();
    assert!(fixtures.len() * backend.orders(0).len() >= Order::ALL.len(), "an order without a fixture");
    for (turn, fixture) in fixtures.into_iter().enumerate() {
        backend.orders(turn).into_iter().for_each(|order| check(&Ordered::new(backend, order), fixture));
    }
}

/// Distances, figures and paths.
pub fn bfs_equals_the_oracle(backend: &impl Backend) {
    each(backend, |b, f| b.sources(f).into_iter().for_each(|s| bfs::holds(b, f, s, None, Plan::AUTO)));
}

/// Distances, figures, paths and negative cycles.
pub fn sssp_equals_the_oracle(backend: &impl Backend) {
    each(backend, |b, f| b.sources(f).into_iter().for_each(|s| sssp::holds(b, f, s, None, Plan::AUTO)));
}

/// Ranks within the bound, and the top of them.
pub fn pagerank_is_near_the_oracle(backend: &impl Backend) {
    each(backend, |b, f| pagerank::holds(b, f, &PageRank::default(), &[Plan::AUTO]));
    let personal = |f: &Fixture| PageRank::default().personalize(f.graph.ids().id(0), 1.0);
    each(backend, |b, f| {
        if f.graph.vertices() > 0 {
            pagerank::holds(b, f, &personal(f), &[Plan::AUTO]);
        }
    });
}

/// Labels are injected at original vertices, and values come back to them.
pub fn adsorption_is_near_the_oracle(backend: &impl Backend) {
    each(backend, |b, f| adsorption::holds(b, f, &Adsorption::default()));
    each(backend, |b, f| {
        if f.graph.vertices() > 0 {
            adsorption::holds(b, f, &Adsorption::default().inject(f.graph.ids().id(0), 2.0));
        }
    });
}

/// Components, named by their smallest original vertex.
pub fn wcc_equals_the_oracle(backend: &impl Backend) {
    each(backend, |b, f| wcc::holds(b, f, Plan::AUTO));
}

/// Strong components, named by their smallest original vertex.
pub fn scc_equals_the_oracle(backend: &impl Backend) {
    each(backend, |b, f| scc::holds(b, f, Plan::AUTO));
}

/// The same forest: ties are broken by original vertices.
pub fn mst_equals_the_oracle(backend: &impl Backend) {
    each(backend, |b, f| mst::holds(b, f, Plan::AUTO));
}

/// The same labels, which are original vertices, also where weights are added up.
pub fn labels_equal_the_oracle(backend: &impl Backend) {
    each(backend, |b, f| label_propagation::holds(b, f, &LabelPropagation::default(), &[Plan::AUTO]));
    each(backend, |b, f| {
        if !f.is_large() && f.graph.weight_range().is_some_and(|(least, _)| least >= 0.0) {
            let config = LabelPropagation { weighted: true, ..LabelPropagation::default() };
            label_propagation::holds(b, f, &config, &[Plan::AUTO]);
        }
    });
}

/// Counts at every vertex.
pub fn triangles_equal_the_oracle(backend: &impl Backend) {
    each(backend, |b, f| triangles::holds(b, f, &[Plan::AUTO]));
}

/// Core numbers.
pub fn cores_equal_the_oracle(backend: &impl Backend) {
    each(backend, |b, f| kcore::holds(b, f, &[Plan::AUTO]));
}

/// Scores from sources that are original vertices.
pub fn bc_is_near_the_oracle(backend: &impl Backend) {
    let some = |f: &Fixture| {
        backend.sources(f).into_iter().fold(Bc::default(), |config, s| config.source(f.graph.ids().id(s)))
    };
    each(backend, |b, f| bc::holds(b, f, &some(f)));
}

/// Distances towards original vertices.
pub fn closeness_equals_the_oracle(backend: &impl Backend) {
    let some = |f: &Fixture| {
        backend
            .sources(f)
            .into_iter()
            .fold(Closeness::default(), |config, s| config.source(f.graph.ids().id(s)))
    };
    each(backend, |b, f| {
        if closeness::is_small(f) {
            closeness::holds(b, f, &some(f));
        }
    });
}

/// The vertices of a cycle are those of the file, not the engine's.
pub fn a_negative_cycle_is_named_in_original_ids(backend: &impl Backend) {
    for order in Order::ALL {
        sssp::names_a_negative_cycle_within_reach(&Ordered::new(backend, order));
    }
}

/// A graph that is stored in an order is the original graph, and its answers are those of the original.
pub fn a_stored_graph_answers_like_the_original(backend: &impl Backend) {
    for name in ["random 4097, directed", "weighted random 2000, undirected", "names, directed"] {
        let graph = &fixtures::named(name).graph;
        for order in Order::ALL {
            let stored =
                transform::store(graph, order, &Means::on_cpu(3, &Control::new())).expect("a small graph");
            let loaded = backend.engine().load_as_stored(&stored).expect("a small graph");
            assert_eq!((stored.hash(), loaded.order()), (graph.hash(), order), "{name}");
            assert_eq!(loaded.reorder_seconds(), None, "{name}: it is in its order already");
            let natural = backend.engine().load(graph, Order::Natural).expect("a small graph");
            let [a, b] = [&loaded, &natural].map(|g| g.bfs(Bfs::default()).run().expect("an answer"));
            assert_eq!((a.distances(), a.summary()), (b.distances(), b.summary()), "{name} by {order}");
            a.verify(graph).unwrap_or_else(|violation| panic!("{name} by {order}: {violation}"));
            let [a, b] = [&loaded, &natural].map(|g| g.sssp(Sssp::default()).run().expect("an answer"));
            assert_eq!((a.parents(), a.summary()), (b.parents(), b.summary()), "{name} by {order}");
            let [a, b] = [&loaded, &natural].map(|g| g.wcc(Wcc {}).run().expect("an answer"));
            assert_eq!((a.components(), a.summary()), (b.components(), b.summary()), "{name} by {order}");
        }
    }
}
