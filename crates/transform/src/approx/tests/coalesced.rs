//! Levels, replicas and holes of `coalesce`.

use super::*;
use std::collections::{BTreeSet, VecDeque};
use warpgraph_graph::NO_VERTEX;

/// Returns the distance of every vertex of an undirected graph from the highest degree of its component.
fn depths(graph: &Graph) -> Vec<u32> {
    let mut roots: Vec<Vertex> = (0..graph.vertices() as Vertex).collect();
    roots.sort_by_key(|&v| (std::cmp::Reverse(graph.degree(v)), v));
    let mut depths = vec![u32::MAX; graph.vertices()];
    for root in roots {
        if depths[root as usize] != u32::MAX {
            continue;
        }
        depths[root as usize] = 0;
        let mut queue = VecDeque::from([root]);
        while let Some(u) = queue.pop_front() {
            for &v in graph.out().csr.neighbors(u) {
                if depths[v as usize] == u32::MAX {
                    depths[v as usize] = depths[u as usize] + 1;
                    queue.push_back(v);
                }
            }
        }
    }
    depths
}

/// Returns the original vertices whose masters are in each group of 32 numbers, in order.
fn masters(changed: &Transformed) -> Vec<Vec<Vertex>> {
    let originals = &changed.map.originals()[..];
    let is_master = |number: usize| {
        originals[number] != NO_VERTEX && changed.map.inner(originals[number]) as usize == number
    };
    let group = |start: usize| {
        let inside: Vec<bool> = (start..start + 32).map(is_master).collect();
        assert!(inside.is_sorted_by(|a, b| a >= b), "holes and replicas come last");
        (start..start + 32).filter(|&number| is_master(number)).map(|number| originals[number]).collect()
    };
    assert_eq!(originals.len() % 32, 0);
    (0..originals.len()).step_by(32).map(group).collect()
}

fn targets(graph: &Graph, v: Vertex) -> BTreeSet<Vertex> {
    graph.out().csr.neighbors(v).iter().copied().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn levels_start_at_multiples_of_32(graph in graphs(), threshold in knobs()) {
        let groups = masters(&changed(&graph, coalesce(threshold)));
        prop_assert!(groups.iter().all(|group| !group.is_empty()));
        if graph.is_directed() {
            return Ok(());
        }
        let depths = depths(&graph);
        let levels: Vec<Vec<u32>> = groups.iter().map(|group| group.iter().map(|&v| depths[v as usize]).collect()).collect();
        prop_assert!(levels.iter().all(|level| level.iter().all(|depth| *depth == level[0])), "{levels:?}");
        prop_assert!(levels.is_sorted_by_key(|level| level[0]));
        // Only the last group of a level has room.
        let next = levels.windows(2).filter(|pair| pair[0][0] == pair[1][0]);
        prop_assert!(next.into_iter().all(|pair| pair[0].len() == 32));
    }

    #[test]
    fn a_replica_has_no_incoming_arcs_and_stays_in_its_chunk(graph in graphs(), threshold in knobs(), clustered in proptest::option::of(knobs())) {
        let changed = changed(&graph, Approximation { latency: clustered, ..coalesce(threshold) });
        let all: Vec<_> = changes(&changed).replicas.iter().collect();
        let numbers: BTreeSet<Vertex> = all.iter().map(|replica| replica.inner).collect();
        prop_assert!(changed.graph.out().csr.targets().iter().all(|target| !numbers.contains(target)));
        let groups = masters(&changed);
        for replica in &all {
            prop_assert_eq!(changed.map.original(replica.inner), replica.original);
            let group = &groups[replica.inner as usize / 32];
            prop_assert!(!group.contains(&replica.original), "a replica in its own chunk");
            let around: BTreeSet<Vertex> =
                targets(&changed.graph, replica.inner).iter().map(|&v| changed.map.original(v)).collect();
            prop_assert_eq!(&around, &group.iter().copied().collect::<BTreeSet<_>>());
        }
        for (number, &original) in changed.map.originals().iter().enumerate() {
            let degree = changed.graph.out().csr.degree(number as Vertex);
            prop_assert!(original != NO_VERTEX || degree == 0, "a hole with arcs");
        }
    }

    #[test]
    fn a_replica_takes_over_the_arcs_into_its_chunk_and_gets_the_mean_of_their_weights(graph in graphs(), threshold in knobs()) {
        let changed = changed(&graph, coalesce(threshold));
        let groups = masters(&changed);
        let replicas = &changes(&changed).replicas;
        let of: BTreeSet<(Vertex, Vertex)> = replicas.iter().map(|one| (one.original, one.inner / 32)).collect();
        prop_assert_eq!(of.len(), replicas.len(), "two replicas of one vertex in a chunk");
        for (place, replica) in replicas.iter().enumerate() {
            let group = &groups[replica.inner as usize / 32];
            let expected: Vec<_> =
                row(&graph, replica.original).into_iter().filter(|arc| group.contains(&arc.0)).collect();
            let mut taken: Vec<(Vertex, f64)> = replicas.taken(place).map(|(_, v, weight)| (v, weight)).collect();
            taken.sort_by_key(|arc| arc.0);
            prop_assert_eq!(&taken, &expected);
            let known: BTreeSet<Vertex> = taken.iter().map(|arc| arc.0).collect();
            prop_assert!(known.len() as f64 > threshold.value() * group.len() as f64);
            let mean = taken.iter().map(|arc| arc.1).sum::<f64>() / taken.len() as f64;
            // An edge between two replicated vertices has the mean of one of them.
            let mine = row(&changed.graph, replica.inner).into_iter().map(|(v, weight)| (changed.map.original(v), weight));
            for (v, weight) in mine.filter(|arc| !known.contains(&arc.0)) {
                let is_shared = !graph.is_directed() && of.contains(&(v, changed.map.inner(replica.original) / 32));
                let slack = if changed.graph.weight_type().is_some_and(|kind| matches!(kind.name(), "u32" | "i32")) { 0.5 } else { 1e-5 };
                prop_assert!(is_shared || (weight - mean).abs() <= slack, "{} {} {}", v, weight, mean);
            }
        }
    }

    #[test]
    fn the_best_connected_vertices_get_the_holes(graph in graphs(), threshold in knobs()) {
        let changed = changed(&graph, coalesce(threshold));
        let connected = |v: Vertex, group: &[Vertex]| targets(&graph, v).iter().filter(|u| group.contains(u)).count();
        for (chunk, group) in masters(&changed).iter().enumerate() {
            let above = |&v: &Vertex| !group.contains(&v) && connected(v, group) as f64 > threshold.value() * group.len() as f64;
            let mut best: Vec<Vertex> = (0..graph.vertices() as Vertex).filter(above).collect();
            best.sort_by_key(|&v| (std::cmp::Reverse(connected(v, group)), v));
            best.truncate(32 - group.len());
            let inside = changes(&changed).replicas.iter().filter(|replica| replica.inner as usize / 32 == chunk);
            prop_assert_eq!(inside.map(|replica| replica.original).collect::<Vec<_>>(), best);
        }
    }
}

