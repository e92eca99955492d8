//! File formats: readers, writers, and telling one format from another.
//!
//! A file is opened as an [`Input`] (mapped, or decompressed by its magic bytes), its [`Format`] told by content and
//! then by its name's ending, and read by that format's module into a [`Graph`](crate::Graph).

mod decompress;
mod edge_list;
mod input;
mod lex;

pub use input::Input;

use crate::build::{Loops, Parallel};
use serde::{Deserialize, Serialize};

/// A file format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Format {
    /// Lines of `source target [weight]`: SNAP, `.el`, `.wel`, `.csv`, `.tsv`.
    EdgeList,
    /// Matrix Market coordinate files, `.mtx`.
    MatrixMarket,
    /// DIMACS shortest-path files, PACE graphs, and headerless 0-based arc files, `.gr`.
    Dimacs,
    /// METIS graphs, `.graph`.
    Metis,
    /// GAP Benchmark Suite serialised graphs, `.sg` and `.wsg`.
    Gap,
    /// warpgraph's own mapped format, `.wg`.
    Wg,
}

/// What the ids of a text edge list are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IdKind {
    /// Numbers if those of the first lines are, else names.
    #[default]
    Auto,
    /// Whole numbers of up to 64 bits.
    Numbers,
    /// Names, even where they look like numbers.
    Names,
}

/// How to read a file. The default decides everything by the file itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// The format; told by content, then ending, if `None`.
    pub format: Option<Format>,
    /// Directed or not; by the format's own word, or its documented default, if `None`.
    pub directed: Option<bool>,
    /// What the first id is called in formats that number vertices (`.mtx`, `.gr`: 1; METIS: 1); `None`: the format's rule.
    pub base: Option<u64>,
    /// Leave weights out.
    pub no_weights: bool,
    /// Narrow decimal weights to f32.
    pub narrow_weights: bool,
    /// Self-loops.
    pub loops: Loops,
    /// Parallel edges.
    pub parallel: Parallel,
    /// For edge lists with number ids: take all of `0..N` (or `base..base+N`) as vertices, so that isolated ones are
    /// kept; otherwise the vertices are the ids that occur.
    pub vertices: Option<u64>,
    /// For text edge lists: what the ids are.
    pub ids: IdKind,
}
