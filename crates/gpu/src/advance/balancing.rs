//! [`Balancing`]: the host side of a balance, and what the driver gives it.

use super::{Scheme, Work, model::Price, own::Own};
use crate::{
    DeviceGraph,
    arguments::Along,
    device_graph::{DeviceRows, Made, Prepare, Side},
    frontier::{Frontiers, Members},
    machine::{Account, Grid, Launch, Machine},
    sampled::Sampling,
    variants,
};
use std::sync::Arc;
use warpgraph_core::{Balance, Result, TileUse};
use warpgraph_device::{Address, Arguments};
use warpgraph_graph::Graph;

/// A balance, with its options and its state in a run. Its kernels lie in `kernels/advance/NAME.cuh`.
pub(crate) trait Balancing {
    /// Returns the CUDA text of the arguments of its own: see [`Own`].
    fn own(&self) -> String;

    /// Returns the kernels by which it makes what it keeps of a graph, and its lists of a frontier, if it makes any.
    fn lists(&self) -> Option<Lists> {
        None
    }

    /// Returns the schemes whose kernels it starts, its own first.
    fn schemes(&self) -> Vec<Scheme>;

    /// Returns the bytes of shared memory that a block of its kernels asks for at launch.
    fn shared(&self) -> u32 {
        0
    }

    /// Returns the name of the CUDA struct that gives a thread its share of tiles, if its kernels go by tiles.
    fn shares(&self) -> Option<&'static str> {
        None
    }

    /// Returns how its time is modelled; `None` if an open balance never comes to it.
    fn price(&self) -> Option<Price> {
        None
    }

    /// Returns the bytes that it takes on the device at most, beside the prefix sums that every run has room for.
    fn bytes(&self, sizes: &Sizes<'_>) -> u64;

    /// Returns the bytes that it takes for one copy of the graph in this run, beside what it keeps of the graph.
    fn bytes_per_copy(&self, frontiers: &Frontiers, vertices: u64) -> u64;

    /// Returns the most copies of a graph that it can number, if each has so many things to number.
    fn most_copies(&self, per_copy: u64) -> u64 {
        u64::from(u32::MAX) / per_copy.max(1)
    }

    /// Prepares for frontiers along the rows of a direction, before the clock of the run starts.
    fn prepare(&mut self, _ground: &Ground<'_, '_>, _side: Side) -> Result<()> {
        Ok(())
    }

    /// True if it must list the tiles of a frontier; `takes_everything` if that is all vertices of the only copy of the graph.
    fn is_listed(&self, _side: Side, _takes_everything: bool) -> bool {
        true
    }

    /// Returns the bytes that it takes on the device now, prefix sums left out.
    fn extra_bytes(&self) -> u64 {
        0
    }

    /// Returns how it used tiles, if it keeps any. Waits.
    fn tile_use(&self) -> Result<Option<TileUse>> {
        Ok(None)
    }

    /// Expands a frontier.
    ///
    /// # Safety
    /// As for [`Balancer::run`](super::Balancer::run).
    unsafe fn deal(&mut self, deal: Deal<'_, '_>) -> Result<()>;
}

/// The kernels by which a balance makes what it keeps of a graph, and its lists of a frontier. They lie in
/// `kernels/NAME_list.cu`.
pub(crate) struct Lists {
    /// The CUDA text of the struct that its kernels take.
    pub(crate) arguments: String,
    pub(crate) kernels: &'static [&'static str],
}

/// What the memory that a balance takes depends on.
pub(crate) struct Sizes<'g> {
    pub(crate) graph: &'g Graph,
    /// Directions that the run goes along.
    pub(crate) sides: u64,
    /// Bytes of an offset.
    pub(crate) offset: u64,
}

impl Sizes<'_> {
    /// Returns the vertices and arcs of the graph.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.graph.vertices() as u64, self.graph.arcs() as u64)
    }
}

