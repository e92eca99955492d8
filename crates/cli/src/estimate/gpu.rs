//! The memory that a run takes on a GPU. No GPU is needed to tell.

use crate::{
    device::Names,
    failure::{Failure, Result},
    session::Session,
};
use clap::Args;
use serde::{Serialize, Serializer};
use warpgraph::{Device, Entry, Options, Outline, Residency, cost::Shape, graph::WeightType};

/// The GPU to estimate for.
#[derive(Args)]
#[command(next_help_heading = "Running")]
pub(super) struct Asked {
    /// Also estimate the memory on this device: auto, cuda, cuda:N or simt; no GPU needs to be there
    #[arg(long, value_name = "D", value_parser = Names, hide_possible_values = true)]
    device: Option<String>,
    /// Say what a run does with this much GPU memory, in place of what is free on the device
    #[arg(long, value_name = "B", value_parser = warpgraph::graph::memory::parse_bytes, requires = "device")]
    gpu_memory: Option<u64>,
}

/// The memory of a run on a GPU, under an open plan.
#[derive(Serialize)]
pub(super) struct OnGpu {
    /// Offsets, the state of vertices, and what kernels work with.
    pub(super) rest: u64,
    /// Targets and weights, which need not be on the device.
    pub(super) edges: u64,
    pub(super) total: u64,
    /// The least with which a run works: all edges are off the device.
    pub(super) least: u64,
    /// What makes a run faster and is left out if memory is short; not in `total`.
    pub(super) extra: u64,
    /// What the user gave, or what is free on the device; null if there is none.
    pub(super) free: Option<u64>,
    /// What an open plan takes; null if that is unknown, or if it does not run.
    #[serde(serialize_with = "by_name")]
    pub(super) residency: Option<Residency>,
}

fn by_name<S: Serializer>(residency: &Option<Residency>, serializer: S) -> Result<S::Ok, S::Error> {
    residency.map(|residency| residency.to_string()).serialize(serializer)
}

impl Asked {
    /// Returns the estimate for the device that the user names; `None` if the user names none, or the CPU.
    pub(super) fn estimate(
        &self,
        entry: &Entry,
        shape: &Shape,
        session: &Session,
        options: &Options,
    ) -> Result<Option<OnGpu>> {
        let device: Option<Device> = self.device.as_deref().map(str::parse).transpose()?;
        if let Some(group) = device.and_then(Device::several) {
            let help = format!("use one device; --parts {} says how large the parts are", group.count());
            return Err(Failure::new("refused", format!("estimate knows one GPU, not {group}"), help));
        }
        if device == Some(Device::Cpu) && self.gpu_memory.is_some() {
            let what = "--gpu-memory is for GPUs, and --device cpu asks for none";
            return Err(Failure::new("refused", what, "leave --gpu-memory out, or use --device cuda"));
        }
        let Some(device) = device.filter(|&device| device != Device::Cpu) else { return Ok(None) };
        entry.rules.accept(device, options)?;
        let bytes = entry.usual().footprint(&outline(shape), options);
        let free = self.gpu_memory.or_else(|| free(device, session));
        let residency = free.and_then(|free| bytes.residency(free));
        Ok(Some(OnGpu {
            rest: bytes.rest,
            edges: bytes.edges,
            total: bytes.total(),
            least: bytes.least(),
            extra: bytes.extra,
            free,
            residency,
        }))
    }
}

/// Returns what is free on a device; `None` if it is not there.
fn free(device: Device, session: &Session) -> Option<u64> {
    let engine = session.beside(device).ok()?;
    engine.look_for_gpu()?.memory().ok().map(|memory| memory.free)
}

fn outline(shape: &Shape) -> Outline {
    let least = if shape.weights == Some(WeightType::I32) { f64::from(i32::MIN) } else { 0.0 };
    Outline {
        directed: shape.directed,
        vertices: shape.vertices,
        arcs: shape.arcs,
        wide: shape.arcs > u64::from(u32::MAX),
        weights: shape.weights,
        weight_range: shape.largest_weight.map(|most| (least, most)),
    }
}
