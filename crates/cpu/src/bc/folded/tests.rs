use super::*;
use crate::{Options, Recorder, bc::exact};
use std::time::Instant;
use warpgraph_core::{Answer as _, Draws, bc::BcAnswer};

/// Answers with or without folding.
fn answer(graph: &Graph, config: &Bc, fold: bool) -> BcAnswer {
    let options = Options::default();
    let folded = fold.then(|| Folded::of(graph, config, &options.control).expect("memory"));
    let recorder = Recorder::start(&options, Instant::now());
    let task = Task { recorder: Some(recorder), ..Task::quiet(graph, config, &options) };
    exact(task, None, folded.map(|folded| folded.expect("a graph that folds"))).expect("an answer")
}

/// Checks that folding changes no score beyond rounding, and nothing else at all.
fn holds(graph: &Graph, name: &str) {
    let weighted = graph.weight_type().is_some();
    let plain = Bc { weighted, ..Bc::default() };
    for config in [plain.clone(), plain.clone().endpoints(), plain.normalized()] {
        let (folded, whole) = (answer(graph, &config, true), answer(graph, &config, false));
        assert_eq!(folded.arcs_reached(), whole.arcs_reached(), "{name}");
        for (v, (got, expected)) in folded.scores().iter().zip(whole.scores()).enumerate() {
            assert!((got - expected).abs() <= 1e-11 * expected, "{name}: {v} has {got:e}, not {expected:e}");
        }
        folded.verify(graph).unwrap_or_else(|violation| panic!("{name}: {violation:?}"));
    }
}

fn build(n: u64, edges: Vec<[Vertex; 2]>, weights: EdgeWeights) -> Graph {
    let options = build::Options { directed: false, loops: Loops::Keep, parallel: Parallel::Keep };
    FromEdges { options }.build(n as usize, edges, weights).expect("a small graph")
}

/// Edges of one kind of graph of `n` vertices.
fn edges(kind: u64, n: u64, draws: &mut Draws) -> Vec<[Vertex; 2]> {
    let pair = |u: u64, v: u64| [u as Vertex, v as Vertex];
    let mut tree: Vec<_> = (1..n).map(|v| pair(draws.below(v), v)).collect();
    match kind {
        // A random tree, and one with some vertices apart.
        0 => tree,
        1 => tree.into_iter().filter(|e| e[0] % 3 != 1).collect(),
        // A cactus: triangles that share vertices.
        2 => (0..(n - 1) / 2)
            .flat_map(|i| {
                let (a, b, c) = (draws.below(2 * i + 1), 2 * i + 1, 2 * i + 2);
                [pair(a, b), pair(b, c), pair(c, a)]
            })
            .collect(),
        // A few more edges than a tree, with loops and parallel edges.
        3 => {
            tree.extend((0..n / 4).map(|_| pair(draws.below(n), draws.below(n))));
            tree.extend_from_within(..n as usize / 5);
            tree
        }
        // A dense core with pendant trees.
        4 => {
            tree.extend((0..2 * n).map(|_| pair(draws.below(n / 4 + 1), draws.below(n / 4 + 1))));
            tree
        }
        _ => (0..n * 3 / 2).map(|_| pair(draws.below(n), draws.below(n))).collect(),
    }
}

#[test]
fn folding_changes_no_score() {
    for seed in 0..48u64 {
        let (kind, n) = (seed % 6, 5 + seed * seed % 60);
        let list = edges(kind, n, &mut Draws::of(7, 0, seed));
        let name = format!("kind {kind} of {n} vertices");
        holds(&build(n, list.clone(), EdgeWeights::None), &name);
        let whole = (0..list.len()).map(|i| 1 + (i * 7 % 4) as u32).collect();
        holds(&build(n, list.clone(), EdgeWeights::U32(whole)), &format!("{name}, whole weights"));
        let quarters = (0..list.len()).map(|i| 0.25 * (1 + i * 5 % 3) as f32).collect();
        holds(&build(n, list, EdgeWeights::F32(quarters)), &format!("{name}, quarters"));
    }
}

