//! [`DeviceGraph`]: a graph on a device. It copies arrays there when a run first needs them, and keeps them. What runs make
//! of the graph there beyond copies lies in [`prepared`].

mod prepared;

pub(crate) use prepared::{BALANCES, Made, Prepare};

use crate::{
    error::lift,
    sampled::{Sampled, Sampler},
};
use bytemuck::Pod;
use prepared::Prepared;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Instant,
};
use warpgraph_core::{Result, program::ScalarType};
use warpgraph_device::{Address, Array, Gpu};
use warpgraph_graph::{Arcs, Control, Graph, NodeMap, Offsets, Vertex, timeline::Phase};

/// Arcs of which direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    /// Outgoing.
    Out,
    /// Incoming; those of an undirected graph are its outgoing ones.
    In,
}

/// A graph on a device.
#[derive(Debug)]
pub struct DeviceGraph {
    gpu: Gpu,
    graph: Graph,
    held: Mutex<Held>,
    /// Samples accesses, for the order `sampled`.
    sampler: Option<Arc<Sampler>>,
}

#[derive(Debug, Default)]
struct Held {
    rows: HashMap<Side, Arc<DeviceRows>>,
    weights: HashMap<(Side, ScalarType), Arc<Array<u8>>>,
    /// Original numbers of vertices, and the map they are of. Holding the map keeps its memory from being used for another.
    originals: Option<(NodeMap, Arc<Array<Vertex>>)>,
    prepared: Prepared,
    /// Raised whenever the graph leaves the device.
    epoch: u64,
    /// The graph had to leave for want of memory, so nothing is prepared that only saves time.
    is_short: bool,
    seconds: f64,
    /// The control of the last run; its timeline records copies.
    control: Control,
}

/// The arcs of one direction on a device.
#[derive(Debug)]
pub(crate) struct DeviceRows {
    offsets: Array<u8>,
    targets: Array<Vertex>,
    /// Arcs of the longest row, once a run has counted them.
    longest: OnceLock<u64>,
}

impl DeviceRows {
    /// Of arrays that lie there.
    pub(crate) fn new(offsets: Array<u8>, targets: Array<Vertex>) -> Self {
        Self { offsets, targets, longest: OnceLock::new() }
    }

    /// Where the offsets lie, of the width that [`DeviceGraph::is_wide`] says.
    pub(crate) fn offsets(&self) -> Address<()> {
        self.offsets.address().cast()
    }

    /// Where the targets lie.
    pub(crate) fn targets(&self) -> Address<Vertex> {
        self.targets.address()
    }

    /// How many there are.
    pub(crate) fn arcs(&self) -> usize {
        self.targets.len()
    }

    /// Returns the arcs of the longest row; `None` if no run has counted them yet.
    pub(crate) fn longest(&self) -> Option<u64> {
        self.longest.get().copied()
    }

    /// Sets the arcs of the longest row.
    pub(crate) fn set_longest(&self, arcs: u64) {
        let _ = self.longest.set(arcs);
    }
}

impl DeviceGraph {
    /// Makes a handle for a graph; nothing is copied yet.
    pub fn new(gpu: &Gpu, graph: &Graph) -> Self {
        Self { gpu: gpu.clone(), graph: graph.clone(), held: Mutex::default(), sampler: None }
    }

    /// Makes a handle for a graph whose rows are on the device already.
    pub(crate) fn with_rows(gpu: &Gpu, graph: &Graph, rows: HashMap<Side, DeviceRows>) -> Self {
        let device_graph = Self::new(gpu, graph);
        device_graph.held().rows = rows.into_iter().map(|(side, rows)| (side, Arc::new(rows))).collect();
        device_graph
    }

    /// Adds the weights of outgoing arcs, of this type, which are on the device already.
    pub(crate) fn with_weights(self, weights: Option<(ScalarType, Array<u8>)>) -> Self {
        if let Some((kind, weights)) = weights {
            self.held().weights.insert((Side::Out, kind), Arc::new(weights));
        }
        self
    }

    /// Adds seconds that copying to the device took before.
    pub(crate) fn spent(self, seconds: f64) -> Self {
        self.held().seconds += seconds;
        self
    }

    /// Samples accesses in all runs that go by tiles, for the order `sampled`: see [`crate::renumber`].
    pub fn sampled(mut self) -> Self {
        self.sampler = Some(Arc::new(Sampler::new(&self.graph)));
        self
    }

