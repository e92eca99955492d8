//! `warpgraph bench sage`: self-adaptive traversal, after a paper, on the graphs and the GPU at hand.
//!
//! A cell that cannot run is a row that says why, not the end. Exit code 1 if an answer failed verification, 2 if nothing
//! was measured at all.

mod files;

use crate::{
    bench::{device::gpu, sheet::sheet},
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
use warpgraph::{DEFAULT_SEED, Graph, Order, Plan};
use warpgraph_bench::{
    GraphReport,
    halo::GraphCase,
    machine::Machine,
    result::SCHEMA,
    sage::{
        self, COMMAND, Cell, Choice, How, Measuring, Part, Question, Report,
        suite::{self, Asked},
        tables,
    },
};

const EXAMPLES: &str = "\
Examples:
  warpgraph bench sage --device cuda --out sage
  warpgraph bench sage --device cuda --only fig10 --only auto kron:22=k22.wg grid:2048x2048
  warpgraph bench sage --only fig10 --plan tiled --plan 'tiled(align=off)' --plan 'tiled(min=8)'
  warpgraph bench sage --only fig6 --order natural --order sampled --order rcm community:20,shuffle
  warpgraph bench sage --algorithms bfs,sssp,wcc --peers others.json kron:22,w=1..255
  warpgraph bench sage --device simt --quick --only fig10 --runs 3
  warpgraph bench sage --from sage/sage.json --out again

Without graphs: kron:22, kron:24, powerlaw:4194304,alpha=1.8, uniform:22, grid:2048x2048 and
community:22,degree=32,shuffle, all with weights from 1 to 255. NAME=FILE reads a graph from a file
and calls it NAME; the planted order is measured too where the name is a generator's that shuffles.
A cell takes the verified run and --case-limit seconds at most; how many there are is said.";

/// Measure self-adaptive traversal on a GPU as a paper does: balances, orders, ablation, and the engine's own choice
///
/// After Sha et al., "Self-adaptive graph traversal on GPUs", section 7: speed by order (figure 6) and what orders cost (table 2),
/// speed by balance (figure 7), the ablation (figure 10), what electing tiles costs (table 3); beside the paper how far the engine's
/// choice of balances is from the best, tiles that are met again, and the first run. docs/reproduce.md says what differs.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Sage {
    /// The graphs: files, generators, or NAME=FILE
    graphs: Vec<String>,
    /// Tiny graphs of these kinds, which a simulated GPU can be asked about
    #[arg(long, help_heading = "Measuring")]
    quick: bool,
    /// Only this part: fig6, fig7, fig10, table2, table3, auto, tiles or first; give it once for each [default: all]
    #[arg(long = "only", value_name = "PART", help_heading = "Measuring")]
    parts: Vec<Part>,
    /// Only these algorithms [default: bfs,bc,pagerank; of `auto` bfs,sssp,wcc]
    #[arg(long, value_name = "A,B", value_delimiter = ',', help_heading = "Measuring")]
    algorithms: Vec<String>,
    /// A step of the ablation, as a plan of `run`; bfs, sssp and wcc push where it names no direction; give it once for each
    /// [default: node, tiled, resident]
    #[arg(long = "plan", value_name = "P", help_heading = "Measuring")]
    plans: Vec<String>,
    /// An order of figure 6 and table 2, after the first also a step of the ablation by the last plan; give it once for each
    /// [default: natural, sampled, rcm, llp, gorder; of the ablation natural, sampled]
    #[arg(long = "order", value_name = "O", help_heading = "Measuring")]
    orders: Vec<String>,
    /// Rounds of `sampled`
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Measuring",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Timed runs a cell
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    runs: u64,
    /// Runs before, untimed, beside the one that is verified
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    warmup: u64,
    /// Sources and drawn orders are drawn from this seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, help_heading = "Measuring")]
    seed: u64,
    /// Start no further run of a cell after this many seconds of its runs; give a run up after twice as many
    #[arg(long, value_name = "SECONDS", default_value_t = 30, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    case_limit: u64,
    /// Give up an order that is not there after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, help_heading = "Measuring",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    order_limit: u64,
    /// Times of other programs, for figure 7: a JSON list of rows {name, graph, algorithm, seconds}
    #[arg(long, value_name = "FILE", help_heading = "Measuring")]
    peers: Option<PathBuf>,
    /// Write sage.json, sage.md and every figure as SVG and PNG into this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, help_heading = "Output")]
    force: bool,
    /// Measure nothing: make tables and figures from a sage.json
    #[arg(long, value_name = "FILE", help_heading = "Output",
          conflicts_with_all = ["graphs", "quick", "parts", "algorithms", "plans", "orders"])]
    from: Option<PathBuf>,
    #[command(flatten)]
    device: OnDevice,
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    reading: Reading,
}

/// Measures, or reads what was measured; writes the files; says what came of it.
pub(crate) fn run(args: &Sage) -> Result<u8> {
    let choice = args.choice()?;
    let peers = args.peers.as_ref().map(|path| sage::read_peers(path)).transpose()?.unwrap_or_default();
    let earlier = args.from.as_ref().map(|path| sage::read(path)).transpose()?;
    if let Some(folder) = &args.out {
        files::check(folder, args.force)?;
    }
    // What was measured is written as it goes, over what this command wrote before.
    let force = args.force || earlier.is_none();
    let mut report = earlier.map_or_else(|| measured(args, &choice), Ok)?;
    report.add_peers(peers);
    if let Some(folder) = &args.out {
        files::write(folder, force, &report)?;
    }
    if args.working.json {
        put_json(&report)?;
    } else {
        report.warnings.iter().for_each(|warning| console::warning(warning));
        console::out(&text(&report)).map_err(Failure::stdout)?;
    }
    Ok(exit_code(&report))
}

