//! Streamed edges: the answers of `device` in chunks of any size, exact figures of what was sent, and errors that leave
//! the device usable.

use warpgraph_core::{
    Algorithm, Answer, Basis, Device, DeviceTrouble, Error, General, Options, Run,
    bfs::Bfs,
    pagerank::PageRank,
    sssp::{Sssp, SsspAnswer},
};
use warpgraph_device::{
    Gpu, Settings,
    simt::{Faults, Simt, SimtOptions},
};
use warpgraph_gpu::{DeviceGraph, OnGpu, bfs, bytes_needed, pagerank, sssp};
use warpgraph_graph::{Control, Graph, generate::Spec};

fn generated(spec: &str) -> Graph {
    Spec::parse(spec).unwrap().generate(&Control::new()).unwrap()
}

fn by(plan: &str) -> Options {
    Options { plan: plan.parse().unwrap(), deterministic: true, ..Options::default() }
}

fn simt(memory_budget: Option<u64>, faults: Faults) -> Gpu {
    let settings = Settings { memory_budget, ..Settings::default() };
    Simt::open(&settings, SimtOptions { faults, ..SimtOptions::default() }).unwrap()
}

/// Opens a device whose free memory is so small that a chunk has a small part of the edges only: memory for the state of
/// the algorithm, and this many bytes.
fn tight(graph: &Graph, rest: u64, spare: u64) -> DeviceGraph {
    DeviceGraph::new(&simt(Some(rest + spare), Faults::default()), graph)
}

/// Asserts that a run sent edges that take many chunks: all slots together take a quarter of what is free.
fn assert_many_chunks(run: &Run, spare: u64, supersteps: u64) {
    let ideal = run.transfer.as_ref().unwrap().ideal;
    assert!(ideal / supersteps.max(1) > spare, "{ideal} bytes in {supersteps} supersteps");
}

#[test]
fn many_small_chunks_give_the_answers_of_the_device() {
    const SPARE: u64 = 96 << 10;
    for spec in ["uniform:11,degree=40,directed,w=1..9", "kron:11,w=1..9"] {
        let graph = generated(spec);
        let whole = DeviceGraph::new(&simt(None, Faults::default()), &graph);
        for plan in
            ["push+streamed", "push+workload+streamed", "push+node+streamed", "push+hierarchical+streamed"]
        {
            let (options, device) = (by(plan), by(&plan.replace("+streamed", "+device")));
            let rest = |bytes: warpgraph_gpu::Footprint| bytes.rest;

            let config = Bfs::from(1);
            let few = tight(&graph, rest(bytes_needed(&graph, &config, &options)), SPARE);
            let answer = bfs(&few, &config, &options).unwrap();
            assert_eq!(
                answer.distances(),
                bfs(&whole, &config, &device).unwrap().distances(),
                "{spec} by {plan}"
            );
            assert_many_chunks(answer.run(), SPARE / 4, 4);

            let config = Sssp::from(1);
            let few = tight(&graph, rest(bytes_needed(&graph, &config, &options)), SPARE);
            let answer = sssp(&few, &config, &options).unwrap();
            let said = |answer: &SsspAnswer| format!("{:?}", answer.distances());
            let expected = sssp(&whole, &config, &device).unwrap();
            assert_eq!(said(&answer), said(&expected), "{spec} by {plan}");
            assert_many_chunks(answer.run(), SPARE, 1);

            let config = PageRank { weighted: true, ..PageRank::default() };
            let few = tight(&graph, rest(bytes_needed(&graph, &config, &options)), SPARE);
            let answer = pagerank(&few, &config, &options).unwrap();
            answer.verify(&graph).unwrap();
            assert_many_chunks(answer.run(), SPARE, answer.run().rounds);
        }
    }
}

