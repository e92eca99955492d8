//! Expanding frontiers: a functor's kernels, rows and a frontier go in, and a *balance* shares the arcs among threads.
//!
//! A balance is a kernel file, `kernels/advance/<name>.cuh`, and a host file here, `<name>.rs`, behind one trait, [`Balancing`]:
//! what it keeps of a graph, how it deals out a frontier, the arguments of its own that its kernels take, and what it needs of
//! memory and time. [`host`] is the table of balances, by the balances that plans name. [`Balancer`] drives them in a run.
//!
//! | balance | kept of the graph | made of every frontier | launches per frontier |
//! | --- | --- | --- | --- |
//! | `node` | | | one |
//! | `edge` | where each arc begins | the list of its arcs | two |
//! | `workload` | | prefix sums of degrees | four |
//! | `split` | a table of children | the list of its children | two |
//! | `hierarchical` | a threshold | lists of what is left of its rows | one per sub-iteration, then those of `workload` |
//! | `tiled` | | | one |
//! | `resident` | the tiles of every vertex that was expanded | the list of its tiles | two |
//!
//! If a plan leaves the balance open, the driver chooses one per frontier, the cheapest by a cost [`model`]. Time in the functor's
//! kernels is measured apart from all other time of a run, which is overhead; memory that a balance takes is counted.

mod balancer;
mod balancing;
mod calibrate;
mod edge;
mod hierarchical;
mod kept;
mod model;
mod node;
mod open;
mod own;
mod probe;
mod resident;
mod scheme;
mod split;
mod store;
mod tiled;
mod tiles;
mod watched;
mod worklist;
mod workload;

pub(crate) use balancer::{Balancer, Expand, Expansion, Queue, Sides, Spent, Work, schemes_ahead};
pub(crate) use balancing::{Balancing, Lists, Sizes};
pub(crate) use calibrate::measured_texts;
pub use calibrate::{CostModel, Measurement, cost_model};
pub use model::{Cost, Costs};
pub(crate) use open::Seen;
pub(crate) use probe::ProbeArgs;
pub(crate) use scheme::Scheme;

use warpgraph_core::Balance;

/// The table of balances: returns the host side of one, with its options and nothing prepared yet.
pub(crate) fn host(balance: Balance) -> Box<dyn Balancing> {
    match balance {
        Balance::Node => Box::new(node::Node),
        Balance::Edge { chunking, condensing } => Box::new(edge::Edge::new(chunking, condensing)),
        Balance::Workload => Box::new(workload::Workload),
        Balance::Split(threshold) => Box::new(split::Split::new(threshold)),
        Balance::Hierarchical(threshold) => Box::new(hierarchical::Hierarchical::new(threshold)),
        Balance::Tiled(tiles) => Box::new(tiled::Tiled { tiles }),
        Balance::Resident(tiles) => Box::new(resident::Resident::new(tiles)),
    }
}
