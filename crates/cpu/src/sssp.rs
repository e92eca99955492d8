use crate::{Options, Recorder};
use std::time::Instant;
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    sssp::{Distance, Distances, Sssp, SsspAnswer},
};
use warpgraph_graph::{Graph, Pages, Vertex};

/// Shortest paths.
pub fn sssp(graph: &Graph, config: &Sssp, options: &Options) -> Result<SsspAnswer> {
    let prepared = Instant::now();
    let source = config.source.resolve(graph, options.seed, options.run)?;
    let mut recorder = Recorder::start(options, prepared);
    let n = graph.vertices();
    let mut d = Pages::<f64>::zeroed(n)?;
    d.fill(f64::UNREACHED);
    d[source as usize] = 0.0;
    let mut changed = true;
    while changed {
        changed = false;
        for u in 0..n as Vertex {
            for i in graph.out().csr.arcs_of(u) {
                let v = graph.out().csr.targets()[i] as usize;
                let new = d[u as usize] + graph.out().weights.get(i);
                if new < d[v] {
                    d[v] = new;
                    changed = true;
                }
            }
        }
        recorder.step(n, Direction::Push, String::new);
        options.control.check("searching")?;
    }
    let run =
        recorder.finish(Plan::Bsp { direction: Some(Direction::Push) }, Halted::Converged, 8 * n as u64);
    Ok(SsspAnswer::new(graph, source, Distances::F64(d), run))
}
