//! [`Paths::check`]: that paths cover the edges of a graph exactly once.

use super::{LANES, Paths, ROWS, slot, used};
use crate::{
    atomics::atomics,
    csr::{NO_VERTEX, Vertex},
    error::{Error, Result},
    graph::Graph,
    memory::Pages,
    par,
};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

impl Paths {
    /// Checks that every edge of the graph lies on exactly one path, between the right vertices, and that nothing else
    /// does. O(m) work on all threads, one bit of memory per arc.
    ///
    /// # Errors
    /// [`Error::Invalid`] naming what is wrong; [`Error::TooLarge`] if memory is short.
    pub fn check(&self, graph: &Graph) -> Result<()> {
        self.check_bounds(graph.vertices(), graph.arcs())?;
        let mut seen = Pages::<u64>::zeroed(graph.arcs().div_ceil(64))?;
        let seen = atomics(&mut seen);
        let checked = Checked { paths: self, graph, seen };
        self.each_lane(
            |chunk, lane| checked.lane(chunk, lane),
            "what is no edge of the graph, or an edge twice",
        )?;
        let (all, found) = (checked.expected(), self.found().edges());
        let covered = par::sum(seen.len(), 1 << 12, |words| {
            words.map(|word| u64::from(seen[word].load(Relaxed).count_ones())).sum()
        });
        if covered != all || found != all {
            return Err(wrong(format!(
                "the paths cover {covered} of {all} edges, and are said to cover {found}"
            )));
        }
        let (hub, said) = (self.hub_edges(), self.found().hub_edges);
        match hub == said {
            true => Ok(()),
            false => Err(wrong(format!("hub chunks hold {hub} edges, and are said to hold {said}"))),
        }
    }

    /// Checks that every vertex and every arc is one of a graph with this many, and that unused slots are empty, so that
    /// nothing reads beyond the arrays of the graph. O(slots) work on all threads.
    ///
    /// # Errors
    /// [`Error::Invalid`] naming the first chunk that is wrong.
    pub fn check_bounds(&self, vertices: usize, arcs: usize) -> Result<()> {
        let is_in_bounds = |chunk: usize, lane: usize| {
            let joined = self.joined()[chunk * LANES + lane];
            // The last row has no row below it.
            joined >> 31 == 0
                && (0..ROWS).all(|row| {
                    let slot = slot(chunk, row, lane);
                    let v = self.vertices()[slot];
                    let is_vertex =
                        if used(joined) >> row & 1 == 1 { (v as usize) < vertices } else { v == NO_VERTEX };
                    is_vertex && (joined >> row & 1 == 0 || self.arcs().get(slot) < arcs)
                })
        };
        self.each_lane(is_in_bounds, "a vertex or an arc that the graph does not have")
    }

    /// Returns an error unless `is_right` returns true for every lane of every chunk.
    fn each_lane(&self, is_right: impl Fn(usize, usize) -> bool + Sync, problem: &str) -> Result<()> {
        let is_wrong = |&chunk: &usize| !(0..LANES).all(|lane| is_right(chunk, lane));
        match par::find_first(self.chunks(), 16, |mut chunks| chunks.find(is_wrong)) {
            Some(chunk) => Err(wrong(format!("chunk {chunk} of the paths holds {problem}"))),
            None => Ok(()),
        }
    }

    /// Counts the edges in hub chunks.
    fn hub_edges(&self) -> u64 {
        par::sum(self.hub_chunks() * LANES, par::FINE, |lanes| {
            self.joined()[lanes].iter().map(|word| u64::from(word.count_ones())).sum()
        })
    }
}

fn wrong(what: String) -> Error {
    Error::invalid(what, "the paths are of another graph, or damaged; make them anew")
}

struct Checked<'a> {
    paths: &'a Paths,
    graph: &'a Graph,
    /// One bit per arc.
    seen: &'a [AtomicU64],
}

impl Checked<'_> {
    /// Returns true if an undirected edge is on one path once.
    fn is_once(&self) -> bool {
        !self.graph.is_directed() && !self.paths.recipe().both_arcs
    }

    /// Returns the number of edges that paths must cover.
    fn expected(&self) -> u64 {
        if self.is_once() { self.graph.edges() } else { self.graph.arcs() as u64 }
    }

    /// Returns true if every edge of a lane is one of the graph, given that all are in bounds.
    fn lane(&self, chunk: usize, lane: usize) -> bool {
        let joined = self.paths.joined()[chunk * LANES + lane];
        let vertex = |row: usize| self.paths.vertices()[slot(chunk, row, lane)];
        (0..ROWS - 1).all(|row| {
            joined >> row & 1 == 0 || self.edge(vertex(row), vertex(row + 1), slot(chunk, row, lane))
        })
    }

    /// Returns true if the slot names an arc between these vertices that no other slot has named.
    fn edge(&self, u: Vertex, v: Vertex, slot: usize) -> bool {
        let (csr, arc) = (&self.graph.out().csr, self.paths.arcs().get(slot));
        let (from, to) = if self.is_once() { (u.min(v), u.max(v)) } else { (u, v) };
        csr.arcs_of(from).contains(&arc)
            && csr.targets()[arc] == to
            && self.seen[arc / 64].fetch_or(1 << (arc % 64), Relaxed) >> (arc % 64) & 1 == 0
    }
}
