//! What kernels take. The CUDA structs are printed from these; those of one balance stand in its host file in `advance`.

use crate::{copies::CopyArgs, print::MAX_PARAMS};
use warpgraph_device::{Address, arguments};

arguments! {
    /// An edge array: the targets of all arcs, or their weights. `kernels/edges.cuh` reads it, and says what the fields are
    /// for each way of storing it.
    pub(crate) struct Edges {
        pub(crate) near: Address<()>,
        pub(crate) far: Address<()>,
        pub(crate) slots: Address<u32>,
        /// The shift of bases, if the array is coded.
        pub(crate) shift: u64,
        /// Counters of a run that counts what crosses the bus.
        pub(crate) counts: Address<u64>,
    }
}

impl Edges {
    /// No array.
    pub(crate) const NONE: Self = Self {
        near: Address::NULL,
        far: Address::NULL,
        slots: Address::NULL,
        shift: 0,
        counts: Address::NULL,
    };

    /// Returns the host's address and the bytes of an entry, if the array is streamed: no kernel reads it where it is.
    pub(crate) fn streamed(&self) -> Option<(u64, usize)> {
        let is_streamed = self.near.raw() == 0 && self.far.raw() != 0;
        is_streamed.then(|| (self.far.raw(), self.slots.raw() as usize))
    }

    /// Returns one array in one place that kernels reach.
    pub(crate) const fn plain(near: Address<()>) -> Self {
        Self { near, ..Self::NONE }
    }
}

arguments! {
    /// What `advance` and `gather` work on: rows, a frontier and the next frontier, whatever the balance. The first field of the
    /// arguments of every kernel that expands. What only one balance reads stands in a struct of its own, behind those arguments:
    /// see [`crate::advance`].
    pub(crate) struct Along {
        /// The rows that are walked along.
        pub(crate) offsets: Address<()>,
        pub(crate) targets: Edges,
        /// Rows there are; vertices beyond are those of further copies of the graph.
        pub(crate) vertices: u64,
        /// The vertices of the frontier; null if it is all vertices.
        pub(crate) items: Address<u32>,
        /// Where what is left of the row of each begins; null if all of every row is left.
        pub(crate) starts: Address<()>,
        /// Where the row of each begins in streamed edges, and behind the last where it ends; null if `offsets` says that.
        pub(crate) firsts: Address<()>,
        /// Where the number of vertices in the frontier stands; null if `count` is that number.
        pub(crate) size: Address<u64>,
        pub(crate) count: u64,
        /// The next frontier; null if the kernel is to make none.
        pub(crate) next: Address<u32>,
        pub(crate) next_size: Address<u64>,
        pub(crate) cancel: Address<u32>,
    }
}

arguments! {
    /// Counters that the last block of a kernel tells to the host.
    pub(crate) struct Telling {
        /// The counters, and behind them how many blocks are done.
        pub(crate) counters: Address<u64>,
        pub(crate) len: u64,
        /// Gets them, and behind them the number of the telling; null if the kernel is to tell nothing.
        pub(crate) told: Address<u64>,
        pub(crate) number: u64,
        /// Not 0: sets the counters to 0.
        pub(crate) clears: u64,
    }
}

arguments! {
    /// Of the kernels that work on frontiers alone.
    pub(crate) struct FrontierArgs {
        /// Offsets of the rows whose degrees count, and of other rows of the same vertices; null if only the first count.
        pub(crate) offsets: Address<()>,
        pub(crate) behind: Address<()>,
        /// Rows there are; vertices beyond are those of further copies of the graph.
        pub(crate) vertices: u64,
        /// The vertices; null if they are 0, 1, 2, ...
        pub(crate) items: Address<u32>,
        /// Where what is left of the row of each begins; null if all of every row is left.
        pub(crate) starts: Address<()>,
        /// Where their number stands; null if `count` is that number.
        pub(crate) size: Address<u64>,
        pub(crate) count: u64,
        /// Gets the sum of degrees; the one after it that of the rows beside.
        pub(crate) arcs: Address<u64>,
        /// Gets the greatest of them, as `arcs` does; null if only the first rows count and the greatest is not wanted.
        pub(crate) longest: Address<u64>,
        /// What is told once all is counted.
        pub(crate) tell: Telling,
        pub(crate) bitmap: Address<u32>,
        pub(crate) stamps: Address<u32>,
        /// Get prefix sums: of degrees, or of children of `most` arcs at most.
        pub(crate) first: Address<()>,
        pub(crate) sums: Address<()>,
        pub(crate) most: u64,
        /// Items of a block in `scan_tiles`.
        pub(crate) tile: u32,
        pub(crate) round: u32,
    }
}

