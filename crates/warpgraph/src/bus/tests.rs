//! Figures by levels add up to those of the run, and are those of `transform` for the same search.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use super::*;
use crate::{Bfs, Device, Engine, Graph, Order, PageRank, Settings, Sssp, Wcc};
use warpgraph_graph::{Control, generate::Spec};
use warpgraph_transform::{
    Frontiers, Traversal,
    unified::{self, Model},
};

fn generated(spec: &str) -> Graph {
    spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
}

fn loaded(graph: &Graph, order: Order, settings: Settings) -> Loaded {
    Engine::with(Device::Simt, Some(2), settings).unwrap().load(graph, order).unwrap()
}

fn by(plan: &str) -> Options {
    Options { plan: plan.parse().unwrap(), ..Options::default() }
}

/// Runs, and traces another run.
fn traced(loaded: &Loaded, question: &dyn Question, plan: &str) -> (Run, Transfer, Trace) {
    let options = by(plan);
    let timed = loaded.ask(question, &options).unwrap().0.run().clone();
    let (transfer, trace) = trace(loaded, question, &options, &timed).unwrap();
    (timed, transfer.unwrap(), trace)
}

/// The figures of `transform` for a search of a graph as a handle stores it.
fn search(loaded: &Loaded, source: u32) -> (Frontiers, Traversal) {
    let (view, control) = (loaded.view(), Control::new());
    let answer = loaded.bfs(Bfs::from(source)).run().unwrap();
    let map = view.renumbered().map(|(_, map)| map);
    let frontiers = Frontiers::in_order(answer.distances(), map, &control).unwrap();
    let traversal = Traversal::of(&view.graph().out().csr, &frontiers, 4, &control).unwrap();
    (frontiers, traversal)
}

fn sum(trace: &Trace, figure: fn(&Level) -> Option<u64>) -> Option<u64> {
    trace.levels.iter().map(figure).sum()
}

fn assert_close(one: Option<f64>, other: Option<f64>) {
    assert!((one.unwrap() - other.unwrap()).abs() < 1e-9, "{one:?} and {other:?}");
}

#[test]
fn supersteps_add_up_to_the_run() {
    let graphs = ["kron:9,w=1..9", "uniform:9,degree=6,directed,w=1..9"].map(generated);
    let questions: [&dyn Question; 4] =
        [&Bfs::from(1), &Sssp::from(1), &Wcc {}, &PageRank { max_iterations: 3, ..PageRank::default() }];
    for graph in &graphs {
        let loaded = loaded(graph, Order::Natural, Settings::default());
        for plan in
            ["bsp+zero-copy(hot=off)", "bsp+zero-copy(hot=off,code=ef)", "bsp+unified", "bsp+streamed"]
        {
            for question in questions {
                let (_, transfer, trace) = traced(&loaded, question, plan);
                let at = format!("{} on {} by {plan}", question.entry().name, graph.origin().name);
                assert!(!trace.levels.is_empty(), "{at}");
                assert_eq!(sum(&trace, |level| level.moved), Some(transfer.moved), "{at}");
                assert_eq!(sum(&trace, |level| level.ideal), Some(transfer.ideal), "{at}");
                let is_host = plan.contains("zero-copy");
                assert_eq!(trace.sectors, is_host.then_some(transfer.moved / 32), "{at}");
                assert_eq!(sum(&trace, |level| level.sectors), trace.sectors, "{at}");
                let is_coded = plan.contains("code");
                assert!(trace.pages > Some(0), "{at}: {trace:?}");
                assert_eq!(sum(&trace, |level| level.pages), trace.pages.filter(|_| !is_coded), "{at}");
                let pages = if is_coded { Basis::Counted } else { Basis::Exact };
                let pulls = question.entry().name == "pagerank" && !is_coded;
                assert_eq!(trace.basis.pages, Some(if pulls { Basis::Modelled } else { pages }), "{at}");
                let unified = trace.unified.filter(|unified| unified.fetched_pages > 0);
                assert_eq!(unified.is_some(), plan.contains("unified"), "{at}: {trace:?}");
                assert_eq!(
                    unified.map(|unified| unified.evicted_pages),
                    unified.map(|_| 0),
                    "{at}: all fits"
                );
            }
        }
    }
}

#[test]
fn the_gap_is_that_of_transform_for_the_same_search_in_any_order_and_form() {
    let graph = generated("kron:10");
    for order in [Order::Natural, Order::Degree, Order::Random] {
        let loaded = loaded(&graph, order, Settings::default());
        let (frontiers, traversal) = search(&loaded, 1);
        for plan in ["push+zero-copy", "zero-copy", "unified", "streamed"] {
            let (_, _, trace) = traced(&loaded, &Bfs::from(1), plan);
            assert_close(trace.gap, traversal.means().intra_gap);
            assert_eq!(trace.levels.len(), frontiers.levels(), "{plan}");
            for (level, frontier) in trace.levels.iter().zip(frontiers.iter()) {
                let one = Frontiers::of_level(frontier, graph.vertices()).unwrap();
                let csr = &loaded.view().graph().out().csr.clone();
                let one = Traversal::of(csr, &one, 4, &Control::new()).unwrap().means();
                assert_eq!((level.frontier, level.gap), (frontier.len() as u64, one.intra_gap), "{plan}");
                if plan == "push+zero-copy" {
                    assert_eq!(level.pages, Some(one.pages));
                }
            }
            assert_eq!(trace.basis.gap, Some(Basis::Exact));
        }
    }
}

