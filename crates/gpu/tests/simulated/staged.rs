//! Partitions that are copied ahead of supersteps: answers, budgets, figures, traces, faults.

use std::sync::{Arc, Mutex};
use warpgraph_core::{
    Answer, Error, Options, Run, bc::Bc, bfs::Bfs, closeness::Closeness, kcore::Kcore,
    label_propagation::LabelPropagation, pagerank::PageRank, scc::Scc, sssp::Sssp, wcc::Wcc,
};
use warpgraph_device::{
    Gpu, Settings,
    simt::{Faults, Simt, SimtOptions},
};
use warpgraph_gpu::{
    DeviceGraph, bc, bfs, bytes_needed, closeness, kcore, label_propagation, pagerank, scc, sssp, wcc,
};
use warpgraph_graph::{Control, Graph, generate::Spec};

const CHOSEN: &str = "push+zero-copy(ahead=auto)";
const ALL: &str = "push+zero-copy(ahead=all)";
const WITHOUT_HOT: &str = "push+zero-copy(hot=off,ahead=all)";
const LARGE: &str = "push+tiled+zero-copy(ahead=all,staging=100)";

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

/// Returns the bytes at which a question keeps so many percent of its edges on the device.
macro_rules! budget {
    ($graph:expr, $config:expr, $options:expr, $percent:expr) => {{
        let bytes = bytes_needed($graph, &$config, $options);
        // Tables, and the list of a frontier.
        let beside = 4 * $graph.vertices() as u64 + (4 << 10);
        bytes.rest + beside + bytes.edges * $percent / 100
    }};
}

/// Answers within budgets, and returns how partitions were read in each.
macro_rules! within {
    ($graph:expr, $name:ident, $config:expr, $plan:expr) => {{
        let (options, mut told) = (by($plan), Vec::new());
        for percent in [5, 25, 60] {
            let budget = budget!($graph, $config, &options, percent);
            let gpu = simt(Some(budget), Faults::default());
            let device_graph = DeviceGraph::new(&gpu, $graph);
            // The second run finds the staging area as the first one left it.
            for _ in 0..2 {
                let answer = $name(&device_graph, &$config, &options).unwrap_or_else(|error| {
                    panic!("{} by {} within {budget}: {error}", stringify!($name), $plan)
                });
                answer.verify($graph).unwrap();
                assert!(gpu.memory().unwrap().peak <= budget, "{} within {budget}", stringify!($name));
                let run: &Run = answer.run();
                // A small budget may have no room for a partition.
                told.extend(run.partitions);
            }
        }
        told
    }};
}

#[test]
fn every_general_form_that_pushes_answers_within_every_budget() {
    for spec in ["kron:10,w=1..9", "uniform:9,degree=24,directed,w=1..9"] {
        let graph = &generated(spec);
        for plan in [CHOSEN, ALL, WITHOUT_HOT, LARGE] {
            let mut all = within!(graph, bfs, Bfs::from(1), plan);
            all.extend(within!(graph, sssp, Sssp::from(1), plan));
            all.extend(within!(graph, wcc, Wcc {}, plan));
            all.extend(within!(graph, pagerank, PageRank::default(), plan));
            assert!(all.iter().all(|told| told.copied == 0 || told.bytes > 0), "{plan}: {all:?}");
            assert!(all.iter().any(|told| told.copied > 0), "{plan}: {all:?}");
            assert!(all.iter().any(|told| told.found > 0), "{plan}: {all:?}");
        }
    }
}

#[test]
fn every_filter_reads_partitions_that_were_copied() {
    let graphs = ["kron:9,directed", "kron:10"].map(generated);
    let plans = ["zero-copy(hot=off,ahead=auto)", "zero-copy(hot=off,ahead=all)"];
    for (graph, plan) in graphs.iter().flat_map(|graph| plans.map(|plan| (graph, plan))) {
        macro_rules! copies {
            ($name:ident, $config:expr) => {
                let all = within!(graph, $name, $config, plan);
                assert!(all.iter().any(|told| told.copied > 0), "{} by {plan}: {all:?}", stringify!($name));
                assert!(all.iter().any(|told| told.found > 0), "{} by {plan}: {all:?}", stringify!($name));
            };
        }
        copies!(kcore, Kcore {});
        if graph.is_directed() {
            copies!(scc, Scc::default());
        }
        copies!(label_propagation, LabelPropagation::default());
        copies!(closeness, Closeness::default().sources(3));
        copies!(bc, Bc::default().source(1));
    }
}

