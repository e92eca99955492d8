//! What balances keep of a graph and report of a run.

use warpgraph_core::{Answer, Options, Run, bfs::Bfs, sssp::Sssp};
use warpgraph_device::{
    Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_gpu::{DeviceGraph, bfs, sssp};
use warpgraph_graph::{Control, Graph, generate::Spec};

fn generated(spec: &str) -> Graph {
    Spec::parse(spec).unwrap().generate(&Control::new()).unwrap()
}

fn device_graph(graph: &Graph) -> DeviceGraph {
    DeviceGraph::new(&Simt::open(&Settings::default(), SimtOptions::default()).unwrap(), graph)
}

fn by(plan: &str) -> Options {
    Options { plan: plan.parse().unwrap(), ..Options::default() }
}

fn run(device_graph: &DeviceGraph, plan: &str) -> Run {
    bfs(device_graph, &Bfs::from(0), &by(plan)).unwrap().run().clone()
}

#[test]
fn what_a_balance_keeps_is_made_once_and_anew_after_the_graph_has_left() {
    let graph = generated("kron:9");
    let device_graph = device_graph(&graph);
    assert_eq!(device_graph.kept_by_balances(), (0.0, 0));
    run(&device_graph, "node");
    assert_eq!(device_graph.kept_by_balances(), (0.0, 0), "nothing is kept for `node`");
    run(&device_graph, "edge");
    let (seconds, bytes) = device_graph.kept_by_balances();
    assert_eq!(bytes, 4 * graph.arcs() as u64, "where each arc begins");
    assert!(seconds > 0.0);
    run(&device_graph, "edge(chunking=off)");
    assert_eq!(device_graph.kept_by_balances(), (seconds, bytes), "how lists are filled does not matter");
    device_graph.let_go();
    assert_eq!(device_graph.kept_by_balances(), (0.0, 0));
    run(&device_graph, "edge");
    let (again, same) = device_graph.kept_by_balances();
    assert_eq!(same, bytes);
    assert_ne!(again, seconds, "it was made anew");
}

#[test]
fn only_the_last_threshold_is_kept() {
    let graph = generated("kron:9");
    let device_graph = device_graph(&graph);
    let kept = |plan| {
        run(&device_graph, plan);
        device_graph.kept_by_balances().1
    };
    let (n, one) = (graph.vertices() as u64, kept("split(mdt=1)"));
    assert_eq!(one, 4 * (n + 1) + 8 * graph.arcs() as u64 + 4, "a child an arc");
    let two = kept("split(mdt=2)");
    assert!(two < one, "{two} bytes, {one} for a child an arc");
    assert_eq!(kept("split(mdt=1)"), one);
}

#[test]
fn a_run_reports_kernels_overhead_and_extra_memory_apart() {
    let graph = generated("kron:10,w=1..9");
    let (n, m) = (graph.vertices() as u64, graph.arcs() as u64);
    let device_graph = device_graph(&graph);
    for (plan, least, most) in [
        ("push+node", 0, 0),
        ("push+edge", 8 * m, 8 * m),
        ("push+workload", 4 * n, 5 * n),
        ("push+split(mdt=1)", 4 * n + 12 * m, 4 * n + 12 * m + 64),
        ("push+hierarchical(mdt=1)", 16 * n, 21 * n),
    ] {
        let answer = sssp(&device_graph, &Sssp::from(0), &by(plan)).unwrap();
        answer.verify(&graph).unwrap();
        let run = answer.run();
        assert!(
            (least..=most).contains(&run.extra_bytes),
            "{plan}: {} bytes, not {least} to {most}",
            run.extra_bytes
        );
        assert!(run.kernel_seconds > 0.0 && run.kernel_seconds < run.seconds, "{plan}: {run:?}");
        let sum = run.kernel_seconds + run.overhead_seconds();
        assert!((sum - run.seconds).abs() < 1e-9, "{plan}: {run:?}");
    }
}

#[test]
fn a_list_with_repeats_grows_as_it_must_or_ends_for_want_of_memory() {
    let graph = generated("kron:10,w=1..9");
    let plan = by("push+edge(condensing=off)");
    let enough = device_graph(&graph);
    let answer = sssp(&enough, &Sssp::from(0), &plan).unwrap();
    answer.verify(&graph).unwrap();
    let peak = enough.gpu().memory().unwrap().peak;
    let settings = Settings { memory_budget: Some(peak - 1), ..Settings::default() };
    let short = DeviceGraph::new(&Simt::open(&settings, SimtOptions::default()).unwrap(), &graph);
    // Which arcs improve a value depends on the order of threads, which the simulator fixes by its seed.
    let error = sssp(&short, &Sssp::from(0), &plan).unwrap_err().to_string();
    assert!(error.contains("has no room for"), "{error}");
}
