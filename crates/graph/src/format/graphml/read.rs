//! Reads a GraphML file: parses it, numbers the nodes and builds the graph.

use super::{BYTE_ORDER_MARK, parse::Parser};
use crate::{
    build::{Numbering, Options},
    control::Control,
    error::{Error, Position, Result},
    format::{Format, Input, ReadOptions, edge_list::weights, lex},
    graph::{Graph, Origin},
    par,
};

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
        ..Origin::default()
    };
    // SAFETY: the builder makes as many weights as arcs and as many vertices as there are ids, and mirrors every edge
    // unless the graph is directed.
    Ok(unsafe { Graph::new_unchecked(built.arcs, directed, ids, origin) })
}

/// The source of the text, for positions in error messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'i> {
    pub(super) file: &'i str,
    pub(super) data: &'i [u8],
    /// The number of bytes before the text: those of a byte order mark.
    pub(super) skipped: usize,
}

impl Place<'_> {
    /// Returns the line and column of the byte at `offset` in the text.
    pub(super) fn position(&self, offset: usize) -> Position {
        lex::position(self.file, self.data, self.skipped + offset)
    }

    pub(super) fn error(&self, offset: usize, problem: impl Into<String>, help: &str) -> Error {
        Error::format(self.position(offset), problem, help)
    }

    fn not_utf8(&self, offset: usize) -> Error {
        self.error(offset, "this is no UTF-8", "convert the file, e.g. with `iconv -f latin1 -t utf8`")
    }
}
