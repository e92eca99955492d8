//! `warpgraph bench balance`: a paper's comparison of load balancing strategies, on the graphs and the GPU at hand.
//!
//! A strategy that cannot run is a row that says why, not the end. Exit code 1 if an answer failed verification, 2 if nothing
//! ran at all.

mod files;
mod text;

use crate::{
    bench::device::gpu,
    console,
    device::OnDevice,
    failure::{Failure, Result},
    load, put_json,
    reading::Reading,
    report::VERSION,
    session::{Session, Working},
};
use clap::Args;
use std::{path::PathBuf, time::Duration};
use warpgraph_bench::{
    Entry, GpuLimits, GraphReport, Yardsticks, algorithms,
    balance::{
        self, COMMAND, Cell, GraphCase, Measuring, Report, Subject, degrees::Degrees, strategy, suite,
    },
    machine::Machine,
    result::SCHEMA,
    runner::How,
};

const EXAMPLES: &str = "\
Examples:
  warpgraph bench balance --device cuda --out balance
  warpgraph bench balance kron:18,degree=8,directed,w=1..255 grid:512x512,w=1..255
  warpgraph bench balance --plan push+node --plan 'push+split(mdt=32)' kron:18
  warpgraph bench balance --device simt --quick
  warpgraph bench balance --scale 20 road.gr.zst --out balance
  warpgraph bench balance --from balance/balance.json --out again

The graphs of --scale N: kron:N with 8 directed edges a vertex (RMAT), uniform:N
and uniform:N+3 with 4 (Erdos-Renyi), a grid of 2^N vertices with a tenth of the edges
dropped (road-like), kron:N+4 with 20 (Graph500), all with weights from 1 to 255.
Graphs that are named with --scale or --quick are measured after them.";

/// Compare load balancing strategies on a GPU, as a paper does, and say which of its statements hold here
///
/// BFS and SSSP by every strategy: time split into kernels and overhead, memory, degrees before and after node splitting,
/// and what work chunking gains. After Raval et al., "Dynamic Load Balancing Strategies for Graph Applications on GPUs",
/// section IV; docs/reproduce.md says what differs. Every answer is verified once.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Balance {
    /// The graphs: files or generators [default: those of --scale 20]
    graphs: Vec<String>,
    /// Five graphs of the kinds of the paper, of 2^N vertices and more; its own are of scale 20
    #[arg(long, value_name = "N", help_heading = "Measuring", value_parser = clap::value_parser!(u32)
          .range(i64::from(suite::LEAST_SCALE)..=i64::from(suite::MOST_SCALE)))]
    scale: Option<u32>,
    /// Tiny graphs of these kinds, which a simulated GPU can be asked about
    #[arg(long, help_heading = "Measuring", conflicts_with = "scale")]
    quick: bool,
    /// Only these strategies, each as a plan of `run`; give it once for each [default: all of the paper]
    #[arg(long = "plan", value_name = "P", help_heading = "Measuring")]
    plans: Vec<String>,
    /// Timed runs of each strategy
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    runs: u64,
    /// Runs before, untimed, beside the one that is verified
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    warmup: u64,
    /// Start no further run of a strategy after this many seconds; give a run up after twice as many
    #[arg(long, value_name = "SECONDS", default_value_t = 30, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    case_limit: u64,
    /// Write balance.json, balance.md and a plot of each figure into this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, help_heading = "Output")]
    force: bool,
    /// Measure nothing: make tables and plots from a balance.json
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with_all = ["graphs", "scale", "quick", "plans"])]
    from: Option<PathBuf>,
    #[command(flatten)]
    device: OnDevice,
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    reading: Reading,
}

/// Measures, or reads what was measured; writes the files; says what came of it.
pub(crate) fn run(args: &Balance) -> Result<u8> {
    if let Some(folder) = &args.out {
        files::check(folder, args.force)?;
    }
    let report = match &args.from {
        Some(path) => balance::read(path)?,
        None => measured(args)?,
    };
    if let Some(folder) = &args.out {
        files::write(folder, args.force, &report)?;
    }
    if args.working.json {
        put_json(&report)?;
    } else {
        report.warnings.iter().for_each(|warning| console::warning(warning));
        console::out(&text::report(&report)).map_err(Failure::stdout)?;
    }
    Ok(exit_code(&report.cells))
}

