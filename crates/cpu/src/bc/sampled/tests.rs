//! Sampled answers beside exact ones.

use super::path::Sampler;
use crate::{Options, bc};
use std::collections::HashMap;
use warpgraph_core::{Accuracy, Answer as _, Draws, Word, bc::Bc};
use warpgraph_graph::{Control, Graph, Vertex, hash, with_views};

/// A graph of skewed degrees: every edge joins two of `n` vertices, small numbers more often.
fn skewed(n: u64, edges: u64, directed: bool) -> Graph {
    let end = |i: u64| {
        let mut draws = Draws::of(3, 0, i);
        (draws.below(n) * draws.below(n) / n * draws.below(n) / n) as Vertex
    };
    let edges: Vec<_> = (0..edges).map(|i| (end(2 * i), end(2 * i + 1))).filter(|(u, v)| u != v).collect();
    Graph::from_edges(n as usize, &edges, directed).expect("a small graph")
}

fn grid(side: u32) -> Graph {
    let at = |x: u32, y: u32| x * side + y;
    let right = (0..side - 1).flat_map(|x| (0..side).map(move |y| (at(x, y), at(x + 1, y))));
    let down = (0..side).flat_map(|x| (0..side - 1).map(move |y| (at(x, y), at(x, y + 1))));
    let edges: Vec<_> = right.chain(down).collect();
    Graph::from_edges((side * side) as usize, &edges, false).expect("a small graph")
}

fn uniform(n: u64, edges: u64, directed: bool) -> Graph {
    let edge = |i: u64| ((hash::mix(1, i) % n) as Vertex, (hash::mix(2, i) % n) as Vertex);
    let edges: Vec<_> = (0..edges).map(edge).filter(|(u, v)| u != v).collect();
    Graph::from_edges(n as usize, &edges, directed).expect("a small graph")
}

/// Returns normalised scores and what is known of their errors. Small graphs are sampled too.
fn sampled(graph: &Graph, config: &Bc, seed: u64) -> (Vec<f64>, Accuracy) {
    let options = Options { seed, ..Options::default() };
    let answer = super::sampled_anyway(graph, &config.clone().normalized(), &options).expect("an answer");
    let accuracy = answer.run().accuracy.clone().expect("a report");
    assert_eq!(accuracy.word, Word::Proved);
    (answer.scores().to_vec(), accuracy)
}

fn exact(graph: &Graph) -> Vec<f64> {
    bc(graph, &Bc::default().normalized(), &Options::default()).expect("an answer").scores().to_vec()
}

#[test]
fn the_error_holds_for_all_vertices_in_more_runs_than_promised() {
    let graphs = [
        skewed(300, 900, false),
        grid(14),
        uniform(150, 500, true),
        Graph::from_edges(40, &(1..40).map(|v| (0, v)).collect::<Vec<_>>(), false).expect("a star"),
        Graph::from_edges(60, &(0..59).map(|v| (v, v + 1)).collect::<Vec<_>>(), false).expect("a path"),
        uniform(200, 150, false),
    ];
    for (number, graph) in graphs.iter().enumerate() {
        let right = exact(graph);
        let config = Bc::default().max_error(0.05).confidence(0.75);
        let is_off = |seed: u64| {
            let (scores, accuracy) = sampled(graph, &config, seed);
            assert!(accuracy.achieved <= 0.05 + 1e-12, "{accuracy:?}");
            scores.iter().zip(&right).any(|(score, right)| (score - right).abs() > accuracy.achieved)
        };
        let off = (0..200).filter(|&seed| is_off(seed)).count();
        assert!(off <= 50, "graph {number}: {off} of 200 runs are off by more than they say");
    }
}

