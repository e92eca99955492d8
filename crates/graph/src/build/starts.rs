//! Holds the offsets of rows, of either width, while the builder writes them. The width is looked up per row, not per
//! arc.

use crate::{
    csr::Offset,
    memory::{Pages, Section},
    par,
};
use std::ops::Range;

/// The offsets; one more entry than there are rows.
#[derive(Debug)]
pub(super) enum Starts {
    Narrow(Pages<u32>),
    Wide(Pages<u64>),
}

/// The offsets of the rows of one bucket.
pub(super) enum StartsSection<'a> {
    Narrow(Section<'a, u32>),
    Wide(Section<'a, u64>),
}

impl Starts {
    /// Cuts the offsets at `rows`; see [`Pages::sections`].
    pub(super) fn sections(&mut self, rows: &[usize]) -> Vec<StartsSection<'_>> {
        match self {
            Self::Narrow(starts) => starts.sections(rows).into_iter().map(StartsSection::Narrow).collect(),
            Self::Wide(starts) => starts.sections(rows).into_iter().map(StartsSection::Wide).collect(),
        }
    }

    /// Turns offsets within buckets, whose rows start at `rows` and which keep `kept` arcs each, into offsets in the
    /// whole array, and writes the last entry.
    pub(super) fn shift(&mut self, rows: &[usize], kept: &[usize]) {
        match self {
            Self::Narrow(starts) => shift(starts, rows, kept),
            Self::Wide(starts) => shift(starts, rows, kept),
        }
    }
}

impl StartsSection<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Narrow(section) => section.len(),
            Self::Wide(section) => section.len(),
        }
    }

    /// Sets the start of each of these rows to `place`.
    #[inline]
    pub(super) fn fill(&mut self, rows: Range<usize>, place: usize) {
        match self {
            Self::Narrow(section) => section[rows].fill(Offset::from_index(place)),
            Self::Wide(section) => section[rows].fill(Offset::from_index(place)),
        }
    }
}

fn shift<O: Offset>(starts: &mut Pages<O>, rows: &[usize], kept: &[usize]) {
    let mut sum = 0;
    let mut before = Vec::with_capacity(kept.len());
    for &len in kept {
        before.push(sum);
        sum += len;
    }
    let last = starts.len() - 1;
    starts[last] = O::from_index(sum);
    par::consume_each(starts.sections(rows), |bucket, mut section| {
        // The last section is the entry after the last row, which is written already.
        let Some(before) = before.get(bucket) else { return };
        for start in section.iter_mut() {
            *start = O::from_index(start.index() + before);
        }
    });
}