/// What a balance prepares on.
pub(crate) struct Ground<'g, 'm> {
    pub(super) machine: &'g Machine<'m>,
    pub(super) device_graph: &'g DeviceGraph,
    pub(super) frontiers: &'g Frontiers,
}

impl Ground<'_, '_> {
    /// Returns what earlier runs kept of the rows of a direction, or makes it now.
    pub(super) fn keep<T: Prepare<Slot = Side>>(
        &self,
        side: Side,
        options: T::Options,
        make: impl FnOnce(&DeviceRows) -> Result<T>,
    ) -> Result<Arc<Made<T>>> {
        let rows = self.device_graph.rows(side)?;
        self.device_graph.prepared(self.device_graph.kept_side(side), options, || {
            let made = make(&rows)?;
            self.machine.wait()?;
            Ok(made)
        })
    }

    /// Compiles a kernel of the [`Lists`] of a balance.
    pub(super) fn kernel<A: Arguments>(&self, balance: Balance, name: &'static str) -> Result<Launch<A>> {
        let Some(source) = variants::lists(self.device_graph.is_wide(), Scheme::of(balance)) else {
            unreachable!("a balance that asks for such a kernel has some")
        };
        self.machine.kernel(&*source?, name)
    }

    /// Returns the vertices of the graph.
    pub(super) fn vertices(&self) -> u64 {
        self.device_graph.graph().vertices() as u64
    }
}

/// Starts the kernels of a functor.
pub(super) trait Start {
    /// Starts the one by a scheme, its time on an account.
    ///
    /// # Safety
    /// As for [`Balancer::run`](super::Balancer::run), and `own` has the bytes of the scheme's own arguments.
    unsafe fn start(
        &self,
        scheme: Scheme,
        grid: Grid,
        along: Along,
        own: &[u8],
        account: Account,
    ) -> Result<()>;
}

/// A frontier to expand, and what a balance does it with.
pub(crate) struct Deal<'d, 'm> {
    pub(super) machine: &'d Machine<'m>,
    pub(super) functor: &'d dyn Start,
    pub(super) frontiers: &'d mut Frontiers,
    pub(super) sampling: Option<&'d Sampling>,
    /// A counter that no one reads.
    pub(super) scratch: Address<u64>,
    pub(super) side: Side,
    pub(super) rows: &'d DeviceRows,
    pub(super) work: Work,
    /// What the functor's kernel works on; a balance changes the members of the frontier only, by [`Deal::set_members`].
    pub(super) along: Along,
    /// Vertices of one copy of the graph, and of all copies.
    pub(super) vertices: u64,
    pub(super) slots: u64,
}

impl Deal<'_, '_> {
    /// Returns the copies of the graph.
    pub(super) fn copies(&self) -> u64 {
        self.slots / self.vertices.max(1)
    }

    /// True if the frontier is all vertices of all copies.
    pub(super) fn is_everything(&self) -> bool {
        self.work.members.is_everything(self.slots)
    }

    /// Goes on with other members of the frontier, or with what is left of some of them.
    pub(super) fn set_members(&mut self, members: Members) {
        self.work.members = members;
        (self.along.items, self.along.starts) = (members.items, members.starts);
        (self.along.size, self.along.count) = (members.size, members.count);
    }

    /// Starts the functor's kernel by the balance whose arguments these are.
    ///
    /// # Safety
    /// As for [`Balancer::run`](super::Balancer::run); addresses in `own` are good for what the balance does with them.
    pub(super) unsafe fn start<O: Own>(&self, grid: Grid, own: &O) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.start_on(grid, own, Account::Kernel) }
    }

    /// [`Deal::start`] with its time on another account.
    ///
    /// # Safety
    /// As for [`Deal::start`].
    pub(super) unsafe fn start_on<O: Own>(&self, grid: Grid, own: &O, account: Account) -> Result<()> {
        // SAFETY: the caller's promise; these are the bytes of what the balance's kernels take.
        unsafe { self.functor.start(Scheme::of(O::BALANCE), grid, self.along, own.bytes(), account) }
    }
}
