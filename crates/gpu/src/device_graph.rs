//! [`DeviceGraph`]: a graph on a device. Arrays are copied there when they are first needed and stay.

use crate::{
    advance::Kept,
    error::lift,
    label_propagation::ByWeight,
    sampled::{Sampled, Sampler},
};
use bytemuck::Pod;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Instant,
};
use warpgraph_core::{Balance, Result, program::ScalarType};
use warpgraph_device::{Address, Array, Gpu};
use warpgraph_graph::{Arcs, Graph, Offsets, Vertex};

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
    originals: Option<(usize, Arc<Array<Vertex>>)>,
    /// Arcs in the order of their weights, or of weights that are all 1.
    by_weight: HashMap<bool, Arc<ByWeight>>,
    /// What balances keep, the last that was asked for of each name.
    kept: HashMap<(Side, &'static str), (Balance, Arc<Kept>)>,
    /// Raised whenever the graph leaves the device.
    epoch: u64,
    /// It had to leave for want of memory: what only saves time is not kept.
    is_short: bool,
    seconds: f64,
}

/// The arcs of one direction on a device.
#[derive(Debug)]
pub(crate) struct DeviceRows {
    offsets: Array<u8>,
    targets: Array<Vertex>,
    /// Arcs of the longest, once somebody looked.
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

    /// How many the longest row has; `None` if nobody has looked yet.
    pub(crate) fn longest(&self) -> Option<u64> {
        self.longest.get().copied()
    }

    /// Somebody has.
    pub(crate) fn set_longest(&self, arcs: u64) {
        let _ = self.longest.set(arcs);
    }
}

impl DeviceGraph {
    /// Of a graph; nothing is copied yet.
    pub fn new(gpu: &Gpu, graph: &Graph) -> Self {
        Self { gpu: gpu.clone(), graph: graph.clone(), held: Mutex::default(), sampler: None }
    }

    /// Of a graph whose rows are there already.
    pub(crate) fn with_rows(gpu: &Gpu, graph: &Graph, rows: HashMap<Side, DeviceRows>) -> Self {
        let device_graph = Self::new(gpu, graph);
        device_graph.held().rows = rows.into_iter().map(|(side, rows)| (side, Arc::new(rows))).collect();
        device_graph
    }

    /// With its accesses sampled in all runs that go by tiles, for the order `sampled`: see [`crate::renumber`].
    pub fn sampled(mut self) -> Self {
        self.sampler = Some(Arc::new(Sampler::new(&self.graph)));
        self
    }

    /// How far sampling has come; `None` where nothing is sampled. Only between runs.
    ///
    /// # Errors
    /// When the device fails.
    pub fn how_far(&self) -> Result<Option<Sampled>> {
        self.sampler.as_ref().map(|sampler| sampler.sampled()).transpose()
    }

    /// Samples no more, for a reason.
    pub fn stop_sampling(&self, why: &str) {
        if let Some(sampler) = &self.sampler {
            sampler.stop(why);
        }
    }

    pub(crate) fn sampler(&self) -> Option<Arc<Sampler>> {
        self.sampler.clone()
    }

    /// Are the rows of a direction on the device?
    pub(crate) fn has_rows(&self, side: Side) -> bool {
        self.held().rows.contains_key(&self.kept_side(side))
    }

