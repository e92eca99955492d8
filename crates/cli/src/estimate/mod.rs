//! `warpgraph estimate`: estimates memory and time of a run without reading the graph.

mod gpu;
mod subject;
mod text;

use crate::{
    console,
    failure::{Failure, Result},
    put_json,
    report::{SCHEMA, VERSION},
    session::{Session, Working},
};
use clap::Args;
use serde::Serialize;
use subject::Subject;
use warpgraph::{
    Approximation, Device, Entry, Options, Plan,
    cost::{Shape, Work},
    graph::{MAX_VERTICES, memory, stats::ArrayBytes},
};
use warpgraph_bench::{
    Limits,
    changed::Changed,
    footprint::{self, Probe},
    limits::Effort,
    machine,
};
use warpgraph_parts::Forecast;

/// Estimate the memory and time of a run without reading the graph
///
/// Sizes come from the generator's description, the file's header, or --vertices and --edges; for an edge list without
/// a header they are guessed from some of its lines. The time is a guess: the memory traffic that the algorithm cannot
/// avoid, at the limits of this machine, which the command measures.
#[derive(Args)]
#[command(after_help = "\
Examples:
  warpgraph estimate bfs kron:26
  warpgraph estimate bfs kron:30 --device cuda --gpu-memory 80G
  warpgraph estimate sssp kron:24 --plan paths
  warpgraph estimate sssp kron:24 --approx coalesce
  warpgraph estimate wcc kron:30 --parts 16
  warpgraph estimate pagerank --vertices 40000000 --edges 1500000000 --directed")]
pub(crate) struct Estimate {
    /// The algorithm
    algorithm: String,
    /// The graph: a file, or a generator such as kron:20
    #[arg(required_unless_present_all = ["vertices", "edges"])]
    graph: Option<String>,
    #[command(flatten)]
    about: About,
    /// Estimate a run by this plan, which names no balance; `paths` takes memory for paths
    #[arg(long, value_name = "P", default_value_t = Plan::AUTO, hide_default_value = true, help_heading = "Running")]
    plan: Plan,
    /// Estimate a run on the graph as this approximation changes it: techniques joined by +, such as coalesce
    ///
    /// How much it changes is scaled from a small graph of the same kind. The original graph stays in memory.
    #[arg(long, value_name = "A", help_heading = "Running")]
    approx: Option<String>,
    /// Also estimate what each of P processes takes and sends if the graph is cut into P parts
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u64).range(1..=65_536), help_heading = "Running")]
    parts: Option<u64>,
    #[command(flatten)]
    on_gpu: gpu::Asked,
    #[command(flatten)]
    working: Working,
}

/// What the user knows about the graph.
#[derive(Args)]
#[command(next_help_heading = "Graph")]
pub(crate) struct About {
    /// Number of vertices, instead of a graph
    #[arg(long, value_name = "N", requires = "edges", conflicts_with = "graph",
          value_parser = clap::value_parser!(u64).range(0..=MAX_VERTICES))]
    vertices: Option<u64>,
    /// Number of edges, instead of a graph; an undirected edge counts once
    #[arg(long, value_name = "M", requires = "vertices", conflicts_with = "graph",
          value_parser = clap::value_parser!(u64).range(0..=1 << 49))]
    edges: Option<u64>,
    /// The edges have integer weights
    #[arg(long, requires = "vertices")]
    weighted: bool,
    /// The edges are directed
    #[arg(long, conflicts_with = "undirected")]
    directed: bool,
    /// The edges are undirected
    #[arg(long)]
    undirected: bool,
    /// The file's format, if neither content nor ending shows it
    #[arg(long, value_name = "F")]
    format: Option<String>,
    /// Ignore weights
    #[arg(long)]
    no_weights: bool,
    /// Columns of sources, targets and weights in an edge list: src=A,dst=B,weight=C
    #[arg(long, value_name = "SPEC")]
    columns: Option<String>,
}

/// The complete estimate.
#[derive(Serialize)]
struct Report {
    schema: u32,
    version: &'static str,
    command: &'static str,
    algorithm: &'static str,
    graph: Subject,
    /// Null unless the user names an approximation.
    approx: Option<Approximated>,
    bytes: Bytes,
    memory: Memory,
    /// Null unless the user names a GPU.
    device: Option<gpu::OnGpu>,
    /// Null unless the user asks for parts.
    parts: Option<Forecast>,
    seconds: Option<Time>,
    limits: Limits,
    threads: usize,
}

