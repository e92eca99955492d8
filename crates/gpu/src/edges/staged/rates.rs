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
