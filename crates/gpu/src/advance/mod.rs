//! The one driver for balances: takes a functor's kernels, rows and a frontier, and sees to what the balance needs of them.
//!
//! | balance | kept of the graph | made of every frontier | launches a frontier |
//! | --- | --- | --- | --- |
//! | `node` | | | one |
//! | `edge` | where each arc begins | the list of its arcs | two |
//! | `workload` | | prefix sums of degrees | four |
//! | `split` | a table of children | the list of its children | two |
//! | `hierarchical` | a threshold | lists of what is left of its rows | one a sub-iteration, then those of `workload` |
//! | `tiled` | | | one |
//! | `resident` | the tiles of every vertex that was expanded | the list of its tiles | two |
//!
//! What a plan leaves open is chosen by the frontier, by what a [`model`] says that it costs. Time in the functor's kernels is
//! measured apart from all other time of a run, which is overhead; memory that a balance takes is counted.

mod calibrate;
mod deal;
mod kept;
mod lists;
mod model;
mod open;
mod probe;
mod scheme;
mod tiles;

pub use calibrate::{CostModel, Measurement, cost_model};
pub(crate) use kept::Kept;
pub use model::{Cost, Costs};
pub(crate) use open::Seen;
pub(crate) use probe::ProbeArgs;
pub(crate) use scheme::{BOARD_BYTES, Scheme};
pub(crate) use tiles::{most_tiles, record_bytes};

use crate::{
    DeviceGraph,
    arguments::Along,
    device_graph::{DeviceRows, Side},
    frontier::{Frontiers, Members, Tally},
    machine::{Account, Grid, Launch, Machine},
    sampled::Sampling,
};
use bytemuck::Zeroable;
use deal::Deal;
use lists::Lists;
use open::Open;
use std::{collections::HashMap, sync::Arc};
use tiles::Store;
use warpgraph_core::{Balance, Error, Recorder, Result, TileUse};
use warpgraph_device::{Address, Arguments, Source};
use warpgraph_graph::Vertex;

/// Arguments of a kernel that expands.
pub(crate) trait Expand: Arguments {
    /// What the balance fills in.
    fn along(&mut self) -> &mut Along;
}

/// A functor's kernel by every scheme that may be needed.
pub(crate) struct Expansion<A> {
    schemes: Vec<Scheme>,
    kernels: Vec<(Scheme, Launch<A>)>,
}

/// Where the next frontier goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queue {
    pub(crate) items: Address<Vertex>,
    pub(crate) size: Address<u64>,
}

impl Queue {
    /// Nobody asks.
    pub(crate) const NONE: Self = Self { items: Address::NULL, size: Address::NULL };
}

/// What is to be expanded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work {
    /// The rows; the host must know how many.
    pub(crate) members: Members,
    /// The arcs they have in all, or more; `None`: as many as there are. Where vertices repeat, it must be known, and nothing else may run.
    pub(crate) arcs: Option<u64>,
    /// Arcs of the longest of them, or more; `None`: as many as any row has.
    pub(crate) longest: Option<u64>,
    pub(crate) next: Queue,
}

/// What a balance took of a run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spent {
    kernel_seconds: f64,
    extra_bytes: u64,
    tiling_seconds: Option<f64>,
    tiles: Option<TileUse>,
}

impl Spent {
    /// Tells a recorder.
    pub(crate) fn tell(&self, recorder: &mut Recorder) {
        recorder.expand(self.kernel_seconds, self.extra_bytes);
        if let Some(seconds) = self.tiling_seconds {
            recorder.tiling(seconds);
        }
        if let Some(tiles) = self.tiles {
            recorder.tiles(tiles);
        }
    }
}

/// Directions that a run goes along.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sides<'a> {
    /// All of them.
    pub(crate) all: &'a [Side],
    /// Those whose frontiers any scheme may deal out: not those that programs pull along.
    pub(crate) dealt: &'a [Side],
}

impl<'a> Sides<'a> {
    /// Any scheme may take all of them.
    pub(crate) const fn of(all: &'a [Side]) -> Self {
        Self { all, dealt: all }
    }
}

