//! Graphs from a line of text: `kron:20`, `grid:1024x1024,drop=0.1`, `powerlaw:1000000,alpha=2.1`.
//!
//! A [`Spec`] is a generator's name, its size and its keys. What it generates is a function of that text alone: every
//! random decision is a hash of (seed, index), never the state of a thread, so the graph is the same on any number of
//! threads. (Degrees of `powerlaw` and `community` go through `f64::powf`, whose last bit may differ between C
//! libraries; a vertex is touched by that with a probability of about 10^-15.)
//!
//! A generator is one file: its parameters with their keys and ranges, its expected size, and `Edges`: the edges of
//! a range of items, to be called from any thread. Everything else (pieces, weights, progress, building) is shared.
//! Self-loops are dropped and parallel edges merged by the builder; `docs/generators.md` has the models.

mod community;
mod grid;
mod keys;
mod kron;
mod model;
mod pieces;
mod powerlaw;
mod random;
mod rows;
mod spec;
#[cfg(test)]
mod tests;
mod uniform;
mod weights;
mod zipf;

pub use spec::{Estimate, Spec};

use crate::csr::Vertex;
use std::ops::Range;

/// A generator made ready: it lists the edges of any range of its items.
///
/// Items are edges, or places where an edge may be; `fill` appends at most one edge an item, in the order of the
/// items, and depends on nothing but the item's number.
trait Edges: Sync {
    /// How many items there are.
    fn items(&self) -> u64;

    /// Appends the edges of `items`.
    fn fill(&self, items: Range<u64>, pairs: &mut Vec<[Vertex; 2]>);
}
