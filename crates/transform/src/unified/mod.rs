//! A model of unified memory: what moves to a device whose memory is too small for the edge array.
//!
//! Figures 3 and 9 of HALO \[1\] need a driver and a GPU with little memory. This model needs neither. Its input is the
//! bytes of the array that a run reads (a [search](Model::traverse), level by level, or [any other
//! access](Model::access)). It applies the rules that sections 6.2 and 6.3 describe for NVIDIA's driver, with the
//! details of \[2\] and of the driver's published source:
//!
//! - The array starts at the start of a region. The unit of transfer is a [`PAGE`] of 4 KiB; the unit of allocation is
//!   a [`REGION`] of 2 MiB: a region occupies device memory from its first page there until its last page leaves. All
//!   pages start on the host. Pages on the device stay there from one traversal to the next.
//! - Pages that are read together, such as those of a level, fault in the order in which they are read. The driver
//!   serves faults in *batches* of up to [`BATCH`] distinct pages, and at the end of a level. Within a batch it serves
//!   regions by increasing address. A page that was fetched counts as read, even if the same batch evicts it again.
//! - The *prefetcher* widens every fault to the largest aligned subtree of its region that is mostly present; see
//!   `prefetch`.
//! - If a region needs room and there is none, the model *evicts* the whole region whose latest allocation, not access,
//!   is the oldest; a region of the current batch only if there is no other. Edges are read-only: evicted pages are
//!   dropped, or, where the driver treats them as data that may have changed (section 10.4), written back.
//!
//! The model omits other behaviour of the driver, such as throttling pages that thrash; and the real driver does not
//! spare the regions of a batch when it evicts. The model counts; it does not estimate time. The work is proportional
//! to the pages read and moved, plus one step per row; the memory is 160 bytes per region and 4 per page. One thread;
//! several orders can be modelled in parallel.
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7),
//! 2020. \[2\] D. Ganguly, Z. Zhang, J. Yang, R. Melhem. Interplay between Hardware Prefetcher and Page Eviction Policy
//! in CPU-GPU Unified Virtual Memory. ISCA 2019.

mod batch;
mod evictor;
mod mask;
mod model;
mod page_table;
mod prefetch;
mod report;
#[cfg(test)]
mod tests;
mod trace;

pub use model::Model;
pub use report::{MOST_FETCHES, Totals, Transfer};

pub(crate) use trace::pages_of;

use mask::PAGES;
use serde::Serialize;
use warpgraph_graph::{Error, Result, Vertex, memory::human_bytes};

/// Bytes per page.
pub const PAGE: u64 = 4 << 10;
/// Bytes per region.
pub const REGION: u64 = PAGE * PAGES as u64;
/// Faults per batch: the size of a page fault group of NVIDIA's driver.
pub const BATCH: usize = 256;

/// Parameters of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// Bytes per edge in the array: 4 as stored here, 8 in the paper.
    pub edge_bytes: u32,
    /// Bytes of device memory for edges, rounded down to whole regions.
    pub memory: u64,
    /// Whether the prefetcher is on. Figure 3(b) is without.
    pub prefetch: bool,
    /// Whether evicted pages are written back, as without read-only advice.
    pub write_back: bool,
    /// Faults per batch.
    pub batch: usize,
}

impl Settings {
    /// Returns the paper's settings with this much memory and edges of 4 bytes.
    pub fn with_memory(memory: u64) -> Self {
        let edge_bytes = size_of::<Vertex>() as u32;
        Self { edge_bytes, memory, prefetch: true, write_back: false, batch: BATCH }
    }

    fn check(&self) -> Result<()> {
        check_edge_bytes(self.edge_bytes)?;
        if self.memory < REGION {
            return Err(Error::invalid(
                format!("{} of device memory hold no region of edges", human_bytes(self.memory)),
                format!("give {} or more", human_bytes(REGION)),
            ));
        }
        match self.batch {
            0 => Err(Error::invalid("a batch of 0 faults", "give 1 or more")),
            _ => Ok(()),
        }
    }
}

/// Refuses edges of no bytes or of more than a page.
pub(crate) fn check_edge_bytes(edge_bytes: u32) -> Result<()> {
    match u64::from(edge_bytes) {
        1..=PAGE => Ok(()),
        _ => Err(Error::invalid(format!("edges of {edge_bytes} bytes"), format!("give 1 to {PAGE} bytes"))),
    }
}
