//! [`Engine`]: a device and a thread pool that runs use.

use crate::{
    Choice, Loaded,
    accelerator::{Accelerator, Opening},
    ordering, worth,
};
use std::sync::{Arc, MutexGuard};
use warpgraph_core::{Accepted, DEFAULT_SEED, Device, DeviceTrouble, Error, Order, Residency, Result};
use warpgraph_device::{Gpu, Settings, Source};
use warpgraph_graph::{Control, Graph};
use warpgraph_transform::Transformed;

/// The most threads that an engine starts per processor. More gain nothing, and thousands bring the machine to a halt.
const THREADS_PER_PROCESSOR: usize = 8;

/// A device and its CPU threads. Clones share both; two engines share nothing.
///
/// ```
/// use warpgraph::{Answer, Bfs, Device, Engine, Graph, Order};
///
/// # fn main() -> Result<(), warpgraph::Error> {
/// let graph = Graph::from_edges(3, &[(0, 1), (1, 2)], false)?;
/// let engine = Engine::on(Device::Cpu, Some(2))?;
/// let answer = engine.load(&graph, Order::Natural)?.bfs(Bfs::from(0)).run()?;
/// assert_eq!((answer.run().device, answer.run().threads), (Device::Cpu, 2));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Engine {
    device: Device,
    pool: Arc<rayon::ThreadPool>,
    gpu: Arc<Accelerator>,
    /// The last handle to the engine waits for the thread that opens the GPU.
    _opening: Arc<Opening>,
}

impl Engine {
    /// Returns an engine that uses the first GPU for runs large enough to gain from it, and all CPU cores for the
    /// others. It does not look for a GPU before such a run.
    ///
    /// # Errors
    /// When the system gives no threads. A missing GPU is not an error.
    pub fn auto() -> Result<Self> {
        Self::on(Device::Auto, None)
    }

    /// Returns an engine on this device, with this many CPU threads (`None`: one per core).
    ///
    /// # Errors
    /// When the system gives no threads, `threads` is 0 or more than 8 per processor, or `device` names a GPU that cannot
    /// be used.
    pub fn on(device: Device, threads: Option<usize>) -> Result<Self> {
        Self::with(device, threads, Settings::default())
    }

    /// Returns an engine as [`Engine::on`] does, with settings for its GPU: where compiled kernels are cached, a folder
    /// that receives their source, a memory budget, and a callback for when a kernel is being compiled. None of them
    /// affects the CPU.
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
    /// The same as [`Engine::on`].
    pub fn with(device: Device, threads: Option<usize>, settings: Settings) -> Result<Self> {
        let engine = Self::new(device, threads, Accelerator::new(device, settings))?;
        engine.ready()?;
        Ok(engine)
    }

    /// Returns an engine as [`Engine::with`] does, but does not wait for a GPU that `device` names: opening it takes a
    /// quarter of a second, in which [`Engine::read`] can do other work. If the GPU cannot be used, [`Engine::ready`]
    /// says so, and so does every call that needs it.
    ///
    /// # Errors
    /// The same as [`Engine::with`], except for those of the GPU.
    pub fn begin(device: Device, threads: Option<usize>, settings: Settings) -> Result<Self> {
        let engine = Self::new(device, threads, Accelerator::new(device, settings))?;
        let opening = if device.is_gpu() { engine.gpu.open_ahead() } else { Opening::default() };
        Ok(Self { _opening: Arc::new(opening), ..engine })
    }

