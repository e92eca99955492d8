//! Counts what crosses the bus while kernels read edges in host or managed memory.
//!
//! A run that counts uses kernels of its own, compiled with `EDGES_COUNTED`. They count the 32-byte sectors that they ask
//! for (of managed memory, the pages of 4 KiB, each of which the driver moves once while there is room), except those that were asked for shortly before: a table in device memory has the last sector of each place, like
//! a cache with one line per set. They also count the bytes of the entries that they read.

use crate::{error::lift, machine::Machine};
use warpgraph_core::{Basis, Residency, Result, Transfer};
use warpgraph_device::{Address, Array};

/// `EDGE_COUNTERS` in `kernels/edges.cuh`.
const COUNTERS: usize = 64;
/// Bytes of a sector, and of a page of managed memory.
const SECTOR: u64 = 32;
const PAGE: u64 = 4096;
/// Entries of the table of sectors read last, and of pages: one per page of 16 GiB.
const SECTORS: usize = 1 << 18;
const PAGES: usize = 1 << 22;

/// Bytes that counting sectors takes.
pub(crate) const BYTES: u64 = 8 * (2 * COUNTERS + SECTORS) as u64;

/// Returns the bytes of what is counted (sectors of host memory, pages of managed memory), and the entries of the table.
pub(super) fn unit_and_tags(residency: Option<Residency>) -> (u64, usize) {
    if matches!(residency, Some(Residency::Unified { .. })) { (PAGE, PAGES) } else { (SECTOR, SECTORS) }
}

/// The counters of a graph on a device.
#[derive(Debug)]
pub(crate) struct Counts(Array<u64>);

impl Counts {
    /// Allocates counters.
    ///
    /// # Errors
    /// When memory is short.
    pub(crate) fn new(machine: &Machine<'_>, residency: Residency) -> Result<Self> {
        let (_, tags) = unit_and_tags(Some(residency));
        machine.zeros(2 * COUNTERS + tags, "counters of sectors").map(Self)
    }

    /// Returns the address that kernels count at.
    pub(crate) fn address(&self) -> Address<u64> {
        self.0.address()
    }

    /// Starts to count anew.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn clear(&mut self) -> Result<()> {
        self.0.fill_bytes(0).map_err(lift)
    }

    /// Returns what was counted.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn read(&self, residency: Residency) -> Result<Transfer> {
        let words = self.0.to_vec().map_err(lift)?;
        let sum = |from: usize| words[from..from + COUNTERS].iter().sum::<u64>();
        let (unit, _) = unit_and_tags(Some(residency));
        let basis = if unit == PAGE { Basis::Modelled } else { Basis::Counted };
        Ok(Transfer { moved: unit * sum(0), ideal: sum(COUNTERS), basis })
    }
}
