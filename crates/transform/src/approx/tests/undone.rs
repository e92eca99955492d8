//! Changes are listed in full: without them the original graph is left.

use super::*;

/// Returns the arcs of the changed graph, by original vertices, without the edges added and with those dropped.
fn undone_by_hand(changed: &Transformed, directed: bool) -> Bag {
    let mut bag = bag(&changed.graph, |v| changed.map.original(v));
    count(&mut bag, &changes(changed).added, directed, -1);
    count(&mut bag, &changes(changed).dropped, directed, 1);
    bag
}

fn same(a: &Transformed, b: &Transformed) {
    assert_eq!(a.graph.hash(), b.graph.hash());
    assert_eq!(a.map.originals()[..], b.map.originals()[..]);
    assert_eq!(a.chunks, b.chunks);
    for (a, b) in [(&changes(a).added, &changes(b).added), (&changes(a).dropped, &changes(b).dropped)] {
        assert!(a.iter().eq(b.iter()));
    }
    assert!(changes(a).replicas.iter().eq(changes(b).replicas.iter()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn without_its_changes_the_graph_is_the_original(graph in graphs(), how in approximations()) {
        let changed = changed(&graph, how);
        prop_assert_eq!(undone_by_hand(&changed, graph.is_directed()), bag(&graph, |v| v));
        let undone = changed.undone(&Control::new()).unwrap();
        prop_assert_eq!(undone.is_directed(), graph.is_directed());
        prop_assert_eq!(undone.weight_type(), graph.weight_type());
        prop_assert_eq!(bag(&undone, |v| v), bag(&graph, |v| v));
    }

    #[test]
    fn a_merged_graph_has_the_edges_of_the_original_that_are_not_dropped_and_those_added(
        graph in graphs(), how in approximations(),
    ) {
        let changed = changed(&graph, how);
        let merged = changed.merged(&Control::new()).unwrap();
        prop_assert!(merged.map.is_renumbering() && merged.map.len() == graph.vertices());
        prop_assert_eq!(merged.graph.is_directed(), graph.is_directed());
        prop_assert_eq!(merged.graph.weight_type(), graph.weight_type());
        let mut expected = bag(&graph, |v| v);
        count(&mut expected, &changes(&changed).added, graph.is_directed(), 1);
        count(&mut expected, &changes(&changed).dropped, graph.is_directed(), -1);
        prop_assert_eq!(bag(&merged.graph, |v| merged.map.original(v)), expected);
        // The order of the masters, and the chunks, are the same.
        let is_master = |&(i, &v): &(usize, &Vertex)| v != warpgraph_graph::NO_VERTEX && changed.map.inner(v) as usize == i;
        let masters = changed.map.originals().iter().enumerate().filter(is_master).map(|(_, &v)| v);
        prop_assert!(merged.map.originals().iter().copied().eq(masters));
        let chunks = |all: &Transformed| all.chunks.as_ref().map(|chunks| chunks.renamed(|v| all.map.original(v)));
        prop_assert_eq!(chunks(&merged), chunks(&changed));
        let exactness = merged.exactness.unwrap();
        prop_assert_eq!((exactness.replicas, exactness.holes, changes(&changed).added.len() as u64), (0, 0, exactness.added));
    }

    #[test]
    fn counters_count_what_is_listed(graph in graphs(), how in approximations()) {
        let changed = changed(&graph, how);
        let (exactness, listed) = (changed.exactness.clone().unwrap(), changes(&changed));
        let masters: std::collections::BTreeSet<_> = listed.replicas.iter().map(|replica| replica.original).collect();
        prop_assert_eq!(exactness.approximation, how);
        prop_assert_eq!((exactness.added, exactness.dropped), (listed.added.len() as u64, listed.dropped.len() as u64));
        prop_assert_eq!((exactness.replicated, exactness.replicas), (masters.len() as u64, listed.replicas.len() as u64));
        prop_assert_eq!(exactness.edges, graph.edges());
        let empty = changed.map.originals().iter().filter(|&&v| v == warpgraph_graph::NO_VERTEX).count();
        prop_assert_eq!(exactness.holes, empty as u64);
        prop_assert_eq!(exactness.chunks, changed.chunks.as_ref().map_or(0, |chunks| chunks.len() as u64));
        prop_assert_eq!(changed.chunks.is_some(), how.latency.is_some());
    }

    #[test]
    fn added_edges_are_new_and_dropped_ones_are_not(graph in graphs(), how in approximations()) {
        let changed = changed(&graph, how);
        let mut ends: Vec<_> = changes(&changed).added.pairs().to_vec();
        for &[u, v] in &ends {
            prop_assert!(u != v && !has_arc(&graph, u, v), "{} {}", u, v);
            prop_assert!(graph.is_directed() || u < v);
        }
        ends.sort_unstable();
        ends.dedup();
        prop_assert_eq!(ends.len(), changes(&changed).added.len());
        let mut left = bag(&graph, |v| v);
        count(&mut left, &changes(&changed).dropped, graph.is_directed(), -1);
        prop_assert!(left.values().all(|&count| count > 0));
    }

    #[test]
    fn new_weights_are_weights_of_the_graph(graph in graphs(), how in approximations()) {
        let changed = changed(&graph, how);
        let Some((least, most)) = graph.weight_range() else { return Ok(()) };
        // Sums along paths are at most twice a weight.
        let (least, most) = if how.divergence.is_some() { (least.min(2.0 * least), 2.0 * most.max(0.0)) } else { (least, most) };
        prop_assert!(changes(&changed).added.iter().all(|edge| (least..=most).contains(&edge.2)));
        prop_assert_eq!(changed.graph.weight_type(), graph.weight_type());
    }

    #[test]
    fn at_the_exact_end_of_every_knob_nothing_changes(graph in graphs()) {
        let all = ["coalesce(threshold=1)", "latency(threshold=1)", "divergence(share=0)",
            "coalesce(threshold=1)+latency(threshold=1)", "latency(threshold=1)+divergence(share=0)", "none"];
        for how in all {
            let changed = changed(&graph, how.parse().unwrap());
            prop_assert!(changed.exactness.clone().unwrap().is_exact() && changes(&changed).replicas.is_empty());
            prop_assert_eq!(changed.graph.is_directed(), graph.is_directed());
            prop_assert_eq!(bag(&changed.graph, |v| changed.map.original(v)), bag(&graph, |v| v));
        }
    }
}

#[test]
fn changes_do_not_depend_on_the_number_of_threads() {
    let techniques =
        ["coalesce(threshold=0.2)", "latency(threshold=0.1)", "divergence", "latency+divergence"];
    for text in [
        "kron:12,w=1..99",
        "powerlaw:5000,alpha=2.1,w=1..9",
        "grid:70x50,w=1..9",
        "community:12,size=30,mix=0.1",
    ] {
        let graph = generated(text);
        for how in techniques {
            let [one, three] = [1, 3].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| changed(&graph, how.parse().unwrap()))
            });
            same(&one, &three);
        }
    }
}

