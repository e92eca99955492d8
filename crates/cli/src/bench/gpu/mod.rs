//! `warpgraph bench gpu`: one table of a GPU's times, beside other programs and beside what the card can do at best.
//!
//! A cell that cannot run is a row that says why, not the end. Exit code 1 if an answer failed verification, 2 if nothing
//! ran at all.

mod files;

use super::{device, sheet::sheet};
use crate::{
    console,
    device::OnDevice,
    failure::{Failure, Result},
    load, put_json,
    reading::Reading,
    report::VERSION,
    session::{Session, Working},
};
use clap::{Args, ValueEnum};
use std::{path::PathBuf, time::Duration};
use warpgraph_bench::{
    GpuLimits, GraphReport,
    gpu::{
        self, COMMAND, Cell, GraphCase, How, Measuring, Question, Report, Summary, Verify, concluded, peers,
        suite::{self, Asked},
        tables,
    },
    machine::Machine,
    result::SCHEMA,
};

const EXAMPLES: &str = "\
Examples:
  warpgraph bench gpu --device cuda --out gpu
  warpgraph generate kron:22,w=1..255 k22.wg
  warpgraph bench gpu --device cuda --graphs kron:22=k22.wg,uniform:22
  warpgraph bench gpu --device cuda --graphs kron:22 --algorithms bfs,sssp --runs 20
  warpgraph bench gpu --device cuda --graphs kron:20,w=1..9 --verify once
  warpgraph bench gpu --device simt --scale-down 14

The table: bfs, sssp, pagerank, wcc and bc from one source on kron:22, kron:24, uniform:22
(weights 1 to 255) and grid:4096x4096 (a tenth of the edges dropped, weights 1 to 1000);
triangles and kcore on kron:22, mst on kron:22 and the grid. Other graphs are asked all
eight. Figures of other programs are beside graphs of the table in full size only.";

/// Measure a GPU: every algorithm of a table, beside other programs and beside what the card can do at best
///
/// Each graph goes to the device once. A cell is warm-up runs and then timed ones: whole calls, but for
/// bringing answers back. Searches start at random vertices of the largest component. The card is measured first (as by `bench limits`),
/// and each cell says what binds it and how near it comes.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MeasureGpu {
    /// Only these graphs: names of the table, name=FILE to read one from a file, or generators [default: all of the table]
    #[arg(long, value_name = "G,G", help_heading = "Measuring")]
    graphs: Vec<String>,
    /// Only these algorithms, e.g. bfs,wcc [default: all of the table]
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Measuring")]
    algorithms: Vec<String>,
    /// Timed runs a cell
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    runs: u64,
    /// Runs before, untimed
    #[arg(long, value_name = "N", default_value_t = 2, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    warmup: u64,
    /// What sources are drawn from
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Measuring")]
    seed: u64,
    /// Check the answer of every timed run, or of one a cell; exit code 1 if one is wrong
    #[arg(
        long,
        value_name = "all|once",
        default_value = "all",
        help_heading = "Measuring",
        hide_possible_values = true
    )]
    verify: Checked,
    /// Graphs of 2^K times fewer vertices than those of the table
    #[arg(long, value_name = "K", default_value_t = 0, help_heading = "Measuring",
          value_parser = clap::value_parser!(u32).range(0..=i64::from(suite::MOST_DOWN)))]
    scale_down: u32,
    /// Start no further run of a cell after this many seconds, verification included; give a run up after twice as many
    #[arg(long, value_name = "SECONDS", default_value_t = 60, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    case_limit: u64,
    /// Write gpu.json and gpu.md into this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, help_heading = "Output")]
    force: bool,
    #[command(flatten)]
    device: OnDevice,
    #[command(flatten)]
    working: Working,
}

/// Which answers are checked.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Checked {
    /// That of every timed run.
    All,
    /// That of one run a cell.
    Once,
}

/// Measures, with files written as it goes; says what came of it.
pub(super) fn run(args: &MeasureGpu) -> Result<u8> {
    let questions = args.algorithms.iter().map(|name| name.parse());
    let questions = questions.collect::<Result<Vec<Question>, warpgraph::Error>>()?;
    let graphs = suite::asked(&args.graphs, &questions, args.scale_down)?;
    if let Some(folder) = &args.out {
        files::check(folder, args.force)?;
    }
    let report = measured(args, &graphs)?;
    if args.working.json {
        put_json(&report)?;
    } else {
        report.warnings.iter().for_each(|warning| console::warning(warning));
        console::out(&text(&report)).map_err(Failure::stdout)?;
    }
    Ok(exit_code(&report.cells))
}