#[test]
fn sources_that_run_at_once_share_what_was_copied() {
    for spec in ["kron:9,directed", "kron:9,w=1..9"] {
        let graph = &generated(spec);
        let weighted = graph.weight_range().is_some();
        let config = Bc { weighted, ..Bc::default().sources(12) };
        for plan in ["zero-copy(hot=off,ahead=auto)", "node+zero-copy(hot=off,ahead=all)"] {
            let all = within!(graph, bc, config, plan);
            assert!(all.iter().any(|told| told.copied > 0 && told.found > 0), "{spec} by {plan}: {all:?}");
        }
        let options = Options { trace: true, ..by("zero-copy(hot=off,ahead=all)") };
        let device_graph = DeviceGraph::new(&simt(None, Faults::default()), graph);
        let [one, twelve] = [Bc { weighted, ..Bc::default().source(1) }, config]
            .map(|config| bc(&device_graph, &config, &options).unwrap().run().clone());
        let note = &twelve.trace.last().unwrap().note;
        // Some sources may have no arcs.
        let at_once: u64 = note.split(' ').next().unwrap().parse().unwrap();
        assert!(at_once > 6 && note.contains(" sources at once") && note.contains(" copied"), "{note}");
        let [one, twelve] = [one, twelve].map(|run| run.partitions.unwrap());
        // The area has room for every partition, so none is copied for each source.
        assert!(twelve.bytes < 3 * one.bytes, "{spec}: {one:?} {twelve:?}");
    }
}

#[test]
fn the_trace_and_the_report_say_how_partitions_were_read_and_the_bytes_are_exact() {
    let graph = generated("kron:11,w=1..9");
    let config = Sssp::from(1);
    for plan in [CHOSEN, ALL] {
        let plain = by(plan);
        let options = Options { trace: true, count_transfer: true, ..plain.clone() };
        let budget = budget!(&graph, config, &plain, 30) + (128 << 10);
        let device_graph = DeviceGraph::new(&simt(Some(budget), Faults::default()), &graph);
        let run = sssp(&device_graph, &config, &options).unwrap().run().clone();
        let told = run.partitions.unwrap();
        let notes: Vec<&str> = run.trace.iter().map(|step| &*step.note).collect();
        let number = |note: &str, what: &str| -> u64 {
            let before = &note[..note.find(what).unwrap_or_else(|| panic!("{what} is not in {note:?}"))];
            before.rsplit([' ', ':']).find(|word| !word.is_empty()).unwrap().parse().unwrap()
        };
        for (what, all) in [(" copied", told.copied), (" found", told.found), (" in place", told.in_place)] {
            assert_eq!(notes.iter().map(|note| number(note, what)).sum::<u64>(), all, "{plan}: {notes:?}");
        }
        let transfer = run.transfer.unwrap();
        assert!(told.copied > 0 && transfer.moved >= told.bytes, "{plan}: {told:?} {transfer:?}");
        // A partition has targets and weights; the last one may be shorter.
        let whole = 8 * 1024 * told.pages;
        assert!(told.bytes <= told.copied * whole && told.bytes + run.rounds * whole >= told.copied * whole);
        let stored = run.stored.unwrap();
        assert!(stored.contains("beside a staging area of"), "{stored}");
    }
}

#[test]
fn everything_is_copied_once_if_the_staging_area_has_room_for_it() {
    let graph = generated("kron:10,w=1..9");
    let options = Options { count_transfer: true, ..by(WITHOUT_HOT) };
    let device_graph = DeviceGraph::new(&simt(None, Faults::default()), &graph);
    let run = sssp(&device_graph, &Sssp::from(1), &options).unwrap().run().clone();
    let (told, transfer) = (run.partitions.unwrap(), run.transfer.unwrap());
    // Rows that end in a partition that was found do not wait for where they begin.
    let early = transfer.moved - told.bytes;
    assert!(told.in_place == 0 && early < told.bytes / 8, "{told:?} {transfer:?}");
    assert_eq!(told.bytes, 8 * graph.arcs() as u64, "every partition, once");
    assert!(told.found > told.copied);
    let hops = bfs(&device_graph, &Bfs::from(1), &options).unwrap().run().clone();
    assert_eq!(
        hops.partitions.unwrap().bytes,
        4 * graph.arcs() as u64,
        "without weights, from an empty area"
    );
}

