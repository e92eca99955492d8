//! The rounds of label propagation: kernels, tables and labels.

use super::form::Around;
use crate::{
    DeviceGraph,
    advance::{Expand, Expansion},
    arguments::{Along, Edges},
    device_graph::Side,
    error::lift,
    frontier::Members,
    machine::{Grid, Launch},
    variants::Filters,
    waves::{NEXT, OWN, Wave, Waves},
};
use bytemuck::Zeroable;
use std::sync::Arc;
use warpgraph_core::Result;
use warpgraph_device::{Address, Arguments as _, Array, arguments};
use warpgraph_graph::Vertex;

/// Counter: vertices whose label differs from that of two rounds before.
const MOVED: usize = OWN;

/// Values of [`LabelArgs::side`].
const SIDE_OUT: u32 = 0;
const SIDE_IN: u32 = 1;

/// The byte that fills empty places of a table.
const EMPTY: u8 = 0xff;

/// The kernels.
pub(crate) const FILTERS: Filters = Filters {
    name: "labels",
    arguments: LabelArgs::cuda,
    constants: &[("SIDE_OUT", SIDE_OUT)],
    headers: &["mixed.cuh", "labels.cuh"],
    of_vertices: &["labels_begin", "labels_weigh", "labels_apply"],
    along_arcs: &["labels_count", "labels_find", "labels_wake", "labels_clear"],
};

arguments! {
    /// The arguments of the kernels of label propagation.
    struct LabelArgs {
        along: Along,
        /// Offsets of outgoing and of incoming arcs; the second is null if they are the same.
        out: Address<()>,
        incoming: Address<()>,
        vertices: u64,
        /// Original numbers; null if they are the vertices' own.
        originals: Address<u32>,
        /// Labels, and those of the round before, which the new labels overwrite.
        labels: Address<u32>,
        next: Address<u32>,
        /// The best label around each vertex so far; 0 if there is none.
        best: Address<u64>,
        /// Whole weights of the arcs of this side; null if each is 1.
        weights: Edges,
        /// Tables: of labels with their counts, or of labels and, in a second array, their sums.
        counts: Address<u64>,
        places: Address<u32>,
        sums: Address<f64>,
        /// The arcs around vertices in increasing order of weights.
        neighbours: Address<u32>,
        ordered: Address<f64>,
        /// The vertices that weigh labels; null if all do.
        items: Address<u32>,
        count: u64,
        /// Receive the vertices whose label changed, and the number of vertices that moved.
        changed: Address<u32>,
        changed_size: Address<u64>,
        moved: Address<u64>,
        /// The round in which a vertex was last woken.
        stamps: Address<u32>,
        cancel: Address<u32>,
        round: u32,
        side: u32,
    }
}

impl Expand for LabelArgs {
    fn along(&mut self) -> &mut Along {
        &mut self.along
    }

    fn weights(&mut self) -> Option<&mut Edges> {
        Some(&mut self.weights)
    }
}

/// All kernels.
pub(super) struct Kernels {
    begin: Launch<LabelArgs>,
    weigh: Launch<LabelArgs>,
    apply: Launch<LabelArgs>,
    count: Expansion<LabelArgs>,
    find: Expansion<LabelArgs>,
    wake: Expansion<LabelArgs>,
    clear: Expansion<LabelArgs>,
}

impl Kernels {
    pub(super) fn new(waves: &Waves<'_, '_>, device_graph: &DeviceGraph) -> Result<Self> {
        let (machine, wide) = (waves.machine, device_graph.is_wide());
        let vertices = FILTERS.vertices(wide)?;
        let kernel = |name| machine.kernel(&vertices, name);
        let filters = |scheme| FILTERS.along(wide, scheme);
        let expansion = |name| waves.balancer.expansion(machine, filters, name);
        Ok(Self {
            begin: kernel("labels_begin")?,
            weigh: kernel("labels_weigh")?,
            apply: kernel("labels_apply")?,
            count: expansion("labels_count")?,
            find: expansion("labels_find")?,
            wake: expansion("labels_wake")?,
            clear: expansion("labels_clear")?,
        })
    }
}

/// Tables of labels.
enum Tables {
    /// Labels with their counts.
    Counts(Array<u64>),
    /// Labels, and their sums.
    Sums(Array<u32>, Array<f64>),
}

/// The result of a round.
pub(super) struct Round {
    pub(super) changed: Wave,
    /// Vertices whose label differs from that of two rounds before.
    pub(super) moved: u64,
}

/// The state of a propagation.
pub(super) struct Rounds<'m, 'a> {
    pub(super) waves: Waves<'m, 'a>,
    kernels: Kernels,
    args: LabelArgs,
    around: Around,
    tables: Tables,
    /// The labels, and those of the round before.
    labels: [Array<Vertex>; 2],
    best: Array<u64>,
    stamps: Array<u32>,
    changed: Array<Vertex>,
    awake: Array<Vertex>,
    _originals: Option<Arc<Array<Vertex>>>,
}