/// A balance at work in a run.
pub(crate) struct Balancer {
    asked: Option<Balance>,
    schemes: &'static [Scheme],
    /// What is decided by where several are open.
    open: Option<Open>,
    seen: Seen,
    /// Vertices of one copy of the graph, and of all.
    vertices: u64,
    slots: u64,
    /// The most tiles that the rows of a direction have.
    most_tiles: u64,
    pub(crate) frontiers: Frontiers,
    kept: HashMap<Side, Arc<Kept>>,
    lists: Lists,
    /// Tiles that were taken all at once, without a list.
    taken: u64,
    /// Find out what electing tiles costs.
    prices: bool,
    /// Samples accesses, for the order `sampled`.
    sampling: Option<Sampling>,
}

impl Balancer {
    /// For a plan that asks for a balance, or leaves it open. `one_order`: a row must be one thread's. `sides`: the directions that will
    /// be gone along, each once. `copies` of the graph, of which one is stored.
    ///
    /// # Errors
    /// When memory is short; those of compiling.
    pub(crate) fn new(
        machine: &Machine<'_>,
        device_graph: &DeviceGraph,
        asked: Option<Balance>,
        one_order: bool,
        sides: Sides<'_>,
        copies: usize,
    ) -> Result<Self> {
        let Sides { all: sides, dealt } = sides;
        let (n, wide) = (device_graph.graph().vertices(), device_graph.is_wide());
        let mut frontiers = Frontiers::new(machine, wide, n, n * copies)?;
        let mut schemes = Scheme::of(asked, one_order);
        let open = match (asked, schemes) {
            (None, [_, _, ..]) => Some(Open::new(machine, device_graph, &frontiers, sides)?),
            _ => None,
        };
        // What is left open may come to tiles that are kept, where that is worth its memory.
        let keeps_tiles = open.is_some() && open::is_worth_keeping(machine, device_graph, dealt)?;
        if keeps_tiles {
            schemes = model::OPEN_WITH_TILES;
        }
        if open.is_some() && !dealt.is_empty() {
            // Before the clock runs, since some frontier may want them.
            frontiers.prefix_arrays(machine)?;
        }
        let keeps = if keeps_tiles { Some(Balance::RESIDENT) } else { asked.filter(Balance::only_pushes) };
        let mut kept = HashMap::new();
        let mut most_tiles = 0;
        for &side in if keeps_tiles { dealt } else { sides } {
            if let Some(Balance::Resident(tiles)) = keeps {
                let arcs = device_graph.rows(side)?.arcs() as u64;
                most_tiles = tiles::most_tiles(tiles, machine.block(), n as u64, arcs).max(most_tiles);
            }
            if let Some(balance) = keeps {
                kept.insert(side, kept::prepare(balance, device_graph, machine, &frontiers, side)?);
            }
        }
        Ok(Self {
            asked,
            schemes,
            open,
            seen: Seen::default(),
            vertices: n as u64,
            slots: (n * copies) as u64,
            most_tiles,
            frontiers,
            kept,
            lists: Lists::new(machine, wide, keeps)?,
            taken: 0,
            prices: machine.prices_tiling(),
            sampling: Sampling::of(machine, device_graph, asked)?,
        })
    }

    /// For so many copies of the graph; before anything was run.
    pub(crate) fn with_copies(mut self, copies: usize) -> Self {
        self.slots = self.vertices * copies as u64;
        self.frontiers.set_slots(self.slots as usize);
        self
    }

    /// The most copies of a graph that a balance can number: vertices, children, and the arcs of all of them where offsets are narrow.
    pub(crate) fn most_copies(&self, rows: &DeviceRows) -> u64 {
        let arcs = if self.frontiers.is_wide() { 0 } else { rows.arcs() as u64 };
        match self.asked {
            Some(Balance::Edge { .. }) => 1,
            _ => u64::from(u32::MAX) / self.vertices.max(self.children()).max(arcs).max(1),
        }
    }

    /// Bytes that a balance takes for a copy of the graph beside what it keeps of it.
    pub(crate) fn bytes_a_copy(&self) -> u64 {
        let prefix = self.frontiers.prefix_bytes_of(self.vertices);
        match self.asked {
            // One copy is all that `edge` can number.
            Some(Balance::Node | Balance::Edge { .. } | Balance::Tiled(_)) => 0,
            None if self.keeps_tiles() => prefix + 8 * self.most_tiles + 4 * self.vertices,
            None | Some(Balance::Workload) => prefix,
            Some(Balance::Split(_)) => 4 * self.children(),
            Some(Balance::Hierarchical(_)) => prefix + self.lists.rest_bytes_of(self.vertices),
            // A tile's number and copy, and a row without tiles.
            Some(Balance::Resident(_)) => 8 * self.most_tiles + 4 * self.vertices,
        }
    }

