//! [`Run`]: the report on one run.

use crate::{Accuracy, Device, Direction, Exactness, General, Halted, Order, Plan, Word};
use serde::{Deserialize, Serialize};

/// The report on one run; part of every answer.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    /// The device it ran on.
    pub device: Device,
    /// The form of the algorithm that ran.
    pub form: Form,
    /// The plan that ran, without decisions made per superstep.
    pub plan: Plan,
    /// The order of the graph.
    pub order: Order,
    /// Number of threads.
    pub threads: usize,
    /// Supersteps, sweeps or buckets.
    pub rounds: u64,
    /// The rule that ended it.
    pub halt: Halted,
    /// Seconds spent before the run on what later runs reuse, such as a transpose.
    pub prepare_seconds: f64,
    /// Seconds spent on copying the graph to the device; 0 if it was there already.
    pub transfer_seconds: f64,
    /// Seconds spent on compiling kernels, or on reading them from the cache; 0 if they were loaded already.
    pub compile_seconds: f64,
    /// Seconds of the run itself, allocation and initialisation included.
    pub seconds: f64,
    /// Seconds spent after the run on copying the answer from the device and on mapping it to the original order.
    pub fetch_seconds: f64,
    /// Bytes of the arrays that hold the answer and the state.
    pub state_bytes: u64,
    /// Peak bytes of device memory, the graph included; 0 on the CPU.
    pub device_bytes: u64,
    /// The part of `seconds` spent in kernels that expand frontiers, in device time; 0 on the CPU.
    pub kernel_seconds: f64,
    /// Bytes of device memory that the balance needs beside the graph and the state: worklists, tables and prefix sums.
    pub extra_bytes: u64,
    /// The tiles that `resident` made and reused; `None` under other balances.
    pub tiles: Option<TileUse>,
    /// Seconds of device time for electing and listing tiles, if the caller asked for it. Separate kernels measure it,
    /// so such a run executes all kernels twice, and `seconds` includes both.
    pub tiling_seconds: Option<f64>,
    /// Why the edges were stored where they were, in one line; `None` if all of them were on the device because they fit,
    /// or because the plan said so.
    pub stored: Option<String>,
    /// What crossed the bus; `None` on the CPU, if all edges were on the device, and if nothing counted it.
    pub transfer: Option<Transfer>,
    /// How the run read partitions of edges in host memory; `None` if it could copy none of them ahead.
    pub partitions: Option<Partitions>,
    /// How several GPUs shared the run; `None` on one device.
    pub parts: Option<InParts>,
    /// What the run did, in numbers that both models count alike. Runs along paths always count it, runs by supersteps if
    /// the caller asked for it.
    pub work: Option<Work>,
    /// The paths that the run walked; `None` in other models.
    pub paths: Option<PathUse>,
    /// What was changed in the graph before the run; `None` without an approximation.
    pub exactness: Option<Exactness>,
    /// What the error of the answer is known to be, if the user allowed one.
    pub accuracy: Option<Accuracy>,
    /// One entry per superstep or round, if the caller asked for a trace.
    pub trace: Vec<Step>,
}

impl Run {
    /// Returns false if the answer is approximate: edges were added or dropped, or the run stopped within an error that the
    /// user allows.
    pub fn is_exact(&self) -> bool {
        let is_changed = self.exactness.as_ref().is_some_and(|exactness| !exactness.is_exact());
        !is_changed && self.accuracy.as_ref().is_none_or(|accuracy| accuracy.word == Word::Exact)
    }

    /// Returns the part of `seconds` spent outside kernels that expand frontiers: initialisation, worklists and
    /// waiting. What a balance prepares once for all runs is in `prepare_seconds`.
    pub fn overhead_seconds(&self) -> f64 {
        (self.seconds - self.kernel_seconds).max(0.0)
    }
}

/// What a run of a program did. Both models count the same events, so that they can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Work {
    /// Messages that changed a value when they arrived: of a vertex, or of one of its mirrors on paths.
    pub updates: u64,
    /// Values of mirrors that changed their vertex when a chunk of paths was done; 0 without mirrors.
    pub merges: u64,
    /// Edges along which a message was computed.
    pub edges: u64,
    /// Bytes of graph data that kernels read: targets or slots, weights, offsets, and values of vertices.
    pub bytes: u64,
}

/// What a run along paths used.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct PathUse {
    /// The number of hubs.
    pub hubs: u64,
    /// The number of paths, and that of those in the sketch.
    pub paths: u64,
    /// The number of paths in the sketch.
    pub hub_paths: u64,
    /// The number of chunks.
    pub chunks: u64,
    /// The number of chunks of the sketch.
    pub hub_chunks: u64,
    /// How often a chunk was taken from a queue and walked.
    pub handled: u64,
    /// How often a chunk was taken by a worker of the other queue.
    pub stolen: u64,
    /// Workers: warps, or threads of the processor.
    pub workers: u64,
    /// Workers that prefer hub chunks (the paper's Ns).
    pub hub_workers: u64,
    /// The mean share of workers that handled a chunk rather than waited for one.
    pub busy: f64,
    /// Bytes of the paths and of the table of homes.
    pub held_bytes: u64,
    /// Seconds spent on making the paths; 0 if they were kept.
    pub making_seconds: f64,
}

