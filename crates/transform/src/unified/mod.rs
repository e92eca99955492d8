//! A model of unified memory: what moves to a device whose memory is too small for the array of edges.
//!
//! Figures 3 and 9 of HALO \[1\] need a driver and a card that is too small. This model needs neither: it is fed with the bytes of
//! the array that a run reads (a [search](Model::traverse), level by level, or [any other](Model::access)), and does with
//! them what sections 6.2 and 6.3 say of NVIDIA's driver, with the details of \[2\] and of the driver's published source:
//!
//! - The array starts a region. A [`PAGE`] of 4 KiB is the least that moves, a [`REGION`] of 2 MiB the least that room is
//!   made for: a region takes its room on the device with its first page there, and gives it back with its last. All starts
//!   on the host, and what is on the device stays there from one traversal to the next.
//! - What is read at once, such as a level, faults in the order it is read. Faults are served in *batches* of up to [`BATCH`]
//!   distinct pages, and at the end of a level. Of a batch, regions are served by rising address; a page that was fetched has
//!   been read, even if the batch itself needs its room again.
//! - The *prefetcher* widens every fault to the largest aligned subtree of its region that is mostly there; see `prefetch`.
//! - When a region needs room and there is none, the region is *evicted* whole whose latest allocation, not access, is
//!   the oldest; not one of the batch that is served, unless there is no other. Edges are read only: what is evicted is dropped,
//!   or, where the driver takes it for data that may have changed (section 10.4), written back.
//!
//! Counts only, no times. Work is about the pages read and moved, and a step for every row; 160 bytes a region and 4 a page.
//! One thread; orders can be modelled side by side.
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7), 2020.
//! \[2\] D. Ganguly, Z. Zhang, J. Yang, R. Melhem. Interplay between Hardware Prefetcher and Page Eviction Policy in CPU-GPU
//! Unified Virtual Memory. ISCA 2019.

mod batch;
mod evictor;
mod mask;
mod page_table;
mod prefetch;
mod report;
#[cfg(test)]
mod tests;
mod trace;

pub use report::{MOST_FETCHES, Transfer};

pub(crate) use trace::pages_of;

use crate::levels::Frontiers;
use batch::Batch;
use evictor::Evictor;
use mask::{Mask, PAGES};
use page_table::PageTable;
use report::Counts;
use serde::Serialize;
use std::ops::Range;
use trace::Runs;
use warpgraph_graph::{Control, Csr, Error, Offset, Result, Vertex, View, memory::human_bytes, with_view};

/// Bytes of a page.
pub const PAGE: u64 = 4 << 10;
/// Bytes of a region.
pub const REGION: u64 = PAGE * PAGES as u64;
/// Faults that are served at once; a page fault group of NVIDIA's.
pub const BATCH: usize = 256;

/// Vertices whose rows are read between two looks at the control.
const STRETCH: usize = 1 << 16;

/// What is modelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// Bytes of an edge in the array: 4 as stored here, 8 in the paper.
    pub edge_bytes: u32,
    /// Bytes of device memory for edges; as many regions as they hold.
    pub memory: u64,
    /// Does the prefetcher work? Figure 3(b) is without.
    pub prefetch: bool,
    /// Are evicted pages written back, as without read-only advice?
    pub write_back: bool,
    /// Faults that are served at once.
    pub batch: usize,
}

impl Settings {
    /// So much memory, all else as the paper has it, but for edges of 4 bytes.
    pub fn with_memory(memory: u64) -> Self {
        Self {
            edge_bytes: size_of::<Vertex>() as u32,
            memory,
            prefetch: true,
            write_back: false,
            batch: BATCH,
        }
    }
}

/// A device, and an array of edges on its host.
///
/// ```
/// use warpgraph_transform::unified::{Model, PAGE, Settings};
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
    /// Bytes.
    array: u64,
    table: PageTable,
    evictor: Evictor,
    batch: Batch,
    counts: Counts,
}

impl Model {
    /// An array of so many edges, none of them on the device.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the memory is less than a region, a batch has no faults, or an edge has no bytes or over a page of
    /// them; when memory is short.
    pub fn new(edges: u64, settings: Settings) -> Result<Self> {
        check_edge_bytes(settings.edge_bytes)?;
        if settings.memory < REGION {
            return Err(Error::invalid(
                format!("{} of device memory hold no region of edges", human_bytes(settings.memory)),
                format!("give {} or more", human_bytes(REGION)),
            ));
        }
        if settings.batch == 0 {
            return Err(Error::invalid("a batch of 0 faults", "give 1 or more"));
        }
        let array = edges.checked_mul(settings.edge_bytes.into());
        let array = array.ok_or_else(|| Error::invalid(format!("{edges} edges"), "give fewer"))?;
        let table = PageTable::new(array.div_ceil(PAGE))?;
        let evictor = Evictor::new(table.regions(), settings.memory / REGION)?;
        let batch = Batch::new(table.regions())?;
        Ok(Self { settings, array, table, evictor, batch, counts: Counts::default() })
    }

    /// Reads what a push search reads (Algorithm 1): in every level the rows of its vertices, by rising vertex.
    ///
    /// # Errors
    /// [`Error::Invalid`] when `csr` has another number of edges, or the search another number of vertices; what `control` asks for.
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

    /// Reads ranges of bytes of the array, at once and in this order.
    ///
    /// # Errors
    /// [`Error::Invalid`] at a range that ends beyond the array; those before it have been read.
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

    /// What moved until now.
    pub fn report(&self) -> Transfer {
        self.counts.report(self.settings, self.array, self.table.fetches())
    }

    /// Bytes of the pages that are on the device.
    pub fn resident(&self) -> u64 {
        (self.counts.moved - self.counts.evicted_pages) * PAGE
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

    /// Serves what is still waited for.
    fn end(&mut self, runs: Runs) {
        self.touch(runs.last());
        if !self.batch.is_empty() {
            self.serve();
        }
    }

    fn touch(&mut self, mut run: Range<u64>) {
        while !run.is_empty() {
            let region = (run.start / PAGES as u64) as usize;
            let first = region as u64 * PAGES as u64;
            let end = run.end.min(first + PAGES as u64);
            self.touch_in(region, (run.start - first) as usize..(end - first) as usize);
            run.start = end;
        }
    }

    /// Faults for the pages of a region that are not there, one after the other: what a full batch brings, later ones find.
    fn touch_in(&mut self, region: usize, pages: Range<usize>) {
        if self.table.has(region, &pages) {
            return;
        }
        let mut unread = Mask::of(pages);
        while let Some(page) = unread.without(self.there_or_wanted(region)).first() {
            self.batch.add(region, page);
            if self.batch.faults() == self.settings.batch {
                self.serve();
            }
            unread = unread.after(page);
        }
    }

    fn there_or_wanted(&self, region: usize) -> Mask {
        self.table.resident(region).union(self.batch.wanted(region))
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
        let resident = self.table.resident(region);
        let pages = match self.settings.prefetch {
            true => prefetch::widened(wanted, resident, self.table.pages_in(region)).without(resident),
            false => wanted,
        };
        self.counts.fetch(wanted.count(), pages.count());
        self.counts.refetched += self.table.fetch(region, pages);
        self.evictor.allocated(region);
    }
}

/// Refuses edges of no bytes, and those over a page.
pub(crate) fn check_edge_bytes(edge_bytes: u32) -> Result<()> {
    match u64::from(edge_bytes) {
        1..=PAGE => Ok(()),
        _ => Err(Error::invalid(format!("edges of {edge_bytes} bytes"), format!("give 1 to {PAGE} bytes"))),
    }
}
