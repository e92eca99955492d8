//! The JSON form of a run. Fields of devices and stages that took no part are null.

use super::{
    Job, Running,
    approximate::Compared,
    transfer::{Counted, Crossed},
};
use crate::{
    load, machine,
    report::{GraphReport, Memory, SCHEMA, VERSION},
};
use serde::Serialize;
use serde_json::{Value, json};
use warpgraph::{
    Accuracy, Answer, Approximation, Choice, Device, Engine, Entry, Exactness, Form, Gpu, Halted, InParts,
    Loaded, Order, Partitions, PathUse, Plan, Round, Run, TileUse, Work,
    graph::{Origin, Vertex, timeline::Snapshot},
    measure::Measured,
};

/// The complete report on a run.
#[derive(Serialize)]
pub(super) struct Report {
    schema: u32,
    version: &'static str,
    command: &'static str,
    pub(super) algorithm: &'static str,
    config: Value,
    /// Counted and hashed for JSON only: text shows none of it here.
    graph: Option<GraphReport>,
    /// Where the graph comes from, and what was done to it on the way.
    origin: Origin,
    pub(super) device: Device,
    pub(super) device_name: Option<String>,
    /// Where it ran and why, if the engine decided that.
    device_because: Option<String>,
    /// The form of the algorithm that ran.
    pub(super) form: Form,
    pub(super) plan: Plan,
    plan_asked: Plan,
    /// Why the edges were stored where they were, if not all of them were on the device or they were coded.
    pub(super) stored: Option<String>,
    pub(super) order: Order,
    /// The rounds that made the order `sampled`.
    pub(super) reorder: Option<Reorder>,
    /// Tiles that `resident` made and reused, in the run that gave the answer.
    pub(super) tiles: Option<TileUse>,
    /// How partitions of edges in host memory were read, if some could be copied ahead.
    pub(super) partitions: Option<Partitions>,
    /// How several GPUs shared the run.
    pub(super) parts: Option<InParts>,
    /// What the run did, if it counted that: runs along paths do.
    pub(super) work: Option<Work>,
    /// The paths that the run walked along.
    pub(super) paths: Option<PathUse>,
    /// The cost of determinism, if the user asked for it.
    pub(super) deterministic: Option<&'static str>,
    approx: Option<Approximation>,
    /// What was changed in the graph before the runs.
    pub(super) exactness: Option<Exactness>,
    /// The exact runs beside, if the user wanted to compare.
    pub(super) compare: Option<Compared>,
    /// What the error of the answer is known to be, if the user allowed one.
    pub(super) accuracy: Option<Accuracy>,
    seed: u64,
    pub(super) threads: usize,
    pub(super) seconds: Seconds,
    /// What the process waited for, until the report was printed; set last.
    pub(super) timeline: Option<Snapshot>,
    pub(super) mteps: Option<f64>,
    pub(super) rounds: u64,
    pub(super) halt: Halted,
    pub(super) memory: Memory,
    /// What crossed the bus, if not all edges were on the device.
    pub(super) transfer: Option<Crossed>,
    pub(super) result: Value,
    pub(super) verify: Option<&'static str>,
    warnings: Vec<String>,
    /// How many of the warnings come from reading the graph; these were printed then.
    #[serde(skip)]
    read_warnings: usize,
}

/// The rounds of an order that improves while it serves runs.
#[derive(Serialize)]
pub(super) struct Reorder {
    pub(super) rounds: Vec<Round>,
    /// Why the rounds have ended.
    pub(super) settled: Option<String>,
}

impl Reorder {
    fn of(ready: &Loaded) -> Option<Self> {
        let of = || Self { rounds: ready.rounds(), settled: ready.why_settled() };
        (ready.order() == Order::Sampled).then(of)
    }
}

/// Seconds by stage.
#[derive(Serialize)]
pub(super) struct Seconds {
    load: f64,
    pub(super) reorder: Option<f64>,
    pub(super) prepare: f64,
    pub(super) transfer: Option<f64>,
    pub(super) compile: Option<f64>,
    pub(super) runs: Vec<f64>,
    pub(super) median: f64,
    /// On a GPU, for the run that gave the answer: kernels that expand frontiers, and (`overhead`) everything else.
    pub(super) kernel: Option<f64>,
    pub(super) overhead: Option<f64>,
    pub(super) fetch: Option<f64>,
    pub(super) verify: Option<f64>,
}

