//! Graphs of more than 2^32 arcs do not fit a test, but their 64-bit offsets do: every algorithm gives the same answer on
//! a small graph whose offsets are wide.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use warpgraph::{
    Answer, Bc, Bfs, Closeness, Control, Engine, Kcore, LabelPropagation, Mst, Order, PageRank, Scc, Sssp,
    Triangles, Wcc, graph::generate::Spec,
};
use warpgraph_conformance::fixtures::widened;

#[test]
fn answers_do_not_depend_on_the_width_of_offsets() {
    for spec in [
        "kron:10,w=1..9",
        "kron:11,directed,w=1..9",
        "powerlaw:3000,alpha=1.9,w=1..9",
        "grid:40x40,drop=0.1,w=1..9",
    ] {
        let narrow = spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
        let wide = widened(&narrow);
        let engine = Engine::auto().unwrap();
        let [a, b] = [&narrow, &wide].map(|graph| engine.load(graph, Order::Natural).unwrap());
        for plan in ["auto", "push", "pull"] {
            let [x, y] = [&a, &b].map(|g| g.bfs(Bfs::default()).plan(plan.parse().unwrap()).run().unwrap());
            assert_eq!(x.distances(), y.distances(), "{spec} {plan}");
            y.verify(&wide).unwrap();
        }
        let [x, y] = [&a, &b].map(|g| g.sssp(Sssp::default()).run().unwrap());
        assert_eq!(x.summary(), y.summary(), "{spec}");
        y.verify(&wide).unwrap();
        let [x, y] = [&a, &b].map(|g| g.wcc(Wcc {}).run().unwrap());
        assert_eq!(x.components(), y.components(), "{spec}");
        y.verify(&wide).unwrap();
        let [x, y] = [&a, &b].map(|g| g.triangles(Triangles::local()).run().unwrap());
        assert_eq!(x.figures(), y.figures(), "{spec}");
        y.verify(&wide).unwrap();
        let [x, y] = [&a, &b].map(|g| g.kcore(Kcore {}).run().unwrap());
        assert_eq!(x.cores(), y.cores(), "{spec}");
        let [x, y] = [&a, &b].map(|g| g.scc(Scc {}).run().unwrap());
        assert_eq!(x.components(), y.components(), "{spec}");
        y.verify(&wide).unwrap();
        let [x, y] = [&a, &b].map(|g| g.mst(Mst {}).run().unwrap());
        assert!(x.edges().eq(y.edges()), "{spec}");
        y.verify(&wide).unwrap();
        let [x, y] = [&a, &b].map(|g| g.label_propagation(LabelPropagation::default()).run().unwrap());
        assert_eq!(x.labels(), y.labels(), "{spec}");
        for config in [Bc::default().sources(9), Bc::default().sources(2).weighted()] {
            let [x, y] = [&a, &b].map(|g| g.bc(config.clone()).seed(1, 0).run().unwrap());
            assert_eq!(x.scores(), y.scores(), "{spec}");
            y.verify(&wide).unwrap();
        }
        let [x, y] = [&a, &b].map(|g| g.closeness(Closeness::default().sources(200)).run().unwrap());
        assert_eq!(x.summary(), y.summary(), "{spec}");
        y.verify(&wide).unwrap();
        b.pagerank(PageRank::default().tolerance(1e-9)).run().unwrap().verify(&wide).unwrap();
        let weighted = PageRank { weighted: true, ..PageRank::default() };
        b.pagerank(weighted).run().unwrap().verify(&wide).unwrap();
    }
}

#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn answers_of_the_simulator_do_not_depend_on_it_either() {
    use warpgraph::{Adsorption, Plan};
    use warpgraph_device::{
        Settings,
        simt::{Simt, SimtOptions},
    };
    let engine = Engine::of(Simt::open(&Settings::default(), SimtOptions::default()).unwrap(), None).unwrap();
    for spec in ["kron:7,w=1..9", "kron:8,directed,w=1..9"] {
        let narrow = spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
        let wide = widened(&narrow);
        let [a, b] = [&narrow, &wide].map(|graph| engine.load(graph, Order::Natural).unwrap());
        for plan in ["push+node", "push+workload", "pull+node", "pull+workload"] {
            let plan: Plan = plan.parse().unwrap();
            let [x, y] = [&a, &b].map(|g| g.bfs(Bfs::default()).plan(plan).run().unwrap());
            assert_eq!((x.distances(), x.parents()), (y.distances(), y.parents()), "{spec} {plan}");
            let [x, y] = [&a, &b].map(|g| g.sssp(Sssp::default()).plan(plan).run().unwrap());
            assert_eq!(x.summary(), y.summary(), "{spec} {plan}");
            let [x, y] = [&a, &b].map(|g| g.wcc(Wcc {}).plan(plan).run().unwrap());
            assert_eq!(x.components(), y.components(), "{spec} {plan}");
            b.pagerank(PageRank::default()).plan(plan).run().unwrap().verify(&wide).unwrap();
            b.adsorption(Adsorption::default()).plan(plan).run().unwrap().verify(&wide).unwrap();
        }
        let [x, y] = [&a, &b].map(|g| g.triangles(Triangles::local()).run().unwrap());
        assert_eq!(x.figures(), y.figures(), "{spec}");
        y.verify(&wide).unwrap();
        let [x, y] = [&a, &b].map(|g| g.mst(Mst {}).run().unwrap());
        assert!(x.edges().eq(y.edges()), "{spec}");
        y.verify(&wide).unwrap();
        for plan in ["node", "workload"] {
            for config in [Bc::default().sources(3), Bc::default().sources(2).weighted()] {
                b.bc(config).plan(plan.parse().unwrap()).run().unwrap().verify(&wide).unwrap();
            }
        }
    }
}
