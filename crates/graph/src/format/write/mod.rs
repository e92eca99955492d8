//! Writers: a graph as a file of another format, whole or not at all ([`AtomicFile`]).
//!
//! | ending | what is kept |
//! |---|---|
//! | `.wg` | everything |
//! | `.el`, `.wel` | edges in original ids (undirected ones once), `.wel` with weights; isolated vertices are not |
//! | `.mtx` | edges and weights; vertices are numbered from 1 in the order of their ids |
//! | `.g500` | edges in original ids below 2^48 (undirected ones once); neither weights, direction nor isolated vertices |
//! | `.sg`, `.wsg` | arcs, `.wsg` with whole weights; vertices are numbered from 0 in the order of their ids |
//!
//! The `outputs!` table below is the only list of these formats. A line of it declares the variant of [`OutputFormat`] and
//! names the entry in the file of its writer, which says everything else.

mod gap;
mod graph500;
mod table;
mod text;
mod wg;

pub use table::Keeps;

use crate::{
    atomic_file::AtomicFile,
    control::Control,
    error::{Error, Result},
    graph::Graph,
};
use std::{io::Write, path::Path};
use table::outputs;

/// Bytes written between two looks at the control.
const SLICE: usize = 8 << 20;

outputs! {
    /// Lines of `source target`.
    EdgeList = text::EDGE_LIST;
    /// Lines of `source target weight`.
    WeightedEdgeList = text::WEIGHTED_EDGE_LIST;
    /// Matrix Market: symmetric if undirected; pattern, integer or real by the weights.
    MatrixMarket = text::MATRIX_MARKET;
    /// GAP's serialised graph without weights.
    Gap = gap::ENTRY;
    /// GAP's serialised graph with 32-bit weights.
    WeightedGap = gap::WEIGHTED_ENTRY;
    /// Graph500's packed edges.
    Graph500 = graph500::ENTRY;
    /// warpgraph's own.
    Wg = wg::ENTRY;
}

/// How to write a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WriteOptions {
    /// The format; told by the file's ending if `None`.
    pub format: Option<OutputFormat>,
    /// Replace a file that is there.
    pub force: bool,
}

impl Graph {
    /// Writes the graph to a file, or to standard output for `-`. The file is there whole or not at all.
    ///
    /// # Errors
    /// [`Error::Exists`]; [`Error::Invalid`] when the format cannot hold this graph; [`Error::Io`] when the disk is full;
    /// what `control` asks for.
    pub fn write(&self, path: impl AsRef<Path>, options: &WriteOptions, control: &Control) -> Result<()> {
        let path = path.as_ref();
        let format = match options.format {
            Some(format) => format,
            None => path.extension().map_or(String::new(), |e| e.to_string_lossy().into_owned()).parse()?,
        };
        if path == Path::new("-") {
            return to_writer(self, format, &mut std::io::stdout().lock(), "<stdout>", control);
        }
        refuse_unfit(self, format)?;
        let mut file = AtomicFile::create(path, options.force)?;
        to_writer(self, format, &mut file, &path.display().to_string(), control)?;
        file.commit()
    }
}

/// Writes the graph in `format`; `name` is the output's name in errors.
///
/// # Errors
/// As [`Graph::write`].
pub fn to_writer(
    graph: &Graph,
    format: OutputFormat,
    out: &mut dyn Write,
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

/// Where the bytes go, the name that errors give it, and the control that may stop it.
struct Output<'a> {
    out: &'a mut dyn Write,
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
