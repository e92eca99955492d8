//! Persistent walkers answer as the verifiers say, on graphs whose frontiers are short, long, dense, deep, or nothing at all.

use std::time::{Duration, Instant};
use warpgraph_core::{Answer, Options, Plan, bc::Bc, bfs::Bfs, sssp::Sssp};
use warpgraph_device::{
    Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_gpu::DeviceGraph;
use warpgraph_graph::{Control, Graph, generate::Spec};

const SPECS: [&str; 9] = [
    "kron:9,w=1..255",
    "kron:8,directed,w=1..9",
    "uniform:9,degree=8,w=1..255",
    "uniform:7,degree=40",
    "grid:40x20,drop=0.1,w=1..1000",
    "grid:200x1",
    "powerlaw:700,alpha=1.8,directed",
    "uniform:3,degree=1",
    "kron:6,w=1..2000000000",
];

fn on_simt(graph: &Graph) -> DeviceGraph {
    let gpu = Simt::open(&Settings::default(), SimtOptions::default()).unwrap();
    DeviceGraph::new(&gpu, graph)
}

fn graphs() -> impl Iterator<Item = (&'static str, Graph)> {
    SPECS.iter().map(|&spec| (spec, Spec::parse(spec).unwrap().generate(&Control::new()).unwrap()))
}

#[test]
fn searches_are_right_from_any_source() {
    for (spec, graph) in graphs() {
        // With incoming arcs a directed graph pulls as well.
        for transposed in [false, true] {
            if transposed {
                graph.incoming().unwrap();
            }
            let device_graph = on_simt(&graph);
            for source in [0, 1, graph.vertices() as u32 / 2] {
                let options = Options { trace: source == 1, ..Options::default() };
                let answer = warpgraph_gpu::bfs(&device_graph, &Bfs::from(source), &options).unwrap();
                answer.verify(&graph).unwrap();
                assert_eq!(answer.run().plan, Plan::AUTO, "{spec}");
                if options.trace {
                    assert_eq!(answer.run().trace.len() as u64, answer.run().rounds, "{spec}");
                }
            }
        }
    }
}

#[test]
fn a_search_ends_at_its_depth() {
    let graph = Spec::parse("grid:30x30").unwrap().generate(&Control::new()).unwrap();
    let config = Bfs { max_depth: Some(7), ..Bfs::from(0) };
    let answer = warpgraph_gpu::bfs(&on_simt(&graph), &config, &Options::default()).unwrap();
    answer.verify(&graph).unwrap();
    assert_eq!(answer.run().rounds, 7);
}

#[test]
fn shortest_paths_are_right_whatever_the_delta() {
    for (spec, graph) in graphs() {
        let device_graph = on_simt(&graph);
        for delta in [None, Some(0.3), Some(7.0), Some(1e9)] {
            let config = Sssp { delta, ..Sssp::from(1) };
            let options = Options { trace: delta.is_none(), ..Options::default() };
            let answer = warpgraph_gpu::sssp(&device_graph, &config, &options).unwrap();
            answer.verify(&graph).unwrap_or_else(|e| panic!("{spec} by {delta:?}: {e:?}"));
            assert_eq!(answer.run().plan, Plan::AUTO, "{spec}");
        }
    }
}

#[test]
fn scores_of_betweenness_are_those_of_the_filters() {
    for (spec, graph) in graphs() {
        let device_graph = on_simt(&graph);
        let config = Bc::default().source(1).source(0);
        let filters = Options { plan: "node".parse().unwrap(), ..Options::default() };
        let expected = warpgraph_gpu::bc(&device_graph, &config, &filters).unwrap();
        let answer = warpgraph_gpu::bc(&device_graph, &config, &Options::default()).unwrap();
        assert_eq!(answer.run().plan, Plan::AUTO, "{spec}");
        answer.verify(&graph).unwrap();
        for (v, (&got, &want)) in answer.scores().iter().zip(expected.scores()).enumerate() {
            assert!((got - want).abs() <= 1e-9 * want.abs(), "{spec}, vertex {v}: {got}, expected {want}");
        }
    }
}

#[test]
fn betweenness_of_a_search_that_is_too_deep_is_left_to_the_filters() {
    let graph = Spec::parse("grid:4200x1").unwrap().generate(&Control::new()).unwrap();
    let answer = warpgraph_gpu::bc(&on_simt(&graph), &Bc::default().source(0), &Options::default()).unwrap();
    assert_eq!(answer.run().plan.to_string(), "bsp");
    answer.verify(&graph).unwrap();
}

#[test]
fn counts_of_paths_beyond_f64_get_exponents_in_the_walker_and_on_directed_graphs_in_the_filters() {
    // 1100 diamonds in a row: 2^1100 paths from end to end, and parallel edges for rows that are no power of two.
    let diamond = |d: u32| [(0, 1), (0, 2), (0, 2), (1, 3), (2, 3)].map(|(u, v)| (3 * d + u, 3 * d + v));
    let edges: Vec<_> = (0..1100).flat_map(diamond).collect();
    for (directed, plan, note) in [(false, "auto", "counts with exponents"), (true, "bsp", "layers")] {
        let graph = Graph::from_edges(3301, &edges, directed).unwrap();
        let device_graph = on_simt(&graph);
        let config = Bc::default().source(0).source(1650).source(3300);
        let options = Options { trace: true, ..Options::default() };
        let answer = warpgraph_gpu::bc(&device_graph, &config, &options).unwrap();
        assert_eq!(answer.run().plan.to_string(), plan);
        assert!(answer.run().trace.iter().all(|step| step.note.contains(note)), "{:?}", answer.run().trace);
        answer.verify(&graph).unwrap();
        let filters = Options { plan: "node".parse().unwrap(), ..Options::default() };
        let expected = warpgraph_gpu::bc(&device_graph, &config, &filters).unwrap();
        for (v, (&got, &want)) in answer.scores().iter().zip(expected.scores()).enumerate() {
            assert!((got - want).abs() <= 1e-9 * want.abs(), "vertex {v}: {got}, expected {want}");
        }
    }
}

#[test]
fn a_walker_that_is_under_way_listens() {
    // From end to end each would take two seconds and more.
    let graph = Spec::parse("grid:60000x1,w=1..9").unwrap().generate(&Control::new()).unwrap();
    let wide = Spec::parse("grid:3900x100").unwrap().generate(&Control::new()).unwrap();
    let (deep, wide) = (on_simt(&graph), on_simt(&wide));
    let within = |ask: &dyn Fn(&Options) -> Option<warpgraph_core::Error>, what: &str| {
        // Kernels are compiled before the clock of the second try starts.
        for limit in [1, 60] {
            let control = Control::new().with_time_limit(Duration::from_millis(limit));
            let start = Instant::now();
            let error = ask(&Options { control, ..Options::default() });
            if limit > 1 {
                assert_eq!(error.map(|error| error.kind()), Some("deadline"), "{what}");
                assert!(start.elapsed() < Duration::from_secs(1), "{what}: {:?}", start.elapsed());
            }
        }
    };
    within(&|options| warpgraph_gpu::bfs(&deep, &Bfs::from(0), options).err(), "bfs");
    within(&|options| warpgraph_gpu::sssp(&deep, &Sssp::from(0), options).err(), "sssp");
    within(&|options| warpgraph_gpu::bc(&wide, &Bc::default().source(0), options).err(), "bc");
}
