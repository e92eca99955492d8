use super::*;
use proptest::{collection::vec, prelude::*};
use std::collections::BTreeMap;
use warpgraph_graph::Graph;

fn layer<'a>(around: &'a Around<'a>, gamma: Gamma, labels: &[Vertex]) -> Layer<'a> {
    let mut layer = Layer::new(around, gamma, 7).unwrap();
    layer.labels.copy_from_slice(labels);
    layer.volumes.fill(0);
    labels.iter().for_each(|&label| layer.volumes[label as usize] += 1);
    layer
}

/// Returns the worth of each label for `v`, by the formula of the paper, in floating point.
fn worth(graph: &Graph, labels: &[Vertex], v: Vertex, gamma: f64) -> BTreeMap<Vertex, f64> {
    let mut neighbours = graph.out().csr.neighbors(v).to_vec();
    if graph.is_directed() {
        neighbours.extend(graph.incoming().unwrap().csr.neighbors(v));
    }
    let of = |&label: &Vertex| {
        let k = neighbours.iter().filter(|&&u| u != v && labels[u as usize] == label).count() as f64;
        let others = (0..labels.len()).filter(|&u| u as Vertex != v && labels[u] == label).count() as f64;
        (label, k - gamma * (others - k))
    };
    let around = neighbours.iter().filter(|&&u| u != v).map(|&u| &labels[u as usize]);
    around.chain([&labels[v as usize]]).map(of).collect()
}

fn gammas() -> impl Strategy<Value = (Gamma, f64)> {
    prop_oneof![(0..8u32).prop_map(|i| (Gamma::power(i), 0.5f64.powi(i as i32))), Just((Gamma::ZERO, 0.0))]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_vertex_wants_the_label_that_is_worth_most_and_stays_on_ties(
        (n, edges, labels) in (2..30u32).prop_flat_map(|n| (Just(n), vec((0..n, 0..n), 1..90), vec(0..n, n as usize))),
        (gamma, real) in gammas(),
        directed: bool,
        salt: u64,
    ) {
        let graph = Graph::from_edges(n as usize, &edges, directed).unwrap();
        let around = Around::new(&graph).unwrap();
        let layer = layer(&around, gamma, &labels);
        for v in 0..n {
            let worth = worth(&graph, &labels, v, real);
            let most = worth.values().copied().fold(f64::MIN, f64::max);
            match layer.choose(v, salt, &mut Counter::default()) {
                None => prop_assert!(worth[&labels[v as usize]] == most),
                Some(wish) => {
                    prop_assert!(wish.vertex == v && worth[&wish.label] == most);
                    prop_assert!(worth[&labels[v as usize]] < most);
                }
            }
            prop_assert!(layer.choose(v, salt, &mut Counter::default()).is_none(), "asleep");
        }
    }
}

#[test]
fn moves_are_made_only_while_they_gain() {
    // Vertices 1 to 5 all want to join 0 at gamma = 1/2: one neighbour outweighs fewer than three others.
    let graph = Graph::from_edges(6, &[(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)], false).unwrap();
    let around = Around::new(&graph).unwrap();
    let mut layer = Layer::new(&around, Gamma::power(1), 1).unwrap();
    let wishes = (1..6).map(|vertex| Move { vertex, label: 0, more: 1 }).collect();
    assert_eq!(layer.make(wishes), [1, 2]);
    assert_eq!(layer.volumes[..], [3, 0, 0, 1, 1, 1]);
    assert_eq!(layer.labels[..], [0, 0, 0, 3, 4, 5]);
}

#[test]
fn cliques_that_one_edge_joins_get_two_labels() {
    let clique = |first: Vertex| (first..first + 8).flat_map(move |u| (first..u).map(move |v| (u, v)));
    let edges: Vec<_> = clique(0).chain(clique(8)).chain([(7, 8)]).collect();
    let graph = Graph::from_edges(16, &edges, false).unwrap();
    let around = Around::new(&graph).unwrap();
    for seed in 0..20 {
        let visits = Visits::new(&around, seed, &Control::new()).unwrap();
        let mut layer = Layer::new(&around, Gamma::power(2), seed).unwrap();
        layer.spread(&visits, &Control::new(), |_| {}).unwrap();
        let (labels, volumes) = layer.into_parts();
        assert!(labels[..8].iter().all(|&l| l == labels[0]) && labels[8..].iter().all(|&l| l == labels[8]));
        assert_eq!((volumes[labels[0] as usize], volumes[labels[8] as usize]), (8, 8));
    }
}

#[test]
fn gamma_decides_how_large_communities_grow() {
    // A ring of 512: at 1 neighbours pair up, at 2^-6 they form runs.
    let edges: Vec<_> = (0..512).map(|v| (v, (v + 1) % 512)).collect();
    let graph = Graph::from_edges(512, &edges, false).unwrap();
    let around = Around::new(&graph).unwrap();
    let visits = Visits::new(&around, 1, &Control::new()).unwrap();
    let labels = |gamma| {
        let mut layer = Layer::new(&around, gamma, 3).unwrap();
        layer.spread(&visits, &Control::new(), |_| {}).unwrap();
        layer.into_parts().1.iter().filter(|&&volume| volume > 0).count()
    };
    assert!(labels(Gamma::power(0)) > labels(Gamma::power(6)), "{} labels", labels(Gamma::power(6)));
}

#[test]
fn long_rows_are_sampled_evenly() {
    // Of the leaves of a star every fifth carries one label, the others another.
    let leaves = 3 * LONG as Vertex;
    let edges: Vec<_> = (1..=leaves).map(|v| (0, v)).collect();
    let graph = Graph::from_edges(leaves as usize + 1, &edges, false).unwrap();
    let around = Around::new(&graph).unwrap();
    let labels: Vec<Vertex> = (0..=leaves).map(|v| if v % 5 == 0 { 1 } else { 2 }).collect();
    let wish = layer(&around, Gamma::ZERO, &labels).choose(0, 1, &mut Counter::default()).unwrap();
    assert_eq!(wish.label, 2);
    let expected = i64::from(leaves) * 3 / 5;
    assert!((wish.more - expected).abs() < expected / 100, "{} more, expected {expected}", wish.more);
}
