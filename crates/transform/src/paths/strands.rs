//! The paths of one part, one after another, before they are laid out.

use super::growing::Growing;
use warpgraph_graph::{Offset, Result, Vertex};

/// The paths of a part.
#[derive(Debug)]
pub(super) struct Strands<O: Offset> {
    /// Those that end at a hub.
    pub(super) hub: Strand<O>,
    /// All others.
    pub(super) cold: Strand<O>,
}

/// A list of paths.
#[derive(Debug)]
pub(super) struct Strand<O: Offset> {
    /// The vertex that each edge leads to. The edges of a path stand in walking order, those of the next path follow.
    pub(super) ends: Growing<Vertex>,
    /// The arc of each edge.
    pub(super) arcs: Growing<O>,
    /// Where each path begins, and the number of its edges, at least 1.
    pub(super) paths: Growing<[u32; 2]>,
}

impl<O: Offset> Strands<O> {
    /// Returns lists without paths.
    pub(super) fn new() -> Self {
        Self { hub: Strand::new(), cold: Strand::new() }
    }
}

impl<O: Offset> Strand<O> {
    fn new() -> Self {
        Self { ends: Growing::new(), arcs: Growing::new(), paths: Growing::new() }
    }

    /// Adds a path of the vertices `trail`. Entry i of `arcs` is the arc that leads to vertex i; the first one is not used.
    #[inline(always)]
    pub(super) fn add(&mut self, trail: &[Vertex], arcs: &[O]) -> Result<()> {
        self.ends.extend(&trail[1..])?;
        self.arcs.extend(&arcs[1..])?;
        self.paths.push([trail[0], trail.len() as u32 - 1])
    }
}