    /// Returns how far sampling has come; `None` where nothing is sampled. Call it between runs only.
    ///
    /// # Errors
    /// When the device fails.
    pub fn how_far(&self) -> Result<Option<Sampled>> {
        self.sampler.as_ref().map(|sampler| sampler.sampled()).transpose()
    }

    /// Stops sampling, for a reason.
    pub fn stop_sampling(&self, why: &str) {
        if let Some(sampler) = &self.sampler {
            sampler.stop(why);
        }
    }

    pub(crate) fn sampler(&self) -> Option<Arc<Sampler>> {
        self.sampler.clone()
    }

    /// True if the rows of a direction are on the device.
    pub(crate) fn has_rows(&self, side: Side) -> bool {
        self.held().rows.contains_key(&self.kept_side(side))
    }

    /// Drops everything that runs prepared, and weights.
    pub(crate) fn forget_prepared(&self) {
        let mut held = self.held();
        held.prepared = Prepared::default();
        held.weights.clear();
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Seconds spent so far on copying to the device.
    pub fn transfer_seconds(&self) -> f64 {
        self.held().seconds
    }

    /// True if anything of the graph is on the device.
    pub fn is_there(&self) -> bool {
        let held = self.held();
        !held.rows.is_empty() || !held.weights.is_empty() || held.originals.is_some()
    }

    /// Drops everything on the device; what a run still uses goes with the run. A later run copies it again.
    pub fn let_go(&self) {
        self.stop_sampling("the device had too little memory");
        let mut held = self.held();
        let Held { seconds, epoch, control, .. } = std::mem::take(&mut *held);
        *held = Held { seconds, epoch: epoch + 1, is_short: true, control, ..Held::default() };
    }

    /// Returns the seconds spent on, and the bytes taken by, what balances keep at the moment.
    pub fn kept_by_balances(&self) -> (f64, u64) {
        self.held().prepared.cost_of(BALANCES)
    }

    /// Records what later calls copy to the device on the timeline of this control.
    pub(crate) fn record_by(&self, control: &Control) {
        self.held().control = control.clone();
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if the graph had to leave the device for want of memory.
    pub(crate) fn is_short(&self) -> bool {
        self.held().is_short
    }

    /// True if incoming arcs are available at no extra cost.
    pub(crate) fn has_incoming(&self) -> bool {
        !self.graph.is_directed() || self.graph.has_incoming()
    }

    /// True if offsets are 64 bits wide. Both directions have the same number of arcs, so one answer does for both.
    pub(crate) fn is_wide(&self) -> bool {
        matches!(self.graph.out().csr.offsets(), Offsets::Wide(_))
    }

    /// Arcs of a direction on the host.
    pub(crate) fn host(&self, side: Side) -> Result<&Arcs> {
        match side {
            Side::Out => Ok(self.graph.out()),
            Side::In => Ok(self.graph.incoming()?),
        }
    }

    /// Returns the direction under whose name rows are held: those of an undirected graph are the same both ways.
    pub(crate) fn kept_side(&self, side: Side) -> Side {
        if self.graph.is_directed() { side } else { Side::Out }
    }

    /// Arcs of a direction on the device.
    pub(crate) fn rows(&self, side: Side) -> Result<Arc<DeviceRows>> {
        let side = self.kept_side(side);
        if let Some(rows) = self.held().rows.get(&side) {
            return Ok(Arc::clone(rows));
        }
        let csr = &self.host(side)?.csr;
        let mut held = self.held();
        let (start, _span) = (Instant::now(), held.control.span(Phase::Copying));
        let offsets = match csr.offsets() {
            Offsets::Wide(offsets) => self.copied::<u64, u8>(offsets, "offsets"),
            Offsets::Narrow(offsets) if self.is_wide() => {
                let wide: Vec<u64> = offsets.iter().map(|&offset| u64::from(offset)).collect();
                self.copied::<u64, u8>(&wide, "offsets")
            }
            Offsets::Narrow(offsets) => self.copied::<u32, u8>(offsets, "offsets"),
        }?;
        let (targets, longest) = (self.copied(csr.targets(), "arcs")?, OnceLock::new());
        let rows = Arc::new(DeviceRows { offsets, targets, longest });
        held.seconds += start.elapsed().as_secs_f64();
        held.rows.insert(side, Arc::clone(&rows));
        Ok(rows)
    }

    /// Returns what runs prepared in a slot with these options, or prepares it now by `make`.
    ///
    /// # Errors
    /// Those of `make`.
    pub(crate) fn prepared<T: Prepare>(
        &self,
        slot: T::Slot,
        options: T::Options,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<Arc<Made<T>>> {
        let epoch = self.held().epoch;
        if let Some(made) = self.held().prepared.get::<T>(slot, options, epoch) {
            return Ok(made);
        }
        // A value of other options makes room first.
        self.held().prepared.set::<T>(slot, None);
        let start = Instant::now();
        let made = Made { value: make()?, seconds: start.elapsed().as_secs_f64(), epoch };
        let made = Arc::new(made);
        self.held().prepared.set(slot, Some((options, Arc::clone(&made))));
        Ok(made)
    }

    /// True if a slot holds what a run would prepare with these options.
    pub(crate) fn has_prepared<T: Prepare>(&self, slot: T::Slot, options: T::Options) -> bool {
        let held = self.held();
        held.prepared.get::<T>(slot, options, held.epoch).is_some()
    }

    /// Returns the weights of a direction's arcs as a type; `make` gives them if they are not on the device yet.
    pub(crate) fn weights<T: Pod>(
        &self,
        side: Side,
        kind: ScalarType,
        make: impl FnOnce(&mut dyn FnMut(&[T]) -> Result<()>) -> Result<()>,
    ) -> Result<Arc<Array<u8>>> {
        let side = self.kept_side(side);
        if let Some(weights) = self.held().weights.get(&(side, kind)) {
            return Ok(Arc::clone(weights));
        }
        let mut copy = None;
        let control = self.held().control.clone();
        make(&mut |weights| {
            let (start, _span) = (Instant::now(), control.span(Phase::Copying));
            copy = Some(self.copied::<T, u8>(weights, "weights")?);
            self.held().seconds += start.elapsed().as_secs_f64();
            Ok(())
        })?;
        let array = Arc::new(copy.map_or_else(|| self.copied::<T, u8>(&[], "weights"), Ok)?);
        self.held().weights.insert((side, kind), Arc::clone(&array));
        Ok(array)
    }

    /// Returns an empty array for kernels that read no weights.
    pub(crate) fn no_weights(&self) -> Result<Arc<Array<u8>>> {
        self.weights::<u8>(Side::Out, ScalarType::Bool, |_| Ok(()))
    }

    /// Returns the original numbers of all vertices on the device, copied there when a run first asks for this map.
    pub(crate) fn originals(&self, map: &NodeMap) -> Result<Arc<Array<Vertex>>> {
        let mut held = self.held();
        if let Some((known, array)) = &held.originals
            && known.is_same(map)
        {
            return Ok(Arc::clone(array));
        }
        let (start, _span) = (Instant::now(), held.control.span(Phase::Copying));
        let array = Arc::new(self.copied::<Vertex, Vertex>(map.originals(), "original numbers")?);
        held.seconds += start.elapsed().as_secs_f64();
        held.originals = Some((map.clone(), Arc::clone(&array)));
        Ok(array)
    }

    fn copied<T: Pod, U: Pod>(&self, values: &[T], what: &str) -> Result<Array<U>> {
        self.gpu.array_of(bytemuck::cast_slice(values), what).map_err(lift)
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use crate::testing::simt;

    #[test]
    fn original_numbers_are_those_of_the_map_and_not_of_an_earlier_one_at_its_address() {
        const N: u32 = 64;
        let graph = Graph::from_edges(N as usize, &[], false).unwrap();
        let device_graph = DeviceGraph::new(&simt(), &graph);
        let mut addresses = std::collections::BTreeSet::new();
        for turn in 0..50 {
            // Dropped at the end of the turn: an allocator gives the same memory to the next map.
            let map = NodeMap::of_order((0..N).map(|v| (v + turn) % N).collect::<Vec<_>>()).unwrap();
            let mut seen = vec![0; N as usize];
            device_graph.originals(&map).unwrap().read(&mut seen).unwrap();
            assert_eq!(seen[..], map.originals()[..], "map {turn}");
            addresses.insert(map.originals().as_ptr() as usize);
        }
        assert!(addresses.len() < 50, "no address was used twice, so nothing was tested");
        let map = NodeMap::of_order((0..N).rev().collect::<Vec<_>>()).unwrap();
        let [one, two] = [&map, &map.clone()].map(|map| device_graph.originals(map).unwrap());
        assert!(Arc::ptr_eq(&one, &two), "a clone is the same map");
    }
}
