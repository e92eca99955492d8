//! Reads METIS graphs.
//!
//! ```text
//! % comments
//! n m [fmt [ncon]]                               fmt: digits for vertex sizes, vertex weights, edge weights
//! [size] [weight x ncon] (neighbour [weight])*   one line per vertex, ids from 1; a blank line is an isolated vertex
//! ```
//!
//! Graphs are undirected: both ends of an edge list it, and `m` counts it once. The reader skips vertex sizes and
//! vertex weights. It refuses a file in which only one end lists some edge, unless the caller asks for a directed
//! graph. In that case `m` may count every arc.
//!
//! The reader makes two parallel passes: the first counts lines, so that the second knows the first vertex of each
//! piece.

use super::{
    Format, Input, Preview, ReadOptions,
    claim::{self, Meter},
    detect,
    lex::{self, Cursor},
    numbered::{Column, Field, typed},
    table::{Entry, Sign, Used},
};
use crate::{
    build::{self, Built, EdgeChunk, EdgeList},
    control::Control,
    csr::Vertex,
    error::{Error, Position, Result},
    graph::{Arcs, Graph, Origin},
    hash,
    ids::Ids,
    par,
};
use std::ops::Range;

pub(super) const ENTRY: Entry = Entry {
    name: "metis",
    aliases: &["graph"],
    endings: &["graph", "metis"],
    sign: Sign::EndingIf(has_header),
    is_finished: false,
    read_parts: None,
    uses: &[Used::Base],
    read: |input, options, control| read(&input, options, control),
    preview: |input, _, options| preview(&input, options),
};

const HELP: &str = "the first line is `vertices edges [fmt [ncon]]`";
const PIECE: usize = 1 << 16;

struct Header {
    at: Position,
    vertices: u64,
    edges: u64,
    /// The count of numbers before the neighbours on each line: the vertex size and the vertex weights.
    skip: u64,
    weighted: bool,
    body: usize,
}

/// A piece of the file and the vertex that its first line describes.
struct Piece {
    range: Range<usize>,
    first: u64,
}

/// The arcs as listed and their weights, one vector and one column per piece.
type Listed = (Vec<Vec<[Vertex; 2]>>, Vec<Column>);

struct Reader<'a> {
    file: &'a str,
    data: &'a [u8],
    header: &'a Header,
    base: u64,
    keep_weights: bool,
}

/// Returns true if the first line that is no comment is a METIS header: two to four whole numbers.
fn has_header(data: &[u8]) -> bool {
    let mut line = detect::first_line(data, |token| token.starts_with(b"%"));
    let mut numbers = 0;
    while !line.at_line_end() {
        if line.unsigned().is_none() {
            return false;
        }
        numbers += 1;
        line.skip_blanks();
    }
    (2..=4).contains(&numbers)
}

/// Reads a METIS file.
fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let header = header(input)?;
    let base = options.base.unwrap_or(1);
    let reader =
        Reader { file: input.name(), data: input, header: &header, base, keep_weights: !options.no_weights };
    let (pairs, columns) = reader.parse(control)?;
    let directed = options.directed == Some(true);
    let listed: u64 = pairs.iter().map(|p| p.len() as u64).sum();
    let loops =
        par::map(pairs.len(), |i| pairs[i].iter().filter(|[u, v]| u == v).count() as u64).iter().sum();
    check_count(&header, listed, loops, directed)?;
    let field = if header.weighted { Field::Integer } else { Field::None };
    let weights = typed(columns, field, options);
    let chunks =
        pairs.into_iter().zip(weights).map(|(pairs, weights)| EdgeChunk { pairs, weights }).collect();
    let list = EdgeList { vertices: header.vertices as usize, chunks };
    let how = build::Options { directed: true, loops: options.loops, parallel: options.parallel };
    let built = build::build(list, &how, control)?;
    if !directed && !hash::is_symmetric(&built.arcs) {
        return Err(one_sided(&built.arcs, base, input.name()));
    }
    let origin = origin(input.name(), &header, loops, &built, directed);
    let ids = Ids::Range { first: base, len: header.vertices as usize };
    // SAFETY: the builder gives one weight per arc or no weights. Unless the graph is directed, `is_symmetric` has
    // found the arcs symmetric. There are as many ids as vertices.
    Ok(unsafe { Graph::new_unchecked(built.arcs, directed, ids, origin) })
}

/// Returns what the header says of the graph.
fn preview(input: &Input, options: &ReadOptions) -> Result<Preview> {
    let header = header(input)?;
    let field = if header.weighted { Field::Integer } else { Field::None };
    let directed = options.directed == Some(true);
    let preview =
        Preview::by_header(Format::Metis, header.vertices, header.edges.saturating_mul(2), directed);
    Ok(preview.with_weights(field.weight_type(), options))
}

