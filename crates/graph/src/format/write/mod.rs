//! Writes a graph to a file in one of several formats; the file is complete or does not exist ([`AtomicFile`]).
//!
//! | ending | what is kept |
//! |---|---|
//! | `.wg` | everything |
//! | `.el`, `.wel` | edges in original ids (undirected ones once), `.wel` with weights; no isolated vertices |
//! | `.csv`, `.tsv` | the same with weights if there are any; no direction |
//! | `.parquet` | the same with direction |
//! | `.graphml` | vertices, edges, weights and direction, in original ids |
//! | `.mtx` | edges and weights; vertices are numbered from 1 in the order of their ids |
//! | `.g500` | edges in original ids below 2^48 (undirected ones once); no weights, direction or isolated vertices |
//! | `.sg`, `.wsg` | arcs, `.wsg` with integer weights; vertices are numbered from 0 in the order of their ids |
//!
//! What is written reads back as the same graph, or the writer refuses it and names the id that the format cannot hold.
//! A name that ends in `.gz` or `.zst` packs the file ([`Packing`]).
//!
//! The `outputs!` table below is the only list of these formats. Each line declares a variant of [`OutputFormat`] and
//! names the entry in the file of its writer, which holds everything else about the format.

mod delimited;
mod edge_list;
mod edges;
mod gap;
mod graph500;
mod graphml;
mod matrix_market;
mod names;
pub mod packing;
mod parquet;
mod table;
mod text;
mod wg;

pub use packing::{Packer, Packing};
#[cfg(feature = "parquet")]
pub use parquet::columns;
pub use table::Keeps;

use crate::{
    atomic_file::AtomicFile,
    control::Control,
    error::{Error, Result},
    graph::Graph,
};
use std::{io::Write, path::Path};
use table::outputs;

/// Number of bytes written between two checks of the control.
const SLICE: usize = 8 << 20;

outputs! {
    /// Text with one line `source target` per edge.
    EdgeList = edge_list::ENTRY;
    /// Text with one line `source target weight` per edge.
    WeightedEdgeList = edge_list::WEIGHTED_ENTRY;
    /// Text with a header and one line `source,target` or `source,target,weight` per edge.
    Csv = delimited::CSV;
    /// Text like [`OutputFormat::Csv`], with tabs instead of commas.
    Tsv = delimited::TSV;
    /// Matrix Market: symmetric if the graph is undirected; pattern, integer or real depending on the weights.
    MatrixMarket = matrix_market::ENTRY;
    /// GraphML.
    GraphMl = graphml::ENTRY;
    /// Parquet with the columns `source`, `target` and `weight`; needs the feature `parquet`.
    Parquet = parquet::ENTRY;
    /// The serialised graph of the GAP benchmark suite, without weights.
    Gap = gap::ENTRY;
    /// The serialised graph of the GAP benchmark suite, with 32-bit weights.
    WeightedGap = gap::WEIGHTED_ENTRY;
    /// The packed edges of Graph500.
    Graph500 = graph500::ENTRY;
    /// warpgraph's own format.
    Wg = wg::ENTRY;
}

/// Options for writing a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WriteOptions {
    /// The format; if `None`, the ending of the file name determines it.
    pub format: Option<OutputFormat>,
    /// True to replace an existing file.
    pub force: bool,
}

impl Graph {
    /// Writes the graph to a file, or to standard output if the path is `-`. Packs the file if its name ends in `.gz`
    /// or `.zst`. A failed write leaves no partial file at a new path, and leaves an existing regular file unchanged.
    ///
    /// # Errors
    /// Returns [`Error::Exists`] when the file exists and `force` is not set, [`Error::Invalid`] when the format is
    /// unknown or cannot hold this graph, [`Error::Io`] when writing fails, e.g. because the disk is full, and the
    /// error of [`Control::check`] when `control` stops the work.
    pub fn write(&self, path: impl AsRef<Path>, options: &WriteOptions, control: &Control) -> Result<()> {
        let path = path.as_ref();
        let format = options.format.map_or_else(|| OutputFormat::of_path(path), Ok)?;
        if path == Path::new("-") {
            return to_writer(self, format, &mut std::io::stdout(), "<stdout>", control);
        }
        format.refuse_packed(path)?;
        refuse_unfit(self, format)?;
        let name = path.display().to_string();
        let mut file = AtomicFile::create(path, options.force)?;
        let mut packer = Packer::new(&mut file, Packing::of_path(path).0);
        to_writer(self, format, &mut packer, &name, control)?;
        packer.finish().map_err(|e| Error::io(&name, "write", e))?;
        file.commit()
    }
}

/// Writes the graph to `out` in `format`; `name` is the name of the output in errors.
///
/// # Errors
/// Returns the same errors as [`Graph::write`], except [`Error::Exists`].
pub fn to_writer(
    graph: &Graph,
    format: OutputFormat,
    out: &mut (dyn Write + Send),
    name: &str,
    control: &Control,
) -> Result<()> {
    refuse_unfit(graph, format)?;
    let mut out = Output { out, name, control };
    (format.entry().write)(graph, &mut out)?;
    out.out.flush().map_err(|e| Error::io(name, "write", e))
}

fn refuse_unfit(graph: &Graph, format: OutputFormat) -> Result<()> {
    let entry = format.entry();
    match entry.unweighted {
        Some(other) if graph.weight_type().is_none() => Err(Error::invalid(
            format!("a .{format} file holds weights, and this graph has none"),
            format!("write .{other} instead; weights are never invented"),
        )),
        _ => (entry.check)(graph),
    }
}

/// The destination of the bytes, its name in errors, and the control that may stop the work.
struct Output<'a> {
    out: &'a mut (dyn Write + Send),
    name: &'a str,
    control: &'a Control,
}

impl Output<'_> {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        for slice in bytes.chunks(SLICE) {
            self.control.check("writing")?;
            self.out.write_all(slice).map_err(|e| Error::io(self.name, "write", e))?;
        }
        Ok(())
    }
}
