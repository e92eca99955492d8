//! `warpgraph bench halo`: what orders of the vertices are worth, after a paper, on the graphs at hand.
//!
//! An order that cannot be made is a row that says why, not the end. Exit code 1 if an answer failed verification, 2 if nothing
//! was measured at all.

mod files;

use crate::{
    bench::sheet::sheet,
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
use warpgraph::{DEFAULT_SEED, Device, Engine, Graph, Order};
use warpgraph_bench::{
    GraphReport,
    halo::{self, COMMAND, Cell, GraphCase, Measuring, Report, Sample, Setting, Subject, suite, tables},
    machine::Machine,
    result::SCHEMA,
};

const EXAMPLES: &str = "\
Examples:
  warpgraph bench halo --out halo
  warpgraph bench halo web.graph social.txt.zst --out halo
  warpgraph bench halo kron:16 --order natural --order rcm --order 'halo2(k=64)'
  warpgraph bench halo --quick
  warpgraph bench halo --from halo/halo.json --out again

Without graphs: kron:20, and community:20 in the planted order and shuffled.";

/// Compare orders of the vertices as a paper does: log gap, modelled transfers, cost, and times on the processor
///
/// After Gera et al., "Traversing Large Graphs on GPUs with Unified Memory", sections 6 and 10: searches from the same random
/// sources in every order. Transfers are those of a model of unified memory with room for half of the edges. Directed graphs are
/// measured a second time with every arc both ways. docs/reproduce.md says what differs from the paper.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Halo {
    /// The graphs: files or generators
    graphs: Vec<String>,
    /// Tiny graphs, for a first look
    #[arg(long, help_heading = "Measuring")]
    quick: bool,
    /// Only these orders; give it once for each [default: all]
    #[arg(long = "order", value_name = "O", help_heading = "Measuring")]
    orders: Vec<String>,
    /// Searches a graph, from random sources
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(1..=10_000))]
    searches: u64,
    /// Searches that orders sample, where --order does not say
    #[arg(long, value_name = "K", default_value_t = 20, help_heading = "Measuring",
          value_parser = clap::value_parser!(u32).range(2..=65_536))]
    samples: u32,
    /// Leave out the sweep over 2 to 256 samples
    #[arg(long, help_heading = "Measuring")]
    no_sweep: bool,
    /// Leave out directed graphs made undirected
    #[arg(long, help_heading = "Measuring")]
    no_symmetrised: bool,
    /// Timed runs of bfs and pagerank in each order
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    runs: u64,
    /// Runs before, untimed
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    warmup: u64,
    /// Bytes of an edge in the modelled array; the paper's have 8
    #[arg(long, value_name = "B", default_value_t = 8, help_heading = "Measuring",
          value_parser = clap::value_parser!(u32).range(1..=64))]
    edge_bytes: u32,
    /// Device memory of the model, as a part of all edges
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, help_heading = "Measuring", value_parser = share)]
    memory: f64,
    /// Give up an order that is not there after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    order_limit: u64,
    /// Sources and drawn orders are drawn from this seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, help_heading = "Measuring")]
    seed: u64,
    /// Write halo.json, halo.md and every figure as SVG and PNG into this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, help_heading = "Output")]
    force: bool,
    /// Measure nothing: make tables and figures from a halo.json
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with_all = ["graphs", "quick", "orders"])]
    from: Option<PathBuf>,
    #[command(flatten)]
    device: OnDevice,
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    reading: Reading,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("expected a number above 0, and 1 at most".to_owned()),
    }
}

/// Measures, or reads what was measured; writes the files; says what came of it.
pub(crate) fn run(args: &Halo) -> Result<u8> {
    let names = names(args);
    let earlier = args.from.as_ref().map(|path| halo::read(path)).transpose()?;
    if let Some(folder) = &args.out {
        // Each that is yet to be measured may have a second form.
        let graphs = earlier.as_ref().map_or(2 * names.len(), |report| report.graphs.len());
        files::check(folder, args.force, graphs)?;
    }
    let report = earlier.map_or_else(|| measured(args, &names), Ok)?;
    if let Some(folder) = &args.out {
        files::write(folder, args.force, &report)?;
    }
    if args.working.json {
        put_json(&report)?;
    } else {
        report.warnings.iter().for_each(|warning| console::warning(warning));
        let sheets = tables::all(&report);
        let text: String = sheets.iter().filter(|table| !table.rows.is_empty()).map(sheet).collect();
        console::out(&text).map_err(Failure::stdout)?;
    }
    Ok(exit_code(&report.cells))
}

fn names(args: &Halo) -> Vec<String> {
    let suite: &[&str] = match (args.quick, args.graphs.is_empty()) {
        (true, _) => &suite::QUICK,
        (false, true) => &suite::GRAPHS,
        (false, false) => &[],
    };
    suite.iter().map(|name| (*name).to_owned()).chain(args.graphs.iter().cloned()).collect()
}

