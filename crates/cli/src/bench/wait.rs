//! `warpgraph bench wait`: what a user waits for, from the start of the program to its end, phase by phase.
//!
//! All children run before this process opens the GPU, because a GPU that another process holds open starts faster.

use super::text::sheet;
use crate::{
    console::{self, LABEL},
    device::OnDevice,
    failure::{Failure, Result},
    load, put_json,
    reading::Reading,
    report::VERSION,
    session::{Session, Working},
};
use clap::Args;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};
use warpgraph::{Engine, Entry, Plan, graph, graph::format::write::WriteOptions};
use warpgraph_bench::{
    GpuLimits, Limits,
    limits::Effort,
    wait::{
        AtBest, Case, Report, Start, Waited,
        child::{Child, Kernels, has_bundle},
        opened, report,
    },
};

const EXAMPLES: &str = "\
Examples:
  warpgraph bench wait kron:20
  warpgraph bench wait kron:24 --device cuda --runs 10 --out wait
  warpgraph bench wait a.wg b.wg --algorithms bfs,pagerank
  warpgraph bench wait --from wait/wait.json

A graph that is no .wg file is written as one to a temporary folder first. Every run
starts this program anew as `warpgraph run ALGORITHM FILE --json`: on a GPU with an empty
cache of kernels (cold), with the bundle of a release if there is one (bundle), and with
a cache that an earlier run filled (warm). The column open is a new graph in a process
whose engine is open. The page cache holds the file in all of them.";

/// Measure what a user waits for: process start to answer, per phase, beside what the machine allows
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Wait {
    /// The graphs: files or generators [default: kron:20]
    graphs: Vec<String>,
    /// The algorithms
    #[arg(
        long,
        value_name = "A,B",
        value_delimiter = ',',
        default_value = "bfs",
        help_heading = "Measuring"
    )]
    algorithms: Vec<String>,
    /// Timed runs per kind of start
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(1..=10_000))]
    runs: u64,
    /// Write wait.json and wait.md into this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, help_heading = "Output")]
    force: bool,
    /// Measure nothing: make the tables from the JSON of an earlier report
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with = "graphs")]
    from: Option<PathBuf>,
    #[command(flatten)]
    device: OnDevice,
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    reading: Reading,
}

/// Measures, or reads what was measured; writes the files; prints the tables or the JSON.
pub(super) fn run(args: &Wait) -> Result<u8> {
    if let Some(folder) = &args.out {
        report::check(folder, args.force)?;
    }
    let report = match &args.from {
        Some(path) => Report::read(path)?,
        None => measured(args)?,
    };
    if let Some(folder) = &args.out {
        report::write(folder, &report)?;
    }
    match args.working.json {
        true => put_json(&report)?,
        false => console::out(&text(&report)).map_err(Failure::stdout)?,
    }
    Ok(report.exit_code())
}

/// Returns the limits and the tables of all cases.
fn text(report: &Report) -> String {
    let tables: String = report.cases.iter().map(|case| sheet(&report::sheet(case))).collect();
    format!("{LABEL}limits{LABEL:#}  {}\n\n{tables}{}\n", report::summary(report), report::NOTE)
}

fn measured(args: &Wait) -> Result<Report> {
    let entries: Vec<&Entry> =
        args.algorithms.iter().map(|name| warpgraph::find(name)).collect::<Result<_, _>>()?;
    let device = args.device.device()?;
    args.device.check_plan(Plan::AUTO)?;
    let usual = ["kron:20".to_owned()];
    let names = if args.graphs.is_empty() { &usual[..] } else { &args.graphs };
    names.iter().try_for_each(|name| load::find_source(name).map(drop))?;
    let session = Session::start(&args.working)?;
    let folder = Temporary::new()?;
    let mut report = Report::new(VERSION, session.engine.threads(), args.runs);
    report.memory = session.work(|control| Limits::measure(Effort::Quick, control))?.copy;
    let mut files = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let file = file(args, &session, name, folder.0.join(format!("{number}.wg")))?;
        for entry in &entries {
            let case = Case { name: name.clone(), algorithm: entry.name.to_owned(), ..Case::default() };
            let children = Children { args, session: &session, file: &file, folder: &folder.0 };
            report.cases.push(children.case(case)?);
            files.push((*entry, file.clone()));
        }
    }
    let engine = session.beside(device)?;
    for (case, (entry, file)) in report.cases.iter_mut().zip(&files) {
        within(case, &engine, entry, file, &session, args.runs)?;
    }
    finish(&mut report, &engine, &session)?;
    Ok(report)
}

