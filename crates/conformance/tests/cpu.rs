//! The native engine, held to every case on one, two and four threads.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use warpgraph_conformance::{Backend, Cpu, cases, conformance, fixtures};

conformance!(one_thread, Cpu::threads(1));
conformance!(two_threads, Cpu::threads(2));
conformance!(four_threads, Cpu::threads(4));

use warpgraph::{
    Bc, Bfs, Closeness, Control, Kcore, LabelPropagation, Mst, PageRank, Plan, Scc, Sssp, Triangles, Wcc,
    graph::{Vertex, generate::Spec},
};

/// Everything a run answers on one number of threads, in a form that shows every bit.
fn answers(threads: usize, fixture: &fixtures::Fixture, source: Vertex) -> Vec<String> {
    let (backend, graph) = (Cpu::threads(threads), &fixture.graph);
    let id = graph.ids().id(source);
    let bfs = backend.ask(graph, &Bfs::from(id.clone()), Plan::AUTO).expect("an answer");
    let sssp = backend.ask(graph, &Sssp::from(id.clone()), Plan::AUTO).expect("an answer");
    let wcc = backend.ask(graph, &Wcc {}, Plan::AUTO).expect("an answer");
    let triangles = backend.ask(graph, &Triangles::local(), Plan::AUTO).expect("an answer");
    let kcore = backend.ask(graph, &Kcore {}, Plan::AUTO).expect("an answer");
    let scc = backend.ask(graph, &Scc {}, Plan::AUTO).expect("an answer");
    let mst = backend.ask(graph, &Mst {}, Plan::AUTO).expect("an answer");
    let weighted =
        LabelPropagation { weighted: graph.weight_range().is_some(), ..LabelPropagation::default() };
    let labels = backend.ask(graph, &weighted, Plan::AUTO).expect("an answer");
    // As many as eight and one more, so that there are two batches; and those of a grid walk.
    let some = (1..9).fold(Bc::default().source(id), |config, i| {
        let other = (source as usize + i * 37) % graph.vertices();
        config.source(graph.ids().id(other as Vertex))
    });
    let bc = backend.ask(graph, &some, Plan::AUTO).expect("an answer");
    let some = Bc { weighted: cases::bc::can_weigh(fixture), ..some };
    let by_weight = backend.ask(graph, &some, Plan::AUTO).expect("an answer");
    let near = backend.ask(graph, &Closeness::default().sources(150), Plan::AUTO).expect("an answer");
    vec![
        format!("{:?} {:?}", bc.scores(), bc.figures()),
        format!("{:?} {:?} {:?}", near.closeness(), near.harmonic(), near.figures()),
        format!("{:?} {:?}", by_weight.scores(), by_weight.figures()),
        format!("{:?} {:?}", bfs.distances(), bfs.figures()),
        format!("{:?} {:?} {:?}", sssp.distances(), sssp.parents(), sssp.figures()),
        format!("{:?} {:?}", wcc.components(), wcc.figures()),
        format!("{:?} {:?}", triangles.local(), triangles.figures()),
        format!("{:?} {:?}", kcore.cores(), kcore.figures()),
        format!("{:?} {:?}", scc.components(), scc.figures()),
        format!("{:?} {:?}", mst.edges().collect::<Vec<_>>(), mst.figures()),
        format!("{:?} {:?}", labels.labels(), labels.figures()),
    ]
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    for name in [
        "random 4097, directed",
        "weighted random 2000, undirected",
        "f64 random 2000, directed",
        "weighted grid, undirected",
        "cycle of 4096, undirected",
    ] {
        let fixture = fixtures::named(name);
        for source in fixture.sources() {
            let one = answers(1, fixture, source);
            for threads in [2, 3, 4] {
                assert!(
                    answers(threads, fixture, source) == one,
                    "{name} from {source} on {threads} threads"
                );
            }
        }
    }
}

#[test]
fn ranks_differ_between_numbers_of_threads_by_rounding_only() {
    let graph = &fixtures::named("random 4097, directed").graph;
    let config = PageRank::default().tolerance(1e-9);
    let ranks = |threads| Cpu::threads(threads).ask(graph, &config, Plan::AUTO).expect("an answer");
    let one = ranks(1);
    for threads in [2, 4] {
        let other = ranks(threads);
        let off: f64 = one.ranks().iter().zip(other.ranks()).map(|(a, b)| (a - b).abs()).sum();
        // Each is within 1e-9 / (1 - 0.85) of the fixed point.
        assert!(off <= 2e-9 / 0.15, "{threads} threads: {off:e}");
    }
}

/// Graphs too large for the list of fixtures and large enough for all that is only done on large ones: searches that pull,
/// edges collected up to a limit, giants that are left out.
#[test]
fn large_graphs_equal_the_oracle() {
    let specs = [
        "kron:13,directed,w=1..255",
        "kron:13,w=1..3",
        "uniform:14,degree=3,directed,w=1..1000",
        "uniform:14,degree=20,w=1..100000",
        "uniform:13,degree=40",
        "powerlaw:20000,alpha=2.1,directed",
        "grid:150x150,drop=0.1,w=1..1000",
        "community:13,size=50,mix=0.2",
    ];
    for spec in specs {
        let graph = Spec::parse(spec).unwrap().generate(&Control::new()).unwrap();
        let fixture = fixtures::Fixture::new(spec, graph);
        for threads in [1, 3] {
            let backend = Cpu::threads(threads);
            cases::scc::holds(&backend, &fixture, Plan::AUTO);
            cases::mst::holds(&backend, &fixture, Plan::AUTO);
            let config = LabelPropagation::default();
            cases::label_propagation::holds(&backend, &fixture, &config, &[Plan::AUTO]);
        }
    }
}
