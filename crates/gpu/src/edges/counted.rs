//! Counts what crosses the bus while kernels read edges in host or managed memory.
//!
//! A run that counts uses kernels of its own, compiled with `EDGES_COUNTED`. They count the 32-byte sectors that they ask
//! for, except those that were asked for shortly before: a table in device memory has the last sector of each place, like a
//! cache with one line per set. Of managed memory they count the pages of 4 KiB, each once, because the driver moves a page
//! once while there is room; there the table is a hash table. They also count the bytes of the entries that they read.

use super::Layout;
use crate::{error::lift, machine::Machine};
use std::sync::atomic::{AtomicU64, Ordering};
use warpgraph_core::{Basis, Options, Residency, Result, Transfer};
use warpgraph_device::{Address, Array};

/// `EDGE_COUNTERS` in `kernels/edges.cuh`.
const COUNTERS: usize = 64;
/// Bytes of a sector, and of a page of managed memory.
const SECTOR: u64 = 32;
const PAGE: u64 = 4096;
/// The most entries of the table of sectors read last, and of pages (one per page of 16 GiB); and the fewest. Powers of two.
const SECTORS: usize = 1 << 18;
const PAGES: usize = 1 << 22;
const FEWEST: usize = 1 << 8;

/// The fewest bytes that counting takes.
pub(crate) const LEAST_BYTES: u64 = 8 * (2 * COUNTERS + 1 + FEWEST) as u64;

/// Bytes that counting sectors takes if there is room.
pub(crate) const BYTES: u64 = 8 * (2 * COUNTERS + 1 + SECTORS) as u64;

/// Returns the bytes of what is counted: sectors of host memory, pages of managed memory or if the run asks for pages.
pub(super) fn unit(residency: Option<Residency>, options: &Options) -> u64 {
    let is_managed = matches!(residency, Some(Residency::Unified { .. }));
    if is_managed || options.count_pages { PAGE } else { SECTOR }
}

/// The counters of a graph on a device.
#[derive(Debug)]
pub(crate) struct Counts {
    words: Array<u64>,
    /// Bytes of what is counted.
    unit: u64,
    basis: Basis,
    /// Bytes that copies carried beside the kernels, and those of them that had to move.
    carried: [AtomicU64; 2],
}

impl Counts {
    /// Allocates counters, with a table that takes half of what the layout spares at most.
    ///
    /// # Errors
    /// When memory is short.
    pub(crate) fn new(machine: &Machine<'_>, layout: Layout, arcs: u64) -> Result<Self> {
        let unit = unit(Some(layout.residency), machine.options());
        let is_managed = matches!(layout.residency, Residency::Unified { .. });
        let most = if unit == PAGE { PAGES } else { SECTORS };
        // No more than there are units of targets and weights, both ways; a hash table has room for more.
        let units = (if unit == PAGE { 64 } else { 32 } * arcs / unit).next_power_of_two();
        let room = (layout.spare / 16).min(most as u64).min(units) as usize;
        let tags = if room.is_power_of_two() { room } else { room.next_power_of_two() / 2 }.max(FEWEST);
        let mut words = machine.zeros(2 * COUNTERS + 1 + tags, "counters of sectors")?;
        let mut first = vec![0; 2 * COUNTERS + 1];
        first[2 * COUNTERS] = tags as u64 - 1;
        words.write(&first).map_err(lift)?;
        Ok(Self {
            words,
            unit,
            basis: if is_managed { Basis::Modelled } else { Basis::Counted },
            carried: Default::default(),
        })
    }

    /// Returns the address that kernels count at.
    pub(crate) fn address(&self) -> Address<u64> {
        self.words.address()
    }

    /// Counts bytes that a copy carries, and how many of them the run needs.
    pub(crate) fn carried(&self, bytes: u64, needed: u64) {
        for (carried, more) in self.carried.iter().zip([bytes, needed]) {
            carried.fetch_add(more, Ordering::Relaxed);
        }
    }

    /// Returns what was counted, after all kernels that were started.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn read(&self) -> Result<Transfer> {
        let mut words = [0; 2 * COUNTERS];
        self.words.read(&mut words).map_err(lift)?;
        let sum = |from: usize| words[from..from + COUNTERS].iter().sum::<u64>();
        let [moved, ideal] = [0, 1].map(|which| self.carried[which].load(Ordering::Relaxed));
        let (moved, ideal) = (moved + self.unit * sum(0), ideal + sum(COUNTERS));
        Ok(Transfer { moved, ideal, basis: self.basis })
    }
}
