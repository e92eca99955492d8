//! Chunks: iterating them changes no answer, and saves supersteps.

use crate::{
    Place,
    graphs::{cases, chunks, weighing},
    programs::{Applied, Least},
};
use std::sync::Arc;
use warpgraph_core::{
    Answer, Chunks, Options,
    program::library::{HopTree, Hops, ShortestPaths, WidestPaths},
};
use warpgraph_gpu::{DeviceGraph, program};

pub(crate) fn iterating_chunks_changes_no_answer(place: Place) {
    for case in cases(place) {
        let chunks = chunks(&case.inner, |v| case.is_master(v));
        for plan in ["push+node", "pull+node", "push+edge(condensing=off)"] {
            macro_rules! same {
                ($($asked:expr),*) => {$(
                    let asked = Arc::new($asked);
                    let [expected, got] = case.both(&asked, plan, Some(&chunks));
                    assert_eq!(got, expected, "{plan}, graph {}", case.seed);
                )*};
            }
            same!(
                ShortestPaths::<u32>::from(3),
                ShortestPaths::<f64>::from(3),
                WidestPaths::<f32>::from(3),
                HopTree { source: 3, limit: u32::MAX },
                // These go on as without chunks.
                Hops::from(3),
                Applied
            );
        }
    }
}

pub(crate) fn chunks_are_iterated_before_the_first_superstep_and_save_some(place: Place) {
    // A path through three chunks, of which one is as large as chunks may be.
    let n = 1100u32;
    let edges: Vec<_> = (1..n).map(|v| (v - 1, v, 1)).collect();
    let graph = weighing(n as usize, &edges);
    let mut chunks = Chunks::default();
    chunks.push(&(0..10).collect::<Vec<_>>());
    chunks.push(&(10..10 + Chunks::MOST as u32).rev().collect::<Vec<_>>());
    chunks.push(&(10 + Chunks::MOST as u32..n).collect::<Vec<_>>());
    let device_graph = DeviceGraph::new(&(place.open)(9), &graph);
    let options = |chunks| Options { plan: "push+node".parse().unwrap(), chunks, ..Options::default() };
    let (without, with) = (options(None), options(Some(Arc::new(chunks))));
    let asked = Arc::new(ShortestPaths::<u32>::from(0));
    let [plain, chunked] = [&without, &with].map(|options| program(&device_graph, &asked, options).unwrap());
    assert_eq!(chunked.values(), plain.values());
    let [many, few] = [&plain, &chunked].map(|answer| answer.run().rounds);
    assert!(few < many / 10, "{few} supersteps, {many} without chunks");
    let asked = Arc::new(Least);
    let [plain, chunked] = [&without, &with].map(|options| program(&device_graph, &asked, options).unwrap());
    assert_eq!(chunked.values(), plain.values());
}
