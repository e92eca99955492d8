//! Small parts that several algorithms share.

mod bitmap;
mod both_ways;
mod forest;
mod prefetch;
mod ranges;
mod spare;
mod team;

pub(crate) use bitmap::Bitmap;
pub(crate) use both_ways::BothWays;
pub(crate) use forest::Forest;
pub(crate) use prefetch::prefetch;
pub(crate) use ranges::balanced;
pub(crate) use spare::Spare;
pub(crate) use team::{Team, team};
pub(crate) use warpgraph_graph::atomics::{Atomic, atomics};
