//! The same rules with sets of pages, one page at a time.

use super::super::{MOST_FETCHES, PAGE, Settings, Transfer};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// Pages per region.
const REGION: u64 = 512;

pub(super) struct Naive {
    settings: Settings,
    array: u64,
    resident: BTreeSet<u64>,
    /// Regions with a resident page, the oldest allocation first.
    by_age: Vec<u64>,
    waiting: Vec<u64>,
    /// Every page that was ever fetched, in order.
    fetched: Vec<u64>,
    /// How many pages each evicted region had.
    evicted: Vec<u64>,
    faults: u64,
    batches: u64,
    ideal: u64,
}

impl Naive {
    pub(super) fn new(array: u64, settings: Settings) -> Self {
        let (resident, by_age, waiting) = (BTreeSet::new(), Vec::new(), Vec::new());
        let (fetched, evicted) = (Vec::new(), Vec::new());
        Self { settings, array, resident, by_age, waiting, fetched, evicted, faults: 0, batches: 0, ideal: 0 }
    }

    pub(super) fn resident(&self) -> u64 {
        self.resident.len() as u64 * PAGE
    }

    pub(super) fn access(&mut self, ranges: &[Range<u64>]) {
        let mut pages = Vec::new();
        for range in ranges.iter().filter(|range| range.start < range.end) {
            self.ideal += range.end - range.start;
            pages.extend(range.start / PAGE..=(range.end - 1) / PAGE);
        }
        pages.dedup();
        for page in pages {
            if !self.resident.contains(&page) && !self.waiting.contains(&page) {
                self.waiting.push(page);
            }
            if self.waiting.len() == self.settings.batch {
                self.serve();
            }
        }
        if !self.waiting.is_empty() {
            self.serve();
        }
    }

    fn serve(&mut self) {
        let mut groups: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for page in std::mem::take(&mut self.waiting) {
            groups.entry(page / REGION).or_default().push(page);
        }
        for (&region, faults) in &groups {
            if !self.by_age.contains(&region) && self.by_age.len() as u64 == self.settings.memory >> 21 {
                let place = self.by_age.iter().position(|old| !groups.contains_key(old)).unwrap_or(0);
                self.evict(place);
            }
            let pages = self.to_fetch(faults);
            self.by_age.retain(|&old| old != region);
            self.by_age.push(region);
            self.faults += faults.len() as u64;
            self.fetched.extend(pages.difference(&self.resident));
            self.resident.extend(pages);
        }
        self.batches += 1;
    }

    fn evict(&mut self, place: usize) {
        let region = self.by_age.remove(place);
        let before = self.resident.len();
        self.resident.retain(|page| page / REGION != region);
        self.evicted.push((before - self.resident.len()) as u64);
    }

    fn to_fetch(&self, faults: &[u64]) -> BTreeSet<u64> {
        if !self.settings.prefetch {
            return faults.iter().copied().collect();
        }
        let last = (self.array - 1) / PAGE;
        let big = |page: u64| page / 16 * 16..(page / 16 * 16 + 16).min(last + 1);
        let mut present = self.resident.clone();
        present.extend(faults.iter().flat_map(|&page| big(page)));
        let mut fetched = BTreeSet::new();
        for &fault in faults {
            fetched.extend(dense(&present, fault, fault / REGION * REGION, REGION, last));
        }
        fetched
    }

    pub(super) fn report(&self) -> Transfer {
        let mut times: BTreeMap<u64, usize> = (0..self.array.div_ceil(PAGE)).map(|page| (page, 0)).collect();
        self.fetched.iter().for_each(|page| *times.get_mut(page).unwrap() += 1);
        let most = times.values().max().map_or(0, |&most| most.min(MOST_FETCHES));
        let at = |n: usize| times.values().filter(|&&times| times.min(MOST_FETCHES) == n).count() as u64;
        let (moved, distinct) =
            (self.fetched.len() as u64, times.values().filter(|&&n| n > 0).count() as u64);
        let evicted_pages = self.evicted.iter().sum();
        Transfer {
            settings: self.settings,
            array_bytes: self.array,
            traversals: 0,
            ideal_bytes: self.ideal,
            moved_bytes: moved * PAGE,
            amplification: (self.ideal > 0).then(|| (moved * PAGE) as f64 / self.ideal as f64),
            moved_pages: moved,
            faults: self.faults,
            prefetched_pages: moved - self.faults,
            refetched_pages: moved - distinct,
            batches: self.batches,
            evicted_regions: self.evicted.len() as u64,
            evicted_pages,
            written_back_bytes: if self.settings.write_back { evicted_pages * PAGE } else { 0 },
            pages_by_fetches: (0..=most).map(at).collect(),
        }
    }
}

/// Returns the largest dense subtree that contains the fault, from the root down.
fn dense(present: &BTreeSet<u64>, fault: u64, first: u64, size: u64, last: u64) -> Range<u64> {
    let range = first..(first + size).min(last + 1);
    let there = present.range(range.clone()).count() as f64;
    if size == 16 || there / (range.end - range.start) as f64 > 0.51 {
        return range;
    }
    let half = if fault < first + size / 2 { first } else { first + size / 2 };
    dense(present, fault, half, size / 2, last)
}
