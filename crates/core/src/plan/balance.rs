//! Balances: how a GPU's threads share the arcs of a frontier \[1\]. The processor's engine balances by itself and takes none.
//!
//! \[1\] A. Raval, R. Nasre, V. Kumar, R. Vasudevan, S. Vadhiyar, K. Pingali, Dynamic load balancing strategies for graph
//! applications on GPUs, 2017.

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

    /// All of them, options at their defaults.
    pub const ALL: [Self; 5] = [Self::Node, Self::EDGE, Self::Workload, Self::SPLIT, Self::HIERARCHICAL];

    /// Its name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Edge { .. } => "edge",
            Self::Workload => "workload",
            Self::Split(_) => "split",
            Self::Hierarchical(_) => "hierarchical",
        }
    }

    /// Does it deal out the arcs of a frontier only, so that programs cannot pull by it?
    pub const fn only_pushes(&self) -> bool {
        !matches!(self, Self::Node | Self::Workload)
    }

    /// May a vertex join the next frontier several times?
    pub const fn repeats(&self) -> bool {
        matches!(self, Self::Edge { condensing: false, .. })
    }
}