fn measured(args: &Balance) -> Result<Report> {
    let session = Session::on(&args.working, &args.device)?;
    let gpu = gpu(&session, "--device simt --quick")?;
    session.say(&format!("measuring the limits of {}\n", gpu.properties().name));
    let mut limits = Yardsticks::new(session.settings(&args.device));
    session.work(|control| limits.on_gpu(&session.engine, control).map(|_| ()))?;
    let (graphs, cells) = Suite::new(args, limits.gpu.as_ref()).run(&session)?;
    let measuring = Measuring {
        runs: args.runs,
        warmup: args.warmup,
        case_limit: args.case_limit,
        gpu_memory: args.device.gpu_memory(),
    };
    let report = Report {
        schema: SCHEMA,
        version: VERSION.to_owned(),
        command: COMMAND.to_owned(),
        machine: Machine::this(),
        device: gpu.properties().into(),
        measuring,
        limits: limits.gpu,
        graphs,
        cells,
        ranks: Vec::new(),
        chunking: Vec::new(),
        statements: Vec::new(),
        warnings: Vec::new(),
    };
    let mut report = report.concluded();
    report.warnings.extend(limits.trouble);
    Ok(report)
}

/// What is to be measured.
struct Suite<'a> {
    args: &'a Balance,
    limits: Option<&'a GpuLimits>,
    graphs: Vec<String>,
    plans: Vec<&'a str>,
    entries: Vec<&'static Entry>,
}

impl<'a> Suite<'a> {
    fn new(args: &'a Balance, limits: Option<&'a GpuLimits>) -> Self {
        let suite = match (args.quick, args.scale) {
            (true, _) => suite::QUICK.map(str::to_owned).to_vec(),
            (false, Some(scale)) => suite::graphs(scale),
            (false, None) if args.graphs.is_empty() => suite::graphs(suite::SCALE),
            (false, None) => Vec::new(),
        };
        let graphs = [suite, args.graphs.clone()].concat();
        let plans: Vec<&str> = args.plans.iter().map(String::as_str).collect();
        let plans = if plans.is_empty() { strategy::PLANS.to_vec() } else { plans };
        Self {
            args,
            limits,
            graphs,
            plans,
            entries: ["sssp", "bfs"].into_iter().filter_map(algorithms::find).collect(),
        }
    }

    /// Every plan of every algorithm on every graph. Errors only when all must stop.
    fn run(&self, session: &Session) -> Result<(Vec<GraphCase>, Vec<Cell>)> {
        let (mut graphs, mut cells) = (Vec::new(), Vec::new());
        for name in &self.graphs {
            session.say(&format!("loading {name}\n"));
            let loaded = load::load(session, name, &self.args.reading);
            session.control.check("measuring")?;
            let mut case = GraphCase {
                name: name.clone(),
                graph: None,
                load: None,
                kind: None,
                degrees: None,
                error: None,
            };
            match loaded {
                Ok(loaded) => {
                    let graph = &loaded.graph;
                    let (about, degrees) =
                        session.work(|_| (GraphReport::new(graph), Degrees::of(&graph.out().csr)));
                    self.measure(session, &loaded, name, &about.hash, &mut cells)?;
                    (case.graph, case.load, case.degrees) =
                        (Some(about), Some(loaded.seconds), Some(degrees));
                }
                Err(failure) => case.error = Some(failure.value()),
            }
            graphs.push(case);
        }
        Ok((graphs, cells))
    }

    fn measure(
        &self,
        session: &Session,
        loaded: &load::ReadGraph,
        name: &str,
        hash: &str,
        cells: &mut Vec<Cell>,
    ) -> Result<()> {
        let total = self.graphs.len() * self.entries.len() * self.plans.len();
        let how = How {
            runs: self.args.runs,
            warmup: self.args.warmup,
            limit: Some(Duration::from_secs(self.args.case_limit)),
            ..How::new(&session.control)
        };
        let (engine, graph) = (&session.engine, &loaded.graph);
        let subject = session.work(|_| Subject::new(engine, graph, self.limits));
        for entry in &self.entries {
            for plan in &self.plans {
                let number = cells.len() + 1;
                session.say(&format!(
                    "[{number}/{total}] {} on {name} by {}\n",
                    entry.name,
                    strategy::label(plan)
                ));
                let cell = session.work(|_| balance::measure(&subject, entry, plan, &how))?;
                cells.push(Cell { graph: name.to_owned(), hash: hash.to_owned(), ..cell });
            }
        }
        Ok(())
    }
}

fn exit_code(cells: &[Cell]) -> u8 {
    match () {
        () if cells.iter().any(|cell| cell.verify.as_deref() == Some("failed")) => 1,
        () if cells.iter().all(|cell| cell.seconds.is_none()) => 2,
        () => 0,
    }
}
