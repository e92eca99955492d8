//! What a balance keeps of a graph for later runs: made when it is first asked for, held by [`DeviceGraph`] until the graph leaves the device.

use super::tiles::Store;
use crate::{
    DeviceGraph,
    arguments::WorklistArgs,
    device_graph::{DeviceRows, Side},
    frontier::Frontiers,
    machine::{Grid, Launch, Machine},
    variants,
};
use bytemuck::Zeroable;
use std::{sync::Arc, time::Instant};
use warpgraph_core::{Balance, Error, Result, Threshold};
use warpgraph_device::{Address, Array};
use warpgraph_graph::stats::degree_threshold;

/// What a balance keeps of the rows of one direction.
#[derive(Debug)]
pub(crate) struct Kept {
    /// `edge`: where each arc begins. `split`: the parent of each child.
    pub(crate) sources: Option<Array<u32>>,
    /// `split`: the first arc of each child, and the first child of each vertex.
    pub(crate) firsts: Option<Array<u8>>,
    pub(crate) children_of: Option<Array<u8>>,
    pub(crate) children: u64,
    /// The threshold of `split` and `hierarchical`.
    pub(crate) mdt: u64,
    /// `resident`: tiles.
    pub(crate) tiles: Option<Store>,
    /// Bytes on the device.
    pub(crate) bytes: u64,
    /// Seconds it took to make.
    pub(crate) seconds: f64,
    /// The epoch of the handle it was made in: rows that came later are not what it speaks of.
    pub(crate) epoch: u64,
}

/// What `balance` keeps of the rows of `side`: what is there from an earlier run, or made now.
///
/// # Errors
/// When memory is short; when `split` would have more children than can be numbered.
pub(crate) fn prepare(
    balance: Balance,
    device_graph: &DeviceGraph,
    machine: &Machine<'_>,
    frontiers: &Frontiers,
    side: Side,
) -> Result<Arc<Kept>> {
    // How worklists are filled does not change what is kept.
    let balance = if matches!(balance, Balance::Edge { .. }) { Balance::EDGE } else { balance };
    device_graph.kept(side, balance, |rows, epoch| {
        let start = Instant::now();
        let maker = Maker { device_graph, machine, frontiers, rows };
        let mut kept = match balance {
            Balance::Node | Balance::Workload | Balance::Tiled(_) => Kept::nothing(),
            Balance::Edge { .. } => maker.sources()?,
            Balance::Split(threshold) => maker.children(threshold, side)?,
            Balance::Hierarchical(threshold) => {
                Kept { mdt: maker.threshold(threshold, side)?, ..Kept::nothing() }
            }
            Balance::Resident(tiles) => {
                Kept { tiles: Some(Store::new(device_graph, machine, rows, tiles)?), ..Kept::nothing() }
            }
        };
        machine.wait()?;
        let arrays = [kept.firsts.as_ref(), kept.children_of.as_ref()];
        kept.bytes = arrays.into_iter().flatten().map(Array::bytes).sum::<u64>()
            + kept.sources.as_ref().map_or(0, Array::bytes)
            + kept.tiles.as_ref().map_or(0, Store::bytes);
        (kept.seconds, kept.epoch) = (start.elapsed().as_secs_f64(), epoch);
        Ok(kept)
    })
}

impl Kept {
    fn nothing() -> Self {
        Self {
            sources: None,
            firsts: None,
            children_of: None,
            children: 0,
            mdt: 0,
            tiles: None,
            bytes: 0,
            seconds: 0.0,
            epoch: 0,
        }
    }
}

struct Maker<'a, 'm> {
    device_graph: &'a DeviceGraph,
    machine: &'a Machine<'m>,
    frontiers: &'a Frontiers,
    rows: &'a DeviceRows,
}

impl Maker<'_, '_> {
    fn kernel(&self, name: &'static str) -> Result<Launch<WorklistArgs>> {
        self.machine.kernel(&*variants::worklist(self.device_graph.is_wide())?, name)
    }

    fn vertices(&self) -> u64 {
        self.device_graph.graph().vertices() as u64
    }

    fn sources(&self) -> Result<Kept> {
        let sources = self.machine.array::<u32>(self.rows.arcs(), "where arcs begin, for `edge`")?;
        let args = WorklistArgs {
            offsets: self.rows.offsets(),
            vertices: self.vertices(),
            sources: sources.address(),
            ..WorklistArgs::zeroed()
        };
        // SAFETY: there is an entry for each arc of the rows, and the caller waits before the array can go.
        unsafe { self.machine.start(&self.kernel("edge_sources")?, Grid::For(args.vertices), &args)? };
        Ok(Kept { sources: Some(sources), ..Kept::nothing() })
    }

    fn threshold(&self, threshold: Threshold, side: Side) -> Result<u64> {
        Ok(u64::from(match threshold.mdt {
            Some(mdt) => mdt.get(),
            None => degree_threshold(&self.device_graph.host(side)?.csr, threshold.bins.get()),
        }))
    }

    fn children(&self, threshold: Threshold, side: Side) -> Result<Kept> {
        let (n, mdt) = (self.vertices(), self.threshold(threshold, side)?);
        let (children_of, children) = self.frontiers.children(self.machine, self.rows, mdt)?;
        if children > u64::from(u32::MAX) {
            return Err(Error::Refused {
                what: format!("`split` cannot number {children} children: there can be {} at most", u32::MAX),
                help: format!("use a threshold of more than {mdt} arcs: split(mdt=N)"),
            });
        }
        let width = if self.device_graph.is_wide() { 8 } else { 4 };
        let sources = self.machine.array::<u32>(children as usize, "parents of children, for `split`")?;
        let firsts =
            self.machine.array::<u8>((children as usize + 1) * width, "arcs of children, for `split`")?;
        let args = WorklistArgs {
            offsets: self.rows.offsets(),
            vertices: n,
            sources: sources.address(),
            firsts: firsts.address().cast(),
            children_of: children_of.address().cast(),
            children,
            ..WorklistArgs::zeroed()
        };
        // SAFETY: there is an entry for each child, as many as the prefix sums say, and one more of `firsts`; the caller waits before
        // the arrays can go.
        unsafe { self.machine.start(&self.kernel("split_children")?, Grid::For(n.max(1)), &args)? };
        Ok(Kept {
            sources: Some(sources),
            firsts: Some(firsts),
            children_of: Some(children_of),
            children,
            mdt,
            ..Kept::nothing()
        })
    }
}

impl Kept {
    pub(crate) fn sources(&self) -> Address<u32> {
        self.sources.as_ref().map_or(Address::NULL, Array::address)
    }

    pub(crate) fn firsts(&self) -> Address<()> {
        self.firsts.as_ref().map_or(Address::NULL, |firsts| firsts.address().cast())
    }

    pub(crate) fn children_of(&self) -> Address<()> {
        self.children_of.as_ref().map_or(Address::NULL, |children| children.address().cast())
    }
}
