//! The report on how a run went.

use crate::{Direction, Halted, Order, Plan};
use serde::Serialize;

/// How one run went: part of every answer.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    /// The device: `cpu`, `cuda:0`, `simt`.
    pub device: String,
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

/// One superstep of a traced run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// Its number, from 0.
    pub round: u64,
    /// Active vertices at its start.
    pub frontier: u64,
    /// Which way values travelled.
    pub direction: Direction,
    /// Seconds it took.
    pub seconds: f64,
    /// Why this way, or what the step reached.
    pub note: String,
}
