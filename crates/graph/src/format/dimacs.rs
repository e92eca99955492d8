//! Reads graphs of the DIMACS family. The first line that is not a comment decides the kind.
//!
//! ```text
//! p sp n m      a u v w    shortest paths (9th challenge): directed, ids from 1
//! p tw n m      u v        treewidth (PACE): undirected, ids from 1
//! p edge n m    e u v      colouring (also `p col`): undirected, ids from 1
//! no p line     a u v w    arcs only: directed, ids from 0
//! ```
//!
//! Comment lines start with `c`. The number of lines must equal the header's `m`, or `2m` in colouring files that list
//! every edge from both ends.

use super::{
    Format, Input, Preview, ReadOptions, claim, detect,
    lex::Cursor,
    numbered::{Field, Lines, Shape},
    preview,
    table::{Entry, Sign, Used},
};
use crate::{
    control::Control,
    error::{Position, Result},
    graph::Graph,
};

pub(super) const ENTRY: Entry = Entry {
    name: "dimacs",
    aliases: &["gr"],
    endings: &["gr"],
    sign: Sign::Content(is_dimacs),
    is_finished: false,
    read_parts: None,
    uses: &[Used::Base, Used::Vertices, Used::WeightType],
    read: |input, options, control| read(&input, options, control),
    preview: |input, _, options| preview(&input, options),
};

const HELP: &str =
    "the first line is `p sp n m` (arcs `a u v w`), `p tw n m` (pairs `u v`) or `p edge n m` (`e u v`)";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    ShortestPaths,
    Treewidth,
    Colouring,
    ArcsOnly,
}

struct Header {
    kind: Kind,
    /// The position of the problem line, and the numbers of vertices and edges that it promises.
    promise: Option<(Position, u64, u64)>,
    body: usize,
}

/// Returns true if the first line that is neither blank nor a `c` comment is a problem line, `p kind n m`.
fn is_dimacs(data: &[u8]) -> bool {
    let mut line = detect::first_line(data, |token| token == b"c");
    let kind = |token: &[u8]| matches!(token, b"sp" | b"tw" | b"edge" | b"col");
    let is_number = |token: &[u8]| !token.is_empty() && token.iter().all(u8::is_ascii_digit);
    detect::next_token(&mut line) == b"p"
        && kind(detect::next_token(&mut line))
        && is_number(detect::next_token(&mut line))
        && is_number(detect::next_token(&mut line))
}

/// Reads a file of the DIMACS family.
fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let header = header(input, options)?;
    let base = options.base.unwrap_or(u64::from(header.kind != Kind::ArcsOnly));
    let lines = Lines {
        file: input.name(),
        data: input,
        body: header.body..input.len(),
        comment: b'c',
        prefix: header.kind.letter(),
        base,
        vertices: header.promise.as_ref().map(|p| p.1).or(options.vertices),
        field: header.kind.field(),
        options,
    };
    let parsed = lines.parse(control)?;
    if header.promise.is_none() {
        claim::backed(&Position::file(input.name()), parsed.vertices(), input.len(), options)?;
    }
    if let Some((at, _, edges)) = header.promise {
        let both_ends = header.kind == Kind::Colouring && edges.checked_mul(2) == Some(parsed.listed);
        if !both_ends {
            parsed.expect(at, header.kind.entries(), edges)?;
        }
    }
    let directed = options.directed.unwrap_or(header.kind.is_directed());
    let because = options.directed.map_or_else(|| header.kind.because(), |_| "asked for");
    let shape =
        Shape { format: Format::Dimacs, directed, because: because.to_owned(), base, warnings: Vec::new() };
    parsed.build(input.name(), shape, options, control)
}

/// Returns what the header says of the graph.
fn preview(input: &Input, options: &ReadOptions) -> Result<Preview> {
    let header = header(input, options)?;
    let Some((_, vertices, edges)) = header.promise else {
        return Err(preview::unknown(input, "arc lines without a `p` line say nothing"));
    };
    let directed = options.directed.unwrap_or(header.kind.is_directed());
    let arcs = edges.saturating_mul(if directed { 1 } else { 2 });
    let preview = Preview::by_header(Format::Dimacs, vertices, arcs, directed);
    Ok(preview.with_weights(header.kind.field().weight_type(), options))
}

impl Kind {
    fn letter(self) -> Option<u8> {
        match self {
            Self::ShortestPaths | Self::ArcsOnly => Some(b'a'),
            Self::Treewidth => None,
            Self::Colouring => Some(b'e'),
        }
    }

    fn field(self) -> Field {
        match self {
            Self::ShortestPaths | Self::ArcsOnly => Field::Number,
            Self::Treewidth | Self::Colouring => Field::None,
        }
    }

    fn is_directed(self) -> bool {
        matches!(self, Self::ShortestPaths | Self::ArcsOnly)
    }

    fn entries(self) -> &'static str {
        if self.is_directed() { "arcs" } else { "edges" }
    }

    fn because(self) -> &'static str {
        match self {
            Self::ShortestPaths => "`p sp` files list arcs",
            Self::Treewidth => "`p tw` files list undirected edges",
            Self::Colouring => "`p edge` files list undirected edges",
            Self::ArcsOnly => "`a` lines are arcs",
        }
    }

    /// Returns the length in bytes of the shortest line, with its line end.
    fn bytes_per_line(self) -> u64 {
        match self {
            Self::ShortestPaths | Self::ArcsOnly => 8,
            Self::Treewidth => 4,
            Self::Colouring => 6,
        }
    }
}

fn header(input: &Input, options: &ReadOptions) -> Result<Header> {
    let (file, mut cursor) = (input.name(), Cursor::new(input, 0..input.len()));
    loop {
        cursor.skip_blanks();
        if cursor.is_done() || !(cursor.at_line_end() || cursor.token() == b"c") {
            break;
        }
        cursor.next_line();
    }
    match cursor.token() {
        b"a" => Ok(Header { kind: Kind::ArcsOnly, promise: None, body: cursor.at }),
        b"p" => problem_line(cursor, input, options),
        _ => Err(cursor.expected(file, "a problem line `p sp n m`", HELP)),
    }
}

fn problem_line(mut cursor: Cursor<'_>, input: &Input, options: &ReadOptions) -> Result<Header> {
    let file = input.name();
    let at = claim::line_of(file, input, cursor.at);
    cursor.at += 1;
    cursor.skip_blanks();
    let kind = match cursor.token() {
        b"sp" => Kind::ShortestPaths,
        b"tw" => Kind::Treewidth,
        b"edge" | b"col" => Kind::Colouring,
        _ => return Err(cursor.expected(file, "sp, tw, edge or col", HELP)),
    };
    cursor.at += cursor.token().len();
    cursor.skip_blanks();
    let vertices = cursor.unsigned().ok_or_else(|| cursor.expected(file, "the number of vertices", HELP))?;
    cursor.skip_blanks();
    let edges = cursor
        .unsigned()
        .ok_or_else(|| cursor.expected(file, format!("the number of {}", kind.entries()), HELP))?;
    cursor.skip_blanks();
    if !cursor.at_line_end() {
        return Err(cursor.expected(file, "the end of the line", HELP));
    }
    cursor.next_line();
    claim::backed(&at, vertices, input.rest(0), options)?;
    claim::vertices(&at, vertices)?;
    claim::fits(&at, kind.entries(), edges, input.rest(cursor.at), kind.bytes_per_line())?;
    Ok(Header { kind, promise: Some((at, vertices, edges)), body: cursor.at })
}
