//! Decides whether a run goes to the GPU under [`Device::Auto`](crate::Device::Auto), and says why.
//!
//! It checks the cheapest condition first, so that it loads a driver only if it may use it:
//! 1. the algorithm and the plan have a form for GPUs;
//! 2. the graph has at least [`WORTH_ARCS`] arcs;
//! 3. there is a GPU, and it works;
//! 4. its free memory holds the graph and the algorithm's working set.
//!
//! Otherwise the CPU runs it, and [`Choice`] holds the reason. A plan that only GPUs accept runs on a GPU whatever the
//! size of the graph, or is refused.

use crate::accelerator::Accelerator;
use std::{fmt, sync::Arc};
use warpgraph_core::{Accepted, DeviceTrouble, Error, Result};
use warpgraph_device::Gpu;
use warpgraph_graph::Graph;

/// Arcs from which a run gains from a GPU. Below, copying the graph and launching kernels costs more than it saves. An
/// estimate (the CPU searches this many arcs in a few milliseconds), to be replaced by a measured figure.
pub const WORTH_ARCS: u64 = 1 << 22;

/// Where [`Device::Auto`](crate::Device::Auto) sent a run, and why. Displays as `device: reason`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Choice {
    /// To the GPU: the graph is large enough.
    Worth {
        /// Label of the GPU.
        label: String,
        /// Arcs of the graph.
        arcs: u64,
    },
    /// To the GPU: the CPU does not accept the plan.
    OnlyGpu {
        /// Label of the GPU.
        label: String,
        /// Why the CPU refuses it.
        refusal: Arc<Error>,
    },
    /// To the CPU: GPUs do not accept the algorithm or the plan.
    NoForm {
        /// Why GPUs refuse it.
        refusal: Arc<Error>,
    },
    /// To the CPU: the graph is small.
    Small {
        /// Arcs of the graph.
        arcs: u64,
    },
    /// To the CPU: there is no GPU, or it does not work.
    NoGpu {
        /// Why no GPU can be used.
        error: Arc<Error>,
    },
    /// To the CPU: the GPU's memory is too small.
    NoRoom {
        /// Label of the GPU.
        label: String,
        /// Bytes the run needs there.
        needed: u64,
        /// Bytes that are free there.
        free: u64,
    },
    /// To the CPU, after the GPU failed.
    Failed {
        /// The GPU's error.
        error: Arc<Error>,
    },
}

impl Choice {
    /// Returns true if the machine has a GPU that should have been used but failed.
    pub fn is_trouble(&self) -> bool {
        match self {
            Self::NoGpu { error } => {
                !matches!(error.trouble(), Some(DeviceTrouble::NoDriver | DeviceTrouble::NoDevice))
            }
            Self::Failed { .. } => true,
            _ => false,
        }
    }

    /// Returns true if the machine had a GPU to choose, even one that failed.
    pub fn had_gpu(&self) -> bool {
        match self {
            Self::Worth { .. } | Self::OnlyGpu { .. } | Self::NoRoom { .. } => true,
            _ => self.is_trouble(),
        }
    }

    /// Returns the error that kept the run off the GPU.
    pub fn error(&self) -> Option<&Error> {
        match self {
            Self::NoGpu { error } | Self::Failed { error } => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Worth { label, arcs } => {
                write!(f, "{label}: {arcs} arcs, and a GPU pays from {WORTH_ARCS}")
            }
            Self::OnlyGpu { label, refusal } => write!(f, "{label}: {refusal}"),
            Self::NoForm { refusal } => write!(f, "cpu: {refusal}"),
            Self::Small { arcs } => write!(f, "cpu: {arcs} arcs, and a GPU pays from {WORTH_ARCS}"),
            Self::NoGpu { error } => write!(f, "cpu: {error}"),
            Self::NoRoom { label, needed, free } => {
                write!(f, "cpu: {needed} bytes are needed on {label}, where {free} are free")
            }
            Self::Failed { error } => write!(f, "cpu: the GPU failed: {error}"),
        }
    }
}

/// A run for which [`decide`] chooses a device.
pub(crate) struct Asked<'a> {
    /// The graph, in the order it runs in.
    pub(crate) graph: &'a Graph,
    /// True if that graph is on the GPU already.
    pub(crate) is_on_device: bool,
    /// Returns the bytes of device memory that the run needs.
    pub(crate) needed: &'a (dyn Fn(&Graph) -> u64 + Sync),
    /// Which devices accept the run.
    pub(crate) accepted: &'a Accepted,
}

/// Chooses a device; returns the GPU if the run goes there.
///
/// # Errors
/// When only a GPU accepts the algorithm and plan, and there is none.
pub(crate) fn decide<'a>(asked: &Asked<'_>, gpus: &'a Accelerator) -> Result<(Option<&'a Gpu>, Choice)> {
    match (&asked.accepted.cpu_refusal, &asked.accepted.gpu_refusal) {
        (Some(refusal), _) => only_gpu(refusal, gpus),
        (None, Some(refusal)) => Ok((None, Choice::NoForm { refusal: Arc::clone(refusal) })),
        (None, None) => Ok(is_worth(asked, gpus)),
    }
}

/// Sends what the CPU refuses to the GPU; refuses it if there is no GPU.
pub(crate) fn only_gpu<'a>(refusal: &Arc<Error>, gpus: &'a Accelerator) -> Result<(Option<&'a Gpu>, Choice)> {
    match gpus.working() {
        Ok(gpu) => {
            let label = gpu.properties().label.clone();
            Ok((Some(gpu), Choice::OnlyGpu { label, refusal: Arc::clone(refusal) }))
        }
        Err(why) => {
            let help = refusal.help().unwrap_or_default();
            let help = format!("{help}; a GPU would take it, but there is none to use: {why}");
            Err(Error::Refused { what: refusal.to_string(), help })
        }
    }
}

fn is_worth<'a>(asked: &Asked<'_>, gpus: &'a Accelerator) -> (Option<&'a Gpu>, Choice) {
    let arcs = asked.graph.arcs() as u64;
    if arcs < WORTH_ARCS {
        return (None, Choice::Small { arcs });
    }
    let gpu = match gpus.working() {
        Ok(gpu) => gpu,
        Err(error) => return (None, Choice::NoGpu { error: Arc::clone(error) }),
    };
    let memory = match gpu.memory() {
        Ok(memory) => memory,
        Err(error) => return (None, Choice::NoGpu { error: Arc::new(warpgraph_gpu::lift(error)) }),
    };
    let label = gpu.properties().label.clone();
    let needed = (asked.needed)(asked.graph);
    // The memory that the graph already holds on the GPU is part of what it needs.
    let free = memory.free + if asked.is_on_device { memory.held } else { 0 };
    match needed <= free {
        true => (Some(gpu), Choice::Worth { label, arcs }),
        false => (None, Choice::NoRoom { label, needed, free }),
    }
}
