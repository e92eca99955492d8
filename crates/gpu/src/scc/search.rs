//! The steps of a search for strong components, and their shared state.

use crate::{
    DeviceGraph,
    advance::{Expand, Expansion},
    arguments::{Along, Edges},
    copies::{self, CopyArgs, CopyTable},
    device_graph::{Made, Side},
    frontier::Members,
    machine::{Grid, Launch},
    variants::Filters,
    waves::{self, OWN, Wave, Waves},
};
use bytemuck::Zeroable;
use std::sync::Arc;
use warpgraph_core::{Options, Result};
use warpgraph_device::{Address, Arguments as _, Array, arguments};
use warpgraph_graph::{NO_VERTEX, Vertex};

/// Counter: the vertex with the most pairs of arcs, see `scc_pivot`.
const BEST: usize = OWN;

/// The kernels.
pub(crate) const FILTERS: Filters = Filters {
    name: "scc",
    arguments: || CopyArgs::cuda() + &SccArgs::cuda(),
    constants: &[("NOBODY", NO_VERTEX), ("MANY", u32::MAX)],
    headers: &["rows.cuh", "mixed.cuh", "copies.cuh"],
    of_vertices: &[
        "scc_begin",
        "scc_pivot",
        "scc_round",
        "scc_roots",
        "scc_least",
        "scc_name",
        "scc_combine",
        "scc_reflect",
    ],
    along_arcs: &["scc_trim", "scc_colour", "scc_back"],
};

arguments! {
    /// The arguments of the kernels of strong components.
    pub(super) struct SccArgs {
        along: Along,
        /// Offsets of outgoing arcs with their targets, and of incoming arcs.
        out: Address<()>,
        targets: Edges,
        incoming: Address<()>,
        copies: CopyArgs,
        vertices: u64,
        /// The component of a vertex that is done, otherwise `NO_VERTEX`.
        components: Address<u32>,
        /// A vertex's outgoing and incoming arcs from and to vertices that were not done; and the one of the two arrays
        /// that the kernel decreases. A copy's entry of `out_left` counts up what its master has yet to subtract.
        out_left: Address<u32>,
        in_left: Address<u32>,
        counts: Address<u32>,
        colours: Address<u32>,
        /// Colours of the last round.
        parts: Address<u32>,
        /// The wave in which a vertex last joined.
        stamps: Address<u32>,
        /// The vertices whose component was found.
        items: Address<u32>,
        count: u64,
        /// Receive vertices that are appended.
        next: Address<u32>,
        next_size: Address<u64>,
        /// Receives the best pivot.
        best: Address<u64>,
        /// The number of the pivot, and whether it alone has a colour.
        pivot: u32,
        one_root: u32,
        /// The seed of the colours.
        seed: u32,
        round: u32,
        /// One of `LOOPS_` in `kernels/rows.cuh`.
        loops: u64,
    }
}

impl Expand for SccArgs {
    fn along(&mut self) -> &mut Along {
        &mut self.along
    }
}

/// All kernels.
pub(super) struct Kernels {
    begin: Launch<SccArgs>,
    pivot: Launch<SccArgs>,
    round: Launch<SccArgs>,
    roots: Launch<SccArgs>,
    least: Launch<SccArgs>,
    name: Launch<SccArgs>,
    combine: Launch<SccArgs>,
    reflect: Launch<SccArgs>,
    trim: Expansion<SccArgs>,
    colour: Expansion<SccArgs>,
    back: Expansion<SccArgs>,
}

impl Kernels {
    pub(super) fn new(waves: &Waves<'_, '_>, device_graph: &DeviceGraph) -> Result<Self> {
        let (machine, wide) = (waves.machine, device_graph.is_wide());
        let vertices = FILTERS.vertices(wide)?;
        let kernel = |name| machine.kernel(&vertices, name);
        let filters = |scheme| FILTERS.along(wide, scheme);
        let expansion = |name| waves.balancer.expansion(machine, filters, name);
        Ok(Self {
            begin: kernel("scc_begin")?,
            pivot: kernel("scc_pivot")?,
            round: kernel("scc_round")?,
            roots: kernel("scc_roots")?,
            least: kernel("scc_least")?,
            name: kernel("scc_name")?,
            combine: kernel("scc_combine")?,
            reflect: kernel("scc_reflect")?,
            trim: expansion("scc_trim")?,
            colour: expansion("scc_colour")?,
            back: expansion("scc_back")?,
        })
    }
}

