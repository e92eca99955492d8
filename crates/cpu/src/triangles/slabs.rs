//! Room for rows of unknown length, handed out to many threads at once.
//!
//! Every member takes a slab at a time and fills it with rows from its beginning; a long row gets room of its own. Less than
//! 1/8 of a slab is left over when the next is taken, so [`capacity`] entries hold any rows of so many entries in all.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Entries of a slab.
const SLAB: usize = 1 << 14;
/// Rows longer than this get room of their own.
const LONG: usize = SLAB / 8;

/// Where the next slab begins.
#[derive(Default)]
pub(super) struct Slabs {
    next: AtomicUsize,
}

/// What is left of a member's slab.
#[derive(Default)]
pub(super) struct Slab {
    at: usize,
    end: usize,
}

/// Entries of an array in which `members` find room for rows of `entries` in all.
pub(super) fn capacity(entries: usize, members: usize) -> usize {
    entries + entries / 7 + members * SLAB
}

impl Slabs {
    /// Room for a row: where it starts.
    #[inline]
    pub(super) fn place(&self, slab: &mut Slab, len: usize) -> usize {
        if len > LONG {
            return self.next.fetch_add(len, Relaxed);
        }
        if slab.end - slab.at < len {
            slab.at = self.next.fetch_add(SLAB, Relaxed);
            slab.end = slab.at + SLAB;
        }
        slab.at += len;
        slab.at - len
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_do_not_overlap_and_fit_the_capacity() {
        let slabs = Slabs::default();
        let mut members = [Slab::default(), Slab::default(), Slab::default()];
        let lens: Vec<usize> = (0..3000).map(|i| i * 7919 % (LONG + 90)).collect();
        let place = |(i, &len): (usize, &usize)| (slabs.place(&mut members[i % 3], len), len);
        let mut rows: Vec<(usize, usize)> = lens.iter().enumerate().map(place).collect();
        rows.sort_unstable();
        assert!(rows.windows(2).all(|w| w[0].0 + w[0].1 <= w[1].0));
        let end = rows.last().map_or(0, |&(start, len)| start + len);
        assert!(end <= capacity(lens.iter().sum(), 3), "{end}");
    }
}