    /// Waits until a GPU that the engine was asked for by name is open.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn ready(&self) -> Result<()> {
        match self.is_gpu() {
            true => self.gpu.open().map(drop).map_err(|error| again(error)),
            false => Ok(()),
        }
    }

    /// Returns an engine on a GPU that the caller has opened, such as a simulator with its own seed.
    ///
    /// # Errors
    /// When the system gives no threads, `threads` is 0 or more than 8 per processor, or the label of the GPU is not that
    /// of a [`Device`].
    pub fn of(gpu: Gpu, threads: Option<usize>) -> Result<Self> {
        let device = gpu.properties().label.parse()?;
        Self::new(device, threads, Accelerator::of(gpu, device))
    }

    /// Returns an engine on several GPUs that the caller has opened. Each gets a part of every graph.
    ///
    /// # Errors
    /// When there are fewer than two or more than [`Group::MOST`](crate::Group::MOST) GPUs, or GPUs of two kinds; otherwise as
    /// [`Engine::of`].
    pub fn of_several(gpus: Vec<Gpu>, threads: Option<usize>) -> Result<Self> {
        let labels: Vec<&str> = gpus.iter().map(|gpu| gpu.properties().label.as_str()).collect();
        let device: Device = labels.join(",").parse()?;
        match device.several() {
            Some(_) => Self::new(device, threads, Accelerator::of_all(gpus, device)),
            None => Err(Error::Refused {
                what: format!("{} is one GPU", labels.join(",")),
                help: "use Engine::of for a single GPU".to_owned(),
            }),
        }
    }

    pub(crate) fn new(device: Device, threads: Option<usize>, gpu: Accelerator) -> Result<Self> {
        let most = most_threads();
        let refuse = |what: String| Error::Refused { what, help: format!("ask for 1 to {most} threads") };
        match threads {
            Some(0) => return Err(refuse("0 threads cannot work".to_owned())),
            Some(threads) if threads > most => {
                let per = THREADS_PER_PROCESSOR;
                return Err(refuse(format!("{threads} threads are more than {per} per processor")));
            }
            _ => (),
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.unwrap_or(0))
            .thread_name(|i| format!("warpgraph-{i}"))
            .build()
            .map_err(|e| refuse(format!("cannot start threads: {e}")))?;
        Ok(Self { device, pool: Arc::new(pool), gpu: Arc::new(gpu), _opening: Arc::default() })
    }

    /// Returns the device given at creation. Except for [`Device::Auto`], its text is the label that runs report.
    pub fn device(&self) -> Device {
        self.device
    }

    /// Returns the number of CPU threads.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Opens the GPU, also on [`Device::Auto`]. Returns `None` if no GPU can be used, or if the engine is on the CPU.
    pub fn look_for_gpu(&self) -> Option<&Gpu> {
        self.gpu.open().ok()
    }

    /// Returns the GPU if the engine has opened it; does not look for one.
    pub fn gpu(&self) -> Option<&Gpu> {
        self.gpu.get()
    }

    /// Returns all GPUs of this engine, at least one, and opens them if needed.
    ///
    /// # Errors
    /// When one of them cannot be used.
    pub(crate) fn gpus(&self) -> Result<&[Gpu]> {
        self.gpu.all().map_err(|error| again(error))
    }

    /// Returns why the GPU cannot be used; `None` if it can, or if the engine has not looked for it yet.
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

    /// Opens a GPU if only a GPU accepts the algorithm and plan. Callers use it to fail before they read a graph.
    ///
    /// # Errors
    /// [`Error::Refused`] with the CPU's reason when no GPU can be used.
    pub fn expect(&self, accepted: &Accepted) -> Result<()> {
        match &accepted.cpu_refusal {
            Some(refusal) => worth::only_gpu(refusal, &self.gpu).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Runs `work`, such as reading a graph, on this engine's threads.
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

    /// Prepares a graph for runs, with its vertices renumbered in `order`. Questions and answers use the original ids.
    /// The graph is copied to a GPU only when a run needs it there, or to order it by degree on the GPU of an engine that
    /// names one.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn load(&self, graph: &Graph, order: Order) -> Result<Loaded> {
        self.load_with(graph, order, DEFAULT_SEED, &Control::new())
    }

    /// Loads as [`Engine::load`] does, with a seed for randomised orders and a handle that can stop the reordering.
    ///
    /// # Errors
    /// The same as [`Engine::load`], and when `control` stops it.
    pub fn load_with(&self, graph: &Graph, order: Order, seed: u64, control: &Control) -> Result<Loaded> {
        Loaded::in_order(self, graph, order, seed, control, None)
    }

    /// Returns the graph with its vertices renumbered in `order`, as [`Engine::load_with`] uses it.
    ///
    /// # Errors
    /// The same as [`Engine::load_with`].
    pub fn reorder(&self, graph: &Graph, order: Order, seed: u64, control: &Control) -> Result<Transformed> {
        ordering::with_means(self, graph, (order, seed), control, |means| {
            warpgraph_transform::reorder(graph, order, means)
        })
    }

    /// Loads as [`Engine::load`] does, in the order stored with the graph: natural, unless its file was reordered.
    ///
    /// # Errors
    /// When this version does not know the name of the stored order.
    pub fn load_as_stored(&self, graph: &Graph) -> Result<Loaded> {
        Loaded::as_stored(self, graph)
    }

    /// Returns where a run goes: the GPU, or `None` for the CPU. Under [`Device::Auto`] it also returns the reason.
    ///
    /// # Errors
    /// When only a GPU accepts the question and there is none, or when the GPU given by name fails.
    pub(crate) fn place(&self, asked: &worth::Asked<'_>) -> Result<(Option<&Gpu>, Option<Choice>)> {
        if self.device == Device::Auto {
            return worth::decide(asked, &self.gpu).map(|(gpu, choice)| (gpu, Some(choice)));
        }
        match self.is_gpu() {
            true => self.gpu.open().map(|gpu| (Some(gpu), None)).map_err(|error| again(error)),
            false => Ok((None, None)),
        }
    }

    /// Waits until no other run is on the GPU. A caller on one of the engine's own threads does not wait, because the
    /// other run may need that thread to finish.
    pub(crate) fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        self.pool.current_thread_index().is_none().then(|| self.gpu.turn())
    }

    /// Leaves the GPU open until the process ends, for a program that is about to end: closing the context of a GPU takes
    /// 70 ms, and the system does it anyway.
    pub fn leave_open(&self) {
        self.gpu.leave_open();
    }

    /// Returns true if the memory budget of the GPU, if there is one, holds this many bytes.
    pub(crate) fn may_hold(&self, bytes: u64) -> bool {
        self.gpu.may_hold(bytes)
    }

    /// Returns true if edges stored so must fit the memory of the GPU.
    pub(crate) fn must_fit(&self, residency: Residency) -> bool {
        match residency {
            Residency::Unified { .. } => !self.gpu.oversubscribes(),
            residency => residency.is_on_device(),
        }
    }

    /// Starts to compile modules that a run on the GPU will ask for.
    pub(crate) fn compile_ahead(&self, sources: Vec<Arc<Source>>) {
        self.gpu.compile_ahead(sources);
    }

    /// Returns the GPU of this engine, which it opens if needed; `None` if there is none or it has failed.
    pub(crate) fn working_gpu(&self) -> Option<&Gpu> {
        self.gpu.working().ok()
    }

    /// Uses the CPU from now on, because the GPU failed.
    pub(crate) fn give_up_gpu(&self, error: &Arc<Error>) {
        self.gpu.give_up(error);
    }

    fn is_gpu(&self) -> bool {
        self.device.is_gpu()
    }
}

/// Returns the most threads that an engine starts on this machine.
fn most_threads() -> usize {
    THREADS_PER_PROCESSOR * std::thread::available_parallelism().map_or(1, usize::from)
}

/// Copies a device error; the engine keeps the original.
fn again(error: &Error) -> Error {
    let kind = error.trouble().unwrap_or(DeviceTrouble::Call);
    Error::Device { kind, what: error.to_string(), help: error.help().unwrap_or_default() }
}
