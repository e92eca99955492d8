//! `split`: several children per vertex of many arcs. It keeps a table of children, and lists those of a frontier.

use super::{
    Balancing, Scheme, Sizes,
    balancing::{Deal, Ground, Lists},
    hierarchical::threshold_of,
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
use warpgraph_core::{Balance, Error, Result, Threshold};
use warpgraph_device::{Address, Arguments, Array, arguments};
use warpgraph_graph::{Vertex, stats::degree_threshold};

/// The balance.
pub(super) struct Split {
    threshold: Threshold,
    kept: Kept<Children>,
    filler: Option<Filler>,
}

/// The kernel that lists children, and the list.
struct Filler {
    kernel: Launch<SplitListArgs>,
    list: Worklist,
}

arguments! {
    /// What only the kernels of `split` take.
    pub(crate) struct SplitArgs {
        /// The children of the frontier; null if they are all children.
        list: Address<u32>,
        /// Where their number stands; null if `count` is that number.
        size: Address<u64>,
        count: u64,
        /// The parent and the first arc of each child, and the number of children.
        parents: Address<u32>,
        firsts: Address<()>,
        children: u64,
    }
}
own!(SplitArgs, Balance::SPLIT);

arguments! {
    /// What the kernels of `split_list.cu` take.
    pub(crate) struct SplitListArgs {
        offsets: Address<()>,
        vertices: u64,
        /// The first child of each vertex, and the number of children.
        children_of: Address<()>,
        children: u64,
        /// Get the parent and the first arc of each child.
        parents: Address<u32>,
        firsts: Address<()>,
        /// The frontier.
        items: Address<u32>,
        count: u64,
        /// Get its children, and how many they are.
        list: Address<u32>,
        size: Address<u64>,
    }
}

/// The children of all vertices.
#[derive(Debug)]
struct Children {
    /// The parent and the first arc of each child, and the first child of each vertex.
    parents: Array<Vertex>,
    firsts: Array<u8>,
    of: Array<u8>,
    count: u64,
    /// The most arcs of a child.
    mdt: u64,
}

impl Prepare for Children {
    type Slot = Side;
    type Options = Threshold;
    const PURPOSE: &'static str = BALANCES;

    fn bytes(&self) -> u64 {
        self.parents.bytes() + self.firsts.bytes() + self.of.bytes()
    }
}

impl Children {
    fn new(ground: &Ground<'_, '_>, rows: &DeviceRows, mdt: u64) -> Result<Self> {
        let machine = ground.machine;
        let (of, count) = ground.frontiers.children(machine, rows, mdt)?;
        if count > u64::from(u32::MAX) {
            return Err(Error::Refused {
                what: format!("`split` cannot number {count} children: there can be {} at most", u32::MAX),
                help: format!("use a threshold of more than {mdt} arcs: split(mdt=N)"),
            });
        }
        let width = if ground.device_graph.is_wide() { 8 } else { 4 };
        let parents = machine.array::<Vertex>(count as usize, "parents of children, for `split`")?;
        let firsts = machine.array::<u8>((count as usize + 1) * width, "arcs of children, for `split`")?;
        let kernel = ground.kernel(Balance::SPLIT, "split_children")?;
        let args = SplitListArgs {
            offsets: rows.offsets(),
            vertices: ground.vertices(),
            children_of: of.address().cast(),
            children: count,
            parents: parents.address(),
            firsts: firsts.address().cast(),
            ..SplitListArgs::zeroed()
        };
        // SAFETY: there is an entry for each child, as many as the prefix sums say, and one more of `firsts`; `keep` waits before
        // the arrays can go.
        unsafe { machine.start(&kernel, Grid::For(args.vertices.max(1)), &args)? };
        Ok(Self { parents, firsts, of, count, mdt })
    }
}

impl Split {
    /// Makes one with its options.
    pub(super) fn new(threshold: Threshold) -> Self {
        Self { threshold, kept: Kept::default(), filler: None }
    }

    /// Returns the most children of either direction.
    fn children(&self) -> u64 {
        self.kept.different().map(|kept| kept.count).max().unwrap_or(0)
    }

    /// Lists the children of a frontier: where they lie, and where their number stands.
    fn list(&mut self, deal: &Deal<'_, '_>, kept: &Children) -> Result<(Address<u32>, Address<u64>)> {
        // The same for both directions: a list that grows would be taken from kernels that still read it.
        let room = (deal.copies() * self.children()) as usize;
        let Some(Filler { kernel, list }) = &mut self.filler else { unreachable!("`prepare` comes first") };
        let args = SplitListArgs {
            offsets: deal.rows.offsets(),
            vertices: deal.vertices,
            children_of: kept.of.address().cast(),
            children: kept.count,
            items: deal.work.members.items,
            count: deal.work.members.count,
            list: list.with_room(deal.machine, 4 * room)?.cast(),
            size: list.clear()?,
            ..SplitListArgs::zeroed()
        };
        // SAFETY: members are vertices, and the list has room for the children of all of them.
        unsafe { deal.machine.start(kernel, Grid::For(args.count), &args)? };
        Ok((args.list, args.size))
    }
}

impl Balancing for Split {
    fn own(&self) -> String {
        SplitArgs::text()
    }

    fn lists(&self) -> Option<Lists> {
        Some(Lists { arguments: SplitListArgs::cuda(), kernels: &["split_children", "split_fill"] })
    }

    fn schemes(&self) -> Vec<Scheme> {
        vec![Scheme::of(Balance::SPLIT)]
    }

    fn bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let Sizes { graph, sides, offset } = *sizes;
        let Threshold { mdt, bins } = self.threshold;
        let mdt = mdt.map_or_else(|| degree_threshold(&graph.out().csr, bins.get()), Into::into);
        let (n, m) = sizes.counts();
        // No fewer than the rows of either direction have.
        let children = (n + m / u64::from(mdt)).min(m);
        sides * (offset * (n + 1) + (4 + offset) * children) + 4 * children
    }

    fn bytes_per_copy(&self, _: &Frontiers, _: u64) -> u64 {
        4 * self.children()
    }

    fn most_copies(&self, per_copy: u64) -> u64 {
        u64::from(u32::MAX) / per_copy.max(self.children()).max(1)
    }

    fn prepare(&mut self, ground: &Ground<'_, '_>, side: Side) -> Result<()> {
        let make =
            |rows: &DeviceRows| Children::new(ground, rows, threshold_of(ground, self.threshold, side)?);
        self.kept.add(side, ground.keep(side, self.threshold, make)?);
        if self.filler.is_none() {
            let kernel = ground.kernel(Balance::SPLIT, "split_fill")?;
            self.filler = Some(Filler { kernel, list: Worklist::new(ground.machine, 1)? });
        }
        Ok(())
    }

    fn extra_bytes(&self) -> u64 {
        self.kept.bytes() + self.filler.as_ref().map_or(0, |filler| filler.list.bytes())
    }

    unsafe fn deal(&mut self, deal: Deal<'_, '_>) -> Result<()> {
        let kept = self.kept.of(deal.side)?;
        let all = kept.count * deal.copies();
        let mut own = SplitArgs {
            count: all,
            parents: kept.parents.address(),
            firsts: kept.firsts.address().cast(),
            children: kept.count,
            ..SplitArgs::zeroed()
        };
        let mut most = all;
        if !deal.is_everything() {
            (own.list, own.size) = self.list(&deal, &kept)?;
            // Every row has at most one child that is not whole.
            let arcs = deal.work.arcs.unwrap_or(u64::MAX);
            most = (arcs / kept.mdt.max(1)).saturating_add(deal.work.members.count).min(all);
        }
        // SAFETY: the caller's promise; the list holds children of the rows.
        unsafe { deal.start(Grid::For(most), &own) }
    }
}
