//! `warpgraph doctor`: reports on this build, this machine and its GPUs, on what is missing, and on whether everything
//! works.

mod costs;
mod findings;
mod gpus;
mod self_check;
mod warm;

use crate::{
    bench,
    console::{self, LABEL, NOTE, Rows},
    failure::{Failure, Result},
    put_json,
    report::{SCHEMA, VERSION},
    session::{Session, Working},
};
use clap::Args;
use findings::{Finding, Status};
use gpus::DeviceReport;
use self_check::Check;
use serde::Serialize;
use warpgraph_bench::{Limits, limits::Effort, machine::Machine};

/// Report on this build and this machine, on what is missing, and on whether every algorithm works
///
/// Measures the costs of balances on each GPU, unless they are known already: the engine chooses a balance by them.
///
/// The self-check runs every algorithm on small graphs and verifies its answers: on the CPU, on each NVIDIA GPU, and on
/// the simulated GPU if there is a C++ compiler. The exit code is 1 if an answer is wrong. A missing component is not a
/// failure; the report names the command that installs it.
///
/// With --warm it only compiles: what the default forms of all algorithms, or of those named, need on the GPU. Later runs
/// find these kernels in the cache. Without a GPU that is an error.
#[derive(Args)]
#[command(after_help = "\
Examples:
  warpgraph doctor
  warpgraph doctor --json

With a GPU: doctor --warm, or doctor --warm bfs pagerank --device cuda:1")]
pub(crate) struct Doctor {
    /// Only compile the kernels of all algorithms, or of these, for the GPU, several at once
    #[arg(long, value_name = "ALGORITHM", num_args = 0..)]
    warm: Option<Vec<String>>,
    /// The device of --warm: cuda, cuda:N or simt
    #[arg(long, value_name = "D", default_value = "cuda", requires = "warm")]
    device: String,
    #[command(flatten)]
    working: Working,
}

#[derive(Serialize)]
struct Report {
    schema: u32,
    version: &'static str,
    command: &'static str,
    machine: Machine,
    limits: Limits,
    findings: Vec<Finding>,
    devices: Vec<DeviceReport>,
    self_check: Vec<Check>,
    healthy: bool,
}

/// Checks everything and prints the report.
pub(crate) fn run(args: &Doctor) -> Result<u8> {
    if let Some(names) = &args.warm {
        return warm::run(&args.working, &args.device, names);
    }
    let session = Session::start(&args.working)?;
    session.say("looking at the machine\n");
    let limits = session.work(|control| Limits::measure(Effort::Quick, control))?;
    let gpus = gpus::look(&session);
    let self_check = self_check::run(&session, &gpus.engines)?;
    let healthy = self_check.iter().all(Check::is_good);
    let report = Report {
        schema: SCHEMA,
        version: VERSION,
        command: "doctor",
        machine: Machine::this(),
        limits,
        findings: findings::all(&session).into_iter().chain(gpus.findings).collect(),
        devices: gpus.devices,
        self_check,
        healthy,
    };
    if args.working.json {
        put_json(&report)?;
    } else {
        console::out(&text(&report)).map_err(Failure::stdout)?;
    }
    Ok(u8::from(!healthy))
}

fn text(report: &Report) -> String {
    let mut rows = Rows::default();
    for finding in &report.findings {
        let value = match finding.status {
            Status::Fine => finding.value.clone(),
            Status::Note => format!("{NOTE}{}{NOTE:#}", finding.value),
        };
        rows.add(finding.name, value);
        if let Some(fix) = &finding.fix {
            rows.add("", format!("{NOTE}help{NOTE:#}: {fix}"));
        }
    }
    let title = |text: &str| format!("\n{LABEL}{text}{LABEL:#}\n");
    let limits = bench::limits(&report.limits);
    let mut text = [rows.text(), title("limits"), limits].concat();
    for device in &report.devices {
        let Some(model) = &device.cost_model else { continue };
        text += &(title(&costs::title(&device.label, model)) + &costs::table(model));
    }
    for checks in report.self_check.chunk_by(|a, b| a.device == b.device) {
        let mut rows = Rows::default();
        for check in checks {
            rows.add(check.algorithm, format!("{}, {}", check.word(), check.what));
        }
        text += &(title(&format!("self-check on {}", checks[0].device)) + &rows.text());
    }
    text
}
