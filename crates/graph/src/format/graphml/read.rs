//! Reads a GraphML file: parses it, numbers the nodes and builds the graph.

use super::parse::Parser;
use crate::{
    control::Control,
    error::Result,
    format::{
        Format, Input, ReadOptions,
        elements::{Because, Parsed, Place},
    },
    graph::Graph,
};

/// Reads a GraphML file.
pub(super) fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let (place, text) = Place::of(input)?;
    let parsed = Parser::new(place, text, options, control).parse()?;
    let edges = parsed.edges;
    let help = "declare it with <node id=\"...\"/>, or remove the edge";
    let default = edges.default.unwrap_or(false);
    let word = if default { "directed" } else { "undirected" };
    let because = Because {
        default: format!("edgedefault is {word:?}"),
        others: format!("every edge says directed=\"{}\"", !default),
    };
    let parsed = Parsed::new(parsed.nodes, edges, because, help, parsed.warnings)?;
    parsed.build(input.name(), Format::GraphMl, options, control)
}
