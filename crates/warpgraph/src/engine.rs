//! [`Engine`]: a device and threads, ready to work.

use crate::{Choice, Device, Loaded, accelerator::Accelerator, ordering, worth};
use std::sync::{Arc, MutexGuard};
use warpgraph_core::{DEFAULT_SEED, Error, Order, Plan, Result};
use warpgraph_device::{Gpu, Settings};
use warpgraph_graph::{Control, Graph};
use warpgraph_transform::Transformed;

/// A device and its threads; a clone shares them. Two engines share nothing.
///
/// ```
/// use warpgraph::{Answer, Bfs, Device, Engine, Graph, Order};
///
/// # fn main() -> Result<(), warpgraph::Error> {
/// let graph = Graph::from_edges(3, &[(0, 1), (1, 2)], false)?;
/// let engine = Engine::on(Device::Cpu, Some(2))?;
/// let answer = engine.load(&graph, Order::Natural)?.bfs(Bfs::from(0)).run()?;
/// assert_eq!((answer.run().device.as_str(), answer.run().threads), ("cpu", 2));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Engine {
    device: Device,
    pool: Arc<rayon::ThreadPool>,
    gpu: Arc<Accelerator>,
}

impl Engine {
    /// The first GPU for runs that are worth it, the processor with all its cores for all others. No GPU is looked for
    /// before a run that is worth one.
    ///
    /// # Errors
    /// When the system gives no threads; never for want of a GPU.
    pub fn auto() -> Result<Self> {
        Self::on(Device::Auto, None)
    }

    /// A device, with this many threads of the processor (`None`: one a core).
    ///
    /// # Errors
    /// When the system gives no threads, `threads` is 0, or a GPU that was asked for by name cannot be used.
    pub fn on(device: Device, threads: Option<usize>) -> Result<Self> {
        Self::with(device, threads, Settings::default())
    }

    /// [`Engine::on`], with how its GPU is used: where compiled kernels are cached, a folder that their text is written to, a budget
    /// of memory, and who is told that a kernel is being compiled. Nothing of that concerns the processor.
    ///
    /// ```
    /// use warpgraph::{Device, Engine, Settings};
    ///
    /// # fn main() -> Result<(), warpgraph::Error> {
    /// let settings = Settings { memory_budget: Some(4 << 30), ..Settings::default() };
    /// let engine = Engine::with(Device::Auto, None, settings)?;
    /// assert_eq!(engine.device().to_string(), "auto");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Engine::on`].
    pub fn with(device: Device, threads: Option<usize>, settings: Settings) -> Result<Self> {
        let engine = Self::new(device, threads, Accelerator::new(device, settings))?;
        if engine.is_gpu() {
            engine.gpu.open().map_err(|error| again(error))?;
        }
        Ok(engine)
    }

    /// A GPU that was opened elsewhere, such as a simulator with a seed of its own.
    ///
    /// # Errors
    /// When the system gives no threads, `threads` is 0, or the label of the GPU is none that [`Device`] has.
    pub fn of(gpu: Gpu, threads: Option<usize>) -> Result<Self> {
        let device = gpu.properties().label.parse()?;
        Self::new(device, threads, Accelerator::of(gpu, device))
    }

    pub(crate) fn new(device: Device, threads: Option<usize>, gpu: Accelerator) -> Result<Self> {
        let refuse = |what: String| Error::Refused { what, help: "ask for 1 thread or more".to_owned() };
        if threads == Some(0) {
            return Err(refuse("0 threads cannot work".to_owned()));
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.unwrap_or(0))
            .thread_name(|i| format!("warpgraph-{i}"))
            .build()
            .map_err(|e| refuse(format!("cannot start threads: {e}")))?;
        Ok(Self { device, pool: Arc::new(pool), gpu: Arc::new(gpu) })
    }

    /// The device that was asked for; but for [`Device::Auto`] its text is the label that runs report.
    pub fn device(&self) -> Device {
        self.device
    }

    /// Its threads of the processor.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Its GPU, if it has one and has looked for it.
    pub fn gpu(&self) -> Option<&Gpu> {
        self.gpu.get()
    }

