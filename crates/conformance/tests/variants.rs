//! The table of variants is what is launched: a module outside of it would not be compiled by the test that compiles all.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};
use warpgraph::{
    Adsorption, Bc, Bfs, Control, Engine, Graph, Loaded, Order, PageRank, Plan, Settings, Sssp,
    VertexProgram, Wcc,
    graph::{Arcs, Csr, Offsets, Weights, generate::Spec},
    program::library::{Components, HopTree, Hops, Ranks, Reach, ShortestPaths, WidestPaths},
};
use warpgraph_device::simt::{Simt, SimtOptions};

/// The same graph with offsets of 64 bits.
fn widened(graph: &Graph) -> Graph {
    let out = graph.out();
    let offsets: Vec<u64> = (0..=graph.vertices()).map(|v| out.csr.offsets().get(v) as u64).collect();
    let csr = Csr::new(Offsets::Wide(offsets.into()), out.csr.targets().clone(), "wide").unwrap();
    let arcs = Arcs { csr, weights: out.weights.clone() };
    Graph::new(arcs, graph.is_directed(), graph.ids().clone(), graph.origin().clone()).unwrap()
}

/// The same graph with weights of another type.
fn weighed(graph: &Graph, weights: Weights) -> Graph {
    let arcs = Arcs { csr: graph.out().csr.clone(), weights };
    Graph::new(arcs, graph.is_directed(), graph.ids().clone(), graph.origin().clone()).unwrap()
}

/// A graph for every type of weights, and one whose sums of whole weights need 64 bits.
fn graphs() -> Vec<Graph> {
    let graph = "uniform:4,degree=2,directed".parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
    let m = graph.arcs();
    let narrow = [
        weighed(&graph, Weights::None),
        weighed(&graph, Weights::U32(vec![3; m].into())),
        weighed(&graph, Weights::U32(vec![u32::MAX; m].into())),
        weighed(&graph, Weights::I32(vec![3; m].into())),
        weighed(&graph, Weights::I32(vec![i32::MAX; m].into())),
        weighed(
            &graph,
            Weights::I32(
                (0..m as i32).map(|arc| if arc == 0 { -1 } else { 2000 }).collect::<Vec<_>>().into(),
            ),
        ),
        weighed(&graph, Weights::F32(vec![0.5; m].into())),
        weighed(&graph, Weights::F64(vec![0.5; m].into())),
    ];
    narrow.iter().map(widened).chain(narrow.iter().cloned()).collect()
}

fn program<P: VertexProgram + Clone>(loaded: &Loaded, program: &P, plan: Plan) {
    // Some refuse the type of the weights, or a sum the direction.
    let _ = loaded.program(program.clone()).plan(plan).run();
}

fn launch_all(loaded: &Loaded) {
    let graph = loaded.graph();
    let (weighted, n) = (graph.weight_range().is_some_and(|(least, _)| least >= 0.0), graph.vertices());
    let halt = warpgraph::Halt::rounds(2);
    for plan in
        ["push+node", "push+workload", "pull+node", "pull+workload"].map(|plan| plan.parse::<Plan>().unwrap())
    {
        loaded.bfs(Bfs::from(0)).plan(plan).run().unwrap();
        loaded.sssp(Sssp::from(0)).plan(plan).run().unwrap();
        loaded.wcc(Wcc {}).plan(plan).run().unwrap();
        for weighted in [false, weighted] {
            let ranks = PageRank { weighted, max_iterations: 2, ..PageRank::default() };
            loaded.pagerank(ranks).plan(plan).run().unwrap();
            let labels = Adsorption { weighted, max_iterations: 2, ..Adsorption::default() };
            loaded.adsorption(labels).plan(plan).run().unwrap();
            let balance = Plan::Bsp { direction: None, balance: plan.balance() };
            loaded.bc(Bc { weighted, ..Bc::default().source(0) }).plan(balance).run().unwrap();
        }
        program(loaded, &HopTree { source: 0, limit: 9 }, plan);
        program(loaded, &Hops::from(0), plan);
        program(loaded, &Reach::from([0], n), plan);
        program(loaded, &ShortestPaths::<u32>::from(0), plan);
        program(loaded, &ShortestPaths::<i32>::from(0), plan);
        program(loaded, &ShortestPaths::<u64>::from(0), plan);
        program(loaded, &ShortestPaths::<f32>::from(0), plan);
        program(loaded, &ShortestPaths::<f64>::from(0), plan);
        program(loaded, &WidestPaths::<f32>::from(0), plan);
        program(loaded, &WidestPaths::<f64>::from(0), plan);
        program(loaded, &Components {}, plan);
        program(loaded, &Ranks::<f32>::of(graph, 0.85, halt), plan);
        program(loaded, &Ranks::<f64>::of(graph, 0.85, halt), plan);
    }
}

#[test]
fn what_is_launched_is_in_the_table_and_all_of_the_table_is_launched() {
    let folder = std::env::temp_dir().join(format!("warpgraph-variants-{}", std::process::id()));
    let settings = Settings { keep_kernels: Some(folder.clone()), ..Settings::default() };
    let engine = Engine::of(Simt::open(&settings, SimtOptions::default()).unwrap(), None).unwrap();
    for graph in graphs() {
        launch_all(&engine.load(&graph, Order::Natural).unwrap());
    }
    let table: BTreeMap<String, String> =
        warpgraph_gpu::variants::all().unwrap().iter().map(|s| (s.name.clone(), s.text.clone())).collect();
    let mut launched = BTreeSet::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(
            table.get(&name).is_some_and(|known| text.contains(known.as_str())),
            "{name} is not in the table"
        );
        launched.insert(name);
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let never: Vec<&String> = table.keys().filter(|name| !launched.contains(*name)).collect();
    assert!(never.is_empty(), "in the table, and never launched: {never:?}");
}

#[test]
fn other_parameters_need_no_other_kernels() {
    let compiled = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&compiled);
    let tell = move |name: &str| heard.lock().unwrap().push(name.to_owned());
    let cache = std::env::temp_dir().join(format!("warpgraph-parameters-{}", std::process::id()));
    let settings =
        Settings { cache: Some(cache.clone()), compiling: Some(Arc::new(tell)), ..Settings::default() };
    let engine = Engine::of(Simt::open(&settings, SimtOptions::default()).unwrap(), None).unwrap();
    let graph = Graph::from_edges(3, &[(0, 1), (1, 2)], false).unwrap();
    let loaded = engine.load(&graph, Order::Natural).unwrap();
    let hops = |source, limit| {
        loaded
            .program(Hops { source, limit })
            .plan("push+node".parse().unwrap())
            .run()
            .unwrap()
            .into_values()
            .to_vec()
    };
    assert_eq!(hops(0, 9), [0, 1, 2]);
    let first = compiled.lock().unwrap().len();
    assert!(first > 0, "a cold cache");
    assert_eq!((hops(2, 9), hops(1, 0)), (vec![2, 1, 0], vec![u32::MAX, 0, u32::MAX]));
    assert_eq!(compiled.lock().unwrap().len(), first, "{:?}", compiled.lock().unwrap());
    std::fs::remove_dir_all(&cache).unwrap();
}
