//! Runs that overlap on one graph: each finds the edges where its own kernels look for them.

use std::sync::{Arc, Mutex, OnceLock};
use warpgraph_core::{Answer, Options, bfs::Bfs};
use warpgraph_device::{
    Gpu, Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_gpu::{DeviceGraph, bfs};
use warpgraph_graph::{Control, Graph, generate::Spec};

type Inner = Mutex<Option<Box<dyn FnOnce() + Send>>>;

fn generated(spec: &str) -> Graph {
    Spec::parse(spec).unwrap().generate(&Control::new()).unwrap()
}

fn by(plan: &str) -> Options {
    Options { plan: plan.parse().unwrap(), ..Options::default() }
}

fn simt() -> Gpu {
    Simt::open(&Settings::default(), SimtOptions::default()).unwrap()
}

/// Returns options under which a run calls `within` once, after its first superstep.
fn interrupted(options: Options, within: impl FnOnce() + Send + 'static) -> Options {
    let within: Inner = Mutex::new(Some(Box::new(within)));
    let control = Control::new().with_progress(move |_| {
        let within = within.lock().unwrap().take();
        within.into_iter().for_each(|within| within());
    });
    Options { control, ..options }
}

/// A directed graph whose transpose exists, on a device that calls a function while a run prepares heads: when the run has its
/// incoming arcs, and not yet its outgoing ones.
fn with_heads(within: &Arc<OnceLock<Inner>>) -> (Arc<DeviceGraph>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let within = Arc::clone(within);
    let tell = move |module: &str| {
        let within = within.get().filter(|_| module.starts_with("heads"));
        let within = within.and_then(|within| within.lock().unwrap().take());
        within.into_iter().for_each(|within| within());
    };
    let cache = Some(folder.path().to_owned());
    let settings = Settings { cache, compiling: Some(Arc::new(tell)), ..Settings::default() };
    let graph = generated("kron:8,directed");
    graph.incoming().unwrap();
    let gpu = Simt::open(&settings, SimtOptions::default()).unwrap();
    (Arc::new(DeviceGraph::new(&gpu, &graph)), folder)
}

#[test]
fn a_run_amid_another_may_ask_for_another_residency() {
    for plan in
        ["device", "streamed", "unified", "zero-copy(heads=off,code=ef)", "zero-copy(hot=off,heads=off)"]
    {
        let within = Arc::default();
        let (device_graph, _folder) = with_heads(&within);
        let (inner, asked) = (Arc::clone(&device_graph), by(plan));
        let ask = move || {
            let answer = bfs(&inner, &Bfs::from(1), &asked).unwrap();
            answer.verify(inner.graph()).unwrap();
            assert_eq!(answer.run().plan.residency, asked.plan.residency);
        };
        assert!(within.set(Mutex::new(Some(Box::new(ask)))).is_ok());
        let answer = bfs(&device_graph, &Bfs::from(1), &by("zero-copy(heads=4)")).unwrap();
        answer.verify(device_graph.graph()).unwrap();
        assert_eq!(answer.run().plan.to_string(), "zero-copy(heads=4)");
        assert!(within.get().unwrap().lock().unwrap().is_none(), "the other run was amid it");
    }
}

#[test]
fn a_graph_that_leaves_the_device_amid_a_run_comes_back_where_it_was() {
    let within = Arc::default();
    let (device_graph, _folder) = with_heads(&within);
    let inner = Arc::clone(&device_graph);
    assert!(within.set(Mutex::new(Some(Box::new(move || inner.let_go())))).is_ok());
    let answer = bfs(&device_graph, &Bfs::from(1), &by("zero-copy(heads=4)")).unwrap();
    answer.verify(device_graph.graph()).unwrap();
}

#[test]
fn runs_that_overlap_by_the_same_plan_share_the_graph() {
    let (gpu, graph) = (simt(), generated("kron:9"));
    let device_graph = Arc::new(DeviceGraph::new(&gpu, &graph));
    let inner = Arc::clone(&device_graph);
    let ask = move || {
        let answer = bfs(&inner, &Bfs::from(2), &by("push+zero-copy(hot=off)")).unwrap();
        answer.verify(inner.graph()).unwrap();
        assert_eq!(answer.run().transfer_seconds, 0.0, "nothing is stored twice");
    };
    let options = interrupted(by("push+zero-copy(hot=off)"), ask);
    bfs(&device_graph, &Bfs::from(1), &options).unwrap().verify(&graph).unwrap();
}

#[test]
fn a_run_that_counts_counts_its_own_reads_only() {
    let graph = generated("kron:9");
    let plain = by("push+zero-copy(hot=off)");
    let counting = Options { count_transfer: true, ..plain.clone() };
    let alone = bfs(&DeviceGraph::new(&simt(), &graph), &Bfs::from(1), &counting).unwrap();
    let expected = alone.run().transfer.unwrap();
    for inner_options in [plain.clone(), counting.clone()] {
        let device_graph = Arc::new(DeviceGraph::new(&simt(), &graph));
        let (inner, asked) = (Arc::clone(&device_graph), inner_options.clone());
        let ask = move || {
            let answer = bfs(&inner, &Bfs::from(1), &asked).unwrap();
            assert_eq!(answer.run().transfer.is_some(), asked.count_transfer);
        };
        let answer = bfs(&device_graph, &Bfs::from(1), &interrupted(counting.clone(), ask)).unwrap();
        assert_eq!(
            answer.run().transfer,
            Some(expected),
            "counting inside: {}",
            inner_options.count_transfer
        );
    }
    let device_graph = Arc::new(DeviceGraph::new(&simt(), &graph));
    let inner = Arc::clone(&device_graph);
    let ask =
        move || assert_eq!(bfs(&inner, &Bfs::from(1), &counting).unwrap().run().transfer, Some(expected));
    let answer = bfs(&device_graph, &Bfs::from(1), &interrupted(plain, ask)).unwrap();
    assert!(answer.run().transfer.is_none());
}
