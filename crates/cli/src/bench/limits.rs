//! `warpgraph bench limits`: what a GPU can do at best, or the processor where there is none.

use super::{device, sheet::sheet, text};
use crate::{
    console,
    device::OnDevice,
    failure::{Failure, Result},
    put_json,
    report::{SCHEMA, VERSION},
    session::{Session, Working},
};
use clap::Args;
use serde::Serialize;
use warpgraph::Device;
use warpgraph_bench::{
    GpuLimits, Limits, evaluation::report, gpu_limits::tables, limits::Effort, machine::Machine,
};

const EXAMPLES: &str = "\
Examples:
  warpgraph bench limits --device cuda
  warpgraph bench limits --device cuda:1 --json
  warpgraph bench limits --device cpu
  warpgraph bench limits --device simt

Bandwidth, random reads and atomics by footprint, launches, barriers over a grid, the bus
and allocations, each the median of several measurements; some seconds. A quarter of the
GPU's free memory is used at most. With --device auto the processor is measured where
there is no GPU.";

/// Measure what a GPU can do at best: the yardstick for all runs
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MeasureLimits {
    #[command(flatten)]
    device: OnDevice,
    #[command(flatten)]
    working: Working,
}

/// The JSON form; one of `processor` and `gpu` is there.
#[derive(Serialize)]
struct Report {
    schema: u32,
    version: &'static str,
    command: &'static str,
    machine: Machine,
    device: Option<report::OnDevice>,
    processor: Option<Limits>,
    gpu: Option<GpuLimits>,
}

pub(super) fn run(args: &MeasureLimits) -> Result<u8> {
    let session = Session::on(&args.working, &args.device)?;
    let mut report = Report {
        schema: SCHEMA,
        version: VERSION,
        command: "bench limits",
        machine: Machine::this(),
        device: None,
        processor: None,
        gpu: None,
    };
    match device::gpu(&session, "--device simt") {
        Ok(gpu) => {
            session.say(&format!("measuring {}\n", gpu.properties().name));
            report.device = Some(gpu.properties().into());
            report.gpu = Some(session.work(|control| GpuLimits::measure(gpu, control))?);
        }
        Err(_) if matches!(session.engine.device(), Device::Auto | Device::Cpu) => {
            session.say("measuring the processor\n");
            report.processor = Some(session.work(|control| Limits::measure(Effort::Thorough, control))?);
        }
        Err(failure) => return Err(failure),
    }
    if args.working.json {
        put_json(&report)?;
    } else {
        console::out(&tell(&report)).map_err(Failure::stdout)?;
    }
    Ok(0)
}

fn tell(report: &Report) -> String {
    match (&report.gpu, &report.device, &report.processor) {
        (Some(limits), Some(device), _) => {
            let on =
                format!("{} ({}), {} multiprocessors", device.name, device.label, device.multiprocessors);
            let tables: String = tables::all(limits).iter().map(sheet).collect();
            format!("{on}\n\n{tables}")
        }
        (_, _, Some(limits)) => text::limits(limits),
        _ => String::new(),
    }
}
