//! File formats: readers, writers, and telling one format from another.
//!
//! A file is opened as an [`Input`] (mapped, or decompressed by its magic bytes), its [`Format`] told by content and
//! then by its name's ending, and read by that format's module into a [`Graph`]. `docs/formats.md` describes each
//! format, its defaults and its limits.

mod bv;
mod claim;
mod decompress;
mod detect;
mod dimacs;
mod edge_list;
mod finished;
mod gap;
mod graph500;
#[cfg(feature = "graphml")]
mod graphml;
mod input;
mod lex;
mod matrix_market;
mod metis;
mod npz;
mod numbered;
#[cfg(feature = "parquet")]
mod parquet;
mod preview;
pub mod wg;
pub mod write;

pub use input::Input;
pub use preview::Preview;

use crate::{
    build::{Loops, Parallel},
    control::Control,
    error::{Error, Result},
    graph::Graph,
};
use serde::{Deserialize, Serialize};
use std::{path::Path, str::FromStr};

/// A file format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Format {
    /// Lines of `source target [weight]`: SNAP, `.el`, `.wel`, `.csv`, `.tsv`.
    EdgeList,
    /// Matrix Market coordinate files, `.mtx`.
    MatrixMarket,
    /// DIMACS shortest-path and colouring files, PACE graphs, and headerless 0-based arc files, `.gr`.
    Dimacs,
    /// METIS graphs, `.graph`.
    Metis,
    /// GAP Benchmark Suite serialised graphs, `.sg` and `.wsg`.
    Gap,
    /// Graph500's edges of 48-bit numbers, 12 bytes each, `.g500`.
    Graph500,
    /// Graph500's edges of 64-bit numbers, 16 bytes each.
    #[serde(rename = "graph500-64")]
    Graph500Wide,
    /// WebGraph's BV graphs, `.graph` with `.properties`; read by builds with the feature `webgraph`.
    #[serde(rename = "webgraph")]
    WebGraph,
    /// GraphML, `.graphml`; read by builds with the feature `graphml`.
    #[serde(rename = "graphml")]
    GraphMl,
    /// Sparse matrices of SciPy, `.npz`.
    Npz,
    /// Edge lists in Parquet files, `.parquet`; read by builds with the feature `parquet`.
    Parquet,
    /// warpgraph's own mapped format, `.wg`.
    Wg,
}

impl Format {
    /// Its name: `edge-list`, `matrix-market`, `dimacs`, `metis`, `gap`, `graph500`, `graph500-64`, `webgraph`,
    /// `graphml`, `npz`, `parquet` or `wg`.
    pub fn name(self) -> &'static str {
        match self {
            Self::EdgeList => "edge-list",
            Self::MatrixMarket => "matrix-market",
            Self::Dimacs => "dimacs",
            Self::Metis => "metis",
            Self::Gap => "gap",
            Self::Graph500 => "graph500",
            Self::Graph500Wide => "graph500-64",
            Self::WebGraph => "webgraph",
            Self::GraphMl => "graphml",
            Self::Npz => "npz",
            Self::Parquet => "parquet",
            Self::Wg => "wg",
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Names and usual endings, in any case.
impl FromStr for Format {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(match text.to_ascii_lowercase().as_str() {
            "edge-list" | "el" | "wel" | "snap" | "csv" | "tsv" | "txt" => Self::EdgeList,
            "matrix-market" | "mtx" => Self::MatrixMarket,
            "dimacs" | "gr" => Self::Dimacs,
            "metis" | "graph" => Self::Metis,
            "gap" | "sg" | "wsg" => Self::Gap,
            "graph500" | "g500" => Self::Graph500,
            "graph500-64" => Self::Graph500Wide,
            "webgraph" | "bv" => Self::WebGraph,
            "graphml" => Self::GraphMl,
            "npz" => Self::Npz,
            "parquet" => Self::Parquet,
            "wg" => Self::Wg,
            _ => {
                return Err(Error::invalid(
                    format!("unknown format {text:?}"),
                    "one of edge-list (el, wel, snap, csv, tsv, txt), matrix-market (mtx), dimacs (gr), \
                     metis (graph), gap (sg, wsg), graph500 (g500), graph500-64, webgraph (bv), graphml, npz, \
                     parquet, wg",
                ));
            }
        })
    }
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
    /// [`Error::Io`] when it cannot be read, [`Error::Parse`] or [`Error::Format`] with the position when it is not
    /// what it claims to be, [`Error::TooLarge`] when it does not fit.
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
    let format = match options.format {
        Some(format) => format,
        None if bv::is_webgraph(&input)? => Format::WebGraph,
        None => detect::detect(&input, input.name())?,
    };
    match format {
        Format::EdgeList => edge_list::read(&input, options, control),
        Format::MatrixMarket => matrix_market::read(&input, options, control),
        Format::Dimacs => dimacs::read(&input, options, control),
        Format::Metis => metis::read(&input, options, control),
        Format::Gap => gap::read(&input, options, control),
        Format::Graph500 => graph500::read(&input, options, control),
        Format::Graph500Wide => graph500::read_wide(&input, options, control),
        #[cfg(feature = "webgraph")]
        Format::WebGraph => bv::read(&input, options, control),
        #[cfg(not(feature = "webgraph"))]
        Format::WebGraph => Err(left_out(&input, "WebGraph's BV graphs", "webgraph")),
        #[cfg(feature = "graphml")]
        Format::GraphMl => graphml::read(&input, options, control),
        #[cfg(not(feature = "graphml"))]
        Format::GraphMl => Err(left_out(&input, "GraphML", "graphml")),
        Format::Npz => npz::read(&input, options, control),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::read(input, options, control),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Err(left_out(&input, "Parquet", "parquet")),
        Format::Wg => finished::apply(wg::File::from_input(input)?.check(control)?, options, control),
    }
}

/// Returns the error for a format whose reader this build leaves out.
#[cfg(not(all(feature = "graphml", feature = "parquet", feature = "webgraph")))]
fn left_out(input: &Input, what: &str, feature: &str) -> Error {
    Error::format(
        crate::Position::file(input.name()),
        format!("this build is without {what}"),
        format!("build it with the feature {feature}, or convert the file with a build that has it"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_reads_back_as_its_format() {
        use Format::*;
        let text = [EdgeList, MatrixMarket, Dimacs, Metis, GraphMl];
        let binary = [Gap, Graph500, Graph500Wide, WebGraph, Npz, Parquet, Wg];
        for format in text.into_iter().chain(binary) {
            assert_eq!(format.name().parse::<Format>().unwrap(), format);
        }
        assert_eq!("MTX".parse::<Format>().unwrap(), MatrixMarket);
    }

    #[test]
    fn an_unknown_format_is_answered_with_the_known_ones() {
        let error = "xls".parse::<Format>().unwrap_err();
        assert_eq!(error.to_string(), "unknown format \"xls\"");
        assert_eq!(
            error.help().unwrap(),
            "one of edge-list (el, wel, snap, csv, tsv, txt), matrix-market (mtx), dimacs (gr), metis (graph), \
             gap (sg, wsg), graph500 (g500), graph500-64, webgraph (bv), graphml, npz, parquet, wg"
        );
    }
}
