//! [`Transfer`]: what moved between host and device.

use super::{PAGE, Settings};
use serde::Serialize;
use std::ops::Sub;

/// The largest number of fetches per page with an entry of its own in [`Transfer::pages_by_fetches`].
pub const MOST_FETCHES: usize = 255;

/// What moved between host and device so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Transfer {
    /// Parameters of the model.
    pub settings: Settings,
    /// Bytes of the edge array.
    pub array_bytes: u64,
    /// Number of searches.
    pub traversals: u64,
    /// Bytes that were read: edges traversed x bytes per edge.
    pub ideal_bytes: u64,
    /// Bytes that moved to the device: pages x 4096.
    pub moved_bytes: u64,
    /// Read amplification: moved bytes / ideal bytes; `None` if nothing was read.
    pub amplification: Option<f64>,
    /// Pages that moved to the device.
    pub moved_pages: u64,
    /// Moved pages that were read while absent.
    pub faults: u64,
    /// Moved pages that were prefetched.
    pub prefetched_pages: u64,
    /// Moved pages that had been evicted before.
    pub refetched_pages: u64,
    /// Number of batches.
    pub batches: u64,
    /// Number of evicted regions.
    pub evicted_regions: u64,
    /// Number of pages in the evicted regions.
    pub evicted_pages: u64,
    /// Bytes that moved back to the host.
    pub written_back_bytes: u64,
    /// Entry i is the number of pages that were fetched i times; entry [`MOST_FETCHES`] counts those fetched that many
    /// times or more. Without zeroes at the end.
    pub pages_by_fetches: Vec<u64>,
}

/// Totals of a model, to be read after every level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Totals {
    /// Pages that were read, counted again in every level, if each level reads by increasing address.
    pub touched_pages: u64,
    /// Pages that moved to the device.
    pub moved_pages: u64,
    /// Moved pages that had been evicted before.
    pub refetched_pages: u64,
    /// Number of evicted regions.
    pub evicted_regions: u64,
    /// Number of pages in the evicted regions.
    pub evicted_pages: u64,
}

impl Sub for Totals {
    type Output = Self;

    /// Returns what came after `earlier`.
    fn sub(self, earlier: Self) -> Self {
        Self {
            touched_pages: self.touched_pages - earlier.touched_pages,
            moved_pages: self.moved_pages - earlier.moved_pages,
            refetched_pages: self.refetched_pages - earlier.refetched_pages,
            evicted_regions: self.evicted_regions - earlier.evicted_regions,
            evicted_pages: self.evicted_pages - earlier.evicted_pages,
        }
    }
}

/// Running counts, in pages unless the name says otherwise.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) traversals: u64,
    pub(super) ideal_bytes: u64,
    pub(super) batches: u64,
    pub(super) touched: u64,
    moved: u64,
    again: u64,
    evicted_pages: u64,
    faults: u64,
    evicted_regions: u64,
    written_back: u64,
}

impl Counts {
    pub(super) fn fetch(&mut self, faults: u64, pages: u64, again: u64) {
        self.faults += faults;
        self.moved += pages;
        self.again += again;
    }

    pub(super) fn totals(&self) -> Totals {
        Totals {
            touched_pages: self.touched,
            moved_pages: self.moved,
            refetched_pages: self.again,
            evicted_regions: self.evicted_regions,
            evicted_pages: self.evicted_pages,
        }
    }

    pub(super) fn evict(&mut self, pages: u64, write_back: bool) {
        self.evicted_regions += 1;
        self.evicted_pages += pages;
        self.written_back += if write_back { pages } else { 0 };
    }

    pub(super) fn report(&self, settings: Settings, array_bytes: u64, fetches: &[u32]) -> Transfer {
        let moved_bytes = self.moved * PAGE;
        let ratio = || moved_bytes as f64 / self.ideal_bytes as f64;
        Transfer {
            settings,
            array_bytes,
            traversals: self.traversals,
            ideal_bytes: self.ideal_bytes,
            moved_bytes,
            amplification: (self.ideal_bytes > 0).then(ratio),
            moved_pages: self.moved,
            faults: self.faults,
            prefetched_pages: self.moved - self.faults,
            refetched_pages: self.again,
            batches: self.batches,
            evicted_regions: self.evicted_regions,
            evicted_pages: self.evicted_pages,
            written_back_bytes: self.written_back * PAGE,
            pages_by_fetches: histogram(fetches),
        }
    }
}

fn histogram(fetches: &[u32]) -> Vec<u64> {
    let mut pages = vec![0; MOST_FETCHES + 1];
    fetches.iter().for_each(|&times| pages[MOST_FETCHES.min(times as usize)] += 1);
    let used = pages.iter().rposition(|&pages| pages > 0).map_or(0, |last| last + 1);
    pages.truncate(used);
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_counted_by_how_often_they_were_fetched() {
        assert_eq!(histogram(&[]), [0; 0]);
        assert_eq!(histogram(&[0, 2, 0, 1, 2, 2]), [2, 1, 3]);
        let often = histogram(&[254, 255, 256, u32::MAX]);
        assert_eq!((often.len(), &often[253..]), (256, &[0, 1, 3][..]));
    }
}