#[test]
fn random_choices_depend_on_the_seed() {
    let graph = generated("powerlaw:3000,alpha=2.1,directed");
    let added = |seed| {
        let control = Control::new();
        let changed = approximate(&graph, divergence(Knob::ONE), &Means::on_cpu(seed, &control)).unwrap();
        changes(&changed).added.pairs().to_vec()
    };
    assert_ne!(added(1), added(2));
}

#[test]
fn a_cancelled_approximation_is_an_error() {
    let (graph, control) = (generated("kron:8"), Control::new());
    control.cancel();
    for how in ["coalesce", "latency", "divergence"] {
        let error = approximate(&graph, how.parse().unwrap(), &Means::on_cpu(1, &control)).unwrap_err();
        assert!(error.to_string().contains("approximating"), "{error}");
    }
}

#[test]
fn empty_graphs_and_single_vertices_have_nothing_to_change() {
    for n in [0, 1] {
        for directed in [false, true] {
            let graph = Graph::from_edges(n, &[], directed).unwrap();
            for how in ["coalesce(threshold=0)", "latency(threshold=0)", "divergence(share=1)"] {
                let changed = changed(&graph, how.parse().unwrap());
                assert!(changed.exactness.as_ref().unwrap().is_exact(), "{how}");
                assert_eq!(changed.merged(&Control::new()).unwrap().graph.vertices(), n);
            }
        }
    }
}