#[test]
fn evictions_are_those_of_the_model_with_the_budget_of_the_run() {
    let graph = generated("kron:16");
    let question = Bfs::from(1);
    let edges = 4 * graph.arcs() as u64;
    assert!(edges > 3 * REGION, "{edges} bytes");
    let rest = question.footprint_on(&graph, &by("push+unified")).rest;
    let settings =
        Settings { memory_budget: Some(rest + REGION), oversubscribe: true, ..Settings::default() };
    let tight = loaded(&graph, Order::Natural, settings);
    let (_, transfer, trace) = traced(&tight, &question, "push+unified");
    let (frontiers, traversal) = search(&loaded(&graph, Order::Natural, Settings::default()), 1);
    let mut model = Model::new(graph.arcs() as u64, unified::Settings::with_memory(REGION)).unwrap();
    model.traverse(&graph.out().csr, &frontiers, &Control::new()).unwrap();
    let (said, expected) = (trace.unified.unwrap(), model.totals());
    assert_eq!(said, Unified::new(expected, said.memory));
    assert_eq!(said.memory / REGION, 1);
    assert!(said.evicted_regions > 0 && said.refetched_pages > 0, "{said:?}");
    assert_eq!(sum(&trace, |level| level.fetched_pages), Some(said.fetched_pages));
    assert_eq!(sum(&trace, |level| level.evicted_pages), Some(said.evicted_pages));
    assert_eq!(sum(&trace, |level| level.refetched_pages), Some(said.refetched_pages));
    assert_eq!((trace.pages, trace.basis.pages), (Some(traversal.means().pages), Some(Basis::Exact)));
    assert_eq!((trace.basis.unified, transfer.basis), (Some(Basis::Modelled), Basis::Modelled));
    assert!(trace.notes.is_empty(), "{:?}", trace.notes);
}

#[test]
fn a_budget_below_a_region_is_said_to_be_none_that_is_modelled() {
    let graph = generated("kron:9");
    let rest = Bfs::from(1).footprint_on(&graph, &by("push+unified")).rest;
    let settings = Settings { memory_budget: Some(rest + 9000), oversubscribe: true, ..Settings::default() };
    let (_, _, trace) = traced(&loaded(&graph, Order::Natural, settings), &Bfs::from(1), "push+unified");
    assert_eq!((trace.unified, sum(&trace, |level| level.evicted_pages)), (None, None));
    assert!(trace.pages > Some(0));
    let [note] = &trace.notes[..] else { panic!("{:?}", trace.notes) };
    assert!(note.starts_with("no model of unified memory: "), "{note}");
}

#[test]
fn a_search_in_one_kernel_reads_what_its_levels_read() {
    let graph = generated("kron:10");
    let loaded = loaded(&graph, Order::Natural, Settings::default());
    let (run, transfer, trace) = traced(&loaded, &Bfs::from(1), "unified");
    assert_eq!(run.form.name(), "walker");
    assert!(trace.levels.iter().any(|level| level.direction == Some(Direction::Pull)), "{trace:?}");
    // What the model reads is about what the kernels read: a warp asks for up to 32 arcs of a row at once.
    let pages = transfer.moved / PAGE;
    let most = trace.levels.iter().filter_map(|level| level.pages).max().unwrap();
    assert!(most <= pages && pages <= trace.pages.unwrap() + 1, "{pages} pages, {trace:?}");
    assert_eq!((trace.basis.pages, sum(&trace, |level| level.moved)), (Some(Basis::Modelled), None));
    // Heads are on the device, so the rows that pulls read are not known, and a run counts the pages.
    let (_, transfer, trace) = traced(&loaded, &Bfs::from(1), "zero-copy(hot=off,heads=4)");
    assert_eq!((trace.basis.pages, trace.sectors), (Some(Basis::Counted), Some(transfer.moved / 32)));
    assert!(trace.pages.unwrap() <= 4 * graph.arcs() as u64 / PAGE + 1, "{trace:?}");
    assert!(trace.levels.iter().all(|level| level.pages.is_none()), "pages of all levels are not known");
}

#[test]
fn other_fast_forms_have_totals() {
    let graph = generated("kron:9,w=1..9");
    let loaded = loaded(&graph, Order::Natural, Settings::default());
    for plan in ["zero-copy(hot=off)", "unified"] {
        let (run, transfer, trace) = traced(&loaded, &Sssp::from(1), plan);
        assert_eq!((run.form.name(), trace.levels.len(), trace.gap), ("walker", 0, None));
        let edges = 8 * graph.arcs() as u64;
        assert!((edges / PAGE / 2..=edges / PAGE + 4).contains(&trace.pages.unwrap()), "{trace:?}");
        assert_eq!((trace.basis.pages, trace.unified), (Some(Basis::Counted), None));
        assert_eq!(trace.sectors.is_some(), plan != "unified");
        assert!(transfer.moved > 0);
        assert_eq!(trace.notes, ["the host knows no supersteps of the form walker"]);
    }
}

#[test]
fn a_search_of_limited_depth_does_not_read_its_last_level() {
    let graph = generated("grid:20x20");
    let loaded = loaded(&graph, Order::Natural, Settings::default());
    let question = Bfs { max_depth: Some(3), ..Bfs::from(0) };
    let (_, _, fast) = traced(&loaded, &question, "unified");
    let (_, _, general) = traced(&loaded, &question, "push+unified");
    let pages = |trace: &Trace| trace.levels.iter().map(|level| level.pages.unwrap()).collect::<Vec<_>>();
    // The program of the general form sends messages from there, and drops them.
    assert_eq!((pages(&fast), pages(&general)), (vec![1, 1, 1, 0], vec![1; 4]));
    assert_eq!((fast.levels[3].frontier, fast.gap), (4, general.gap));
}
