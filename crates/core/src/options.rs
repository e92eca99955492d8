//! [`Options`]: what every run gets beside its configuration. [`Recorder`]: builds the report while a run works.

use crate::{
    Accepted, Approximation, Chunks, Device, Direction, Form, Halted, Order, Partitions, PathUse, Plan, Run,
    Step, TileUse, Transfer, Watch, Work,
};
use std::{sync::Arc, time::Instant};
use warpgraph_graph::{
    Control, Graph, NodeMap, Paths, Vertex,
    timeline::{Phase, Span},
};

/// Options that every algorithm accepts beside its configuration.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The plan asked for.
    pub plan: Plan,
    /// Which devices accept the question, plan and order, if the caller has called
    /// [`Rules::accept`](crate::Rules::accept); otherwise the run calls it.
    pub accepted: Option<Accepted>,
    /// Cancel flag, deadline, progress and timeline.
    pub control: Control,
    /// Records every superstep.
    pub trace: bool,
    /// Returns the same bits in every run, whatever that costs: the smallest id wins ties, sums are added in a fixed
    /// order.
    pub deterministic: bool,
    /// The order of the graph.
    pub order: Order,
    /// The map from the original vertices to that order; `None` if the graph was not renumbered.
    pub map: Option<NodeMap>,
    /// Also measures the cost of electing tiles, with kernels that do nothing else; for `tiled` and `resident`.
    pub price_tiling: bool,
    /// Also counts the bytes that cross the bus, with slower kernels; if edges are not all on the device.
    pub count_transfer: bool,
    /// With `count_transfer`, counts different pages of 4 KiB in place of sectors, also of edges in host memory.
    pub count_pages: bool,
    /// Sees which rows the run reads, superstep by superstep; for runs on a GPU that nothing times.
    pub watch: Option<Arc<dyn Watch>>,
    /// Also counts updates and edges in runs by supersteps, with slower kernels; see [`Work`].
    pub count_work: bool,
    /// The paths of the graph that the run is on, for plans of the model `paths`. An engine that is given none refuses such
    /// a plan.
    pub paths: Option<Arc<Paths>>,
    /// How the graph of the run was changed, which [`Rules::check`](crate::Rules::check) checks.
    pub approximation: Approximation,
    /// The graph in which every copy of a vertex is merged into its master, if the graph of the run has copies or holes.
    pub merged: Option<Graph>,
    /// Vertices that programs under `Min`, `Max` and `Or` iterate together before each superstep, by the numbers of the graph
    /// that the run is on.
    pub chunks: Option<Arc<Chunks>>,
    /// Moves managed pages back to the host before the run, so that it finds none on the device.
    pub cold: bool,
    /// The seed of a random source.
    pub seed: u64,
    /// The number of the run, from 0. Each run draws another random source.
    pub run: u64,
}

impl Options {
    /// Returns the original number of a vertex, which breaks ties.
    #[inline]
    pub fn original(&self, v: Vertex) -> Vertex {
        self.map.as_ref().map_or(v, |map| map.original(v))
    }

    /// Returns the graph that an answer about `graph`, that of the run, is of: with copies merged into their masters.
    #[inline]
    pub fn whole<'a>(&'a self, graph: &'a Graph) -> &'a Graph {
        self.merged.as_ref().unwrap_or(graph)
    }

    /// Returns the direction that the plan fixes for the whole run.
    pub fn direction(&self) -> Option<Direction> {
        self.plan.fixed_direction()
    }

    /// Returns true if the plan leaves everything to the engine, so that the fastest form may run.
    pub fn is_open(&self) -> bool {
        self.plan.is_open()
    }
}

/// Builds the [`Run`] while an algorithm works.
#[derive(Debug)]
pub struct Recorder {
    start: Instant,
    step: Instant,
    /// Seconds from the start until the answer was complete.
    stopped: Option<f64>,
    run: Run,
    trace: bool,
    /// The phase `running` of the timeline, until the clock stops.
    running: Option<Span>,
}

impl Recorder {
    /// Starts the clock of a run on the CPU. Preparation began at `prepared` and is reported separately.
    pub fn start(options: &Options, prepared: Instant) -> Self {
        let start = Instant::now();
        let run = Run {
            device: Device::Cpu,
            form: Form::Native,
            plan: options.plan,
            order: options.order,
            threads: rayon::current_num_threads(),
            rounds: 0,
            halt: Halted::Converged,
            prepare_seconds: (start - prepared).as_secs_f64(),
            transfer_seconds: 0.0,
            compile_seconds: 0.0,
            seconds: 0.0,
            fetch_seconds: 0.0,
            state_bytes: 0,
            device_bytes: 0,
            kernel_seconds: 0.0,
            extra_bytes: 0,
            tiles: None,
            partitions: None,
            parts: None,
            tiling_seconds: None,
            stored: None,
            transfer: None,
            work: None,
            paths: None,
            exactness: None,
            accuracy: None,
            trace: Vec::new(),
        };
        if let Some(timeline) = options.control.timeline() {
            timeline.record(Phase::Preparing, None, prepared, start);
        }
        let running = Some(options.control.span(Phase::Running));
        Self { start, step: start, stopped: None, run, trace: options.trace, running }
    }

