//! Orders: however the engine numbers the vertices, the answer is the oracle's, in original ids.
//!
//! Every algorithm under every order and on every fixture, by the engine's own plan. Fixtures take turns with the orders.

use super::{Case, SUBJECTS, Subject, bytes_of, named, sssp};
use crate::{Backend, covering, fixtures};
use warpgraph::{
    Options, Order, Plan,
    graph::Control,
    transform::{self, Means},
};

pub(super) const CASES: &[Case] =
    named!(Case, a_negative_cycle_is_named_in_original_ids, a_stored_graph_answers_like_the_original,);

/// An algorithm on every fixture under some orders, without the natural one, which the other cases have.
pub(super) fn equals_the_oracle(backend: &Backend, subject: &Subject) {
    let count = if backend.is_dealt() { 1 } else { 2 };
    for fixture in backend.fixtures() {
        for order in covering::orders(subject.name, fixture, count) {
            (subject.holds)(&backend.in_order(order), fixture);
        }
    }
}

/// The vertices of a cycle are those of the file, not the engine's.
fn a_negative_cycle_is_named_in_original_ids(backend: &Backend) {
    Order::ALL
        .into_iter()
        .for_each(|order| sssp::names_a_negative_cycle_within_reach(&backend.in_order(order)));
}

/// A graph that is stored in an order is the original graph, and its answers are those of the original.
fn a_stored_graph_answers_like_the_original(backend: &Backend) {
    for name in ["random 4097, directed", "weighted random 2000, undirected", "names, directed"] {
        Order::ALL.into_iter().for_each(|order| a_stored_one_answers_alike(backend, name, order));
    }
}

fn a_stored_one_answers_alike(backend: &Backend, name: &str, order: Order) {
    let graph = &fixtures::named(name).graph;
    let stored = transform::store(graph, order, &Means::on_cpu(3, &Control::new())).expect("a small graph");
    let loaded = backend.engine().load_as_stored(&stored).expect("a small graph");
    assert_eq!((stored.hash(), loaded.order()), (graph.hash(), order), "{name}");
    assert_eq!(loaded.reorder_seconds(), None, "{name}: it is in its order already");
    let natural = backend.engine().load(graph, Order::Natural).expect("a small graph");
    let options = Options { deterministic: true, ..Backend::options(Plan::AUTO) };
    let exact = SUBJECTS.iter().filter(|subject| ["bfs", "sssp", "wcc"].contains(&subject.name));
    for question in exact.flat_map(|subject| (subject.questions)(graph)) {
        let [a, b] = [&loaded, &natural].map(|loaded| {
            let (answer, _) = loaded.ask(&*question, &options).expect("an answer");
            answer.verify(graph).unwrap_or_else(|violation| panic!("{name} by {order}: {violation}"));
            bytes_of(&*answer)
        });
        assert!(a == b, "{name} by {order}: {}", question.entry().name);
    }
}
