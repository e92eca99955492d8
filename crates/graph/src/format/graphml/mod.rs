//! GraphML: vertices and edges as XML elements.
//!
//! ```text
//! <graphml>
//!   <key id="d0" for="edge" attr.name="weight" attr.type="double"><default>1.0</default></key>
//!   <graph edgedefault="undirected">
//!     <node id="a"/> <node id="b"/>
//!     <edge source="a" target="b"><data key="d0">2.5</data></edge>
//!   </graph>
//! </graphml>
//! ```
//!
//! - Vertices are the nodes, isolated ones too. Ids are numbers if all are whole numbers in their usual form (`7`, not
//!   `07`), else names. Nodes may come after the edges that use them; one that never comes is an error, one that comes
//!   twice too.
//! - `edgedefault` says whether the graph is directed, an edge's `directed` overrides it. Where both kinds occur the graph
//!   is directed, undirected edges become two arcs, and a warning says so. If the caller says which, edges are taken
//!   as listed.
//! - The edge key named `weight` is the weight: whole numbers if its type is int or long, decimals if float or double. An
//!   edge without it takes the key's default. Without a default all edges have a weight, or none. Other data are read past.
//! - Nested graphs are read as part of the graph around them, ports are read past; a warning counts them. Hyperedges and
//!   files of several graphs are refused.
//! - Only UTF-8. A document type is refused and no entity is expanded but the five of XML and character numbers, so a
//!   file cannot grow while it is read.
//!
//! One pass, serial: O(bytes) work; beside the arcs, 8 bytes per edge, 4 or 8 for its weight, and a table of the ids.

mod edges;
mod nodes;
mod parse;
mod tag;

use self::parse::Parser;
use super::{Format, Input, ReadOptions, edge_list::weights, lex};
use crate::{
    build::{Numbering, Options},
    control::Control,
    error::{Error, Position, Result},
    graph::{Graph, Origin},
    par,
};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a GraphML file.
pub(super) fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let skipped = if input.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let place = Place { file: input.name(), data: input, skipped };
    let text = std::str::from_utf8(&input[skipped..]).map_err(|e| place.not_utf8(e.valid_up_to()))?;
    let parsed = Parser::new(place, text, options, control)?.parse()?;
    let listed = parsed.edges.len() as u64;
    let (ids, vertices) = parsed.nodes.finish(input.name())?;
    let (directed, direction_because, (mut pairs, column)) = parsed.edges.finish(options.directed)?;
    par::parts_mut(&mut pairs, par::FINE, |_, pairs| {
        pairs.iter_mut().for_each(|pair| *pair = pair.map(|v| vertices[v as usize]));
    });
    let how = Options { directed, loops: options.loops, parallel: options.parallel };
    let (numbering, narrow) = (Numbering::From(0), options.narrow_weights);
    let built = weights::build(vec![(pairs, column)], ids.len() as u64, &numbering, narrow, &how, control)?;
    let origin = Origin {
        name: input.name().to_owned(),
        format: Format::GraphMl.name().to_owned(),
        listed,
        direction_because,
        symmetrised: !directed,
        loops_dropped: built.loops_dropped,
        merged: built.merged,
        warnings: parsed.warnings,
    };
    // SAFETY: the builder makes as many weights as arcs and as many vertices as there are ids, and mirrors every edge
    // unless the graph is directed.
    Ok(unsafe { Graph::new_unchecked(built.arcs, directed, ids, origin) })
}

/// Where the text comes from, for positions in error messages.
#[derive(Debug, Clone, Copy)]
struct Place<'i> {
    file: &'i str,
    data: &'i [u8],
    /// Bytes before the text.
    skipped: usize,
}

impl Place<'_> {
    /// The line and column of a byte of the text.
    fn position(&self, offset: usize) -> Position {
        lex::position(self.file, self.data, self.skipped + offset)
    }

    fn error(&self, offset: usize, problem: impl Into<String>, help: &str) -> Error {
        Error::format(self.position(offset), problem, help)
    }

    fn not_utf8(&self, offset: usize) -> Error {
        self.error(offset, "this is no UTF-8", "convert the file, e.g. with `iconv -f latin1 -t utf8`")
    }
}