impl Report {
    /// Builds the report on the threads of the current pool; `target` is the vertex whose path the user wants.
    pub(super) fn new(
        job: &Job,
        loaded: &load::ReadGraph,
        ready: &Loaded,
        plan_asked: Plan,
        (measured, counted): (&Measured, Counted),
        target: Option<Vertex>,
    ) -> Self {
        let (run, figures) = (measured.answer.run(), &measured.figures);
        let (entry, running) = (job.question.entry(), &job.asked.running);
        let (read, own) =
            (loaded.graph.origin().warnings.clone(), warnings(entry, measured, running, &counted));
        let engine = ready.engine();
        Self {
            schema: SCHEMA,
            version: VERSION,
            command: "run",
            algorithm: entry.name,
            config: job.question.config(),
            graph: job.asked.working.json.then(|| GraphReport::new(&loaded.graph)),
            origin: loaded.graph.origin().clone(),
            device: run.device,
            device_name: name(engine, run),
            device_because: figures.choice.as_ref().map(ToString::to_string),
            form: run.form,
            plan: run.plan,
            plan_asked,
            stored: run.stored.clone(),
            order: run.order,
            reorder: Reorder::of(ready),
            tiles: run.tiles,
            partitions: run.partitions,
            parts: run.parts,
            work: run.work,
            paths: run.paths,
            deterministic: running.deterministic.then(|| entry.determinism(run.device)),
            approx: run.exactness.as_ref().map(|exactness| exactness.approximation),
            exactness: run.exactness.clone(),
            compare: None,
            accuracy: run.accuracy.clone(),
            seed: running.seed,
            threads: run.threads,
            seconds: Seconds::new(loaded.seconds, ready.reorder_seconds(), measured),
            timeline: None,
            mteps: Some(figures.mteps()).filter(|x| x.is_finite() && *x > 0.0),
            rounds: run.rounds,
            halt: run.halt,
            memory: memory(ready, run),
            transfer: counted.crossed,
            result: result(loaded, &*measured.answer, target),
            verify: figures.verify.map(|_| if figures.violation.is_some() { "failed" } else { "passed" }),
            read_warnings: read.len(),
            warnings: [read, own].concat(),
        }
    }

    /// Adds the exact runs.
    pub(super) fn compare(&mut self, compared: Option<Compared>) {
        if let (Some(exactness), Some(compared)) = (&mut self.exactness, &compared) {
            exactness.inaccuracy = compared.inaccuracy.clone();
        }
        self.compare = compared;
    }

    /// Returns the warnings about the run itself.
    pub(super) fn own_warnings(&self) -> &[String] {
        &self.warnings[self.read_warnings..]
    }
}

impl Seconds {
    fn new(load: f64, reorder: Option<f64>, measured: &Measured) -> Self {
        let (figures, run) = (&measured.figures, measured.answer.run());
        let is_on_gpu = run.device.is_gpu();
        let [kernel, overhead] =
            [run.kernel_seconds, run.overhead_seconds()].map(|seconds| is_on_gpu.then_some(seconds));
        Self {
            load,
            reorder,
            prepare: figures.prepare,
            transfer: figures.transfer,
            compile: figures.compile,
            runs: figures.runs.clone(),
            median: figures.median(),
            kernel,
            overhead,
            fetch: figures.fetch,
            verify: figures.verify,
        }
    }
}

/// Returns the GPU that a run used.
fn gpu<'a>(engine: &'a Engine, run: &Run) -> Option<&'a Gpu> {
    engine.gpu().filter(|gpu| gpu.properties().label == run.device.to_string())
}

/// Returns the name of the device's model.
fn name(engine: &Engine, run: &Run) -> Option<String> {
    match gpu(engine, run) {
        Some(gpu) => Some(gpu.properties().name.clone()),
        None => machine::processor(),
    }
}

fn memory(ready: &Loaded, run: &Run) -> Memory {
    // Beside graph and state: the reordered graph, and what the balance holds.
    let extra = match (ready.extra_bytes(), run.extra_bytes) {
        (None, 0) => None,
        (order, balance) => Some(order.unwrap_or(0) + balance),
    };
    let memory = Memory::new(ready.graph(), Some(run.state_bytes)).with_extra(extra);
    match gpu(ready.engine(), run) {
        Some(gpu) => memory.on_gpu(Some(run.device_bytes), gpu.memory().ok().map(|m| m.total)),
        None => memory,
    }
}

/// Returns the answer's figures, and the path to the target if the user asked for one.
fn result(loaded: &load::ReadGraph, answer: &dyn Answer, target: Option<Vertex>) -> Value {
    let mut result = answer.summary();
    if let Some(target) = target {
        result["target"] = json!(loaded.graph.ids().id(target));
        result["path"] = json!(answer.path(target));
    }
    result
}

fn warnings(entry: &Entry, measured: &Measured, running: &Running, counted: &Counted) -> Vec<String> {
    let mut warnings = device_warnings(measured.answer.run(), measured.figures.choice.as_ref(), running);
    let run = measured.answer.run();
    warnings.extend(entry.not_settled(run.halt, run.rounds));
    warnings.extend(not_reached(run));
    warnings.extend(counted.warning());
    if let Some(violation) = &measured.figures.violation {
        warnings.push(format!("verification failed: {violation}"));
    }
    warnings
}

/// Returns the warning that a run ended before it met the error that the user allows.
fn not_reached(run: &Run) -> Option<String> {
    let accuracy = run.accuracy.as_ref().filter(|_| run.halt == Halted::MaxIterations)?;
    let Accuracy { asked, achieved, .. } = accuracy;
    let is_missed = achieved > asked;
    is_missed.then(|| format!("the error is at most {achieved:.3e}, and {asked:e} was allowed"))
}

/// Returns the warnings about the device.
fn device_warnings(run: &Run, choice: Option<&Choice>, running: &Running) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(error) = choice.filter(|choice| choice.is_trouble()).and_then(Choice::error) {
        let help = error.help().map_or_else(String::new, |help| format!("; {help}"));
        warnings.push(format!("the GPU could not be used: {error}{help}"));
    }
    if running.device.keep_kernels.is_some() && !run.device.is_gpu() {
        warnings.push("no kernel was kept: it ran on the processor; --device cuda asks for a GPU".to_owned());
    }
    warnings
}
