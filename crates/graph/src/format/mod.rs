//! File formats: readers, writers, and telling one format from another.
//!
//! [`Input`] opens a file: it maps it, or decompresses it if its first bytes say so. Detection finds the [`Format`] by the
//! content, then by the ending of the name. The module of that format reads the file into a [`Graph`].
//! `docs/formats.md` describes each format, its defaults and its limits.
//!
//! The `formats!` table below is the only list of formats. A line of it declares the variant of [`Format`] and names the
//! entry in the format's own file, which says everything else: `table::Entry`.

mod bv;
mod claim;
mod decompress;
mod detect;
mod dimacs;
mod edge_list;
mod finished;
mod gap;
mod graph500;
mod graphml;
mod input;
mod lex;
mod matrix_market;
mod metis;
mod npz;
mod numbered;
mod parquet;
mod preview;
mod table;
pub mod wg;
pub mod write;

pub use input::Input;
pub use preview::Preview;

use crate::{
    build::{Loops, Parallel},
    control::Control,
    error::Result,
    graph::Graph,
};
use serde::{Deserialize, Serialize};
use std::path::Path;
use table::formats;

formats! {
    /// Lines of `source target [weight]`: SNAP, `.el`, `.wel`, `.csv`, `.tsv`.
    EdgeList = edge_list::ENTRY;
    /// Matrix Market coordinate files, `.mtx`.
    MatrixMarket = matrix_market::ENTRY;
    /// DIMACS shortest-path and colouring files, PACE graphs, and headerless 0-based arc files, `.gr`.
    Dimacs = dimacs::ENTRY;
    /// METIS graphs, `.graph`.
    Metis = metis::ENTRY;
    /// GAP Benchmark Suite serialised graphs, `.sg` and `.wsg`.
    Gap = gap::ENTRY;
    /// Graph500's edges of 48-bit numbers, 12 bytes each, `.g500`.
    Graph500 = graph500::ENTRY;
    /// Graph500's edges of 64-bit numbers, 16 bytes each.
    #[serde(rename = "graph500-64")]
    Graph500Wide = graph500::WIDE_ENTRY;
    /// WebGraph's BV graphs, `.graph` with `.properties`; read by builds with the feature `webgraph`.
    #[serde(rename = "webgraph")]
    WebGraph = bv::ENTRY;
    /// GraphML, `.graphml`; read by builds with the feature `graphml`.
    #[serde(rename = "graphml")]
    GraphMl = graphml::ENTRY;
    /// Sparse matrices of SciPy, `.npz`.
    Npz = npz::ENTRY;
    /// Edge lists in Parquet files, `.parquet`; read by builds with the feature `parquet`.
    Parquet = parquet::ENTRY;
    /// warpgraph's own mapped format, `.wg`.
    Wg = wg::ENTRY;
}

/// What the ids of an edge list or a GraphML file are.
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
    /// For edge lists with number ids, and Graph500: take all of `0..N` (or `base..base+N`) as vertices, so that isolated ones are
    /// kept; otherwise the vertices are the ids that occur.
    pub vertices: Option<u64>,
    /// For edge lists and GraphML: what the ids are.
    pub ids: IdKind,
}

impl Graph {
    /// Reads a file of any known format, or standard input for `-`.
    ///
    /// # Errors
    /// [`crate::Error::Io`] when it cannot be read, [`crate::Error::Parse`] or [`crate::Error::Format`] with the position when it is not
    /// what it claims to be, [`crate::Error::TooLarge`] when it does not fit.
    ///
    /// ```
    /// # fn main() -> warpgraph_graph::Result<()> {
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("road.gr");
    /// std::fs::write(&path, "p sp 3 2\na 1 2 70\na 2 3 40\n").expect("written");
    /// let graph = warpgraph_graph::Graph::open(&path)?;
    /// assert_eq!((graph.vertices(), graph.edges(), graph.is_directed()), (3, 2, true));
    /// # Ok(())
    /// # }
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &ReadOptions::default(), &Control::new())
    }

    /// [`Graph::open`] with options, and a handle to stop it or watch it.
    ///
    /// # Errors
    /// As [`Graph::open`], and what `control` asks for.
    pub fn open_with(path: impl AsRef<Path>, options: &ReadOptions, control: &Control) -> Result<Self> {
        read(Input::open(path.as_ref())?, options, control)
    }
}

/// Reads a graph from bytes of any known format.
///
/// # Errors
/// As [`Graph::open_with`].
pub fn read(input: Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    control.check("reading")?;
    let format = detect::format_of(&input, options)?;
    (format.entry().read)(input, options, control)
}