    /// The most children of either direction.
    fn children(&self) -> u64 {
        self.kept.values().map(|kept| kept.children).max().unwrap_or(0)
    }

    fn keeps_tiles(&self) -> bool {
        self.schemes.contains(&Scheme::Resident)
    }

    /// The kernel of a functor by every scheme that may be needed; `source` gives the module that has it.
    pub(crate) fn expansion<A: Expand>(
        &self,
        machine: &Machine<'_>,
        source: impl Fn(Scheme) -> Result<Arc<Source>>,
        name: &'static str,
    ) -> Result<Expansion<A>> {
        self.expansion_by(machine, source, name, |_| true)
    }

    /// [`Balancer::expansion`] for a functor that pulls by rows.
    pub(crate) fn pulling<A: Expand>(
        &self,
        machine: &Machine<'_>,
        source: impl Fn(Scheme) -> Result<Arc<Source>>,
        name: &'static str,
    ) -> Result<Expansion<A>> {
        self.expansion_by(machine, source, name, |scheme| Scheme::PULLING.contains(&scheme))
    }

    fn expansion_by<A: Expand>(
        &self,
        machine: &Machine<'_>,
        source: impl Fn(Scheme) -> Result<Arc<Source>>,
        name: &'static str,
        takes: impl Fn(Scheme) -> bool,
    ) -> Result<Expansion<A>> {
        let kernel =
            |&scheme: &Scheme| Ok((scheme, machine.sharing(&*source(scheme)?, name, scheme.shared())?));
        let schemes = self.schemes.iter().filter(|&&scheme| takes(scheme));
        Ok(Expansion::new(schemes.map(kernel).collect::<Result<_>>()?))
    }

    /// Bytes on the device that the balance takes.
    pub(crate) fn extra_bytes(&self) -> u64 {
        let kept = self.different().map(|kept| kept.bytes).sum::<u64>();
        kept + self.lists.bytes() + self.frontiers.prefix_bytes()
    }