#[test]
fn large_and_small_blocks_side_by_side_are_right_on_any_number_of_threads() {
    let n = 3 * LARGE as u64;
    let mut draws = Draws::of(1, 2, 3);
    let mut list = edges(5, n / 2, &mut draws);
    list.extend(edges(2, n / 2, &mut draws).into_iter().map(|e| e.map(|v| v + n as Vertex / 2)));
    list.extend((0..40).map(|i| [i, n as Vertex / 2 + i]).filter(|e| e[0] % 9 == 0));
    let graph = build(n, list, EdgeWeights::None);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| answer(&graph, &Bc::default(), true).scores().to_vec())
    };
    let (one, three) = (on(1), on(3));
    assert_eq!(one, three);
    let whole = answer(&graph, &Bc::default(), false);
    assert!(one.iter().zip(whole.scores()).all(|(a, b)| (a - b).abs() <= 1e-10 * b));
}

#[test]
fn a_block_of_medium_size_is_searched_like_any_graph_if_it_has_a_quarter_of_all_vertices() {
    let size = MEDIUM as Vertex + 88;
    // Rings with chords, each one block, joined in a row.
    let rings = |many: Vertex| {
        let ring = |k: Vertex| {
            let place = move |v: Vertex| k * size + v % size;
            (0..size).flat_map(move |v| [[place(v), place(v + 1)], [place(v), place(v * 7 + 5)]])
        };
        let mut list: Vec<_> = (0..many).flat_map(ring).filter(|e| e[0] != e[1]).collect();
        list.extend((1..many).map(|k| [(k - 1) * size, k * size]));
        build(u64::from(many * size), list, EdgeWeights::None)
    };
    for (many, large) in [(1, 1), (4, 4), (5, 0)] {
        let graph = rings(many);
        let folded = Folded::of(&graph, &Bc::default(), &Control::new()).expect("memory").expect("blocks");
        assert_eq!((folded.ranges.len(), folded.large()), (many as usize, large));
        let (sweeps, walks) = (folded.visits(false), folded.visits(true));
        assert_eq!(walks, if large > 0 { WALK * sweeps } else { sweeps });
        holds(&graph, &format!("{many} rings"));
    }
}

#[test]
fn a_tree_is_folded_away() {
    let list: Vec<_> = (1..100_000).map(|v| [v / 2, v]).collect();
    let graph = build(100_000, list, EdgeWeights::None);
    let folded = Folded::of(&graph, &Bc::default(), &Control::new()).expect("memory").expect("a tree folds");
    assert_eq!((folded.sources(), folded.visits(false)), (0, 0));
    let answer = answer(&graph, &Bc::default(), true);
    // Vertex 49,999 separates its two children from each other and from the others, and a leaf separates nothing.
    assert_eq!((answer.score(49_999), answer.score(99_999)), (Some(1.0 + 2.0 * 99_997.0), Some(0.0)));
}

#[test]
fn rounded_sums_are_not_folded() {
    let edges = vec![[0, 1], [1, 2], [2, 0]];
    let folds = |w: [f64; 3]| {
        let graph = build(3, edges.clone(), EdgeWeights::F64(w.to_vec()));
        Folded::of(&graph, &Bc::default().weighted(), &Control::new()).expect("memory").is_some()
    };
    assert!(folds([1.0, 2.5, 1024.125]) && folds([2f64.powi(900), 3.0 * 2f64.powi(899), 2f64.powi(902)]));
    assert!(!folds([0.1, 0.7, 0.25]) && !folds([1.0, 1e17, 1.0]) && !folds([1e-310, 1e-310, 1e-310]));
    let directed = Graph::from_edges(3, &[(0, 1), (1, 2)], true).expect("a small graph");
    assert!(Folded::of(&directed, &Bc::default(), &Control::new()).expect("memory").is_none());
}
