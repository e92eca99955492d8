//! [`DeviceGraph`]: a graph on a device. It copies arrays there when a run first needs them, and keeps them. What runs make
//! of the graph there beyond copies lies in [`prepared`].

mod claim;
mod loops;
mod prepared;

pub(crate) use claim::Claim;
pub(crate) use prepared::{BALANCES, Made, Prepare};

use crate::{
    arguments::Edges,
    edges::{Host, Layout, Stored, counted::Counts, hot::HotPages, streamed::longest_of},
    error::lift,
    machine::Machine,
    sampled::{Sampled, Sampler},
    several::Several,
};
use bytemuck::Pod;
use claim::Users;
use prepared::Prepared;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Instant,
};
use warpgraph_core::{Code, Options, Residency, Result, Transfer, program::ScalarType};
use warpgraph_device::{Address, Array, Gpu};
use warpgraph_graph::{
    Arcs, Buffer, Control, Csr, Graph, NodeMap, Offsets, Pages, Vertex, coded::coded_bytes, par,
    timeline::Phase, with_weights,
};

/// What the targets of arcs are called in messages.
const TARGETS: &str = "arcs";

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
    /// See [`DeviceGraph::coded_bytes`].
    coded_bytes: OnceLock<u64>,
    /// The arcs of the longest incoming row.
    longest_incoming: OnceLock<u64>,
    /// Samples accesses, for the order `sampled`.
    sampler: Option<Arc<Sampler>>,
    /// Set if the graph is a part of another one.
    section: Option<Section>,
    /// Set if the graph is also on other devices, in parts. Programs then run there.
    several: Option<Several>,
}

/// The incoming arcs of a part of a graph. They are not the transpose of its outgoing arcs: each direction has the rows of the
/// part's own vertices, and no others.
#[derive(Debug)]
struct Section {
    /// `None` if the rows of outgoing arcs are those of incoming arcs too.
    incoming: Option<Arcs>,
}

#[derive(Debug, Default)]
struct Held {
    rows: HashMap<Side, Arc<DeviceRows>>,
    weights: HashMap<(Side, ScalarType), Arc<Stored>>,
    /// Where edges are stored.
    layout: Option<Layout>,
    /// The runs that need it there.
    users: Users,
    /// The hot pages of a direction, if the layout has some.
    pages: HashMap<Side, Arc<HotPages>>,
    /// Counts what crosses the bus, while a run asks for it.
    counts: Option<Arc<Counts>>,
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
    targets: Stored,
    /// The same rows in host memory.
    host: Csr,
    /// Arcs of the longest row, once a run has counted them.
    longest: OnceLock<u64>,
}

impl DeviceRows {
    /// Of arrays that lie there; `host` has the same targets.
    pub(crate) fn new(offsets: Array<u8>, targets: Array<Vertex>, host: &Csr) -> Self {
        let (edges, bytes) = (Edges::plain(targets.address().cast()), targets.bytes());
        let targets = Stored::on_device(edges, Host::of(host.targets()), Box::new(targets), bytes);
        Self { offsets, targets, host: host.clone(), longest: OnceLock::new() }
    }

    /// Where the offsets lie, of the width that [`DeviceGraph::is_wide`] says.
    pub(crate) fn offsets(&self) -> Address<()> {
        self.offsets.address().cast()
    }

    /// Returns the targets as kernels read them.
    pub(crate) fn targets(&self) -> Edges {
        self.targets.edges()
    }

    /// Returns the same rows in host memory.
    pub(crate) fn host(&self) -> &Csr {
        &self.host
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
        Self {
            gpu: gpu.clone(),
            graph: graph.clone(),
            held: Mutex::default(),
            coded_bytes: OnceLock::new(),
            longest_incoming: OnceLock::new(),
            sampler: None,
            section: None,
            several: None,
        }
    }

    /// Makes a handle for a graph that several devices share: each has a part of it, and programs run on all of them. `gpus`
    /// may name a device more than once.
    pub fn several(gpus: &[Gpu], graph: &Graph) -> Self {
        let several = Some(Several::new(gpus, graph));
        Self { several, ..Self::new(&gpus[0], graph) }
    }

