//! Reads the file in parallel pieces: plain lines by the fast path, all others one by one. Reports the first error in
//! the file.

use super::{
    fast::{self, Sink},
    fields::{Field, Fields, Separator},
    head::Head,
    layout::{self, Layout},
    weights::Weight,
};
use crate::{
    build::Meter,
    control::Control,
    error::{Error, Result},
    format::{Input, ReadOptions, lex},
    par,
};
use std::{
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering},
};

/// The properties that all lines of a file share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) file: &'a str,
    pub(super) data: &'a [u8],
    /// The offset where the edges start.
    pub(super) start: usize,
    pub(super) separator: Separator,
    pub(super) layout: &'a Layout,
    pub(super) no_weights: bool,
}

/// An edge as the file writes it.
#[derive(Debug)]
pub(super) struct Line<'a> {
    pub(super) ids: [Field<'a>; 2],
    pub(super) weight: Option<Weight>,
    pub(super) fields: Fields<'a>,
}

/// The reason why a piece was not read to its end.
#[derive(Debug)]
pub(super) enum Stop {
    Failed(Error),
    /// An id is too large for the bit set of ids.
    Sparse,
}

impl Stop {
    /// Returns the error of a read that never stops for an id beyond its limit.
    pub(super) fn settled(self) -> Error {
        match self {
            Self::Failed(error) => error,
            Self::Sparse => Error::invalid("an id is out of range", "report this as a bug"),
        }
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// The collection that a piece is read into.
pub(super) trait Collect<'a>: Sink + Send {
    /// True if the fast path can read lines into this collection.
    const FAST: bool;
    /// Appends the edge of a line. Fails if the collection cannot hold its ids or its weight.
    fn take(&mut self, reader: &Reader<'a>, line: Line<'a>) -> Result<(), Stop>;
}

/// The length in bytes of the shortest edge, such as `0 1` and a line end.
const SHORTEST: usize = 4;

/// The help for a line that is too short.
const EDGE: &str = "an edge is a line `source target [weight]`";
/// The help for a line that does not have the columns that the header or the caller says.
const COLUMNS: &str =
    "all lines have the columns of the header; quote fields that contain the separator, or see --columns";

/// Returns an upper bound on the number of edges in a piece.
pub(super) fn room(piece: &Range<usize>) -> usize {
    piece.len() / SHORTEST + 1
}

/// Reads all files and returns one collection per piece, in the order of the files, or the first error.
pub(super) fn read<'a, C: Collect<'a>>(
    readers: &[Reader<'a>],
    control: &Control,
    collection: impl Fn(&Range<usize>) -> Result<C> + Sync,
) -> Result<Vec<C>, Stop> {
    let pieces = cut(readers);
    let meter = meter(readers, control);
    // Pieces after a failed one need not be read. Those before it may still fail, earlier in the files.
    let failed = AtomicUsize::new(usize::MAX);
    let read = |index: usize| {
        if index > failed.load(Ordering::Relaxed) {
            return None;
        }
        Some(pieces[index].read(&meter, &collection).inspect_err(|_| {
            failed.fetch_min(index, Ordering::Relaxed);
        }))
    };
    let results: Vec<_> = par::map(pieces.len(), read);
    results.into_iter().flatten().collect()
}

/// Reads all files, a few pieces at a time. `digest` looks at the collection of a piece, on any thread; `take` gets what it
/// returned, in the order of the files. Only a few collections are in memory at a time.
pub(super) fn each<'a, C: Collect<'a>, T: Send>(
    readers: &[Reader<'a>],
    control: &Control,
    collection: impl Fn(&Range<usize>) -> Result<C> + Sync,
    digest: impl Fn(C) -> Result<T> + Sync,
    mut take: impl FnMut(T) -> Result<()>,
) -> Result<(), Stop> {
    let meter = meter(readers, control);
    for pieces in cut(readers).chunks(2 * rayon::current_num_threads()) {
        let read =
            |index: usize| -> Result<T, Stop> { Ok(digest(pieces[index].read(&meter, &collection)?)?) };
        for digested in par::map(pieces.len(), read) {
            take(digested?)?;
        }
    }
    Ok(())
}

/// A piece of a file.
struct Piece<'r, 'a> {
    reader: &'r Reader<'a>,
    lines: Range<usize>,
}

impl<'a> Piece<'_, 'a> {
    fn read<C: Collect<'a>>(
        &self,
        meter: &Meter<'_>,
        collection: impl Fn(&Range<usize>) -> Result<C>,
    ) -> Result<C, Stop> {
        meter.add(self.lines.len() as u64)?;
        let mut collected = collection(&self.lines)?;
        self.reader.read_piece(&self.lines, &mut collected)?;
        Ok(collected)
    }
}

/// Cuts all files into pieces, in their order.
fn cut<'r, 'a>(readers: &'r [Reader<'a>]) -> Vec<Piece<'r, 'a>> {
    let size = (len(readers) / (8 * rayon::current_num_threads())).clamp(1 << 16, 4 << 20);
    let of_file =
        |reader: &'r Reader<'a>| reader.pieces(size).into_iter().map(move |lines| Piece { reader, lines });
    readers.iter().flat_map(of_file).collect()
}

fn meter<'c>(readers: &[Reader<'_>], control: &'c Control) -> Meter<'c> {
    Meter::new(control, "reading", "reading the file", len(readers) as u64)
}