/// A search in progress.
pub(super) struct Search<'m, 'a> {
    pub(super) waves: Waves<'m, 'a>,
    kernels: Kernels,
    args: SccArgs,
    pub(super) components: Array<Vertex>,
    copies: Option<Arc<Made<CopyTable>>>,
    /// The arrays of [`SccArgs`]: outgoing and incoming arcs that are left, colours, parts, stamps.
    numbers: [Array<u32>; 5],
    /// All vertices that are done, in the order they were found. The arcs of those from `found` on are not removed yet.
    queue: Array<Vertex>,
    pub(super) done: u64,
    pub(super) found: u64,
    /// Frontiers of colours.
    frontiers: [Array<Vertex>; 2],
    /// Rounds so far.
    rounds: u32,
}

impl<'m, 'a> Search<'m, 'a> {
    pub(super) fn new(
        device_graph: &DeviceGraph,
        waves: Waves<'m, 'a>,
        kernels: Kernels,
        options: &Options,
    ) -> Result<Self> {
        let (graph, machine) = (device_graph.graph(), waves.machine);
        let copies = copies::table(device_graph, options)?;
        let n = graph.vertices();
        let components = machine.array(n, "components")?;
        let array = |what| machine.array::<u32>(n, what);
        let numbers =
            [array("arcs out")?, array("arcs in")?, array("colours")?, array("parts")?, array("stamps")?];
        let [out_left, in_left, colours, parts, stamps] =
            [0, 1, 2, 3, 4].map(|i: usize| numbers[i].address());
        let out = waves.rows(Side::Out);
        let loops = device_graph.loops(out)?;
        let args = SccArgs {
            out: out.offsets(),
            targets: loops.targets,
            incoming: waves.in_offsets(),
            copies: copies.as_ref().map_or(CopyArgs::zeroed(), |copies| copies.args()),
            vertices: n as u64,
            components: components.address(),
            out_left,
            in_left,
            colours,
            parts,
            stamps,
            next_size: waves.counter(waves::NEXT),
            best: waves.counter(BEST),
            loops: u64::from(loops.are),
            ..SccArgs::zeroed()
        };
        let queue = array("a queue")?;
        let frontiers = [array("a frontier")?, array("a frontier")?];
        let (done, found, rounds) = (0, 0, 0);
        Ok(Self { waves, kernels, args, components, copies, numbers, queue, done, found, frontiers, rounds })
    }

    pub(super) fn bytes(&self) -> u64 {
        let arrays = self.numbers.iter().chain(&self.frontiers).chain([&self.components, &self.queue]);
        arrays.map(Array::bytes).sum()
    }

    pub(super) fn vertices(&self) -> u64 {
        self.args.vertices
    }

    /// Clears the counters, and launches a kernel that looks at all vertices and appends some at `next`.
    fn line_up(&mut self, which: fn(&Kernels) -> &Launch<SccArgs>, next: Address<Vertex>) -> Result<()> {
        self.waves.machine.check()?;
        self.waves.clear()?;
        let args = SccArgs { next, ..self.args };
        // SAFETY: all arrays have an entry per vertex and live until the run has ended; a vertex is appended once.
        unsafe { self.waves.machine.start(which(&self.kernels), Grid::For(args.vertices), &args) }
    }

    /// Launches a kernel over pairs of a copy and its master; vertices that change join `next`.
    fn over_copies(&mut self, which: fn(&Kernels) -> &Launch<SccArgs>, next: Address<Vertex>) -> Result<()> {
        let Some(pairs) = self.copies.as_ref().map(|copies| copies.pairs()).filter(|&pairs| pairs > 0) else {
            return Ok(());
        };
        let args = SccArgs { next, ..self.args };
        // SAFETY: copies and masters are vertices, and a copy occurs once; a vertex joins a queue once, so there is room;
        // all arrays live until the run has ended.
        unsafe { self.waves.machine.start(which(&self.kernels), Grid::For(pairs), &args) }
    }

    /// Waits for the vertices that joined the queue of all that are done, after their copies have joined too.
    fn joined(&mut self, sides: &[Side]) -> Result<Wave> {
        let (items, room) = (waves::from(&self.queue, self.done), self.args.vertices - self.done);
        self.over_copies(|kernels| &kernels.reflect, items)?;
        let wave = self.waves.joined(items, room, sides)?;
        self.done += wave.members.count;
        Ok(wave)
    }

