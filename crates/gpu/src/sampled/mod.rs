//! The order `sampled` \[1\]: a graph on a device learns from the accesses of its runs which vertices are read
//! together, and moves them next to each other, round by round.
//!
//! An access of a tile reads the values of neighbours. The values of [`SECTOR`] consecutive vertices lie in one sector
//! of memory. A round has three stages. Each *sample* ends when runs have gone along as many arcs as the graph has:
//!
//! 1. One sample counts for each vertex how many mates of its accesses lie in its own sector: its *locality*.
//! 2. One sample per bit of a sector's number finds the half of an interval in which the vertex has more mates, until
//!    the interval is one sector: its *candidate*.
//! 3. One sample counts how many mates lie in the candidate: its *gain*.
//!
//! A vertex whose gain exceeds its locality moves to its candidate: vertices are sorted by sector, and arcs by the new
//! numbers of their ends, both by radix sort. A round takes 2 + log2(vertices / 8) samples, and O(vertices + arcs) work
//! for the sort.
//!
//! A separate kernel takes the samples, before each kernel that goes along tiles, so functors do not know about
//! sampling. Stages follow each other in the order of the device's work, and the host does not wait. Searches from
//! several sources at once (copies of the graph) are not sampled.
//!
//! Memory: 12 bytes per vertex while sampling; 28 bytes per arc beside the graph while sorting. Sorting numbers the
//! arcs with 32 bits, so larger graphs are not reordered.
//!
//! \[1\] M. Sha, Y. Li, K.-L. Tan, Self-adaptive graph traversal on GPUs, SIGMOD 2021, section 6. Departures: mates are
//! the vertices that one warp reads together (`kernels/sample.cu`); counts belong to the vertex that is read and leave
//! out the vertex itself (algorithm 4's index contradicts its example); arcs are sorted by both ends at once instead of
//! row by row.

mod round;
mod sampler;
mod sampling;
#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests;

pub use round::{Renumbered, renumber};
pub use sampler::Sampled;
pub(crate) use sampler::Sampler;
pub(crate) use sampling::{SampleArgs, Sampling};

use warpgraph_graph::Graph;

/// Vertices per sector: 32 bytes, with values of 4 bytes.
pub(crate) const SECTOR: u32 = 8;

/// Returns the bytes of device memory that sampling takes beside a run.
pub fn sampling_bytes(graph: &Graph) -> u64 {
    12 * graph.vertices() as u64 + 64
}
