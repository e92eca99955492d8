//! Reads lines of `[letter] u v [weight]` over numbered vertices: the body of Matrix Market and DIMACS files.
//!
//! The reader cuts the body into pieces at line ends and parses them on all threads. Pieces keep their order, so the
//! reader reports the first error of the file, and the "first" of parallel edges is the first in the file. It collects
//! weights as f64, which holds every 32-bit integer, and converts them to their final type once it knows the range of
//! all.

use super::{
    Format, ReadOptions,
    claim::{self, Meter},
    lex::{self, Cursor},
};
use crate::{
    build::{self, EdgeChunk, EdgeList, EdgeWeights},
    control::Control,
    csr::{MAX_VERTICES, Vertex},
    error::{Position, Result},
    graph::{Graph, Origin},
    ids::Ids,
    par,
    weights::WeightType,
};
use std::ops::Range;

/// The least number of bytes per piece, on average, so that small files stay whole.
const PIECE: usize = 1 << 16;

/// The kind of the last column of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    /// Lines have no weight.
    None,
    /// Weights are whole numbers.
    Integer,
    /// Weights are decimals, and stored as such even if all are whole.
    Real,
    /// Weights are whole numbers, or decimals if at least one is a decimal.
    Number,
}

impl Field {
    /// Returns the type that the weights will most likely have.
    pub(super) fn weight_type(self) -> Option<WeightType> {
        match self {
            Self::None => None,
            Self::Integer | Self::Number => Some(WeightType::U32),
            Self::Real => Some(WeightType::F64),
        }
    }
}

/// The lines of `body`, and how to read them.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    pub(super) file: &'a str,
    pub(super) data: &'a [u8],
    pub(super) body: Range<usize>,
    /// The first byte of the lines that the reader skips.
    pub(super) comment: u8,
    /// The letter that starts every line.
    pub(super) prefix: Option<u8>,
    /// The id of the first vertex.
    pub(super) base: u64,
    /// The number of vertices; if `None`, the largest id decides.
    pub(super) vertices: Option<u64>,
    pub(super) field: Field,
    pub(super) options: &'a ReadOptions,
}

/// The content of the lines.
#[derive(Debug)]
pub(super) struct Parsed {
    pieces: Vec<Piece>,
    field: Field,
    /// The number of lines read.
    pub(super) listed: u64,
    /// The number of vertices.
    vertices: u64,
}

/// The properties of the graph that the header or the user sets.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) format: Format,
    pub(super) directed: bool,
    /// The reason why the graph is directed or undirected.
    pub(super) because: String,
    pub(super) base: u64,
    pub(super) warnings: Vec<String>,
}

#[derive(Debug, Default)]
struct Piece {
    pairs: Vec<[Vertex; 2]>,
    weights: Column,
}

/// The weights of a piece.
#[derive(Debug, Default)]
pub(super) struct Column {
    values: Vec<f64>,
    decimals: bool,
}

