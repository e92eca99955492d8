use super::*;
use crate::order::testing::{graph, wide};
use proptest::{collection::vec, prelude::*};
use std::collections::BTreeSet;
use warpgraph_graph::generate::Spec;

/// The default window.
const WINDOW: u32 = 5;

fn graphs() -> impl Strategy<Value = Graph> {
    let edges = |n: Vertex| vec([0..n, 0..n], 0..(4 * n as usize));
    let parts = (1..60u32).prop_flat_map(move |n| (Just(n), edges(n), any::<bool>()));
    parts.prop_map(|(n, pairs, directed)| graph(n as usize, pairs, directed))
}

fn ordered(graph: &Graph, window: u32) -> Vec<Vertex> {
    order(graph, window, &Control::new()).unwrap().to_vec()
}

/// Scores by definition, from sets.
struct Oracle {
    outs: Vec<BTreeSet<Vertex>>,
    /// In-neighbours, without hubs.
    ins: Vec<BTreeSet<Vertex>>,
}

impl Oracle {
    fn new(graph: &Graph) -> Self {
        let n = graph.vertices();
        let outs: Vec<BTreeSet<Vertex>> =
            (0..n as Vertex).map(|v| graph.out().csr.neighbors(v).iter().copied().collect()).collect();
        let is_hub = |u: Vertex| graph.out().csr.degree(u).pow(2) > n;
        let of =
            |v: Vertex| (0..n as Vertex).filter(|&u| outs[u as usize].contains(&v) && !is_hub(u)).collect();
        let ins = (0..n as Vertex).map(of).collect();
        Self { outs, ins }
    }

    fn between(&self, u: Vertex, v: Vertex) -> usize {
        let arc = |u: Vertex, v: Vertex| usize::from(self.outs[u as usize].contains(&v));
        self.ins[u as usize].intersection(&self.ins[v as usize]).count() + arc(u, v) + arc(v, u)
    }

    fn score(&self, window: &[Vertex], v: Vertex) -> usize {
        window.iter().map(|&u| self.between(u, v)).sum()
    }
}

/// Checks that every vertex has the greatest score when it is placed, and if that is 0, is the first by in-degree.
fn check(graph: &Graph, window: usize, order: &[Vertex]) {
    let oracle = Oracle::new(graph);
    let incoming = &graph.incoming().unwrap().csr;
    let key = |v: Vertex| {
        let alone = incoming.degree(v) + graph.degree(v) == 0;
        (alone, usize::MAX - incoming.degree(v), v)
    };
    let mut left: BTreeSet<Vertex> = (0..graph.vertices() as Vertex).collect();
    for (place, &v) in order.iter().enumerate() {
        let last = &order[place.saturating_sub(window)..place];
        let greatest = left.iter().map(|&u| oracle.score(last, u)).max().unwrap();
        assert_eq!(oracle.score(last, v), greatest, "vertex {v} at {place} of {order:?}");
        if greatest == 0 {
            assert_eq!(left.iter().copied().min_by_key(|&u| key(u)), Some(v), "at {place} of {order:?}");
        }
        assert!(left.remove(&v), "{v} comes twice");
    }
    assert!(left.is_empty(), "{left:?} are missing");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_choice_has_the_greatest_score(graph in graphs(), window in 1..9u32) {
        check(&graph, window as usize, &ordered(&graph, window));
    }

    #[test]
    fn windows_wider_than_the_graph_remember_everything(graph in graphs()) {
        let order = ordered(&graph, u32::MAX);
        check(&graph, usize::MAX, &order);
        prop_assert_eq!(&order, &ordered(&graph, graph.vertices() as u32));
        prop_assert_eq!(order, ordered(&wide(&graph), u32::MAX));
    }
}

#[test]
fn siblings_follow_each_other_and_a_hub_does_not_make_siblings() {
    // Vertices 0 and 5 point to 1, 3, 6 and to 2, 4, 7; vertex 8 points to all of them, more than sqrt(n) = 4.
    let pairs = [1, 3, 6].map(|v| [0, v]).into_iter().chain([2, 4, 7].map(|v| [5, v]));
    let pairs: Vec<_> = pairs.chain([1, 3, 6, 2, 4, 7].map(|v| [8, v])).collect();
    let order = ordered(&graph(16, pairs, true), WINDOW);
    let place = |v: Vertex| order.iter().position(|&u| u == v).unwrap();
    let spread = |family: [Vertex; 4]| {
        let places = family.map(place);
        places.iter().max().unwrap() - places.iter().min().unwrap()
    };
    assert!(spread([0, 1, 3, 6]) < 5 && spread([5, 2, 4, 7]) < 5, "{order:?}");
    assert_eq!(order[9..], [9, 10, 11, 12, 13, 14, 15]);
}

#[test]
fn components_start_at_their_largest_in_degree_and_vertices_without_arcs_are_last() {
    // A star around 6 of five edges, a path 1-4-8 and a loop at 0; 3 and 9 have nothing.
    let star = [2, 5, 7, 10, 11].map(|v| [6, v]);
    let pairs: Vec<_> = star.into_iter().chain([[1, 4], [4, 8], [0, 0]]).collect();
    let order = ordered(&graph(12, pairs, false), WINDOW);
    assert_eq!(order[0], 6);
    assert_eq!(order[6], 4);
    assert_eq!(order[9..], [0, 3, 9]);
}

#[test]
fn empty_graphs_and_single_vertices_have_orders() {
    assert!(ordered(&graph(0, vec![], true), WINDOW).is_empty());
    assert_eq!(ordered(&graph(1, vec![[0, 0], [0, 0]], false), 0), [0]);
    assert_eq!(ordered(&graph(3, vec![], true), WINDOW), [0, 1, 2]);
}

#[test]
fn a_window_of_zero_counts_as_one() {
    let graph = "kron:8".parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
    assert_eq!(ordered(&graph, 0), ordered(&graph, 1));
    assert_ne!(ordered(&graph, 1), ordered(&graph, 5));
}

#[test]
fn it_stops_when_asked_before_and_on_the_way() {
    let graph = "kron:15".parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
    let control = Control::new();
    control.cancel();
    let stopped = |control: &Control| order(&graph, WINDOW, control).map(|_| ()).unwrap_err().to_string();
    assert_eq!(stopped(&control), "interrupted while ordering the vertices");
    let late = Control::new();
    let flag = late.clone();
    let late = late.with_progress(move |_| flag.cancel());
    assert_eq!(stopped(&late), "interrupted while ordering the vertices");
}
