//! [`Batch`]: faults that wait to be served together.

use super::mask::Mask;
use warpgraph_graph::{Pages, Result};

#[derive(Debug)]
pub(super) struct Batch {
    /// The pages waited for, by region.
    wanted: Pages<Mask>,
    /// The latest batch that each region had a fault in; batches count from 1.
    latest: Pages<u64>,
    number: u64,
    /// The regions of this batch.
    regions: Vec<usize>,
    faults: usize,
}

impl Batch {
    pub(super) fn new(regions: usize) -> Result<Self> {
        let (wanted, latest) = (Pages::zeroed(regions)?, Pages::zeroed(regions)?);
        Ok(Self { wanted, latest, number: 1, regions: Vec::new(), faults: 0 })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.faults == 0
    }

    /// Distinct pages waited for.
    pub(super) fn faults(&self) -> usize {
        self.faults
    }

    pub(super) fn wanted(&self, region: usize) -> &Mask {
        &self.wanted[region]
    }

    /// Has it faults of this region, served ones included?
    pub(super) fn has(&self, region: usize) -> bool {
        self.latest[region] == self.number
    }

    /// Waits for a page that it does not wait for yet.
    pub(super) fn add(&mut self, region: usize, page: usize) {
        if !self.has(region) {
            self.latest[region] = self.number;
            self.regions.push(region);
        }
        self.wanted[region].insert(page);
        self.faults += 1;
    }

    /// Its regions, as they are served.
    pub(super) fn regions_by_address(&mut self) -> Vec<usize> {
        self.regions.sort_unstable();
        std::mem::take(&mut self.regions)
    }

    /// The pages of a region, no longer waited for.
    pub(super) fn take(&mut self, region: usize) -> Mask {
        std::mem::take(&mut self.wanted[region])
    }

    /// Starts the next one, when all of this one are taken.
    pub(super) fn next(&mut self) {
        self.number += 1;
        self.faults = 0;
    }
}