fn measured(args: &Sage, choice: &Choice) -> Result<Report> {
    let graphs = suite::asked(&args.graphs, args.quick);
    let session = Session::on(&args.working, &args.device)?;
    let gpu = gpu(&session, "--device simt --quick")?;
    let mut report = Report {
        schema: SCHEMA,
        version: VERSION.to_owned(),
        command: COMMAND.to_owned(),
        machine: Machine::this(),
        device: gpu.properties().into(),
        measuring: args.measuring(),
        graphs: Vec::new(),
        orders: Vec::new(),
        cells: Vec::new(),
        tilings: Vec::new(),
        tiles: Vec::new(),
        firsts: Vec::new(),
        peers: Vec::new(),
        auto: None,
        warnings: Vec::new(),
    };
    for asked in &graphs {
        measure(&session, args, choice, asked, &mut report)?;
        if let Some(folder) = &args.out {
            // After every graph: what was measured stays if the rest is cut off.
            files::write_json(folder, true, &report)?;
        }
    }
    Ok(report.concluded())
}

/// One graph and all its cells. Errors only when all must stop.
fn measure(
    session: &Session,
    args: &Sage,
    choice: &Choice,
    asked: &Asked,
    report: &mut Report,
) -> Result<()> {
    session.say(&format!("loading {}\n", asked.source));
    let loaded = load::load(session, &asked.source, &args.reading);
    session.control.check("measuring")?;
    let mut case = GraphCase { name: asked.name.clone(), graph: None, load: None, error: None };
    match loaded {
        Err(failure) => case.error = Some(failure.value()),
        Ok(loaded) => match measured_on(session, args, choice, (asked, &loaded.graph), report) {
            Ok(about) => (case.graph, case.load) = (Some(about), Some(loaded.seconds)),
            Err(error) if session.control.should_stop() => return Err(error.into()),
            Err(error) => case.error = Some(Failure::from(error).value()),
        },
    }
    report.graphs.push(case);
    Ok(())
}

fn measured_on(
    session: &Session,
    args: &Sage,
    choice: &Choice,
    (asked, graph): (&Asked, &Graph),
    report: &mut Report,
) -> Result<GraphReport, warpgraph::Error> {
    let about = session.work(|_| GraphReport::new(graph));
    let say = |line: &str| session.say(&format!("{line}\n"));
    let cells = choice.wanted(asked.planted.is_some()).len();
    say(&format!("{}: {cells} cells of {} s and a verified run at most", asked.name, args.case_limit));
    let how = args.how(session, &say);
    let done = session.work(|_| sage::measure(&session.engine, graph, asked, choice, &how))?;
    let hashed = |cell: Cell| Cell { hash: about.hash.clone(), ..cell };
    report.cells.extend(done.cells.into_iter().map(hashed));
    report.orders.extend(done.orders);
    report.tilings.extend(done.tilings);
    report.tiles.extend(done.tiles);
    report.firsts.extend(done.firsts);
    report.add_peers(sage::known_peers(&asked.name, graph));
    Ok(about)
}

impl Sage {
    fn choice(&self) -> Result<Choice> {
        let questions = self.algorithms.iter().map(|name| name.parse::<Question>());
        let plans = self.plans.iter().map(|text| text.parse::<Plan>());
        let orders = self.orders.iter().map(|text| text.parse::<Order>());
        Ok(Choice {
            parts: self.parts.clone(),
            questions: questions.collect::<Result<_, _>>()?,
            plans: plans.collect::<Result<_, _>>()?,
            orders: orders.collect::<Result<_, _>>()?,
            rounds: self.rounds,
        })
    }

    fn measuring(&self) -> Measuring {
        Measuring {
            runs: self.runs,
            warmup: self.warmup,
            seed: self.seed,
            rounds: self.rounds,
            case_limit: self.case_limit,
            order_limit: self.order_limit,
            gpu_memory: self.device.gpu_memory(),
        }
    }

    fn how<'a>(&self, session: &'a Session, say: &'a (dyn Fn(&str) + Sync)) -> How<'a> {
        How {
            runs: self.runs,
            warmup: self.warmup,
            seed: self.seed,
            case_limit: Duration::from_secs(self.case_limit),
            order_limit: Duration::from_secs(self.order_limit),
            control: &session.control,
            say,
        }
    }
}

fn text(report: &Report) -> String {
    let (device, runs) = (&report.device, report.measuring.runs);
    let on = format!("on {} ({}), medians of {runs} runs\n\n", device.name, device.label);
    let sheets = tables::all(report);
    on + &sheets.iter().filter(|table| !table.rows.is_empty()).map(sheet).collect::<String>()
}

fn exit_code(report: &Report) -> u8 {
    match () {
        () if report.has_wrong() => 1,
        () if !report.is_measured() => 2,
        () => 0,
    }
}
