//! Betweenness within an error: sampled scores are near exact ones, wherever edges and blocks are, and a run that would take
//! longer than an exact answer gives that.

use std::time::{Duration, Instant};
use warpgraph_core::{Answer, Form, Halted, Options, Word, bc::Bc, bc::BcAnswer};
use warpgraph_device::{
    Gpu, Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_gpu::{DeviceGraph, bc, bytes_needed};
use warpgraph_graph::{Control, Graph, Vertex, generate::Spec, hash};

fn simt(memory_budget: Option<u64>) -> Gpu {
    let settings = Settings { memory_budget, ..Settings::default() };
    Simt::open(&settings, SimtOptions::default()).unwrap()
}

fn by(plan: &str, seed: u64) -> Options {
    Options { plan: plan.parse().unwrap(), seed, ..Options::default() }
}

/// Returns a random tree, and its normalised scores: of all pairs of other vertices, those in different parts of the tree
/// without the vertex.
fn tree(n: Vertex) -> (Graph, Vec<f64>) {
    // Parents are smaller, and few vertices are the parents of many.
    let parents: Vec<Vertex> =
        (1..n).map(|v| (hash::mix(7, v.into()) % u64::from(v.min(2 + v / 9))) as Vertex).collect();
    let edges: Vec<_> = (1..n).zip(&parents).map(|(v, &parent)| (parent, v)).collect();
    let (mut below, mut same) = (vec![1u64; n as usize], vec![0u64; n as usize]);
    for (v, &parent) in (1..n as usize).zip(&parents).rev() {
        below[parent as usize] += below[v];
        same[parent as usize] += below[v] * below[v];
    }
    let others = u64::from(n) - 1;
    let score = |v: usize| {
        let above = others + 1 - below[v];
        (others * others - same[v] - above * above) as f64 / (others * (others - 1)) as f64
    };
    (Graph::from_edges(n as usize, &edges, false).unwrap(), (0..n as usize).map(score).collect())
}

/// Returns the greatest difference between scores.
fn error(answer: &BcAnswer, exact: &[f64]) -> f64 {
    assert_eq!(answer.scores().len(), exact.len());
    answer.scores().iter().zip(exact).map(|(got, want)| (got - want).abs()).fold(0.0, f64::max)
}

#[test]
fn errors_are_within_the_bound_for_every_seed() {
    let (graph, exact) = tree(3000);
    let device_graph = DeviceGraph::new(&simt(None), &graph);
    let config = Bc::default().normalized().max_error(0.1);
    let mut scores = Vec::new();
    for seed in 0..4 {
        let options = Options { trace: true, ..by("auto", seed) };
        let answer = bc(&device_graph, &config, &options).unwrap();
        let (run, accuracy) = (answer.run(), answer.run().accuracy.clone().unwrap());
        assert_eq!((run.form, run.halt), (Form::Fast("sampled"), Halted::Tolerance));
        assert_eq!((accuracy.word, accuracy.asked, accuracy.confidence), (Word::Proved, 0.1, 0.9));
        assert!(accuracy.achieved <= 0.1 && accuracy.samples.unwrap() > 100, "{accuracy:?}");
        assert!(accuracy.fixed_samples.is_some() && accuracy.exact_seconds > Some(0.0), "{accuracy:?}");
        let error = error(&answer, &exact);
        assert!(error <= accuracy.achieved && error > 0.0, "{error} {accuracy:?}");
        assert_eq!(run.trace.len() as u64, run.rounds);
        scores.push(answer.scores().to_vec());
    }
    assert!(scores.iter().all(|some| scores.iter().filter(|other| other == &some).count() == 1));
}

#[test]
fn the_highest_scores_come_in_their_order() {
    let (graph, exact) = tree(3000);
    let mut order: Vec<usize> = (0..exact.len()).collect();
    order.sort_by(|&a, &b| exact[b].total_cmp(&exact[a]));
    assert!(exact[order[0]] - exact[order[1]] > 0.02 && exact[order[1]] - exact[order[2]] > 0.02);
    let config = Bc::default().normalized().max_error(0.05).top(2);
    let answer = bc(&DeviceGraph::new(&simt(None), &graph), &config, &by("auto", 1)).unwrap();
    let accuracy = answer.run().accuracy.as_ref().unwrap();
    assert_eq!(accuracy.word, Word::Proved);
    let top: Vec<_> = answer.top(2).into_iter().map(|scored| scored.vertex).collect();
    let expected: Vec<_> = order[..2].iter().map(|&v| graph.ids().id(v as Vertex)).collect();
    assert_eq!(top, expected, "{accuracy:?}");
}

#[test]
fn edges_off_the_device_and_little_memory_do_not_change_the_scores() {
    let (graph, _) = tree(3000);
    let config = Bc::default().max_error(0.15);
    let with = |budget, plan: &str| {
        let answer = bc(&DeviceGraph::new(&simt(budget), &graph), &config, &by(plan, 3)).unwrap();
        assert_eq!(answer.run().form, Form::Fast("sampled"), "{plan}");
        answer.scores().to_vec()
    };
    let scores = with(None, "auto");
    let bytes = bytes_needed(&graph, &config, &Options::default());
    for (budget, plan) in [
        (Some(bytes.total()), "auto"),
        (Some(bytes.least()), "auto"),
        (None, "zero-copy(hot=off)"),
        (None, "device(code=ef)"),
    ] {
        assert_eq!(scores, with(budget, plan), "{plan} within {budget:?}");
    }
}

#[test]
fn a_run_is_exact_where_that_is_faster_or_the_plan_leaves_no_choice() {
    let (graph, exact) = tree(300);
    let device_graph = DeviceGraph::new(&simt(None), &graph);
    for (plan, max_error) in [("auto", 0.001), ("auto", 1e-9), ("node", 0.2), ("streamed", 0.2)] {
        let config = Bc::default().normalized().max_error(max_error);
        let answer = bc(&device_graph, &config, &by(plan, 0)).unwrap();
        let accuracy = answer.run().accuracy.as_ref().unwrap();
        assert_eq!((accuracy.word, accuracy.achieved), (Word::Exact, 0.0), "{plan} {accuracy:?}");
        assert!(answer.run().form != Form::Fast("sampled"), "{plan}");
        assert!(error(&answer, &exact) < 1e-9, "{plan}");
        answer.verify(&graph).unwrap();
    }
    let tiny = Graph::from_edges(2, &[(0, 1)], false).unwrap();
    let answer =
        bc(&DeviceGraph::new(&simt(None), &tiny), &Bc::default().max_error(0.1), &by("auto", 0)).unwrap();
    assert_eq!(answer.scores(), [0.0, 0.0]);
}

#[test]
fn a_run_that_samples_listens() {
    let graph = Spec::parse("grid:3000x20").unwrap().generate(&Control::new()).unwrap();
    let device_graph = DeviceGraph::new(&simt(None), &graph);
    // Kernels are compiled before the clock of the second try starts.
    for limit in [1, 700] {
        let control = Control::new().with_time_limit(Duration::from_millis(limit));
        let start = Instant::now();
        let error =
            bc(&device_graph, &Bc::default().max_error(0.01), &Options { control, ..by("auto", 0) }).err();
        assert_eq!(error.map(|error| error.kind()), Some("deadline"));
        assert!(limit == 1 || start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    }
}