    /// Returns the devices that share the graph, if there are several.
    pub(crate) fn shared(&self) -> Option<&Several> {
        self.several.as_ref()
    }

    /// Makes a handle for a part of a graph, whose vertices are the places of the part. `incoming` are the incoming arcs of
    /// its own vertices; `None` if they are the outgoing ones.
    pub(crate) fn of_part(gpu: &Gpu, out: &Graph, incoming: Option<Arcs>) -> Self {
        Self { section: Some(Section { incoming }), ..Self::new(gpu, out) }
    }

    /// Makes a handle for a graph whose rows are on the device already.
    pub(crate) fn with_rows(gpu: &Gpu, graph: &Graph, rows: HashMap<Side, DeviceRows>) -> Self {
        let device_graph = Self::new(gpu, graph);
        let mut held = device_graph.held();
        held.rows = rows.into_iter().map(|(side, rows)| (side, Arc::new(rows))).collect();
        held.layout = Some(Layout::DEVICE);
        drop(held);
        device_graph
    }

    /// Adds the weights of outgoing arcs, of this type, which are on the device already.
    pub(crate) fn with_weights(self, weights: Option<(ScalarType, Array<u8>)>) -> Self {
        if let Some((kind, weights)) = weights {
            let host = with_weights!(&self.graph.out().weights, |w| Some(Host::of(w)), none: None);
            let (edges, bytes) = (Edges::plain(weights.address().cast()), weights.bytes());
            let stored = host.map(|host| Stored::on_device(edges, host, Box::new(weights), bytes));
            self.held().weights.extend(stored.map(|stored| ((Side::Out, kind), Arc::new(stored))));
        }
        self
    }

    /// Adds seconds that copying to the device took before.
    pub(crate) fn spent(self, seconds: f64) -> Self {
        self.held().seconds += seconds;
        self
    }

    /// Returns where edges are stored.
    pub(crate) fn layout(&self) -> Layout {
        self.held().layout.unwrap_or(Layout::DEVICE)
    }

    /// Returns where edges are stored; `None` if nothing of the graph is stored yet, and no run is about to store it.
    pub(crate) fn placed(&self) -> Option<Layout> {
        let held = self.held();
        held.layout.filter(|_| !held.rows.is_empty() || held.users.are_there())
    }

    /// Returns true if the graph is stored, and all of its edges are on the device.
    pub fn has_all_edges(&self) -> bool {
        let held = self.held();
        !held.rows.is_empty() && held.layout.is_some_and(|layout| layout.residency.is_on_device())
    }

    /// Returns the bytes of device memory that the edges, tables of pages and what runs prepared take now.
    pub(crate) fn device_bytes(&self) -> u64 {
        let held = self.held();
        let rows = held.rows.values().map(|rows| rows.offsets.bytes() + rows.targets.device_bytes());
        let weights = held.weights.values().map(|weights| weights.device_bytes());
        let pages = held.pages.values().map(|pages| pages.bytes());
        rows.chain(weights).chain(pages).sum::<u64>() + held.prepared.bytes()
    }

    /// Makes the kernels of the next run count what crosses the bus, or stops that.
    pub(crate) fn count(&self, machine: &Machine<'_>, on: bool) -> Result<()> {
        let mut held = self.held();
        let layout = held.layout.unwrap_or(Layout::DEVICE);
        held.counts = None;
        if on {
            held.counts = Some(Arc::new(Counts::new(machine, layout, self.graph.arcs() as u64)?));
        }
        let at = held.counted_at();
        held.rows.values().for_each(|rows| rows.targets.count_at(at));
        held.weights.values().for_each(|weights| weights.count_at(at));
        Ok(())
    }

    /// Returns what was counted since [`DeviceGraph::count`]; `None` if nothing is counted.
    pub(crate) fn counted(&self) -> Result<Option<Transfer>> {
        self.counts().map(|counts| counts.read()).transpose()
    }