#[test]
fn runs_tell_what_they_sent_and_not_what_runs_before_them_sent() {
    let graph = generated("kron:9,w=1..9");
    let device_graph = DeviceGraph::new(&simt(None, Faults::default()), &graph);
    let mut before = None;
    for turn in 0..3 {
        let answer = bfs(&device_graph, &Bfs::from(1), &by("push+streamed")).unwrap();
        let levels = answer.distances();
        let reached = (0..graph.vertices()).filter(|&v| levels[v] != u32::MAX);
        let followed: usize = reached.map(|v| graph.out().csr.degree(v as u32)).sum();
        let transfer = answer.run().transfer.unwrap();
        assert_eq!((transfer.ideal, transfer.basis), (4 * followed as u64, Basis::Exact), "turn {turn}");
        assert!(transfer.moved >= transfer.ideal && transfer.moved < 2 * transfer.ideal, "{transfer:?}");
        let before = before.get_or_insert(transfer);
        assert_eq!((before.moved, before.ideal), (transfer.moved, transfer.ideal), "turn {turn}");
        // Another kind of run in between, which also sends weights.
        let answer = sssp(&device_graph, &Sssp::from(1), &by("push+streamed")).unwrap();
        let transfer = answer.run().transfer.unwrap();
        assert!(transfer.ideal >= 8 * followed as u64 && transfer.ideal.is_multiple_of(8), "{transfer:?}");
        assert!(transfer.moved >= transfer.ideal, "{transfer:?}");
    }
    let rounds = PageRank { weighted: false, ..PageRank::default() };
    let answer = pagerank(&device_graph, &rounds, &by("pull+streamed")).unwrap();
    let (run, all) = (answer.run(), 4 * graph.arcs() as u64);
    let transfer = run.transfer.unwrap();
    assert!(
        transfer.ideal > 0 && transfer.ideal.is_multiple_of(all),
        "{transfer:?} in {} rounds",
        run.rounds
    );
}

#[test]
fn the_memory_of_the_slots_is_allocated_once_and_goes_with_the_graph() {
    let graph = generated("kron:9");
    let gpu = simt(None, Faults::default());
    let device_graph = DeviceGraph::new(&gpu, &graph);
    let ask = || bfs(&device_graph, &Bfs::from(1), &by("push+streamed")).unwrap();
    let first = ask();
    let held = gpu.memory().unwrap().held;
    let second = ask();
    assert_eq!(gpu.memory().unwrap().held, held);
    assert_eq!(first.run().device_bytes, second.run().device_bytes, "a second run allocates no other slots");
    device_graph.let_go();
    assert_eq!(gpu.memory().unwrap().held, 0);
    assert_eq!(ask().distances(), first.distances());
    // Edges on the device again: the slots go.
    bfs(&device_graph, &Bfs::from(1), &by("push+device")).unwrap();
    assert!(gpu.memory().unwrap().held < held);
}

#[test]
fn a_device_that_cannot_copy_beside_kernels_ends_the_run_with_an_error() {
    let graph = generated("kron:8");
    let broken = simt(None, Faults { no_copy_stream: true, ..Faults::default() });
    let device_graph = DeviceGraph::new(&broken, &graph);
    for turn in 0..2 {
        let error = bfs(&device_graph, &Bfs::from(1), &by("push+streamed")).unwrap_err();
        assert!(matches!(error, Error::Device { .. }), "turn {turn}: {error:?}");
    }
    let expected = bfs(&device_graph, &Bfs::from(1), &by("push+device")).unwrap();
    let healthy = DeviceGraph::new(&simt(None, Faults::default()), &graph);
    let answer = bfs(&healthy, &Bfs::from(1), &by("push+streamed")).unwrap();
    assert_eq!(answer.distances(), expected.distances());
}

#[test]
fn memory_that_cannot_be_pinned_in_place_is_no_obstacle() {
    let graph = generated("kron:8");
    let gpu = simt(None, Faults { no_pinning: true, ..Faults::default() });
    bfs(&DeviceGraph::new(&gpu, &graph), &Bfs::from(1), &by("push+zero-copy")).unwrap_err();
    let device_graph = DeviceGraph::new(&gpu, &graph);
    bfs(&device_graph, &Bfs::from(1), &by("push+streamed")).unwrap().verify(&graph).unwrap();
}

#[test]
fn every_allocation_may_fail_and_the_next_run_answers() {
    let graph = generated("kron:7,w=1..9");
    let mut failures = 0;
    for allocation in 1.. {
        let gpu = simt(None, Faults { allocation: Some(allocation), ..Faults::default() });
        let device_graph = DeviceGraph::new(&gpu, &graph);
        let first = sssp(&device_graph, &Sssp::from(1), &by("push+streamed"));
        let Err(error) = first else { break };
        assert!(matches!(error, Error::Device { .. }), "allocation {allocation}: {error:?}");
        let again = sssp(&device_graph, &Sssp::from(1), &by("push+streamed")).unwrap();
        again.verify(&graph).unwrap();
        failures += 1;
    }
    assert!(failures > 10, "only {failures} allocations");
}

