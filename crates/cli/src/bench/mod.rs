//! `warpgraph bench`: algorithms on graphs, measured alike, as shares of what the machine can do.
//!
//! A case that cannot run is a row that says why, not the end. Exit code 1 if an answer failed verification, 2 if no case
//! ran at all.

mod bounds;
mod evaluate;
mod limits;
mod many;
mod suite;
mod text;
mod wait;

pub(crate) use text::limits;

use crate::{
    console,
    device::OnDevice,
    failure::{Failure, Result},
    put_json,
    reading::Reading,
    report::VERSION,
    session::{Session, Working},
    write,
};
use clap::Args;
use evaluate::Other;
use std::{
    io::Write,
    path::{Path, PathBuf},
};
use warpgraph::graph::AtomicFile;
use warpgraph_bench::{
    Report, Yardsticks, compare,
    machine::Machine,
    result::{self, CaseReport, SCHEMA},
};

const EXAMPLES: &str = "\
Examples:
  warpgraph bench --limits
  warpgraph bench kron:12 grid:64x64,w=1..9 --algorithms bfs,sssp --verify
  warpgraph bench kron:12 --runs 20 --out before.json
  warpgraph bench kron:12 --runs 20 --compare before.json
  warpgraph bench kron:12 --device cpu --algorithms bfs,wcc
  warpgraph bench kron:12 --algorithms sssp,mst --approx none,coalesce
  warpgraph bench limits
  warpgraph bench wait kron:12
  warpgraph bench bounds kron:10 --seeds 20
  warpgraph bench many --scale 12
  warpgraph bench gpu --help
  warpgraph bench approx --help
  warpgraph bench asyn --help
  warpgraph bench balance --help
  warpgraph bench halo --help
  warpgraph bench residency --help
  warpgraph bench sage --help

Without graphs: kron:18, uniform:18 and grid:512x512 with a tenth of the edges
dropped, all with weights from 1 to 255; about a minute.";

/// Measure algorithms: median and spread of many runs, and the share of the machine's limits they reach
///
/// The limits of the processor (copying, random reads, atomics, waking threads), or those of the GPU that is asked for, are
/// measured in the same run. An algorithm may have a simple model of what it cannot avoid; its share is the time that
/// takes at the limits over the measured one.
#[derive(Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct Bench {
    #[command(subcommand)]
    other: Option<Other>,
    /// The graphs: files or generators such as kron:20
    graphs: Vec<String>,
    /// Only these algorithms, e.g. bfs,wcc [default: all]
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Measuring")]
    algorithms: Vec<String>,
    /// Timed runs per case
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    runs: u64,
    /// Runs before, untimed
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    warmup: u64,
    /// Start no further run of a case after this many seconds; give a run up after twice as many
    #[arg(long, value_name = "SECONDS", default_value_t = 5, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    case_limit: u64,
    /// Check the answer of every run; exit code 1 if one is wrong
    #[arg(long, help_heading = "Measuring")]
    verify: bool,
    /// How to run, as for `run`; a case whose algorithm cannot follow it says so
    #[arg(long, value_name = "P", default_value = "auto", help_heading = "Measuring")]
    plan: String,
    /// How vertices are numbered inside the engine: one or more, e.g. natural,degree [default: as the file holds them]
    #[arg(long, value_name = "O,O", value_delimiter = ',', help_heading = "Measuring")]
    order: Vec<String>,
    /// How the graph is changed before the runs, as for `run`: one or more, e.g. none,coalesce,divergence(share=0.3)
    ///
    /// `none` leaves it as it is. Answers about a changed graph are approximate; `run --compare` and `bench approx` measure
    /// their error.
    #[arg(long, value_name = "A,A", value_delimiter = ',', help_heading = "Measuring")]
    approx: Vec<String>,
    /// Measure the machine's limits and nothing else
    #[arg(long, help_heading = "Measuring")]
    limits: bool,
    /// Write the figures of every run to this file, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long, help_heading = "Output")]
    force: bool,
    /// Compare with a file that --out wrote earlier
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    compare: Option<PathBuf>,
    #[command(flatten)]
    device: OnDevice,
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    reading: Reading,
}

/// Measures the machine, then every case; or what is asked for instead.
pub(crate) fn run(args: &Bench) -> Result<u8> {
    match &args.other {
        Some(Other::Limits(args)) => return limits::run(args),
        Some(Other::Wait(args)) => return wait::run(args),
        Some(Other::Bounds(args)) => return bounds::run(args),
        Some(Other::Many(args)) => return many::run(args),
        Some(Other::Evaluation(args)) => return evaluate::run(args),
        None => (),
    }
    let suite = suite::Suite::new(args)?;
    if let Some(path) = &args.out {
        write::refuse_existing(path, args.force)?;
    }
    let old = args.compare.as_deref().map(result::read).transpose()?;
    let session = Session::on(&args.working, &args.device)?;
    session.say("measuring the machine\n");
    let settings = session.settings(&args.device);
    let mut limits = session.work(|control| Yardsticks::measure(&session.engine, settings, control))?;
    if let (true, Some(why)) = (args.limits, &limits.trouble) {
        return Err(Failure::new("device", why.clone(), "free memory on the device, or allow more of it"));
    }
    let cases = if args.limits { Vec::new() } else { suite.run(&session, &mut limits)? };
    let mut report = report(limits, cases);
    report.compare = old.map(|old| compare::compare(&old, &report));
    tell(args, &report)?;
    Ok(exit_code(&report.cases))
}

fn report(limits: Yardsticks, cases: Vec<CaseReport>) -> Report {
    let warnings = cases.iter().filter_map(outlier).chain(limits.trouble).collect();
    Report {
        schema: SCHEMA,
        version: VERSION.to_owned(),
        command: "bench".to_owned(),
        machine: Machine::this(),
        limits: limits.processor,
        gpu_limits: limits.gpu,
        cases,
        compare: None,
        warnings,
    }
}

/// What is said of a case with runs far from the others.
fn outlier(case: &CaseReport) -> Option<String> {
    let CaseReport { algorithm, name, timing, .. } = case;
    let (far, runs) = (timing.outliers, timing.seconds.as_ref()?.runs.len());
    let advice = "quiet the machine, or raise --warmup";
    (far > 0)
        .then(|| format!("{algorithm} on {name}: {far} of {runs} runs are far from the others; {advice}"))
}

/// The file, then the report: as JSON, or as tables.
fn tell(args: &Bench, report: &Report) -> Result<()> {
    if let Some(path) = &args.out {
        let text =
            serde_json::to_string_pretty(report).map_err(|e| Failure::new("json", e.to_string(), ""))?;
        save(path, args.force, &text)?;
    }
    if args.working.json {
        return put_json(report);
    }
    let compared = report.compare.iter().flat_map(|c| &c.warnings);
    report.warnings.iter().chain(compared).for_each(|w| console::warning(w));
    console::out(&text::report(report)).map_err(Failure::stdout)
}

/// Writes a file whole or not at all.
fn save(path: &Path, force: bool, text: &str) -> Result<()> {
    let mut file = AtomicFile::create(path, force)?;
    file.write_all(text.as_bytes()).map_err(|e| warpgraph::graph::Error::io(path, "write", e))?;
    Ok(file.commit()?)
}

fn exit_code(cases: &[CaseReport]) -> u8 {
    let failed = |case: &CaseReport| case.timing.verify.as_deref() == Some("failed");
    match () {
        () if cases.iter().any(failed) => 1,
        () if !cases.is_empty() && cases.iter().all(|case| case.error.is_some()) => 2,
        () => 0,
    }
}
