//! Edges that are not on the device: every budget from the least upwards is kept and gives a right answer, figures of the
//! bus are counted, and faults are errors that leave the graph usable.

use std::sync::Arc;
use warpgraph_core::{
    Answer, Basis, DeviceTrouble, Error, Options,
    adsorption::Adsorption,
    bfs::Bfs,
    kcore::Kcore,
    mst::Mst,
    pagerank::PageRank,
    program::{
        Scalar as _, VertexProgram,
        library::{ShortestPaths, WidestPaths},
    },
    sssp::Sssp,
    triangles::Triangles,
    wcc::Wcc,
};
use warpgraph_device::{
    Gpu, Settings,
    simt::{Faults, Simt, SimtOptions},
};
use warpgraph_gpu::{
    DeviceGraph, adsorption, bfs, bytes_needed, kcore, mst, pagerank, program, program_bytes_needed, sssp,
    triangles, wcc,
};
use warpgraph_graph::{Control, Graph, generate::Spec};

fn generated(spec: &str) -> Graph {
    Spec::parse(spec).unwrap().generate(&Control::new()).unwrap()
}

fn by(plan: &str) -> Options {
    Options { plan: plan.parse().unwrap(), ..Options::default() }
}

fn simt(memory_budget: Option<u64>, faults: Faults) -> Gpu {
    let settings = Settings { memory_budget, ..Settings::default() };
    Simt::open(&settings, SimtOptions { faults, ..SimtOptions::default() }).unwrap()
}

/// Runs within budgets from the least that would do to that of the whole graph, and one below the least.
macro_rules! every_budget {
    ($graph:expr, $name:ident, $config:expr) => {
        let options = Options::default();
        let bytes = bytes_needed($graph, &$config, &options);
        let (least, total) = (bytes.least(), bytes.total());
        assert!(least < total, "{}: {bytes:?}", stringify!($name));
        let mut plans = std::collections::BTreeSet::new();
        for budget in [least, least + (total - least) / 4, least + (total - least) / 2, total - 1, total] {
            let gpu = simt(Some(budget), Faults::default());
            let device_graph = DeviceGraph::new(&gpu, $graph);
            let answer = $name(&device_graph, &$config, &options)
                .unwrap_or_else(|error| panic!("{} within {budget}: {error}", stringify!($name)));
            answer.verify($graph).unwrap();
            let run = answer.run();
            assert!(gpu.memory().unwrap().peak <= budget, "{} within {budget}", stringify!($name));
            assert_eq!(run.stored.is_none(), budget == total, "{:?}", run.stored);
            plans.insert(run.plan.to_string());
        }
        assert!(plans.iter().any(|plan| plan.contains("zero-copy")), "{plans:?}");
        let small = DeviceGraph::new(&simt(Some(least - 1), Faults::default()), $graph);
        match $name(&small, &$config, &options) {
            Err(Error::Device { kind: DeviceTrouble::Memory, what, help }) => {
                assert!(what.contains(&format!("needs {least} there")), "{what}");
                assert!(help.contains(&format!("at least {least} bytes")), "{help}");
            }
            other => panic!("{:?}", other.err()),
        }
    };
}

#[test]
fn every_budget_from_the_least_upwards_is_kept_and_gives_a_right_answer() {
    for spec in ["kron:11,w=1..9", "uniform:10,degree=24,directed,w=1..9"] {
        let graph = &generated(spec);
        every_budget!(graph, bfs, Bfs::from(1));
        every_budget!(graph, wcc, Wcc {});
        every_budget!(graph, pagerank, PageRank::default());
        every_budget!(graph, sssp, Sssp::from(1));
        every_budget!(graph, kcore, Kcore {});
        every_budget!(graph, adsorption, Adsorption { weighted: true, ..Adsorption::default() });
        every_budget!(graph, triangles, Triangles::default());
        if !graph.is_directed() {
            every_budget!(graph, mst, Mst::default());
        }
    }
}