/// What an approximation is expected to make of the graph.
#[derive(Serialize)]
struct Approximated {
    approximation: Approximation,
    /// Edges added and dropped.
    added: u64,
    dropped: u64,
    /// Vertices, replicas and holes of the graph with replicas; of the changed graph if there are no replicas.
    vertices: u64,
    /// Arcs of the changed graph.
    arcs: u64,
    basis: &'static str,
}

/// Memory by purpose.
#[derive(Serialize)]
struct Bytes {
    arrays: Vec<ArrayBytes>,
    graph: u64,
    /// Null if the algorithm refuses such graphs.
    state: Option<u64>,
    state_basis: &'static str,
    /// The program itself: its code, its threads, and their stacks.
    program: u64,
    /// The pages of the file that stay in memory while the graph is built from it, mapped or unpacked.
    file: u64,
    /// Peak while the graph is read and built or transposed, without the program.
    building: u64,
    /// Peak in total.
    peak: u64,
}

#[derive(Serialize)]
struct Memory {
    physical: Option<u64>,
    available: Option<u64>,
    fits: Fits,
}

#[derive(Serialize, Debug, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Fits {
    /// The available memory is enough.
    Yes,
    /// Only if other programs free memory.
    Tight,
    No,
    /// The system does not report its memory.
    Unknown,
}

#[derive(Serialize)]
struct Time {
    /// Expected seconds per run: the lower bound, divided by the share of the limit that the algorithm usually reaches.
    guess: f64,
    /// Lower bound on the seconds per run.
    least: f64,
    /// Bytes read or written in order, and (`gathers`) random reads.
    streamed: u64,
    gathers: u64,
    basis: &'static str,
}

/// Computes and prints the estimate.
pub(crate) fn run(args: &Estimate) -> Result<u8> {
    let entry = warpgraph::find(&args.algorithm)?;
    let subject = Subject::of(args.graph.as_deref(), &args.about)?;
    let session = Session::start(&args.working)?;
    let approximation: Approximation =
        args.approx.as_deref().map_or(Ok(Approximation::NONE), |text| text.parse())?;
    let options = Options { plan: args.plan, approximation, ..Options::default() };
    if let Some(balance) = args.plan.balance() {
        let what =
            format!("what `{}` takes depends on the degrees, and estimate reads no graph", balance.name());
        return Err(Failure::new("refused", what, "leave the balance out of --plan"));
    }
    if args.plan.paths().is_some() || !approximation.is_none() {
        entry.rules.check(Device::Cpu, &options)?;
    }
    let changed = match approximation.is_none() {
        true => None,
        false => Some(
            session.work(|control| Changed::of(&subject.shape, approximation, &session.engine, control))?,
        ),
    };
    let shape = changed.as_ref().map_or(&subject.shape, |changed| changed.ran_on(true));
    let device = args.on_gpu.estimate(entry, shape, &session, &options)?;
    let parts = args.parts.map(|parts| Forecast::of(entry.name, &subject.shape, parts)).transpose()?;
    let report = Report { device, parts, ..report(entry, subject, changed, &session, &options)? };
    if args.working.json {
        put_json(&report)?;
    } else {
        console::out(&text::report(&report)).map_err(Failure::stdout)?;
    }
    Ok(0)
}

fn report(
    entry: &'static Entry,
    subject: Subject,
    changed: Option<Changed>,
    session: &Session,
    options: &Options,
) -> Result<Report> {
    let (plan, approximation) = (options.plan, options.approximation);
    // Only `paths` changes what a run takes on the processor.
    let plan = Plan { model: plan.model.filter(|_| plan.paths().is_some()), residency: None };
    let shape = changed.as_ref().map_or(&subject.shape, |changed| &changed.merged);
    let probe = session.work(|control| Probe::of(entry, shape, plan, &session.engine, control));
    // After a small run, and before the measurement takes memory, this process holds what every run does.
    let program = machine::resident_memory().unwrap_or(0);
    let limits = session.work(|control| Limits::measure(Effort::Quick, control))?;
    session.control.check("estimating")?;
    let bytes = Bytes::new(entry, (&subject, changed.as_ref()), probe.ok(), program, plan);
    Ok(Report {
        schema: SCHEMA,
        version: VERSION,
        command: "estimate",
        algorithm: entry.name,
        memory: Memory::new(bytes.peak),
        device: None,
        parts: None,
        seconds: time(entry, shape, &limits),
        approx: changed.as_ref().map(|changed| Approximated::new(approximation, changed, &subject)),
        bytes,
        graph: subject,
        limits,
        threads: session.engine.threads(),
    })
}

