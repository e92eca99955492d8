//! [`Sampler`]: the progress of sampling a graph, over any number of runs.

use super::SECTOR;
use crate::{error::lift, machine::Machine};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use warpgraph_core::Result;
use warpgraph_device::Array;
use warpgraph_graph::Graph;

/// What the current sample finds out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Locality,
    /// Halves of 2^shift sectors.
    Halving(u32),
    Gain,
    /// Everything that a round needs is known.
    Ready,
}

/// Arrays on the device with one entry per vertex, and counters.
#[derive(Debug)]
pub(super) struct Tallies {
    pub(super) locality: Array<i32>,
    /// Votes for a half, then mates in the candidate.
    pub(super) gain: Array<i32>,
    pub(super) candidates: Array<u32>,
    /// Accesses and their sectors, in the first sample.
    pub(super) counters: Array<u64>,
}

impl Tallies {
    fn new(machine: &Machine<'_>, n: usize) -> Result<Self> {
        Ok(Self {
            locality: machine.zeros(n, "counts of tile-mates")?,
            gain: machine.zeros(n, "votes of tile-mates")?,
            candidates: machine.zeros(n, "candidate sectors")?,
            counters: machine.zeros(2, "counters of accesses")?,
        })
    }
}

/// The progress of sampling.
#[derive(Debug)]
pub(super) struct State {
    pub(super) stage: Stage,
    /// Arcs that the current sample has covered, and the samples that are done.
    pub(super) served: u64,
    pub(super) samples: u32,
    tallies: Option<Arc<Tallies>>,
    pub(super) why_not: Option<String>,
    pub(super) arcs: u64,
    pub(super) kernel_seconds: f64,
    pub(super) sampling_seconds: f64,
}

/// Samples the accesses to a graph in its present order.
#[derive(Debug)]
pub(crate) struct Sampler {
    pub(super) vertices: usize,
    /// Arcs per sample.
    pub(super) enough: u64,
    state: Mutex<State>,
}

/// The progress of sampling, as reported to callers.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// Samples taken in this order.
    pub samples: u32,
    /// True if everything that a round needs is known.
    pub is_ready: bool,
    /// Distinct sectors per access on average in this order; `None` before the first sample is complete.
    pub sectors: Option<f64>,
    /// Arcs that kernels went along in this order.
    pub arcs: u64,
    /// Seconds of device time for these arcs.
    pub kernel_seconds: f64,
    /// Seconds of device time that sampling took.
    pub sampling_seconds: f64,
    /// Why sampling stopped, if it did.
    pub why_not: Option<String>,
}

impl Sampler {
    /// Creates a sampler for a graph whose best order is not known.
    pub(crate) fn new(graph: &Graph) -> Self {
        let (vertices, arcs) = (graph.vertices(), graph.arcs() as u64);
        let why_not = if vertices <= SECTOR as usize || arcs == 0 {
            Some("the values of all vertices that are read lie in one sector".to_owned())
        } else if u32::try_from(arcs).is_err() {
            Some(format!("{arcs} arcs cannot be numbered by 32 bits, which sorting them takes"))
        } else {
            None
        };
        let state = State {
            stage: Stage::Locality,
            served: 0,
            samples: 0,
            tallies: None,
            why_not,
            arcs: 0,
            kernel_seconds: 0.0,
            sampling_seconds: 0.0,
        };
        Self { vertices, enough: arcs.max(1), state: Mutex::new(state) }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops sampling and frees its memory.
    pub(crate) fn stop(&self, why: &str) {
        let mut state = self.state();
        state.tallies = None;
        state.why_not.get_or_insert_with(|| why.to_owned());
    }

    pub(super) fn is_active(&self) -> bool {
        let state = self.state();
        state.why_not.is_none() && state.stage != Stage::Ready
    }

    /// Returns the progress. Nothing may be running on the device.
    pub(crate) fn sampled(&self) -> Result<Sampled> {
        let state = self.state();
        let mut sectors = None;
        if let Some(tallies) = state.tallies.as_ref().filter(|_| state.stage != Stage::Locality) {
            let mut counts = [0; 2];
            tallies.counters.read(&mut counts).map_err(lift)?;
            sectors = (counts[0] > 0).then(|| counts[1] as f64 / counts[0] as f64);
        }
        Ok(Sampled {
            samples: state.samples,
            is_ready: state.stage == Stage::Ready && state.why_not.is_none(),
            sectors,
            arcs: state.arcs,
            kernel_seconds: state.kernel_seconds,
            sampling_seconds: state.sampling_seconds,
            why_not: state.why_not.clone(),
        })
    }

    /// Returns the tallies of a round once everything is known.
    pub(super) fn ready(&self) -> Option<Arc<Tallies>> {
        let state = self.state();
        state.tallies.clone().filter(|_| state.stage == Stage::Ready)
    }

    /// Returns the tallies, and allocates them on the first call. Sampling ends if there is no memory for them.
    pub(super) fn tallies(&self, machine: &Machine<'_>) -> Option<Arc<Tallies>> {
        let mut state = self.state();
        if state.tallies.is_none() && state.why_not.is_none() {
            match Tallies::new(machine, self.vertices) {
                Ok(tallies) => state.tallies = Some(Arc::new(tallies)),
                Err(error) => state.why_not = Some(error.to_string()),
            }
        }
        state.tallies.clone()
    }

    pub(super) fn first_stage_of_halving(&self) -> Stage {
        let sectors = (self.vertices as u64).div_ceil(u64::from(SECTOR));
        let bits = u64::BITS - (sectors - 1).leading_zeros();
        // There are more vertices than in one sector, so at least one bit.
        Stage::Halving(bits.max(1) - 1)
    }
}
