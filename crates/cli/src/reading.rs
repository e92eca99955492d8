//! The flags of every command that reads a graph.

use clap::{Args, ValueEnum};
use warpgraph::graph::{
    Format, ReadOptions,
    build::{Loops, Parallel},
    format::IdKind,
};

/// How to read the graph; everything has a default that the file itself decides.
#[derive(Args, Debug, Clone, Default, PartialEq)]
#[command(next_help_heading = "Reading")]
pub(crate) struct Reading {
    /// Take the edges as arcs of one direction
    ///
    /// Without this or --undirected the file decides: a SNAP header that says so, symmetric Matrix Market, METIS, PACE and
    /// GraphML files that say so are undirected; other text, .gr, .npz and .parquet are directed.
    #[arg(long, conflicts_with = "undirected")]
    directed: bool,
    /// Add the arc of the other direction to every edge
    #[arg(long)]
    undirected: bool,
    /// The file's format, if neither content nor ending tell it
    #[arg(long, value_name = "F", long_help = format!(
        "The file's format, if neither content nor ending tell it\n\nOne of {}.", Format::names()
    ))]
    format: Option<String>,
    /// What the file calls its first vertex, in formats that number them
    #[arg(long, value_name = "0|1", value_parser = clap::value_parser!(u64).range(0..=1))]
    base: Option<u64>,
    /// Leave weights out
    #[arg(long)]
    no_weights: bool,
    /// Type of decimal weights: auto keeps f64, f32 halves their memory
    #[arg(long, value_name = "T", default_value = "auto")]
    weight_type: WeightChoice,
    /// Edges from a vertex to itself
    #[arg(long, value_name = "RULE", default_value = "keep")]
    loops: LoopRule,
    /// Several edges between the same two vertices
    ///
    /// keep: all of them. first: the one listed first. min: the smallest weight. sum: one edge with the sum of weights.
    #[arg(long, value_name = "RULE", default_value = "min")]
    parallel: ParallelRule,
    /// Edge lists with number ids, Graph500: take N vertices, so that isolated ones are kept
    ///
    /// Without it the vertices are the ids that occur in the file.
    #[arg(long, value_name = "N")]
    vertices: Option<u64>,
    /// Edge lists and GraphML: are ids numbers or names
    ///
    /// auto: numbers if those of the first lines are. names: take even 007 as a text.
    #[arg(long, value_name = "KIND", default_value = "auto")]
    ids: IdChoice,
    /// .wg files: skip the checks (only for files that warpgraph wrote and nobody changed)
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

impl Reading {
    /// Is --trust the only flag, but for a format?
    pub(crate) fn is_only_trust(&self) -> bool {
        Self { trust: false, format: None, ..self.clone() } == Self::default()
    }

    /// The flags as the library takes them.
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
        })
    }

    /// Has any of these flags been given?
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
