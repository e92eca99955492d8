//! A cell of a report, and how its runs fill it.

use super::{Clock, Counted, Held, Per};
use crate::{
    GpuLimits,
    gpu_model::{Gauge, Limit, Seen},
    result::Failure,
    statistics::{self, Spread},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use warpgraph::{Approximation, Exactness, PathUse, Run, TileUse, Transfer, VertexId, Violation};

/// The kind of failure that a wrong answer is.
const WRONG: &str = "verification";

/// One algorithm on one graph in one order by one plan.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Cell {
    pub graph: String,
    pub hash: String,
    /// The parts it is in, and its place in each.
    pub parts: BTreeMap<String, usize>,
    pub algorithm: String,
    /// Its configuration, in the first run.
    pub config: Value,
    pub order: Held,
    /// Rounds of `sampled` that were made before the first timed run and after the last.
    pub rounds_made: Option<(u32, u32)>,
    pub device: String,
    pub plan_asked: String,
    pub plan: Option<String>,
    /// How the graph was changed.
    #[serde(default, skip_serializing_if = "Approximation::is_none")]
    pub approximation: Approximation,
    /// What that changed, and the inaccuracy of the answer from the source of the first timed run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exactness: Option<Exactness>,
    pub first: Option<FirstRun>,
    pub runs: Vec<TimedRun>,
    /// What `seconds` are of.
    pub per: Per,
    pub seconds: Option<Spread>,
    /// The median seconds of kernels that expand frontiers, of a run.
    pub kernel: Option<f64>,
    pub outliers: usize,
    /// Arcs of a run or a sweep, at the median.
    pub arcs: Option<f64>,
    /// Billions of arcs per second, at the median.
    pub speed: Option<f64>,
    /// Supersteps of a run, at the median.
    pub rounds: Option<u64>,
    pub memory: Option<Memory>,
    /// Tiles of the last run.
    pub tiles: Option<TileUse>,
    /// What crossed the bus in a run that counts it, from the sources of the first timed run; or else in the last run.
    pub transfer: Option<Transfer>,
    /// The paths of the last run.
    pub paths: Option<PathUse>,
    /// What a run that counts did, from the sources of the first timed run.
    pub counted: Option<Counted>,
    /// The least time by the limits of the device, of what `per` says; `share` is that over the median.
    pub limit: Option<Limit>,
    pub share: Option<f64>,
    /// `passed` or `failed`.
    pub verify: Option<String>,
    /// Why there are no figures, or which property does not hold.
    pub error: Option<Failure>,
}

/// The first run of a cell: seconds of it, and of what was done for it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as warpgraph::Run has them")]
pub struct FirstRun {
    pub seconds: f64,
    /// What is made once and kept for later runs.
    pub prepare: f64,
    pub transfer: f64,
    pub compile: f64,
    pub verify: f64,
    pub tiles: Option<TileUse>,
    pub paths: Option<PathUse>,
}

/// A timed run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[allow(missing_docs, reason = "as warpgraph::Run has them")]
pub struct TimedRun {
    pub seconds: f64,
    /// Seconds of the call before that clock starts.
    pub before: f64,
    pub kernels: f64,
    pub tiling: Option<f64>,
    pub rounds: u64,
    /// Arcs of the vertices reached.
    pub arcs: u64,
    /// Vertices reached, if it tells.
    pub reached: Option<u64>,
    /// What another sweep would still change, in a sum whose work is counted.
    pub residual: Option<f64>,
    /// Where it started, if the evaluation chose that; the first of several sources.
    pub source: Option<VertexId>,
    /// Seconds of verification, if its answer was verified.
    pub verify: Option<f64>,
}

/// Bytes that a run takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Offsets, targets, and weights where they are read.
    pub graph: u64,
    /// What every plan keeps: values, frontiers.
    pub state: u64,
    /// What this plan keeps beside.
    pub extra: u64,
}

impl Memory {
    /// Returns all of it.
    pub fn total(&self) -> u64 {
        self.graph + self.state + self.extra
    }
}

/// What one run gave.
#[derive(Debug)]
pub(super) struct Answered {
    /// The whole configuration.
    pub(super) config: Value,
    pub(super) run: Run,
    pub(super) timed: TimedRun,
    pub(super) violation: Option<Violation>,
}

impl Cell {
    /// Returns its plan without what all plans have in common: `bsp+push+node` is `node`, `bsp` is `auto`.
    pub fn label(&self) -> &str {
        match self.plan_asked.strip_prefix("bsp").unwrap_or(&self.plan_asked) {
            "" | "+push" => "auto",
            rest => rest.strip_prefix("+push+").or_else(|| rest.strip_prefix('+')).unwrap_or(rest),
        }
    }

    /// Returns the median time.
    pub fn median(&self) -> Option<f64> {
        Some(self.seconds?.median)
    }

    /// Returns what of a median run is not kernels that expand frontiers.
    pub fn overhead(&self) -> Option<f64> {
        Some((self.median()? - self.kernel?).max(0.0))
    }

