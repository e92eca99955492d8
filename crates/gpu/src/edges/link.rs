//! [`Link`]: how fast the device reads edges in host memory, measured once per graph, and what follows for a superstep.
//!
//! A frontier is a list in the order in which its vertices were found. The rows of such a list are strewn over the edge
//! array, and the bus carries several times fewer lines per second from places that are strewn over gigabytes than from
//! neighbouring ones, because the device keeps few translated addresses. Putting a frontier in the order of its vertices
//! costs two kernels over a bitmap. [`Link::is_worth_ordering`] compares the two, superstep by superstep.

use crate::{
    DeviceGraph,
    arguments::Edges,
    device_graph::{Prepare, Side},
    error::lift,
    machine::{Grid, Machine},
    variants,
};
use warpgraph_core::{Code, Result};
use warpgraph_device::{Address, arguments};

/// Lines that a measurement reads at most, and the fewest lines that are worth measuring.
const LINES: u64 = 1 << 16;
const LEAST: u64 = 1 << 12;
/// Bytes of a line.
const LINE: u64 = 128;
/// Seconds that ordering takes on any device, for its launches, and vertices whose bits a device goes over per second.
const ORDERING: f64 = 12e-6;
const ORDERED_PER_SECOND: f64 = 1e12;

arguments! {
    /// The arguments of the kernel that measures the bus.
    pub(crate) struct LinkArgs {
        pub(crate) far: Address<u32>,
        pub(crate) sink: Address<u32>,
        /// Lines to read, and lines there are.
        pub(crate) lines: u64,
        pub(crate) all: u64,
        /// Distance of two lines that are read in order.
        pub(crate) step: u64,
        /// Not 0: reads anywhere.
        pub(crate) strewn: u64,
    }
}

/// The rates of the bus for the edges of a graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Link {
    /// Lines per second that lie in the order in which they are read, one in eight, and lines that lie anywhere.
    in_order: f64,
    strewn: f64,
}

impl Prepare for Link {
    type Slot = ();
    type Options = ();
    const PURPOSE: &'static str = "the bus";

    fn bytes(&self) -> u64 {
        0
    }
}

impl Link {
    /// For graphs that are too small to measure: ordering never pays off.
    const NONE: Self = Self { in_order: 1.0, strewn: 1.0 };

    /// Measures how fast the device reads the targets of a direction, or returns what an earlier run measured.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn of(machine: &Machine<'_>, device_graph: &DeviceGraph, side: Side) -> Result<Self> {
        let targets = device_graph.rows(side)?.targets();
        // Coded arcs are fewer bytes than this.
        let is_plain = device_graph.layout().residency.code() == Code::Plain;
        let lines = if is_plain { device_graph.graph().arcs() as u64 * 4 / LINE } else { 0 };
        let link = device_graph.prepared((), (), || match far_of(targets) {
            Some(far) if lines >= 8 * LEAST => Self::measure(machine, far, lines),
            _ => Ok(Self::NONE),
        })?;
        Ok(**link)
    }

    fn measure(machine: &Machine<'_>, far: Address<u32>, all: u64) -> Result<Self> {
        let kernel = machine.kernel(&*variants::link()?, "link_lines")?;
        let sink = machine.array::<u32>(1, "a counter")?;
        let lines = (all / 8).min(LINES);
        let rate = |strewn: u64| -> Result<f64> {
            let args = LinkArgs { far, sink: sink.address(), lines, all, step: 8, strewn };
            let begin = machine.gpu().mark().map_err(lift)?;
            // SAFETY: all lines lie within the edge array, which the graph keeps; the counter lives until the wait.
            unsafe { machine.start(&kernel, Grid::For(32 * lines), &args)? };
            let end = machine.gpu().mark().map_err(lift)?;
            machine.wait()?;
            Ok(lines as f64 / end.seconds_since(&begin).map_err(lift)?.max(1e-9))
        };
        // The first read of a page also translates its address.
        rate(0)?;
        Ok(Self { in_order: rate(0)?, strewn: rate(1)? })
    }

    /// Returns the seconds of a line that is read in order; `None` if the graph is too small to measure.
    pub(crate) fn seconds_in_order(&self) -> Option<f64> {
        (*self != Self::NONE).then(|| 1.0 / self.in_order)
    }

    /// Returns true if reading the rows of `count` vertices in order saves more than putting them in order takes, on a graph
    /// of `vertices` vertices.
    pub(crate) fn is_worth_ordering(&self, count: u64, vertices: u64) -> bool {
        let saved = count as f64 * (1.0 / self.strewn - 1.0 / self.in_order);
        saved > ORDERING + vertices as f64 / ORDERED_PER_SECOND
    }
}

/// Returns the host memory that kernels read; `None` if there is none.
fn far_of(targets: Edges) -> Option<Address<u32>> {
    match (targets.far.raw(), targets.near.raw()) {
        (0, near) if near != 0 => Some(targets.near.cast()),
        (far, near) if far != 0 && near != 0 => Some(targets.far.cast()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;

    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn the_bus_is_measured_within_the_edge_array() {
        let (gpu, options) = (crate::testing::simt(), warpgraph_core::Options::default());
        let machine = Machine::new(&gpu, &options, "measuring");
        let lines = 8 * LEAST;
        let far = gpu.array_of(&vec![1u32; lines as usize * 32], "lines").unwrap();
        let link = Link::measure(&machine, far.address(), lines).unwrap();
        assert!(link.in_order > 0.0 && link.strewn > 0.0, "{link:?}");
    }

    #[test]
    fn long_frontiers_are_put_in_order_if_strewn_lines_are_slow() {
        let link = Link { in_order: 377e6, strewn: 60e6 };
        assert!(!link.is_worth_ordering(100, 1 << 24));
        assert!(link.is_worth_ordering(100_000, 1 << 24));
        assert!(!Link::NONE.is_worth_ordering(u64::from(u32::MAX), 1));
    }
}
