//! Reads Matrix Market coordinate files.
//!
//! ```text
//! %%MatrixMarket matrix coordinate pattern|integer|real general|symmetric|skew-symmetric
//! % comments
//! rows columns entries
//! row column [value]          ids from 1
//! ```
//!
//! An entry (i, j) is the edge i -> j. A general matrix is a directed graph, a symmetric one an undirected graph. A
//! skew-symmetric matrix is a directed graph that has both arcs of every entry; the mirrored arc has the negated
//! weight. Entries stored with value 0 are edges of weight 0. Only square matrices are graphs.

use super::{
    Format, Input, Preview, ReadOptions, claim,
    lex::Cursor,
    numbered::{Field, Lines, Shape},
    table::{Entry, Sign, Used},
};
use crate::{
    control::Control,
    error::{Error, Position, Result, quote},
    graph::Graph,
};

pub(super) const ENTRY: Entry = Entry {
    name: "matrix-market",
    aliases: &["mtx"],
    endings: &["mtx"],
    sign: Sign::Content(has_banner),
    is_finished: false,
    read_parts: None,
    uses: &[Used::Base, Used::Vertices, Used::WeightType],
    read: |input, options, control| read(&input, options, control),
    preview: |input, _, options| preview(&input, options),
};

const BANNER: &[u8] = b"%%MatrixMarket";
/// The length in bytes of the shortest entry, `1 1` and a line end.
const BYTES_PER_ENTRY: u64 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    General,
    Symmetric,
    Skew,
}

struct Header {
    field: Field,
    symmetry: Symmetry,
    /// The position of the size line.
    at: Position,
    vertices: u64,
    entries: u64,
    /// The offset of the first entry.
    body: usize,
}

/// Returns true if the file starts with the banner, in any case.
fn has_banner(data: &[u8]) -> bool {
    data.get(..BANNER.len()).is_some_and(|start| start.eq_ignore_ascii_case(BANNER))
}

/// Reads a Matrix Market file.
fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let header = header(input, options)?;
    let base = options.base.unwrap_or(1);
    let lines = Lines {
        file: input.name(),
        data: input,
        body: header.body..input.len(),
        comment: b'%',
        prefix: None,
        base,
        vertices: Some(header.vertices),
        field: header.field,
        options,
    };
    let mut parsed = lines.parse(control)?;
    parsed.expect(header.at, "entries", header.entries)?;
    let (directed, because) = direction(header.symmetry, options, input.name())?;
    match header.symmetry {
        Symmetry::Skew => parsed.mirror(-1.0),
        Symmetry::Symmetric if directed => parsed.mirror(1.0),
        _ => {}
    }
    let shape = Shape { format: Format::MatrixMarket, directed, because, base, warnings: Vec::new() };
    parsed.build(input.name(), shape, options, control)
}

fn direction(symmetry: Symmetry, options: &ReadOptions, file: &str) -> Result<(bool, String)> {
    let (own, word) = match symmetry {
        Symmetry::General => (true, "general"),
        Symmetry::Symmetric => (false, "symmetric"),
        Symmetry::Skew => (true, "skew-symmetric"),
    };
    match options.directed {
        Some(false) if symmetry == Symmetry::Skew => Err(Error::invalid(
            format!(
                "{file}: a skew-symmetric matrix cannot be read as undirected: its two arcs differ in sign"
            ),
            "leave --undirected out, or add --no-weights after changing the header to general",
        )),
        Some(asked) => Ok((asked, "asked for".to_owned())),
        None => Ok((own, format!("the header says \"{word}\""))),
    }
}

/// Returns what the header says of the graph.
fn preview(input: &Input, options: &ReadOptions) -> Result<Preview> {
    let header = header(input, options)?;
    let (directed, _) = direction(header.symmetry, options, input.name())?;
    let mirrored = !directed || header.symmetry != Symmetry::General;
    let arcs = header.entries.saturating_mul(if mirrored { 2 } else { 1 });
    let preview = Preview::by_header(Format::MatrixMarket, header.vertices, arcs, directed);
    Ok(preview.with_weights(header.field.weight_type(), options))
}

