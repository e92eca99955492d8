//! Hot pages: the parts of the edge arrays that a run reads most often per byte, kept on the device.
//!
//! An edge array is cut into pages of [`PAGE`] arcs. The *heat* of a page is the mean degree of the vertices whose rows
//! lie in it, per arc: a vertex with more arcs is reached more often, so its row is read in more searches and relaxed more
//! often. Targets and weights of a page are hot together.
//!
//! Behind the hot pages of an array, its pool may have a staging area for pages that come and go ([`staged`](super::staged)).

use super::Layout;
use crate::{
    arguments::Edges,
    error::lift,
    machine::{Grid, Machine},
    variants,
};
use std::sync::{
    Arc, Mutex, PoisonError, Weak,
    atomic::{AtomicBool, Ordering},
};
use warpgraph_core::Result;
use warpgraph_device::{Address, Array, Channel, Gpu, Shared, arguments};
use warpgraph_graph::{Csr, par};

/// Arcs of a page: `PAGE_ARCS` in `kernels/edges.cuh`.
pub(crate) const PAGE: usize = 1 << 10;
/// The slot of a page that is not on the device: `FAR_PAGE` in `kernels/edges.cuh`.
pub(crate) const FAR: u32 = u32::MAX;
/// Classes of heat: powers of the square root of 2.
const CLASSES: usize = 80;

arguments! {
    /// The arguments of the kernel that copies pages to the device.
    pub(crate) struct PagesArgs {
        /// The pages in the order of their slots.
        pub(crate) list: Address<u32>,
        pub(crate) pages: u64,
        pub(crate) far: Address<u32>,
        pub(crate) near: Address<u32>,
        /// Words of a page, and of the whole array.
        pub(crate) words: u64,
        pub(crate) all_words: u64,
    }
}

/// The hot pages of the rows of one direction.
#[derive(Debug)]
pub(crate) struct HotPages {
    list: Array<u32>,
    slots: Array<u32>,
    pages: Vec<u32>,
    /// Pages of all rows, and of the staging area behind the hot ones.
    all: usize,
    staged: usize,
    /// Where the arrays of these rows lie.
    columns: Mutex<Vec<Weak<Column>>>,
    /// True while a run uses the staging area.
    is_lent: AtomicBool,
}

/// An array in host memory, and its pool on the device.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) channel: Arc<Channel>,
    /// Bytes of an entry, and the number of entries.
    pub(crate) width: usize,
    pub(crate) len: usize,
}

impl Column {
    /// Returns the pool.
    pub(crate) fn pool(&self) -> &Array<u32> {
        self.channel.target()
    }
}

/// A run's use of a staging area. Dropping it ends the use.
#[derive(Debug)]
pub(crate) struct Lent(Arc<HotPages>);

impl std::ops::Deref for Lent {
    type Target = HotPages;

    fn deref(&self) -> &HotPages {
        &self.0
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.0.is_lent.store(false, Ordering::Release);
    }
}

impl HotPages {
    /// Chooses as many pages of these rows as a layout has hot ones, or all.
    ///
    /// # Errors
    /// When memory is short.
    pub(crate) fn new(gpu: &Gpu, csr: &Csr, layout: Layout) -> Result<Self> {
        let pages = hottest(csr, layout.hot_pages);
        let all = csr.targets().len().div_ceil(PAGE);
        let mut slots = vec![FAR; all];
        for (slot, &page) in pages.iter().enumerate() {
            slots[page as usize] = slot as u32;
        }
        Ok(Self {
            all,
            staged: layout.staged_pages,
            columns: Mutex::default(),
            is_lent: AtomicBool::new(false),
            list: gpu.array_of(&pages, "hot pages").map_err(lift)?,
            slots: gpu.array_of(&slots, "places of pages").map_err(lift)?,
            pages,
        })
    }

    /// Returns the numbers of the hot pages, in increasing order.
    pub(crate) fn pages(&self) -> &[u32] {
        &self.pages
    }