fn measured(args: &MeasureGpu, graphs: &[Asked]) -> Result<Report> {
    let session = Session::on(&args.working, &args.device)?;
    let gpu = device::gpu(&session, "--device simt --scale-down 14")?;
    session.say(&format!("measuring the limits of {}\n", gpu.properties().name));
    let limits = session.work(|control| GpuLimits::measure(gpu, control))?;
    let mut report = Report {
        schema: SCHEMA,
        version: VERSION.to_owned(),
        command: COMMAND.to_owned(),
        machine: Machine::this(),
        device: gpu.properties().into(),
        measuring: args.measuring(),
        limits,
        peers: peers::ALL,
        graphs: Vec::new(),
        cells: Vec::new(),
        summary: Summary::default(),
        warnings: Vec::new(),
    };
    for (i, asked) in graphs.iter().enumerate() {
        measure(&session, args, asked, &mut report)?;
        if let Some(folder) = &args.out {
            // After every graph: what was measured stays if the rest is cut off.
            files::write(folder, args.force || i > 0, &concluded(report.clone()))?;
        }
    }
    Ok(concluded(report))
}

/// One graph and all its cells. Errors only when all must stop.
fn measure(session: &Session, args: &MeasureGpu, asked: &Asked, report: &mut Report) -> Result<()> {
    let mut case = GraphCase {
        name: asked.name.clone(),
        source: asked.source.clone(),
        graph: None,
        load: None,
        reorder: None,
        giant: None,
        has_peers: false,
        error: None,
    };
    session.say(&format!("loading {}\n", asked.source));
    let loaded = load::load(session, &asked.source, &Reading::default());
    session.control.check("measuring")?;
    match loaded {
        Ok(loaded) => {
            let graph = &loaded.graph;
            case.has_peers = asked.row.is_some_and(|row| row.fits(graph));
            case.graph = Some(session.work(|_| GraphReport::new(graph)));
            case.load = Some(loaded.seconds);
            let say = |line: &str| session.say(&format!("{line}\n"));
            let how = args.how(session, &say);
            let done = session.work(|_| gpu::measure(&session.engine, graph, asked, &report.limits, &how))?;
            (case.giant, case.reorder) = (done.giant, done.reorder);
            report.cells.extend(done.cells);
            report.warnings.extend(doubts(asked, &case));
        }
        Err(failure) => case.error = Some(failure.value()),
    }
    report.graphs.push(case);
    Ok(())
}

/// What is said of a graph that is not quite what the table means.
fn doubts(asked: &Asked, case: &GraphCase) -> Vec<String> {
    let name = &asked.name;
    let other = asked.row.filter(|_| !case.has_peers).map(|row| {
        let (vertices, arcs) = (console::count(row.vertices()), console::count(row.arcs));
        format!(
            "{name}: {} is not of the size that other programs were measured on ({vertices} vertices, about {arcs} arcs), \
             so their figures are left out",
            asked.source
        )
    });
    let small = case.giant.as_ref().filter(|giant| !giant.is_most()).map(|giant| {
        let share = 100.0 * giant.share;
        format!(
            "{name}: the largest component has {share:.0} % of the vertices with arcs; searches reach no more"
        )
    });
    let directed = case.graph.as_ref().filter(|graph| graph.directed && case.giant.is_some()).map(|_| {
        format!(
            "{name} is directed: a search from a vertex of the largest component may reach only a part of it"
        )
    });
    [other, small, directed].into_iter().flatten().collect()
}

impl MeasureGpu {
    fn measuring(&self) -> Measuring {
        Measuring {
            runs: self.runs,
            warmup: self.warmup,
            seed: self.seed,
            verify: self.verify(),
            case_limit: self.case_limit,
            scale_down: self.scale_down,
            gpu_memory: self.device.gpu_memory(),
        }
    }

    fn verify(&self) -> Verify {
        match self.verify {
            Checked::All => Verify::All,
            Checked::Once => Verify::Once,
        }
    }

    fn how<'a>(&self, session: &'a Session, say: &'a (dyn Fn(&str) + Sync)) -> How<'a> {
        How {
            runs: self.runs,
            warmup: self.warmup,
            seed: self.seed,
            verify: self.verify(),
            limit: Duration::from_secs(self.case_limit),
            control: &session.control,
            say,
        }
    }
}

fn text(report: &Report) -> String {
    let (device, runs) = (&report.device, report.measuring.runs);
    let on = format!("on {} ({}), medians of {runs} runs\n\n", device.name, device.label);
    let sheets = tables::all(report);
    let tables: String = sheets.iter().filter(|table| !table.rows.is_empty()).map(sheet).collect();
    let [cugraph, best] = tables::summary(report);
    format!("{on}{tables}{cugraph}\n{best}\n")
}

fn exit_code(cells: &[Cell]) -> u8 {
    match () {
        () if cells.iter().any(|cell| cell.verify.as_deref() == Some("failed")) => 1,
        () if cells.iter().all(|cell| cell.seconds.is_none()) => 2,
        () => 0,
    }
}
