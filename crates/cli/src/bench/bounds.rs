//! `warpgraph bench bounds`: how often proved errors hold, against exact answers.

use super::{save, text::sheet};
use crate::{
    console,
    device::OnDevice,
    failure::{Failure, Result},
    load, put_json,
    reading::Reading,
    report::VERSION,
    session::{Session, Working},
    write,
};
use clap::Args;
use std::path::PathBuf;
use warpgraph::{Device, Plan};
use warpgraph_bench::{
    bounds::{ALL, Check, GRAPHS, Report, SCHEMA, Subject},
    machine::Machine,
};

const EXAMPLES: &str = "\
Examples:
  warpgraph bench bounds --device cuda
  warpgraph bench bounds --device cuda --seeds 1000 --algorithms bc --out bounds.json
  warpgraph bench bounds kron:10 --device cpu --seeds 20

Every run is asked with `--max-error` and a seed of its own, and its answer is compared
with an exact one of the processor. Exit code 1 if fewer runs than the confidence says
are within the error that they report. Graphs need exact betweenness and closeness, so
they have some thousand vertices.";

/// Check proved errors: ask with many seeds, and compare every answer with the exact one
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Bounds {
    /// The graphs: files or generators [default: five of 4,096 vertices]
    graphs: Vec<String>,
    /// Runs per algorithm and graph, each with a seed of its own
    #[arg(long, value_name = "N", default_value_t = 200, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seeds: u64,
    /// Only these algorithms [default: bc,closeness,triangles,pagerank]
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = algorithm, help_heading = "Measuring")]
    algorithms: Vec<String>,
    /// Write the report to this file, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long, help_heading = "Output")]
    force: bool,
    #[command(flatten)]
    device: OnDevice,
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    reading: Reading,
}

fn algorithm(text: &str) -> Result<String, String> {
    let names = ALL.map(|check| check.name);
    match names.contains(&text) {
        true => Ok(text.to_owned()),
        false => Err(format!("no errors of {text:?} are proved; algorithms: {}", names.join(", "))),
    }
}

/// Makes all trials, and tells what came of them.
pub(super) fn run(args: &Bounds) -> Result<u8> {
    args.device.check_plan(Plan::AUTO)?;
    args.graphs.iter().try_for_each(|name| load::find_source(name).map(drop))?;
    if let Some(path) = &args.out {
        write::refuse_existing(path, args.force)?;
    }
    let session = Session::on(&args.working, &args.device)?;
    let report = measured(args, &session)?;
    if let Some(path) = &args.out {
        let text =
            serde_json::to_string_pretty(&report).map_err(|e| Failure::new("json", e.to_string(), ""))?;
        save(path, args.force, &text)?;
    }
    match args.working.json {
        true => put_json(&report)?,
        false => console::out(&sheet(&report.sheet())).map_err(Failure::stdout)?,
    }
    Ok(report.exit_code())
}

fn measured(args: &Bounds, session: &Session) -> Result<Report> {
    let processor = session.beside(Device::Cpu)?;
    let device = match session.engine.device() {
        Device::Cpu => "cpu".to_owned(),
        _ => session.engine.look_for_gpu().map_or("cpu".to_owned(), |gpu| gpu.properties().name.clone()),
    };
    let mut report = Report {
        schema: SCHEMA,
        version: VERSION.to_owned(),
        command: "bench bounds".to_owned(),
        machine: Machine::this(),
        device,
        threads: session.engine.threads(),
        seeds: args.seeds,
        rows: Vec::new(),
    };
    let is_asked =
        |check: &&Check| args.algorithms.is_empty() || args.algorithms.iter().any(|name| name == check.name);
    let usual = GRAPHS.map(str::to_owned);
    let names = if args.graphs.is_empty() { &usual[..] } else { &args.graphs };
    for name in names {
        let read = load::load(session, name, &args.reading)?;
        let subject = session.work(|_| Subject::new(name, &read.graph, &session.engine, &processor))?;
        for check in ALL.iter().filter(is_asked) {
            session.say(&format!("{} on {name}\n", check.name));
            let row = session.work(|control| check.row(&subject, args.seeds, control))?;
            report.rows.extend(row);
        }
    }
    Ok(report)
}