    /// Returns how many pages the rows have, and how many of them fit the staging area.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.all, self.staged)
    }

    /// Returns the slots of all pages, with hot ones alone on the device.
    pub(crate) fn slots(&self) -> &Array<u32> {
        &self.slots
    }

    /// Returns the staging area for a run; `None` if there is none, or if another run has it.
    pub(crate) fn lend(self: &Arc<Self>) -> Option<Lent> {
        let is_free = self.staged > 0 && !self.is_lent.swap(true, Ordering::Acquire);
        is_free.then(|| Lent(Arc::clone(self)))
    }

    /// Returns the column that kernels read as these edges, if it is one of these rows.
    pub(crate) fn column(&self, edges: Edges) -> Option<Arc<Column>> {
        let columns = self.columns.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = columns.iter().filter_map(Weak::upgrade);
        all.find(|column| edges.near.raw() != 0 && column.pool().address().raw() == edges.near.raw())
    }

    /// Returns the bytes that it takes on the device, without the pages themselves.
    pub(crate) fn bytes(&self) -> u64 {
        self.list.bytes() + self.slots.bytes()
    }

    /// Copies the hot pages of an array in host memory, of `len` entries of this width, to the device. Returns it with its
    /// pool, and what kernels get.
    ///
    /// # Errors
    /// When memory is short or the device fails.
    pub(crate) fn pool(
        &self,
        machine: &Machine<'_>,
        shared: Shared<u8>,
        width: usize,
        len: usize,
    ) -> Result<(Arc<Column>, Edges)> {
        let (words, far) = (PAGE * width / 4, shared.address().cast());
        let pool =
            machine.array::<u32>((self.pages.len() + self.staged) * words, "hot pages of the edges")?;
        let args = PagesArgs {
            list: self.list.address(),
            pages: self.pages.len() as u64,
            far,
            near: pool.address(),
            words: words as u64,
            all_words: (len * width / 4) as u64,
        };
        let kernel = machine.kernel(&*variants::pages()?, "pages_copy")?;
        // SAFETY: the pool has room for all pages of the list, which are pages of the array at `far`; both live until the
        // wait.
        unsafe { machine.start(&kernel, Grid::For(args.pages * args.words), &args)? };
        machine.wait()?;
        let (near, far) = (pool.address().cast(), far.cast());
        let edges = Edges { near, far, slots: self.slots.address(), ..Edges::NONE };
        let column = Arc::new(Column { channel: Arc::new(Channel::new(shared, pool)), width, len });
        let mut columns = self.columns.lock().unwrap_or_else(PoisonError::into_inner);
        columns.retain(|known| known.strong_count() > 0);
        columns.push(Arc::downgrade(&column));
        Ok((column, edges))
    }
}

/// Returns the bytes per arc of the table of pages, in thousandths: one slot and, if it is hot, one entry of the list.
pub(crate) fn table_bytes(arcs: u64) -> u64 {
    8 * arcs.div_ceil(PAGE as u64)
}

/// Returns the `count` hottest pages of rows, in increasing order.
fn hottest(csr: &Csr, count: usize) -> Vec<u32> {
    let pages = csr.targets().len().div_ceil(PAGE);
    if count >= pages {
        return (0..pages as u32).collect();
    }
    let classes = classes(csr, pages);
    let mut sizes = [0usize; CLASSES];
    for &class in &classes {
        sizes[class as usize] += 1;
    }
    // The coolest class of which pages are still taken, and how many of it.
    let (mut left, mut least) = (count, CLASSES);
    while least > 0 && sizes[least - 1] <= left {
        left -= sizes[least - 1];
        least -= 1;
    }
    let mut taken = Vec::with_capacity(count);
    for (page, &class) in classes.iter().enumerate() {
        let is_last = class as usize + 1 == least;
        if class as usize >= least || (is_last && left > 0) {
            left -= usize::from(is_last);
            taken.push(page as u32);
        }
    }
    taken
}

/// Returns the class of heat of every page.
fn classes(csr: &Csr, pages: usize) -> Vec<u8> {
    let mut classes = vec![0u8; pages];
    let offsets = csr.offsets();
    par::parts_mut(&mut classes, 256, |first, part| {
        let mut v = row_of(csr, first * PAGE);
        for (nth, class) in part.iter_mut().enumerate() {
            let begin = (first + nth) * PAGE;
            let end = (begin + PAGE).min(csr.targets().len());
            let (mut at, mut heat) = (begin, 0.0);
            while at < end {
                while offsets.get(v + 1) <= at {
                    v += 1;
                }
                let row_end = offsets.get(v + 1);
                let degree = (row_end - offsets.get(v)) as f64;
                heat += degree * (row_end.min(end) - at) as f64;
                at = row_end.min(end);
            }
            let mean = heat / (end - begin).max(1) as f64;
            *class = ((2.0 * mean.max(1.0).log2()) as usize).min(CLASSES - 1) as u8;
        }
    });
    classes
}

/// Returns the vertex whose row has this arc.
fn row_of(csr: &Csr, arc: usize) -> usize {
    let offsets = csr.offsets();
    let (mut low, mut high) = (0, offsets.len() - 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if offsets.get(middle) <= arc { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use warpgraph_graph::Graph;

    #[test]
    fn pages_of_long_rows_are_hot_first() {
        // Vertex 700 has an arc to every vertex; every other vertex has a few.
        let n = 6000u32;
        let star = (0..n).map(|v| (700, v));
        let chain = (1..n).flat_map(|v| (1..=4).map(move |by| (v - 1, (v - 1 + by) % n)));
        let edges: Vec<_> = star.chain(chain).collect();
        let graph = Graph::from_edges(n as usize, &edges, true).unwrap();
        let csr = &graph.out().csr;
        let (begin, end) = (csr.offsets().get(700), csr.offsets().get(701));
        let hot = hottest(csr, 4);
        assert_eq!(hot.len(), 4);
        for page in hot {
            let page = page as usize * PAGE..(page as usize + 1) * PAGE;
            assert!(
                page.start < end && begin < page.end,
                "page at {page:?} is not of the long row {begin}..{end}"
            );
        }
        let pages = csr.targets().len().div_ceil(PAGE);
        for count in [0, 1, pages - 1, pages, pages + 5] {
            let hot = hottest(csr, count);
            assert_eq!(hot.len(), count.min(pages));
            assert!(hot.is_sorted());
        }
    }
}
