//! What a trace tells of supersteps on a device: arcs that were gone along, by which balance, and why.

use warpgraph_core::{
    Answer, Options, Step, bc::Bc, bfs::Bfs, closeness::Closeness, kcore::Kcore,
    label_propagation::LabelPropagation, pagerank::PageRank, scc::Scc, wcc::Wcc,
};
use warpgraph_device::{
    Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_gpu::{DeviceGraph, bc, bfs, closeness, kcore, label_propagation, pagerank, scc, wcc};
use warpgraph_graph::{Control, Graph, generate::Spec};

fn device_graph(graph: &Graph) -> DeviceGraph {
    DeviceGraph::new(&Simt::open(&Settings::default(), SimtOptions::default()).unwrap(), graph)
}

fn generated(spec: &str) -> Graph {
    Spec::parse(spec).unwrap().generate(&Control::new()).unwrap()
}

fn traced(plan: &str) -> Options {
    Options { plan: plan.parse().unwrap(), trace: true, ..Options::default() }
}

/// The arcs of all steps, each of which says by what it went.
fn arcs_of(steps: &[Step]) -> u64 {
    assert!(!steps.is_empty());
    let balances = ["node", "tiled", "workload", "mixed"];
    for step in steps {
        assert!(step.balance.is_some_and(|balance| balances.contains(&balance)), "{step:?}");
        assert!(step.note.contains("; longest row "), "{step:?}");
    }
    steps.iter().map(|step| step.edges.unwrap()).sum()
}

#[test]
fn a_search_goes_along_every_arc_once() {
    let graph = generated("grid:15x9");
    let answer = bfs(&device_graph(&graph), &Bfs::default(), &traced("bsp+push")).unwrap();
    assert_eq!(arcs_of(&answer.run().trace), graph.arcs() as u64);
}

#[test]
fn peeling_goes_along_every_arc_once_from_either_end() {
    for spec in ["kron:7", "powerlaw:300"] {
        let graph = generated(spec);
        let answer = kcore(&device_graph(&graph), &Kcore {}, &traced("bsp")).unwrap();
        // Vertices without arcs are peeled without going along any.
        let steps: Vec<Step> =
            answer.run().trace.iter().filter(|step| step.balance.is_some()).cloned().collect();
        let ends = if graph.is_directed() { 2 } else { 1 };
        assert_eq!(arcs_of(&steps), ends * graph.arcs() as u64, "{spec}");
    }
}

#[test]
fn whoever_asks_everybody_goes_along_all_arcs() {
    let graph = generated("kron:7");
    let (device_graph, m) = (device_graph(&graph), graph.arcs() as u64);
    let labels = label_propagation(&device_graph, &LabelPropagation::default(), &traced("bsp")).unwrap();
    assert_eq!(arcs_of(&labels.run().trace[..1]), m);
    let ranks = pagerank(&device_graph, &PageRank::default(), &traced("bsp+pull")).unwrap();
    let steps = &ranks.run().trace;
    assert_eq!(arcs_of(steps), steps.len() as u64 * m);
    let components = wcc(&device_graph, &Wcc {}, &traced("bsp+push")).unwrap();
    assert_eq!(arcs_of(&components.run().trace[..1]), m);
}

#[test]
fn components_of_a_directed_graph_go_along_arcs_both_ways() {
    let graph = generated("powerlaw:300");
    let answer = wcc(&self::device_graph(&graph), &Wcc {}, &traced("bsp+push")).unwrap();
    let steps = &answer.run().trace;
    assert_eq!(arcs_of(&steps[..1]), 2 * graph.arcs() as u64);
    assert!(steps.iter().all(|step| step.note.contains(", last ")), "two expansions a step: {steps:?}");
}

#[test]
fn several_waves_make_one_step() {
    let graph = generated("powerlaw:200");
    let device_graph = device_graph(&graph);
    let of = |steps: &[Step]| steps.iter().filter(|step| step.balance.is_some()).count();
    let components = scc(&device_graph, &Scc::default(), &traced("bsp")).unwrap();
    assert!(of(&components.run().trace) > 0, "{:?}", components.run().trace);
    assert_eq!(
        components.run().trace.len() as u64,
        components.run().rounds,
        "a step a round, whatever waves it has"
    );
    let near = closeness(&device_graph, &Closeness::default(), &traced("bsp")).unwrap();
    assert!(arcs_of(&near.run().trace) > 0);
    let between = bc(&device_graph, &Bc::default(), &traced("bsp")).unwrap();
    assert!(arcs_of(&between.run().trace) > 0);
    for run in [near.run(), between.run()] {
        assert_eq!(run.trace.len() as u64, run.rounds);
    }
}

#[test]
fn a_balance_that_was_asked_for_needs_no_reason() {
    let graph = generated("kron:7");
    let device_graph = device_graph(&graph);
    for plan in ["push+split", "push+tiled", "push+hierarchical"] {
        let answer = bfs(&device_graph, &Bfs::default(), &traced(plan)).unwrap();
        let name = plan.strip_prefix("push+").unwrap();
        for step in &answer.run().trace {
            assert_eq!(step.balance, Some(name), "{step:?}");
            assert!(!step.note.contains("longest"), "{step:?}");
        }
    }
}
