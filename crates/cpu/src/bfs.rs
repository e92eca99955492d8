use crate::{Options, Recorder};
use std::time::Instant;
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    bfs::{Bfs, BfsAnswer, UNREACHED},
};
use warpgraph_graph::{Graph, NO_VERTEX, Pages};

/// Breadth-first search.
pub fn bfs(graph: &Graph, config: &Bfs, options: &Options) -> Result<BfsAnswer> {
    let prepared = Instant::now();
    let source = config.source.resolve(graph, options.seed, options.run)?;
    let mut recorder = Recorder::start(options, prepared);
    let n = graph.vertices();
    let mut distances = Pages::zeroed(n)?;
    let mut parents = Pages::zeroed(n)?;
    distances.fill(UNREACHED);
    parents.fill(NO_VERTEX);
    distances[source as usize] = 0;
    parents[source as usize] = source;
    let mut frontier = vec![source];
    let mut level = 0;
    while !frontier.is_empty() && config.max_depth.is_none_or(|m| level < m) {
        let mut next = Vec::new();
        for &u in &frontier {
            for &v in graph.out().csr.neighbors(u) {
                if distances[v as usize] == UNREACHED {
                    distances[v as usize] = level + 1;
                    parents[v as usize] = u;
                    next.push(v);
                }
            }
        }
        recorder.step(frontier.len(), Direction::Push, String::new);
        frontier = next;
        level += 1;
        options.control.check("searching")?;
    }
    let run = recorder.finish(Plan::Bsp { direction: options.direction() }, Halted::Converged, 8 * n as u64);
    Ok(BfsAnswer::new(graph, source, config.max_depth, distances, parents, run))
}
