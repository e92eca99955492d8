//! Edges between ids that are numbers.
//!
//! If the numbers are not much larger than the file is long, the reader keeps each in 32 bits, and a bit set of those
//! that occur; the rank of a number in the bit set is its vertex. Otherwise the reader reads the file again with 64
//! bits per id, and sorts the ids (see [`super::sparse`]).

use super::{
    fast::Sink,
    pieces::{Collect, Line, Reader, Stop},
    weights::{Column, Weight},
};
use crate::{
    build::Filled,
    csr::{MAX_VERTICES, Vertex},
    error::Result,
    memory::Pages,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// The bit set of the numbers that occur.
#[derive(Debug)]
pub(in crate::format) struct Marks {
    words: Pages<u64>,
    limit: u64,
}

impl Marks {
    /// Returns an empty bit set for a file of `bytes` bytes.
    ///
    /// It has 2 bits per byte of the file, so it takes at most 1/4 of the size of the file, or 128 KiB for a small one.
    /// An edge takes at least about 4 bytes, so this is room for about 8 numbers per edge.
    pub(in crate::format) fn for_file(bytes: usize) -> Result<Self> {
        let limit = (2 * bytes as u64).clamp(1 << 20, MAX_VERTICES);
        Ok(Self { words: Pages::zeroed_lazily(limit.div_ceil(64) as usize)?, limit })
    }

    /// Returns the bound that all numbers must be below.
    pub(in crate::format) fn limit(&self) -> u64 {
        self.limit
    }

    #[inline(always)]
    fn mark(&self, number: u64) {
        // SAFETY: AtomicU64 has the layout of u64, the index is checked, and while threads set marks, only this
        // function accesses the words.
        let word = unsafe { AtomicU64::from_ptr((&raw const self.words[number as usize / 64]).cast_mut()) };
        let bit = 1 << (number % 64);
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Returns the words that hold the marks of the numbers below `end`.
    pub(super) fn words_below(&self, end: u64) -> &[u64] {
        &self.words[..end.div_ceil(64) as usize]
    }
}

/// The edges of a piece, between numbers from `base` to below `base + limit`.
#[derive(Debug)]
pub(in crate::format) struct Dense<'m> {
    pub(in crate::format) base: u64,
    pub(in crate::format) limit: u64,
    /// The bit set to mark the numbers in. If it is `None`, all numbers of the range are vertices.
    pub(in crate::format) marks: Option<&'m Marks>,
    pub(in crate::format) pairs: Filled<[Vertex; 2]>,
    pub(in crate::format) column: Column,
    /// One more than the largest number so far, relative to `base`.
    pub(in crate::format) end: u64,
}

impl Sink for Dense<'_> {
    #[inline(always)]
    fn edge<const WEIGHTED: bool>(&mut self, source: u64, target: u64, weight: u32) -> bool {
        let (u, v) = (source.wrapping_sub(self.base), target.wrapping_sub(self.base));
        let larger = u.max(v);
        if larger >= self.limit || !push_plain::<WEIGHTED>(&mut self.column, weight) {
            return false;
        }
        self.end = self.end.max(larger + 1);
        self.pairs.push([u as Vertex, v as Vertex]);
        if let Some(marks) = self.marks {
            marks.mark(u);
            marks.mark(v);
        }
        true
    }
}

/// Appends a u32 weight and returns true; returns false if the column has another type. Without `WEIGHTED`, it only
/// returns true.
#[inline(always)]
fn push_plain<const WEIGHTED: bool>(column: &mut Column, weight: u32) -> bool {
    match column {
        _ if !WEIGHTED => true,
        Column::U32(column) => {
            column.push(weight);
            true
        }
        _ => false,
    }
}

impl<'a> Collect<'a> for Dense<'_> {
    const FAST: bool = true;

    fn take(&mut self, reader: &Reader<'a>, line: Line<'a>) -> Result<(), Stop> {
        let ids = [reader.number(&line, 0)?, reader.number(&line, 1)?];
        if let Some(outside) = ids.iter().position(|id| id.wrapping_sub(self.base) >= self.limit) {
            if self.marks.is_some() {
                return Err(Stop::Sparse);
            }
            return Err(Stop::Failed(line.fields.expected(
                reader.file,
                Some(&line.ids[outside]),
                &format!("a vertex id from {} to below {}", self.base, self.base.saturating_add(self.limit)),
                "allow for more vertices, or leave their number out to take the ids that occur",
            )));
        }
        self.edge::<false>(ids[0], ids[1], 0);
        line.weight.map_or(Ok(()), |weight| Ok(self.column.push(weight)?))
    }
}

/// The edges of a piece, between numbers of 64 bits.
#[derive(Debug)]
pub(in crate::format) struct Wide {
    pub(in crate::format) pairs: Filled<[u64; 2]>,
    pub(in crate::format) column: Column,
}

impl Sink for Wide {
    #[inline(always)]
    fn edge<const WEIGHTED: bool>(&mut self, source: u64, target: u64, weight: u32) -> bool {
        if !push_plain::<WEIGHTED>(&mut self.column, weight) {
            return false;
        }
        self.pairs.push([source, target]);
        true
    }
}

impl<'a> Collect<'a> for Wide {
    const FAST: bool = true;

    fn take(&mut self, reader: &Reader<'a>, line: Line<'a>) -> Result<(), Stop> {
        self.pairs.push([reader.number(&line, 0)?, reader.number(&line, 1)?]);
        let weight: Option<Weight> = line.weight;
        weight.map_or(Ok(()), |weight| Ok(self.column.push(weight)?))
    }
}
