//! [`Balancer`]: the driver of balances in a run. It takes a functor's kernels, rows and a frontier, picks a balance if the plan
//! leaves it open, and has it deal out the frontier.

use super::{
    Balancing, Scheme, Seen,
    balancing::{Deal, Ground, Start},
    host,
    open::{self, Open},
    resident, watched,
};
use crate::{
    DeviceGraph,
    arguments::{Along, Edges},
    device_graph::{DeviceRows, Side},
    edges::{
        counted::Counts,
        link::Link,
        staged::{Grouped, Staging},
        streamed::{Columns, Lease, Reader, Streamer, entry},
    },
    error::lift,
    frontier::{Frontiers, Members, Tally},
    machine::{Account, Grid, Launch, Machine},
    sampled::Sampling,
};
use bytemuck::Zeroable;
use std::sync::Arc;
use warpgraph_core::{Balance, Partitions, Recorder, Residency, Result, TileUse, Transfer};
use warpgraph_device::{Address, Arguments, Array, Pinned, Source};
use warpgraph_graph::Vertex;

/// Arguments of a kernel that expands. The kernel takes those of the balance behind them.
pub(crate) trait Expand: Arguments {
    /// Returns what the driver fills in.
    fn along(&mut self) -> &mut Along;

    /// Returns the weights of the arcs, if the functor may read any.
    fn weights(&mut self) -> Option<&mut Edges> {
        None
    }
}

/// A functor's kernel by every scheme that a run may need.
pub(crate) struct Expansion<A> {
    schemes: Vec<Scheme>,
    pub(super) kernels: Vec<(Scheme, Launch<A>)>,
}

/// Where the next frontier goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queue {
    pub(crate) items: Address<Vertex>,
    pub(crate) size: Address<u64>,
}

impl Queue {
    /// For kernels that make no frontier.
    pub(crate) const NONE: Self = Self { items: Address::NULL, size: Address::NULL };
}

/// What is to be expanded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work {
    /// The rows; the host must know how many.
    pub(crate) members: Members,
    /// The arcs they have in all, or more; `None`: as many as there are. Where vertices repeat, it must be known, and nothing else
    /// may run.
    pub(crate) arcs: Option<u64>,
    /// Arcs of the longest of them, or more; `None`: as many as any row has.
    pub(crate) longest: Option<u64>,
    pub(crate) next: Queue,
}

