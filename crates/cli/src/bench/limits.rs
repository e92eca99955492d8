//! `warpgraph bench limits`: what a GPU can do at best, or the processor where there is none.

use super::text::{self, sheet};
use crate::{
    console,
    device::OnDevice,
    failure::{Failure, Result},
    put_json,
    report::{SCHEMA, VERSION},
    session::{Session, Working},
};
use clap::Args;
use serde_json::json;
use warpgraph::{Device, Gpu, Plan};
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
    args.device.check_plan(Plan::AUTO)?;
    let session = Session::on(&args.working, &args.device)?;
    let mut report = json!({
        "schema": SCHEMA, "version": VERSION, "command": "bench limits", "machine": Machine::this(),
        "device": null, "processor": null, "gpu": null,
    });
    let text = match gpu(&session, "--device simt") {
        Ok(gpu) => {
            let of = gpu.properties();
            session.say(&format!("measuring {}\n", of.name));
            let limits = session.work(|control| GpuLimits::measure(gpu, control))?;
            (report["device"], report["gpu"]) = (json!(report::OnDevice::from(gpu)), json!(limits));
            let tables: String = tables::all(&limits).iter().map(sheet).collect();
            format!("{} ({}), {} multiprocessors\n\n{tables}", of.name, of.label, of.multiprocessors)
        }
        Err(_) if matches!(session.engine.device(), Device::Auto | Device::Cpu) => {
            session.say("measuring the processor\n");
            let limits = session.work(|control| Limits::measure(Effort::Thorough, control))?;
            report["processor"] = json!(limits);
            text::limits(&limits)
        }
        Err(failure) => return Err(failure),
    };
    match args.working.json {
        true => put_json(&report)?,
        false => console::out(&text).map_err(Failure::stdout)?,
    }
    Ok(0)
}

/// Returns the GPU to measure; looks for it where that was left open. `otherwise` says how to try without one.
pub(super) fn gpu<'a>(session: &'a Session, otherwise: &str) -> Result<&'a Gpu> {
    session.engine.look_for_gpu().ok_or_else(|| {
        let why = match (session.engine.device(), session.engine.why_no_gpu()) {
            (Device::Cpu, _) | (_, None) => "--device cpu is none".to_owned(),
            (_, Some(why)) => why.to_string(),
        };
        let help =
            format!("use --device cuda where there is one, or {otherwise} to try it on a simulated one");
        Failure::new("refused", format!("there is no GPU to measure: {why}"), help)
    })
}
