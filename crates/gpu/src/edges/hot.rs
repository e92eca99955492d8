//! Hot pages: the parts of the edge arrays that a run reads most often per byte, kept on the device.
//!
//! An edge array is cut into pages of [`PAGE`] arcs. The *heat* of a page is the mean degree of the vertices whose rows
//! lie in it, per arc: a vertex with more arcs is reached more often, so its row is read in more searches and relaxed more
//! often. Targets and weights of a page are hot together.

use crate::{
    arguments::Edges,
    error::lift,
    machine::{Grid, Machine},
    variants,
};
use warpgraph_core::Result;
use warpgraph_device::{Address, Array, Gpu, arguments};
use warpgraph_graph::{Csr, par};

/// Arcs of a page: `PAGE_ARCS` in `kernels/edges.cuh`.
pub(crate) const PAGE: usize = 1 << 10;
/// The slot of a page that is not on the device: `FAR_PAGE` in `kernels/edges.cuh`.
const FAR: u32 = u32::MAX;
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
}

impl HotPages {
    /// Chooses `count` pages of these rows, or all.
    ///
    /// # Errors
    /// When memory is short.
    pub(crate) fn new(gpu: &Gpu, csr: &Csr, count: usize) -> Result<Self> {
        let pages = hottest(csr, count);
        let mut slots = vec![FAR; csr.targets().len().div_ceil(PAGE)];
        for (slot, &page) in pages.iter().enumerate() {
            slots[page as usize] = slot as u32;
        }
        Ok(Self {
            list: gpu.array_of(&pages, "hot pages").map_err(lift)?,
            slots: gpu.array_of(&slots, "places of pages").map_err(lift)?,
            pages,
        })
    }

    /// Returns the numbers of the hot pages, in increasing order.
    pub(crate) fn pages(&self) -> &[u32] {
        &self.pages
    }

    /// Returns the bytes that it takes on the device, without the pages themselves.
    pub(crate) fn bytes(&self) -> u64 {
        self.list.bytes() + self.slots.bytes()
    }

    /// Copies the hot pages of an array at `far`, of entries of this width, to the device. Returns the pool and what
    /// kernels get.
    ///
    /// # Errors
    /// When memory is short or the device fails.
    pub(crate) fn pool(
        &self,
        machine: &Machine<'_>,
        far: Address<()>,
        width: usize,
        len: usize,
    ) -> Result<(Array<u32>, Edges)> {
        let words = PAGE * width / 4;
        let pool = machine.array::<u32>(self.pages.len() * words, "hot pages of the edges")?;
        let args = PagesArgs {
            list: self.list.address(),
            pages: self.pages.len() as u64,
            far: far.cast(),
            near: pool.address(),
            words: words as u64,
            all_words: (len * width / 4) as u64,
        };
        let kernel = machine.kernel(&*variants::pages()?, "pages_copy")?;
        // SAFETY: the pool has room for all pages of the list, which are pages of the array at `far`; both live until the
        // wait.
        unsafe { machine.start(&kernel, Grid::For(args.pages * args.words), &args)? };
        machine.wait()?;
        let edges = Edges { near: pool.address().cast(), far, slots: self.slots.address(), ..Edges::NONE };
        Ok((pool, edges))
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
