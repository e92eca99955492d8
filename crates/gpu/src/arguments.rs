//! What kernels are given. The CUDA structs are printed from these.

use crate::print::MAX_PARAMS;
use warpgraph_device::{Address, arguments};

arguments! {
    /// What `advance` and `gather` work on: rows, a frontier and what the balance makes of it. The first field of the arguments of
    /// every kernel that expands.
    pub(crate) struct Along {
        /// The rows that are walked along.
        pub(crate) offsets: Address<()>,
        pub(crate) targets: Address<u32>,
        /// Rows there are; vertices beyond are those of further copies of the graph.
        pub(crate) vertices: u64,
        /// The frontier; null: all vertices. Of `split`, its children; null: all children.
        pub(crate) items: Address<u32>,
        /// Where what is left of each one's row begins; null: at its beginning.
        pub(crate) starts: Address<()>,
        /// Where the number of entries stands; null: `count`.
        pub(crate) size: Address<u64>,
        pub(crate) count: u64,
        /// `workload`: prefix sums of their degrees.
        pub(crate) first: Address<()>,
        /// `edge`: the arcs; null: all of them. `resident`: numbers of tiles; null: all that are kept.
        pub(crate) work: Address<()>,
        /// `edge`: where each arc begins. `split`: the parent of each child. `resident`: the first vertex of each tile's copy of the graph; null: 0.
        pub(crate) sources: Address<u32>,
        /// `split`: the first arc of each child, and how many children there are.
        pub(crate) firsts: Address<()>,
        pub(crate) children: u64,
        /// `hierarchical`: arcs of a row at a time, and the list of what is left.
        pub(crate) most: u64,
        pub(crate) rest: Address<u32>,
        pub(crate) rest_starts: Address<()>,
        pub(crate) rest_size: Address<u64>,
        /// `resident`: all tiles that are kept.
        pub(crate) records: Address<()>,
        /// The next frontier; null: nobody asks.
        pub(crate) next: Address<u32>,
        pub(crate) next_size: Address<u64>,
        pub(crate) cancel: Address<u32>,
        /// `tiled` and `resident`: threads of the smallest tile, and the arcs of a sector, where tiles begin.
        pub(crate) least: u32,
        pub(crate) align: u32,
        /// Elect tiles, and do nothing with them.
        pub(crate) dry: u64,
    }
}

arguments! {
    /// Of the kernel that cuts rows into the tiles of `resident`, and lists those of a frontier.
    pub(crate) struct TilesArgs {
        pub(crate) offsets: Address<()>,
        pub(crate) vertices: u64,
        /// The frontier; null: all vertices.
        pub(crate) items: Address<u32>,
        pub(crate) count: u64,
        /// The first tile of each row and how many it has; what is kept of all tiles, how many that is, and how many there is room for.
        pub(crate) rows: Address<u64>,
        pub(crate) records: Address<()>,
        pub(crate) used: Address<u64>,
        pub(crate) capacity: u64,
        /// Get the tiles of the frontier, and the first vertex of their copy of the graph, unless that is null.
        pub(crate) list: Address<u32>,
        pub(crate) bases: Address<u32>,
        pub(crate) list_size: Address<u64>,
        /// Get the rows whose tiles are not kept.
        pub(crate) loose: Address<u32>,
        pub(crate) loose_size: Address<u64>,
        /// Count tiles.
        pub(crate) made: Address<u64>,
        pub(crate) reused: Address<u64>,
        /// Threads of the smallest tile and of the largest, and arcs of a sector.
        pub(crate) least: u32,
        pub(crate) block: u32,
        pub(crate) align: u64,
    }
}

arguments! {
    /// Counters that the last block of a kernel tells to the host.
    pub(crate) struct Telling {
        /// The counters, and behind them how many blocks are done.
        pub(crate) counters: Address<u64>,
        pub(crate) len: u64,
        /// Gets them, and behind them the number of the telling; null: nothing is told.
        pub(crate) told: Address<u64>,
        pub(crate) number: u64,
        /// Set them to 0?
        pub(crate) clears: u64,
    }
}

