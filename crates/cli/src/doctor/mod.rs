//! `warpgraph doctor`: what this build and this machine are, what is missing, and whether everything works.

mod findings;
mod self_check;

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
use self_check::Check;
use serde::Serialize;
use warpgraph_bench::{Limits, limits::Effort, machine::Machine};

/// Say what this build and this machine are, what is missing, and whether every algorithm works
///
/// The self-check runs every algorithm on small graphs and verifies its answers. Exit code 1 if one is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  warpgraph doctor
  warpgraph doctor --json")]
pub(crate) struct Doctor {
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
    self_check: Vec<Check>,
    healthy: bool,
}

/// Looks at everything, and says.
pub(crate) fn run(args: &Doctor) -> Result<u8> {
    let session = Session::start(&args.working)?;
    session.say("looking at the machine\n");
    let limits = session.work(|control| Limits::measure(Effort::Quick, control))?;
    let self_check = self_check::run(&session)?;
    let healthy = self_check.iter().all(Check::is_good);
    let report = Report {
        schema: SCHEMA,
        version: VERSION,
        command: "doctor",
        machine: Machine::this(),
        limits,
        findings: findings::all(&session),
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
    let mut checks = Rows::default();
    for check in &report.self_check {
        checks.add(check.algorithm, format!("{}, {}", check.word(), check.what));
    }
    let title = |text: &str| format!("\n{LABEL}{text}{LABEL:#}\n");
    let limits = bench::limits(&report.limits);
    [rows.text(), title("limits"), limits, title("self-check"), checks.text()].concat()
}
