//! `edge`: a worklist of arcs. It keeps where each arc begins, and lists the arcs of a frontier.

use super::{
    Balancing, Scheme, Sizes,
    balancing::{Deal, Ground, Lists},
    kept::Kept,
    own::{Own, own},
    worklist::Worklist,
};
use crate::{
    device_graph::{BALANCES, DeviceRows, Prepare, Side},
    frontier::Frontiers,
    machine::{Grid, Launch},
};
use bytemuck::Zeroable;
use warpgraph_core::{Balance, Result};
use warpgraph_device::{Address, Arguments, Array, arguments};
use warpgraph_graph::Vertex;

/// The balance.
pub(super) struct Edge {
    chunking: bool,
    condensing: bool,
    kept: Kept<Sources>,
    filler: Option<Filler>,
}

/// The kernel that lists arcs, and the list.
struct Filler {
    kernel: Launch<EdgeListArgs>,
    list: Worklist,
}

arguments! {
    /// What only the kernels of `edge` take.
    pub(crate) struct EdgeArgs {
        /// The vertex at which each arc begins.
        sources: Address<u32>,
        /// The arcs of the frontier; null if they are all arcs.
        arcs: Address<()>,
        /// Where their number stands; null if `count` is that number.
        size: Address<u64>,
        count: u64,
    }
}
own!(EdgeArgs, Balance::EDGE);

arguments! {
    /// What the kernels of `edge_list.cu` take.
    pub(crate) struct EdgeListArgs {
        offsets: Address<()>,
        vertices: u64,
        /// Gets the vertex at which each arc begins.
        sources: Address<u32>,
        /// The frontier.
        items: Address<u32>,
        count: u64,
        /// Get its arcs, and how many they are.
        arcs: Address<()>,
        size: Address<u64>,
        /// Not 0: the arcs of a vertex take their places together.
        chunking: u64,
    }
}

/// The vertex at which each arc begins.
#[derive(Debug)]
struct Sources(Array<Vertex>);

impl Prepare for Sources {
    type Slot = Side;
    /// How worklists are filled does not change what is kept.
    type Options = ();
    const PURPOSE: &'static str = BALANCES;

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

impl Sources {
    fn new(ground: &Ground<'_, '_>, rows: &DeviceRows) -> Result<Self> {
        let sources = ground.machine.array(rows.arcs(), "where arcs begin, for `edge`")?;
        let kernel = ground.kernel(Balance::EDGE, "edge_sources")?;
        let args = EdgeListArgs {
            offsets: rows.offsets(),
            vertices: ground.vertices(),
            sources: sources.address(),
            ..EdgeListArgs::zeroed()
        };
        // SAFETY: there is an entry for each arc of the rows, and `keep` waits before the array can go.
        unsafe { ground.machine.start(&kernel, Grid::For(args.vertices), &args)? };
        Ok(Self(sources))
    }
}

impl Edge {
    /// Makes one with its options.
    pub(super) fn new(chunking: bool, condensing: bool) -> Self {
        Self { chunking, condensing, kept: Kept::default(), filler: None }
    }

    /// Lists the arcs of a frontier: where they lie, and where their number stands.
    fn list(&mut self, deal: &Deal<'_, '_>) -> Result<(Address<()>, Address<u64>)> {
        let Some(Filler { kernel, list }) = &mut self.filler else { unreachable!("`prepare` comes first") };
        let (rows, members) = (deal.rows, deal.work.members);
        // If vertices repeat there can be more arcs on the list than the graph has.
        let repeated = deal.work.arcs.filter(|_| !self.condensing).unwrap_or(0);
        let room = repeated.max(rows.arcs() as u64) as usize;
        let width = if deal.frontiers.is_wide() { 8 } else { 4 };
        let args = EdgeListArgs {
            offsets: rows.offsets(),
            vertices: deal.vertices,
            items: members.items,
            count: members.count,
            arcs: list.with_room(deal.machine, room * width)?,
            size: list.clear()?,
            chunking: u64::from(self.chunking),
            ..EdgeListArgs::zeroed()
        };
        // SAFETY: members are vertices, and the list has room for the arcs of all of them.
        unsafe { deal.machine.start(kernel, Grid::For(args.count), &args)? };
        Ok((args.arcs, args.size))
    }
}

impl Balancing for Edge {
    fn own(&self) -> String {
        EdgeArgs::text()
    }

    fn lists(&self) -> Option<Lists> {
        Some(Lists { arguments: EdgeListArgs::cuda(), kernels: &["edge_sources", "edge_fill"] })
    }

    fn schemes(&self) -> Vec<Scheme> {
        vec![Scheme::of(Balance::EDGE)]
    }

    fn bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let (_, m) = sizes.counts();
        // How much a worklist with repeats grows cannot be known before.
        let repeats = if self.condensing { 0 } else { 2 * 4 * m };
        sizes.sides * 4 * m + sizes.offset * m + repeats
    }

    fn bytes_per_copy(&self, _: &Frontiers, _: u64) -> u64 {
        0
    }

    fn most_copies(&self, _: u64) -> u64 {
        1
    }

    fn prepare(&mut self, ground: &Ground<'_, '_>, side: Side) -> Result<()> {
        self.kept.add(side, ground.keep(side, (), |rows| Sources::new(ground, rows))?);
        if self.filler.is_none() {
            let kernel = ground.kernel(Balance::EDGE, "edge_fill")?;
            self.filler = Some(Filler { kernel, list: Worklist::new(ground.machine, 1)? });
        }
        Ok(())
    }

    fn extra_bytes(&self) -> u64 {
        self.kept.bytes() + self.filler.as_ref().map_or(0, |filler| filler.list.bytes())
    }

    unsafe fn deal(&mut self, deal: Deal<'_, '_>) -> Result<()> {
        let (kept, all) = (self.kept.of(deal.side)?, deal.rows.arcs() as u64);
        let mut own = EdgeArgs { sources: kept.0.address(), count: all, ..EdgeArgs::zeroed() };
        if !deal.is_everything() {
            (own.arcs, own.size) = self.list(&deal)?;
        }
        // SAFETY: the caller's promise; the list holds arcs of the rows.
        unsafe { deal.start(Grid::Shares(deal.work.arcs.unwrap_or(all)), &own) }
    }
}