/// Runs a program within budgets from the least that would do to that of the whole graph, and one below the least.
fn assert_budgets<P: VertexProgram>(graph: &Graph, asked: P, plan: &str) {
    let (asked, options) = (Arc::new(asked), by(plan));
    let bits = |values: &[P::Value]| values.iter().map(|value| value.bits()).collect::<Vec<_>>();
    let roomy = DeviceGraph::new(&simt(None, Faults::default()), graph);
    let expected = bits(program(&roomy, &asked, &by("device")).unwrap().values());
    let bytes = program_bytes_needed::<P>(graph, &options);
    let (least, total) = (bytes.least(), bytes.total());
    for budget in [least, least + (total - least) / 3, total - 1, total] {
        let gpu = simt(Some(budget), Faults::default());
        let answer = program(&DeviceGraph::new(&gpu, graph), &asked, &options)
            .unwrap_or_else(|error| panic!("{} by {plan} within {budget}: {error}", P::NAME));
        assert_eq!(bits(answer.values()), expected, "{} by {plan} within {budget}", P::NAME);
        assert!(gpu.memory().unwrap().peak <= budget, "{} by {plan} within {budget}", P::NAME);
        let is_far = answer.run().plan.to_string().contains("zero-copy");
        assert!(is_far || plan == "auto" && budget > least, "{} by {plan} within {budget}", P::NAME);
    }
    let small = DeviceGraph::new(&simt(Some(least - 1), Faults::default()), graph);
    match program(&small, &asked, &options) {
        Err(Error::Device { kind: DeviceTrouble::Memory, what, .. }) => {
            assert!(what.contains(&format!("needs {least} there")), "{what}");
        }
        other => panic!("{} by {plan}: {:?}", P::NAME, other.err()),
    }
}

#[test]
fn programs_keep_every_budget_from_the_least_upwards() {
    for spec in ["kron:10,w=1..9", "uniform:9,degree=24,directed,w=1..9"] {
        let graph = &generated(spec);
        for plan in ["auto", "zero-copy"] {
            assert_budgets(graph, ShortestPaths::<f64>::from(1), plan);
            assert_budgets(graph, WidestPaths::<f64>::from(1), plan);
        }
    }
}

#[test]
fn unified_memory_keeps_a_budget_that_holds_the_graph_and_exceeds_a_smaller_one_only_on_request() {
    let (graph, options) = (generated("kron:10,w=1..9"), by("unified"));
    let bytes = bytes_needed(&graph, &Sssp::from(1), &options);
    // Managed memory comes in whole pages.
    let total = bytes.total() + (128 << 10);
    let few = bytes.rest + bytes.edges / 2;
    for (budget, oversubscribe, answers) in [(total, false, true), (few, false, false), (few, true, true)] {
        let settings = Settings { memory_budget: Some(budget), oversubscribe, ..Settings::default() };
        let gpu = Simt::open(&settings, SimtOptions::default()).unwrap();
        let device_graph = DeviceGraph::new(&gpu, &graph);
        match sssp(&device_graph, &Sssp::from(1), &options) {
            Ok(answer) => {
                answer.verify(&graph).unwrap();
                assert!(answers, "answered within {budget} bytes");
                assert!(oversubscribe || gpu.memory().unwrap().peak <= budget);
            }
            Err(error) => {
                assert!(!answers, "{error}");
                assert!(matches!(error, Error::Device { kind: DeviceTrouble::Memory, .. }), "{error}");
            }
        }
    }
}

#[test]
fn counted_bytes_are_those_that_are_off_the_device() {
    let graph = generated("kron:12");
    let ask = |plan: &str| {
        let device_graph = DeviceGraph::new(&simt(None, Faults::default()), &graph);
        let options = Options { count_transfer: true, ..by(plan) };
        pagerank(&device_graph, &PageRank::default(), &options).unwrap().run().clone()
    };
    let bytes = 4 * graph.arcs() as u64;
    for (plan, basis) in [("zero-copy(hot=off)", Basis::Counted), ("unified", Basis::Modelled)] {
        let run = ask(plan);
        let transfer = run.transfer.unwrap();
        assert_eq!((transfer.basis, transfer.ideal), (basis, run.rounds * bytes), "{plan}");
        match basis {
            // The table of sectors has room for all: a sector crosses once in all sweeps.
            Basis::Counted => assert!((bytes..bytes + 64).contains(&transfer.moved), "{transfer:?}"),
            _ => assert!((bytes..bytes + 2 * 4096).contains(&transfer.moved), "{transfer:?}"),
        }
    }
    let all_hot = ask("zero-copy").transfer.unwrap();
    assert_eq!((all_hot.moved, all_hot.ideal), (0, 0), "without a budget all pages are hot");
    assert!(ask("device").transfer.is_none());
}

