use crate::{Options, Recorder};
use std::time::Instant;
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    pagerank::{PageRank, PageRankAnswer},
};
use warpgraph_graph::{Graph, Pages, Vertex};

/// PageRank.
pub fn pagerank(graph: &Graph, config: &PageRank, options: &Options) -> Result<PageRankAnswer> {
    let prepared = Instant::now();
    let incoming = graph.incoming()?;
    let mut recorder = Recorder::start(options, prepared);
    let n = graph.vertices();
    let mut x = Pages::<f64>::zeroed(n)?;
    x.fill(1.0 / n as f64);
    let t = config.teleport(graph)?;
    let (mut residual, mut halted) = (0.0, Halted::Converged);
    while n > 0 {
        let strength = |u: usize| {
            let out = graph.out();
            if config.weighted {
                out.csr.arcs_of(u as Vertex).map(|i| out.weights.get(i)).sum()
            } else {
                out.csr.degree(u as Vertex) as f64
            }
        };
        let sunk: f64 = (0..n).filter(|&u| strength(u) == 0.0).map(|u| x[u]).sum();
        let next: Vec<f64> = (0..n)
            .map(|v| {
                let sum: f64 = incoming
                    .csr
                    .arcs_of(v as Vertex)
                    .map(|i| {
                        let u = incoming.csr.targets()[i] as usize;
                        x[u] * if config.weighted { incoming.weights.get(i) } else { 1.0 } / strength(u)
                    })
                    .sum();
                let tv = t.as_ref().map_or(1.0 / n as f64, |t| t[v]);
                config.damping * (sum + tv * sunk) + (1.0 - config.damping) * tv
            })
            .collect();
        residual = x.iter().zip(&next).map(|(a, b)| (a - b).abs()).sum();
        x.copy_from_slice(&next);
        recorder.step(n, Direction::Pull, || format!("changed {residual:e}"));
        options.control.check("ranking")?;
        if let Some(h) = config.halt().after(recorder.rounds(), residual) {
            halted = h;
            break;
        }
    }
    let run = recorder.finish(Plan::Bsp { direction: Some(Direction::Pull) }, halted, 8 * n as u64);
    Ok(PageRankAnswer::new(graph, config, x, residual, run))
}
