//! Betweenness centrality: Brandes' algorithm, in the form that suits the graph.
//!
//! - [`sweep`]: on graphs with few levels, a batch of up to eight sources traverses the graph at once, with all threads
//!   on each level. The values of a vertex for all sources share one cache line, so one gather serves them all.
//! - [`walk`]: where levels are many and narrow, each thread takes one source after another and does not wait for
//!   others.
//! - [`weighted`]: the same in Dijkstra's order.
//!
//! - [`sampled`]: random shortest paths, if the question allows an error.
//!
//! An exact run begins with sweeps. It switches to walks when a search turns out to be deep with narrow levels, when the
//! searches of a batch do not overlap, or when path counts exceed the range of f64 (walks carry an exponent). No sum
//! uses atomics: the dependencies of one source or batch are summed in a fixed order, and those of different ones in
//! the order of the sources ([`ledger`]). So the bits do not depend on the number of threads.

mod ledger;
mod row;
mod sampled;
mod sweep;
mod walk;
mod weighted;

use crate::{Options, Recorder, parts::team};
use ledger::Ledger;
use row::Row;
use std::time::Instant;
use sweep::Sweep;
use walk::Walker;
use warpgraph_core::{
    Halted, Plan, Result,
    bc::{Bc, BcAnswer},
};
use warpgraph_graph::{Graph, Pages, Vertex, with_view, with_views};
use weighted::Dijkstra;

/// Computes the betweenness of every vertex.
///
/// # Errors
/// If interrupted, if memory is short, if a source is not in the graph, or if adding a weight to a distance does not
/// change it.
pub fn bc(graph: &Graph, config: &Bc, options: &Options) -> Result<BcAnswer> {
    if config.allowed().is_some() {
        return sampled::bc(graph, config, options);
    }
    let prepared = Instant::now();
    let chosen = config.resolve(graph, options.seed, options.run)?;
    if !config.weighted {
        graph.incoming()?;
    }
    exact(graph, config, options, chosen, Recorder::start(options, prepared))
}

/// Sums over the chosen sources, or over all vertices.
fn exact(
    graph: &Graph,
    config: &Bc,
    options: &Options,
    chosen: Option<Vec<Vertex>>,
    recorder: Recorder,
) -> Result<BcAnswer> {
    let n = graph.vertices();
    let mut sources: Vec<Vertex> = chosen.clone().unwrap_or_else(|| (0..n as Vertex).collect());
    // Other sources reach nothing.
    sources.retain(|&s| graph.out().csr.degree(s) > 0);
    let mut sums = Pages::zeroed(n)?;
    let quiet = Task::quiet(graph, config, options);
    let mut task = Task { recorder: Some(recorder), bytes: 8 * n as u64, total: sources.len(), ..quiet };
    options.control.check("counting paths")?;
    task.search(&sources, &mut sums)?;
    let Task { recorder, arcs, bytes, .. } = task;
    let recorder = recorder.unwrap_or_else(|| Recorder::start(options, Instant::now()));
    let run = recorder.finish(Plan::bsp(None), Halted::Converged, bytes);
    Ok(BcAnswer::new(graph, config, chosen, sums, arcs, run))
}

/// The question and the progress.
struct Task<'a> {
    graph: &'a Graph,
    config: &'a Bc,
    options: &'a Options,
    /// `None` if the caller wants neither a report nor progress.
    recorder: Option<Recorder>,
    /// Outgoing arcs of the vertices reached, summed over all sources.
    arcs: u64,
    /// Bytes of the arrays.
    bytes: u64,
    /// Number of sources done, and in total.
    done: usize,
    total: usize,
}

impl<'a> Task<'a> {
    /// Creates a task that reports nothing.
    fn quiet(graph: &'a Graph, config: &'a Bc, options: &'a Options) -> Self {
        Self { graph, config, options, recorder: None, arcs: 0, bytes: 0, done: 0, total: 0 }
    }

    /// Adds the dependencies on all sources to `sums`.
    fn search(&mut self, sources: &[Vertex], sums: &mut [f64]) -> Result<()> {
        let swept = if self.config.weighted { 0 } else { self.sweep(sources, sums)? };
        self.walk(&sources[swept..], sums)
    }

    /// Sweeps from sources while it pays off, and returns how many were done.
    fn sweep(&mut self, sources: &[Vertex], sums: &mut [f64]) -> Result<usize> {
        match sources.len() {
            0 => Ok(0),
            1 => self.sweep_rows::<[f64; 1]>(sources, sums),
            2..=4 => self.sweep_rows::<[f64; 4]>(sources, sums),
            _ => self.sweep_rows::<[f64; 8]>(sources, sums),
        }
    }

    fn sweep_rows<R: Row>(&mut self, sources: &[Vertex], sums: &mut [f64]) -> Result<usize> {
        let graph = self.graph;
        let incoming = graph.incoming()?;
        with_views!(graph.out().csr, incoming.csr, |out, incoming| {
            let mut sweep = Sweep::<_, _, R>::new(out, incoming)?;
            let done = team(|team| -> Result<usize> {
                for (i, batch) in sources.chunks(R::LANES).enumerate() {
                    if !sweep.batch(team, batch, self, sums)? {
                        return Ok(i * R::LANES);
                    }
                }
                Ok(sources.len())
            })?;
            self.bytes += sweep.keep() as u64;
            Ok(done)
        })
    }

    /// Walks from one source after another on every thread.
    fn walk(&mut self, sources: &[Vertex], sums: &mut [f64]) -> Result<()> {
        if sources.is_empty() {
            return Ok(());
        }
        let graph = self.graph;
        let ledger = Ledger::new(sources, sums, self);
        with_view!(graph.out().csr, |out| {
            if ledger.weighted() {
                Dijkstra::walk_all(out, graph, &ledger);
            } else {
                ledger.run(|| Walker::new(out), walk::bytes(graph.vertices()));
            }
        });
        ledger.close()
    }

    /// Reports a search, or a batch of them.
    fn tell(&mut self, searches: usize, reached: usize, arcs: u64, note: impl FnOnce() -> String) {
        self.arcs += arcs;
        self.done += searches;
        if let Some(recorder) = &mut self.recorder {
            recorder.step(reached, warpgraph_core::Direction::Push, note);
            self.options.control.report("bc", self.done as u64, Some(self.total as u64));
        }
    }
}