    /// Marks the run as one on `device`. Copying the graph there and compiling kernels since `prepared` count neither
    /// as preparation nor as part of the run.
    pub fn on(mut self, device: Device, transfer_seconds: f64, compile_seconds: f64) -> Self {
        self.run.device = device;
        self.run.transfer_seconds = transfer_seconds;
        self.run.compile_seconds = compile_seconds;
        self.run.prepare_seconds = (self.run.prepare_seconds - transfer_seconds - compile_seconds).max(0.0);
        self
    }

    /// Ends a superstep.
    pub fn step(&mut self, frontier: usize, direction: Direction, note: impl FnOnce() -> String) {
        self.step_by(frontier, None, direction, None, note);
    }

    /// Ends a superstep over a frontier with this many arcs, under this balance.
    pub fn step_by(
        &mut self,
        frontier: usize,
        edges: Option<u64>,
        direction: Direction,
        balance: Option<&'static str>,
        note: impl FnOnce() -> String,
    ) {
        if self.trace {
            let now = Instant::now();
            let (round, frontier, seconds) =
                (self.run.rounds, frontier as u64, (now - self.step).as_secs_f64());
            self.note(Step { round, frontier, edges, direction, balance, seconds, note: note() }, now);
        }
        self.run.rounds += 1;
    }

    /// Records a round along paths, in which so many chunks were handled, and how long it took.
    pub fn round(&mut self, chunks: u64, edges: u64, seconds: f64, note: String) {
        if self.trace {
            let round = self.run.rounds;
            let step = Step {
                round,
                frontier: chunks,
                edges: Some(edges),
                direction: Direction::Push,
                balance: None,
                seconds,
                note,
            };
            self.run.trace.push(step);
        }
        self.run.rounds += 1;
    }

    /// Keeps a superstep that ended `now`. Compiled once, and not for every note.
    #[cold]
    #[inline(never)]
    fn note(&mut self, step: Step, now: Instant) {
        self.run.trace.push(step);
        self.step = now;
    }

    /// Records supersteps that one kernel made without the host.
    pub fn walked(&mut self, rounds: u64) {
        self.run.rounds += rounds;
    }

    /// Records arrays of this many bytes that the run allocated beyond those of every run.
    pub fn hold(&mut self, bytes: usize) {
        self.run.state_bytes += bytes as u64;
    }

    /// Records the peak of device memory in use.
    pub fn hold_on_device(&mut self, peak: u64) {
        self.run.device_bytes = self.run.device_bytes.max(peak);
    }

    /// Records device time spent on expanding frontiers, and the bytes that the balance kept on the device for it.
    pub fn expand(&mut self, kernel_seconds: f64, extra_bytes: u64) {
        self.run.kernel_seconds += kernel_seconds;
        self.run.extra_bytes = self.run.extra_bytes.max(extra_bytes);
    }

    /// Records how many tiles `resident` made and reused.
    pub fn tiles(&mut self, tiles: TileUse) {
        self.run.tiles = Some(tiles);
    }

    /// Records how partitions of edges in host memory were read.
    pub fn partitions(&mut self, partitions: Partitions) {
        self.run.partitions = Some(partitions);
    }

    /// Records the seconds spent on electing tiles.
    pub fn tiling(&mut self, seconds: f64) {
        self.run.tiling_seconds = Some(seconds);
    }

    /// Records what crossed the bus.
    pub fn transfer(&mut self, transfer: Transfer) {
        self.run.transfer = Some(transfer);
    }

    /// Adds to the work that the run has counted.
    pub fn work(&mut self, work: Work) {
        let sum = self.run.work.get_or_insert_default();
        sum.updates += work.updates;
        sum.merges += work.merges;
        sum.edges += work.edges;
        sum.bytes += work.bytes;
    }

    /// Records the paths that the run walked.
    pub fn paths(&mut self, paths: PathUse) {
        self.run.paths = Some(paths);
    }

    /// Returns the number of supersteps so far.
    pub fn rounds(&self) -> u64 {
        self.run.rounds
    }

    /// Stops the clock, unless it has stopped already. Callers call it when the answer is complete; later work is not
    /// part of the run.
    pub fn stop(&mut self) {
        let elapsed = || self.start.elapsed().as_secs_f64();
        self.stopped = Some(self.stopped.unwrap_or_else(elapsed));
        self.running = None;
    }

    /// Stops the clock and returns the report.
    pub fn finish(mut self, plan: Plan, halt: Halted, state_bytes: u64) -> Run {
        self.stop();
        let seconds = self.stopped.unwrap_or_default();
        let state_bytes = self.run.state_bytes + state_bytes;
        let plan = Plan { residency: self.run.plan.residency, ..plan };
        Run { plan, halt, seconds, state_bytes, ..self.run }
    }
}
