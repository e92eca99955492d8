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
}

impl Scheme {
    /// All of them.
    pub(crate) const ALL: [Self; 5] =
        [Self::Node, Self::Edge, Self::Workload, Self::Split, Self::Hierarchical];
    /// Those that programs pull by: they share rows, the others deal out a frontier.
    pub(crate) const PULLING: [Self; 2] = [Self::Node, Self::Workload];

    /// What a plan may come to; only `node` if `one_order` says that a row must be one thread's.
    pub(crate) fn of(asked: Option<Balance>, one_order: bool) -> &'static [Self] {
        match asked {
            Some(Balance::Node) => &[Self::Node],
            Some(Balance::Edge { .. }) => &[Self::Edge],
            Some(Balance::Workload) => &[Self::Workload],
            Some(Balance::Split(_)) => &[Self::Split],
            Some(Balance::Hierarchical(_)) => &[Self::Hierarchical, Self::Workload],
            None if one_order => &[Self::Node],
            None => &[Self::Node, Self::Workload],
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Node => "node",
            Self::Edge => "edge",
            Self::Workload => "workload",
            Self::Split => "split",
            Self::Hierarchical => "hierarchical",
        })
    }
}
