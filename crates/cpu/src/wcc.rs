//! Weakly connected components by Afforest [1].
//!
//! `component[v]` always points to a vertex no greater than `v` in the same component, so that pointers form a forest;
//! hooking the greater root below the smaller one joins two trees, and in the end every tree is a star below the smallest
//! vertex of its component. Hooking along a few arcs of every vertex joins nearly all of the giant component; a sample
//! finds its name, and then only vertices outside of it look at their other arcs.
//!
//! Departures from the paper: the first hook needs no search, since the first neighbour in a sorted list is the smallest;
//! a second neighbour is noted in the same pass over the graph's memory, so that the second hook needs none; and on
//! undirected graphs a vertex stops at the first arc that brings it into the giant component, because its other
//! neighbours outside will look at the arc from their side. A directed graph without a transpose has only one side to
//! look from, so all its arcs are hooked.
//!
//! [1] M. Sutton, T. Ben-Nun, A. Barak, Optimizing parallel graph connectivity computation via subgraph sampling, IPDPS
//! 2018.

use crate::{
    Options, Recorder,
    parts::{Team, atomics, team},
};
use std::{
    sync::atomic::{AtomicU32, Ordering::Relaxed},
    time::Instant,
};
use warpgraph_core::{
    Direction, Halted, Plan, Result,
    wcc::{Wcc, WccAnswer},
};
use warpgraph_graph::{Graph, Offset, Pages, Vertex, View, hash, with_view};

/// Vertices looked at to find the giant component.
const SAMPLES: u64 = 1024;
/// Vertices a thread takes at a time.
const BATCH: usize = 1 << 12;

/// The component of every vertex, named by its smallest vertex.
///
/// # Errors
/// When interrupted or when memory is short.
pub fn wcc(graph: &Graph, _: &Wcc, options: &Options) -> Result<WccAnswer> {
    let mut recorder = Recorder::start(options, Instant::now());
    let n = graph.vertices();
    let mut components = Pages::scratch(n)?;
    let mut seconds = Pages::scratch(n)?;
    let cells = atomics(&mut components);
    with_view!(graph.out().csr, |out| team(|team| -> Result<()> {
        let forest = Forest { cells, team };
        forest.hook_first(out, atomics(&mut seconds));
        forest.compress();
        options.control.check("joining components")?;
        forest.hook_second(&seconds);
        forest.compress();
        recorder.step(n, Direction::Push, || "hooked two arcs of each".to_owned());
        options.control.check("joining components")?;
        if !graph.is_directed() {
            let giant = forest.sample(n as u64);
            forest.hook_outside(giant, out);
        } else if graph.has_incoming() {
            let giant = forest.sample(n as u64);
            with_view!(graph.incoming()?.csr, |incoming| forest.hook_both(giant, out, incoming));
        } else {
            forest.hook_rest(out);
        }
        options.control.check("joining components")?;
        forest.compress();
        recorder.step(n, Direction::Push, || "hooked what was left outside the giant".to_owned());
        Ok(())
    }))?;
    let run = recorder.finish(Plan::Bsp { direction: None }, Halted::Converged, 8 * n as u64);
    Ok(WccAnswer::new(graph, components, run))
}

/// Pointers to vertices no greater; see the module head.
struct Forest<'a> {
    cells: &'a [AtomicU32],
    team: &'a Team,
}

impl Forest<'_> {
    #[inline(always)]
    fn get(&self, v: Vertex) -> Vertex {
        debug_assert!((v as usize) < self.cells.len());
        // SAFETY: v is a vertex: callers pass vertices, and pointers point to vertices.
        unsafe { self.cells.get_unchecked(v as usize).load(Relaxed) }
    }

    /// Runs `work` for all vertices, in about increasing order: what a vertex points to was mostly worked on before it.
    fn for_all(&self, work: impl Fn(Vertex) + Sync) {
        let n = self.cells.len();
        self.team.round(n.div_ceil(BATCH), &|_, batch| {
            for v in batch * BATCH..n.min((batch + 1) * BATCH) {
                work(v as Vertex);
            }
        });
    }

    /// Points every vertex to its smallest neighbour, or to itself if it is smaller, and notes another neighbour of each.
    fn hook_first<O: Offset>(&self, out: View<'_, O>, seconds: &[AtomicU32]) {
        self.for_all(|v| {
            let neighbors = out.neighbors(v);
            let first = *neighbors.first().unwrap_or(&v);
            let second = if first > v { first } else { *neighbors.get(1).unwrap_or(&v) };
            self.cells[v as usize].store(first.min(v), Relaxed);
            seconds[v as usize].store(second, Relaxed);
        });
    }

    fn hook_second(&self, seconds: &[Vertex]) {
        self.for_all(|v| self.link(v, seconds[v as usize]));
    }

    /// Joins the trees of `u` and `v`.
    #[inline(always)]
    fn link(&self, u: Vertex, v: Vertex) {
        let (mut a, mut b) = (self.get(u), self.get(v));
        while a != b {
            let (high, low) = (a.max(b), a.min(b));
            let above = self.get(high);
            // Already joined by another thread, or joined by this one now.
            if above == low
                || (above == high
                    && self.cells[high as usize].compare_exchange(high, low, Relaxed, Relaxed).is_ok())
            {
                break;
            }
            a = self.get(self.get(high));
            b = self.get(low);
        }
    }

    /// Points every vertex at its root.
    fn compress(&self) {
        self.for_all(|v| {
            let mut root = self.get(v);
            let mut above = self.get(root);
            if above == root {
                return;
            }
            while above != root {
                root = above;
                above = self.get(root);
            }
            self.cells[v as usize].store(root, Relaxed);
        });
    }

    /// The component met most often among some vertices.
    fn sample(&self, n: u64) -> Option<Vertex> {
        let mut met: Vec<Vertex> =
            (0..SAMPLES.min(n)).map(|i| self.get((hash::mix(i, n) % n) as Vertex)).collect();
        met.sort_unstable();
        met.chunk_by(|a, b| a == b).max_by_key(|same| same.len()).map(|same| same[0])
    }

    fn hook_outside<O: Offset>(&self, giant: Option<Vertex>, out: View<'_, O>) {
        self.for_all(|v| {
            if Some(self.get(v)) == giant {
                return;
            }
            for &u in out.neighbors(v) {
                self.link(v, u);
                if Some(self.get(v)) == giant {
                    return;
                }
            }
        });
    }

    fn hook_both<O: Offset, I: Offset>(
        &self,
        giant: Option<Vertex>,
        out: View<'_, O>,
        incoming: View<'_, I>,
    ) {
        self.for_all(|v| {
            if Some(self.get(v)) == giant {
                return;
            }
            out.neighbors(v).iter().for_each(|&u| self.link(v, u));
            incoming.neighbors(v).iter().for_each(|&u| self.link(v, u));
        });
    }

    fn hook_rest<O: Offset>(&self, out: View<'_, O>) {
        self.for_all(|v| out.neighbors(v).iter().for_each(|&u| self.link(v, u)));
    }
}
