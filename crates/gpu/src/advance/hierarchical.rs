//! `hierarchical`: sub-iterations of a few arcs per row, then `workload`. It keeps a threshold, and lists what is left of rows.

use super::{
    Balancing, Scheme, Sizes,
    balancing::{Deal, Ground},
    kept::Kept,
    own::{Own, own},
    workload::Workload,
};
use crate::{
    device_graph::{BALANCES, Prepare, Side},
    error::lift,
    frontier::{Frontiers, Members},
    machine::{Grid, Machine},
};
use warpgraph_core::{Balance, Result, Threshold};
use warpgraph_device::{Address, Array, Pinned, arguments};
use warpgraph_graph::{Vertex, stats::degree_threshold};

/// `workload` takes over when fewer rows are left than so many blocks have threads: 1024 rows, as in the paper, where blocks
/// have 256 threads.
const SHORT_LIST_BLOCKS: u64 = 4;

/// The balance.
pub(super) struct Hierarchical {
    threshold: Threshold,
    kept: Kept<Mdt>,
    left: Option<Left>,
}

arguments! {
    /// What only the kernels of `hierarchical` take.
    pub(crate) struct HierarchicalArgs {
        /// The most arcs of a row in this sub-iteration.
        most: u64,
        /// Get what is left of rows: vertices, where their rows begin, and how many they are.
        rest: Address<u32>,
        rest_starts: Address<()>,
        rest_size: Address<u64>,
    }
}
own!(HierarchicalArgs, Balance::HIERARCHICAL);

/// The threshold of a graph.
#[derive(Debug)]
struct Mdt(u64);

impl Prepare for Mdt {
    type Slot = Side;
    type Options = Threshold;
    const PURPOSE: &'static str = BALANCES;

    fn bytes(&self) -> u64 {
        0
    }
}

/// Returns the threshold for the rows of a direction.
pub(super) fn threshold_of(ground: &Ground<'_, '_>, threshold: Threshold, side: Side) -> Result<u64> {
    Ok(u64::from(match threshold.mdt {
        Some(mdt) => mdt.get(),
        None => degree_threshold(&ground.device_graph.host(side)?.csr, threshold.bins.get()),
    }))
}

/// What is left of rows: two lists, of which a sub-iteration reads one and fills the other.
struct Left {
    lists: [Option<(Array<Vertex>, Array<u8>)>; 2],
    counter: Array<u64>,
    seen: Pinned<u64>,
}

impl Left {
    fn new(machine: &Machine<'_>) -> Result<Self> {
        let counter = machine.zeros(1, "a counter")?;
        Ok(Self { lists: [None, None], counter, seen: machine.gpu().pinned(1, "a counter").map_err(lift)? })
    }

    fn bytes(&self) -> u64 {
        self.lists.iter().flatten().map(|(items, starts)| items.bytes() + starts.bytes()).sum()
    }

    /// Empties one of the lists, and returns it as arguments.
    fn list(&mut self, deal: &Deal<'_, '_>, which: usize, most: u64) -> Result<HierarchicalArgs> {
        self.counter.fill_bytes(0).map_err(lift)?;
        let slots = deal.slots as usize;
        let bytes = slots * width(deal.frontiers) as usize;
        let (items, starts) = match &mut self.lists[which] {
            Some(list) => list,
            none => none.insert((
                deal.machine.array(slots, "rows that are not done")?,
                deal.machine.array(bytes, "what is left of rows")?,
            )),
        };
        let (rest, rest_starts) = (items.address(), starts.address().cast());
        Ok(HierarchicalArgs { most, rest, rest_starts, rest_size: self.counter.address() })
    }

    /// Waits, and returns how many rows are left.
    fn count(&mut self, machine: &Machine<'_>) -> Result<u64> {
        machine.fetch(&mut self.seen, &self.counter)?;
        Ok(self.seen.get(0))
    }
}

/// Returns the bytes of an arc's number.
fn width(frontiers: &Frontiers) -> u64 {
    if frontiers.is_wide() { 8 } else { 4 }
}

impl Hierarchical {
    /// Makes one with its options.
    pub(super) fn new(threshold: Threshold) -> Self {
        Self { threshold, kept: Kept::default(), left: None }
    }
}

impl Balancing for Hierarchical {
    fn own(&self) -> String {
        HierarchicalArgs::text()
    }

    fn schemes(&self) -> Vec<Scheme> {
        [Balance::HIERARCHICAL, Balance::Workload].map(Scheme::of).to_vec()
    }

    fn bytes(&self, sizes: &Sizes<'_>) -> u64 {
        2 * (4 + sizes.offset) * sizes.counts().0
    }

    fn bytes_per_copy(&self, frontiers: &Frontiers, vertices: u64) -> u64 {
        Workload.bytes_per_copy(frontiers, vertices) + 2 * vertices * (4 + width(frontiers))
    }

    fn prepare(&mut self, ground: &Ground<'_, '_>, side: Side) -> Result<()> {
        let make = |_: &_| threshold_of(ground, self.threshold, side).map(Mdt);
        self.kept.add(side, ground.keep(side, self.threshold, make)?);
        if self.left.is_none() {
            self.left = Some(Left::new(ground.machine)?);
        }
        Ok(())
    }

    fn extra_bytes(&self) -> u64 {
        self.left.as_ref().map_or(0, Left::bytes)
    }

    unsafe fn deal(&mut self, mut deal: Deal<'_, '_>) -> Result<()> {
        let most = self.kept.of(deal.side)?.0;
        let Some(left) = &mut self.left else { unreachable!("`prepare` comes first") };
        let short = SHORT_LIST_BLOCKS * u64::from(deal.machine.block());
        let mut which = 0;
        while deal.work.members.count >= short {
            let own = left.list(&deal, which, most)?;
            // SAFETY: the caller's promise; a row joins the list once at most, so the list has room.
            unsafe { deal.start(Grid::For(deal.work.members.count), &own)? };
            let (items, starts, count) = (own.rest, own.rest_starts, left.count(deal.machine)?);
            deal.set_members(Members { items, starts, count, size: Address::NULL });
            which = 1 - which;
        }
        // SAFETY: the caller's promise.
        unsafe { Workload.deal(deal) }
    }
}