#[test]
fn paths_between_two_vertices_are_equally_likely() {
    // Three ways of 3 hops from 0 to 5, of which two share a vertex, one way of parallel edges, and a longer way.
    let edges = [(0, 1), (1, 3), (1, 4), (3, 5), (4, 5), (0, 2), (2, 4), (0, 6), (6, 7), (7, 8), (8, 5)];
    for directed in [true, false] {
        let graph = Graph::from_edges(9, &edges, directed).expect("a small graph");
        let mut times: HashMap<Vec<Vertex>, u32> = HashMap::new();
        let incoming = graph.incoming().expect("a transpose");
        let run = || -> warpgraph_graph::Result<()> {
            with_views!(graph.out().csr, incoming.csr, |out, incoming| {
                let mut sampler = Sampler::new(out, incoming).expect("memory");
                for sample in 0..6000 {
                    let mut path = Vec::new();
                    sampler.path(0, 5, &mut Draws::of(9, 0, sample), |v| path.push(v));
                    path.sort_unstable();
                    *times.entry(path).or_default() += 1;
                }
            });
            Ok(())
        };
        let mut run = run;
        run().expect("views");
        assert_eq!(times.len(), 3, "{times:?}");
        assert!(times.values().all(|times| (1850..2150).contains(times)), "{times:?}");
    }
}

#[test]
fn skewed_graphs_need_fewer_samples_than_the_fixed_number() {
    let (_, accuracy) = sampled(&skewed(20_000, 60_000, false), &Bc::default().max_error(0.005), 1);
    assert!(accuracy.samples < accuracy.fixed_samples, "{accuracy:?}");
}

#[test]
fn threads_make_no_difference_to_any_bit() {
    let graph = skewed(2000, 8000, true);
    let config = Bc::default().max_error(0.02);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| sampled(&graph, &config, 5))
    };
    let (one, four) = (on(1), on(4));
    assert_eq!(one.0, four.0);
    assert_eq!((one.1.samples, one.1.achieved), (four.1.samples, four.1.achieved));
    assert_ne!(one.0, sampled(&graph, &config, 6).0);
}

#[test]
fn the_highest_scores_come_in_the_right_order() {
    let graph = skewed(300, 900, false);
    let right = exact(&graph);
    let order = |scores: &[f64]| {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        order.truncate(3);
        order
    };
    let (scores, accuracy) = sampled(&graph, &Bc::default().max_error(0.001).top(3), 1);
    assert_eq!(accuracy.reason, "the order of the 3 highest scores is settled");
    assert_eq!(order(&scores), order(&right));
}

#[test]
fn an_exact_answer_is_given_where_it_costs_less() {
    let graph = grid(10);
    let answer = bc(&graph, &Bc::default().max_error(0.001), &Options::default()).expect("an answer");
    let accuracy = answer.run().accuracy.clone().expect("a report");
    assert_eq!((accuracy.word, accuracy.achieved, accuracy.asked), (Word::Exact, 0.0, 0.001));
    assert_eq!(answer.scores(), bc(&graph, &Bc::default(), &Options::default()).expect("an answer").scores());
    // Walks of a deep graph look at fewer arcs than the samples, or at more.
    let word = |side| {
        let answer = bc(&grid(side), &Bc::default().max_error(0.02), &Options::default());
        answer.expect("an answer").run().accuracy.clone().expect("a report").word
    };
    assert_eq!((word(16), word(40)), (Word::Exact, Word::Proved));
    let large = bc(&skewed(20_000, 60_000, false), &Bc::default().max_error(0.02), &Options::default());
    let report = large.expect("an answer").run().accuracy.clone().expect("a report");
    assert!(report.word == Word::Proved && report.exact_seconds.is_some_and(|seconds| seconds > 0.0));
}

#[test]
fn a_cancelled_run_ends_with_an_error() {
    let control = Control::new();
    control.cancel();
    let options = Options { control, ..Options::default() };
    let error = bc(&skewed(20_000, 60_000, false), &Bc::default().max_error(0.02), &options).unwrap_err();
    assert!(error.is_stop(), "{error}");
}
