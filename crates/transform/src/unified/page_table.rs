//! [`PageTable`]: which pages are on the device, and how many times each was fetched.

use super::mask::{GROUP, Mask, PAGES};
use warpgraph_graph::{Pages, Result};

#[derive(Debug)]
pub(super) struct PageTable {
    /// The pages on the device, by region.
    resident: Pages<Mask>,
    /// How many times each page was fetched.
    fetches: Pages<u32>,
}

impl PageTable {
    pub(super) fn new(pages: u64) -> Result<Self> {
        let pages = usize::try_from(pages).unwrap_or(usize::MAX);
        Ok(Self { resident: Pages::zeroed(pages.div_ceil(PAGES))?, fetches: Pages::zeroed(pages)? })
    }

    pub(super) fn regions(&self) -> usize {
        self.resident.len()
    }

    /// Returns the number of pages of a region; the last region may have fewer.
    pub(super) fn pages_in(&self, region: usize) -> usize {
        (self.fetches.len() - region * PAGES).min(PAGES)
    }

    pub(super) fn resident(&self, region: usize) -> &Mask {
        &self.resident[region]
    }

    /// Returns how many times each page was fetched.
    pub(super) fn fetches(&self) -> &[u32] {
        &self.fetches
    }

    /// Fetches pages of a region. Returns how many of them had been fetched before.
    pub(super) fn fetch(&mut self, region: usize, pages: Mask) -> u64 {
        self.resident[region] = self.resident[region].union(pages);
        let first = region * PAGES;
        let mut again = 0;
        let groups = self.fetches[first..].chunks_mut(GROUP).take(PAGES / GROUP);
        for (group, fetches) in groups.enumerate() {
            let bits = pages.sixteen(group);
            if bits != 0 {
                let each = fetches.iter_mut().enumerate();
                each.for_each(|(i, times)| {
                    let fetched = u32::from(bits >> i & 1);
                    again += u64::from(fetched.min(*times));
                    *times = times.saturating_add(fetched);
                });
            }
        }
        again
    }

    /// Drops a region and returns how many pages it had on the device.
    pub(super) fn drop_region(&mut self, region: usize) -> u64 {
        std::mem::take(&mut self.resident[region]).count()
    }
}
