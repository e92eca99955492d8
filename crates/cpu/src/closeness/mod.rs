//! Closeness, harmonic centrality and eccentricity: one batch of searches after another, against the arcs.
//!
//! Sources that are close together share a batch ([`near`](mod@near)), which saves most of the work where distances are long.
//!
//! All three follow from the number of vertices that a source has at each distance, so a batch counts only these
//! ([`Tally`]). If the question allows an error, searches along the arcs from some vertices estimate the values of all
//! ([`sampled`]).

mod near;
mod sampled;

use crate::{
    Options, Recorder,
    batch::{Batch, Lanes, Tally},
    parts::team,
};
use std::time::Instant;
use warpgraph_core::{
    Accuracy, Answer as _, Direction, Halted, Plan, Result,
    closeness::{
        Closeness, ClosenessAnswer, Distances,
        sampling::{NO_FEWER, OF, Sampling},
    },
};
use warpgraph_graph::{Graph, Vertex, with_views};

/// From this many sources on, sets are [`WIDE`].
const MANY: usize = 129;
/// The words of a wide set.
const WIDE: usize = 4;

/// Computes how close every source is to the vertices that reach it.
///
/// # Errors
/// If interrupted, if memory is short, or if a source is not in the graph.
pub fn closeness(graph: &Graph, config: &Closeness, options: &Options) -> Result<ClosenessAnswer> {
    match (config.max_error, Sampling::new(config, graph.vertices())) {
        (None, _) => exact(graph, config, options),
        (Some(_), Some(sampling)) => sampled::closeness(graph, &sampling, options),
        (Some(asked), None) => {
            let mut answer = exact(graph, config, options)?;
            answer.run_mut().accuracy = Some(Accuracy::exact(OF, asked, NO_FEWER));
            Ok(answer)
        }
    }
}

fn exact(graph: &Graph, config: &Closeness, options: &Options) -> Result<ClosenessAnswer> {
    let prepared = Instant::now();
    let chosen = config.resolve(graph, options.seed, options.run)?;
    let incoming = graph.incoming()?;
    let mut recorder = Recorder::start(options, prepared);
    options.control.check("searching")?;
    let n = graph.vertices();
    let mut sources: Vec<Vertex> = chosen.clone().unwrap_or_else(|| (0..n as Vertex).collect());
    let mut distances = Distances::none(n)?;
    sources.iter().for_each(|&s| distances.add(s, 0, 0));
    // No vertex reaches the others.
    let is_reached = |s: Vertex| incoming.csr.degree(s) > 0;
    sources = match chosen {
        None => near::near(&incoming.csr, 64 * WIDE, is_reached),
        Some(_) => sources.into_iter().filter(|&s| is_reached(s)).collect(),
    };
    let mut task = Task { graph, options, recorder: &mut recorder, distances: &mut distances };
    let bytes = if sources.len() < MANY {
        task.run::<[u64; 1]>(&sources)?
    } else {
        task.run::<[u64; WIDE]>(&sources)?
    };
    let run = recorder.finish(Plan::bsp(None), Halted::Converged, bytes + 24 * n as u64);
    Ok(ClosenessAnswer::new(graph, chosen, distances, run))
}

struct Task<'a> {
    graph: &'a Graph,
    options: &'a Options,
    recorder: &'a mut Recorder,
    distances: &'a mut Distances,
}

impl Task<'_> {
    /// Searches from all sources and returns the bytes of the arrays.
    fn run<L: Lanes>(&mut self, sources: &[Vertex]) -> Result<u64> {
        let (out, incoming) = (self.graph.out(), self.graph.incoming()?);
        let total = sources.len();
        let mut done = 0;
        with_views!(incoming.csr, out.csr, |ahead, behind| {
            let mut batch = Batch::<_, _, L>::new(ahead, behind)?;
            team(|team| {
                for sources in sources.chunks(64 * L::WORDS) {
                    let reach = |tally: &mut Tally<L>, _: Vertex, new: L| tally.add(new);
                    let distances = &mut *self.distances;
                    let depth =
                        batch.run(team, sources, &self.options.control, reach, |depth, tallies| {
                            let mut counts = vec![0; 64 * L::WORDS];
                            tallies.for_each(|tally| tally.take(&mut counts));
                            sources
                                .iter()
                                .zip(&counts)
                                .for_each(|(&s, &count)| distances.add(s, depth, count));
                        })?;
                    done += sources.len();
                    self.recorder.step(sources.len(), Direction::Pull, || format!("{depth} levels"));
                    self.options.control.report("closeness", done as u64, Some(total as u64));
                }
                Ok(batch.bytes())
            })
        })
    }
}