/// What balances took of a run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spent {
    kernel_seconds: f64,
    extra_bytes: u64,
    tiling_seconds: Option<f64>,
    tiles: Option<TileUse>,
    transfer: Option<Transfer>,
    partitions: Option<Partitions>,
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
        if let Some(transfer) = self.transfer {
            recorder.transfer(transfer);
        }
        if let Some(partitions) = self.partitions {
            recorder.partitions(partitions);
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

/// Where kernels find rows.
#[derive(Debug, Clone, Copy)]
struct Reach {
    targets: Edges,
    /// Where each row begins in a chunk that was sent; null if the offsets say that.
    firsts: Address<()>,
}

impl Reach {
    /// Where the rows are stored.
    fn of(rows: &DeviceRows) -> Self {
        Self { targets: rows.targets(), firsts: Address::NULL }
    }
}

/// The balances of a run.
pub(crate) struct Balancer {
    /// The one that the plan names, or those that an open balance is chosen among.
    hosts: Vec<(Scheme, Box<dyn Balancing>)>,
    /// Those whose kernels they start.
    schemes: Vec<Scheme>,
    /// What an open balance is chosen by.
    open: Option<Open>,
    seen: Seen,
    /// Vertices of one copy of the graph, and of all copies.
    vertices: u64,
    slots: u64,
    pub(crate) frontiers: Frontiers,
    /// A counter, and where the host reads it.
    scratch: Array<u64>,
    told: Pinned<u64>,
    /// Samples accesses, for the order `sampled`.
    sampling: Option<Sampling>,
    /// Sends the rows of frontiers, if edges are streamed.
    streamer: Option<Lease>,
    /// Copies partitions ahead, if the residency has a staging area.
    staging: Option<Staging>,
    /// The rates of the bus, if edges are in host memory.
    link: Option<Link>,
    /// The counters of what crosses the bus, if the run counts it.
    counts: Option<Arc<Counts>>,
}

impl Balancer {
    /// For a plan that asks for a balance, or leaves it open. `one_order`: one thread must take all of a row. `sides`: the
    /// directions that the run will go along, each once. `copies` of the graph, of which one is stored.
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
        let (n, wide) = (device_graph.graph().vertices(), device_graph.is_wide());
        let mut frontiers = Frontiers::new(machine, wide, n, n * copies)?;
        let (mut open, mut keeps_tiles) = (None, false);
        let is_streamed = device_graph.layout().residency == Residency::Streamed;
        // Prices and tiles are of rows on the device; streamed rows take much longer to come than to be dealt out.
        let asked = if is_streamed && !one_order { asked.or(Some(Balance::TILED)) } else { asked };
        if asked.is_none() && !one_order {
            open = Some(Open::new(machine, device_graph, &frontiers, sides.all)?);
            keeps_tiles = resident::is_worth_keeping(machine, device_graph, sides.dealt)?;
            if !sides.dealt.is_empty() {
                // Before the clock runs, since some frontier may want them.
                frontiers.prefix_arrays(machine)?;
            }
        }
        let mut hosts = hosts(asked, one_order, keeps_tiles);
        let ground = Ground { machine, device_graph, frontiers: &frontiers };
        for &side in if open.is_some() { sides.dealt } else { sides.all } {
            for (_, host) in &mut hosts {
                host.prepare(&ground, side)?;
            }
        }
        let schemes = schemes_of(&hosts);
        let streamer = is_streamed.then(|| Lease::new(machine, device_graph, sides.all)).transpose()?;
        let is_far = matches!(device_graph.layout().residency, Residency::ZeroCopy { .. });
        let link = match sides.all.first() {
            Some(&side) if is_far && copies == 1 => Some(Link::of(machine, device_graph, side)?),
            _ => None,
        };
        let staging = if copies == 1 { Staging::new(machine, device_graph, sides.dealt)? } else { None };
        Ok(Self {
            link,
            staging,
            counts: device_graph.counts(),
            streamer,
            sampling: Sampling::of(machine, device_graph, asked, &schemes)?,
            hosts,
            schemes,
            open,
            seen: Seen::default(),
            vertices: n as u64,
            slots: (n * copies) as u64,
            frontiers,
            scratch: machine.zeros(1, "a counter")?,
            told: machine.gpu().pinned(1, "a counter").map_err(lift)?,
        })
    }

    /// Sets the number of copies of the graph; before any kernel runs.
    ///
    /// # Errors
    /// When memory is short.
    pub(crate) fn with_copies(mut self, machine: &Machine<'_>, copies: usize) -> Result<Self> {
        self.slots = self.vertices * copies as u64;
        self.frontiers.set_slots(self.slots as usize);
        self.staging = self.staging.map(|staging| staging.with_copies(machine, copies)).transpose()?;
        Ok(self)
    }

    /// Returns the most copies of a graph that the balances can number: vertices, what they make of them, and the arcs of all copies
    /// where offsets are narrow.
    pub(crate) fn most_copies(&self, rows: &DeviceRows) -> u64 {
        let arcs = if self.frontiers.is_wide() { 0 } else { rows.arcs() as u64 };
        let most = self.hosts.iter().map(|(_, host)| host.most_copies(self.vertices.max(arcs)));
        most.min().unwrap_or(1)
    }

    /// Returns the bytes that the balances take for one copy of the graph, beside what they keep of it.
    pub(crate) fn bytes_per_copy(&self) -> u64 {
        let hosts = self.hosts.iter().map(|(_, host)| host.bytes_per_copy(&self.frontiers, self.vertices));
        hosts.sum::<u64>() + self.staging.as_ref().map_or(0, Staging::bytes_per_copy)
    }

    /// Compiles the kernel of a functor by every scheme that the run may need; `source` gives the module that has it.
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
        self.expansion_by(machine, source, name, Scheme::pulls)
    }

    fn expansion_by<A: Expand>(
        &self,
        machine: &Machine<'_>,
        source: impl Fn(Scheme) -> Result<Arc<Source>>,
        name: &'static str,
        takes: impl Fn(&Scheme) -> bool,
    ) -> Result<Expansion<A>> {
        let kernel = |&scheme: &Scheme| {
            Ok((scheme, machine.sharing(&*source(scheme)?, name, scheme.host().shared())?))
        };
        let schemes = self.schemes.iter().filter(|&scheme| takes(scheme));
        Ok(Expansion::new(schemes.map(kernel).collect::<Result<_>>()?))
    }

    /// Returns the bytes on the device that the balances take.
    pub(crate) fn extra_bytes(&self) -> u64 {
        let bytes = self.hosts.iter().map(|(_, host)| host.extra_bytes()).sum::<u64>();
        bytes + self.frontiers.prefix_bytes() + self.staging.as_ref().map_or(0, Staging::bytes)
    }

    /// Waits, and returns what kernels, memory and tiles the balances took.
    ///
    /// # Errors
    /// When the device fails.
    pub(crate) fn spent(&self, machine: &Machine<'_>) -> Result<Spent> {
        machine.finish()?;
        if let Some(sampling) = self.sampling.as_ref().filter(|_| self.copies() == 1) {
            sampling.note(machine);
        }
        let mut tiles = None;
        for (_, host) in &self.hosts {
            tiles = tiles.or(host.tile_use()?);
        }
        Ok(Spent {
            kernel_seconds: machine.kernel_seconds(),
            extra_bytes: self.extra_bytes(),
            tiling_seconds: machine.prices_tiling().then(|| machine.tiling_seconds()),
            tiles,
            transfer: self.transfer(),
            partitions: self.staging.as_ref().map(Staging::told),
        })
    }

    /// Waits, and returns how many arcs some rows have.
    pub(crate) fn count_arcs(
        &mut self,
        machine: &Machine<'_>,
        members: Members,
        rows: &DeviceRows,
    ) -> Result<u64> {
        self.scratch.fill_bytes(0).map_err(lift)?;
        self.frontiers.count_arcs(machine, members, rows, Tally::of(self.scratch.address()))?;
        machine.fetch(&mut self.told, &self.scratch)?;
        Ok(self.told.get(0))
    }

    /// Picks the scheme for some rows, of those that a functor has kernels for.
    fn pick(&mut self, among: &[Scheme], side: Side, rows: &DeviceRows, work: &Work) -> Scheme {
        let copies = self.copies();
        let takes_everything = copies == 1 && work.members.is_everything(self.slots);
        let why = self.open.as_ref().map(|open| {
            let is_listed = self.hosts.iter().all(|(_, host)| host.is_listed(side, takes_everything));
            open.choose(among, rows, (copies, is_listed), work)
        });
        let scheme = why.map_or(self.schemes[0], |why| why.scheme());
        self.seen.note(scheme, work.arcs, why);
        scheme
    }

    /// Ends a superstep, and returns what it expanded.
    ///
    /// # Errors
    /// Those of what watches the run.
    pub(crate) fn seen(&mut self, machine: &Machine<'_>) -> Result<Seen> {
        if let Some(watch) = machine.watch() {
            let counted = self.counts.as_ref().map(|counts| counts.read());
            watch.ends(self.transfer().or(counted.transpose()?))?;
        }
        let partitions = self.staging.as_mut().map(Staging::now);
        Ok(std::mem::take(&mut self.seen).with(partitions))
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
        args: A,
    ) -> Result<()> {
        if let Some(watch) = machine.watch() {
            watched::show(&**watch, machine, side, work.members, self.vertices)?;
        }
        if let Some(mut staging) = self.staging.take() {
            // SAFETY: the caller's promise.
            let ran = unsafe { self.run_ahead(&mut staging, machine, expansion, side, rows, work, args) };
            self.staging = Some(staging);
            return ran;
        }
        let Some(mut lease) = self.streamer.take() else {
            self.order(machine, work.members)?;
            // SAFETY: the caller's promise.
            return unsafe { self.run_on(machine, expansion, side, rows, work, args, Reach::of(rows)) };
        };
        // SAFETY: the caller's promise.
        let streamed =
            unsafe { self.run_streamed(lease.streamer(), machine, expansion, side, rows, work, args) };
        self.streamer = Some(lease);
        streamed
    }

    /// [`Balancer::run`] for rows that are sent chunk by chunk.
    ///
    /// # Safety
    /// As for [`Balancer::run`].
    #[allow(clippy::too_many_arguments, reason = "those of `run`, and the streamer")]
    unsafe fn run_streamed<A: Expand>(
        &mut self,
        streamer: &mut Streamer,
        machine: &Machine<'_>,
        expansion: &Expansion<A>,
        side: Side,
        rows: &DeviceRows,
        work: Work,
        mut args: A,
    ) -> Result<()> {
        let weights = args.weights().and_then(|weights| weights.streamed()).map(|(at, width)| {
            // SAFETY: streamed weights lie there, one per arc; the run that calls keeps them until it ends.
            (unsafe { std::slice::from_raw_parts(at as *const u8, rows.arcs() * width) }, width)
        });
        let columns = Columns { targets: rows.host().targets(), weights, wide: self.frontiers.is_wide() };
        let members = Reader::counted(machine, work.members)?;
        let Streamer { reader, sender } = streamer;
        let mut done = 0;
        while done < members.count {
            let frontier = reader.read(machine, rows.host(), members, done)?;
            let mut at = 0;
            while at < frontier.len() {
                machine.check()?;
                let chunk = sender.send(machine, columns, &frontier, at)?;
                if let (Some(weights), Some(sent)) = (args.weights(), chunk.weights) {
                    *weights = sent;
                }
                let items = chunk.items.unwrap_or_else(|| entry(members.items, done));
                let members = Members::listed(items, chunk.count);
                let work = Work { members, arcs: Some(chunk.arcs), ..work };
                let reach = Reach { targets: chunk.targets, firsts: chunk.firsts };
                // SAFETY: the caller's promise; the chunk has the rows of its members and stays until `used`.
                unsafe { self.run_on(machine, expansion, side, rows, work, args, reach)? };
                sender.used()?;
                (at, done) = (at + chunk.count as usize, done + chunk.count);
            }
        }
        Ok(())
    }

    /// [`Balancer::run`] for rows of which some partitions may be copied ahead.
    ///
    /// # Safety
    /// As for [`Balancer::run`].
    #[allow(clippy::too_many_arguments, reason = "those of `run`, and the staging area")]
    unsafe fn run_ahead<A: Expand>(
        &mut self,
        staging: &mut Staging,
        machine: &Machine<'_>,
        expansion: &Expansion<A>,
        side: Side,
        rows: &DeviceRows,
        work: Work,
        mut args: A,
    ) -> Result<()> {
        let targets = staging.reached(machine, side, rows.targets())?;
        if let Some(weights) = args.weights() {
            *weights = staging.reached(machine, side, *weights)?;
        }
        let reach = Reach { targets, firsts: Address::NULL };
        self.order(machine, work.members)?;
        let Some(grouped) = staging.group(machine, side, rows, work.members, work.arcs)? else {
            // SAFETY: the caller's promise.
            return unsafe { self.run_on(machine, expansion, side, rows, work, args, reach) };
        };
        let Grouped { deal, groups } = &grouped;
        let mut landings = Vec::with_capacity(deal.batches.len());
        for (at, group) in groups.iter().enumerate() {
            machine.check()?;
            // The batch of this group, and the next one if no group from here on reads its places before.
            while let Some(batch) = deal.batches.get(landings.len()) {
                let is_due = landings.len() < at;
                if !is_due && (landings.len() > at || batch.after.is_some_and(|after| after >= at)) {
                    break;
                }
                landings.push(staging.send(machine, side, batch)?);
            }
            if at > 0 {
                staging.land(machine, side, &deal.batches[at - 1], &landings[at - 1])?;
            }
            let members = staging.members(group);
            if members.count > 0 {
                let work = Work { members, arcs: Some(group.arcs), ..work };
                // SAFETY: the caller's promise; the list has vertices of its members, each in one group.
                unsafe { self.run_on(machine, expansion, side, rows, work, args, reach)? };
            }
        }
        Ok(())
    }

    /// Puts a frontier in the order of its vertices, if its rows are read over the bus and that pays off.
    fn order(&mut self, machine: &Machine<'_>, members: Members) -> Result<()> {
        let is_list = members.items.raw() != 0 && members.starts.raw() == 0 && members.size.raw() == 0;
        match self.link {
            Some(link)
                if is_list && self.copies() == 1 && link.is_worth_ordering(members.count, self.vertices) =>
            {
                self.frontiers.order(machine, members, &mut self.scratch)
            }
            _ => Ok(()),
        }
    }

    /// Returns what streaming has sent so far; `None` if edges are not streamed.
    pub(crate) fn transfer(&self) -> Option<Transfer> {
        self.streamer.as_ref().map(Lease::transfer)
    }

    /// [`Balancer::run`] for rows that kernels reach as they are, or elsewhere.
    ///
    /// # Safety
    /// As for [`Balancer::run`].
    #[allow(clippy::too_many_arguments, reason = "those of `run`, and where the rows are")]
    unsafe fn run_on<A: Expand>(
        &mut self,
        machine: &Machine<'_>,
        expansion: &Expansion<A>,
        side: Side,
        rows: &DeviceRows,
        work: Work,
        args: A,
        reach: Reach,
    ) -> Result<()> {
        let picked = self.pick(&expansion.schemes, side, rows, &work);
        let (is_sampled, members) = (self.copies() == 1, work.members);
        let sampling = self.sampling.as_ref().filter(|_| is_sampled);
        let Some((_, host)) = self.hosts.iter_mut().find(|(scheme, _)| *scheme == picked) else {
            unreachable!("a scheme is picked among those of the run")
        };
        let deal = Deal {
            machine,
            functor: &Functor { machine, expansion, args },
            frontiers: &mut self.frontiers,
            sampling,
            scratch: self.scratch.address(),
            side,
            rows,
            work,
            along: Along {
                offsets: rows.offsets(),
                targets: reach.targets,
                firsts: reach.firsts,
                vertices: self.vertices,
                items: members.items,
                count: members.count,
                next: work.next.items,
                next_size: work.next.size,
                cancel: machine.gpu().cancel_address(),
                ..Along::zeroed()
            },
            vertices: self.vertices,
            slots: self.slots,
        };
        // SAFETY: the caller's promise; what the balance adds lives as long as the run.
        unsafe { host.deal(deal)? };
        if let Some(sampling) = sampling {
            let all = if members.is_everything(self.slots) { rows.arcs() as u64 } else { 0 };
            sampling.served(machine, work.arcs.unwrap_or(all))?;
        }
        Ok(())
    }

    fn copies(&self) -> u64 {
        self.slots / self.vertices.max(1)
    }
}