    /// What kernels, memory and tiles the balance took. Waits: what kernels took is known then.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn spent(&self, machine: &Machine<'_>) -> Result<Spent> {
        machine.finish()?;
        if let Some(sampling) = self.sampling() {
            sampling.note(machine);
        }
        let tiles = if self.keeps_tiles() { Some(self.tile_use()?) } else { None };
        Ok(Spent {
            kernel_seconds: machine.kernel_seconds(),
            extra_bytes: self.extra_bytes(),
            tiling_seconds: self.prices.then(|| machine.tiling_seconds()),
            tiles,
        })
    }

    fn tile_use(&self) -> Result<TileUse> {
        let [made, reused] = self.lists.tiles_used()?;
        let mut tiles = TileUse { made, reused: reused + self.taken, ..TileUse::default() };
        for store in self.different().filter_map(|kept| kept.tiles.as_ref()) {
            tiles.held += store.held()?;
            tiles.held_bytes += store.bytes();
        }
        Ok(tiles)
    }

    /// What is kept, each once: arcs that are the same both ways are kept once.
    fn different(&self) -> impl Iterator<Item = &Arc<Kept>> {
        let mut kept: Vec<&Arc<Kept>> = self.kept.values().collect();
        kept.dedup_by(|a, b| Arc::ptr_eq(a, b));
        kept.into_iter()
    }

    /// Waits, and says how many arcs some rows have.
    pub(crate) fn count_arcs(
        &mut self,
        machine: &Machine<'_>,
        members: Members,
        rows: &DeviceRows,
    ) -> Result<u64> {
        let counter = self.lists.clear_scratch()?;
        self.frontiers.count_arcs(machine, members, rows, Tally::of(counter))?;
        self.lists.read_scratch(machine)
    }

    /// The scheme for some rows, of those that a functor has kernels for.
    fn pick(&mut self, among: &[Scheme], side: Side, rows: &DeviceRows, work: &Work) -> Scheme {
        let (copies, is_listed) = (self.copies(), self.is_listed(side, work.members));
        let why = self.open.as_ref().map(|open| open.choose(among, rows, (copies, is_listed), work));
        let scheme = why.map_or(self.schemes[0], |why| why.scheme());
        self.seen.note(scheme, work.arcs, why);
        scheme
    }

    /// Must tiles that are kept be listed for some rows? Not for all of one copy where they lie in that order.
    fn is_listed(&self, side: Side, members: Members) -> bool {
        let store = self.kept.get(&side).and_then(|kept| kept.tiles.as_ref());
        !(self.takes_everything(members) && store.is_some_and(Store::may_take_all))
    }

    /// All vertices of the only copy?
    fn takes_everything(&self, members: Members) -> bool {
        self.copies() == 1 && self.is_everything(members)
    }

    /// What was expanded since this was last asked.
    pub(crate) fn seen(&mut self) -> Seen {
        std::mem::take(&mut self.seen)
    }

    /// Expands the rows of `work`, which are of `side`.
    ///
    /// # Safety
    /// Members are vertices of the graph's copies; every address in `args` is good for what the functor does with it, and what is there
    /// lives until the next wait. The next queue has room for all that join.
    pub(crate) unsafe fn run<A: Expand>(
        &mut self,
        machine: &Machine<'_>,
        expansion: &Expansion<A>,
        side: Side,
        rows: &DeviceRows,
        work: Work,
        mut args: A,
    ) -> Result<()> {
        let scheme = self.pick(&expansion.schemes, side, rows, &work);
        let members = work.members;
        *args.along() = Along {
            offsets: rows.offsets(),
            targets: rows.targets(),
            vertices: self.vertices,
            items: members.items,
            count: members.count,
            next: work.next.items,
            next_size: work.next.size,
            cancel: machine.gpu().cancel_address(),
            ..Along::zeroed()
        };
        let deal = Deal { machine, expansion, side, rows, work, args };
        // SAFETY: as promised by the caller; what is added below is of this balance, which lives as long as the run.
        unsafe {
            match scheme {
                Scheme::Node => expansion.start(machine, scheme, Grid::For(members.count), &args)?,
                Scheme::Workload => self.workload(deal)?,
                Scheme::Edge => self.edge(deal)?,
                Scheme::Split => self.split(deal)?,
                Scheme::Hierarchical => self.hierarchical(deal)?,
                Scheme::Tiled => self.tiled(deal)?,
                Scheme::Resident => self.resident(deal)?,
            }
        }
        if let Some(sampling) = self.sampling() {
            let all = if self.is_everything(members) { rows.arcs() as u64 } else { 0 };
            sampling.served(machine, work.arcs.unwrap_or(all))?;
        }
        Ok(())
    }

    /// Who samples accesses, if that is to be done: those of one copy of the graph.
    fn sampling(&self) -> Option<&Sampling> {
        self.sampling.as_ref().filter(|_| self.copies() == 1)
    }

    /// All vertices of all copies?
    fn is_everything(&self, members: Members) -> bool {
        members.is_all() && members.count == self.slots
    }

    fn copies(&self) -> u64 {
        self.slots / self.vertices.max(1)
    }

    fn kept_of(&self, side: Side) -> Result<&Arc<Kept>> {
        self.kept.get(&side).ok_or_else(|| Error::Device {
            kind: warpgraph_core::DeviceTrouble::Call,
            what: format!("the balance was not prepared for {side:?} arcs"),
            help: "this is a mistake in warpgraph: please report it".to_owned(),
        })
    }
}

impl<A: Expand> Expansion<A> {
    /// By each of these schemes.
    pub(crate) fn new(kernels: Vec<(Scheme, Launch<A>)>) -> Self {
        Self { schemes: kernels.iter().map(|(scheme, _)| *scheme).collect(), kernels }
    }

    unsafe fn start(&self, machine: &Machine<'_>, scheme: Scheme, grid: Grid, args: &A) -> Result<()> {
        // SAFETY: as the caller promises.
        unsafe { self.start_on(machine, scheme, grid, args, Account::Kernel) }
    }

    /// Starts it, with its time on an account.
    ///
    /// # Safety
    /// As for [`Balancer::run`].
    pub(crate) unsafe fn start_on(
        &self,
        machine: &Machine<'_>,
        scheme: Scheme,
        grid: Grid,
        args: &A,
        account: Account,
    ) -> Result<()> {
        let Some((_, launch)) = self.kernels.iter().find(|(s, _)| *s == scheme) else {
            unreachable!("kernels are compiled for every scheme that can be picked")
        };
        // SAFETY: the caller promises that the arguments are good.
        unsafe { machine.start_timed(launch, grid, args, account) }
    }
}