fn len(readers: &[Reader<'_>]) -> usize {
    readers.iter().map(|reader| reader.data.len() - reader.start).sum()
}

impl<'a> Reader<'a> {
    pub(super) fn new(input: &'a Input, head: &'a Head, options: &ReadOptions) -> Self {
        Self {
            file: input.name(),
            data: input,
            start: head.start,
            separator: head.separator.unwrap_or(Separator::Any),
            layout: &head.layout,
            no_weights: options.no_weights,
        }
    }

    /// Cuts the lines into pieces of about `size` bytes.
    fn pieces(&self, size: usize) -> Vec<Range<usize>> {
        let len = self.data.len() - self.start;
        lex::split_lines(self.data, self.start..self.data.len(), len.div_ceil(size))
    }

    fn read_piece<C: Collect<'a>>(&self, piece: &Range<usize>, into: &mut C) -> Result<(), Stop> {
        let mut at = piece.start;
        while at < piece.end {
            if C::FAST && self.layout.is_fast() {
                at = if self.layout.is_weighted() {
                    fast::read_lines::<true>(self.data, at, piece.end, into)
                } else {
                    fast::read_lines::<false>(self.data, at, piece.end, into)
                };
            }
            if at >= piece.end {
                break;
            }
            let end = memchr::memchr(b'\n', &self.data[at..piece.end]).map_or(piece.end, |i| at + i + 1);
            if let Some(line) = self.line(at..end)? {
                into.take(self, line)?;
            }
            at = end;
        }
        Ok(())
    }

    /// Reads the edge of a line; returns `None` for a blank line or a comment.
    fn line(&self, line: Range<usize>) -> Result<Option<Line<'a>>> {
        let mut fields = Fields::new(self.data, line, self.separator);
        if fields.is_no_data() {
            return Ok(None);
        }
        if !self.layout.is_in_order() && self.layout.attributes.is_none() {
            return self.columns(fields).map(Some);
        }
        let ids = [self.id(&mut fields, "a source id")?, self.id(&mut fields, "a target id")?];
        let weight = match &self.layout.attributes {
            Some(attributes) => attributes.read(fields.rest(), self.no_weights).map_err(|expected| {
                let field = fields.whole_rest();
                let help = "all edges have a weight or none has; --no-weights leaves them out";
                fields.expected(self.file, Some(&field), expected, help)
            })?,
            None if self.no_weights => None,
            None => self.weight(&mut fields)?,
        };
        Ok(Some(Line { ids, weight, fields }))
    }

    fn id(&self, fields: &mut Fields<'a>, what: &str) -> Result<Field<'a>> {
        let field = fields.next();
        match field {
            Some(field) if !field.text.is_empty() => Ok(field),
            field => Err(fields.expected(self.file, field.as_ref(), what, EDGE)),
        }
    }

    /// Reads a line whose columns are not source, target and weight in this order.
    fn columns(&self, mut fields: Fields<'a>) -> Result<Line<'a>> {
        let layout = self.layout;
        let picked = layout.pick(fields.clone());
        let want = |slot: usize, what: &str, column: usize| {
            let field = picked[slot].clone();
            field.clone().filter(|f| !f.text.is_empty()).ok_or_else(|| {
                let what = format!("{what} in column {}", column + 1);
                fields.expected(self.file, field.as_ref(), &what, COLUMNS)
            })
        };
        let ids = [want(0, "a source id", layout.ids[0])?, want(1, "a target id", layout.ids[1])?];
        let weight = match layout.weight {
            Some(column) => Some(self.parse(&fields, &want(2, "a weight", column)?)?),
            None => None,
        };
        fields.by_ref().take(layout.count).for_each(drop);
        match fields.surplus() {
            Some(surplus) if !self.no_weights => {
                let what = format!("the end of the line after {} columns", layout.count);
                Err(fields.expected(self.file, Some(&surplus), &what, COLUMNS))
            }
            _ => Ok(Line { ids, weight, fields }),
        }
    }

    /// Reads the rest of a line, which is a weight if and only if the first edge has one.
    fn weight(&self, fields: &mut Fields<'a>) -> Result<Option<Weight>> {
        if !self.layout.is_weighted() {
            return match fields.surplus() {
                None => Ok(None),
                third => Err(fields.expected(
                    self.file,
                    third.as_ref(),
                    "the end of the line",
                    "the first edge has no weight, so no other may have one; --no-weights leaves them out",
                )),
            };
        }
        let Some(third) = fields.next().filter(|f| !f.text.is_empty()) else {
            return Err(fields.expected(
                self.file,
                None,
                "a weight",
                "the first edge has a weight, so all must have one; --no-weights leaves them out",
            ));
        };
        let weight = self.parse(fields, &third)?;
        match fields.surplus() {
            None => Ok(Some(weight)),
            fourth => Err(fields.expected(
                self.file,
                fourth.as_ref(),
                "the end of the line",
                "the first edge has three columns",
            )),
        }
    }

    /// Parses a weight.
    fn parse(&self, fields: &Fields<'a>, field: &Field<'a>) -> Result<Weight> {
        let read = match layout::with_point(&field.text).filter(|_| self.layout.commas) {
            Some(text) => Weight::read(&text),
            None => Weight::read(&field.text),
        };
        let help = "the third column is the weight, unless --columns or a header says otherwise; --no-weights leaves it out";
        read.map_err(|expected| fields.expected(self.file, Some(field), expected, help))
    }

    /// Returns the id `which` of a line as a number. Fails if it is none.
    pub(super) fn number(&self, line: &Line<'a>, which: usize) -> Result<u64> {
        let id = &line.ids[which];
        id.number().ok_or_else(|| {
            line.fields.expected(
                self.file,
                Some(id),
                "a vertex id that is a whole number",
                "the other ids are numbers, so this looks like a slip; pass --ids names to take all ids as names",
            )
        })
    }
}