    /// Why its GPU cannot be used; `None` if it can, or was not looked for yet.
    ///
    /// ```
    /// use warpgraph::Engine;
    ///
    /// # fn main() -> Result<(), warpgraph::Error> {
    /// let engine = Engine::auto()?;
    /// assert!(engine.gpu().is_none() && engine.why_no_gpu().is_none(), "nothing was worth a look");
    /// # Ok(())
    /// # }
    /// ```
    pub fn why_no_gpu(&self) -> Option<&Error> {
        self.gpu.problem()
    }

    /// Refuses, before a graph is there, what no run on this engine could do. For [`Device::Auto`] a plan that only GPUs take
    /// makes it look for one.
    ///
    /// # Errors
    /// [`Error::Refused`] naming the pair and why.
    pub fn check(&self, algorithm: &str, plan: Plan, order: Order, deterministic: bool) -> Result<()> {
        self.device.check(algorithm, plan, order, deterministic)?;
        match (self.device, plan.check(algorithm, "cpu", order, deterministic)) {
            (Device::Auto, Err(refusal)) => worth::only_gpu(refusal, &self.gpu).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Runs something, such as reading a graph, on this engine's threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        /// Compiled once, and not for every `work`.
        fn run(pool: &rayon::ThreadPool, work: &mut (dyn FnMut() + Send)) {
            pool.install(work);
        }
        let (mut work, mut done) = (Some(work), None);
        run(&self.pool, &mut || done = work.take().map(|work| work()));
        match done {
            Some(done) => done,
            None => unreachable!("the pool calls the work once"),
        }
    }

    /// Makes a graph ready to be asked, its vertices numbered in an order. What is asked and answered stays in original
    /// ids. Nothing is copied to a GPU before a run needs it.
    ///
    /// # Errors
    /// When memory is short.
    pub fn load(&self, graph: &Graph, order: Order) -> Result<Loaded> {
        self.load_with(graph, order, DEFAULT_SEED, &Control::new())
    }

    /// [`Engine::load`] with the seed of an order that is drawn, and a handle to stop the reordering.
    ///
    /// # Errors
    /// As [`Engine::load`], and what `control` asks for.
    pub fn load_with(&self, graph: &Graph, order: Order, seed: u64, control: &Control) -> Result<Loaded> {
        Loaded::in_order(self, graph, order, seed, control)
    }

    /// The graph with its vertices in an order; what [`Engine::load_with`] runs on.
    ///
    /// # Errors
    /// As [`Engine::load_with`].
    pub fn reorder(&self, graph: &Graph, order: Order, seed: u64, control: &Control) -> Result<Transformed> {
        ordering::with_means(self, graph, (order, seed), control, |means| {
            warpgraph_transform::reorder(graph, order, means)
        })
    }

    /// [`Engine::load`] in the order that the graph is stored in: the natural one, unless its file was reordered.
    ///
    /// # Errors
    /// When the stored order has a name that this version does not know.
    pub fn load_as_stored(&self, graph: &Graph) -> Result<Loaded> {
        Loaded::as_stored(self, graph)
    }

    /// Where a run goes: the GPU, or `None` for the processor; and why, if that was left to the engine.
    ///
    /// # Errors
    /// When that device does not take algorithm and plan.
    pub(crate) fn place(&self, asked: &worth::Asked<'_>) -> Result<(Option<&Gpu>, Option<Choice>)> {
        if self.device == Device::Auto {
            return worth::decide(asked, &self.gpu).map(|(gpu, choice)| (gpu, Some(choice)));
        }
        (asked.check)(&self.device.to_string())?;
        match self.is_gpu() {
            true => self.gpu.open().map(|gpu| (Some(gpu), None)).map_err(|error| again(error)),
            false => Ok((None, None)),
        }
    }

    /// Waits for the run that is on the GPU. A caller on one of the engine's own threads does not wait: the run waited for
    /// may need that thread to come to its end.
    pub(crate) fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        self.pool.current_thread_index().is_none().then(|| self.gpu.turn())
    }

    /// Uses the processor from now on, since the GPU failed.
    pub(crate) fn give_up_gpu(&self, error: &Arc<Error>) {
        self.gpu.give_up(error);
    }

    fn is_gpu(&self) -> bool {
        matches!(self.device, Device::Cuda(_) | Device::Simt)
    }
}

/// A device's error once more: it stays with the engine.
fn again(error: &Error) -> Error {
    let (kind, what, help) = (error.kind(), error.to_string(), error.help().unwrap_or_default());
    Error::Device { kind, what, help }
}
