//! [`Rates`]: what reading a line in place and copying a partition take, measured once per graph.

use super::super::{
    hot::{Column, Lent, PAGE},
    link::Link,
};
use crate::{
    DeviceGraph,
    device_graph::{Prepare, Side},
    error::lift,
    machine::Machine,
};
use std::sync::Arc;
use warpgraph_core::Result;
use warpgraph_device::Carrier;

/// Partitions that a measurement copies.
const COPIES: usize = 16;
/// Of graphs too small to measure: the share of reading all lines of a partition in place that copying it takes.
const COPY_SHARE: f64 = 0.875;

/// Seconds of the two ways to read a partition. With weights, both take as many times longer, so only targets are priced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rates {
    /// Of a line that is read in place, as the bus carries it.
    pub(super) line: f64,
    /// Of the copy of a partition.
    pub(super) copy: f64,
    /// False if the graph is too small to measure.
    pub(super) is_measured: bool,
}

impl Rates {
    /// For graphs that are too small to measure, with partitions of so many lines.
    pub(super) fn nominal(lines: u64) -> Self {
        Self { line: 1.0, copy: COPY_SHARE * lines as f64, is_measured: false }
    }
}

/// The seconds of the copy of a partition, as a graph keeps them.
#[derive(Debug, Clone, Copy)]
struct CopySeconds(f64);

impl Prepare for CopySeconds {
    type Slot = ();
    /// Pages per partition.
    type Options = usize;
    const PURPOSE: &'static str = "the copy engine";

    fn bytes(&self) -> u64 {
        0
    }
}

/// Returns the rates for the partitions of a direction, of `each` pages. Measures by copying to the staging area, which must
/// hold nothing.
///
/// # Errors
/// When the device fails.
pub(super) fn of(
    machine: &Machine<'_>,
    device_graph: &DeviceGraph,
    side: Side,
    lent: &Lent,
    targets: &Arc<Column>,
    each: usize,
) -> Result<Rates> {
    let lines = (each * PAGE / super::choice::LINE_ARCS) as u64;
    let Some(line) = Link::of(machine, device_graph, side)?.seconds_in_order() else {
        return Ok(Rates::nominal(lines));
    };
    let first = lent.pages().len() * PAGE * targets.width;
    let make = || measure(machine, targets, each, first, lent.counts().1 / each).map(CopySeconds);
    let copy = device_graph.prepared::<CopySeconds>((), each, make)?.0;
    Ok(Rates { line, copy, is_measured: true })
}

/// Measures the copy of a partition to a staging area that begins at a byte of the pool and has so many places.
fn measure(
    machine: &Machine<'_>,
    targets: &Arc<Column>,
    each: usize,
    first: usize,
    room: usize,
) -> Result<f64> {
    let (gpu, bytes) = (machine.gpu(), each * PAGE * targets.width);
    let copies = COPIES.min(targets.len * targets.width / bytes).max(1);
    let mut carrier = Carrier::new(gpu);
    let mut took = f64::MAX;
    // The first time, pages may have to be brought to memory.
    for _ in 0..2 {
        let begin = gpu.mark().map_err(lift)?;
        carrier.after_kernels().map_err(lift)?;
        for copy in 0..copies {
            let from = (copy * bytes)..((copy + 1) * bytes).min(targets.len * targets.width);
            // SAFETY: nothing is in the staging area, so no kernel reads there.
            unsafe { carrier.carry(&targets.channel, from, first + copy % room.max(1) * bytes) }
                .map_err(lift)?;
        }
        carrier.landing().map_err(lift)?.before_kernels().map_err(lift)?;
        let end = gpu.mark().map_err(lift)?;
        machine.wait()?;
        took = took.min(end.seconds_since(&begin).map_err(lift)?);
    }
    Ok(took.max(1e-9) / copies as f64)
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use crate::edges::{Layout, staged::pages_each};
    use warpgraph_core::{Options, Plan};

    /// Returns the rates for the outgoing arcs of a graph as the first run and the second find them, and the lines of a partition.
    fn rates(spec: &str) -> ([Rates; 2], u64) {
        let graph = crate::testing::generated(spec);
        let pages = graph.arcs().div_ceil(PAGE);
        let each = pages_each(pages);
        let (gpu, plan) = (crate::testing::simt(), "zero-copy(hot=off,ahead=all)".parse::<Plan>().unwrap());
        let options = Options { plan, ..Options::default() };
        let device_graph = DeviceGraph::new(&gpu, &graph);
        let layout = Layout { staged_pages: 4 * each, ..Layout::of(plan.residency.unwrap()) };
        let _claim = device_graph.claim(layout, false).unwrap();
        let machine = Machine::new(&gpu, &options, "measuring");
        let rows = device_graph.rows(Side::Out).unwrap();
        let lent = device_graph.pages(Side::Out).unwrap().lend().unwrap();
        let targets = lent.column(rows.targets()).unwrap();
        let ask = || of(&machine, &device_graph, Side::Out, &lent, &targets, each).unwrap();
        ([ask(), ask()], (each * PAGE / crate::edges::staged::choice::LINE_ARCS) as u64)
    }

    #[test]
    fn lines_and_copies_are_measured_once_from_4_mib_of_targets() {
        let ([first, again], _) = rates("uniform:15,degree=33");
        assert!(first.is_measured && first.line > 0.0 && first.copy > 0.0, "{first:?}");
        assert!(first.line < 1.0 && first.copy < 1.0, "seconds of one line and one partition: {first:?}");
        assert_eq!(first, again, "the second run finds what the first one measured");
    }

    #[test]
    fn smaller_graphs_have_nominal_rates() {
        let ([first, again], lines) = rates("uniform:10");
        assert_eq!((first, again), (Rates::nominal(lines), first));
    }
}