    /// Counts the arcs of every vertex. A vertex with no arcs on one side is done.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.line_up(|kernels| &kernels.begin, self.queue.address())?;
        self.joined(&[])?;
        Ok(())
    }

    /// Removes the arcs of all vertices that were found, and of those that are done as a result, while any vertex is
    /// left. Returns the number of waves.
    pub(super) fn trim(&mut self) -> Result<u64> {
        let mut waves = 0;
        let members = Members::of(waves::from(&self.queue, self.found), self.done - self.found);
        let mut wave = Wave { members, arcs: None, longest: None, sides: 0 };
        while wave.members.count > 0 && self.done < self.args.vertices {
            self.waves.machine.check()?;
            self.waves.clear()?;
            let next = waves::from(&self.queue, self.done);
            for (side, counts) in [(Side::Out, self.args.in_left), (Side::In, self.args.out_left)] {
                let args = SccArgs { counts, ..self.args };
                // SAFETY: a vertex is done once, so the queue has room; all arrays live until the run has ended.
                unsafe { self.waves.expand(&self.kernels.trim, side, wave, next, args)? };
            }
            self.over_copies(|kernels| &kernels.combine, next)?;
            wave = self.joined(&[Side::Out, Side::In])?;
            waves += 1;
        }
        self.found = self.done;
        Ok(waves)
    }

    /// Returns the vertex to begin with; `None` if all are done.
    pub(super) fn pivot(&mut self) -> Result<Option<Vertex>> {
        self.line_up(|kernels| &kernels.pivot, Address::NULL)?;
        self.waves.read()?;
        let best = self.waves.last(BEST);
        Ok((best > 0).then(|| NO_VERTEX - best as u32))
    }

    /// Spreads colours forward: that of one vertex, or every vertex's own. Returns the number of waves.
    pub(super) fn colour(&mut self, only: Option<Vertex>) -> Result<u64> {
        self.rounds += 1;
        self.args.seed = self.rounds.wrapping_mul(0x9e37_79b9);
        (self.args.pivot, self.args.one_root) = (only.unwrap_or(0), u32::from(only.is_some()));
        self.line_up(|kernels| &kernels.round, self.frontiers[0].address())?;
        let mut waves = 0;
        loop {
            self.over_copies(|kernels| &kernels.reflect, self.frontiers[0].address())?;
            let wave = self.waves.joined(self.frontiers[0].address(), self.args.vertices, &[Side::Out])?;
            if wave.members.count == 0 {
                return Ok(waves);
            }
            self.waves.machine.check()?;
            self.waves.clear()?;
            self.args.round += 1;
            let next = self.frontiers[1].address();
            // SAFETY: a vertex joins once per wave, by its stamp, so the frontier has room; all arrays live until the
            // run has ended.
            unsafe { self.waves.expand(&self.kernels.colour, Side::Out, wave, next, self.args)? };
            self.frontiers.swap(0, 1);
            waves += 1;
        }
    }

    /// Finds the components of all roots. Returns the number of roots and of waves.
    pub(super) fn back(&mut self) -> Result<(u64, u64)> {
        self.line_up(|kernels| &kernels.roots, waves::from(&self.queue, self.done))?;
        let mut wave = self.joined(&[Side::In])?;
        let (roots, mut waves) = (wave.members.count, 0);
        while wave.members.count > 0 {
            self.waves.machine.check()?;
            self.waves.clear()?;
            let next = waves::from(&self.queue, self.done);
            // SAFETY: a vertex is done once, so the queue has room; all arrays live until the run has ended.
            unsafe { self.waves.expand(&self.kernels.back, Side::In, wave, next, self.args)? };
            self.over_copies(|kernels| &kernels.combine, next)?;
            wave = self.joined(&[Side::In])?;
            waves += 1;
        }
        let count = self.done - self.found;
        let args = SccArgs { items: waves::from(&self.queue, self.found), count, ..self.args };
        // SAFETY: the queue holds vertices, and roots are vertices; all arrays live until the run has ended.
        unsafe {
            self.waves.machine.start(&self.kernels.least, Grid::For(count), &args)?;
            self.waves.machine.start(&self.kernels.name, Grid::For(count), &args)?;
        }
        Ok((roots, waves))
    }
}
