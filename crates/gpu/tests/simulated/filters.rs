//! What algorithms in filter form do beside giving the right answer: how many rounds they make, and what they report.

use warpgraph_core::{Answer, Options, Run, kcore::Kcore, label_propagation::LabelPropagation, scc::Scc};
use warpgraph_device::{
    Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_gpu::{DeviceGraph, kcore, label_propagation, scc};
use warpgraph_graph::{Control, Graph, Vertex, generate::Spec};

fn device_graph(graph: &Graph) -> DeviceGraph {
    DeviceGraph::new(&Simt::open(&Settings::default(), SimtOptions::default()).unwrap(), graph)
}

fn by(plan: &str) -> Options {
    Options { plan: plan.parse().unwrap(), ..Options::default() }
}

/// Pairs of vertices that reach each other, one after the other in a long line. Colours that were the vertices' numbers would find one pair a
/// round if the line goes up or down.
#[test]
fn a_line_of_components_comes_apart_in_few_rounds_however_it_is_numbered() {
    const PAIRS: Vertex = 300;
    let line = |number: &dyn Fn(Vertex) -> Vertex| {
        let within = (0..PAIRS).flat_map(|i| [(2 * i, 2 * i + 1), (2 * i + 1, 2 * i)]);
        let between = (1..PAIRS).map(|i| (2 * i - 1, 2 * i));
        let edges: Vec<_> = within.chain(between).map(|(u, v)| (number(u), number(v))).collect();
        Graph::from_edges(2 * PAIRS as usize, &edges, true).unwrap()
    };
    for graph in [line(&|v| v), line(&|v| 2 * PAIRS - 1 - v), line(&|v| v * 7 % (2 * PAIRS))] {
        let answer = scc(&device_graph(&graph), &Scc::default(), &by("auto")).unwrap();
        answer.verify(&graph).unwrap();
        assert_eq!(answer.figures().components, u64::from(PAIRS));
        // Three steps a round; 300 are halved 9 times.
        let rounds = answer.run().rounds / 3;
        assert!(rounds < 3 * 9, "{rounds} rounds");
    }
}

#[test]
fn kernels_and_memory_of_the_balance_are_reported() {
    let graph = Spec::parse("kron:8,directed").unwrap().generate(&Control::new()).unwrap();
    let m = graph.arcs() as u64;
    let device_graph = device_graph(&graph);
    let runs = |plan: &str| -> [Run; 3] {
        let plan = by(plan);
        [
            scc(&device_graph, &Scc::default(), &plan).unwrap().run().clone(),
            kcore(&device_graph, &Kcore {}, &plan).unwrap().run().clone(),
            label_propagation(&device_graph, &LabelPropagation::default(), &plan).unwrap().run().clone(),
        ]
    };
    for run in runs("node") {
        assert_eq!(run.extra_bytes, 0, "{run:?}");
    }
    for run in runs("edge") {
        // Where arcs of both sides begin, and a list of arcs if not all are always gone along.
        assert!([2 * 4 * m, 3 * 4 * m].contains(&run.extra_bytes), "{m} arcs: {run:?}");
        assert!(run.kernel_seconds > 0.0 && run.kernel_seconds < run.seconds, "{run:?}");
    }
}
