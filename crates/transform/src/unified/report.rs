//! [`Transfer`]: what moved.

use super::{PAGE, Settings};
use serde::Serialize;

/// Fetches of a page that are told apart.
pub const MOST_FETCHES: usize = 255;

/// What moved between host and device until now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Transfer {
    /// What was modelled.
    pub settings: Settings,
    /// Bytes of the array of edges.
    pub array_bytes: u64,
    /// Searches.
    pub traversals: u64,
    /// Bytes that were read: edges traversed x bytes an edge.
    pub ideal_bytes: u64,
    /// Bytes that moved to the device: pages x 4096.
    pub moved_bytes: u64,
    /// Read amplification: moved to ideal bytes; `None` if nothing was read.
    pub amplification: Option<f64>,
    /// Pages that moved to the device.
    pub moved_pages: u64,
    /// Pages among them that were read and not there.
    pub faults: u64,
    /// Pages among them that were fetched beside faults.
    pub prefetched_pages: u64,
    /// Pages among them that had been evicted before.
    pub refetched_pages: u64,
    /// Batches that faults were served in.
    pub batches: u64,
    /// Regions that were evicted.
    pub evicted_regions: u64,
    /// Their pages.
    pub evicted_pages: u64,
    /// Bytes that moved back to the host.
    pub written_back_bytes: u64,
    /// By number of fetches, from 0 on, how many pages were fetched so often; the last of [`MOST_FETCHES`] + 1 entries are those
    /// fetched so often or more. No zeroes at the end.
    pub pages_by_fetches: Vec<u64>,
}

/// What is counted on the way; in pages unless its name says otherwise.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) traversals: u64,
    pub(super) ideal_bytes: u64,
    pub(super) batches: u64,
    pub(super) moved: u64,
    pub(super) evicted_pages: u64,
    faults: u64,
    evicted_regions: u64,
    written_back: u64,
}

impl Counts {
    pub(super) fn fetch(&mut self, faults: u64, pages: u64) {
        self.faults += faults;
        self.moved += pages;
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
            refetched_pages: fetches.iter().map(|&times| u64::from(times.saturating_sub(1))).sum(),
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
