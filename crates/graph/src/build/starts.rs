//! Offsets of rows while the builder writes them, of either width. The width is looked up once per row, not per arc.

use crate::{
    csr::Offset,
    memory::{Pages, Section},
    par,
};
use std::ops::Range;

/// The offsets: one more entry than there are rows.
#[derive(Debug)]
pub(super) enum Starts {
    Narrow(Pages<u32>),
    Wide(Pages<u64>),
}

/// The entries of one bucket's rows.
pub(super) enum StartsSection<'a> {
    Narrow(Section<'a, u32>),
    Wide(Section<'a, u64>),
}

impl Starts {
    /// Cuts them at `rows`, see [`Pages::sections`].
    pub(super) fn sections(&mut self, rows: &[usize]) -> Vec<StartsSection<'_>> {
        match self {
            Self::Narrow(starts) => starts.sections(rows).into_iter().map(StartsSection::Narrow).collect(),
            Self::Wide(starts) => starts.sections(rows).into_iter().map(StartsSection::Wide).collect(),
        }
    }

    /// Turns places within buckets, whose rows start at `rows`, into places in the whole, and writes the last.
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

    /// These rows start at `place`.
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