#[test]
fn a_run_that_overlaps_with_another_reads_in_place() {
    let graph = Arc::new(generated("kron:9,w=1..9"));
    let device_graph = Arc::new(DeviceGraph::new(&simt(None, Faults::default()), &graph));
    let inner = Arc::clone(&device_graph);
    let (told, asked) = (Arc::new(Mutex::new(None)), Arc::new(Mutex::new(0)));
    let seen = Arc::clone(&told);
    let ask = move || {
        let mut times = asked.lock().unwrap();
        *times += 1;
        if *times == 4 {
            let answer = bfs(&inner, &Bfs::from(2), &by(WITHOUT_HOT)).unwrap();
            *seen.lock().unwrap() = Some(answer.run().partitions);
        }
    };
    let control = Control::new().with_progress(move |_| ask());
    let answer = sssp(&device_graph, &Sssp::from(1), &Options { control, ..by(WITHOUT_HOT) }).unwrap();
    answer.verify(&graph).unwrap();
    assert_eq!(*told.lock().unwrap(), Some(None), "the staging area was taken");
    assert!(answer.run().partitions.unwrap().copied > 0);
    assert!(
        bfs(&device_graph, &Bfs::from(2), &by(WITHOUT_HOT)).unwrap().run().partitions.is_some(),
        "and is free again"
    );
}

#[test]
fn a_copy_that_fails_is_an_error_and_the_device_answers_afterwards() {
    let graph = generated("kron:10,w=1..9");
    let gpu = simt(None, Faults { no_copy_stream: true, ..Faults::default() });
    let device_graph = DeviceGraph::new(&gpu, &graph);
    for _ in 0..2 {
        let error = sssp(&device_graph, &Sssp::from(1), &by(WITHOUT_HOT)).unwrap_err();
        assert!(matches!(error, Error::Device { .. }), "{error}");
        // The same edges in the same places, by a form that copies nothing ahead.
        sssp(&device_graph, &Sssp::from(1), &by("push+zero-copy(hot=off)")).unwrap().verify(&graph).unwrap();
    }
    drop(device_graph);
    assert_eq!(gpu.memory().unwrap().held, 0);
}

#[test]
fn a_copy_that_fails_after_others_have_landed_is_an_error_and_the_next_run_answers_right() {
    let graph = generated("kron:11,w=1..9");
    for failing in [2, 3, 7, 12] {
        let plain = by(WITHOUT_HOT);
        let budget = budget!(&graph, Sssp::from(1), &plain, 30);
        let gpu = simt(Some(budget), Faults { copy: Some(failing), ..Faults::default() });
        let device_graph = DeviceGraph::new(&gpu, &graph);
        let error = sssp(&device_graph, &Sssp::from(1), &plain).unwrap_err();
        assert!(matches!(error, Error::Device { .. }), "copy {failing}: {error}");
        // What landed before is in the staging area, which the next runs get again: with weights, and without.
        for _ in 0..2 {
            let answer = sssp(&device_graph, &Sssp::from(1), &plain).unwrap();
            answer.verify(&graph).unwrap();
            assert!(answer.run().partitions.unwrap().copied > 0, "after copy {failing}");
            bfs(&device_graph, &Bfs::from(1), &plain).unwrap().verify(&graph).unwrap();
        }
        drop(device_graph);
        assert_eq!(gpu.memory().unwrap().held, 0);
    }
}

#[test]
fn no_page_stays_mapped_after_a_run_that_fails_or_is_cancelled() {
    let graph = generated("kron:10,w=1..9");
    let config = Sssp::from(1);
    for allocation in 1..40 {
        let options = by(WITHOUT_HOT);
        let gpu = simt(None, Faults { allocation: Some(allocation), ..Faults::default() });
        let device_graph = DeviceGraph::new(&gpu, &graph);
        // Without weights between runs with them: a page that was left mapped would have none.
        let mut failed = 0;
        for weighted in [true, false, true] {
            let verified = match weighted {
                true => sssp(&device_graph, &config, &options).map(|answer| answer.verify(&graph).unwrap()),
                false => {
                    bfs(&device_graph, &Bfs::from(1), &options).map(|answer| answer.verify(&graph).unwrap())
                }
            };
            failed += u32::from(verified.is_err());
        }
        assert!(failed <= 1, "allocation {allocation} fails once");
    }
    for stop_at in 1..12 {
        let device_graph = DeviceGraph::new(&simt(None, Faults::default()), &graph);
        let control = Control::new();
        let (handle, steps) = (control.clone(), Mutex::new(0));
        let control = control.with_progress(move |_| {
            let mut steps = steps.lock().unwrap();
            *steps += 1;
            if *steps == stop_at {
                handle.cancel();
            }
        });
        let stopped = sssp(&device_graph, &config, &Options { control, ..by(WITHOUT_HOT) });
        stopped.iter().for_each(|answer| answer.verify(&graph).unwrap());
        bfs(&device_graph, &Bfs::from(1), &by(WITHOUT_HOT)).unwrap().verify(&graph).unwrap();
        sssp(&device_graph, &config, &by(WITHOUT_HOT)).unwrap().verify(&graph).unwrap();
    }
}