#[test]
fn a_stopped_run_leaves_the_streamer_usable() {
    let graph = generated("kron:9");
    let device_graph = DeviceGraph::new(&simt(None, Faults::default()), &graph);
    let expected = bfs(&device_graph, &Bfs::from(1), &by("push+streamed")).unwrap();
    let stopped = by("push+streamed");
    stopped.control.cancel();
    bfs(&device_graph, &Bfs::from(1), &stopped).unwrap_err();
    let answer = bfs(&device_graph, &Bfs::from(1), &by("push+streamed")).unwrap();
    assert_eq!(answer.distances(), expected.distances());
}

/// Asserts that a question is answered right if streamed edges suit the algorithm.
fn assert_right<A: OnGpu>(config: &A, spec: &str) {
    let graph = generated(spec);
    let needs_frontier = !matches!(A::RULES.on_gpu, General::Kernels(_));
    if Algorithm::check(config, &graph).is_ok() && needs_frontier {
        let device_graph = DeviceGraph::new(&simt(None, Faults::default()), &graph);
        let answer = warpgraph_gpu::run(&device_graph, config, &by("streamed")).unwrap();
        answer.verify(&graph).unwrap_or_else(|error| panic!("{} on {spec}: {error}", A::NAME));
        let transfer = answer.run().transfer.unwrap();
        assert!(
            transfer.moved >= transfer.ideal && transfer.ideal > 0,
            "{} on {spec}: {transfer:?}",
            A::NAME
        );
    }
}

/// Returns a directed graph in which every vertex has an arc to vertex 3, and few others.
fn inward() -> Graph {
    let n = 800;
    let edges: Vec<_> = (0..n).flat_map(|v| [(v, 3), (v, (v + 1) % n)]).collect();
    Graph::from_edges(n as usize, &edges, true).unwrap()
}

/// Asserts that a run answers right within the bytes that the error of a smaller budget names, and not with one byte less.
fn assert_least<A: OnGpu>(config: &A, make: &dyn Fn() -> Graph, plan: &str) {
    let (options, graph) = (by(plan), make());
    let takes = A::RULES.check(Device::Simt, &options).is_ok() && Algorithm::check(config, &graph).is_ok();
    if !takes || matches!(A::RULES.on_gpu, General::Kernels(_)) {
        return;
    }
    let at = format!("{} by {plan}", A::NAME);
    // A graph of its own each time: whether incoming arcs are there decides what a run does.
    let ask = |budget| {
        let gpu = simt(Some(budget), Faults::default());
        let answer = warpgraph_gpu::run(&DeviceGraph::new(&gpu, &make()), config, &options);
        answer.map(|answer| (answer, gpu.memory().unwrap().peak))
    };
    let least = |budget| {
        let Err(Error::Device { kind: DeviceTrouble::Memory, help, .. }) = ask(budget) else {
            panic!("{at}: answered within {budget} bytes")
        };
        let words = help.strip_prefix("allow it at least ").unwrap_or_else(|| panic!("{at}: {help}"));
        words.split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    let bytes = least(1);
    assert_eq!(least(bytes - 1), bytes, "{at}");
    for budget in [bytes, bytes + bytes / 64, bytes + bytes / 2] {
        let (answer, peak) = ask(budget).unwrap_or_else(|error| panic!("{at} within {budget}: {error}"));
        answer.verify(&graph).unwrap_or_else(|error| panic!("{at} within {budget}: {error}"));
        assert!(peak <= budget, "{at}: {peak} of {budget} bytes");
    }
}

macro_rules! each_algorithm {
    ($($module:ident: $config:ident -> $answer:ident;)*) => {
        #[test]
        fn every_budget_from_the_least_upwards_is_kept_whichever_rows_are_sent() {
            let long: &dyn Fn() -> Graph = &inward;
            let makers: [&dyn Fn() -> Graph; 3] =
                [long, &|| generated("grid:30x30,w=1..9"), &|| generated("kron:7,directed,w=1..9")];
            for make in makers {
                for plan in ["streamed", "push+streamed", "pull+streamed"] {
                    $(assert_least(&warpgraph_core::$module::$config::usual(), make, plan);)*
                }
            }
        }

        #[test]
        fn every_algorithm_that_has_frontiers_answers_right() {
            for spec in ["kron:7", "powerlaw:200", "grid:12x12,w=1..9", "kron:7,directed,w=1..9"] {
                $(assert_right(&warpgraph_core::$module::$config::usual(), spec);)*
            }
        }
    };
}
warpgraph_core::for_each_algorithm!(each_algorithm);
