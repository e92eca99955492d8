//! Space for rows of unknown length, shared by many threads.
//!
//! Every member takes one slab at a time and fills it with rows from the start; a long row gets space of its own. Less
//! than 1/8 of a slab is unused when the next one is taken, so [`capacity`] entries are enough for any rows with that
//! many entries in total.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Entries per slab.
const SLAB: usize = 1 << 14;
/// Rows longer than this get space of their own.
const LONG: usize = SLAB / 8;

/// The start of the next slab.
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

/// Returns the length of an array in which `members` members can place rows of `entries` entries in total.
pub(super) fn capacity(entries: usize, members: usize) -> usize {
    entries + entries / 7 + members * SLAB
}

impl Slabs {
    /// Reserves space for a row and returns where it starts.
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
