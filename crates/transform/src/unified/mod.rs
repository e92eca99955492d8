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
//! What the driver does beside, such as holding back pages that thrash, is left out; and it has no thought for a batch when it
//! evicts. Counts only, no times. Work is about the pages read and moved, and a step for every row; 160 bytes a region and 4 a page.
//! One thread; orders can be modelled side by side.
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7), 2020.
//! \[2\] D. Ganguly, Z. Zhang, J. Yang, R. Melhem. Interplay between Hardware Prefetcher and Page Eviction Policy in CPU-GPU
//! Unified Virtual Memory. ISCA 2019.

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
pub use report::{MOST_FETCHES, Transfer};

pub(crate) use trace::pages_of;

use mask::PAGES;
use serde::Serialize;
use warpgraph_graph::{Error, Result, Vertex, memory::human_bytes};

/// Bytes of a page.
pub const PAGE: u64 = 4 << 10;
/// Bytes of a region.
pub const REGION: u64 = PAGE * PAGES as u64;
/// Faults that are served at once; a page fault group of NVIDIA's.
pub const BATCH: usize = 256;

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

/// Refuses edges of no bytes, and those over a page.
pub(crate) fn check_edge_bytes(edge_bytes: u32) -> Result<()> {
    match u64::from(edge_bytes) {
        1..=PAGE => Ok(()),
        _ => Err(Error::invalid(format!("edges of {edge_bytes} bytes"), format!("give 1 to {PAGE} bytes"))),
    }
}
