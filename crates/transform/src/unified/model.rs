//! [`Model`]: processes reads, faults and evictions in order.

use super::{
    PAGE, REGION, Settings, Totals, Transfer,
    batch::Batch,
    evictor::Evictor,
    mask::{self, Mask, PAGES},
    page_table::PageTable,
    prefetch,
    report::Counts,
    trace::{self, Runs},
};
use crate::levels::Frontiers;
use std::ops::Range;
use warpgraph_graph::{Control, Csr, Error, Offset, Result, Vertex, View, with_view};

/// Vertices whose rows are read between two checks of the control.
const STRETCH: usize = 1 << 16;

/// A device, and an edge array on its host.
///
/// ```
/// use warpgraph_transform::unified::{Model, Settings};
///
/// # fn main() -> warpgraph_graph::Result<()> {
/// let mut model = Model::new(1 << 20, Settings::with_memory(2 << 20))?;
/// model.access([0..100, 5000..5004])?;
/// let transfer = model.report();
/// assert_eq!((transfer.faults, transfer.moved_pages, transfer.ideal_bytes), (2, 16, 104)); // 64 KiB at least
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Model {
    settings: Settings,
    /// Bytes of the edge array.
    array: u64,
    table: PageTable,
    evictor: Evictor,
    batch: Batch,
    counts: Counts,
}

impl Model {
    /// Creates a model of an array of this many edges, none of them on the device.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the memory is smaller than a region, a batch has no faults, or an edge has no bytes or
    /// more than a page; if memory is short.
    pub fn new(edges: u64, settings: Settings) -> Result<Self> {
        settings.check()?;
        let array = edges.checked_mul(settings.edge_bytes.into());
        let array = array.ok_or_else(|| Error::invalid(format!("{edges} edges"), "give fewer"))?;
        let table = PageTable::new(array.div_ceil(PAGE))?;
        let evictor = Evictor::new(table.regions(), settings.memory / REGION)?;
        let batch = Batch::new(table.regions())?;
        Ok(Self { settings, array, table, evictor, batch, counts: Counts::default() })
    }

    /// Reads what a push search reads (Algorithm 1): in every level the rows of its vertices, by increasing vertex.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `csr` has another number of edges, or the search another number of vertices; if `control`
    /// stops the work.
    pub fn traverse(&mut self, csr: &Csr, frontiers: &Frontiers, control: &Control) -> Result<()> {
        frontiers.check(csr)?;
        if csr.arcs() as u64 * u64::from(self.settings.edge_bytes) != self.array {
            let edges = self.array / u64::from(self.settings.edge_bytes);
            let what = format!("a search of {} edges in a model of {edges}", csr.arcs());
            return Err(Error::invalid(what, "make a model for every graph"));
        }
        for level in frontiers.iter() {
            let mut runs = Runs::default();
            for vertices in level.chunks(STRETCH) {
                control.check("modelling unified memory")?;
                with_view!(csr, |g| self.rows(g, vertices, &mut runs));
            }
            self.end(runs);
        }
        self.counts.traversals += 1;
        Ok(())
    }

    /// Reads ranges of bytes of the array together, in this order.
    ///
    /// # Errors
    /// [`Error::Invalid`] at a range that ends beyond the array. The ranges before it have been read.
    pub fn access(&mut self, ranges: impl IntoIterator<Item = Range<u64>>) -> Result<()> {
        let mut runs = Runs::default();
        let mut beyond = None;
        for range in ranges {
            if range.end > self.array {
                beyond = Some(range);
                break;
            }
            self.read(range, &mut runs);
        }
        self.end(runs);
        match beyond {
            Some(Range { start, end }) => Err(Error::invalid(
                format!("bytes {start} to {end} of an array of {}", self.array),
                "read inside the array",
            )),
            None => Ok(()),
        }
    }

    /// Returns what moved so far.
    pub fn report(&self) -> Transfer {
        self.counts.report(self.settings, self.array, self.table.fetches())
    }

    /// Returns the totals so far. Unlike [`Model::report`], it takes no time.
    pub fn totals(&self) -> Totals {
        self.counts.totals()
    }

    /// Returns the bytes of the pages on the device.
    #[cfg(test)]
    pub(super) fn resident(&self) -> u64 {
        (self.totals().moved_pages - self.totals().evicted_pages) * PAGE
    }

    fn rows<O: Offset>(&mut self, g: View<'_, O>, vertices: &[Vertex], runs: &mut Runs) {
        let bytes = u64::from(self.settings.edge_bytes);
        for &v in vertices {
            let arcs = g.arcs_of(v);
            self.read(arcs.start as u64 * bytes..arcs.end as u64 * bytes, runs);
        }
    }

    fn read(&mut self, bytes: Range<u64>, runs: &mut Runs) {
        if !bytes.is_empty() {
            self.counts.ideal_bytes += bytes.end - bytes.start;
            if let Some(run) = runs.add(trace::pages(bytes)) {
                self.touch(run);
            }
        }
    }

    /// Serves the remaining faults.
    fn end(&mut self, runs: Runs) {
        self.touch(runs.last());
        if !self.batch.is_empty() {
            self.serve();
        }
    }

    fn touch(&mut self, mut run: Range<u64>) {
        self.counts.touched += run.end - run.start;
        while !run.is_empty() {
            let region = (run.start / PAGES as u64) as usize;
            let first = region as u64 * PAGES as u64;
            let end = run.end.min(first + PAGES as u64);
            self.touch_in(region, (run.start - first) as usize..(end - first) as usize);
            run.start = end;
        }
    }

    /// Faults for the absent pages of a region, one after the other. When a batch is full it is served, and later pages
    /// find what it fetched.
    fn touch_in(&mut self, region: usize, pages: Range<usize>) {
        for word in mask::words(&pages) {
            let mut unread = mask::part(&pages, word);
            loop {
                let missing = unread & !self.there_or_wanted(region, word);
                if missing == 0 {
                    break;
                }
                let page = missing.trailing_zeros();
                self.batch.add(region, 64 * word + page as usize);
                if self.batch.faults() == self.settings.batch {
                    self.serve();
                }
                unread &= u64::MAX << page << 1;
            }
        }
    }

    fn there_or_wanted(&self, region: usize, word: usize) -> u64 {
        self.table.resident(region).word(word) | self.batch.wanted(region).word(word)
    }

    fn serve(&mut self) {
        for region in self.batch.regions_by_address() {
            let wanted = self.batch.take(region);
            self.make_room(region);
            self.fetch(region, wanted);
        }
        self.counts.batches += 1;
        self.batch.next();
    }

    fn make_room(&mut self, region: usize) {
        if self.table.resident(region).is_empty() && self.evictor.is_full() {
            let victim = self.evictor.evict(|region| self.batch.has(region));
            self.counts.evict(self.table.drop_region(victim), self.settings.write_back);
        }
    }

    fn fetch(&mut self, region: usize, wanted: Mask) {
        let resident = *self.table.resident(region);
        let pages = match self.settings.prefetch {
            true => prefetch::widened(wanted, resident, self.table.pages_in(region)).without(resident),
            false => wanted,
        };
        let again = self.table.fetch(region, pages);
        self.counts.fetch(wanted.count(), pages.count(), again);
        self.evictor.allocated(region);
    }
}