arguments! {
    /// Of the kernels of programs.
    pub(crate) struct ProgramArgs {
        /// The rows that are walked along, and the frontier.
        pub(crate) along: Along,
        /// Weights of these arcs, as the program wants them; all share the first where the mask is 0.
        pub(crate) weights: Edges,
        pub(crate) weight_mask: u64,
        /// What vertices show: offsets whose differences are their degrees, original numbers (null: their own), columns one
        /// after the other.
        pub(crate) out_offsets: Address<()>,
        pub(crate) originals: Address<u32>,
        pub(crate) columns: Address<()>,
        pub(crate) vertices: u64,
        /// A bit for every copy and every hole; null if the graph has neither.
        pub(crate) idle: Address<u32>,
        /// What vertices hold.
        pub(crate) values: Address<()>,
        /// What they tell: `values`, or the changes of a sum.
        pub(crate) spoken: Address<()>,
        /// Where messages go: `values`, or a place to gather them in.
        pub(crate) into: Address<()>,
        /// Where a sweep writes.
        pub(crate) other: Address<()>,
        /// The round each vertex was last claimed in.
        pub(crate) stamps: Address<u32>,
        /// The vertices that speak, while pulling; null if all do.
        pub(crate) bitmap: Address<u32>,
        /// Gets the first vertex that starts with NaN.
        pub(crate) not_a_number: Address<u64>,
        /// Gets the changes, one per block.
        pub(crate) sums: Address<f64>,
        /// Gets the numbers of updates and edges, in [`WORK_COUNTERS`] pairs, if the kernel counts them.
        pub(crate) work: Address<u64>,
        pub(crate) params: [u64; MAX_PARAMS],
        pub(crate) round: u32,
        pub(crate) flags: u32,
    }
}

/// Threads count work in so many places, since atomics on one address are serialised.
pub(crate) const WORK_COUNTERS: usize = 64;

/// [`ProgramArgs::flags`]: begin with `start`, not `init`.
pub(crate) const FROM_START: u32 = 1;
/// What arrives in a sweep is added to `init`, not applied to the value.
pub(crate) const ADDS_TO_INIT: u32 = 2;
/// A vertex changes once at most.
pub(crate) const ONCE: u32 = 4;
/// A vertex may join the next frontier several times.
pub(crate) const REPEATS: u32 = 8;
/// No vertex joins the next frontier by what it received: the host looks at all vertices afterwards.
pub(crate) const JOINS_LATER: u32 = 16;

arguments! {
    /// Of the kernels of betweenness.
    pub(crate) struct BcArgs {
        /// The rows that are walked along, and the layer.
        pub(crate) along: Along,
        /// Weights of these arcs.
        pub(crate) weights: Edges,
        /// Of outgoing arcs.
        pub(crate) offsets: Address<()>,
        /// Vertices of one copy of the graph.
        pub(crate) vertices: u64,
        /// The source of each copy, and the vertices it reaches; null if they are not wanted.
        pub(crate) sources: Address<u32>,
        pub(crate) reached: Address<u32>,
        /// Distances from the source, of all vertices of all copies, as all arrays up to `dependencies`.
        pub(crate) distances: Address<()>,
        /// Before a vertex is taken: the round it last got nearer in, then tight arcs that lead to it and are not yet counted.
        /// After: the exponent of its count.
        pub(crate) pending: Address<u32>,
        /// How many shortest paths lead to a vertex.
        pub(crate) counts: Address<f64>,
        /// What depends on a vertex.
        pub(crate) dependencies: Address<f64>,
        pub(crate) scores: Address<f64>,
        /// The queue that vertex kernels work on, and its length.
        pub(crate) queue: Address<u32>,
        pub(crate) length: Address<u64>,
        /// A part of it.
        pub(crate) from: u64,
        pub(crate) upto: u64,
        pub(crate) counters: Address<u64>,
        /// Copies of vertices, which are no copies of the graph.
        pub(crate) replicas: CopyArgs,
        pub(crate) copies: u32,
        pub(crate) round: u32,
    }
}

arguments! {
    /// Of the kernels of searches from many sources at once.
    pub(crate) struct BatchArgs {
        /// The rows that are walked along, and the front.
        pub(crate) along: Along,
        /// Offsets of the arcs that searches follow, and of the same arcs from their other end.
        pub(crate) ahead: Address<()>,
        pub(crate) behind: Address<()>,
        /// Sets of sources, of all vertices.
        pub(crate) seen: Address<u64>,
        pub(crate) front: Address<u64>,
        pub(crate) next: Address<u64>,
        /// All sources of the batch.
        pub(crate) full: [u64; MAX_WORDS],
        /// The level each vertex was last found on.
        pub(crate) stamps: Address<u32>,
        pub(crate) sources: Address<u32>,
        /// The front as a queue, and those found.
        pub(crate) items: Address<u32>,
        pub(crate) count: u64,
        pub(crate) found: Address<u32>,
        pub(crate) found_size: Address<u64>,
        pub(crate) counters: Address<u64>,
        /// Gets how many vertices each source has found.
        pub(crate) tally: Address<u64>,
        /// Gets the sets of those found, in their order, unless it is null.
        pub(crate) listed: Address<u64>,
        /// For every vertex, how many sources reach it, the sums of their distances and of the inverses, and the greatest
        /// distance; null if they are not wanted.
        pub(crate) reached: Address<u32>,
        pub(crate) total: Address<u64>,
        pub(crate) harmonic: Address<f64>,
        pub(crate) farthest: Address<u32>,
        /// How many sources there are.
        pub(crate) batch: u32,
        pub(crate) level: u32,
    }
}

/// The most words of a set of sources.
pub(crate) const MAX_WORDS: usize = 4;