impl Approximated {
    fn new(approximation: Approximation, changed: &Changed, subject: &Subject) -> Self {
        let edges = |share: f64| (share * subject.edges as f64).round() as u64;
        Self {
            approximation,
            added: edges(changed.added),
            dropped: edges(changed.dropped),
            vertices: changed.ran_on(true).vertices,
            arcs: changed.merged.arcs,
            basis: "scaled from a small power-law graph; every level of a deep graph takes up to 31 numbers more",
        }
    }
}

impl Bytes {
    fn new(
        entry: &Entry,
        (subject, changed): (&Subject, Option<&Changed>),
        probe: Option<Probe>,
        program: u64,
        plan: Plan,
    ) -> Self {
        let transpose = probe.is_some_and(|p| p.transpose);
        let mut arrays = footprint::arrays(&subject.shape, transpose && changed.is_none());
        let whole = footprint::total(&arrays);
        let shape = changed.map_or(&subject.shape, |changed| &changed.merged);
        arrays.extend(changed.into_iter().flat_map(|changed| changed.arrays(transpose)));
        if let Some(paths) = plan.paths() {
            let bytes = paths.guessed_bytes(shape.vertices, shape.arcs, shape.directed);
            arrays.push(ArrayBytes { array: "paths", bytes });
        }
        let graph = footprint::total(&arrays);
        let (state, state_basis) = match (entry.cost.state.filter(|_| plan.paths().is_none()), probe) {
            (Some(formula), _) => (Some(formula(shape)), "the engine's formula"),
            (None, Some(probe)) => (Some(probe.state(shape)), "scaled from small runs"),
            (None, None) => (None, "unknown: it refuses graphs of this kind"),
        };
        let changing = changed.map_or(0, |changed| whole + changed.changing());
        let (file, building) = (subject.file(), subject.building(whole).max(changing));
        let running = graph + state.unwrap_or(0);
        let peak = program + (building + building / 64).max(running + slack(running));
        Self { arrays, graph, state, state_basis, program, file, building, peak }
    }
}

/// Returns what a run takes beyond its arrays, as measured: arrays in huge pages are rounded up to 2 MiB each, queues
/// grow, and released arrays are kept for the next.
fn slack(running: u64) -> u64 {
    running / 24 + (4 << 20).min(running / 8)
}

impl Memory {
    fn new(peak: u64) -> Self {
        let (physical, available) = (memory::physical(), machine::available_memory());
        Self { physical, available, fits: fits(peak, memory::limit(), available) }
    }
}

fn fits(peak: u64, limit: Option<u64>, available: Option<u64>) -> Fits {
    match (limit, available.or(limit)) {
        (_, Some(free)) if peak <= free => Fits::Yes,
        (Some(all), _) if peak <= all => Fits::Tight,
        (Some(_), _) => Fits::No,
        (None, _) => Fits::Unknown,
    }
}

fn time(entry: &Entry, shape: &Shape, limits: &Limits) -> Option<Time> {
    let traffic = (entry.cost.traffic?)(shape, &Work::guess(shape));
    let least = limits.seconds_of(&traffic);
    Some(Time {
        guess: least / entry.cost.usual_share,
        least,
        streamed: traffic.streamed,
        gathers: traffic.gathers,
        basis: "a guess: the least memory traffic at this machine's measured limits, over the usual share of them",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_free_decides_then_what_there_is() {
        assert_eq!(fits(10, Some(100), Some(50)), Fits::Yes);
        assert_eq!(fits(60, Some(100), Some(50)), Fits::Tight);
        assert_eq!(fits(101, Some(100), Some(50)), Fits::No);
        assert_eq!((fits(1, None, None), fits(1, Some(2), None)), (Fits::Unknown, Fits::Yes));
    }
}
