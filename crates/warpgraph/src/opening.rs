//! [`Opened`]: a graph that was read for an engine, straight onto the engine's GPU where that is possible.
//!
//! A `.wg` file that will be used on a GPU travels there while it is read, and the GPU checks it ([`warpgraph_gpu::open`]).
//! Every other graph is read and checked by the processor, and a run copies it to the GPU when it needs it there.

use crate::{Device, Engine, Loaded, WORTH_ARCS};
use std::{fmt, path::Path, sync::Arc};
use warpgraph_core::{Accepted, Error, Options, Order, Plan, Residency, Result};
use warpgraph_device::{Gpu, Source};
use warpgraph_gpu::{DeviceGraph, Outline, ahead};
use warpgraph_graph::{
    Control, Graph, ReadOptions,
    format::wg::{self, Pending},
    timeline::Phase,
};

/// A graph that [`Engine::read`] has read.
#[derive(Debug)]
pub struct Opened {
    graph: Graph,
    /// The graph in the order of its file, on the engine's GPU.
    device_graph: Option<DeviceGraph>,
}

impl Opened {
    /// Returns the graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns true if the graph is on the engine's GPU already.
    pub fn is_on_gpu(&self) -> bool {
        self.device_graph.is_some()
    }
}

/// What a graph is read for.
#[derive(Clone, Copy, Default)]
pub struct Purpose<'a> {
    /// The order that [`Engine::load_opened`] will be called with.
    pub order: Option<Order>,
    /// Which devices accept the question; `None` if it is not known yet.
    pub accepted: Option<&'a Accepted>,
    /// The plan that runs will have. If it names a residency, the edges stay where they are until a run stores them so.
    pub plan: Plan,
    /// Returns the modules that the question will need on a GPU, such as [`Question::ahead`](crate::Question::ahead). They
    /// are compiled while the graph is read and travels.
    pub modules: Option<&'a Modules<'a>>,
}

/// Returns modules for a graph of which only the outline is known.
pub type Modules<'a> = dyn Fn(&Outline) -> Result<Vec<Arc<Source>>> + Sync + 'a;

impl fmt::Debug for Purpose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { order, accepted, plan, modules } = self;
        let mut text = f.debug_struct("Purpose");
        text.field("order", order).field("accepted", accepted).field("plan", plan);
        text.field("modules", &modules.is_some()).finish()
    }
}

impl Purpose<'_> {
    /// Returns true if runs will find plain edges in device memory, as far as the plan tells.
    fn is_plain(&self) -> bool {
        self.plan.residency.is_none_or(|residency| residency == Residency::DEVICE)
    }
}

