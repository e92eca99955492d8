//! [`Lease`]: a run's use of the [`Streamer`] that a graph keeps between runs.

use super::{Limits, Parts, SEGMENT, SLOTS, Streamer};
use crate::{
    DeviceGraph,
    device_graph::{DeviceRows, Made, Prepare, Side},
    error::lift,
    machine::Machine,
};
use std::sync::{Arc, Mutex, PoisonError};
use warpgraph_core::{Basis, Result, Transfer};
use warpgraph_graph::{Csr, par};

/// Bytes of a chunk, if memory allows: long enough to hide the latency of a copy, and short enough that the slots stay
/// in the caches of a large host.
const CHUNK: u64 = 16 << 20;
/// Of the free memory, the relay takes one part in so many.
const SHARE: u64 = 4;
/// A chunk takes at least one part in so many of the device's memory.
const USUAL: u64 = 128;

/// The streamer of a graph while no run uses it.
#[derive(Debug)]
pub(crate) struct Spare {
    limits: Limits,
    streamer: Mutex<Option<Streamer>>,
}

impl Prepare for Spare {
    type Slot = ();
    /// The least bytes of a chunk.
    type Options = u64;
    const PURPOSE: &'static str = "streaming";

    fn bytes(&self) -> u64 {
        (SLOTS * self.limits.capacity) as u64
    }
}

impl Spare {
    fn new(machine: &Machine<'_>, limits: Limits, vertices: usize) -> Result<Self> {
        let streamer = Streamer::new(machine, limits, vertices)?;
        Ok(Self { limits, streamer: Mutex::new(Some(streamer)) })
    }

    fn take(&self) -> Option<Streamer> {
        self.streamer.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The streamer of a run. Dropping it gives the streamer back to the graph.
#[derive(Debug)]
pub(crate) struct Lease {
    streamer: Option<Streamer>,
    home: Arc<Made<Spare>>,
    /// Bytes that earlier runs sent, in all and of edges.
    before: (u64, u64),
}

impl Lease {
    /// Takes the streamer of a graph for a run along these directions. While another run has it, makes one more.
    ///
    /// # Errors
    /// When memory is short.
    pub(crate) fn new(machine: &Machine<'_>, device_graph: &DeviceGraph, sides: &[Side]) -> Result<Self> {
        let least = least(machine, device_graph, sides)?;
        let vertices = device_graph.graph().vertices();
        let make = || Spare::new(machine, limits(machine, device_graph, least)?, vertices);
        let home = device_graph.prepared::<Spare>((), least, make)?;
        let streamer = match home.take() {
            Some(streamer) => streamer,
            None => Streamer::new(machine, home.limits, vertices)?,
        };
        let before = (streamer.sender.relay.moved(), streamer.sender.ideal);
        Ok(Self { streamer: Some(streamer), home, before })
    }

    /// Returns the streamer.
    pub(crate) fn streamer(&mut self) -> &mut Streamer {
        self.streamer.as_mut().unwrap_or_else(|| unreachable!("only `drop` takes it"))
    }

    /// Returns what the run has sent so far.
    pub(crate) fn transfer(&self) -> Transfer {
        let sender = self.streamer.as_ref().map(|streamer| &streamer.sender);
        let (moved, ideal) = sender.map_or(self.before, |sender| (sender.relay.moved(), sender.ideal));
        Transfer { moved: moved - self.before.0, ideal: ideal - self.before.1, basis: Basis::Exact }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // One that has failed is of no use to later runs.
        let streamer = self.streamer.take().filter(|streamer| !streamer.sender.relay.has_failed());
        let mut home = self.home.streamer.lock().unwrap_or_else(PoisonError::into_inner);
        if let (None, Some(streamer)) = (&*home, streamer) {
            *home = Some(streamer);
        }
    }
}

/// Returns the least bytes of a chunk: room for the longest row. Most rows are shorter than a bound that depends on the
/// device alone unless memory is tight, so that runs along other directions find the same streamer.
fn least(machine: &Machine<'_>, device_graph: &DeviceGraph, sides: &[Side]) -> Result<u64> {
    let usual = machine.gpu().memory().map_err(lift)?.total / USUAL;
    let mut least = CHUNK.min(usual).min(most(device_graph));
    for &side in sides {
        least = least.max(Parts::of_one_row(longest(&*device_graph.rows(side)?)));
    }
    Ok(least)
}

/// Returns how much a streamer takes at a time, given the least bytes of a chunk.
fn limits(machine: &Machine<'_>, device_graph: &DeviceGraph, least: u64) -> Result<Limits> {
    let free = machine.gpu().memory().map_err(lift)?.free;
    let capacity = (free / (SHARE * SLOTS as u64)).min(CHUNK).min(most(device_graph)).max(least) as usize;
    Ok(Limits { capacity, segment: SEGMENT })
}

/// Returns the most bytes of a chunk that leave room for the state of the run. Some of it is allocated later.
fn most(device_graph: &DeviceGraph) -> u64 {
    device_graph.layout().spare / SLOTS as u64
}

/// Returns the arcs of the longest row, which are counted once.
fn longest(rows: &DeviceRows) -> u64 {
    rows.longest().unwrap_or_else(|| {
        let arcs = longest_of(rows.host());
        rows.set_longest(arcs);
        arcs
    })
}

/// Returns the arcs of the longest row.
pub(crate) fn longest_of(csr: &Csr) -> u64 {
    let offsets = csr.offsets();
    let longest = |range: std::ops::Range<usize>| {
        range.map(|v| offsets.get(v + 1) - offsets.get(v)).max().unwrap_or(0) as u64
    };
    par::reduce(csr.vertices(), par::FINE, longest, u64::max).unwrap_or(0)
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use crate::{
        bfs,
        edges::Layout,
        sssp,
        testing::{generated, simt},
    };
    use warpgraph_core::{Answer, Options, Residency, bfs::Bfs, sssp::Sssp};

    /// Keeps a streamer of these limits for the next run along outgoing arcs.
    fn keep(device_graph: &DeviceGraph, segment: usize) {
        let options = Options::default();
        let machine = Machine::new(device_graph.gpu(), &options, "testing");
        device_graph.claim(Layout::of(Residency::Streamed), false).unwrap();
        let least = least(&machine, device_graph, &[Side::Out]).unwrap();
        let longest = longest(&device_graph.rows(Side::Out).unwrap());
        let limits = Limits { capacity: Parts::of_one_row(longest) as usize, segment };
        let make = || Spare::new(&machine, limits, device_graph.graph().vertices());
        device_graph.prepared::<Spare>((), least, make).unwrap();
    }

    #[test]
    fn lists_that_are_read_in_segments_give_the_same_answers() {
        let graph = generated("kron:9,w=1..9");
        let options = |plan: &str| Options { plan: plan.parse().unwrap(), ..Options::default() };
        let whole = DeviceGraph::new(&simt(), &graph);
        let expected = bfs(&whole, &Bfs::from(1), &options("push+device")).unwrap();
        for segment in [1, 7, 100, 1000] {
            let device_graph = DeviceGraph::new(&simt(), &graph);
            keep(&device_graph, segment);
            let answer = bfs(&device_graph, &Bfs::from(1), &options("push+streamed")).unwrap();
            assert_eq!(answer.distances(), expected.distances(), "segments of {segment}");
            let kept = device_graph.device_bytes();
            sssp(&device_graph, &Sssp::from(1), &options("push+streamed")).unwrap().verify(&graph).unwrap();
            assert_eq!(device_graph.device_bytes(), kept, "no other streamer was made");
        }
    }
}
