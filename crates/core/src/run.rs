//! The report on how a run went.

use crate::{Device, Direction, General, Halted, Order, Plan};
use serde::Serialize;

/// How one run went: part of every answer.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    /// The device it ran on.
    pub device: Device,
    /// Which form of the algorithm ran.
    pub form: Form,
    /// The plan that ran; what was decided per superstep stays out.
    pub plan: Plan,
    /// The order it ran in.
    pub order: Order,
    /// Threads used.
    pub threads: usize,
    /// Supersteps, sweeps or buckets.
    pub rounds: u64,
    /// What ended it.
    pub halt: Halted,
    /// Seconds spent before the run on what is kept for later ones (a transpose).
    pub prepare_seconds: f64,
    /// Seconds spent on copying the graph to the device; 0 if it was there.
    pub transfer_seconds: f64,
    /// Seconds spent on compiling kernels, or reading them from the cache; 0 if they were there.
    pub compile_seconds: f64,
    /// Seconds of the run itself, allocation and initialisation included.
    pub seconds: f64,
    /// Seconds spent after the run on bringing the answer back: from the device, into the original order.
    pub fetch_seconds: f64,
    /// Bytes of the arrays that hold the answer and the state.
    pub state_bytes: u64,
    /// The most bytes of device memory held at a time, the graph included; 0 on the processor.
    pub device_bytes: u64,
    /// Of `seconds`, those of kernels that expand frontiers, in device time; 0 on the processor.
    pub kernel_seconds: f64,
    /// Bytes of device memory that the balance needs beside the graph and the state: worklists, tables, prefix sums.
    pub extra_bytes: u64,
    /// What `resident` made and met again; `None` under other balances.
    pub tiles: Option<TileUse>,
    /// Seconds of device time that electing and listing tiles takes, if that was asked for: by kernels that do nothing else, so that
    /// `seconds` of such a run are those of all kernels twice.
    pub tiling_seconds: Option<f64>,
    /// One entry a superstep, when a trace was asked for.
    pub trace: Vec<Step>,
}

impl Run {
    /// Of `seconds`, those that are not kernels expanding frontiers: initialisation, worklists, waiting. What a balance
    /// prepares once for all runs is in `prepare_seconds`.
    pub fn overhead_seconds(&self) -> f64 {
        (self.seconds - self.kernel_seconds).max(0.0)
    }
}

/// Which form of an algorithm runs. Prints and serialises as one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The engine of the processor.
    Native,
    /// A form written for GPUs, by its name: what open plans get where it suits the graph.
    Fast(&'static str),
    /// The general form on a GPU, under a balance.
    General(General),
}

impl Form {
    /// Returns its word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Fast(name) => name,
            Self::General(General::Program | General::Sum | General::SumAtOnce) => "program",
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

/// Tiles that a run under `resident` went through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct TileUse {
    /// Made by this run, of vertices that were met for the first time.
    pub made: u64,
    /// Taken as an earlier superstep or run had left them.
    pub reused: u64,
    /// Kept on the device now, and the bytes they take.
    pub held: u64,
    /// Bytes they take.
    pub held_bytes: u64,
}

impl TileUse {
    /// The share of tiles that were there already.
    pub fn reuse_rate(&self) -> f64 {
        self.reused as f64 / ((self.made + self.reused) as f64).max(1.0)
    }
}

/// One round of the order `sampled`: what was sampled, who moved, and what it brought.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Round {
    /// Its number, from 1.
    pub round: u32,
    /// Samples it took, each of as many arcs as the graph has.
    pub samples: u32,
    /// Vertices that moved.
    pub moved: u64,
    /// Distinct sectors of vertex values that an access of a tile touched on average, before and after.
    pub sectors_before: f64,
    /// After it; `None` before enough was sampled in the new order.
    pub sectors_after: Option<f64>,
    /// Seconds of device time that sampling took.
    pub sampling_seconds: f64,
    /// Seconds it took to renumber the graph.
    pub renumbering_seconds: f64,
    /// Arcs a second that kernels went along before it; `None` if nothing was timed.
    pub speed_before: Option<f64>,
    /// After it; `None` before anything has run in the new order.
    pub speed_after: Option<f64>,
}

/// One superstep of a traced run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// Its number, from 0.
    pub round: u64,
    /// Active vertices at its start.
    pub frontier: u64,
    /// The arcs they have; `None` where nobody counted.
    pub edges: Option<u64>,
    /// Which way values travelled.
    pub direction: Direction,
    /// How arcs were dealt out; `None` on the processor and in kernels of their own.
    pub balance: Option<&'static str>,
    /// Seconds it took.
    pub seconds: f64,
    /// Why this way, or what the step reached.
    pub note: String,
}
