//! Degrees after `divergence`.

use super::*;

/// Returns the degrees before and the goals, by new numbers.
fn goals(graph: &Graph, share: Knob) -> (Vec<usize>, Vec<i64>) {
    let mut degrees: Vec<usize> = (0..graph.vertices() as Vertex).map(|v| graph.degree(v)).collect();
    degrees.sort_by_key(|&degree| std::cmp::Reverse(degree));
    let goal = |warp: &[usize]| -> Vec<i64> {
        let mean = warp.iter().sum::<usize>() as f64 / warp.len() as f64;
        warp.iter().map(|&degree| degree as i64 + (share.value() * (mean - degree as f64)) as i64).collect()
    };
    let goals = degrees.chunks(32).flat_map(goal).collect();
    (degrees, goals)
}

fn degrees(changed: &Transformed) -> Vec<usize> {
    (0..changed.graph.vertices() as Vertex).map(|v| changed.graph.degree(v)).collect()
}

/// Returns the turns of threads that wait for the longest row of their warp.
fn waiting(degrees: &[usize]) -> usize {
    let wait = |warp: &[usize]| warp.len() * warp.iter().max().unwrap() - warp.iter().sum::<usize>();
    degrees.chunks(32).map(wait).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn degrees_move_towards_their_goals(graph in graphs(), share in knobs()) {
        let changed = changed(&graph, divergence(share));
        let (before, goals) = goals(&graph, share);
        let after = degrees(&changed);
        let far = |degrees: &[usize]| -> Vec<u64> {
            degrees.iter().zip(&goals).map(|(&degree, goal)| goal.abs_diff(degree as i64)).collect()
        };
        let (before, after) = (far(&before), far(&after));
        prop_assert!(after.iter().sum::<u64>() <= before.iter().sum::<u64>());
        if graph.is_directed() {
            prop_assert!(after.iter().zip(&before).all(|(after, before)| after <= before));
        }
    }

    #[test]
    fn rows_above_their_goal_reach_it_in_a_directed_graph(graph in graphs(), share in knobs()) {
        let changed = changed(&graph, divergence(share));
        let (before, goals) = goals(&graph, share);
        let all = before.iter().zip(&goals).zip(degrees(&changed));
        for ((&before, &goal), after) in all.filter(|((before, goal), _)| graph.is_directed() && **before as i64 > **goal) {
            prop_assert_eq!(after as i64, goal, "{} before", before);
        }
    }

    #[test]
    fn an_edge_of_an_undirected_graph_that_goes_leaves_half_of_the_edges(graph in graphs(), share in knobs()) {
        if graph.is_directed() {
            return Ok(());
        }
        let changed = changed(&graph, divergence(share));
        let (before, goals) = goals(&graph, share);
        for ((&before, &goal), after) in before.iter().zip(&goals).zip(degrees(&changed)) {
            prop_assert!(after as i64 >= goal.min(before.div_ceil(2).max(1).min(before) as i64), "{} {} {}", before, goal, after);
        }
    }

    #[test]
    fn new_edges_lead_over_two_arcs_with_the_sum_of_their_weights(graph in graphs(), share in knobs()) {
        let changed = changed(&graph, divergence(share));
        let is_float = |kind: warpgraph_graph::WeightType| kind.name() == "f32";
        let slack = if graph.weight_type().is_some_and(is_float) { 1e-4 } else { 0.0 };
        for (u, v, weight) in changes(&changed).added.iter() {
            let paths = row(&graph, u).into_iter().flat_map(|(w, first)| {
                row(&graph, w).into_iter().filter(|arc| arc.0 == v).map(move |arc| first + arc.1)
            });
            let is_one = |sum: f64| graph.weight_type().is_none() || (sum - weight).abs() <= slack;
            // An undirected edge may have been found from its other end, whose path is the same.
            prop_assert!(paths.into_iter().any(is_one), "{} {} {}", u, v, weight);
        }
    }
}

#[test]
fn warps_of_skewed_graphs_wait_less() {
    for text in ["powerlaw:4000,alpha=2.1", "powerlaw:4000,alpha=2.1,directed", "kron:11"] {
        let graph = generated(text);
        let before = waiting(&goals(&graph, Knob::ZERO).0);
        let [half, whole] =
            [0.5, 1.0].map(|share| waiting(&degrees(&changed(&graph, divergence(Knob::of(share))))));
        assert!(half < before && whole < half, "{text}: {before} {half} {whole}");
    }
}

#[test]
fn an_edge_of_latency_that_is_dropped_is_in_neither_list() {
    let graph = generated("community:10,size=40,mix=0.4");
    let how = "latency(threshold=0.05)+divergence(share=1)".parse().unwrap();
    let (joined, both) = (changed(&graph, latency(Knob::of(0.05))), changed(&graph, how));
    let is_in = |edges: &Edges, pair: &[Vertex; 2]| edges.pairs().contains(pair);
    let listed = changes(&both);
    let gone = changes(&joined).added.pairs().iter().filter(|pair| !is_in(&listed.added, pair));
    let gone: Vec<_> = gone.collect();
    assert!(!gone.is_empty(), "divergence drops none of {} edges", changes(&joined).added.len());
    assert!(gone.iter().all(|pair| !is_in(&listed.dropped, pair)));
}
