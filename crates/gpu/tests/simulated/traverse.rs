//! Searches from many sources at once: the simulated GPU finds every vertex with the sources and at the depths that the
//! processor finds it.

use std::sync::Mutex;
use warpgraph_device::{
    Settings,
    simt::{Simt, SimtOptions},
};
use warpgraph_gpu::{DeviceGraph, traverse, traverse_bytes};
use warpgraph_graph::{Control, Graph, Vertex, generate::Spec};

type Found = Vec<(Vertex, u32, u64)>;

/// All that is reached, sorted.
fn collect(search: impl FnOnce(&(dyn Fn(Vertex, u32, u64) + Sync))) -> Found {
    let found = Mutex::new(Vec::new());
    search(&|v, depth, new| found.lock().unwrap().push((v, depth, new)));
    let mut found = found.into_inner().unwrap();
    found.sort_unstable();
    found
}

/// By definition: one search after another.
fn one_by_one(graph: &Graph, sources: &[Vertex]) -> Found {
    let mut found = std::collections::BTreeMap::new();
    for (i, &source) in sources.iter().enumerate() {
        let mut seen = vec![false; graph.vertices()];
        seen[source as usize] = true;
        let (mut front, mut depth) = (vec![source], 0);
        while !front.is_empty() {
            depth += 1;
            let mut next = Vec::new();
            for &v in front.iter().flat_map(|&u| graph.out().csr.neighbors(u)) {
                if !std::mem::replace(&mut seen[v as usize], true) {
                    next.push(v);
                    *found.entry((v, depth)).or_insert(0) |= 1 << i;
                }
            }
            front = next;
        }
    }
    found.into_iter().map(|((v, depth), sources)| (v, depth, sources)).collect()
}

#[test]
fn everyone_is_found_by_the_same_sources_at_the_same_depths() {
    for (spec, count) in [("kron:8", 64), ("kron:8,directed", 3), ("grid:12x30", 33), ("powerlaw:400", 1)] {
        let graph = Spec::parse(spec).unwrap().generate(&Control::new()).unwrap();
        // No more than is said to be needed.
        let budget = Some(traverse_bytes(&graph).total());
        let settings = Settings { memory_budget: budget, ..Settings::default() };
        let device_graph = DeviceGraph::new(&Simt::open(&settings, SimtOptions::default()).unwrap(), &graph);
        let sources: Vec<Vertex> = (0..count).map(|i| i * (graph.vertices() as Vertex / count)).collect();
        let got = collect(|reach| traverse(&device_graph, &sources, &Control::new(), reach).unwrap());
        assert_eq!(got, one_by_one(&graph, &sources), "{spec}");
    }
}

#[test]
fn searches_stop_when_asked_to() {
    let graph = Spec::parse("grid:30x30").unwrap().generate(&Control::new()).unwrap();
    let gpu = Simt::open(&Settings::default(), SimtOptions::default()).unwrap();
    let control = Control::new();
    let stop = |_: Vertex, depth: u32, _: u64| {
        if depth == 3 {
            control.cancel();
        }
        assert!(depth <= 4, "went on to {depth}");
    };
    let error = traverse(&DeviceGraph::new(&gpu, &graph), &[0, 5], &control, &stop).unwrap_err();
    assert_eq!(error.to_string(), "interrupted while searching");
}
