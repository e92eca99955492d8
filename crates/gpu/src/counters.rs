//! Counters that kernels add to and that the host reads once per superstep.
//!
//! Copying the counters takes a launch of its own and a wait. Therefore the kernel that counts a frontier, the last one
//! of a superstep, *tells* them: its last block writes all counters to pinned memory that the host polls, and can reset
//! them. If no kernel tells them, the host copies them.

use crate::{arguments::Telling, error::lift, machine::Machine};
use warpgraph_core::Result;
use warpgraph_device::{Address, Array, Pinned};

/// Counters on a device, and their values when the host last read them.
pub(crate) struct Counters {
    /// The counters, followed by the number of finished blocks of the kernel that tells them.
    device: Array<u64>,
    /// The counters as told, followed by the number of the telling that wrote them.
    told: Pinned<u64>,
    len: usize,
    /// Number of tellings so far.
    number: u64,
    /// True if the host has not read the last telling yet.
    is_pending: bool,
}

impl Counters {
    /// Allocates `len` counters, all 0.
    ///
    /// # Errors
    /// When memory is short.
    pub(crate) fn new(machine: &Machine<'_>, len: usize) -> Result<Self> {
        Ok(Self {
            device: machine.zeros(len + 1, "counters")?,
            told: machine.gpu().pinned(len + 1, "counters").map_err(lift)?,
            len,
            number: 0,
            is_pending: false,
        })
    }

    /// Returns the address of a counter.
    pub(crate) fn at(&self, which: usize) -> Address<u64> {
        debug_assert!(which < self.len, "counter {which} of {}", self.len);
        Address::new(self.device.address().raw() + 8 * which as u64)
    }

    /// Returns the arguments for the one kernel that tells the counters, which must be launched before the host reads
    /// them. The kernel then sets the counters to 0 if `clears` is true.
    pub(crate) fn telling(&mut self, clears: bool) -> Telling {
        self.number += 1;
        self.is_pending = true;
        Telling {
            counters: self.device.address(),
            len: self.len as u64,
            told: self.told.address(),
            number: self.number,
            clears: u64::from(clears),
        }
    }

    /// Sets all counters to 0.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn clear(&mut self) -> Result<()> {
        self.device.fill_bytes(0).map_err(lift)
    }

    /// Waits and reads all counters. Waits for everything launched up to the kernel that tells them, or for everything
    /// launched so far if no kernel does.
    ///
    /// # Errors
    /// When interrupted, or when the device fails.
    pub(crate) fn read(&mut self, machine: &Machine<'_>) -> Result<()> {
        if std::mem::take(&mut self.is_pending) {
            return machine.wait_told(&self.told, self.len, self.number);
        }
        machine.fetch(&mut self.told, &self.device)
    }

    /// Returns the value of a counter when it was last read.
    pub(crate) fn last(&self, which: usize) -> u64 {
        debug_assert!(which < self.len, "counter {which} of {}", self.len);
        self.told.get(which)
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use crate::{
        DeviceGraph,
        device_graph::Side,
        frontier::{Frontiers, Members, Tally},
        testing::{generated, simt},
    };
    use bytemuck::Zeroable;
    use warpgraph_core::Options;

    #[test]
    fn what_is_told_is_what_is_copied_and_tellings_may_set_back() {
        let (graph, gpu, options) = (generated("powerlaw:400,seed=9"), simt(), Options::default());
        let (machine, device_graph) =
            (Machine::new(&gpu, &options, "counting"), DeviceGraph::new(&gpu, &graph));
        let n = graph.vertices();
        let frontiers = Frontiers::new(&machine, device_graph.is_wide(), n, n).unwrap();
        let rows = device_graph.rows(Side::Out).unwrap();
        let mut counters = Counters::new(&machine, 3).unwrap();
        let (all, longest) =
            (graph.arcs() as u64, (0..n as u32).map(|v| graph.degree(v) as u64).max().unwrap());
        let count = |counters: &mut Counters, tell| {
            let tally = Tally { arcs: counters.at(0), longest: counters.at(2), tell };
            frontiers.count_arcs(&machine, Members::all(n), &rows, tally).unwrap();
            counters.read(&machine).unwrap();
            [0, 1, 2].map(|which| counters.last(which))
        };
        assert_eq!(count(&mut counters, Telling::zeroed()), [all, 0, longest], "copied");
        let tell = counters.telling(false);
        assert_eq!(count(&mut counters, tell), [2 * all, 0, longest], "told, on top of what was there");
        let tell = counters.telling(true);
        assert_eq!(count(&mut counters, tell), [3 * all, 0, longest], "told, and set back");
        for _ in 0..3 {
            let tell = counters.telling(true);
            assert_eq!(count(&mut counters, tell), [all, 0, longest], "from 0 again");
        }
        counters.read(&machine).unwrap();
        assert_eq!([0, 1, 2].map(|which| counters.last(which)), [0; 3], "copied: set back");
    }
}