    /// Lets go of what balances keep, and of weights.
    pub(crate) fn forget_kept(&self) {
        let mut held = self.held();
        held.kept.clear();
        held.by_weight.clear();
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

    /// Is anything of the graph on the device?
    pub fn is_there(&self) -> bool {
        let held = self.held();
        !held.rows.is_empty() || !held.weights.is_empty() || held.originals.is_some()
    }

    /// Lets go of all that is on the device; what a run still uses goes with the run. It is copied again when it is needed.
    pub fn let_go(&self) {
        self.stop_sampling("the device had too little memory");
        let mut held = self.held();
        *held = Held { seconds: held.seconds, epoch: held.epoch + 1, is_short: true, ..Held::default() };
    }

    /// Seconds spent on, and bytes taken by, what balances keep at the moment.
    pub fn kept_by_balances(&self) -> (f64, u64) {
        let held = self.held();
        held.kept.values().fold((0.0, 0), |(s, b), (_, kept)| (s + kept.seconds, b + kept.bytes))
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Was memory short once?
    pub(crate) fn is_short(&self) -> bool {
        self.held().is_short
    }

    /// Does incoming arcs' being there cost nothing more?
    pub(crate) fn has_incoming(&self) -> bool {
        !self.graph.is_directed() || self.graph.has_incoming()
    }

    /// Are offsets 64 bits wide? Both directions have the same number of arcs, so one answer does.
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

    /// The direction under whose name arcs are kept: an undirected graph's are the same both ways.
    fn kept_side(&self, side: Side) -> Side {
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
        let start = Instant::now();
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

    /// What a balance keeps of the rows of a direction, which `make` gives for rows and epoch if it is not there.
    pub(crate) fn kept(
        &self,
        side: Side,
        balance: Balance,
        make: impl FnOnce(&DeviceRows, u64) -> Result<Kept>,
    ) -> Result<Arc<Kept>> {
        let side = self.kept_side(side);
        let rows = self.rows(side)?;
        let (epoch, key) = (self.held().epoch, (side, balance.name()));
        match self.held().kept.get(&key) {
            Some((known, kept)) if *known == balance && kept.epoch == epoch => return Ok(Arc::clone(kept)),
            _ => {}
        }
        // Another threshold: the old table makes room first.
        self.held().kept.remove(&key);
        let kept = Arc::new(make(&rows, epoch)?);
        self.held().kept.insert(key, (balance, Arc::clone(&kept)));
        Ok(kept)
    }

    /// Is what a balance keeps of the rows of a direction there?
    pub(crate) fn keeps(&self, side: Side, balance: Balance) -> bool {
        let held = self.held();
        let known = held.kept.get(&(self.kept_side(side), balance.name()));
        known.is_some_and(|(known, kept)| *known == balance && kept.epoch == held.epoch)
    }

    /// The weights of a direction's arcs as a type, which `make` gives if they are not there yet.
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
        make(&mut |weights| {
            let start = Instant::now();
            copy = Some(self.copied::<T, u8>(weights, "weights")?);
            self.held().seconds += start.elapsed().as_secs_f64();
            Ok(())
        })?;
        let array = Arc::new(copy.map_or_else(|| self.copied::<T, u8>(&[], "weights"), Ok)?);
        self.held().weights.insert((side, kind), Arc::clone(&array));
        Ok(array)
    }

    /// What stands for weights where none are wanted.
    pub(crate) fn no_weights(&self) -> Result<Arc<Array<u8>>> {
        self.weights::<u8>(Side::Out, ScalarType::Bool, |_| Ok(()))
    }

    /// The original numbers of all vertices on the device.
    pub(crate) fn originals(&self, originals: &[Vertex]) -> Result<Arc<Array<Vertex>>> {
        let mut held = self.held();
        let key = originals.as_ptr() as usize;
        if let Some((known, array)) = &held.originals
            && *known == key
        {
            return Ok(Arc::clone(array));
        }
        let start = Instant::now();
        let array = Arc::new(self.copied::<Vertex, Vertex>(originals, "original numbers")?);
        held.seconds += start.elapsed().as_secs_f64();
        held.originals = Some((key, Arc::clone(&array)));
        Ok(array)
    }

    /// The arcs around every vertex in increasing order of weights, which `make` gives if they are not there yet; `weighted` or by weights
    /// that are all 1.
    pub(crate) fn by_weight(
        &self,
        weighted: bool,
        make: impl FnOnce() -> Result<ByWeight>,
    ) -> Result<Arc<ByWeight>> {
        if let Some(known) = self.held().by_weight.get(&weighted) {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(make()?);
        self.held().by_weight.insert(weighted, Arc::clone(&made));
        Ok(made)
    }

    fn copied<T: Pod, U: Pod>(&self, values: &[T], what: &str) -> Result<Array<U>> {
        self.gpu.array_of(bytemuck::cast_slice(values), what).map_err(lift)
    }
}
