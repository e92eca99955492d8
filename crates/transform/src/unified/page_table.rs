//! [`PageTable`]: which pages are on the device, and how often each came there.

use super::mask::{Mask, PAGES};
use std::ops::Range;
use warpgraph_graph::{Pages, Result};

#[derive(Debug)]
pub(super) struct PageTable {
    /// By region.
    resident: Pages<Mask>,
    /// By page.
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

    /// The pages that a region has: fewer in the last one.
    pub(super) fn pages_in(&self, region: usize) -> usize {
        (self.fetches.len() - region * PAGES).min(PAGES)
    }

    pub(super) fn resident(&self, region: usize) -> Mask {
        self.resident[region]
    }

    /// Are these pages of a region there?
    pub(super) fn has(&self, region: usize, pages: &Range<usize>) -> bool {
        self.resident[region].has(pages)
    }

    /// How often each page was fetched.
    pub(super) fn fetches(&self) -> &[u32] {
        &self.fetches
    }

    /// Brings pages; how many of them had been there before?
    pub(super) fn fetch(&mut self, region: usize, pages: Mask) -> u64 {
        self.resident[region] = self.resident[region].union(pages);
        let mut again = 0;
        for page in pages.iter() {
            let fetches = &mut self.fetches[region * PAGES + page];
            again += u64::from(*fetches > 0);
            *fetches = fetches.saturating_add(1);
        }
        again
    }

    /// Lets a region go; how many pages had it?
    pub(super) fn drop_region(&mut self, region: usize) -> u64 {
        std::mem::take(&mut self.resident[region]).count()
    }
}
