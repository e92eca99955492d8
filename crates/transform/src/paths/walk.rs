//! Algorithm 1: the depth-first walks of one part.
//!
//! The trail is the walk from the root to where it is now: the stack of the paper's recursion. The paper's open path `h_l`
//! is its end, from vertex `open` on; `open` is the last vertex of the trail if `h_l` is empty. A cold path `c_l` is what
//! the walk takes back from the trail at once, so it need not be reversed.

use super::{edges::Edges, growing::Growing, hubs::Hubs, strands::Strands};
use std::ops::Range;
use warpgraph_core::Result;
use warpgraph_graph::{Offset, Vertex};

/// Edges between two reports of progress.
const PATIENCE: u64 = 1 << 20;

/// Walks all edges of a part.
pub(super) fn walk<O: Offset, E: Edges>(
    part: Range<Vertex>,
    edges: E,
    hubs: &Hubs,
    progress: &dyn Fn(u64) -> Result<()>,
) -> Result<Strands<O>> {
    let (vertices, arcs) = (Growing::new(), Growing::new());
    let found = Strands::new();
    let mut walk = Walk { edges, hubs, vertices, arcs, open: 0, found, unreported: 0, progress };
    for root in part.clone().filter(|&v| hubs.has(v)) {
        walk.explore(root)?;
    }
    for root in part {
        walk.explore(root)?;
    }
    progress(walk.unreported)?;
    Ok(walk.found)
}

struct Walk<'a, O: Offset, E: Edges> {
    edges: E,
    hubs: &'a Hubs,
    /// The vertices of the trail.
    vertices: Growing<Vertex>,
    /// The arc that led to each vertex of the trail; not used for the first one.
    arcs: Growing<O>,
    /// Where the open path begins in the trail.
    open: usize,
    found: Strands<O>,
    /// Edges walked since the last report of progress.
    unreported: u64,
    progress: &'a dyn Fn(u64) -> Result<()>,
}

impl<O: Offset, E: Edges> Walk<'_, O, E> {
    /// Walks from a root until nothing is left that can be reached from it without passing a hub.
    fn explore(&mut self, root: Vertex) -> Result<()> {
        if !self.edges.has_more(root) {
            return Ok(());
        }
        self.cut(0);
        self.push(root, 0)?;
        self.open = 0;
        loop {
            let top = self.vertices.len() - 1;
            match self.edges.take(self.vertices[top]) {
                Some((v, arc)) => self.step(v, arc)?,
                None if top > self.open => self.close_cold()?,
                None if top == 0 => return Ok(()),
                None => {
                    self.cut(top);
                    self.open = top - 1;
                }
            }
        }
    }

    /// Goes along an edge; if that reaches a hub, the open path is a hub path, and the next one begins before the hub.
    #[inline(always)]
    fn step(&mut self, v: Vertex, arc: usize) -> Result<()> {
        self.push(v, arc)?;
        self.unreported += 1;
        if self.unreported == PATIENCE {
            (self.progress)(std::mem::take(&mut self.unreported))?;
        }
        if self.hubs.has(v) {
            self.found.hub.add(&self.vertices[self.open..], &self.arcs[self.open..])?;
            self.open = self.vertices.len() - 2;
            self.cut(self.open + 1);
        }
        Ok(())
    }

    /// Takes back edges of the open path, down to the last vertex with edges left. They are a cold path.
    fn close_cold(&mut self) -> Result<()> {
        let mut start = self.vertices.len() - 2;
        while start > self.open && !self.edges.has_more(self.vertices[start]) {
            start -= 1;
        }
        self.found.cold.add(&self.vertices[start..], &self.arcs[start..])?;
        self.cut(start + 1);
        Ok(())
    }

    #[inline(always)]
    fn push(&mut self, v: Vertex, arc: usize) -> Result<()> {
        self.vertices.push(v)?;
        Ok(self.arcs.push(O::from_index(arc))?)
    }

    #[inline(always)]
    fn cut(&mut self, len: usize) {
        self.vertices.truncate(len);
        self.arcs.truncate(len);
    }
}
