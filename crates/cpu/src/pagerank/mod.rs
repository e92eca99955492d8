//! PageRank by Gauss-Seidel sweeps that pull.
//!
//! A sweep computes `y[v] = (1 - d) t[v] + d * sum of share[u]` over incoming arcs u -> v, where `share[u] = y[u] /
//! out-degree of u`, from whatever shares are there, new or old, and puts the new share in place at once, which halves
//! the sweeps that are needed. Sinks send nothing: dropping their mass and scaling the sum to 1 at the end gives the same
//! ranks as sending it where teleports go, since both solve the same equation up to a factor.
//!
//! Three things make sweeps fewer or cheaper: the sum of ranks is put right after each ([`sweep`]), slow graphs move
//! further than the formula says ([`relax`]), and shares are gathered in the narrowest form the tolerance allows
//! ([`share`]).
//!
//! O(m) work a sweep; memory 2 to 8 bytes a vertex beside the answer.

mod relax;
mod share;
mod sweep;

use crate::{Options, Recorder, parts::atomics};
use rayon::prelude::*;
use relax::Relaxation;
use share::Share;
use std::time::Instant;
use sweep::Sweeper;
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    pagerank::{PageRank, PageRankAnswer},
};
use warpgraph_graph::{Graph, Pages, with_view};

/// The rank of every vertex.
///
/// # Errors
/// When interrupted, when memory is short, or when a personalised vertex is not in the graph.
pub fn pagerank(graph: &Graph, config: &PageRank, options: &Options) -> Result<PageRankAnswer> {
    let prepared = Instant::now();
    graph.incoming()?;
    let mut recorder = Recorder::start(options, prepared);
    let mut ranks = Pages::scratch(graph.vertices())?;
    let teleport = config.teleport(graph)?;
    let uniform = 1.0 / graph.vertices().max(1) as f64;
    ranks
        .par_iter_mut()
        .enumerate()
        .for_each(|(v, rank)| *rank = teleport.as_ref().map_or(uniform, |t| t[v]));
    let problem = Problem { graph, config, teleport: teleport.as_deref(), options };
    let mut ended = Ended { change: 0.0, halted: Some(Halted::Converged) };
    if graph.vertices() > 0 {
        ended = if config.weighted { UNFINISHED } else { problem.sweep::<u16>(&mut ranks, &mut recorder)? };
        if ended.halted.is_none() {
            ended = problem.sweep::<f32>(&mut ranks, &mut recorder)?;
        }
        if ended.halted.is_none() {
            ended = problem.sweep::<f64>(&mut ranks, &mut recorder)?;
        }
        sweep::normalise(&mut ranks);
    }
    let halted = ended.halted.unwrap_or(Halted::MaxIterations);
    let state = 16 * graph.vertices() as u64;
    let run = recorder.finish(Plan::Bsp { direction: Some(Direction::Pull) }, halted, state);
    Ok(PageRankAnswer::new(graph, config, ranks, ended.change, run))
}

/// How sweeping with one width of shares ended.
struct Ended {
    /// The total change of the last sweep.
    change: f64,
    /// The rule that fired; `None` if wider shares must take over.
    halted: Option<Halted>,
}

const UNFINISHED: Ended = Ended { change: f64::INFINITY, halted: None };

/// What all sweeps share.
struct Problem<'a> {
    graph: &'a Graph,
    config: &'a PageRank,
    teleport: Option<&'a [f64]>,
    options: &'a Options,
}

impl Problem<'_> {
    /// Sweeps until a stopping rule fires, or until shares of this width are too coarse to come any nearer.
    fn sweep<S: Share>(&self, ranks: &mut [f64], recorder: &mut Recorder) -> Result<Ended> {
        let (out, incoming) = (self.graph.out(), self.graph.incoming()?);
        let halt = self.config.halt();
        with_view!(out.csr, |o| with_view!(incoming.csr, |i| {
            let mut shares = Pages::<S>::scratch(ranks.len())?;
            let strengths = self.config.weighted.then(|| sweep::strengths(o, &out.weights));
            if size_of::<S>() < 8 && strengths.as_deref().is_some_and(|s| !sweep::are_moderate(s)) {
                return Ok(UNFINISHED);
            }
            let sweeper = Sweeper::new(o, i, &incoming.weights, strengths.as_deref(), self);
            let (ranks, shares) = (atomics(ranks), atomics(&mut shares));
            let mut relaxation = Relaxation::new(!self.graph.is_directed());
            let mut unit = sweeper.spread::<S>(ranks, shares, 1.0);
            let mut change = f64::INFINITY;
            loop {
                if let Some(halted) = halt.after(recorder.rounds(), f64::INFINITY) {
                    return Ok(Ended { change, halted: Some(halted) });
                }
                let error = self.config.damping * S::error(unit, self.graph.arcs());
                if change < 2.0 * error
                    || (2.0 * error > self.config.tolerance && size_of::<S>() == 2 && change < 1.0)
                {
                    return Ok(Ended { change, halted: None });
                }
                self.options.control.check("ranking")?;
                let swept = sweeper.sweep::<S>(ranks, shares, unit, relaxation.factor());
                change = swept.change / swept.sum;
                recorder.step(ranks.len(), Direction::Pull, || {
                    format!("changed by {change:.3e}, {}-bit shares", 8 * size_of::<S>())
                });
                self.options.control.report("pagerank", recorder.rounds(), Some(self.config.max_iterations));
                let is_exact = swept.fits && 2.0 * error <= self.config.tolerance;
                if let Some(halted) =
                    halt.after(recorder.rounds(), if is_exact { change } else { f64::INFINITY })
                {
                    return Ok(Ended { change, halted: Some(halted) });
                }
                relaxation.learn(change);
                unit = sweeper.spread::<S>(ranks, shares, sweeper.balance(&swept));
            }
        }))
    }
}
