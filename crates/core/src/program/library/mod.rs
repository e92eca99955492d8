//! Programs that come with warpgraph: ready to run, and examples for users' own programs.
//!
//! | program | value | combined by | reads |
//! | --- | --- | --- | --- |
//! | [`Reach`] | 1 if reached from a seed | `Or` | nothing |
//! | [`Hops`] | fewest hops, up to a limit | `Min` | nothing |
//! | [`HopTree`] | hops and the smallest parent, packed | `Min` | ids |
//! | [`ShortestPaths`] | smallest sum of weights | `Min` | weights |
//! | [`Lengths`] | the same as `sssp` computes it: distances in another type than weights | `Min` | weights |
//! | [`WidestPaths`] | largest bottleneck | `Max` | weights |
//! | [`Components`] | smallest vertex connected to it | `Min` | nothing |
//! | [`Ranks`] | PageRank, not scaled to sum 1 | `Sum`, distributes | degrees |
//! | [`Adsorption`] | how much of the injected label arrives | `Sum`, distributes | weights, columns |

mod adsorption;
mod components;
mod hops;
mod lengths;
mod ranks;
mod reach;
mod shortest;
mod widest;

pub use adsorption::Adsorption;
pub use components::Components;
pub use hops::{HopTree, Hops};
pub use lengths::Lengths;
pub use ranks::Ranks;
pub use reach::Reach;
pub use shortest::ShortestPaths;
pub use widest::WidestPaths;

#[cfg(test)]
mod tests;
