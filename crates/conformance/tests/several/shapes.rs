//! Graphs of every shape on any number of simulators: empty parts, more parts than vertices, arcs that all cross.

use std::collections::BTreeSet;
use warpgraph::{
    Answer, Bfs, Device, Engine, Error, Graph, Kcore, Options, Order, PageRank, Sssp, Wcc,
    graph::{Vertex, generate::Spec},
};
use warpgraph_conformance::{devices, fixtures, oracle};
use warpgraph_device::simt::SimtOptions;

fn engine(parts: usize) -> Engine {
    let gpus = (0..parts).map(|_| devices::simulated(SimtOptions::default())).collect();
    Engine::of_several(gpus, Some(1)).unwrap()
}

fn processor() -> Engine {
    Engine::on(Device::Cpu, Some(1)).unwrap()
}

pub(crate) fn graphs_of_every_shape_have_the_same_answers_in_any_number_of_parts() {
    let crossing = Graph::from_edges(
        40,
        &(0..20).flat_map(|u| (20..40).map(move |v| (u, v))).collect::<Vec<_>>(),
        false,
    )
    .unwrap();
    let few = Graph::from_edges(3, &[(0, 2), (2, 1)], true).unwrap();
    let none = Graph::from_edges(5, &[], false).unwrap();
    let named = ["path, directed", "star inwards, undirected", "weighted grid, undirected"];
    let graphs = named.map(|name| fixtures::named(name).graph.clone());
    let graphs = graphs.into_iter().chain([crossing, few, none]);
    for (graph, parts) in graphs.flat_map(|graph| [2, 3, 4, 7].map(|parts| (graph.clone(), parts))) {
        let at = format!("{} vertices in {parts} parts", graph.vertices());
        let engine = engine(parts);
        let loaded = engine.load(&graph, Order::Natural).unwrap();
        for source in BTreeSet::from([0, graph.vertices() as Vertex - 1]) {
            let found = loaded.bfs(Bfs::from(source)).run().unwrap();
            let expected = oracle::bfs(&graph, source, None);
            let distances: Vec<u32> = expected.iter().map(|d| d.unwrap_or(u32::MAX)).collect();
            assert_eq!(found.distances(), distances, "{at} from {source}");
            found.verify(&graph).unwrap_or_else(|violation| panic!("{at}: {violation}"));
            let found = loaded.sssp(Sssp::from(source)).run().unwrap();
            found.verify(&graph).unwrap_or_else(|violation| panic!("{at}: {violation}"));
        }
        let found = loaded.wcc(Wcc::default()).run().unwrap();
        assert_eq!(found.components(), oracle::wcc(&graph), "{at}");
        let ranks = loaded.pagerank(PageRank::default()).run().unwrap();
        ranks.verify(&graph).unwrap_or_else(|violation| panic!("{at}: {violation}"));
        assert_eq!(ranks.run().device.to_string(), format!("simt:{parts}"));
    }
}

pub(crate) fn orders_and_plans_do_not_change_answers() {
    let spec: Spec = "kron:9,w=1..9".parse().unwrap();
    let graph = spec.generate(&Default::default()).unwrap();
    let one = processor().load(&graph, Order::Natural).unwrap();
    let (bfs, sssp) = (Bfs::default(), Sssp::default());
    let hops = one.bfs(bfs.clone()).run().unwrap();
    let lengths = one.sssp(sssp.clone()).run().unwrap();
    let engine = engine(3);
    for order in [Order::Natural, Order::Degree, Order::Random, Order::Rcm] {
        let loaded = engine.load(&graph, order).unwrap();
        for plan in ["auto", "push", "pull", "tiled", "push+node", "edge", "split", "resident"] {
            let found = loaded.bfs(bfs.clone()).plan(plan.parse().unwrap()).run().unwrap();
            assert_eq!(found.distances(), hops.distances(), "{order} {plan}");
            found.verify(&graph).unwrap();
            let found = loaded.sssp(sssp.clone()).plan(plan.parse().unwrap()).run().unwrap();
            assert_eq!(
                format!("{:?}", found.distances()),
                format!("{:?}", lengths.distances()),
                "{order} {plan}"
            );
        }
    }
}

pub(crate) fn what_several_devices_cannot_do_is_refused() {
    let graph = Graph::from_edges(4, &[(0, 1), (2, 3)], false).unwrap();
    let loaded = engine(2).load(&graph, Order::Natural).unwrap();
    let said = |error: Error| (error.to_string(), error.help().unwrap_or_default());
    let (what, help) = said(loaded.kcore(Kcore::default()).run().unwrap_err());
    assert_eq!(
        what,
        "kcore on simt:2 cannot run: only programs run on several GPUs, and it is none: one value per vertex, one monoid"
    );
    assert!(help.contains("bfs, sssp, wcc, pagerank, adsorption and programs"), "{help}");
    for (plan, why) in [
        ("paths", "several GPUs exchange values between supersteps"),
        ("zero-copy", "the edges of a part are in the memory of its GPU"),
        ("push+edge(condensing=off)", "a superstep may work on a vertex only once"),
    ] {
        let (what, _) = said(loaded.bfs(Bfs::from(0)).plan(plan.parse().unwrap()).run().unwrap_err());
        assert!(what.contains(why), "{plan}: {what}");
    }
    let (what, _) =
        said(loaded.pagerank(PageRank::default()).plan("push".parse().unwrap()).run().unwrap_err());
    assert!(what.contains("sums are pulled"), "{what}");
}

pub(crate) fn the_report_says_what_was_exchanged() {
    let spec: Spec = "grid:20x20".parse().unwrap();
    let graph = spec.generate(&Default::default()).unwrap();
    let loaded = engine(4).load(&graph, Order::Natural).unwrap();
    let question = warpgraph::find("bfs").unwrap().question(serde_json::json!({"source": 0})).unwrap();
    let options = Options { trace: true, ..Options::default() };
    let (answer, _) = loaded.ask(&*question, &options).unwrap();
    let run = answer.run();
    let parts = run.parts.unwrap();
    assert_eq!((parts.parts, parts.moved), (4, false));
    // Each of the three borders has 20 vertices on either side; a value is at most 8 bytes, a place 4, and a frontier that
    // pulls has a bit more.
    assert!((3 * 20 * 8..3 * 40 * 60).contains(&parts.sent), "{} bytes", parts.sent);
    assert!(parts.imbalance >= 1.0);
    assert_eq!(run.trace.len() as u64, run.rounds);
    assert_eq!(run.trace.iter().map(|step| step.frontier).sum::<u64>(), 400, "frontiers of all parts");
}
