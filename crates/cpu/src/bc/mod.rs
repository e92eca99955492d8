//! Betweenness centrality: Brandes' algorithm, in the form that suits the graph.
//!
//! - [`sweep`]: on graphs with few levels, a batch of up to eight sources traverses the graph at once, with all threads
//!   on each level. The values of a vertex for all sources share one cache line, so one gather serves them all.
//! - [`walk`]: where levels are many and narrow, each thread takes one source after another and does not wait for
//!   others.
//! - [`weighted`]: the same in Dijkstra's order.
//!
//! - [`folded`]: an undirected graph searched from all vertices falls into blocks, so that pendant trees cost nothing.
//! - [`sampled`]: random shortest paths, if the question allows an error.
//!
//! A graph may have copies of vertices, whose rows are parts of those of their masters. Sweeps reflect them: a copy is on the
//! levels of its master, with the same counts, and on the way back a master gathers over the rows of its copies too. Walks go
//! over the rows of a vertex and its copies one after the other.
//!
//! A search, of the graph or of a block, begins with sweeps. It switches to walks when a search turns out to be deep with narrow levels, when the
//! searches of a batch do not overlap, or when path counts exceed the range of f64 (walks carry an exponent). No sum
//! uses atomics: the dependencies of one source or batch are summed in a fixed order, and those of different ones in
//! the order of the sources ([`ledger`]). So the bits do not depend on the number of threads.

mod folded;
mod ledger;
mod masses;
mod row;
mod sampled;
mod sweep;
mod walk;
mod weighted;

use crate::{Options, Recorder, parts::team};
use folded::Folded;
use ledger::{Ledger, Searches};
use masses::{Masses, Stands};
use row::Row;
use std::time::Instant;
use sweep::Sweep;
use walk::Walker;
use warpgraph_core::{
    Halted, Plan, Result,
    bc::{Bc, BcAnswer},
    program::Copies,
};
use warpgraph_graph::{Graph, Pages, Vertex, with_view, with_views};
use weighted::Dijkstra;

/// A walk costs this many times as much per arc and vertex as a sweep, which serves eight sources at once.
const WALK: u64 = 4;

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
    let copies = Copies::of_run(graph, options)?;
    let recorder = Recorder::start(options, prepared);
    let folded = if chosen.is_none() { Folded::of(graph, config, &options.control)? } else { None };
    let mut task = Task { copies: copies.as_ref(), ..Task::quiet(graph, config, options) };
    task.recorder = Some(recorder);
    exact(task, chosen, folded)
}

/// Sums over the chosen sources, or over all vertices: those of the folded graph, if there is one.
fn exact(mut task: Task<'_>, chosen: Option<Vec<Vertex>>, folded: Option<Folded>) -> Result<BcAnswer> {
    let Task { graph, config, options, copies, .. } = task;
    let n = graph.vertices();
    let mut sums = Pages::zeroed(n)?;
    task.bytes = 8 * n as u64;
    options.control.check("counting paths")?;
    match folded {
        Some(folded) => folded.search(&mut task, &mut sums)?,
        None => {
            let mut sources: Vec<Vertex> = chosen.clone().unwrap_or_else(|| (0..n as Vertex).collect());
            // Other sources reach nothing.
            sources.retain(|&s| leads_on(graph, copies, s));
            task.total = sources.len();
            task.search(&sources, &mut sums)?;
        }
    }
    let Task { recorder, arcs, bytes, .. } = task;
    let recorder = recorder.unwrap_or_else(|| Recorder::start(options, Instant::now()));
    let run = recorder.finish(Plan::bsp(None), Halted::Converged, bytes);
    // With copies of vertices, the scale is that of the graph without them.
    Ok(BcAnswer::new(options.whole(graph), config, chosen, sums, arcs, run))
}

/// Returns true if paths begin at a vertex: it is no copy, and it has arcs, or its copies have.
fn leads_on(graph: &Graph, copies: Option<&Copies>, v: Vertex) -> bool {
    match copies {
        None => graph.out().csr.degree(v) > 0,
        Some(copies) => copies.is_master(v) && copies.degrees()[v as usize] > 0,
    }
}

/// The question and the progress.
struct Task<'a> {
    graph: &'a Graph,
    config: &'a Bc,
    options: &'a Options,
    /// What a vertex stands for.
    masses: Masses<'a>,
    /// Copies of vertices, if there are any.
    copies: Option<&'a Copies>,
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
        let masses = Masses::default();
        let (copies, recorder) = (None, None);
        Self { graph, config, options, masses, copies, recorder, arcs: 0, bytes: 0, done: 0, total: 0 }
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
            let mut sweep = Sweep::<_, _, R>::new(out, incoming, self.masses, self.copies)?;
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
        let (graph, weighted) = (self.graph, self.config.weighted);
        let stands = Stands { masses: self.masses, copies: self.copies };
        self.bytes += walks(graph, stands, weighted, Ledger::new(sources, sums, self))?;
        Ok(())
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

/// Runs searches with the walker that suits the graph, and returns the bytes of all walkers.
fn walks(graph: &Graph, stands: Stands<'_>, weighted: bool, searches: impl Searches) -> Result<u64> {
    with_view!(graph.out().csr, |out| {
        if weighted {
            Dijkstra::walk_all(out, graph, stands, searches)
        } else {
            searches.run(|| Walker::new(out, stands), walk::bytes(graph.vertices()))
        }
    })
}
