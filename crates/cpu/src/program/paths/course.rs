//! [`Course`]: the paths of a graph as a program walks them.

use std::num::NonZeroU32;
use warpgraph_core::{
    Error, Result,
    program::{Prepared, Sight, VertexProgram, Ways, Weight},
};
use warpgraph_graph::{
    Graph, NO_VERTEX, Offset, Offsets, Vertex, View, par,
    paths::{LANES, Paths, ROWS, SLOTS, used},
};

/// Paths that fit the graph, with what a walk along them needs.
pub(super) struct Course<'a, P: VertexProgram, O> {
    pub(super) sight: Sight<'a, P, O>,
    pub(super) paths: &'a Paths,
    vertices: &'a [Vertex],
    joined: &'a [u32],
    pub(super) backward: bool,
    np: NonZeroU32,
    /// Bytes that a message reads beside values: the arc and its weight.
    pub(super) edge_bytes: u64,
}

/// Refuses paths that are not of this graph: slots that name no vertex or no arc of it, or another number of edges. Costs
/// one parallel pass over the slots; later steps rely on it.
///
/// # Errors
/// [`Error::Refused`] with what does not fit.
pub(super) fn check(paths: &Paths, graph: &Graph) -> Result<()> {
    let (n, m) = (graph.vertices(), graph.arcs());
    let is_once = !graph.is_directed() && !paths.recipe().both_arcs;
    let (edges, covered) = (if is_once { graph.edges() } else { m as u64 }, paths.found().edges());
    let lane = |chunk: usize, lane: usize| {
        let joined = paths.joined()[chunk * LANES + lane];
        let fits = |row: usize| {
            let slot = chunk * SLOTS + row * LANES + lane;
            let v = paths.vertices()[slot];
            let is_in = if used(joined) >> row & 1 == 1 { (v as usize) < n } else { v == NO_VERTEX };
            is_in && (joined >> row & 1 == 0 || paths.arcs().get(slot) < m)
        };
        joined >> (ROWS - 1) == 0 && (0..ROWS).all(fits)
    };
    let misfit = |chunk: &usize| !(0..LANES).all(|t| lane(*chunk, t));
    let wrong = par::find_first(paths.chunks(), 16, |mut chunks| chunks.find(misfit));
    let what = match wrong {
        Some(chunk) => format!("chunk {chunk} of the paths names no vertex or no arc of the graph"),
        None if edges != covered => format!("the paths have {covered} edges, and the graph has {edges}"),
        None => return Ok(()),
    };
    let help = "give the paths of the graph that the run is on".to_owned();
    Err(Error::Refused { what, help })
}

impl<'a, P: VertexProgram, O: Offset> Course<'a, P, O> {
    /// Takes paths that [`check`] has accepted for `graph`, and its outgoing arcs with their weights.
    pub(super) fn new(
        prepared: &'a Prepared<'a, P>,
        (graph, paths): (&Graph, &'a Paths),
        out: View<'a, O>,
        weights: &'a [<P::Weight as Weight>::Scalar],
        (ways, np): (Ways, NonZeroU32),
    ) -> Self {
        let arc = if matches!(paths.arcs(), Offsets::Narrow(_)) { 4 } else { 8 };
        let weight = if weights.len() > 1 { size_of::<<P::Weight as Weight>::Scalar>() } else { 0 };
        Self {
            sight: Sight::new(prepared, out, weights),
            paths,
            vertices: paths.vertices(),
            joined: paths.joined(),
            // On paths with both arcs of every edge, forward walks are enough.
            backward: if graph.is_directed() { ways == Ways::Both } else { !paths.recipe().both_arcs },
            np,
            edge_bytes: if P::Weight::USED { arc + weight as u64 } else { 0 },
        }
    }

    /// Returns how often a chunk is walked each time that it is handled, at most.
    pub(super) fn passes(&self, chunk: u32) -> u32 {
        if (chunk as usize) < self.paths.hub_chunks() { self.np.get() } else { 1 }
    }

    /// Returns the vertices in the slots of a chunk, row by row.
    pub(super) fn vertices(&self, chunk: u32) -> &'a [Vertex; SLOTS] {
        match self.vertices[chunk as usize * SLOTS..].first_chunk() {
            Some(vertices) => vertices,
            None => unreachable!("a chunk has that many slots"),
        }
    }

    /// Returns the word of a lane: bit `r` says that an edge joins rows `r` and `r + 1`.
    pub(super) fn joined(&self, chunk: u32, lane: usize) -> u32 {
        self.joined[chunk as usize * LANES + lane]
    }

    /// Returns the message along the edge below a slot: forward from `value` at its upper end, or backward from `value`
    /// at its lower end.
    #[inline(always)]
    pub(super) fn message(&self, slot: usize, forward: bool, value: P::Value) -> P::Value {
        let (upper, lower) = (self.vertices[slot], self.vertices[slot + LANES]);
        let (u, v) = if forward { (upper, lower) } else { (lower, upper) };
        let arc = if P::Weight::USED { self.paths.arcs().get(slot) } else { 0 };
        // SAFETY: an edge is below the slot, so `check` has found vertices of the graph in both rows, and in the slot an
        // index of an arc. The weight of an undirected edge is that of both its arcs. A program without weights reads
        // none.
        unsafe { self.sight.message(u, v, arc, value) }
    }

    /// Returns true if the edge below a slot is a self-loop, which has no other direction.
    #[inline(always)]
    pub(super) fn is_loop(&self, slot: usize) -> bool {
        self.vertices[slot] == self.vertices[slot + LANES]
    }
}
