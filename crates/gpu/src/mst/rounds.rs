//! Rounds: trees find their least edges and are hooked along them.

use super::{COUNTERS, CopyArgs, FAR, HOOKED, MstArgs, weight_kind};
use crate::{
    DeviceGraph,
    arguments::Edges,
    copies::{self, CopyTable},
    device_graph::{DeviceRows, Made, Side},
    edges::Stored,
    machine::{Grid, Launch, Machine},
    program::width,
    variants,
};
use bytemuck::Zeroable;
use std::sync::Arc;
use warpgraph_core::{Options, Result};
use warpgraph_device::{Address, Array, Pinned};
use warpgraph_graph::{Vertex, with_weights};

/// The graph on the device, and the kernels of a round.
pub(super) struct Rounds<'m, 'a> {
    pub(super) machine: &'m Machine<'a>,
    pub(super) vertices: usize,
    is_undirected: bool,
    rows: Arc<DeviceRows>,
    /// `None` if all edges have the same weight.
    pub(super) weights: Option<Arc<Stored>>,
    key_width: usize,
    originals: Option<Arc<Array<Vertex>>>,
    /// The copies of vertices, if the graph has copies or holes.
    copies: Option<Arc<Made<CopyTable>>>,
    start: Launch<MstArgs>,
    unite: Launch<MstArgs>,
    weigh: Launch<MstArgs>,
    choose: Launch<MstArgs>,
    find: Launch<MstArgs>,
    hook: Launch<MstArgs>,
    jump: Launch<MstArgs>,
    pub(super) counters: Array<u64>,
    seen: Pinned<u64>,
}

/// The arrays of trees; see the module head.
pub(super) struct State {
    pub(super) alive: Array<u32>,
    pub(super) roots: Array<Vertex>,
    pub(super) keys: Array<u8>,
    pub(super) ends: Array<u64>,
    pub(super) links: Array<Vertex>,
    pub(super) inner: Option<Array<Vertex>>,
}

impl State {
    pub(super) fn bytes(&self) -> u64 {
        let inner = self.inner.as_ref().map_or(0, Array::bytes);
        let vertices = self.roots.bytes() + self.keys.bytes() + self.ends.bytes() + self.links.bytes();
        self.alive.bytes() + vertices + inner
    }
}

impl<'m, 'a> Rounds<'m, 'a> {
    /// Copies the graph to the device and compiles the kernels.
    pub(super) fn new(
        device_graph: &DeviceGraph,
        options: &Options,
        machine: &'m Machine<'a>,
    ) -> Result<Self> {
        let (graph, rows) = (device_graph.graph(), device_graph.rows(Side::Out)?);
        let kind = weight_kind(graph.weight_type());
        let weights = with_weights!(
            &graph.out().weights,
            |weights| Some(device_graph.weights(Side::Out, kind, |give| give(weights))?),
            none: None
        );
        let originals = options.map.as_ref().map(|map| device_graph.originals(map)).transpose()?;
        let source = variants::spanning(device_graph.is_wide(), kind)?;
        let kernel = |name| machine.kernel(&source, name);
        Ok(Self {
            machine,
            vertices: graph.vertices(),
            is_undirected: !options.whole(graph).is_directed(),
            rows,
            weights,
            key_width: width(kind),
            originals,
            copies: copies::table(device_graph, options)?,
            start: kernel("mst_begin")?,
            unite: kernel("mst_unite")?,
            weigh: kernel("mst_weigh")?,
            choose: kernel("mst_choose")?,
            find: kernel("mst_find")?,
            hook: kernel("mst_hook")?,
            jump: kernel("mst_jump")?,
            counters: machine.zeros(COUNTERS, "counters")?,
            seen: machine.gpu().pinned(COUNTERS, "counters").map_err(crate::lift)?,
        })
    }

    /// Allocates the state; every vertex is a tree with its copies.
    pub(super) fn begin(&mut self) -> Result<State> {
        let (machine, n) = (self.machine, self.vertices);
        let keys = if self.weights.is_some() { n * self.key_width } else { 0 };
        let mut state = State {
            alive: machine.array(self.rows.arcs().div_ceil(32), "arcs between trees")?,
            roots: machine.array(n, "roots")?,
            keys: machine.array(keys, "least weights")?,
            ends: machine.array(n, "least edges")?,
            links: machine.array(n, "trees to hook to")?,
            inner: self
                .originals
                .as_ref()
                .map(|_| machine.array(n, "numbers by original ones"))
                .transpose()?,
        };
        state.alive.fill_bytes(0xff).map_err(crate::lift)?;
        self.over_vertices(&self.start, &state)?;
        if let Some(copies) = self.copies.as_ref().filter(|copies| copies.pairs() > 0) {
            // SAFETY: as for `over_vertices`; copies and masters are vertices, and a copy occurs once.
            unsafe { machine.start(&self.unite, Grid::For(copies.pairs()), &self.args(&state))? };
        }
        Ok(state)
    }

    /// Joins trees along their least edges. Returns how many were hooked to another tree.
    pub(super) fn round(&mut self, state: &mut State) -> Result<usize> {
        self.clear()?;
        let (args, words) = (self.args(state), Grid::For(state.alive.len() as u64));
        // SAFETY: as for `over_vertices`; there is one bit per arc, and one weight per arc if there are weights.
        unsafe {
            if self.weights.is_some() {
                self.machine.start(&self.weigh, words, &args)?;
            }
            self.machine.start(&self.choose, words, &args)?;
        }
        self.over_vertices(&self.find, state)?;
        self.over_vertices(&self.hook, state)?;
        self.over_vertices(&self.jump, state)?;
        let hooked = self.read()?[HOOKED];
        while self.seen.get(FAR) != 0 {
            self.clear()?;
            self.over_vertices(&self.jump, state)?;
            self.read()?;
        }
        Ok(hooked as usize)
    }

    pub(super) fn clear(&mut self) -> Result<()> {
        self.counters.fill_bytes(0).map_err(crate::lift)
    }

    /// Waits and reads the counters.
    fn read(&mut self) -> Result<[u64; COUNTERS]> {
        self.machine.fetch(&mut self.seen, &self.counters)?;
        Ok(std::array::from_fn(|i| self.seen.get(i)))
    }

    pub(super) fn over_vertices(&self, kernel: &Launch<MstArgs>, state: &State) -> Result<()> {
        // SAFETY: all arrays of the state have an entry per vertex, and live until the next wait; roots, links and ends
        // are vertices.
        unsafe { self.machine.start(kernel, Grid::For(self.vertices as u64), &self.args(state)) }
    }

    pub(super) fn args(&self, state: &State) -> MstArgs {
        MstArgs {
            offsets: self.rows.offsets(),
            targets: self.rows.targets(),
            weights: self.weights.as_ref().map_or(Edges::NONE, |weights| weights.edges()),
            originals: self.originals.as_ref().map_or(Address::NULL, |originals| originals.address()),
            inner: state.inner.as_ref().map_or(Address::NULL, Array::address),
            copies: self.copies.as_ref().map_or(CopyArgs::zeroed(), |copies| copies.args()),
            vertices: self.vertices as u64,
            is_undirected: u64::from(self.is_undirected),
            alive: state.alive.address(),
            roots: state.roots.address(),
            keys: state.keys.address().cast(),
            ends: state.ends.address(),
            links: state.links.address(),
            counters: self.counters.address(),
            cancel: self.machine.gpu().cancel_address(),
            ..MstArgs::zeroed()
        }
    }
}
