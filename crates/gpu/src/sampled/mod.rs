//! The order `sampled` \[1\]: a graph on a device learns from the accesses of the runs it serves which vertices are read together, and brings them
//! together, round after round.
//!
//! An access of a tile reads the values of neighbours; those of [`SECTOR`] vertices in a row lie in one sector of memory. A round has three stages,
//! and each *sample* is over when as many arcs were served as the graph has:
//!
//! 1. one sample counts for each vertex how many mates of its accesses lie in its own sector, its *locality*;
//! 2. one sample for each bit of a sector's number finds in which half of an interval it has more mates, until that is one sector, its *candidate*;
//! 3. one sample counts how many mates lie in that one, its *gain*.
//!
//! Who gains more than its locality moves there: vertices are sorted by sector, arcs by the new numbers of their ends, both by radix sort.
//! A round is 2 + log2(vertices / 8) samples, and O(vertices + arcs) for the sort.
//!
//! Samples are taken by a kernel of their own, in front of each one that goes along tiles, so that functors know nothing of it; stages follow
//! each other in the order of the device's work, and nobody waits. What is searched from several sources at once (copies of the graph)
//! is not sampled.
//!
//! Memory: 12 bytes a vertex while sampling; 28 bytes an arc beside the graph while sorting. Arcs are numbered by 32 bits there: graphs of more
//! are not reordered.
//!
//! \[1\] M. Sha, Y. Li, K.-L. Tan, Self-adaptive graph traversal on GPUs, SIGMOD 2021, section 6. Departures: mates are those of a warp
//! (`kernels/sample.cu`), counts belong to the vertex that is read and leave itself out (algorithm 4's index contradicts its example), and arcs are
//! sorted by both ends at once instead of row by row.

mod arcs;
mod renumber;
mod sampler;
mod sampling;
#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests;

pub(crate) use renumber::RenumberArgs;
pub use renumber::{Renumbered, renumber};
pub use sampler::Sampled;
pub(crate) use sampler::Sampler;
pub(crate) use sampling::{SampleArgs, Sampling};

use warpgraph_graph::Graph;

/// Vertices whose values share a sector: 32 bytes, and values of 4.
pub(crate) const SECTOR: u32 = 8;

/// Bytes of device memory that sampling takes beside a run.
pub fn sampling_bytes(graph: &Graph) -> u64 {
    12 * graph.vertices() as u64 + 64
}
