//! Reads edges as the Graph500 reference code writes them: pairs of vertex numbers and nothing else.
//!
//! ```text
//! graph500      12 bytes per edge: u32 low bits of v0, u32 low bits of v1, u16 high bits of v0, u16 high bits of v1
//! graph500-64   16 bytes per edge: i64 v0, i64 v1
//! ```
//!
//! Numbers are little-endian. There is no header, so the name of the format decides between the two. Graphs are
//! undirected like those of the benchmark, unless the options ask for directed ones. The vertices are the numbers that
//! occur, as in edge lists.

use super::{
    Format, Input, ReadOptions,
    edge_list::{Pairs, Record},
    preview,
    table::{Entry, Sign, Used},
};
use crate::{
    build::Options,
    control::Control,
    error::{Error, Position, Result},
    graph::{Graph, Origin},
};

pub(super) const ENTRY: Entry = Entry {
    name: "graph500",
    aliases: &["g500"],
    endings: &["g500", "graph500"],
    sign: Sign::Ending,
    is_finished: false,
    read_parts: None,
    uses: &[Used::BaseOfVertices, Used::Vertices],
    read: |input, options, control| read(&input, options, control),
    preview: preview::not_at_start,
};

pub(super) const WIDE_ENTRY: Entry = Entry {
    name: "graph500-64",
    aliases: &[],
    endings: &[],
    sign: Sign::Ending,
    is_finished: false,
    read_parts: None,
    uses: &[Used::BaseOfVertices, Used::Vertices],
    read: |input, options, control| read_wide(&input, options, control),
    preview: preview::not_at_start,
};

/// Reads packed edges of 48-bit numbers.
fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    read_records(input, Format::Graph500, Record { bytes: 12, decode: packed }, options, control)
}

/// Reads edges of 64-bit numbers.
fn read_wide(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    read_records(input, Format::Graph500Wide, Record { bytes: 16, decode: wide }, options, control)
}

/// Decodes the two vertex numbers of an edge of 12 bytes.
#[inline(always)]
fn packed(bytes: &[u8]) -> [u64; 2] {
    let number = |low: usize, high: usize| {
        let byte = |i: usize, at: usize| u64::from(bytes[at + i]) << (8 * i);
        let low: u64 = (0..4).map(|i| byte(i, low)).sum();
        low | byte(0, high) << 32 | byte(1, high) << 32
    };
    [number(0, 8), number(4, 10)]
}

/// Decodes the two vertex numbers of an edge of 16 bytes.
#[inline(always)]
fn wide(bytes: &[u8]) -> [u64; 2] {
    let number = |at: usize| (0..8).map(|i| u64::from(bytes[at + i]) << (8 * i)).sum();
    [number(0), number(8)]
}

fn read_records(
    input: &Input,
    format: Format,
    record: Record,
    options: &ReadOptions,
    control: &Control,
) -> Result<Graph> {
    refuse_broken(input, format, &record)?;
    let directed = options.directed.unwrap_or(false);
    let build = Options { directed, loops: options.loops, parallel: options.parallel };
    let (ids, listed, built) = Pairs { input, options, control, build, record }.read()?;
    let because = if options.directed.is_some() { "asked for" } else { "Graph500's graphs are undirected" };
    let origin = Origin {
        name: input.name().to_owned(),
        format: format.name().to_owned(),
        listed,
        direction_because: because.to_owned(),
        symmetrised: !directed,
        loops_dropped: built.loops_dropped,
        merged: built.merged,
        warnings: Vec::new(),
        ..Origin::default()
    };
    // SAFETY: the builder makes no weights, mirrors every edge unless the graph is directed, and numbers the vertices
    // by these ids.
    Ok(unsafe { Graph::new_unchecked(built.arcs, directed, ids, origin) })
}

/// Returns an error if the length of the file is not a multiple of the bytes per edge.
fn refuse_broken(input: &Input, format: Format, record: &Record) -> Result<()> {
    let (length, each) = (input.len(), record.bytes);
    if length.is_multiple_of(each) {
        return Ok(());
    }
    let problem = format!("{length} bytes, expected a multiple of {each} for {format}");
    let help = "the file is cut short, or its edges are of the other kind: graph500 has 12 bytes per edge, graph500-64 has 16";
    Err(Error::format(Position::file(input.name()), problem, help))
}
