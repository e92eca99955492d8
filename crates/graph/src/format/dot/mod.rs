//! Reads the graphs of DOT, Graphviz's language, and leaves the drawing out.
//!
//! ```text
//! strict digraph name {
//!   node [shape=box]; edge [weight=1];
//!   a -> b -> c [weight=2.5];  d;
//!   subgraph cluster { x -> y }
//!   a -> { x y };
//! }
//! ```
//!
//! - The vertices are the nodes that statements name, isolated ones too. Ids are numbers if all of them are whole
//!   numbers in their usual form, else names.
//! - `digraph` is directed and joins nodes by `->`; `graph` is undirected and joins them by `--`. The other sign is an
//!   error, as in Graphviz.
//! - The weight is the attribute `weight` of an edge, else `w`, `value`, `cost`, `distance` or `amount`, whichever the
//!   first edge has; `edge [weight=1]` gives it to the edges that follow in the same braces. Either all edges have one
//!   or none has. All other attributes and ports are skipped.
//! - A subgraph is part of the graph around it. As an end of an edge it stands for all of its nodes; such edges may not
//!   outnumber the bytes of the file, so that a small file cannot make a huge graph.
//! - Names in `<...>`, subgraphs without braces and a second graph in the file are errors.

mod parse;
mod token;

use self::token::Token;
use super::{
    Format, Input, ReadOptions, detect,
    elements::{Because, Parsed, Place, Scan, after_mark},
    preview,
    table::{Entry, Sign, Used},
};
use crate::{control::Control, error::Result, graph::Graph};

pub(super) const ENTRY: Entry = Entry {
    name: "dot",
    aliases: &["gv"],
    endings: &["dot", "gv"],
    sign: Sign::Content(is_dot),
    is_finished: false,
    uses: &[Used::Ids, Used::WeightType],
    read_parts: None,
    read: |input, options, control| read(&input, options, control),
    preview: preview::not_at_start,
};

/// Returns true if the first tokens are `[strict] graph|digraph [name] {`.
pub(super) fn is_dot(data: &[u8]) -> bool {
    let start = after_mark(&data[..data.len().min(detect::LOOK_AT)]);
    let valid = std::str::from_utf8(start).map_or_else(|e| e.valid_up_to(), |text| text.len());
    let Ok(text) = std::str::from_utf8(&start[..valid]) else { return false };
    let control = Control::new();
    let mut scan = Scan::new(Place { file: "", data, skipped: 0 }, text, &control);
    header(&mut scan).is_ok_and(|header| header.is_some())
}

/// Reads up to the first `{` and returns true for a directed graph, or `None` if the text is no DOT.
fn header(scan: &mut Scan<'_, '_>) -> Result<Option<bool>> {
    let mut token = token::token(scan)?.1;
    if token.is("strict") {
        token = token::token(scan)?.1;
    }
    let directed = token.is("digraph");
    if !directed && !token.is("graph") {
        return Ok(None);
    }
    let mut next = token::token(scan)?.1;
    if matches!(next, Token::Id(..) | Token::Html) {
        next = token::token(scan)?.1;
    }
    Ok((next == Token::Mark(b'{')).then_some(directed))
}

/// Reads a DOT file.
fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let (place, text) = Place::of(input)?;
    let mut scan = Scan::new(place, text, control);
    let Some(directed) = header(&mut scan)? else {
        scan.at = text.len() - text.trim_ascii_start().len();
        return Err(scan.expected("`graph {` or `digraph {`", token::HELP));
    };
    let parser = parse::Parser::new(scan, directed, options);
    let (nodes, edges, warnings) = parser.parse()?;
    let word = if directed { "digraph" } else { "graph" };
    let because = Because::of(format!("the file says `{word}`"));
    Parsed::new(nodes, edges, because, "", warnings)?.build(input.name(), Format::Dot, options, control)
}
