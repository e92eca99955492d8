//! Chunks and added edges of `latency`.

use super::*;
use crate::approx::latency::MEMBERS;
use std::collections::BTreeSet;

/// Returns the neighbours of `v` in the simple undirected graph below.
fn around(graph: &Graph, v: Vertex) -> BTreeSet<Vertex> {
    let all = 0..graph.vertices() as Vertex;
    all.filter(|&u| u != v && (has_arc(graph, u, v) || has_arc(graph, v, u))).collect()
}

fn clustering(graph: &Graph, v: Vertex) -> f64 {
    let around: Vec<_> = around(graph, v).into_iter().collect();
    let is_joined = |u: Vertex, w: Vertex| has_arc(graph, u, w) || has_arc(graph, w, u);
    let pairs = (0..around.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    let joined = pairs.clone().filter(|&(i, j)| is_joined(around[i], around[j])).count();
    if around.len() < 2 { 0.0 } else { joined as f64 / pairs.count() as f64 }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn chunks_are_disjoint_and_each_is_a_clustered_vertex_and_neighbours(graph in graphs(), threshold in knobs()) {
        let changed = changed(&graph, latency(threshold));
        let chunks = changed.chunks.as_ref().unwrap();
        let all: BTreeSet<Vertex> = chunks.all().iter().copied().collect();
        prop_assert_eq!(all.len(), chunks.all().len());
        for chunk in 0..chunks.len() {
            let (centre, others) = chunks.members(chunk).split_first().unwrap();
            prop_assert!((2..MEMBERS).contains(&others.len()));
            prop_assert!(clustering(&graph, *centre) >= threshold.value());
            let around = around(&graph, *centre);
            prop_assert!(around.len() < MEMBERS && others.iter().all(|v| around.contains(v)));
        }
        // A vertex that is clustered and free has fewer than two free neighbours.
        for v in (0..graph.vertices() as Vertex).filter(|v| !all.contains(v)) {
            let around = around(&graph, v);
            let free = around.iter().filter(|u| !all.contains(u)).count();
            prop_assert!(around.len() >= MEMBERS || clustering(&graph, v) < threshold.value() || free < 2);
        }
    }

    #[test]
    fn neighbours_in_a_chunk_are_joined_with_the_mean_weight_of_the_chunk(graph in graphs(), threshold in knobs()) {
        let changed = changed(&graph, latency(threshold));
        let chunks = changed.chunks.as_ref().unwrap();
        let added: BTreeMap<(Vertex, Vertex), f64> = changes(&changed).added.iter().map(|(u, v, w)| ((u, v), w)).collect();
        let mut expected = BTreeMap::new();
        for chunk in 0..chunks.len() {
            let members = chunks.members(chunk);
            let inside = members.iter().flat_map(|&v| row(&graph, v).into_iter().filter(move |arc| arc.0 != v));
            let inside: Vec<f64> = inside.filter(|arc| members.contains(&arc.0)).map(|arc| arc.1).collect();
            let mean = inside.iter().sum::<f64>() / inside.len() as f64;
            let centre = members[0];
            for (&u, &v) in members[1..].iter().flat_map(|u| members[1..].iter().map(move |v| (u, v))) {
                let is_joined = has_arc(&graph, u, v) || has_arc(&graph, v, u);
                let is_along = has_arc(&graph, u, centre) && has_arc(&graph, centre, v);
                if u != v && !is_joined && is_along && (graph.is_directed() || u < v) {
                    expected.insert((u, v), mean);
                }
            }
        }
        prop_assert!(added.keys().eq(expected.keys()), "{:?} {:?}", added, expected);
        let slack = match graph.weight_type() {
            Some(kind) if matches!(kind.name(), "u32" | "i32") => 0.5 + 1e-9,
            _ => 1e-5,
        };
        prop_assert!(added.values().zip(expected.values()).all(|(a, b)| (a - b).abs() <= slack));
    }
}

#[test]
fn vertices_with_many_neighbours_are_no_centres() {
    let star = |leaves: Vertex| {
        let edges: Vec<_> = (1..=leaves).map(|v| (0, v)).collect();
        Graph::from_edges(leaves as usize + 1, &edges, false).unwrap()
    };
    let chunks = |graph: &Graph| changed(graph, latency(Knob::ZERO)).exactness.unwrap();
    let (all, none) = (chunks(&star(31)), chunks(&star(32)));
    assert_eq!((all.chunks, all.added), (1, 31 * 30 / 2));
    assert_eq!((none.chunks, none.added), (0, 0));
}

#[test]
fn the_most_clustered_vertex_comes_first() {
    // 0 is in a triangle with 1 and 2; 3 joins 2, 4 and 5, of which none are joined.
    let graph = Graph::from_edges(6, &[(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (3, 5)], false).unwrap();
    let changed = changed(&graph, latency(Knob::ZERO));
    let chunks = changed.chunks.as_ref().unwrap();
    assert_eq!((chunks.members(0), chunks.members(1)), (&[0, 1, 2][..], &[3, 4, 5][..]));
    assert_eq!(changes(&changed).added.pairs(), [[4, 5]]);
}
