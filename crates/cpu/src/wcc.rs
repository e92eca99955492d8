use crate::{Options, Recorder};
use std::time::Instant;
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    wcc::{Wcc, WccAnswer},
};
use warpgraph_graph::{Graph, Pages, Vertex};

/// Weakly connected components.
pub fn wcc(graph: &Graph, _: &Wcc, options: &Options) -> Result<WccAnswer> {
    let mut recorder = Recorder::start(options, Instant::now());
    let n = graph.vertices();
    let mut c = Pages::<Vertex>::zeroed(n)?;
    (0..n).for_each(|v| c[v] = v as Vertex);
    let mut changed = true;
    while changed {
        changed = false;
        for u in 0..n as Vertex {
            for &v in graph.out().csr.neighbors(u) {
                let least = c[u as usize].min(c[v as usize]);
                changed |= c[u as usize] != least || c[v as usize] != least;
                c[u as usize] = least;
                c[v as usize] = least;
            }
        }
        recorder.step(n, Direction::Push, String::new);
    }
    let run = recorder.finish(Plan::Bsp { direction: None }, Halted::Converged, 4 * n as u64);
    Ok(WccAnswer::new(graph, c, run))
}