    /// Returns the counters of the run that counts, if it is there.
    pub(crate) fn counts(&self) -> Option<Arc<Counts>> {
        self.held().counts.clone()
    }

    /// Moves managed pages back to the host.
    pub(crate) fn cool(&self) -> Result<()> {
        let held = self.held();
        held.rows.values().try_for_each(|rows| rows.targets.cool())?;
        held.weights.values().try_for_each(|weights| weights.cool())
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

    /// Drops everything on the device; what a run still uses goes with the run. A later run copies it again. A run that
    /// uses the graph now does so too, to the same places, and goes on counting.
    pub fn let_go(&self) {
        self.stop_sampling("the device had too little memory");
        let mut held = self.held();
        let left = Held { is_short: true, originals: None, ..held.left() };
        *held = if left.users.are_there() { left } else { Held { layout: None, counts: None, ..left } };
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
        self.section.is_some() || !self.graph.is_directed() || self.graph.has_incoming()
    }

    /// Returns true if the rows of outgoing arcs are those of incoming arcs too.
    pub(crate) fn is_symmetric(&self) -> bool {
        match &self.section {
            Some(section) => section.incoming.is_none(),
            None => !self.graph.is_directed(),
        }
    }

    /// True if offsets are 64 bits wide. Both directions have the same number of arcs, so one answer does for both.
    pub(crate) fn is_wide(&self) -> bool {
        matches!(self.graph.out().csr.offsets(), Offsets::Wide(_))
    }

    /// Arcs of a direction on the host.
    pub(crate) fn host(&self, side: Side) -> Result<&Arcs> {
        match side {
            Side::Out => Ok(self.graph.out()),
            Side::In => match &self.section {
                Some(section) => Ok(section.incoming.as_ref().unwrap_or(self.graph.out())),
                None => Ok(self.graph.incoming()?),
            },
        }
    }

    /// Returns the direction under whose name rows are held: those of an undirected graph are the same both ways.
    pub(crate) fn kept_side(&self, side: Side) -> Side {
        if self.is_symmetric() { Side::Out } else { side }
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
        let targets = self.stored(&mut held, side, Host::of(csr.targets()), TARGETS)?;
        let rows = Arc::new(DeviceRows { offsets, targets, host: csr.clone(), longest: OnceLock::new() });
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
    pub(crate) fn weights<T: Pod + Send + Sync>(
        &self,
        side: Side,
        kind: ScalarType,
        make: impl FnOnce(&mut dyn FnMut(&[T]) -> Result<()>) -> Result<()>,
    ) -> Result<Arc<Stored>> {
        let side = self.kept_side(side);
        if let Some(weights) = self.held().weights.get(&(side, kind)) {
            return Ok(Arc::clone(weights));
        }
        let (mut copy, graphs) = (None, &self.host(side)?.weights);
        make(&mut |weights| {
            // Weights of the graph itself are shared; converted ones need memory of their own.
            let is_graphs = |of: *const u8| std::ptr::eq(of, weights.as_ptr().cast());
            let own =
                with_weights!(graphs, |w| is_graphs(w.as_ptr().cast()).then(|| Host::of(w)), none: None);
            let host = match own {
                Some(host) => host,
                None => Host::of(&Buffer::from(owned(weights)?)),
            };
            let mut held = self.held();
            let (start, _span) = (Instant::now(), held.control.span(Phase::Copying));
            // One weight for all arcs has no pages.
            copy = Some(match weights.len() == self.graph.arcs() {
                true => self.stored(&mut held, side, host, "weights")?,
                false => self.stored_as(&held, Residency::DEVICE, None, host, "weights")?,
            });
            held.seconds += start.elapsed().as_secs_f64();
            Ok(())
        })?;
        let mut held = self.held();
        let none =
            || self.stored_as(&held, Residency::DEVICE, None, Host::of(&Buffer::<T>::default()), "weights");
        let array = Arc::new(copy.map_or_else(none, Ok)?);
        held.weights.insert((side, kind), Arc::clone(&array));
        Ok(array)
    }

    /// Returns the pages of a direction that are on the device; `None` if the layout has none.
    pub(crate) fn pages(&self, side: Side) -> Option<Arc<HotPages>> {
        self.held().pages.get(&self.kept_side(side)).map(Arc::clone)
    }

    /// Stores an array of all arcs of a direction by the layout.
    fn stored(&self, held: &mut Held, side: Side, host: Host, what: &str) -> Result<Stored> {
        let layout = held.layout.unwrap_or(Layout::DEVICE);
        let residency = layout.residency;
        let pages = match held.pages.get(&side) {
            Some(pages) if residency.has_pages() => Some(Arc::clone(pages)),
            _ if residency.has_pages() => {
                let pages = Arc::new(HotPages::new(&self.gpu, &self.host(side)?.csr, layout)?);
                held.pages.insert(side, Arc::clone(&pages));
                Some(pages)
            }
            _ => None,
        };
        if what == TARGETS && residency.code() == Code::EliasFano {
            let options = Options { control: held.control.clone(), ..Options::default() };
            let machine = Machine::new(&self.gpu, &options, "coding the edges");
            let csr = &self.host(side)?.csr;
            let stored = Stored::coded(&machine, csr.targets(), residency, pages.as_ref())?;
            stored.count_at(held.counted_at());
            return Ok(stored);
        }
        self.stored_as(held, residency, pages.as_ref(), host, what)
    }

    fn stored_as(
        &self,
        held: &Held,
        residency: Residency,
        pages: Option<&Arc<HotPages>>,
        host: Host,
        what: &str,
    ) -> Result<Stored> {
        let options = Options { control: held.control.clone(), ..Options::default() };
        let machine = Machine::new(&self.gpu, &options, "storing the edges");
        let stored = Stored::new(&machine, host, residency, pages, what)?;
        if !residency.is_on_device() {
            stored.count_at(held.counted_at());
        }
        Ok(stored)
    }

    /// Returns the bytes of the targets of a direction in code, with their table; for large graphs a little more.
    pub(crate) fn coded_bytes(&self) -> u64 {
        *self.coded_bytes.get_or_init(|| coded_size(self.graph.out().csr.targets()))
    }

    /// Returns the arcs of the longest row: of outgoing ones, or of both directions if `sides` is 2, which makes the incoming
    /// arcs.
    ///
    /// # Errors
    /// When the host's memory is short.
    pub(crate) fn longest_row(&self, sides: u64) -> Result<u64> {
        let outgoing = self.graph.counts().max_degree;
        if sides < 2 || !self.graph.is_directed() {
            return Ok(outgoing);
        }
        let csr = &self.host(Side::In)?.csr;
        Ok(outgoing.max(*self.longest_incoming.get_or_init(|| longest_of(csr))))
    }

    /// Returns an empty array for kernels that read no weights.
    pub(crate) fn no_weights(&self) -> Result<Arc<Stored>> {
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

/// Returns the bytes of targets in code. Of many targets, it codes samples, and adds a margin.
fn coded_size(targets: &[Vertex]) -> u64 {
    const WINDOW: usize = 1 << 15;
    const WINDOWS: usize = 256;
    if targets.len() <= 4 * WINDOW * WINDOWS {
        return coded_bytes(targets);
    }
    let step = targets.len() / WINDOWS;
    let bytes: u64 = (0..WINDOWS).map(|i| coded_bytes(&targets[i * step..i * step + WINDOW])).sum();
    let per_arc = bytes as f64 / (WINDOW * WINDOWS) as f64;
    (1.03 * per_arc * targets.len() as f64) as u64
}

/// Returns a copy of an array.
fn owned<T: Pod + Send + Sync>(values: &[T]) -> Result<Pages<T>> {
    let mut pages = Pages::scratch(values.len())?;
    par::parts_mut(&mut pages, par::FINE, |first, part| {
        part.copy_from_slice(&values[first..first + part.len()]);
    });
    Ok(pages)
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
