//! `warpgraph bench many`: what parts exchange, what processes gain, and what cuts into many parts would send.

use super::{save, text::sheet};
use crate::{
    console,
    failure::{Failure, Result},
    load, put_json,
    reading::Reading,
    report::VERSION,
    session::{Session, Working},
    write,
};
use clap::Args;
use std::path::PathBuf;
use warpgraph::{DEFAULT_SEED, Graph, Order, graph};
use warpgraph_bench::{
    machine::Machine,
    many::{
        ALGORITHMS, DEVICES, LINKS, PARTS, PROCESSES, Report, SCHEMA, cuts,
        devices::{self, Members, Ordered},
        graphs, processes, settings,
    },
};

const EXAMPLES: &str = "\
Examples:
  warpgraph bench many --out many.json
  warpgraph bench many --scale 12 --runs 1
  warpgraph bench many kron:16 --only cuts --orders natural,bp
  warpgraph bench many graph.wg --only devices --algorithms bfs --links 450,55 --speeds 100

Three sections. devices: members of one process run in 1, 2, 4 and 8 parts and take turns, so
that each computes as if it were alone; bytes and seconds are measured, and what the run would
take over links is modelled. processes: the program starts itself as 1, 2 and 4 processes, and
as one with as many threads. cuts: 4 to 1,024 parts are counted, not run.";

/// Measure graphs in parts: bytes exchanged, balance, modelled time over links, processes, and cuts into up to 1,024 parts
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Many {
    /// The graphs: files or generators [default: four generated ones]
    graphs: Vec<String>,
    /// Generated graphs have 2^S vertices
    #[arg(long, value_name = "S", default_value_t = 18, help_heading = "Measuring",
          value_parser = clap::value_parser!(u32).range(4..=30))]
    scale: u32,
    /// Only these sections: devices, processes, cuts [default: all]
    #[arg(long, value_name = "S,S", value_delimiter = ',', help_heading = "Measuring",
          value_parser = ["devices", "processes", "cuts"])]
    only: Vec<String>,
    /// Only these algorithms [default: bfs,sssp,pagerank,wcc]
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = ALGORITHMS, help_heading = "Measuring")]
    algorithms: Vec<String>,
    /// Orders in which graphs are cut; virtual devices take natural and bp of them
    #[arg(
        long,
        value_name = "O,O",
        value_delimiter = ',',
        default_values = ["natural", "degree", "bp", "halo2"],
        help_heading = "Measuring"
    )]
    orders: Vec<Order>,
    /// Runs of each case; the one in the middle counts
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = "Measuring",
          value_parser = clap::value_parser!(u32).range(1..=1_000))]
    runs: u32,
    /// Links to model, in 10^9 bytes per second in each direction
    #[arg(long, value_name = "GB/S,...", value_delimiter = ',', default_values_t = LINKS, value_parser = positive,
          help_heading = "Model")]
    links: Vec<f64>,
    /// What a meeting of all members takes without bytes, in microseconds
    #[arg(long, value_name = "US", default_value_t = 10.0, value_parser = positive, help_heading = "Model")]
    latency: f64,
    /// How many times as fast as here a member computes; a GPU is about 100 times as fast as one thread
    #[arg(long, value_name = "X,...", value_delimiter = ',', default_values_t = [1.0, 100.0], value_parser = positive,
          help_heading = "Model")]
    speeds: Vec<f64>,
    /// Write the report to this file, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long, help_heading = "Output")]
    force: bool,
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    reading: Reading,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        _ => Err("expected a positive number".to_owned()),
    }
}

impl Many {
    fn asks_for(&self, section: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == section)
    }

    fn algorithms(&self) -> impl Iterator<Item = &'static str> {
        let is_asked =
            |name: &&str| self.algorithms.is_empty() || self.algorithms.iter().any(|asked| asked == name);
        ALGORITHMS.into_iter().filter(is_asked)
    }

    /// Returns the threads of a member, and of a process.
    fn threads(&self) -> usize {
        self.working.threads.unwrap_or(1)
    }
}

