//! Defines [`Paths`]: all edges of a graph as paths without common edges, laid out for warps that walk them \[1\].
//!
//! A *chunk* has [`LANES`] lanes of [`ROWS`] rows, and one warp handles it at a time. Row `r` of lane `t` of a chunk is at
//! slot `SLOTS * chunk + LANES * r + t`, so that a warp reads rows side by side (the paper's `E_idx`). A lane holds paths
//! one below the other: a path of k vertices takes k rows. Bit `r` of the lane's word in `joined` says that an edge joins
//! rows `r` and `r + 1`, so a path begins at every set bit whose lower neighbour is not set. This word is the lane's table
//! of paths (`GT`).
//!
//! Hub chunks come first: they hold the *sketch*, the paths that lead to hubs. A path that reaches the end of its lane goes
//! on in the first row of the same lane in the next chunk, with the vertex at the cut in both.
//!
//! A vertex occurs in many slots; each is a *mirror* of it. [`Homes`] lists the chunks of every vertex.
//!
//! Memory: 8 bytes per slot (12 beyond 2^32 arcs) and 128 bytes per chunk; homes 8 bytes per vertex and up to 4 per slot.
//!
//! \[1\] Y. Zhang et al., AsynGraph: maximizing data parallelism for efficient iterative graph processing on GPUs, TACO 2020.
//! Departure: a chunk has 32 rows, whatever the device, so that paths can be made without one and kept in a file. The paper
//! divides the shared memory of a multiprocessor among its warps; 32 rows are what 24 warps of an H200 have each.

mod check;
mod homes;
#[cfg(test)]
mod tests;

pub use homes::{Homes, REPEATED};

use crate::{
    csr::{NO_VERTEX, Offsets, Vertex},
    error::{Error, Result},
    memory::Buffer,
};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// Lanes of a chunk: the threads of a warp.
pub const LANES: usize = 32;
/// Rows of a chunk: as many as a word has bits.
pub const ROWS: usize = 32;
/// Slots of a chunk.
pub const SLOTS: usize = LANES * ROWS;

/// How paths were made. Two graphs with the same arcs and the same recipe have the same paths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// The share of vertices that are hubs, in millionths; 0 makes no sketch.
    pub lambda: u32,
    /// The share of vertices that were sampled to find the threshold of hubs, in millionths.
    pub beta: u32,
    /// What makes a vertex important: `degree`, `closeness`, `betweenness`, or a name of the user's own.
    pub importance: String,
    /// True if every arc lies on a path. False if every undirected edge lies on one path once, and is walked both ways.
    pub both_arcs: bool,
}

/// What a decomposition found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The number of hubs.
    pub hubs: u64,
    /// The number of paths in hub chunks, before long ones are cut.
    pub hub_paths: u64,
    /// The number of all other paths, before long ones are cut.
    pub cold_paths: u64,
    /// The number of edges in hub chunks.
    pub hub_edges: u64,
    /// The number of all other edges.
    pub cold_edges: u64,
}

impl Found {
    /// Returns the number of edges on all paths.
    pub fn edges(&self) -> u64 {
        self.hub_edges + self.cold_edges
    }

    /// Returns the number of paths.
    pub fn paths(&self) -> u64 {
        self.hub_paths + self.cold_paths
    }

    /// Returns true if this many slots have room for these paths and edges. Then no sum of the counts overflows.
    fn fits(&self, slots: usize) -> bool {
        let slots = slots as u64;
        let counts = [self.hub_paths, self.cold_paths, self.hub_edges, self.cold_edges];
        self.hubs <= u64::from(NO_VERTEX) && counts.iter().all(|&count| count <= slots)
    }
}

/// All edges of a graph as paths; see the [module](self).
#[derive(Debug)]
pub struct Paths {
    recipe: Recipe,
    found: Found,
    hub_chunks: usize,
    /// The vertex in each slot; [`NO_VERTEX`] below the last path of a lane.
    vertices: Buffer<Vertex>,
    /// The arc from the row of each slot to the next row, where an edge joins them; unspecified elsewhere. An undirected
    /// edge that lies on one path has the arc that starts at its smaller end.
    arcs: Offsets,
    /// One word per lane of each chunk.
    joined: Buffer<u32>,
    homes: OnceLock<Homes>,
}

impl Paths {
    /// Takes the arrays of a decomposition.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the arrays do not fit each other.
    pub fn new(
        recipe: Recipe,
        found: Found,
        hub_chunks: usize,
        vertices: Buffer<Vertex>,
        arcs: Offsets,
        joined: Buffer<u32>,
    ) -> Result<Self> {
        let chunks = joined.len() / LANES;
        let fits = joined.len() == chunks * LANES
            && vertices.len() == chunks * SLOTS
            && arcs.len() == vertices.len()
            && hub_chunks <= chunks
            && u32::try_from(vertices.len()).is_ok()
            && found.fits(vertices.len());
        if !fits {
            let what = format!(
                "{} vertices, {} arcs and {} lanes are not {chunks} chunks of paths ({hub_chunks} of hubs) with {} \
                 edges, or more than 2^32 slots",
                vertices.len(),
                arcs.len(),
                joined.len(),
                found.hub_edges.saturating_add(found.cold_edges)
            );
            return Err(Error::invalid(what, "make the paths anew"));
        }
        Ok(Self { recipe, found, hub_chunks, vertices, arcs, joined, homes: OnceLock::new() })
    }

    /// Returns how the paths were made.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Returns what the decomposition found.
    pub fn found(&self) -> &Found {
        &self.found
    }

    /// Returns the number of chunks.
    pub fn chunks(&self) -> usize {
        self.joined.len() / LANES
    }

    /// Returns the number of hub chunks, which come first.
    pub fn hub_chunks(&self) -> usize {
        self.hub_chunks
    }

    /// Returns the vertex in each slot.
    pub fn vertices(&self) -> &Buffer<Vertex> {
        &self.vertices
    }

    /// Returns the arc from each slot to the slot of the next row, where an edge joins them.
    pub fn arcs(&self) -> &Offsets {
        &self.arcs
    }

    /// Returns the word of each lane: bit `r` says that an edge joins rows `r` and `r + 1`.
    pub fn joined(&self) -> &Buffer<u32> {
        &self.joined
    }

    /// Returns the chunks of every vertex of a graph with this many. The first call builds the table.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if memory is short.
    pub fn homes(&self, vertices: usize) -> Result<&Homes> {
        if let Some(homes) = self.homes.get() {
            return Ok(homes);
        }
        let homes = Homes::of(self, vertices)?;
        Ok(self.homes.get_or_init(|| homes))
    }

    /// Returns the size in bytes, homes included once they are built.
    pub fn bytes(&self) -> u64 {
        let homes = self.homes.get().map_or(0, Homes::bytes);
        self.vertices.bytes() + self.arcs.bytes() + self.joined.bytes() + homes
    }
}

/// Returns the slot of a row of a lane.
#[inline(always)]
pub const fn slot(chunk: usize, row: usize, lane: usize) -> usize {
    chunk * SLOTS + row * LANES + lane
}

/// Returns the mask of the rows of a lane that hold a vertex: the upper and the lower ends of its edges.
#[inline(always)]
pub const fn used(joined: u32) -> u32 {
    joined | joined << 1
}