#[test]
fn a_small_graph_is_coalesced_as_by_hand() {
    // 0 is joined to 1, 2, 3, and 4 to 1 and 2. Levels: 0; 1, 2, 3; 4. Vertex 4 knows two of three vertices of the second level,
    // so it gets a replica there, which is joined to 3 with the mean of 2 and 5.
    let edges = [(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0), (4, 1, 2.0), (4, 2, 5.0)];
    let graph = Graph::from_weighted_edges(5, &edges, false).unwrap();
    let changed = changed(&graph, coalesce(Knob::of(0.6)));
    let replicas: Vec<_> =
        changes(&changed).replicas.iter().map(|replica| (replica.inner, replica.original)).collect();
    // Every neighbour of the lone vertices 0 and 4 is fully connected to their levels.
    assert_eq!(replicas, [(1, 1), (2, 2), (3, 3), (35, 0), (36, 4), (65, 1), (66, 2)]);
    assert_eq!(changes(&changed).added.iter().collect::<Vec<_>>(), [(3, 4, 3.5)]);
    assert_eq!(row(&changed.graph, 36), [(32, 2.0), (33, 5.0), (34, 3.5)]);
    // The other arc of the new edge is in the row of 3, which has a replica for 0 only.
    assert_eq!(row(&changed.graph, 34), [(64, 3.5)]);
    assert_eq!((row(&changed.graph, 64), row(&changed.graph, 65)), (vec![], vec![(64, 2.0)]));
    assert!(changed.graph.is_directed() && !changed.merged(&Control::new()).unwrap().graph.is_directed());
    let exactness = changed.exactness.unwrap();
    assert_eq!((exactness.replicated, exactness.replicas, exactness.holes), (5, 7, 96 - 5 - 7));
    assert_eq!((exactness.added, exactness.dropped, exactness.edges), (1, 0, 5));
}

#[test]
fn two_new_edges_between_the_same_vertices_become_one() {
    // 1 misses 6 of the level {3, 4, 5, 6} and 6 misses 1 of the level {1, 2}; both get replicas at the other.
    let edges =
        [(0, 1), (0, 2), (1, 3), (1, 4), (1, 5), (2, 6), (2, 3), (0, 7), (0, 8), (0, 9), (0, 10), (0, 11)];
    let graph = Graph::from_edges(12, &edges, false).unwrap();
    for threshold in [0.0, 0.1, 0.3, 0.5] {
        let changed = changed(&graph, coalesce(Knob::of(threshold)));
        let mut pairs = changes(&changed).added.pairs().to_vec();
        pairs.dedup();
        assert_eq!(pairs.len(), changes(&changed).added.len());
        assert!(pairs.is_sorted());
    }
    // At 0 both 1 and 6 have replicas in the chunk of the other, and share a new edge.
    let changed = changed(&graph, coalesce(Knob::ZERO));
    let of = |v: Vertex| changes(&changed).replicas.iter().filter(move |replica| replica.original == v);
    assert!(of(1).any(|replica| replica.inner / 32 == changed.map.inner(6) / 32));
    assert!(of(6).any(|replica| replica.inner / 32 == changed.map.inner(1) / 32));
    assert!(changes(&changed).added.pairs().contains(&[1, 6]));
}