/// Measures, and tells what came of it.
pub(super) fn run(args: &Many) -> Result<u8> {
    args.graphs.iter().try_for_each(|name| load::find_source(name).map(drop))?;
    if let Some(path) = &args.out {
        write::refuse_existing(path, args.force)?;
    }
    let session = Session::start(&Working { threads: None, ..args.working.clone() })?;
    let mut report = Report {
        schema: SCHEMA,
        version: VERSION.to_owned(),
        command: "bench many".to_owned(),
        machine: Machine::this(),
        threads: args.threads(),
        runs: args.runs as usize,
        settings: settings(&args.links, args.latency, &args.speeds),
        ..Report::default()
    };
    let names = if args.graphs.is_empty() { graphs(args.scale) } else { args.graphs.clone() };
    for name in &names {
        in_this_process(args, &session, name, &mut report)?;
    }
    if args.asks_for("processes") {
        in_processes(args, &session, &names, &mut report)?;
    }
    report.conclude();
    if let Some(path) = &args.out {
        let text =
            serde_json::to_string_pretty(&report).map_err(|e| Failure::new("json", e.to_string(), ""))?;
        save(path, args.force, &text)?;
    }
    match args.working.json {
        true => put_json(&report)?,
        false => {
            let text: String = report.sheets().iter().map(sheet).collect();
            console::out(&text).map_err(Failure::stdout)?;
        }
    }
    Ok(report.exit_code())
}

/// Runs a graph on virtual devices, and simulates its cuts, in every order.
fn in_this_process(args: &Many, session: &Session, name: &str, report: &mut Report) -> Result<()> {
    if !args.asks_for("devices") && !args.asks_for("cuts") {
        return Ok(());
    }
    let graph = load::load(session, name, &args.reading)?.graph;
    for &order in &args.orders {
        let is_run = args.asks_for("devices") && ["natural", "bp"].contains(&&*order.to_string());
        if !is_run && !args.asks_for("cuts") {
            continue;
        }
        session.say(&format!("{name} in order {order}\n"));
        let ordered = ordered(session, name, &graph, order)?;
        if is_run {
            on_devices(args, session, &ordered, report)?;
        }
        if args.asks_for("cuts") {
            let names = (name, &*ordered.order);
            let rows = session.work(|control| cuts::rows(names, ordered.cut_graph(), &PARTS, control))?;
            report.cuts.extend(rows);
        }
    }
    Ok(())
}

fn ordered(session: &Session, name: &str, graph: &Graph, order: Order) -> Result<Ordered> {
    let inner = match order {
        Order::Natural => None,
        _ => {
            let done = session.engine.reorder(graph, order, DEFAULT_SEED, &session.control);
            session.clear();
            let done = done?;
            Some((done.graph, done.map))
        }
    };
    Ok(Ordered { graph: name.to_owned(), order: order.to_string(), original: graph.clone(), inner })
}

fn on_devices(args: &Many, session: &Session, ordered: &Ordered, report: &mut Report) -> Result<()> {
    let members = Members::on_processor(args.threads(), args.runs as usize);
    for algorithm in args.algorithms() {
        session.say(&format!("{algorithm} on {} in parts\n", ordered.graph));
        let rows = devices::rows(ordered, algorithm, &DEVICES, &members, &report.settings, &session.control);
        session.clear();
        report.devices.extend(rows?);
    }
    Ok(())
}

fn in_processes(args: &Many, session: &Session, names: &[String], report: &mut Report) -> Result<()> {
    let program = std::env::current_exe().map_err(|error| graph::Error::io("this program", "find", error))?;
    let program = processes::Program { path: &program, runs: args.runs as usize, threads: args.threads() };
    for name in names {
        for algorithm in args.algorithms() {
            for count in PROCESSES {
                session.control.check("measuring processes")?;
                session.say(&format!("{algorithm} on {name} in {count} processes\n"));
                report.processes.push(program.row(name, algorithm, count));
            }
        }
    }
    Ok(())
}
