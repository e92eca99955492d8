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
use serde_json::{Value, json};
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

/// Measures, and tells; in JSON one of `processor` and `gpu` is there.
pub(super) fn run(args: &MeasureLimits) -> Result<u8> {
    let session = Session::on(&args.working, &args.device)?;
    let [mut device, mut processor, mut gpu] = [Value::Null, Value::Null, Value::Null];
    let text = match device::gpu(&session, "--device simt") {
        Ok(found) => {
            let of = found.properties();
            session.say(&format!("measuring {}\n", of.name));
            let limits = session.work(|control| GpuLimits::measure(found, control))?;
            (device, gpu) = (json!(report::OnDevice::from(of)), json!(limits));
            let tables: String = tables::all(&limits).iter().map(sheet).collect();
            format!("{} ({}), {} multiprocessors\n\n{tables}", of.name, of.label, of.multiprocessors)
        }
        Err(_) if matches!(session.engine.device(), Device::Auto | Device::Cpu) => {
            session.say("measuring the processor\n");
            let limits = session.work(|control| Limits::measure(Effort::Thorough, control))?;
            processor = json!(limits);
            text::limits(&limits)
        }
        Err(failure) => return Err(failure),
    };
    if args.working.json {
        put_json(&json!({
            "schema": SCHEMA, "version": VERSION, "command": "bench limits", "machine": Machine::this(),
            "device": device, "processor": processor, "gpu": gpu,
        }))?;
    } else {
        console::out(&text).map_err(Failure::stdout)?;
    }
    Ok(0)
}
