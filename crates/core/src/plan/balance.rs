//! Balances: how a GPU's threads share the arcs of a frontier \[1, 2\]. The processor's engine balances by itself and takes none.
//!
//! \[1\] A. Raval, R. Nasre, V. Kumar, R. Vasudevan, S. Vadhiyar, K. Pingali, Dynamic load balancing strategies for graph
//! applications on GPUs, 2017.
//!
//! \[2\] M. Sha, Y. Li, K.-L. Tan, Self-adaptive graph traversal on GPUs, SIGMOD 2021: `tiled` and `resident`.

use std::num::NonZeroU32;

/// How a GPU's threads share the arcs of a frontier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Balance {
    /// A thread a vertex: the baseline of the literature.
    Node,
    /// The worklist holds arcs, dealt out in turn to as many threads as run at a time.
    Edge {
        /// The arcs of a vertex join the worklist with one atomic, not one each.
        chunking: bool,
        /// A vertex joins it at most once a superstep.
        condensing: bool,
    },
    /// The frontier's degrees are summed up, and every thread gets an equal, contiguous share of the arcs.
    Workload,
    /// Vertices of more arcs than a threshold are worked on as several children, each with an even share of the arcs.
    Split(Threshold),
    /// Sub-iterations of at most a threshold of arcs a vertex over a shrinking list, then `Workload` for the few that are left.
    Hierarchical(Threshold),
    /// A thread a vertex, but for runs of arcs that fill a tile of threads: the whole block takes those first, then halves of it, and so
    /// on; what fills no tile is put together.
    Tiled(Tiles),
    /// The tiles of a vertex are kept when they are first made; those of a frontier are dealt out over the whole device.
    Resident(Tiles),
}

/// How rows are cut into tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tiles {
    /// Threads of the smallest tile, a power of two; a block at most.
    pub min: u32,
    /// Do tiles begin where sectors of memory do? What comes before goes with what is left behind.
    pub align: bool,
}

impl Tiles {
    /// A warp at least. The literature goes down to 8 threads; but what fills no tile is put together so that neighbouring threads read
    /// neighbouring arcs too, and none is left without.
    pub const DEFAULT: Self = Self { min: 32, align: true };
    /// The threads that the smallest tile can have.
    pub const LEAST: u32 = 8;
    pub(crate) const MOST: u32 = 256;
}

impl Default for Tiles {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The maximum degree threshold, MDT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Threshold {
    /// The threshold; found from the histogram of degrees if `None`.
    pub mdt: Option<NonZeroU32>,
    /// Bins of that histogram.
    pub bins: NonZeroU32,
}

impl Threshold {
    /// As the literature has it: from a histogram of ten bins.
    pub const AUTOMATIC: Self = Self { mdt: None, bins: NonZeroU32::new(10).unwrap() };
}

impl Default for Threshold {
    fn default() -> Self {
        Self::AUTOMATIC
    }
}

impl Balance {
    /// `edge` as it is by default.
    pub const EDGE: Self = Self::Edge { chunking: true, condensing: true };
    /// `split` with an automatic threshold.
    pub const SPLIT: Self = Self::Split(Threshold::AUTOMATIC);
    /// `hierarchical` with an automatic threshold.
    pub const HIERARCHICAL: Self = Self::Hierarchical(Threshold::AUTOMATIC);
    /// `tiled` as it is by default.
    pub const TILED: Self = Self::Tiled(Tiles::DEFAULT);
    /// `resident` as it is by default.
    pub const RESIDENT: Self = Self::Resident(Tiles::DEFAULT);

    /// All of them, options at their defaults.
    pub const ALL: [Self; 7] = [
        Self::Node,
        Self::EDGE,
        Self::Workload,
        Self::SPLIT,
        Self::HIERARCHICAL,
        Self::TILED,
        Self::RESIDENT,
    ];

    /// Its name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Edge { .. } => "edge",
            Self::Workload => "workload",
            Self::Split(_) => "split",
            Self::Hierarchical(_) => "hierarchical",
            Self::Tiled(_) => "tiled",
            Self::Resident(_) => "resident",
        }
    }

    /// Does it deal out the arcs of a frontier only, so that programs cannot pull by it?
    pub const fn only_pushes(&self) -> bool {
        !matches!(self, Self::Node | Self::Workload | Self::Tiled(_))
    }

    /// Does it go over rows in tiles, whose accesses the order `sampled` learns from?
    pub const fn has_tiles(&self) -> bool {
        matches!(self, Self::Tiled(_) | Self::Resident(_))
    }

    /// May a vertex join the next frontier several times?
    pub const fn repeats(&self) -> bool {
        matches!(self, Self::Edge { condensing: false, .. })
    }
}