#[test]
fn a_page_counts_once_however_many_arrays_are_read() {
    let graph = generated("kron:11,directed,w=1..9");
    let pages = (4 * graph.arcs() as u64).div_ceil(4096);
    let ask = |plan: &str, count_pages| {
        let device_graph = DeviceGraph::new(&simt(None, Faults::default()), &graph);
        let options = Options { count_transfer: true, count_pages, ..by(plan) };
        sssp(&device_graph, &Sssp::from(1), &options).unwrap().run().transfer.unwrap()
    };
    // Targets and weights, each of which may begin within a page.
    let most = 2 * (pages + 1);
    for (plan, count_pages, basis) in
        [("unified", false, Basis::Modelled), ("zero-copy(hot=off)", true, Basis::Counted)]
    {
        let transfer = ask(plan, count_pages);
        assert_eq!(transfer.basis, basis, "{plan}");
        assert!((pages..=most).contains(&(transfer.moved / 4096)), "{plan}: {transfer:?} of {most} pages");
    }
}

#[test]
fn a_run_without_counting_after_one_that_counts_is_clean() {
    let graph = generated("kron:9");
    let device_graph = DeviceGraph::new(&simt(None, Faults::default()), &graph);
    let plain = by("zero-copy(hot=off)");
    let counting = Options { count_transfer: true, ..plain.clone() };
    assert!(bfs(&device_graph, &Bfs::from(1), &plain).unwrap().run().transfer.is_none());
    assert!(bfs(&device_graph, &Bfs::from(1), &counting).unwrap().run().transfer.is_some());
    assert!(bfs(&device_graph, &Bfs::from(1), &plain).unwrap().run().transfer.is_none());
}

#[test]
fn edges_move_when_the_plan_says_so_and_answers_stay() {
    let graph = generated("kron:10,w=1..9");
    let device_graph = DeviceGraph::new(&simt(None, Faults::default()), &graph);
    let first = sssp(&device_graph, &Sssp::from(1), &by("device")).unwrap();
    for plan in [
        "zero-copy",
        "unified",
        "streamed",
        "zero-copy(code=ef)",
        "device(code=ef)",
        "zero-copy(hot=off)",
        "auto",
    ] {
        let answer = sssp(&device_graph, &Sssp::from(1), &by(plan)).unwrap();
        assert_eq!(answer.run().plan.residency.is_none(), plan == "auto" && answer.run().stored.is_none());
        answer.verify(&graph).unwrap();
        assert_eq!(answer.summary(), first.summary(), "{plan}");
    }
}

#[test]
fn faults_of_pinning_and_prefetching_are_errors_and_nothing_is_lost() {
    let graph = generated("kron:10,w=1..9");
    let cases = [
        ("zero-copy", Faults { no_pinning: true, ..Faults::default() }),
        ("zero-copy(code=ef)", Faults { no_pinning: true, ..Faults::default() }),
        ("unified", Faults { no_prefetch: true, ..Faults::default() }),
    ];
    for (plan, faults) in cases {
        let gpu = simt(None, faults);
        let device_graph = DeviceGraph::new(&gpu, &graph);
        let error = sssp(&device_graph, &Sssp::from(1), &by(plan)).unwrap_err();
        assert!(matches!(error, Error::Device { .. }), "{plan}: {error}");
        // The same graph on the same device, where it needs neither.
        sssp(&device_graph, &Sssp::from(1), &by("device")).unwrap().verify(&graph).unwrap();
        drop(device_graph);
        assert_eq!(gpu.memory().unwrap().held, 0, "{plan}");
    }
}

#[test]
fn a_run_that_fails_midway_leaves_nothing_that_misleads_the_next() {
    let graph = generated("kron:11,w=1..9");
    for allocation in 1..24 {
        let gpu = simt(None, Faults { allocation: Some(allocation), ..Faults::default() });
        let device_graph = DeviceGraph::new(&gpu, &graph);
        let mut failed = 0;
        for plan in
            ["zero-copy", "zero-copy(hot=off)", "unified", "zero-copy(code=ef)", "zero-copy", "device"]
        {
            let options = Options { count_transfer: true, ..by(plan) };
            match sssp(&device_graph, &Sssp::from(1), &options) {
                Ok(answer) => answer
                    .verify(&graph)
                    .unwrap_or_else(|wrong| panic!("{plan} after allocation {allocation}: {wrong:?}")),
                Err(_) => failed += 1,
            }
        }
        assert_eq!(failed, 1, "allocation {allocation} fails once");
    }
}