fn origin(name: &str, header: &Header, loops: u64, built: &Built, directed: bool) -> Origin {
    let mut warnings = Vec::new();
    if header.skip > 0 {
        warnings.push("the file has vertex sizes or weights, which are ignored".to_owned());
    }
    if loops > 0 {
        warnings.push(format!("the file has {loops} self-loops, which METIS does not allow"));
    }
    let because = if directed { "asked for" } else { "METIS graphs are undirected" };
    Origin {
        name: name.to_owned(),
        format: Format::Metis.name().to_owned(),
        listed: header.edges,
        direction_because: because.to_owned(),
        symmetrised: false,
        loops_dropped: built.loops_dropped,
        merged: if directed { built.merged } else { built.merged / 2 },
        warnings,
        ..Origin::default()
    }
}

fn header(input: &Input) -> Result<Header> {
    let (file, mut cursor) = (input.name(), Cursor::new(input, 0..input.len()));
    loop {
        cursor.skip_blanks();
        if cursor.is_done() || !(cursor.at_line_end() || cursor.peek() == b'%') {
            break;
        }
        cursor.next_line();
    }
    let at = claim::line_of(file, input, cursor.at);
    let vertices = number(&mut cursor, file, "the number of vertices")?;
    let edges = number(&mut cursor, file, "the number of edges")?;
    let [sizes, weights, weighted] = fmt(&mut cursor, file)?;
    let ncon =
        if cursor.at_line_end() { 1 } else { number(&mut cursor, file, "the number of vertex weights")? };
    if !cursor.at_line_end() {
        return Err(cursor.expected(file, "the end of the line", HELP));
    }
    cursor.next_line();
    let rest = input.rest(cursor.at);
    claim::vertices(&at, vertices)?;
    claim::fits(&at, "vertices", vertices, rest, 1)?;
    claim::fits(&at, "edges", edges, rest, 2)?;
    let skip = u64::from(sizes) + if weights { ncon } else { 0 };
    Ok(Header { at, vertices, edges, skip, weighted, body: cursor.at })
}

fn number(cursor: &mut Cursor<'_>, file: &str, what: &str) -> Result<u64> {
    let value = cursor.unsigned().ok_or_else(|| cursor.expected(file, what, HELP))?;
    cursor.skip_blanks();
    Ok(value)
}

/// Reads the `fmt` field: up to three digits 0 or 1, of which the last stands for edge weights. Missing digits are 0.
fn fmt(cursor: &mut Cursor<'_>, file: &str) -> Result<[bool; 3]> {
    let token = cursor.token();
    if token.len() > 3 || token.iter().any(|b| !matches!(b, b'0' | b'1')) {
        const HELP: &str =
            "fmt is up to three digits: vertex sizes, vertex weights, edge weights, e.g. 1 or 011";
        return Err(cursor.expected(file, "fmt, one of 0, 1, 10, 11, 100, 101, 110, 111", HELP));
    }
    let mut flags = [false; 3];
    for (flag, digit) in flags.iter_mut().rev().zip(token.iter().rev()) {
        *flag = *digit == b'1';
    }
    cursor.at += token.len();
    cursor.skip_blanks();
    Ok(flags)
}

