//! Which kernels a balance takes.

use std::fmt;
use warpgraph_core::Balance;

/// A file of `kernels/advance`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scheme {
    Node,
    Edge,
    Workload,
    Split,
    Hierarchical,
    Tiled,
    Resident,
}

/// Bytes of the board on which a block's threads put what several warps take. `tiles.cuh` checks that it is enough.
pub(crate) const BOARD_BYTES: u32 = 10 << 10;

impl Scheme {
    /// All of them.
    pub(crate) const ALL: [Self; 7] = [
        Self::Node,
        Self::Edge,
        Self::Workload,
        Self::Split,
        Self::Hierarchical,
        Self::Tiled,
        Self::Resident,
    ];
    /// Those that programs pull by: they share rows, the others deal out a frontier.
    pub(crate) const PULLING: [Self; 3] = [Self::Node, Self::Workload, Self::Tiled];

    /// What a plan may come to; only `node` if `one_order` says that a row must be one thread's.
    pub(crate) fn of(asked: Option<Balance>, one_order: bool) -> &'static [Self] {
        match asked {
            Some(Balance::Node) => &[Self::Node],
            Some(Balance::Edge { .. }) => &[Self::Edge],
            Some(Balance::Workload) => &[Self::Workload],
            Some(Balance::Split(_)) => &[Self::Split],
            Some(Balance::Hierarchical(_)) => &[Self::Hierarchical, Self::Workload],
            Some(Balance::Tiled(_)) => &[Self::Tiled],
            // Rows whose tiles cannot be kept are cut as they are met.
            Some(Balance::Resident(_)) => &[Self::Resident, Self::Tiled],
            None if one_order => &[Self::Node],
            None => super::model::OPEN,
        }
    }

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Edge => "edge",
            Self::Workload => "workload",
            Self::Split => "split",
            Self::Hierarchical => "hierarchical",
            Self::Tiled => "tiled",
            Self::Resident => "resident",
        }
    }

    /// Bytes of shared memory that a block of its kernels asks for.
    pub(crate) const fn shared(self) -> u32 {
        match self {
            Self::Tiled | Self::Resident => BOARD_BYTES,
            _ => 0,
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