/// Returns the `.wg` file of a graph; writes it to `temporary` if there is none yet.
fn file(args: &Wait, session: &Session, name: &str, temporary: PathBuf) -> Result<PathBuf> {
    let path = Path::new(name);
    if path.is_file() && path.extension().is_some_and(|ending| ending == "wg") && args.reading.is_default() {
        return Ok(path.canonicalize().map_err(|error| graph::Error::io(path, "open", error))?);
    }
    session.say(&format!("writing {name} as .wg\n"));
    let read = load::load(session, name, &args.reading)?;
    session.work(|control| read.graph.write(&temporary, &WriteOptions::default(), control))?;
    Ok(temporary)
}

/// The runs of children on one file.
struct Children<'a> {
    args: &'a Wait,
    session: &'a Session,
    file: &'a Path,
    folder: &'a Path,
}

impl Children<'_> {
    /// Runs a case: once verified, then as often as asked per kind of start. A child that fails is the error of the case.
    fn case(&self, mut case: Case) -> Result<Case> {
        let child = self.child(&case.algorithm)?;
        case.bytes = self.file.metadata().map_err(|error| graph::Error::io(self.file, "open", error))?.len();
        self.session.say(&format!("{} on {}: one verified run\n", case.algorithm, case.name));
        let first = match child.run(Kernels::Warm, &["--verify"]) {
            Ok(ended) => ended.report,
            Err(failure) => return Ok(Case { error: Some(failure), ..case }),
        };
        let word = |field: &str| first[field].as_str().map(str::to_owned);
        (case.device, case.device_name) = (word("device").unwrap_or_default(), word("device_name"));
        case.verify = word("verify");
        for kernels in self.starts(&child.program, &first) {
            self.session.say(&format!("  {}\n", kernels.name()));
            match self.runs(&child, kernels)? {
                Ok(runs) => case.starts.push(Start::new(kernels.name(), runs)),
                Err(failure) => return Ok(Case { error: Some(failure), ..case }),
            }
        }
        Ok(case)
    }

    /// Returns the kinds of start to measure. Kernels make no difference to a run on the processor.
    fn starts(&self, program: &Path, first: &Value) -> Vec<Kernels> {
        match (first["seconds"]["compile"].is_null(), has_bundle(program)) {
            (true, _) => vec![Kernels::Warm],
            (false, false) => vec![Kernels::Cold, Kernels::Warm],
            (false, true) => vec![Kernels::Cold, Kernels::Bundle, Kernels::Warm],
        }
    }

    /// Runs a child as often as asked. The outer error ends the whole measurement.
    fn runs(
        &self,
        child: &Child,
        kernels: Kernels,
    ) -> Result<Result<Vec<Waited>, warpgraph_bench::result::Failure>> {
        let mut runs = Vec::new();
        for _ in 0..self.args.runs {
            self.session.control.check("measuring")?;
            match child.run(kernels, &[]) {
                Ok(ended) => runs.push(ended.waited),
                Err(failure) => return Ok(Err(failure)),
            }
        }
        Ok(Ok(runs))
    }

    /// Returns the child for an algorithm, with the flags of this process.
    fn child(&self, algorithm: &str) -> Result<Child> {
        let unknown = |error| graph::Error::io("this program", "find", error);
        let mut arguments = vec![algorithm.into(), self.file.as_os_str().to_owned()];
        arguments.extend(self.args.device.arguments());
        arguments.extend(["--threads".into(), self.session.engine.threads().to_string().into()]);
        let program = std::env::current_exe().map_err(unknown)?;
        Ok(Child { program, arguments, folder: self.folder.to_owned() })
    }
}

/// Adds the runs of a case within this process.
fn within(
    case: &mut Case,
    engine: &Engine,
    entry: &Entry,
    file: &Path,
    session: &Session,
    runs: u64,
) -> Result<()> {
    if case.error.is_some() {
        return Ok(());
    }
    session.say(&format!("{} on {}: with an open engine\n", case.algorithm, case.name));
    let question = entry.question(Value::Object(serde_json::Map::new()))?;
    let runs = opened::measure(engine, &*question, file, runs, &session.control)?;
    case.starts.push(Start::new("open", runs));
    Ok(())
}

/// Measures the bus if a case used a GPU, and adds the limits of every case.
fn finish(report: &mut Report, engine: &Engine, session: &Session) -> Result<()> {
    if let Some(gpu) = engine.gpu() {
        report.bus = Some(session.work(|control| GpuLimits::measure_bus(gpu, control))?.to_device);
    }
    for case in &mut report.cases {
        let bus = report.bus.filter(|_| case.device != "cpu");
        case.limits = AtBest::new(case.bytes, report.memory, bus);
    }
    Ok(())
}

/// A folder that is removed at the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Result<Self> {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let path = std::env::temp_dir().join(format!("warpgraph-wait-{}-{time:x}", std::process::id()));
        fs::create_dir(&path).map_err(|error| graph::Error::io(&path, "create the folder", error))?;
        Ok(Self(path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // What cannot be removed is left to the system, which empties the folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}
