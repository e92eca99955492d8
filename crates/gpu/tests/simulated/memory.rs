//! What a run takes of a device's memory is known before: never more than [`bytes_needed`] says, and not much less.

use warpgraph_core::{
    Answer, Options, adsorption::Adsorption, bc::Bc, bfs::Bfs, closeness::Closeness, kcore::Kcore,
    label_propagation::LabelPropagation, mst::Mst, pagerank::PageRank, scc::Scc, sssp::Sssp,
    triangles::Triangles, wcc::Wcc,
};
use warpgraph_device::{
    Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_gpu::{DeviceGraph, OnGpu, Outline, bytes_ahead, bytes_needed};
use warpgraph_graph::{Control, generate::Spec};

#[test]
fn no_run_takes_more_than_was_said() {
    let plans = [
        "auto",
        "push+node",
        "push+workload",
        "pull+node",
        "pull+workload",
        "push+edge",
        "push+split",
        "push+split(mdt=2)",
        "push+hierarchical",
        "push+tiled",
        "pull+tiled",
        "push+resident",
        "push+resident(min=8)",
    ];
    for spec in [
        "uniform:11,degree=3,w=1..9",
        "uniform:10,degree=20,directed",
        "kron:9,directed,w=1..9",
        // Labels are weighed in the order of weights whose sums pass 2^32.
        "kron:8,directed,w=1..2000000000",
    ] {
        let graph = Spec::parse(spec).unwrap().generate(&Control::new()).unwrap();
        for plan in plans {
            let options = Options { plan: plan.parse().unwrap(), ..Options::default() };
            let both_ways = Options {
                plan: plan.replace("push+", "").replace("pull+", "").parse().unwrap(),
                ..Options::default()
            };
            let weighted = graph.weight_range().is_some();
            macro_rules! takes {
                ($name:ident, $config:expr, $options:expr) => {
                    let gpu = Simt::open(&Settings::default(), SimtOptions::default()).unwrap();
                    let device_graph = DeviceGraph::new(&gpu, &graph);
                    let answer = warpgraph_gpu::$name(&device_graph, &$config, $options).unwrap();
                    let peak = gpu.memory().unwrap().peak;
                    let bytes = bytes_needed(&graph, &$config, $options);
                    let (said, extra) = (bytes.total(), bytes.extra);
                    assert!(
                        peak <= said + extra,
                        "{} on {spec} by {plan}: {peak} bytes, {said} and {extra} were said",
                        stringify!($name)
                    );
                    assert!(
                        said <= 2 * peak,
                        "{} on {spec} by {plan}: {peak} bytes, {said} were said",
                        stringify!($name)
                    );
                    assert_eq!(answer.run().device_bytes, peak);
                };
            }
            takes!(bfs, Bfs::from(0), &options);
            takes!(sssp, Sssp::from(0), &options);
            takes!(wcc, Wcc {}, &options);
            takes!(pagerank, PageRank { weighted, ..PageRank::default() }, &options);
            takes!(adsorption, Adsorption { weighted, ..Adsorption::default() }, &options);
            takes!(bc, Bc { weighted, ..Bc::default().source(0) }, &both_ways);
            takes!(scc, Scc::default(), &both_ways);
            takes!(kcore, Kcore {}, &both_ways);
            takes!(
                label_propagation,
                LabelPropagation { weighted, ..LabelPropagation::default() },
                &both_ways
            );
            takes!(closeness, Closeness::default(), &both_ways);
            if plan == "auto" {
                takes!(mst, Mst::default(), &options);
                takes!(triangles, Triangles::default(), &options);
                takes!(triangles, Triangles::local(), &options);
            }
        }
    }
}

#[test]
fn an_outline_says_what_its_graph_does() {
    fn said<A: OnGpu>(spec: &str) {
        let graph = Spec::parse(spec).unwrap().generate(&Control::new()).unwrap();
        let (config, options) = (A::usual(), Options::default());
        let ahead = bytes_ahead(&Outline::of(&graph), &config, &options);
        assert_eq!(ahead, bytes_needed(&graph, &config, &options), "{} on {spec}", A::NAME);
        assert!(ahead.rest < ahead.least() && ahead.least() <= ahead.total(), "{} on {spec}", A::NAME);
    }
    macro_rules! of_all {
        ($($module:ident: $config:ident -> $answer:ident;)*) => {
            for spec in ["kron:9", "kron:9,w=1..9", "uniform:10,degree=20,directed", "kron:8,directed,w=1..2000000000"] {
                $(said::<warpgraph_core::$module::$config>(spec);)*
            }
        };
    }
    warpgraph_core::for_each_algorithm!(of_all);
}
