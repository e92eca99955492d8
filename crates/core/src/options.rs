//! What every run is told beside its configuration, and what is noted while it goes.

use crate::{Accepted, Device, Direction, Form, Halted, Order, Plan, Run, Step, TileUse};
use std::time::Instant;
use warpgraph_graph::{Control, NodeMap, Vertex};

/// What every algorithm is told beside its configuration.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The plan asked for.
    pub plan: Plan,
    /// Which devices take question, plan and order, if [`Rules::accept`](crate::Rules::accept) was asked before; else the run asks.
    pub accepted: Option<Accepted>,
    /// Cancel flag, deadline, progress.
    pub control: Control,
    /// Record every superstep.
    pub trace: bool,
    /// Give the same bits run after run, whatever that costs: smallest-id ties, sums in a fixed order.
    pub deterministic: bool,
    /// The order the graph is in.
    pub order: Order,
    /// How the graph was renumbered into that order, for what speaks of original vertices; `None` if it was not.
    pub map: Option<NodeMap>,
    /// Also find out what electing tiles costs, by kernels that do nothing else; for `tiled` and `resident`.
    pub price_tiling: bool,
    /// The seed of a random source.
    pub seed: u64,
    /// The number of the run, from 0: another random source each.
    pub run: u64,
}

impl Options {
    /// The original number of a vertex: what ties are broken by.
    #[inline]
    pub fn original(&self, v: Vertex) -> Vertex {
        self.map.as_ref().map_or(v, |map| map.original(v))
    }

    /// The direction the plan fixes for the whole run.
    pub fn direction(&self) -> Option<Direction> {
        self.plan.fixed_direction()
    }

    /// Does the plan leave everything to the engine, so that the fastest form may run?
    pub fn is_open(&self) -> bool {
        self.plan.is_open()
    }
}

/// Collects the [`Run`] while an algorithm works.
#[derive(Debug)]
pub struct Recorder {
    start: Instant,
    step: Instant,
    /// Seconds when the answer was there.
    stopped: Option<f64>,
    run: Run,
    trace: bool,
}

impl Recorder {
    /// Starts the clock of a run on the processor; `prepared` is when preparation began, which is reported apart.
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
            tiling_seconds: None,
            trace: Vec::new(),
        };
        Self { start, step: start, stopped: None, run, trace: options.trace }
    }

    /// On another device. What it spent on copying the graph there and on compiling kernels since `prepared` is part of
    /// neither preparation nor run.
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

    /// Ends a superstep over a frontier of so many arcs, by a balance.
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

    /// Keeps a superstep that ended `now`. Compiled once, and not for every note.
    #[cold]
    #[inline(never)]
    fn note(&mut self, step: Step, now: Instant) {
        self.run.trace.push(step);
        self.step = now;
    }

    /// Notes supersteps that a kernel went through by itself.
    pub fn walked(&mut self, rounds: u64) {
        self.run.rounds += rounds;
    }

    /// Notes arrays of so many bytes that this run made beside those that every run has.
    pub fn hold(&mut self, bytes: usize) {
        self.run.state_bytes += bytes as u64;
    }

    /// Notes the most bytes of device memory that were held at a time.
    pub fn hold_on_device(&mut self, peak: u64) {
        self.run.device_bytes = self.run.device_bytes.max(peak);
    }

    /// Notes device time spent on expanding frontiers, and what the balance kept on the device for that.
    pub fn expand(&mut self, kernel_seconds: f64, extra_bytes: u64) {
        self.run.kernel_seconds += kernel_seconds;
        self.run.extra_bytes = self.run.extra_bytes.max(extra_bytes);
    }

    /// Notes what `resident` made and met again.
    pub fn tiles(&mut self, tiles: TileUse) {
        self.run.tiles = Some(tiles);
    }

    /// Notes what electing tiles took.
    pub fn tiling(&mut self, seconds: f64) {
        self.run.tiling_seconds = Some(seconds);
    }

    /// Supersteps so far.
    pub fn rounds(&self) -> u64 {
        self.run.rounds
    }

    /// The answer is there: stops the clock, if nobody did. What is asked about the run from now on is not part of it.
    pub fn stop(&mut self) {
        let elapsed = || self.start.elapsed().as_secs_f64();
        self.stopped = Some(self.stopped.unwrap_or_else(elapsed));
    }

    /// The report; stops the clock.
    pub fn finish(mut self, plan: Plan, halt: Halted, state_bytes: u64) -> Run {
        self.stop();
        let seconds = self.stopped.unwrap_or_default();
        let state_bytes = self.run.state_bytes + state_bytes;
        let plan = Plan { residency: self.run.plan.residency, ..plan };
        Run { plan, halt, seconds, state_bytes, ..self.run }
    }
}