impl Lines<'_> {
    /// Reads all lines.
    pub(super) fn parse(&self, control: &Control) -> Result<Parsed> {
        let pieces = (self.body.len() / PIECE).clamp(1, 16 * rayon::current_num_threads());
        let ranges = lex::split_lines(self.data, self.body.clone(), pieces);
        let meter = Meter::new(control, self.body.len());
        let read: Vec<Result<Piece>> = par::map_each(ranges, |_, range| {
            meter.advance(range.len())?;
            self.piece(range)
        });
        let pieces = read.into_iter().collect::<Result<Vec<Piece>>>()?;
        let listed = pieces.iter().map(|p| p.pairs.len() as u64).sum();
        let end = |i: usize| pieces[i].pairs.iter().flatten().max().map_or(0, |&v| u64::from(v) + 1);
        let largest = || par::map(pieces.len(), end).into_iter().max().unwrap_or(0);
        let vertices = self.vertices.unwrap_or_else(largest);
        Ok(Parsed { pieces, field: self.field, listed, vertices })
    }

    fn piece(&self, range: Range<usize>) -> Result<Piece> {
        let mut piece = Piece::default();
        piece.pairs.reserve(range.len() / 12);
        let mut cursor = Cursor::new(self.data, range);
        while !cursor.is_done() {
            cursor.skip_blanks();
            if !cursor.at_line_end() && cursor.peek() != self.comment {
                self.line(&mut cursor, &mut piece)?;
            }
            cursor.next_line();
        }
        Ok(piece)
    }

    #[inline(always)]
    fn line(&self, cursor: &mut Cursor<'_>, piece: &mut Piece) -> Result<()> {
        if let Some(letter) = self.prefix {
            if cursor.token() != [letter] {
                return Err(self.wrong_letter(cursor, letter));
            }
            cursor.at += 1;
            cursor.skip_blanks();
        }
        let u = self.id(cursor)?;
        cursor.skip_blanks();
        let v = self.id(cursor)?;
        cursor.skip_blanks();
        piece.pairs.push([u, v]);
        if self.field != Field::None {
            piece.weights.read(cursor, self.file, self.field, !self.options.no_weights)?;
            cursor.skip_blanks();
        }
        if cursor.at_line_end() { Ok(()) } else { Err(self.surplus(cursor)) }
    }

    #[inline(always)]
    fn id(&self, cursor: &mut Cursor<'_>) -> Result<Vertex> {
        let start = cursor.at;
        let limit = self.vertices.unwrap_or(MAX_VERTICES);
        match cursor.unsigned().and_then(|id| id.checked_sub(self.base)) {
            Some(v) if v < limit => Ok(v as Vertex),
            _ => {
                cursor.at = start;
                Err(self.wrong_id(cursor, limit))
            }
        }
    }

    #[cold]
    fn wrong_id(&self, cursor: &Cursor<'_>, limit: u64) -> crate::Error {
        let is_zero = cursor.token().iter().all(|&b| b == b'0') && !cursor.token().is_empty();
        let help = if is_zero && self.base == 1 {
            "ids are 1-based; pass --base 0 if this file counts from 0"
        } else {
            "every line names two vertices within the range the header gives"
        };
        if limit == 0 {
            return cursor.expected(self.file, "no entries in a graph without vertices", help);
        }
        let range = format!("a vertex id from {} to {}", self.base, self.base.saturating_add(limit - 1));
        cursor.expected(self.file, range, help)
    }

    #[cold]
    fn wrong_letter(&self, cursor: &Cursor<'_>, letter: u8) -> crate::Error {
        let (letter, comment) = (char::from(letter), char::from(self.comment));
        cursor.expected(
            self.file,
            format!("a line starting with `{letter}`"),
            format!("comments start with `{comment}`; all other lines after the header with `{letter}`"),
        )
    }

    #[cold]
    fn surplus(&self, cursor: &Cursor<'_>) -> crate::Error {
        let help = match self.field {
            Field::None => "lines are `u v` without a weight here; check what the header says",
            _ => "lines are `u v weight`",
        };
        cursor.expected(self.file, "the end of the line", help)
    }
}

impl Column {
    /// Reads and checks the weight at the cursor, and stores it if `keep` is true.
    #[inline(always)]
    pub(super) fn read(
        &mut self,
        cursor: &mut Cursor<'_>,
        file: &str,
        field: Field,
        keep: bool,
    ) -> Result<()> {
        let value = match whole(cursor) {
            Some(value) => value,
            None if field == Field::Integer => return Err(not_whole(cursor, file)),
            None => {
                self.decimals = true;
                decimal(cursor, file)?
            }
        };
        if keep {
            self.values.push(value);
        }
        Ok(())
    }
}

/// Reads a whole number whose magnitude has up to 64 bits, and rounds it to an f64 beyond 2^53. If there is none, the
/// cursor does not move.
#[inline(always)]
fn whole(cursor: &mut Cursor<'_>) -> Option<f64> {
    let start = cursor.at;
    let negative = cursor.peek() == b'-';
    if negative || cursor.peek() == b'+' {
        cursor.at += 1;
    }
    match cursor.unsigned() {
        Some(value) => Some(if negative { -(value as f64) } else { value as f64 }),
        None => {
            cursor.at = start;
            None
        }
    }
}

fn decimal(cursor: &mut Cursor<'_>, file: &str) -> Result<f64> {
    let token = cursor.token();
    match lexical_core::parse::<f64>(token) {
        Ok(value) if value.is_finite() => {
            cursor.at += token.len();
            Ok(value)
        }
        Ok(_) => Err(cursor.expected(file, "a finite weight", "remove the edge, or read with --no-weights")),
        Err(_) => Err(cursor.expected(file, "a weight", "a weight is a number such as 3, -1 or 2.5e-3")),
    }
}

