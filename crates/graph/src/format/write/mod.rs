//! Writers: a graph as a file of another format, whole or not at all ([`AtomicFile`]).
//!
//! | ending | what is kept |
//! |---|---|
//! | `.wg` | everything |
//! | `.el`, `.wel` | edges in original ids (undirected ones once), `.wel` with weights; isolated vertices are not |
//! | `.mtx` | edges and weights; vertices are numbered from 1 in the order of their ids |
//! | `.g500` | edges in original ids below 2^48 (undirected ones once); neither weights, direction nor isolated vertices |
//! | `.sg`, `.wsg` | arcs, `.wsg` with whole weights; vertices are numbered from 0 in the order of their ids |

mod gap;
mod graph500;
mod text;
mod wg;

use crate::{
    atomic_file::AtomicFile,
    control::Control,
    error::{Error, Result},
    graph::Graph,
};
use std::{io::Write, path::Path, str::FromStr};

/// Bytes written between two looks at the control.
const SLICE: usize = 8 << 20;

/// A file format that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutputFormat {
    /// Lines of `source target`.
    EdgeList,
    /// Lines of `source target weight`.
    WeightedEdgeList,
    /// Matrix Market: symmetric if undirected; pattern, integer or real by the weights.
    MatrixMarket,
    /// GAP's serialised graph without weights.
    Gap,
    /// GAP's serialised graph with 32-bit weights.
    WeightedGap,
    /// Graph500's packed edges.
    Graph500,
    /// warpgraph's own.
    Wg,
}

impl OutputFormat {
    /// Its name, which is also its ending: `el`, `wel`, `mtx`, `sg`, `wsg`, `g500` or `wg`.
    pub fn name(self) -> &'static str {
        match self {
            Self::EdgeList => "el",
            Self::WeightedEdgeList => "wel",
            Self::MatrixMarket => "mtx",
            Self::Gap => "sg",
            Self::WeightedGap => "wsg",
            Self::Graph500 => "g500",
            Self::Wg => "wg",
        }
    }

    fn needs_weights(self) -> bool {
        matches!(self, Self::WeightedEdgeList | Self::WeightedGap)
    }
}

impl std::fmt::Display for OutputFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Names, which are also the endings, in any case.
impl FromStr for OutputFormat {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(match text.to_ascii_lowercase().as_str() {
            "el" | "txt" | "edge-list" => Self::EdgeList,
            "wel" => Self::WeightedEdgeList,
            "mtx" | "matrix-market" => Self::MatrixMarket,
            "sg" => Self::Gap,
            "wsg" => Self::WeightedGap,
            "g500" | "graph500" => Self::Graph500,
            "wg" => Self::Wg,
            _ => {
                return Err(Error::invalid(
                    format!("cannot write format {text:?}"),
                    "one of el, wel, mtx, sg, wsg, g500, wg, as the file's ending or by name",
                ));
            }
        })
    }
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
    match format {
        OutputFormat::EdgeList => text::edge_list(graph, false, &mut out)?,
        OutputFormat::WeightedEdgeList => text::edge_list(graph, true, &mut out)?,
        OutputFormat::MatrixMarket => text::matrix_market(graph, &mut out)?,
        OutputFormat::Gap => gap::write(graph, false, &mut out)?,
        OutputFormat::WeightedGap => gap::write(graph, true, &mut out)?,
        OutputFormat::Graph500 => graph500::write(graph, &mut out)?,
        OutputFormat::Wg => wg::write(graph, &mut out)?,
    }
    out.out.flush().map_err(|e| Error::io(name, "write", e))
}

fn refuse_unfit(graph: &Graph, format: OutputFormat) -> Result<()> {
    if format.needs_weights() && graph.weight_type().is_none() {
        let other = if format == OutputFormat::WeightedGap { "sg" } else { "el" };
        return Err(Error::invalid(
            format!("a .{format} file holds weights, and this graph has none"),
            format!("write .{other} instead; weights are never invented"),
        ));
    }
    match format {
        OutputFormat::EdgeList | OutputFormat::WeightedEdgeList => text::refuse_names(graph),
        OutputFormat::Gap | OutputFormat::WeightedGap => gap::refuse_unfit(graph, format),
        OutputFormat::Graph500 => graph500::refuse_unfit(graph),
        _ => Ok(()),
    }
}

/// Where the bytes go, whose name errors carry, and who may stop it.
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