/// Returns the host sides of a run's balances: the one that the plan names, `node` if one thread must take all of a row, else
/// the candidates of an open balance, and `resident` if tiles are worth keeping.
fn hosts(asked: Option<Balance>, one_order: bool, keeps_tiles: bool) -> Vec<(Scheme, Box<dyn Balancing>)> {
    let balances = match asked {
        Some(balance) => vec![balance],
        None if one_order => vec![Balance::Node],
        None => open::CANDIDATES.into_iter().chain(keeps_tiles.then_some(Balance::RESIDENT)).collect(),
    };
    balances.into_iter().map(|balance| (Scheme::of(balance), host(balance))).collect()
}

/// Returns the schemes whose kernels some balances start, their own first.
fn schemes_of(hosts: &[(Scheme, Box<dyn Balancing>)]) -> Vec<Scheme> {
    let mut schemes: Vec<Scheme> = hosts.iter().map(|(scheme, _)| *scheme).collect();
    for scheme in hosts.iter().flat_map(|(_, host)| host.schemes()) {
        if !schemes.contains(&scheme) {
            schemes.push(scheme);
        }
    }
    schemes
}

/// Returns the schemes whose kernels a run by this balance may compile. Whether tiles are worth keeping only the graph tells,
/// so `resident` is among those of an open balance.
pub(crate) fn schemes_ahead(asked: Option<Balance>, one_order: bool) -> Vec<Scheme> {
    schemes_of(&hosts(asked, one_order, true))
}

