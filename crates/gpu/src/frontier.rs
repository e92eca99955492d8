//! Frontiers on a device: queues, and what is derived from them (arcs, bitmaps, prefix sums of degrees).

use crate::{
    arguments::FrontierArgs,
    machine::{BLOCK, Grid, Launch, Machine},
    resident::DeviceRows,
    variants,
};
use bytemuck::Zeroable;
use warpgraph_core::Result;
use warpgraph_device::{Address, Array};
use warpgraph_graph::Vertex;

/// The kernels that work on frontiers alone, and the arrays they need, made when first needed.
pub(crate) struct Frontiers {
    wide: bool,
    vertices: usize,
    arcs: Launch<FrontierArgs>,
    bitmap: Launch<FrontierArgs>,
    stamp: Launch<FrontierArgs>,
    scan: [Launch<FrontierArgs>; 3],
    /// Prefix sums of degrees, and their sums by tile.
    prefix: Option<(Array<u8>, Array<u8>)>,
    bits: Option<Array<u32>>,
}

/// Who is in a frontier.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Members {
    /// The vertices; null: 0, 1, 2, ...
    pub(crate) items: Address<Vertex>,
    /// How many there are, or can be at most where `size` is set.
    pub(crate) count: u64,
    /// Where their number stands on the device, if the host does not know it yet.
    pub(crate) size: Address<u64>,
}

impl Members {
    /// All vertices.
    pub(crate) fn all(vertices: usize) -> Self {
        Self { items: Address::NULL, count: vertices as u64, size: Address::NULL }
    }

    /// The first entries of a queue.
    pub(crate) fn of(items: Address<Vertex>, count: u64) -> Self {
        Self { items, count, size: Address::NULL }
    }

    /// Are these all vertices?
    pub(crate) fn is_all(&self) -> bool {
        self.items.raw() == 0
    }
}

impl Frontiers {
    /// For a graph of so many vertices.
    pub(crate) fn new(machine: &Machine<'_>, wide: bool, vertices: usize) -> Result<Self> {
        let source = variants::frontier(wide)?;
        let kernel = |name| machine.kernel(&source, name);
        Ok(Self {
            wide,
            vertices,
            arcs: kernel("frontier_arcs")?,
            bitmap: kernel("frontier_bitmap")?,
            stamp: kernel("frontier_stamp")?,
            scan: [kernel("scan_tiles")?, kernel("scan_sums")?, kernel("scan_add")?],
            prefix: None,
            bits: None,
        })
    }

    /// Bytes of the arrays made so far.
    pub(crate) fn bytes(&self) -> u64 {
        let prefix = self.prefix.as_ref().map_or(0, |(first, sums)| first.bytes() + sums.bytes());
        prefix + self.bits.as_ref().map_or(0, Array::bytes)
    }

    fn args(members: Members) -> FrontierArgs {
        FrontierArgs {
            items: members.items,
            count: members.count,
            size: members.size,
            tile: BLOCK,
            ..FrontierArgs::zeroed()
        }
    }

    /// Adds the degrees of all members to a counter.
    pub(crate) fn count_arcs(
        &self,
        machine: &Machine<'_>,
        members: Members,
        rows: &DeviceRows,
        counter: Address<u64>,
    ) -> Result<()> {
        let args = FrontierArgs { offsets: rows.offsets(), arcs: counter, ..Self::args(members) };
        // SAFETY: members are vertices of the graph whose rows these are; the counter is the caller's, alive over the run.
        unsafe { machine.start(&self.arcs, Grid::For(members.count), &args) }
    }

    /// Notes that all members were claimed in a round.
    pub(crate) fn stamp(
        &self,
        machine: &Machine<'_>,
        members: Members,
        stamps: &Array<u32>,
        round: u32,
    ) -> Result<()> {
        let args = FrontierArgs { stamps: stamps.address(), round, ..Self::args(members) };
        // SAFETY: members are vertices, and there is a stamp for each.
        unsafe { machine.start(&self.stamp, Grid::For(members.count), &args) }
    }

    /// The members as a bitmap.
    pub(crate) fn bitmap(&mut self, machine: &Machine<'_>, members: Members) -> Result<Address<u32>> {
        let bits = match &mut self.bits {
            Some(bits) => bits,
            none => none.insert(machine.array(self.vertices.div_ceil(32), "a bitmap")?),
        };
        bits.fill_bytes(0).map_err(crate::lift)?;
        let args = FrontierArgs { bitmap: bits.address(), ..Self::args(members) };
        // SAFETY: members are vertices, and there is a bit for each.
        unsafe { machine.start(&self.bitmap, Grid::For(members.count), &args)? };
        Ok(args.bitmap)
    }

    /// Where each member's arcs begin among those of all; `scratch` gets their number. The host must know how many there are.
    pub(crate) fn prefix(
        &mut self,
        machine: &Machine<'_>,
        members: Members,
        rows: &DeviceRows,
        scratch: Address<u64>,
    ) -> Result<Address<()>> {
        if members.is_all() {
            return Ok(rows.offsets());
        }
        let width = if self.wide { 8 } else { 4 };
        let (first, sums) = match &mut self.prefix {
            Some(prefix) => prefix,
            none => {
                let tiles = self.vertices.div_ceil(BLOCK as usize);
                let first = machine.array((self.vertices + 1) * width, "prefix sums of degrees")?;
                none.insert((first, machine.array(tiles * width, "sums of tiles")?))
            }
        };
        let args = FrontierArgs {
            offsets: rows.offsets(),
            first: first.address().cast(),
            sums: sums.address().cast(),
            arcs: scratch,
            ..Self::args(members)
        };
        let [tiles, over, add] = &self.scan;
        // SAFETY: members are vertices without duplicates, so no more than the graph has, which the arrays are made for.
        unsafe {
            machine.start(tiles, Grid::For(members.count), &args)?;
            machine.start(over, Grid::One, &args)?;
            machine.start(add, Grid::For(members.count), &args)?;
        }
        Ok(args.first)
    }
}
