use super::*;
use crate::{
    Locality,
    order::testing::{graph, wide},
};
use proptest::{collection::vec, prelude::*};
use warpgraph_graph::{NodeMap, generate::Spec};

fn generated(text: &str) -> Graph {
    text.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
}

fn ordered(graph: &Graph) -> Vec<Vertex> {
    order(graph, 1, &Control::new()).unwrap().to_vec()
}

/// Returns the mean log2 of gaps in an order.
fn log_gap(graph: &Graph, order: Vec<Vertex>) -> f64 {
    let map = NodeMap::of_order(order).unwrap();
    let renumbered = graph.renumbered(&map, &Control::new()).unwrap();
    Locality::of(&renumbered.out().csr).log_gap.unwrap()
}

fn graphs() -> impl Strategy<Value = Graph> {
    let edges = |n: Vertex| vec([0..n, 0..n], 0..(3 * n as usize));
    let parts = (1..200u32).prop_flat_map(move |n| (Just(n), edges(n), any::<bool>()));
    parts.prop_map(|(n, pairs, directed)| graph(n as usize, pairs, directed))
}

/// Depth-first order by recursion over sets.
fn visit(neighbours: &[Vec<Vertex>], v: Vertex, order: &mut Vec<Vertex>) {
    if !order.contains(&v) {
        order.push(v);
        neighbours[v as usize].iter().for_each(|&u| visit(neighbours, u, order));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_vertex_comes_once_and_those_without_neighbours_last(graph in graphs(), seed: u64) {
        let order = order(&graph, seed, &Control::new()).unwrap();
        prop_assert_eq!(&super::order(&wide(&graph), seed, &Control::new()).unwrap()[..], &order[..]);
        // NodeMap proves the bijection when it is made.
        prop_assert!(NodeMap::of_order(order.to_vec()).unwrap().is_renumbering());
        let around = Around::new(&graph).unwrap();
        let alone = order.iter().position(|&v| !around.is_joined(v)).unwrap_or(order.len());
        prop_assert!(order[alone..].iter().all(|&v| !around.is_joined(v)) && order[alone..].is_sorted());
    }

    #[test]
    fn the_first_order_is_depth_first(graph in graphs()) {
        let around = Around::new(&graph).unwrap();
        let n = graph.vertices() as Vertex;
        let neighbours: Vec<Vec<Vertex>> = (0..n).map(|v| around.rows(v).concat()).collect();
        let (joined, alone): (Vec<Vertex>, Vec<Vertex>) = (0..n).partition(|&v| around.is_joined(v));
        let mut want = Vec::new();
        joined.iter().chain(&alone).for_each(|&root| visit(&neighbours, root, &mut want));
        prop_assert_eq!(&depth_first::order(&around, &Control::new()).unwrap()[..], &want[..]);
    }

    #[test]
    fn regrouping_sorts_by_the_place_of_the_first_of_a_label(
        (order, labels) in (1..60u32).prop_flat_map(|n| {
            (Just((0..n).collect::<Vec<_>>()).prop_shuffle(), vec(0..n, n as usize))
        }),
    ) {
        let label = |&v: &Vertex| labels[v as usize];
        let first = |v: &Vertex| order.iter().position(|u| label(u) == label(v));
        let mut want = order.clone();
        want.sort_by_key(first);
        let mut volumes = vec![0; order.len()];
        labels.iter().for_each(|&label| volumes[label as usize] += 1);
        let mut got = Pages::from(order.clone());
        regroup::by_label(&mut got, &labels, Pages::from(volumes), &Control::new()).unwrap();
        prop_assert_eq!(&got[..], &want[..]);
    }
}

#[test]
fn planted_communities_are_found_again() {
    let planted = generated("community:14,size=100");
    let scattered = generated("community:14,size=100,shuffle");
    let of = |graph: &Graph| Locality::of(&graph.out().csr).log_gap.unwrap();
    let (before, best) = (of(&scattered), of(&planted));
    let found = log_gap(&scattered, ordered(&scattered));
    assert!(found < best + 0.3 && found < before - 3.0, "{before} became {found}, planted is {best}");
}

#[test]
fn every_community_is_one_run_of_numbers() {
    // 64 communities of 32: v and v + 64 i. Ten edges per vertex lead inside, one anywhere.
    let draw = |v: Vertex, i: u64, below: u64| (hash::mix(u64::from(v), i) % below) as Vertex;
    let inside = (0..2048).flat_map(|v| (0..10).map(move |i| [v, v % 64 + 64 * draw(v, i, 32)]));
    let pairs = inside.chain((0..2048).map(|v| [v, draw(v, 10, 2048)])).collect();
    for directed in [false, true] {
        let order = ordered(&graph(2048, Vec::clone(&pairs), directed));
        let runs = order.chunk_by(|a, b| a % 64 == b % 64).count();
        assert_eq!(runs, 64, "directed: {directed}");
    }
}

#[test]
fn the_order_is_the_same_on_any_number_of_threads() {
    for graph in [generated("kron:13"), generated("community:12,directed"), generated("grid:90x70,shuffle")] {
        let orders = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| ordered(&graph))
        });
        assert_eq!(orders[0], orders[1]);
    }
    // Fixed values, so that a machine or version with other draws is noticed.
    let graph = generated("kron:10");
    assert_eq!(ordered(&graph)[400..406], EXPECTED);
    assert_ne!(order(&graph, 2, &Control::new()).unwrap()[..], ordered(&graph)[..]);
}

const EXPECTED: [Vertex; 6] = [113, 390, 645, 537, 282, 212];

#[test]
fn communities_that_are_joined_are_near_each_other() {
    let scattered = generated("grid:100x100,shuffle");
    let before = Locality::of(&scattered.out().csr).log_gap.unwrap();
    let after = log_gap(&scattered, ordered(&scattered));
    assert!(after < before - 5.0, "{before} became {after}");
}

#[test]
fn empty_graphs_loops_and_single_vertices_have_orders() {
    assert!(ordered(&graph(0, vec![], true)).is_empty());
    assert_eq!(ordered(&graph(1, vec![[0, 0], [0, 0]], false)), [0]);
    assert_eq!(ordered(&graph(3, vec![[1, 1]], true)), [0, 1, 2]);
    assert_eq!(ordered(&graph(4, vec![[3, 1], [3, 1], [1, 3]], true)), [1, 3, 0, 2]);
}

#[test]
fn it_stops_when_asked_before_and_on_the_way() {
    let graph = generated("kron:10");
    let stopped = |control: &Control| order(&graph, 1, control).map(|_| ()).unwrap_err().to_string();
    let control = Control::new();
    control.cancel();
    assert_eq!(stopped(&control), "interrupted while ordering the vertices");
    let late = Control::new();
    let flag = late.clone();
    let late = late.with_progress(move |progress| {
        if progress.done > 0 {
            flag.cancel();
        }
    });
    assert_eq!(stopped(&late), "interrupted while ordering the vertices");
}