fn measured(args: &Halo, names: &[String]) -> Result<Report> {
    let orders = match args.orders.is_empty() {
        true => suite::orders(args.samples)?,
        false => {
            let order = |text: &String| suite::order(text, args.samples);
            args.orders.iter().map(order).collect::<Result<_, warpgraph::Error>>()?
        }
    };
    let session = Session::on(&args.working, &args.device)?;
    let cpu = session.beside(Device::Cpu)?;
    let mut work = Work { args, session: &session, cpu: &cpu, orders, done: Done::default() };
    for name in names {
        work.graph(name)?;
    }
    let Done { graphs, cells, sweep } = work.done;
    let report = Report {
        schema: SCHEMA,
        version: VERSION.to_owned(),
        command: COMMAND.to_owned(),
        machine: Machine::this(),
        measuring: Measuring {
            searches: args.searches,
            seed: args.seed,
            runs: args.runs,
            warmup: args.warmup,
            threads: session.engine.threads(),
            edge_bytes: args.edge_bytes,
            memory_share: Some(args.memory),
        },
        graphs,
        cells,
        sweep,
        means: Vec::new(),
        warnings: Vec::new(),
    };
    Ok(report.concluded())
}

/// What was measured so far.
#[derive(Default)]
struct Done {
    graphs: Vec<GraphCase>,
    cells: Vec<Cell>,
    sweep: Vec<Sample>,
}

struct Work<'a> {
    args: &'a Halo,
    session: &'a Session,
    cpu: &'a Engine,
    orders: Vec<Order>,
    done: Done,
}

impl Work<'_> {
    /// A graph, and what it becomes with every arc both ways. Errors only when all must stop.
    fn graph(&mut self, name: &str) -> Result<()> {
        let session = self.session;
        session.say(&format!("loading {name}\n"));
        let loaded = load::load(session, name, &self.args.reading);
        session.control.check("measuring")?;
        match loaded {
            Err(failure) => {
                self.no_graph(name, &failure);
                Ok(())
            }
            Ok(loaded) => {
                self.measure(name, &loaded.graph, Some(loaded.seconds))?;
                if !loaded.graph.is_directed() || self.args.no_symmetrised {
                    return Ok(());
                }
                let name = format!("{name}{}", suite::SYMMETRISED);
                match session.work(|control| suite::symmetrised(&loaded.graph, control)) {
                    Ok(both) => self.measure(&name, &both, None),
                    Err(error) => self.failed(&name, error),
                }
            }
        }
    }

    /// Notes why a graph is not measured, unless all must stop.
    fn failed(&mut self, name: &str, error: warpgraph::Error) -> Result<()> {
        if self.session.control.should_stop() {
            return Err(error.into());
        }
        self.no_graph(name, &error.into());
        Ok(())
    }

    fn no_graph(&mut self, name: &str, failure: &Failure) {
        let (name, error) = (name.to_owned(), Some(failure.value()));
        self.done.graphs.push(GraphCase { name, graph: None, load: None, error });
    }

    fn measure(&mut self, name: &str, graph: &Graph, load: Option<f64>) -> Result<()> {
        let (session, control) = (self.session, &self.session.control);
        let about = session.work(|_| GraphReport::new(graph));
        let hash = about.hash.clone();
        session.say(&format!("searching {name}\n"));
        let subject = Subject::new((&session.engine, self.cpu), graph, self.setting(), control);
        session.clear();
        let subject = match subject {
            Ok(subject) => subject,
            Err(error) => return self.failed(name, error),
        };
        self.done.graphs.push(GraphCase { name: name.to_owned(), graph: Some(about), load, error: None });
        for &order in &self.orders {
            session.say(&format!("{name} by {order}\n"));
            let cell = subject.cell(order, control);
            session.clear();
            self.done.cells.push(Cell { graph: name.to_owned(), hash: hash.clone(), ..cell? });
        }
        for samples in suite::SAMPLES.into_iter().filter(|_| !self.args.no_sweep) {
            session.say(&format!("{name} by halo2 with {samples} samples\n"));
            let sample = subject.sample(samples, control);
            session.clear();
            self.done.sweep.push(Sample { graph: name.to_owned(), ..sample? });
        }
        Ok(())
    }

    fn setting(&self) -> Setting {
        Setting {
            searches: self.args.searches,
            seed: self.args.seed,
            runs: self.args.runs,
            warmup: self.args.warmup,
            edge_bytes: self.args.edge_bytes,
            memory_share: self.args.memory,
            order_limit: Duration::from_secs(self.args.order_limit),
        }
    }
}

fn exit_code(cells: &[Cell]) -> u8 {
    let is_wrong = |cell: &Cell| {
        let verdicts = [&cell.bfs, &cell.pagerank].map(|times| times.as_ref().and_then(|t| t.verify.clone()));
        verdicts.into_iter().flatten().any(|verdict| verdict == "failed")
    };
    match () {
        () if cells.iter().any(is_wrong) => 1,
        () if cells.iter().all(|cell| cell.gaps.is_none()) => 2,
        () => 0,
    }
}
