//! What an algorithm must move at least: simple models, to hold a measured time against the machine's limits.
//!
//! A model counts bytes that are read or written in order, and reads at random places, each with its 4-byte index read in
//! order. The time at the limit is `streamed / copy + gathers / gather(footprint)`, and a run's share of the limit is that
//! time over the measured one. Nothing is counted that a better algorithm could leave out, so shares are low where much
//! work is not memory: tests, queues, supersteps too small to share out. A share above 1 means that gathers were cheaper
//! than random ones: neighbours lie near each other (a grid in natural order), or in a cache.
//!
//! | algorithm | streamed | gathers |
//! | --- | --- | --- |
//! | bfs | an offset, a distance and a parent a vertex | one arc a reached vertex, into a bitmap |
//! | sssp | an offset and a distance a vertex, a weight an arc | the other end's distance, once an arc of a reached vertex |
//! | pagerank, a sweep | two offsets and a share a vertex; in the end a rank | the other end's share of 4 bytes, once an arc |
//! | wcc | an offset, the first line of its arcs and its component a vertex | two neighbours' components a vertex |

use crate::{Limits, Shape};
use serde::{Deserialize, Serialize};

/// Bytes of a cache line.
const LINE: u64 = 64;

/// What a run does, as far as models ask.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Work {
    /// Supersteps or sweeps.
    pub rounds: u64,
    /// Arcs of the vertices reached.
    pub arcs: u64,
}

impl Work {
    /// Before a run: every vertex is reached, and PageRank takes as many sweeps as it usually does to 10^-6.
    pub fn guess(shape: &Shape) -> Self {
        Self { rounds: 12, arcs: shape.arcs }
    }
}

/// What must be moved at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Bytes read or written in order.
    pub streamed: u64,
    /// Reads at random places.
    pub gathers: u64,
    /// Bytes these are spread over.
    pub footprint: u64,
}

impl Traffic {
    /// All bytes: streamed ones, and for each gather its index and 4 bytes of what it is after.
    pub fn bytes(&self) -> u64 {
        self.streamed + 8 * self.gathers
    }

    /// Seconds this takes at the machine's limits.
    pub fn seconds(&self, limits: &Limits) -> f64 {
        let gathering = match self.gathers {
            0 => 0.0,
            n => n as f64 / limits.gathers_per_second(self.footprint),
        };
        self.streamed as f64 / limits.copy + gathering
    }
}

pub(crate) fn bfs(shape: &Shape, work: &Work) -> Traffic {
    let n = shape.vertices;
    Traffic { streamed: n * (shape.offset_bytes() + 8), gathers: n.min(work.arcs), footprint: n.div_ceil(8) }
}

pub(crate) fn sssp(shape: &Shape, work: &Work) -> Traffic {
    let (n, distance) = (shape.vertices, shape.distance_bytes());
    let streamed = n * (shape.offset_bytes() + distance) + work.arcs * shape.weight_bytes();
    Traffic { streamed, gathers: work.arcs, footprint: n * distance }
}

pub(crate) fn pagerank(shape: &Shape, work: &Work) -> Traffic {
    let (n, share) = (shape.vertices, 4);
    let sweep = n * (2 * shape.offset_bytes() + share);
    Traffic { streamed: work.rounds * sweep + 8 * n, gathers: work.rounds * shape.arcs, footprint: n * share }
}

pub(crate) fn wcc(shape: &Shape, _: &Work) -> Traffic {
    let n = shape.vertices;
    let rows = (LINE * n).min(4 * shape.arcs);
    Traffic {
        streamed: n * (shape.offset_bytes() + 4) + rows,
        gathers: (2 * n).min(shape.arcs),
        footprint: 4 * n,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Rate;

    #[test]
    fn time_at_the_limit_is_streaming_plus_gathering() {
        let rate = Rate { footprint: 1 << 20, per_second: 1e6 };
        let limits =
            Limits { threads: 1, copy: 1e9, gather: vec![rate], atomic: rate, wake: 0.0, seconds: 0.0 };
        let traffic = Traffic { streamed: 2_000_000_000, gathers: 500_000, footprint: 1 << 20 };
        assert_eq!((traffic.seconds(&limits), traffic.bytes()), (2.5, 2_004_000_000));
        let none = Traffic { streamed: 0, gathers: 0, footprint: 0 };
        assert_eq!(none.seconds(&limits), 0.0);
    }

    #[test]
    fn pagerank_gathers_every_arc_in_every_sweep() {
        let shape = Shape {
            vertices: 10,
            arcs: 40,
            directed: false,
            weights: None,
            largest_weight: None,
            id_bytes: 0,
        };
        let traffic = pagerank(&shape, &Work { rounds: 3, arcs: 40 });
        assert_eq!(traffic, Traffic { streamed: 3 * 120 + 80, gathers: 120, footprint: 40 });
    }
}