impl Reader<'_> {
    fn parse(&self, control: &Control) -> Result<Listed> {
        let meter = Meter::new(control, self.data.len() - self.header.body);
        // Results keep the order of the pieces, so this returns the first error of the file.
        let read: Vec<Result<_>> = par::map_each(self.pieces()?, |_, piece| {
            meter.advance(piece.range.len())?;
            self.piece(piece)
        });
        read.into_iter().collect()
    }

    /// Cuts the body into pieces, and counts lines to find the first vertex of each piece.
    fn pieces(&self) -> Result<Vec<Piece>> {
        let body = self.header.body..self.data.len();
        let pieces = (body.len() / PIECE).clamp(1, 16 * rayon::current_num_threads());
        let ranges = lex::split_lines(self.data, body, pieces);
        let counts = par::map(ranges.len(), |i| self.count_lines(ranges[i].clone()));
        let total: u64 = counts.iter().sum();
        if total < self.header.vertices {
            let at = self.header.at.clone();
            return Err(claim::mismatch(at, "vertex lines", self.header.vertices, total));
        }
        let mut first = 0;
        let starts = counts.into_iter().map(|count| {
            let start = first;
            first += count;
            start
        });
        Ok(ranges.into_iter().zip(starts).map(|(range, first)| Piece { range, first }).collect())
    }

    fn count_lines(&self, range: Range<usize>) -> u64 {
        let mut cursor = Cursor::new(self.data, range);
        let mut lines = 0;
        while !cursor.is_done() {
            cursor.skip_blanks();
            lines += u64::from(cursor.peek() != b'%');
            cursor.next_line();
        }
        lines
    }

    fn piece(&self, piece: Piece) -> Result<(Vec<[Vertex; 2]>, Column)> {
        let mut pairs = Vec::with_capacity(piece.range.len() / 8);
        let mut weights = Column::default();
        let mut vertex = piece.first;
        let mut cursor = Cursor::new(self.data, piece.range);
        while !cursor.is_done() {
            cursor.skip_blanks();
            if cursor.peek() != b'%' {
                self.line(&mut cursor, vertex, &mut pairs, &mut weights)?;
                vertex += 1;
            }
            cursor.next_line();
        }
        Ok((pairs, weights))
    }

    fn line(
        &self,
        cursor: &mut Cursor<'_>,
        vertex: u64,
        pairs: &mut Vec<[Vertex; 2]>,
        weights: &mut Column,
    ) -> Result<()> {
        if vertex >= self.header.vertices {
            return self.after_the_last(cursor);
        }
        for _ in 0..self.header.skip {
            let value = cursor.unsigned();
            value.ok_or_else(|| self.missing(cursor, "a vertex size or weight"))?;
            cursor.skip_blanks();
        }
        while !cursor.at_line_end() {
            let neighbour = self.neighbour(cursor)?;
            cursor.skip_blanks();
            pairs.push([vertex as Vertex, neighbour]);
            if self.header.weighted {
                weights.read(cursor, self.file, Field::Integer, self.keep_weights)?;
                cursor.skip_blanks();
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn neighbour(&self, cursor: &mut Cursor<'_>) -> Result<Vertex> {
        let start = cursor.at;
        match cursor.unsigned().and_then(|id| id.checked_sub(self.base)) {
            Some(v) if v < self.header.vertices => Ok(v as Vertex),
            _ => {
                cursor.at = start;
                let last = self.base.saturating_add(self.header.vertices - 1);
                Err(self.missing(cursor, &format!("a neighbour from {} to {last}", self.base)))
            }
        }
    }

    #[cold]
    fn missing(&self, cursor: &Cursor<'_>, what: &str) -> Error {
        let help = if cursor.token() == b"0" && self.base == 1 {
            "ids are 1-based; pass --base 0 if this file counts from 0"
        } else {
            "the header's fmt says what a line holds: [size] [weights] then neighbours [each with a weight]"
        };
        cursor.expected(self.file, what, help)
    }

    fn after_the_last(&self, cursor: &Cursor<'_>) -> Result<()> {
        if cursor.at_line_end() {
            return Ok(());
        }
        let what = format!("nothing after the lines of {} vertices", self.header.vertices);
        Err(cursor.expected(self.file, what, "the header's vertex count is too small, or a line was added"))
    }
}

/// Checks the number of listed neighbours against `m`, which counts an edge once. METIS forbids self-loops; files that
/// have them list them once or twice.
fn check_count(header: &Header, listed: u64, loops: u64, directed: bool) -> Result<()> {
    let twice = header.edges.saturating_mul(2);
    if listed == twice || listed + loops == twice || (directed && listed == header.edges) {
        return Ok(());
    }
    let help = if listed == header.edges {
        "METIS lists every edge from both ends and counts it once; pass --directed to read the arcs as they are"
    } else {
        "the file is cut short or its header is wrong; every edge is listed from both ends and counted once"
    };
    Err(Error::format(
        header.at.clone(),
        format!("the header promises {} edges, so {twice} neighbours, but {listed} follow", header.edges),
        help,
    ))
}

/// Returns the error that names the first edge that only one end lists, or that has different weights at its two ends.
fn one_sided(arcs: &Arcs, base: u64, file: &str) -> Error {
    let csr = &arcs.csr;
    let one_sided = |u: Vertex| {
        csr.arcs_of(u).find_map(|arc| {
            let v = csr.targets()[arc];
            let back = csr.arcs_of(v).start + csr.neighbors(v).partition_point(|&t| t < u);
            let is_there = csr.neighbors(v).binary_search(&u).is_ok();
            match is_there {
                false => Some((u, v, None)),
                true if arcs.weights.get(arc) != arcs.weights.get(back) => {
                    Some((u, v, Some((arcs.weights.get(arc), arcs.weights.get(back)))))
                }
                true => None,
            }
        })
    };
    let search = |mut us: std::ops::Range<usize>| us.find(|&u| one_sided(u as Vertex).is_some());
    let found = par::find_first(csr.vertices(), 1, search).and_then(|u| one_sided(u as Vertex));
    let problem = match found.map(|(u, v, weights)| (u64::from(u) + base, u64::from(v) + base, weights)) {
        Some((u, v, None)) => format!("vertex {u} lists neighbour {v}, but vertex {v} does not list {u}"),
        Some((u, v, Some((there, back)))) => {
            format!("the edge between {u} and {v} has weight {there} at {u} and {back} at {v}")
        }
        None => "some edge is listed more often by one end than by the other".to_owned(),
    };
    let help = "METIS lists every edge from both ends; pass --directed to read the arcs as they are";
    Error::format(Position::file(file), problem, help)
}
