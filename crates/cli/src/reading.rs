//! The flags of every command that reads a graph.

use clap::{Args, ValueEnum};
use warpgraph::graph::{
    Format, ReadOptions,
    build::{Loops, Parallel},
    format::{Header, IdKind},
};

/// How to read the graph. The file decides what the user does not.
#[derive(Args, Debug, Clone, Default, PartialEq)]
#[command(next_help_heading = "Reading")]
pub(crate) struct Reading {
    /// Read the edges as directed arcs
    ///
    /// Without this or --undirected the file decides: symmetric Matrix Market, METIS and PACE files, and SNAP and
    /// GraphML files that say so, are undirected; other text, .gr, .npz and .parquet are directed.
    #[arg(long, conflicts_with = "undirected")]
    directed: bool,
    /// Add the reverse arc of every edge
    #[arg(long)]
    undirected: bool,
    /// The file's format, if neither content nor ending shows it
    #[arg(long, value_name = "F", long_help = format!(
        "The file's format, if neither content nor ending shows it\n\nOne of {}.", Format::names()
    ))]
    format: Option<String>,
    /// Number of the first vertex, in formats that number vertices
    #[arg(long, value_name = "0|1", value_parser = clap::value_parser!(u64).range(0..=1))]
    base: Option<u64>,
    /// Ignore weights
    #[arg(long)]
    no_weights: bool,
    /// Type of floating-point weights: auto keeps f64, f32 halves their memory
    #[arg(long, value_name = "T", default_value = "auto")]
    weight_type: WeightChoice,
    /// What to do with edges from a vertex to itself
    #[arg(long, value_name = "RULE", default_value = "keep")]
    loops: LoopRule,
    /// What to do with several edges between the same two vertices
    ///
    /// keep: keep all. first: keep the one listed first. min: keep the one with the smallest weight. sum: merge them
    /// into one edge with the sum of weights.
    #[arg(long, value_name = "RULE", default_value = "min")]
    parallel: ParallelRule,
    /// Number of vertices, for edge lists with number ids and Graph500, to keep isolated vertices
    ///
    /// Without it the vertices are the ids that occur in the file.
    #[arg(long, value_name = "N")]
    vertices: Option<u64>,
    /// Whether ids are numbers or names, for edge lists and GraphML
    ///
    /// auto: numbers if those of the first lines are. names: even 007 is text.
    #[arg(long, value_name = "KIND", default_value = "auto")]
    ids: IdChoice,
    /// A table of the vertices: every id, isolated ones included, and a label each if it has such a column
    ///
    /// Text or Parquet, one vertex per row; a folder or a pattern names several files. The column of ids is the one
    /// called id, node or vertex, else the first; that of labels is called label, name or title. An id of an edge that
    /// is not in the table is an error. Tables of answers get a column of labels.
    #[arg(long, value_name = "FILE")]
    vertex_table: Option<std::path::PathBuf>,
    /// Columns of sources, targets and weights in edge lists and Parquet: src=A,dst=B,weight=C
    ///
    /// A, B and C are names of columns or positions from 1, and any of them may be left out. Without it the names
    /// decide, e.g. source, src or from, target, dst or to, weight, cost or distance; two or three columns without names
    /// are source, target and weight.
    #[arg(long, value_name = "SPEC")]
    columns: Option<String>,
    /// Whether the first line of an edge list names the columns
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    header: HeaderChoice,
    /// Skip the checks of a .wg file; only for unchanged files that warpgraph wrote
    #[arg(long)]
    pub(crate) trust: bool,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Default)]
enum WeightChoice {
    #[default]
    Auto,
    F32,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Default)]
enum LoopRule {
    #[default]
    Keep,
    Drop,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Default)]
enum ParallelRule {
    Keep,
    First,
    #[default]
    Min,
    Sum,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Default)]
enum IdChoice {
    #[default]
    Auto,
    Numbers,
    Names,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Default)]
enum HeaderChoice {
    #[default]
    Auto,
    Yes,
    No,
}

impl Reading {
    /// Returns true if no other flag than --trust is given, except --format.
    pub(crate) fn is_only_trust(&self) -> bool {
        Self { trust: false, format: None, ..self.clone() } == Self::default()
    }

    /// Returns the flags as the library's options.
    pub(crate) fn options(&self) -> warpgraph::graph::Result<ReadOptions> {
        Ok(ReadOptions {
            format: self.format.as_deref().map(str::parse::<Format>).transpose()?,
            directed: (self.directed || self.undirected).then_some(self.directed),
            base: self.base,
            no_weights: self.no_weights,
            narrow_weights: self.weight_type == WeightChoice::F32,
            loops: match self.loops {
                LoopRule::Keep => Loops::Keep,
                LoopRule::Drop => Loops::Drop,
            },
            parallel: match self.parallel {
                ParallelRule::Keep => Parallel::Keep,
                ParallelRule::First => Parallel::First,
                ParallelRule::Min => Parallel::Min,
                ParallelRule::Sum => Parallel::Sum,
            },
            vertices: self.vertices,
            ids: match self.ids {
                IdChoice::Auto => IdKind::Auto,
                IdChoice::Numbers => IdKind::Numbers,
                IdChoice::Names => IdKind::Names,
            },
            vertex_table: self.vertex_table.clone(),
            columns: self.columns.as_deref().map(str::parse).transpose()?.unwrap_or_default(),
            header: match self.header {
                HeaderChoice::Auto => Header::Auto,
                HeaderChoice::Yes => Header::Yes,
                HeaderChoice::No => Header::No,
            },
        })
    }

    /// Returns true if none of these flags is given.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
