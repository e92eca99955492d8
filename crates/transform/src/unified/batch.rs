//! [`Batch`]: faults that wait to be served together.

use super::mask::Mask;
use warpgraph_graph::{Pages, Result};

#[derive(Debug)]
pub(super) struct Batch {
    /// The pages that faulted and are not yet served, by region.
    wanted: Pages<Mask>,
    /// The latest batch in which each region had a fault. Batches are numbered from 1.
    latest: Pages<u64>,
    number: u64,
    /// The regions with a fault in this batch.
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

    /// Returns the number of distinct pages in the batch.
    pub(super) fn faults(&self) -> usize {
        self.faults
    }

    pub(super) fn wanted(&self, region: usize) -> &Mask {
        &self.wanted[region]
    }

    /// Returns whether the batch has faults of this region, including those already served.
    pub(super) fn has(&self, region: usize) -> bool {
        self.latest[region] == self.number
    }

    /// Adds a page that is not yet in the batch.
    pub(super) fn add(&mut self, region: usize, page: usize) {
        if !self.has(region) {
            self.latest[region] = self.number;
            self.regions.push(region);
        }
        self.wanted[region].insert(page);
        self.faults += 1;
    }

    /// Takes the regions of the batch, in the order in which they are served.
    pub(super) fn regions_by_address(&mut self) -> Vec<usize> {
        self.regions.sort_unstable();
        std::mem::take(&mut self.regions)
    }

    /// Takes the waiting pages of a region.
    pub(super) fn take(&mut self, region: usize) -> Mask {
        std::mem::take(&mut self.wanted[region])
    }

    /// Starts the next batch, after all pages of this one were taken.
    pub(super) fn next(&mut self) {
        self.number += 1;
        self.faults = 0;
    }
}