#[cold]
fn not_whole(cursor: &Cursor<'_>, file: &str) -> crate::Error {
    cursor.expected(
        file,
        "a whole number",
        "weights are whole numbers in this file; check what its header says",
    )
}

/// Converts the weights of all pieces to their common type.
pub(super) fn typed(columns: Vec<Column>, field: Field, options: &ReadOptions) -> Vec<EdgeWeights> {
    if field == Field::None || options.no_weights {
        return columns.into_iter().map(|_| EdgeWeights::None).collect();
    }
    let decimals = field == Field::Real || columns.iter().any(|c| c.decimals);
    let wider = |(low, high): (f64, f64), (a, b): (f64, f64)| (low.min(a), high.max(b));
    let range = |i: usize| columns[i].values.iter().fold((0.0, 0.0), |all, &x| wider(all, (x, x)));
    let (low, high) = par::map(columns.len(), range).into_iter().fold((0.0, 0.0), wider);
    let narrow = options.narrow_weights;
    let convert = |values: Vec<f64>| match () {
        () if !decimals && low >= 0.0 && high <= f64::from(u32::MAX) => {
            EdgeWeights::U32(values.into_iter().map(|x| x as u32).collect())
        }
        () if !decimals && low >= f64::from(i32::MIN) && high <= f64::from(i32::MAX) => {
            EdgeWeights::I32(values.into_iter().map(|x| x as i32).collect())
        }
        () if narrow => EdgeWeights::F32(values.into_iter().map(|x| x as f32).collect()),
        () => EdgeWeights::F64(values),
    };
    par::map_each(columns, |_, column| convert(column.values))
}

impl Parsed {
    /// Adds the reverse of every edge, with its weight times `sign`. Self-loops stay single.
    pub(super) fn mirror(&mut self, sign: f64) {
        par::chunks_mut(&mut self.pieces, 1, |_, pieces| {
            let piece = &mut pieces[0];
            for i in 0..piece.pairs.len() {
                let [u, v] = piece.pairs[i];
                if u != v {
                    piece.pairs.push([v, u]);
                    if let Some(&w) = piece.weights.values.get(i) {
                        piece.weights.values.push(sign * w);
                    }
                }
            }
        });
    }

    /// Returns the number of vertices.
    pub(super) fn vertices(&self) -> u64 {
        self.vertices
    }

    /// Returns an error if the number of lines differs from the one that the header at `at` promises.
    pub(super) fn expect(&self, at: Position, what: &str, promised: u64) -> Result<()> {
        if self.listed == promised { Ok(()) } else { Err(claim::mismatch(at, what, promised, self.listed)) }
    }

    /// Builds the graph.
    pub(super) fn build(
        self,
        name: &str,
        shape: Shape,
        options: &ReadOptions,
        control: &Control,
    ) -> Result<Graph> {
        let vertices = claim::vertices(&Position::file(name), self.vertices)?;
        let (pairs, columns): (Vec<_>, Vec<_>) =
            self.pieces.into_iter().map(|p| (p.pairs, p.weights)).unzip();
        let weights = typed(columns, self.field, options);
        let chunks = pairs.into_iter().zip(weights).map(|(pairs, weights)| EdgeChunk { pairs, weights });
        let list = EdgeList { vertices, chunks: chunks.collect() };
        let how =
            build::Options { directed: shape.directed, loops: options.loops, parallel: options.parallel };
        let built = build::build(list, &how, control)?;
        let origin = Origin {
            name: name.to_owned(),
            format: shape.format.name().to_owned(),
            listed: self.listed,
            direction_because: shape.because,
            symmetrised: !shape.directed,
            loops_dropped: built.loops_dropped,
            merged: built.merged,
            warnings: shape.warnings,
            ..Origin::default()
        };
        let ids = Ids::Range { first: shape.base, len: vertices };
        // SAFETY: the builder gives one weight per arc or no weights, and mirrors every edge unless the graph is
        // directed. There are as many ids as vertices.
        Ok(unsafe { Graph::new_unchecked(built.arcs, shape.directed, ids, origin) })
    }
}