/// A functor's kernels, and what they are given but for the frontier.
struct Functor<'d, 'm, A> {
    machine: &'d Machine<'m>,
    expansion: &'d Expansion<A>,
    args: A,
}

impl<A: Expand> Start for Functor<'_, '_, A> {
    unsafe fn start(
        &self,
        scheme: Scheme,
        grid: Grid,
        along: Along,
        own: &[u8],
        account: Account,
    ) -> Result<()> {
        let mut args = self.args;
        *args.along() = along;
        // SAFETY: the caller's promise.
        unsafe { self.expansion.start(self.machine, scheme, grid, &args, own, account) }
    }
}

impl<A: Expand> Expansion<A> {
    /// By each of these schemes.
    pub(crate) fn new(kernels: Vec<(Scheme, Launch<A>)>) -> Self {
        Self { schemes: kernels.iter().map(|(scheme, _)| *scheme).collect(), kernels }
    }

    /// Starts the kernel by a scheme, its time on an account.
    ///
    /// # Safety
    /// As for [`Balancer::run`], and `own` has the bytes of the scheme's own arguments.
    pub(crate) unsafe fn start(
        &self,
        machine: &Machine<'_>,
        scheme: Scheme,
        grid: Grid,
        args: &A,
        own: &[u8],
        account: Account,
    ) -> Result<()> {
        let Some((_, launch)) = self.kernels.iter().find(|(known, _)| *known == scheme) else {
            unreachable!("kernels are compiled for every scheme that can be picked")
        };
        // SAFETY: the kernel takes an A and the scheme's own arguments; the caller promises that both are good.
        unsafe { machine.start_given(launch, grid, args, own, account) }
    }
}
