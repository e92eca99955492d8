//! Direction-optimising breadth-first search [1].
//!
//! A small frontier is a queue and pushes along its arcs. When the arcs of the frontier exceed a share of the
//! unexplored arcs, every unvisited vertex instead searches for a parent in the frontier's bitmap, and stops at the
//! first. All tests use bitmaps, which stay in cache. `distances` and `parents` are written once per vertex and never
//! read, so they need no initialisation: at the end, the search fills in the vertices that it did not reach.
//!
//! Work O(n + m). Memory: 8 bytes per vertex for the answer, 3 bits for bitmaps, up to 8 bytes for queues, and at most
//! 32 MiB for candidates on their way to their owners. Pulling needs incoming arcs: the first search of a directed
//! graph builds the transpose, and the graph keeps it.
//!
//! Distances are the same in every run. Which of several parents a vertex gets may differ between runs, unless the
//! caller asks for a deterministic tree ([`ties`]).
//!
//! [1] S. Beamer, K. Asanović, D. Patterson, Direction-optimizing breadth-first search, SC 2012.

mod claim;
mod pull;
mod push;
mod ties;

use crate::{
    AlongPaths, Options, Recorder,
    parts::{Bitmap, Team, atomics, team},
};
use std::{
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Instant,
};
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    bfs::{Bfs, BfsAnswer, UNREACHED, by_program},
};
use warpgraph_graph::{Graph, NO_VERTEX, Offset, Pages, Vertex, View, with_views};

/// Pull once the arcs of the frontier exceed the unexplored arcs divided by this (the paper's alpha).
const PULL_SHARE: usize = 15;
/// Push again once the frontier is smaller than the number of vertices divided by this (the paper's beta).
const PUSH_SHARE: usize = 18;

/// Words of a bitmap per piece when filling in unreached vertices.
const FILL: usize = 1 << 8;

/// Computes the number of hops from a source to every vertex, and a tree of shortest paths.
///
/// # Errors
/// If interrupted, if memory is short, or if the source is not in the graph.
pub fn bfs(graph: &Graph, config: &Bfs, options: &Options) -> Result<BfsAnswer> {
    if options.plan.paths().is_some() {
        return by_program(&AlongPaths::new(graph), config, options);
    }
    let prepared = Instant::now();
    let source = config.source.resolve(graph, options.seed, options.run)?;
    let fixed = options.direction();
    let pulls = fixed != Some(Direction::Push) || options.deterministic;
    let incoming = if pulls { graph.incoming()? } else { graph.out() };
    let mut recorder = Recorder::start(options, prepared);
    let n = graph.vertices();
    let (mut distances, mut parents) = (Pages::scratch(n)?, Pages::scratch(n)?);
    let tree = Tree { distances: atomics(&mut distances), parents: atomics(&mut parents) };
    with_views!(graph.out().csr, incoming.csr, |out, incoming| {
        let mut search = Search::new(out, incoming, tree, source)?;
        team(|team| -> Result<()> {
            search.run(team, fixed, config.max_depth, options, &mut recorder)?;
            search.fill_unreached(team);
            Ok(())
        })?;
        search.exchange.keep();
        if options.deterministic {
            ties::settle(incoming, tree, options);
        }
    });
    let state = 16 * n as u64 + 3 * n.div_ceil(8) as u64;
    let run = recorder.finish(Plan::bsp(fixed), Halted::Converged, state);
    Ok(BfsAnswer::new(graph, source, config.max_depth, distances, parents, run))
}

/// The answer under construction. Only the thread that claimed a vertex writes its entry.
#[derive(Clone, Copy)]
struct Tree<'a> {
    distances: &'a [AtomicU32],
    parents: &'a [AtomicU32],
}

impl Tree<'_> {
    /// Puts `v` below `parent` in the tree. `v` must be a vertex.
    #[inline(always)]
    fn hang(&self, v: Vertex, parent: Vertex, distance: u32) {
        debug_assert!((v as usize) < self.distances.len());
        // SAFETY: v is a vertex of the graph both arrays were made for.
        unsafe {
            self.distances.get_unchecked(v as usize).store(distance, Relaxed);
            self.parents.get_unchecked(v as usize).store(parent, Relaxed);
        }
    }
}

/// A search in progress.
struct Search<'a, O, I> {
    out: View<'a, O>,
    incoming: View<'a, I>,
    tree: Tree<'a>,
    /// Vertices that need not be examined again: in the tree, or known to have no incoming arc (those are filled in at
    /// once).
    done: Bitmap,
    /// The frontier as a queue, while pushing, and the buffers for pushing.
    exchange: push::Exchange,
    /// The frontier as a bitmap, while pulling.
    front: Bitmap,
    next_front: Bitmap,
}

/// The frontier that a superstep produced.
struct Frontier {
    /// Number of vertices.
    vertices: usize,
    /// Number of outgoing arcs; not counted while pulling.
    arcs: usize,
}

impl<'a, O: Offset, I: Offset> Search<'a, O, I> {
    fn new(out: View<'a, O>, incoming: View<'a, I>, tree: Tree<'a>, source: Vertex) -> Result<Self> {
        let n = out.vertices();
        let mut search = Self {
            out,
            incoming,
            tree,
            done: Bitmap::empty(n)?,
            exchange: push::Exchange::new(n, source),
            front: Bitmap::empty(n)?,
            next_front: Bitmap::empty(n)?,
        };
        search.done.insert(source);
        search.tree.hang(source, source, 0);
        Ok(search)
    }

    fn run(
        &mut self,
        team: &Team,
        fixed: Option<Direction>,
        max_depth: Option<u32>,
        options: &Options,
        recorder: &mut Recorder,
    ) -> Result<()> {
        let source = self.exchange.queue[0];
        let mut frontier = Frontier { vertices: 1, arcs: self.out.degree(source) };
        let mut unexplored = self.out.arcs();
        let mut pulling = false;
        let mut distance = 0;
        while frontier.vertices > 0 && max_depth.is_none_or(|limit| distance < limit) {
            options.control.check("searching")?;
            let before = frontier.vertices;
            let pull = match fixed {
                Some(direction) => direction == Direction::Pull,
                None if pulling => before >= self.out.vertices() / PUSH_SHARE,
                None => frontier.arcs > unexplored / PULL_SHARE,
            };
            distance += 1;
            // Not counted while pulling.
            let mut arcs = None;
            if pull {
                if !pulling {
                    self.queue_to_front();
                }
                frontier = self.pull(team, distance);
            } else {
                if pulling {
                    frontier.arcs = self.front_to_queue(team);
                }
                unexplored -= frontier.arcs.min(unexplored);
                arcs = Some(frontier.arcs as u64);
                frontier = self.push(team, distance, frontier.arcs);
            }
            pulling = pull;
            let direction = if pull { Direction::Pull } else { Direction::Push };
            let note = || format!("{} vertices reached", frontier.vertices);
            recorder.step_by(before, arcs, direction, None, note);
            options.control.report("bfs", u64::from(distance), None);
        }
        Ok(())
    }

    /// Gives every vertex that was not reached its final values.
    fn fill_unreached(&self, team: &Team) {
        let n = self.out.vertices();
        let parts: Vec<&[u64]> = self.done.words().chunks(FILL).collect();
        team.round(parts.len(), &|_, part| {
            for (w, &word) in parts[part].iter().enumerate() {
                let mut left = !word;
                while left != 0 {
                    let v = (part * FILL + w) * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    if v < n {
                        self.tree.hang(v as Vertex, NO_VERTEX, UNREACHED);
                    }
                }
            }
        });
    }
}
