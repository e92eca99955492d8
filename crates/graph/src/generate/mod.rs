//! Generates graphs from a line of text: `kron:20`, `grid:1024x1024,drop=0.1`, `powerlaw:1000000,alpha=2.1`.
//!
//! A [`Spec`] is a generator's name, its size and its keys. The graph is a function of that text alone: every random
//! decision is a hash of (seed, index) and never depends on the state of a thread, so the graph is the same on any
//! number of threads. (`powerlaw` and `community` call `f64::powf`, whose last bit may differ between C libraries. Such
//! a difference changes the degree of a vertex with a probability of about 10^-15.)
//!
//! Each generator has one file, which holds its parameters with their keys and ranges, its expected size, and its
//! implementation of `Edges`, which lists the edges of a range of items and which any thread may call. All generators
//! share the rest: pieces, weights, progress and building. The builder drops self-loops and merges parallel edges.
//! `docs/generators.md` describes the models.

mod community;
mod grid;
mod keys;
mod kron;
mod model;
mod pieces;
mod powerlaw;
mod random;
mod rows;
mod section;
mod spec;
#[cfg(test)]
mod tests;
mod uniform;
mod weights;
mod zipf;

pub use section::{Section, SectionRows};
pub use spec::{Estimate, Spec};

use crate::csr::Vertex;
use std::ops::Range;

/// A prepared generator, which lists the edges of any range of its items.
///
/// An item is an edge, or a place where an edge may be. `fill` appends at most one edge per item, in the order of the
/// items; the edge depends only on the generator and the item's number.
trait Edges: Sync {
    /// Returns the number of items.
    fn items(&self) -> u64;

    /// Appends the edges of `items`.
    fn fill(&self, items: Range<u64>, pairs: &mut Vec<[Vertex; 2]>);
}