impl<'m, 'a> Rounds<'m, 'a> {
    /// Allocates the state; every vertex begins with its own number as its label.
    pub(super) fn new(
        device_graph: &DeviceGraph,
        waves: Waves<'m, 'a>,
        kernels: Kernels,
        around: Around,
        originals: Option<Arc<Array<Vertex>>>,
    ) -> Result<Self> {
        let machine = waves.machine;
        let (n, sides) = (device_graph.graph().vertices(), waves.sides());
        let places = 2 * sides.iter().map(|&side| waves.rows(side).arcs()).sum::<usize>();
        let tables = match &around {
            Around::Counted(_) => Tables::Counts(machine.array(places, "tables of labels")?),
            Around::Ordered(_) => {
                let sums = machine.array(places, "sums of weights")?;
                Tables::Sums(machine.array(places, "tables of labels")?, sums)
            }
        };
        let array = |what| machine.array::<u32>(n, what);
        let labels = [array("labels")?, array("labels")?];
        let (best, stamps) = (machine.array(n, "best labels")?, array("stamps")?);
        let (changed, awake) = (array("a queue")?, array("a queue")?);
        let mut args = LabelArgs {
            out: waves.rows(Side::Out).offsets(),
            incoming: waves.in_offsets(),
            vertices: n as u64,
            originals: originals.as_ref().map_or(Address::NULL, |originals| originals.address()),
            labels: labels[0].address(),
            next: labels[1].address(),
            best: best.address(),
            changed: changed.address(),
            changed_size: waves.counter(NEXT),
            moved: waves.counter(MOVED),
            stamps: stamps.address(),
            cancel: machine.gpu().cancel_address(),
            ..LabelArgs::zeroed()
        };
        match &tables {
            Tables::Counts(counts) => args.counts = counts.address(),
            Tables::Sums(places, sums) => (args.places, args.sums) = (places.address(), sums.address()),
        }
        if let Around::Ordered(rows) = &around {
            (args.neighbours, args.ordered) = (rows.neighbours.address(), rows.weights.address());
        }
        // SAFETY: all arrays have an entry per vertex, and live until the run has ended.
        unsafe { machine.start(&kernels.begin, Grid::For(n as u64), &args)? };
        let _originals = originals;
        Ok(Self { waves, kernels, args, around, tables, labels, best, stamps, changed, awake, _originals })
    }

    pub(super) fn bytes(&self) -> u64 {
        let tables = match &self.tables {
            Tables::Counts(counts) => counts.bytes(),
            Tables::Sums(places, sums) => places.bytes() + sums.bytes(),
        };
        let arrays = self.labels.iter().chain([&self.stamps, &self.changed, &self.awake]);
        arrays.map(Array::bytes).sum::<u64>() + self.best.bytes() + tables
    }

    /// Returns the current labels.
    pub(super) fn labels(&self) -> &Array<Vertex> {
        &self.labels[0]
    }

    /// Returns to the labels of the round before.
    pub(super) fn step_back(&mut self) {
        self.labels.swap(0, 1);
    }

    /// Returns all vertices.
    pub(super) fn everyone(&self) -> Wave {
        Wave { members: Members::all(self.args.vertices as usize), arcs: None, longest: None, sides: 0 }
    }

    /// Runs a round: the vertices of `awake` count the labels around them, then all vertices take the label that won.
    pub(super) fn round(&mut self, awake: Wave) -> Result<Round> {
        let machine = self.waves.machine;
        machine.check()?;
        self.waves.clear()?;
        self.empty(awake)?;
        match self.tables {
            Tables::Counts(_) => self.expand(|kernels| &kernels.count, awake, Address::NULL)?,
            Tables::Sums(..) => {
                self.expand(|kernels| &kernels.find, awake, Address::NULL)?;
                let Members { items, count, .. } = awake.members;
                let args = LabelArgs { items, count, ..self.args };
                // SAFETY: the rows by weight hold the arcs around the vertices, every label around a vertex has a place
                // in its table, and all arrays live until the run has ended.
                unsafe { machine.start(&self.kernels.weigh, Grid::For(32 * count), &args)? };
            }
        }
        // SAFETY: all arrays have an entry per vertex, and live until the run has ended.
        unsafe { machine.start(&self.kernels.apply, Grid::For(self.args.vertices), &self.args)? };
        let (items, room) = (self.changed.address(), self.args.vertices);
        let changed = self.waves.joined(items, room, self.waves.sides())?;
        self.labels.swap(0, 1);
        (self.args.labels, self.args.next) = (self.args.next, self.args.labels);
        Ok(Round { changed, moved: self.waves.last(MOVED) })
    }

    /// Empties the tables of the vertices that will count.
    fn empty(&mut self, awake: Wave) -> Result<()> {
        // The kernel finds tables by the places of arcs, and streamed rows change places.
        let is_streamed = self.waves.rows(Side::Out).targets().streamed().is_some();
        if !awake.members.is_all() && !is_streamed {
            return self.expand(|kernels| &kernels.clear, awake, Address::NULL);
        }
        match &mut self.tables {
            Tables::Counts(counts) => counts.fill_bytes(EMPTY).map_err(lift),
            Tables::Sums(places, sums) => {
                places.fill_bytes(EMPTY).map_err(lift)?;
                sums.fill_bytes(0).map_err(lift)
            }
        }
    }

    /// Returns the neighbours of the vertices that changed.
    pub(super) fn wake(&mut self, changed: Wave) -> Result<Wave> {
        self.waves.machine.check()?;
        self.waves.clear()?;
        self.args.round += 1;
        let awake = self.awake.address();
        self.expand(|kernels| &kernels.wake, changed, awake)?;
        self.waves.joined(awake, self.args.vertices, self.waves.sides())
    }

    /// Expands a wave along all arcs around it.
    fn expand(
        &mut self,
        which: fn(&Kernels) -> &Expansion<LabelArgs>,
        wave: Wave,
        next: Address<Vertex>,
    ) -> Result<()> {
        for &side in self.waves.sides() {
            let args = LabelArgs {
                weights: self.around.weights(side),
                side: if side == Side::Out { SIDE_OUT } else { SIDE_IN },
                ..self.args
            };
            // SAFETY: members are vertices without duplicates; all arrays live until the run has ended; tables have two
            // places per arc around each vertex; only `wake` appends, each vertex once by its stamp, to a queue with
            // room for all.
            unsafe { self.waves.expand(which(&self.kernels), side, wave, next, args)? };
        }
        Ok(())
    }
}