arguments! {
    /// Of the kernels that work on frontiers alone.
    pub(crate) struct FrontierArgs {
        /// Offsets of the rows whose degrees count, and of those of the same vertices that are counted beside; null: none are.
        pub(crate) offsets: Address<()>,
        pub(crate) behind: Address<()>,
        /// Rows there are; vertices beyond are those of further copies of the graph.
        pub(crate) vertices: u64,
        /// The vertices; null: 0, 1, 2, ...
        pub(crate) items: Address<u32>,
        /// Where what is left of each one's row begins; null: at its beginning.
        pub(crate) starts: Address<()>,
        /// Where their number stands; null: `count`.
        pub(crate) size: Address<u64>,
        pub(crate) count: u64,
        /// Gets the sum of degrees; the one after it that of the rows beside.
        pub(crate) arcs: Address<u64>,
        /// Gets the greatest of them, as `arcs` does; null: nobody asks, and nothing is counted beside.
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
    /// Of the kernels that make worklists of `edge` and `split`, and what these keep of a graph.
    pub(crate) struct WorklistArgs {
        pub(crate) offsets: Address<()>,
        pub(crate) vertices: u64,
        /// The frontier.
        pub(crate) items: Address<u32>,
        pub(crate) count: u64,
        /// Get what is kept: where each arc begins, or the parent of each child and its first arc.
        pub(crate) sources: Address<u32>,
        pub(crate) firsts: Address<()>,
        /// The first child of each vertex, and how many there are.
        pub(crate) children_of: Address<()>,
        pub(crate) children: u64,
        /// The worklist.
        pub(crate) work: Address<()>,
        pub(crate) work_size: Address<u64>,
        /// Do the arcs of a vertex take their places together?
        pub(crate) chunking: u64,
    }
}

arguments! {
    /// Of the kernels of programs.
    pub(crate) struct ProgramArgs {
        /// The rows that are walked along, and the frontier.
        pub(crate) along: Along,
        /// Weights of these arcs, as the program wants them; all share the first where the mask is 0.
        pub(crate) weights: Address<()>,
        pub(crate) weight_mask: u64,
        /// What vertices show: outgoing arcs, original numbers (null: their own), columns one after the other.
        pub(crate) out_offsets: Address<()>,
        pub(crate) originals: Address<u32>,
        pub(crate) columns: Address<()>,
        pub(crate) vertices: u64,
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
        /// Who speaks, while pulling; null: all.
        pub(crate) bitmap: Address<u32>,
        /// Gets the first vertex that starts with NaN.
        pub(crate) not_a_number: Address<u64>,
        /// Get the changes, one a block.
        pub(crate) sums: Address<f64>,
        pub(crate) params: [u64; MAX_PARAMS],
        pub(crate) round: u32,
        pub(crate) flags: u32,
    }
}

/// [`ProgramArgs::flags`]: begin with `start`, not `init`.
pub(crate) const FROM_START: u32 = 1;
/// What arrives in a sweep is added to `init`, not applied to the value.
pub(crate) const ADDS_TO_INIT: u32 = 2;
/// A vertex changes once at most.
pub(crate) const ONCE: u32 = 4;
/// A vertex may join the next frontier several times.
pub(crate) const REPEATS: u32 = 8;

arguments! {
    /// Of the kernels of betweenness.
    pub(crate) struct BcArgs {
        /// The rows that are walked along, and the layer.
        pub(crate) along: Along,
        /// Weights of these arcs.
        pub(crate) weights: Address<()>,
        /// Of outgoing arcs.
        pub(crate) offsets: Address<()>,
        /// Vertices of one copy of the graph.
        pub(crate) vertices: u64,
        /// The source of each copy, and the vertices it reaches; null: nobody asks.
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
        /// How many sources there are.
        pub(crate) batch: u32,
        pub(crate) level: u32,
    }
}

/// The most words of a set of sources.
pub(crate) const MAX_WORDS: usize = 4;
