//! The native engine, held to every case on one, two and four threads.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use warpgraph_conformance::{Backend, Cpu, cases, conformance, fixtures};

conformance!(one_thread, Cpu::threads(1));
conformance!(two_threads, Cpu::threads(2));
conformance!(four_threads, Cpu::threads(4));

use warpgraph::{Bc, Bfs, Closeness, PageRank, Plan, Sssp, Wcc, graph::Vertex};

/// Everything a run answers on one number of threads, in a form that shows every bit.
fn answers(threads: usize, fixture: &fixtures::Fixture, source: Vertex) -> [String; 6] {
    let (backend, graph) = (Cpu::threads(threads), &fixture.graph);
    let id = graph.ids().id(source);
    // As many as eight and one more, so that there are two batches; and those of a grid walk.
    let some = (1..9).fold(Bc::default().source(id.clone()), |config, i| {
        let other = (source as usize + i * 37) % graph.vertices();
        config.source(graph.ids().id(other as Vertex))
    });
    let bc = backend.ask(graph, &some, Plan::Auto).expect("an answer");
    let some = Bc { weighted: cases::bc::can_weigh(fixture), ..some };
    let by_weight = backend.ask(graph, &some, Plan::Auto).expect("an answer");
    let near = backend.ask(graph, &Closeness::default().sources(150), Plan::Auto).expect("an answer");
    let bfs = backend.ask(graph, &Bfs::from(id.clone()), Plan::Auto).expect("an answer");
    let sssp = backend.ask(graph, &Sssp::from(id), Plan::Auto).expect("an answer");
    let wcc = backend.ask(graph, &Wcc {}, Plan::Auto).expect("an answer");
    [
        format!("{:?} {:?}", bfs.distances(), bfs.figures()),
        format!("{:?} {:?} {:?}", sssp.distances(), sssp.parents(), sssp.figures()),
        format!("{:?} {:?}", wcc.components(), wcc.figures()),
        format!("{:?} {:?}", bc.scores(), bc.figures()),
        format!("{:?} {:?} {:?}", near.closeness(), near.harmonic(), near.figures()),
        format!("{:?} {:?}", by_weight.scores(), by_weight.figures()),
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
    let ranks = |threads| Cpu::threads(threads).ask(graph, &config, Plan::Auto).expect("an answer");
    let one = ranks(1);
    for threads in [2, 4] {
        let other = ranks(threads);
        let off: f64 = one.ranks().iter().zip(other.ranks()).map(|(a, b)| (a - b).abs()).sum();
        // Each is within 1e-9 / (1 - 0.85) of the fixed point.
        assert!(off <= 2e-9 / 0.15, "{threads} threads: {off:e}");
    }
}
