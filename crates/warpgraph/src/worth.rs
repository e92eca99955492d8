//! Is a GPU worth it? What [`Device::Auto`](crate::Device::Auto) decides for each run, and why.
//!
//! The cheapest question comes first, so that a driver is only looked for when it may be used:
//! 1. algorithm and plan have a form for GPUs;
//! 2. the graph has [`WORTH_ARCS`] arcs or more;
//! 3. there is a GPU, and it works;
//! 4. its free memory holds the graph and what the algorithm keeps beside it.
//!
//! Otherwise the processor runs it, and [`Choice`] is the reason. A plan that only GPUs take runs there whatever the size of
//! the graph, or is refused.

use crate::accelerator::Accelerator;
use std::{fmt, sync::Arc};
use warpgraph_core::{Accepted, DeviceTrouble, Error, Result};
use warpgraph_device::Gpu;
use warpgraph_graph::Graph;

/// Arcs from which a run is worth a GPU: below, copying the graph there and starting kernels costs more than it saves. An estimate
/// (the processor runs a search of so many arcs in some milliseconds), to be replaced by a measured figure.
pub const WORTH_ARCS: u64 = 1 << 22;

/// Where [`Device::Auto`](crate::Device::Auto) sent a run, and why. Prints as `device: reason`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Choice {
    /// To the GPU: the graph is large enough.
    Worth {
        /// The GPU.
        label: String,
        /// Arcs of the graph.
        arcs: u64,
    },
    /// To the GPU: the processor does not take the plan.
    OnlyGpu {
        /// The GPU.
        label: String,
        /// The processor's refusal.
        refusal: Arc<Error>,
    },
    /// To the processor: GPUs do not take the algorithm or the plan.
    NoForm {
        /// Their refusal.
        refusal: Arc<Error>,
    },
    /// To the processor: the graph is small.
    Small {
        /// Its arcs.
        arcs: u64,
    },
    /// To the processor: there is no GPU, or it does not work.
    NoGpu {
        /// Why not.
        error: Arc<Error>,
    },
    /// To the processor: the GPU's memory is too small.
    NoRoom {
        /// The GPU.
        label: String,
        /// Bytes the run takes there.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// To the processor, after the GPU failed.
    Failed {
        /// What happened there.
        error: Arc<Error>,
    },
}

impl Choice {
    /// Is there a GPU that should have been used, and could not be?
    pub fn is_trouble(&self) -> bool {
        match self {
            Self::NoGpu { error } => {
                !matches!(error.trouble(), Some(DeviceTrouble::NoDriver | DeviceTrouble::NoDevice))
            }
            Self::Failed { .. } => true,
            _ => false,
        }
    }

    /// Was there a GPU to choose, or should there have been?
    pub fn had_gpu(&self) -> bool {
        match self {
            Self::Worth { .. } | Self::OnlyGpu { .. } | Self::NoRoom { .. } => true,
            _ => self.is_trouble(),
        }
    }

    /// The error that kept the GPU from being used.
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

/// A run, to whoever decides where it goes.
pub(crate) struct Asked<'a> {
    /// The graph, in the order it runs in.
    pub(crate) graph: &'a Graph,
    /// Is that graph on the GPU already?
    pub(crate) is_on_device: bool,
    /// Bytes of device memory that it takes.
    pub(crate) needed: &'a (dyn Fn(&Graph) -> u64 + Sync),
    /// Which devices take it.
    pub(crate) accepted: &'a Accepted,
}

/// Decides; the GPU, if that is where the run goes.
///
/// # Errors
/// When only a GPU takes algorithm and plan, and there is none.
pub(crate) fn decide<'a>(asked: &Asked<'_>, gpus: &'a Accelerator) -> Result<(Option<&'a Gpu>, Choice)> {
    match (&asked.accepted.cpu_refusal, &asked.accepted.gpu_refusal) {
        (Some(refusal), _) => only_gpu(refusal, gpus),
        (None, Some(refusal)) => Ok((None, Choice::NoForm { refusal: Arc::clone(refusal) })),
        (None, None) => Ok(is_worth(asked, gpus)),
    }
}

/// What the processor refuses goes to the GPU, or is refused.
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
    // What a graph holds there already is part of what it needs.
    let free = memory.free + if asked.is_on_device { memory.held } else { 0 };
    match needed <= free {
        true => (Some(gpu), Choice::Worth { label, arcs }),
        false => (None, Choice::NoRoom { label, needed, free }),
    }
}
