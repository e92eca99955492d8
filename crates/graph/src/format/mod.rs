//! Reads and writes graph files, and detects their formats.
//!
//! [`Input`] opens a file: it maps the file, or decompresses it if its first bytes are those of a compressed file.
//! Detection finds the [`Format`] by the content, then by the ending of the name. The module of that format reads the
//! file into a [`Graph`]. `docs/formats.md` describes each format, its defaults and its limits.
//!
//! The `formats!` table below is the only list of formats. Each line declares a variant of [`Format`] and names its
//! `table::Entry`, which the format's own file defines and which describes the rest.

mod adjacency;
mod budget;
mod bv;
mod claim;
mod columns;
mod decompress;
mod detect;
mod dimacs;
mod dot;
mod edge_list;
mod elements;
mod finished;
mod foreign;
mod gap;
mod gml;
mod graph500;
mod graphalytics;
mod graphml;
mod input;
mod lex;
mod matrix_market;
mod metis;
mod node_link;
mod npz;
mod numbered;
mod pajek;
mod parquet;
mod parts;
mod preview;
mod stream;
mod streamed;
mod table;
mod vertex_table;
pub mod wg;
pub mod write;

pub use columns::{Column, Columns, EdgeColumns, Header};
pub use input::Input;
pub use preview::Preview;
pub use streamed::{Spilled, Streamed};

use crate::{
    build::{Loops, Parallel},
    control::Control,
    error::Result,
    graph::Graph,
    timeline::Phase,
};
use parts::Parts;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use table::formats;
use vertex_table::VertexTable;

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
    /// Adjacency lists, `.adjlist`: a vertex and its neighbours per line.
    AdjacencyList = adjacency::ENTRY;
    /// LDBC Graphalytics, `.e` with `.v` beside it.
    Graphalytics = graphalytics::ENTRY;
    /// Networks of Pajek, `.net`.
    Pajek = pajek::ENTRY;
    /// GML, `.gml`.
    Gml = gml::ENTRY;
    /// DOT, Graphviz's language, `.dot` and `.gv`.
    Dot = dot::ENTRY;
    /// Node-link JSON of NetworkX and D3, `.json`.
    NodeLink = node_link::ENTRY;
    /// Sparse matrices of SciPy, `.npz`.
    Npz = npz::ENTRY;
    /// Edge lists in Parquet files, `.parquet`; read by builds with the feature `parquet`.
    Parquet = parquet::ENTRY;
    /// warpgraph's own mapped format, `.wg`.
    Wg = wg::ENTRY;
}

/// The kind of the ids in an edge list or a GraphML file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IdKind {
    /// Ids are numbers if the ids of the first lines are numbers, and names otherwise.
    #[default]
    Auto,
    /// Ids are whole numbers of up to 64 bits.
    Numbers,
    /// Ids are names, even where they look like numbers.
    Names,
}

/// Options for reading a file. With the default options, the file itself decides everything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// The format; if `None`, the content decides, then the ending of the name.
    pub format: Option<Format>,
    /// True for a directed graph; if `None`, the file decides, or the documented default of its format.
    pub directed: Option<bool>,
    /// The first id in formats that number vertices; if `None`, the format decides (1 for `.mtx`, METIS and `.gr` files
    /// with a `p` line).
    pub base: Option<u64>,
    /// True to leave weights out.
    pub no_weights: bool,
    /// True to narrow decimal weights to f32.
    pub narrow_weights: bool,
    /// The treatment of self-loops.
    pub loops: Loops,
    /// The treatment of parallel edges.
    pub parallel: Parallel,
    /// For edge lists with number ids, and Graph500: the number N of vertices. The vertices are then all of `0..N` (or
    /// `base..base+N`), including isolated ones; if `None`, the vertices are the ids that occur.
    pub vertices: Option<u64>,
    /// For formats whose ids may be names: the kind of the ids.
    pub ids: IdKind,
    /// A file with the vertices: ids, isolated ones included, and labels. Every id of an edge must be in it.
    pub vertex_table: Option<PathBuf>,
    /// For text edge lists and Parquet: the columns of sources, targets and weights.
    pub columns: Columns,
    /// For text edge lists: whether the first line names the columns.
    pub header: Header,
}

impl Graph {
    /// Reads a file of any known format, or standard input for `-`.
    ///
    /// A folder, a pattern such as `part-*.parquet` or a list `@parts.txt` stands for several files of one format that
    /// hold one graph (edge lists and Parquet files).
    ///
    /// # Errors
    /// Returns [`crate::Error::Io`] if the file cannot be read, [`crate::Error::Parse`] or [`crate::Error::Format`]
    /// with the position if its content violates its format, and [`crate::Error::TooLarge`] if the graph does not fit
    /// in memory or has too many vertices.
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

    /// Does what [`Graph::open`] does, as `options` say. `control` can stop the work, and it receives the progress.
    ///
    /// # Errors
    /// Returns the errors of [`Graph::open`], and the error of `control` if `control` stops the work.
    pub fn open_with(path: impl AsRef<Path>, options: &ReadOptions, control: &Control) -> Result<Self> {
        let edges = |options: &ReadOptions| match Parts::of(path.as_ref())? {
            Some(parts) => {
                let _span = control.span(Phase::Reading);
                parts.read(options, control)
            }
            None => read(Input::open(path.as_ref(), control)?, options, control),
        };
        let Some(vertices) = &options.vertex_table else { return edges(options) };
        let table = VertexTable::open(vertices, control)?;
        match options.ids {
            IdKind::Auto if table.has_names() => {
                table.apply(edges(&ReadOptions { ids: IdKind::Names, ..options.clone() })?)
            }
            _ => table.apply(edges(options)?),
        }
    }
}

/// Reads a graph from bytes of any known format.
///
/// # Errors
/// Returns the errors of [`Graph::open_with`].
pub fn read(input: Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    control.check("reading")?;
    let format = detect::format_of(&input, options)?;
    // Nothing of a `.wg` file is read beside the phases `opening` and `checking`.
    let _span = (format != Format::Wg).then(|| control.span(Phase::Reading));
    (format.entry().read)(input, options, control)
}