fn header(input: &Input, options: &ReadOptions) -> Result<Header> {
    let mut cursor = Cursor::new(input, 0..input.len());
    let (field, symmetry) = banner(&mut cursor, input.name())?;
    cursor.next_line();
    loop {
        cursor.skip_blanks();
        if cursor.is_done() || !(cursor.at_line_end() || cursor.peek() == b'%') {
            break;
        }
        cursor.next_line();
    }
    let at = claim::line_of(input.name(), input, cursor.at);
    let [rows, columns, entries] = sizes(&mut cursor, input.name())?;
    if rows != columns {
        return Err(Error::format(
            at,
            format!("the matrix has {rows} rows and {columns} columns; only a square one is a graph"),
            "a bipartite graph needs one numbering for both sides: add the row count to the columns",
        ));
    }
    cursor.next_line();
    claim::backed(&at, rows, input.rest(0), options)?;
    claim::vertices(&at, rows)?;
    claim::fits(&at, "entries", entries, input.rest(cursor.at), BYTES_PER_ENTRY)?;
    Ok(Header { field, symmetry, at, vertices: rows, entries, body: cursor.at })
}

fn sizes(cursor: &mut Cursor<'_>, file: &str) -> Result<[u64; 3]> {
    const HELP: &str = "the first line after the comments is `rows columns entries`";
    let mut sizes = [0; 3];
    for (size, what) in sizes.iter_mut().zip(["rows", "columns", "entries"]) {
        *size =
            cursor.unsigned().ok_or_else(|| cursor.expected(file, format!("the number of {what}"), HELP))?;
        cursor.skip_blanks();
    }
    if cursor.at_line_end() { Ok(sizes) } else { Err(cursor.expected(file, "the end of the line", HELP)) }
}

fn banner(cursor: &mut Cursor<'_>, file: &str) -> Result<(Field, Symmetry)> {
    const HELP: &str = "the first line is `%%MatrixMarket matrix coordinate pattern|integer|real general|symmetric|skew-symmetric`";
    let mut word = |expected: &str, known: &[&str]| {
        let token = cursor.token().to_ascii_lowercase();
        let Some(at) = known.iter().position(|k| k.as_bytes() == token) else {
            return Err(
                refusal(cursor, file, &token).unwrap_or_else(|| cursor.expected(file, expected, HELP))
            );
        };
        cursor.at += token.len();
        cursor.skip_blanks();
        Ok(at)
    };
    word("`%%MatrixMarket`", &["%%matrixmarket"])?;
    word("`matrix`", &["matrix"])?;
    word("`coordinate`", &["coordinate"])?;
    let fields = [Field::None, Field::Integer, Field::Real, Field::Real];
    let field = fields[word("pattern, integer or real", &["pattern", "integer", "real", "double"])?];
    let symmetries = [Symmetry::General, Symmetry::Symmetric, Symmetry::Skew];
    let known = ["general", "symmetric", "skew-symmetric"];
    let symmetry = symmetries[word("general, symmetric or skew-symmetric", &known)?];
    if symmetry == Symmetry::Skew && field == Field::None {
        return Err(Error::format(
            Position::line(file, 1),
            "a skew-symmetric pattern contradicts itself: it has no values to negate",
            "change the banner to `general` or `symmetric`",
        ));
    }
    Ok((field, symmetry))
}

/// Returns the error for a word of the standard that stands for matrices the reader does not support.
fn refusal(cursor: &Cursor<'_>, file: &str, token: &[u8]) -> Option<Error> {
    let (problem, help) = match token {
        b"array" => (
            "dense `array` matrices are not read as graphs",
            "convert it to `coordinate`, e.g. scipy.io.mmwrite(\"out.mtx\", scipy.sparse.coo_matrix(a))",
        ),
        b"complex" => (
            "complex weights are not supported",
            "write a real matrix, e.g. the moduli: scipy.io.mmwrite(\"out.mtx\", abs(scipy.io.mmread(\"a.mtx\")))",
        ),
        b"hermitian" => {
            ("hermitian matrices are complex, which is not supported", "write it as `real symmetric` instead")
        }
        _ => return None,
    };
    let at = super::lex::position(file, cursor.data, cursor.at);
    Some(Error::format(at, format!("{problem} (got {})", quote(cursor.token())), help))
}