    /// Returns what was prepared in the first run.
    pub fn prepare(&self) -> f64 {
        self.first.map_or(0.0, |first| first.prepare)
    }

    /// Returns the largest residual of its timed runs.
    pub fn residual(&self) -> Option<f64> {
        self.runs.iter().filter_map(|run| run.residual).reduce(f64::max)
    }

    pub(super) fn is_wrong(&self) -> bool {
        self.verify.as_deref() == Some("failed") || self.error.as_ref().is_some_and(|e| e.kind == WRONG)
    }

    /// Returns what is said of a cell with a wrong answer, or with runs far from the others.
    pub(super) fn doubt(&self) -> Option<String> {
        let Self { algorithm, graph, order, approximation, outliers, runs, .. } = self;
        let changed = if approximation.is_none() { String::new() } else { format!(" with {approximation}") };
        let on = format!("{algorithm} on {graph} by {}{changed} in the order {order}", self.label());
        let far = format!("{outliers} of {} runs are far from the others", runs.len());
        match self.verify.as_deref() {
            Some("failed") => Some(format!("{on}: the answer is wrong; its time says nothing")),
            _ if *outliers == 0 => None,
            _ => Some(format!("{on}: {far}; quiet the machine, or raise --warmup")),
        }
    }

    /// Fills in what the first run, which prepares everything, and the timed runs gave. `graph` is the graph's bytes.
    pub(super) fn fill(&mut self, ran: &[Answered], clock: Clock, graph: u64) {
        let [first, timed @ ..] = ran else { return };
        self.config = first.config.clone();
        self.first = Some(FirstRun {
            seconds: first.run.seconds,
            prepare: first.run.prepare_seconds,
            transfer: first.run.transfer_seconds,
            compile: first.run.compile_seconds,
            verify: first.timed.verify.unwrap_or(0.0),
            tiles: first.run.tiles,
            paths: first.run.paths,
        });
        if let Some(Answered { run, .. }) = timed.last() {
            self.device = run.device.to_string();
            self.plan = Some(run.plan.to_string());
            self.tiles = run.tiles;
            self.transfer = run.transfer;
            self.paths = run.paths;
            self.exactness.clone_from(&run.exactness);
            self.memory = Some(Memory { graph, state: run.state_bytes, extra: run.extra_bytes });
        }
        let violation = ran.iter().find_map(|one| one.violation.as_ref());
        self.verify = Some(if violation.is_some() { "failed" } else { "passed" }.to_owned());
        self.error = violation.map(|violation| Failure::new(WRONG, violation.to_string()));
        self.runs = timed.iter().map(|one| one.timed.clone()).collect();
        self.sum_up(clock);
    }

    fn sum_up(&mut self, clock: Clock) {
        let time = |run: &TimedRun| match clock {
            Clock::Run => run.seconds,
            Clock::Call => run.before + run.seconds,
        };
        let is_sweep = self.per == Per::Sweep;
        let parts = |run: &TimedRun| if is_sweep { run.rounds.max(1) as f64 } else { 1.0 };
        let seconds: Vec<f64> = self.runs.iter().map(|run| time(run) / parts(run)).collect();
        self.seconds = Spread::of(&seconds);
        self.outliers = statistics::outliers(&seconds);
        self.kernel = self.middle(|run| run.kernels);
        self.arcs = self.middle(|run| run.arcs as f64 / parts(run));
        self.speed = self.middle(|run| run.arcs as f64 / time(run).max(1e-9) / 1e9);
        self.rounds = self.middle(|run| run.rounds as f64).map(|rounds| rounds as u64);
    }

    /// Holds it against the limits of the device; `levels` are supersteps of bfs.
    pub(super) fn hold(&mut self, last: &Run, gauge: &Gauge, levels: Option<u64>, limits: &GpuLimits) {
        self.limit = self.least(last, gauge, levels, limits);
        let share = |(limit, time): (&Limit, f64)| limit.seconds / time.max(1e-9);
        self.share = self.limit.as_ref().zip(self.median()).map(share);
    }

    fn least(&self, last: &Run, gauge: &Gauge, levels: Option<u64>, limits: &GpuLimits) -> Option<Limit> {
        let is_told = self.runs.iter().all(|run| run.reached.is_some());
        let reached = is_told.then(|| self.middle(|run| run.reached.unwrap_or(0) as f64)).flatten();
        let (arcs, rounds) = (self.middle(|run| run.arcs as f64)? as u64, self.rounds?);
        let seen = Seen { arcs, rounds, reached: reached.map(|reached| reached as u64), levels };
        let limit = gauge.limit(warpgraph::find(&self.algorithm).ok()?, last, &seen, limits)?;
        Some(if self.per == Per::Sweep { limit.times(1.0 / rounds.max(1) as f64) } else { limit })
    }

    /// Returns the median of something of every timed run.
    fn middle(&self, of: impl Fn(&TimedRun) -> f64) -> Option<f64> {
        let all: Vec<f64> = self.runs.iter().map(of).collect();
        Some(statistics::median(&all)).filter(|median| median.is_finite())
    }
}