impl Engine {
    /// Reads the graph in a file, as [`Graph::open_with`] does, and prepares it for runs on this engine. If the runs will be
    /// on a GPU and the file is a `.wg` file, this function copies the arrays to the GPU, which then checks them.
    ///
    /// ```
    /// use warpgraph::{Bfs, Control, Engine, Graph, Purpose};
    ///
    /// # fn main() -> Result<(), warpgraph::Error> {
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("road.wg");
    /// # Graph::from_edges(3, &[(0, 1), (1, 2)], false)?.write(&path, &Default::default(), &Control::new())?;
    /// let (engine, control) = (Engine::auto()?, Control::new());
    /// let opened = engine.read(&path, &Default::default(), Purpose::default(), &control)?;
    /// let loaded = engine.load_opened(opened, None, 0, &control)?;
    /// assert_eq!(loaded.bfs(Bfs::from(0)).run()?.distance(2), Some(2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The same as [`Graph::open_with`]; also when a GPU that the engine was asked for by name cannot be used.
    pub fn read(
        &self,
        path: impl AsRef<Path>,
        options: &ReadOptions,
        purpose: Purpose<'_>,
        control: &Control,
    ) -> Result<Opened> {
        let path = path.as_ref();
        if self.device() != Device::Cpu
            && let Some(file) = wg::File::in_place(path, options, control)?
        {
            let file = file.pending()?;
            let onto_gpu = match self.expects_gpu(&file, purpose) {
                true => self.read_onto_gpu(file, purpose, control),
                false => Ok(Err(file)),
            };
            match onto_gpu {
                Ok(Ok(opened)) => return Ok(opened),
                Ok(Err(file)) => {
                    self.ready()?;
                    let graph = self.install(|| file.check(control))?;
                    return self.adopt(graph, purpose);
                }
                // The run meets the same trouble again, and says what it means.
                Err(Error::Device { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        self.ready()?;
        let graph = self.install(|| Graph::open_with(path, options, control))?;
        self.adopt(graph, purpose)
    }

    /// Takes a graph that was read or generated elsewhere. If runs will be on a GPU, starts to compile for them.
    ///
    /// # Errors
    /// None that a user can cause.
    pub fn adopt(&self, graph: Graph, purpose: Purpose<'_>) -> Result<Opened> {
        if self.is_for_gpu(graph.arcs() as u64, purpose) && self.may_hold(plain_bytes(&graph)) {
            self.compile_for(&Outline::of(&graph), purpose, Vec::new())?;
        }
        Ok(Opened { graph, device_graph: None })
    }

    /// Copies the arrays of a file to the GPU and lets the GPU check them. Returns the file unread if there is no GPU, or if
    /// the GPU has too little free memory.
    fn read_onto_gpu(
        &self,
        file: Pending,
        purpose: Purpose<'_>,
        control: &Control,
    ) -> Result<Result<Opened, Pending>> {
        let outline = Outline::of_file(&file);
        self.compile_for(&outline, purpose, vec![ahead::opening(outline.wide)?])?;
        let options = Options { control: control.clone(), ..Options::default() };
        let bytes = file_bytes(&file);
        let has_room = |gpu: &&Gpu| gpu.memory().is_ok_and(|memory| bytes <= memory.free);
        let find = || {
            let _span = control.span(Phase::Waiting);
            self.working_gpu().filter(has_room)
        };
        let _turn = self.turn();
        let opened = self.install(|| warpgraph_gpu::open(find, file, &options))?;
        Ok(opened.map(|(graph, device_graph)| Opened { graph, device_graph: Some(device_graph) }))
    }

    /// Returns true if runs will use this file on a GPU, in the order that it has or in one that the GPU makes.
    fn expects_gpu(&self, file: &Pending, purpose: Purpose<'_>) -> bool {
        let is_kept = match purpose.order {
            None => true,
            Some(order) => matches!(order, Order::Natural | Order::Degree) && !file.is_reordered(),
        };
        // Several GPUs each get a part of the graph, cut from host memory.
        let is_one = self.device().several().is_none();
        let may_hold = is_one && purpose.is_plain() && self.may_hold(file_bytes(file));
        is_kept && may_hold && self.is_for_gpu(file.targets().len() as u64, purpose)
    }

    /// Returns true if runs on a graph with so many arcs will be on a GPU, as far as is known before they start.
    pub(crate) fn is_for_gpu(&self, arcs: u64, purpose: Purpose<'_>) -> bool {
        let is_worth = arcs >= WORTH_ARCS;
        match purpose.accepted {
            _ if self.device() != Device::Auto => self.device().is_gpu(),
            Some(accepted) if accepted.cpu_refusal.is_some() => true,
            Some(accepted) => accepted.gpu_refusal.is_none() && is_worth,
            None => is_worth,
        }
    }

    /// Starts to compile `first`, then what the question will need. Modules for a residency that the plan names depend on
    /// what the run decides, so that they are compiled in the run.
    fn compile_for(&self, outline: &Outline, purpose: Purpose<'_>, first: Vec<Arc<Source>>) -> Result<()> {
        let modules = purpose.modules.filter(|_| purpose.is_plain());
        let modules = modules.map(|modules| modules(outline)).transpose()?;
        let sources: Vec<_> = first.into_iter().chain(modules.into_iter().flatten()).collect();
        if !sources.is_empty() {
            self.compile_ahead(sources);
        }
        Ok(())
    }

    /// Prepares a graph that [`Engine::read`] has read for runs: in `order`, or for `None` in the order of its file.
    ///
    /// # Errors
    /// The same as [`Engine::load_with`] and [`Engine::load_as_stored`].
    pub fn load_opened(
        &self,
        opened: Opened,
        order: Option<Order>,
        seed: u64,
        control: &Control,
    ) -> Result<Loaded> {
        let Opened { graph, device_graph } = opened;
        let loaded = match order {
            Some(order) => Loaded::in_order(self, &graph, order, seed, control, device_graph.as_ref())?,
            None => self.load_as_stored(&graph)?,
        };
        if let Some(device_graph) = device_graph {
            loaded.is_on_device(device_graph);
        }
        Ok(loaded)
    }
}

/// Returns the bytes of the arrays that travel to a GPU.
fn file_bytes(file: &Pending) -> u64 {
    file.arrays().iter().map(|array| array.len() as u64).sum()
}

/// Returns the bytes of offsets and targets at least, which every run needs.
fn plain_bytes(graph: &Graph) -> u64 {
    4 * (graph.vertices() as u64 + graph.arcs() as u64)
}