/// The form of an algorithm. Displays and serialises as one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The CPU engine.
    Native,
    /// A form written for GPUs, with its name. Open plans use it where it suits the graph.
    Fast(&'static str),
    /// The general form on a GPU, with a balance.
    General(General),
}

impl Form {
    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Fast(name) => name,
            Self::General(General::Program | General::Stepped(_) | General::Sum | General::SumAtOnce) => {
                "program"
            }
            Self::General(General::Filters(_) | General::Gather(_) | General::FilteredSum(_)) => "filters",
            Self::General(General::Kernels(_)) => "kernels",
        }
    }
}

impl Serialize for Form {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// What crossed the bus in a run whose edges were not all in device memory.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Transfer {
    /// Bytes of edges that crossed the bus.
    pub moved: u64,
    /// Bytes of the arcs that the run followed and that were not on the device: the least that must cross.
    pub ideal: u64,
    /// How `moved` and `ideal` were found.
    pub basis: Basis,
}

impl Transfer {
    /// Returns the read amplification: bytes moved per byte that had to move.
    pub fn amplification(&self) -> f64 {
        self.moved as f64 / (self.ideal as f64).max(1.0)
    }
}

/// How supersteps read the partitions of edges in host memory. A partition counts once per superstep that read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Partitions {
    /// Those that were copied to the device ahead of the superstep.
    pub copied: u64,
    /// Those that an earlier superstep had copied, and that were still there.
    pub found: u64,
    /// Those that kernels read in place, over the bus.
    pub in_place: u64,
    /// Bytes of all copies.
    pub bytes: u64,
    /// Pages per partition, of 1,024 arcs each.
    pub pages: u64,
    /// Partitions that the staging area holds.
    pub room: u64,
}

/// How several GPUs shared a run.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct InParts {
    /// The number of parts, one per GPU.
    pub parts: u64,
    /// Bytes of values that the parts sent one another.
    pub sent: u64,
    /// The time that the slowest GPU computed, over the mean.
    pub imbalance: f64,
    /// True if the cut was moved before this run, because the last one was out of balance.
    pub moved: bool,
}

/// How the bytes of a [`Transfer`], or other figures of the bus, were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The host sent exactly these bytes, or knows exactly what was read.
    Exact,
    /// An additional run with counting kernels counted the 32-byte sectors that warps asked for.
    Counted,
    /// A model of the driver's page migration, fed with the pages or rows that an additional run read.
    Modelled,
}

impl Basis {
    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Counted => "counted",
            Self::Modelled => "modelled",
        }
    }
}

/// The tiles that a run under `resident` used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TileUse {
    /// Tiles that this run made, for vertices that it met for the first time.
    pub made: u64,
    /// Tiles reused from an earlier superstep or run.
    pub reused: u64,
    /// Tiles kept on the device now.
    pub held: u64,
    /// Bytes of the kept tiles.
    pub held_bytes: u64,
}

impl TileUse {
    /// Returns the share of tiles that were reused.
    pub fn reuse_rate(&self) -> f64 {
        self.reused as f64 / ((self.made + self.reused) as f64).max(1.0)
    }
}

/// One round of the order `sampled`: the samples, the vertices moved, and the effect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Its number, from 1.
    pub round: u32,
    /// Number of samples, each of as many arcs as the graph has.
    pub samples: u32,
    /// Number of vertices that moved.
    pub moved: u64,
    /// Mean number of distinct sectors of vertex values per access of a tile, before the round.
    pub sectors_before: f64,
    /// The same after the round; `None` until enough is sampled in the new order.
    pub sectors_after: Option<f64>,
    /// Seconds of device time spent on sampling.
    pub sampling_seconds: f64,
    /// Seconds spent on renumbering the graph.
    pub renumbering_seconds: f64,
    /// Arcs per second of kernel time before the round; `None` if nothing was timed.
    pub speed_before: Option<f64>,
    /// The same after the round; `None` until a run in the new order was timed.
    pub speed_after: Option<f64>,
}

/// One superstep of a traced run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// Its number, from 0.
    pub round: u64,
    /// Active vertices at its start.
    pub frontier: u64,
    /// The arcs of the active vertices; `None` if they were not counted.
    pub edges: Option<u64>,
    /// The direction of the superstep.
    pub direction: Direction,
    /// The balance that shared the arcs; `None` on the CPU and in kernels without a balance.
    pub balance: Option<&'static str>,
    /// Seconds it took.
    pub seconds: f64,
    /// Why this direction was chosen, or what the superstep reached.
    pub note: String,
}
