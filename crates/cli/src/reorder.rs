//! `warpgraph reorder`: writes a graph to a file in another order.

use crate::{
    console::{self, Rows, bytes, seconds},
    describe,
    device::OnDevice,
    failure::{Failure, Result},
    load::{self, ReadGraph},
    locality, orders, paths, put_json,
    reading::Reading,
    report::{GraphReport, Memory, SCHEMA, VERSION},
    session::{Session, Working},
    write,
};
use clap::Args;
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};
use warpgraph::{
    Control, Graph, Locality, Order, Plan, Source, Table, TableFormat,
    graph::{
        AtomicFile, NodeMap,
        format::write::{OutputFormat, to_writer},
    },
    table::Values,
    transform,
};
use warpgraph_bench::{
    chart::{self, steps::Panel},
    machine::with_peak,
    searches::Searches,
};

/// Write a graph to a .wg file in another order of its vertices
///
/// The file holds the same graph: ids, answers and hash are unchanged. Runs use its order unless --order names another.
/// The report has the time of the reordering and its gain: the log gap (mean of log2 of the difference between
/// consecutive neighbours) and the sectors (32 bytes of memory) that a tile of up to 32 neighbours touches.
#[derive(Args)]
#[command(after_help = "\
Examples:
  warpgraph reorder kron:12 --order halo2 --out halo2.wg
  warpgraph run bfs halo2.wg
  warpgraph reorder grid:64x64,shuffle rcm.wg --order rcm --plot rcm.svg
  warpgraph reorder kron:12 shuffled.wg --order random --seed 7 --map map.csv")]
pub(crate) struct Reorder {
    /// The graph: a file, - for standard input, or a generator such as kron:20
    graph: String,
    /// File to write: .wg, the only format that stores an order
    #[arg(value_name = "OUT", required_unless_present = "out", conflicts_with = "out")]
    file: Option<PathBuf>,
    /// File to write, as a flag
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Order of the vertices, such as degree, rcm or halo2
    #[arg(long, value_name = "O", long_help = orders::help())]
    order: String,
    /// Seed of randomised orders
    #[arg(long, value_name = "S", default_value_t = warpgraph::DEFAULT_SEED)]
    seed: u64,
    /// Also write the new number of every vertex: .csv, .tsv, .npy or .parquet by ending, columns vertex, inner
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Draw the vertices of every level of a search, before and after, as an SVG file
    ///
    /// The search starts at the vertex with the largest out-degree. Levels go from top to bottom, vertices in their
    /// order from left to right: a staircase if the order is good for searches.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    device: OnDevice,
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    reading: Reading,
}

impl Reorder {
    /// Returns the file to write.
    fn out(&self) -> &Path {
        self.file.as_deref().or(self.out.as_deref()).unwrap_or(Path::new(""))
    }
}

/// The result of the reordering.
struct Done {
    order: Order,
    graph: Graph,
    order_seconds: f64,
    reorder_seconds: f64,
    /// Peak memory beside the graph while the order was computed and the graph renumbered.
    peak: Option<u64>,
    write_seconds: f64,
    before: Locality,
    after: Locality,
}

/// Reads the graph, reorders it and writes it.
pub(crate) fn run(args: &Reorder) -> Result<u8> {
    let order: Order = args.order.parse()?;
    check_outputs(args)?;
    args.device.check_plan(Plan::AUTO)?;
    let session = Session::on(&args.working, &args.device)?;
    let loaded = load::load(&session, &args.graph, &args.reading)?;
    session.say(&describe::describe(&loaded.graph, loaded.seconds));
    if !args.working.json {
        loaded.graph.origin().warnings.iter().for_each(|w| console::warning(w));
    }
    let done = reorder(args, order, &session, &loaded.graph)?;
    if args.working.json {
        session.work(|_| put_json(&report(args, &session, &loaded, &done)))?;
    } else {
        lost_paths(&loaded.graph, &done.graph).into_iter().for_each(console::warning);
        session.say(&text(args, &done));
    }
    Ok(0)
}

/// Returns a warning if the graph kept paths and the reordered one does not.
fn lost_paths(before: &Graph, after: &Graph) -> Option<&'static str> {
    let is_lost = paths::kept(before).is_some() && paths::kept(after).is_none();
    is_lost.then_some("the paths that the graph keeps are of another order: they are left out (convert --paths makes new ones)")
}

/// Refuses files that could not be written, before any work.
fn check_outputs(args: &Reorder) -> Result<()> {
    if !args.out().extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wg")) {
        let what = format!("{}: only a .wg file can hold a graph in another order", args.out().display());
        return Err(Failure::new("invalid", what, "name the file with the ending .wg"));
    }
    write::refuse_existing(args.out(), args.force)?;
    if let Some(map) = &args.map {
        TableFormat::of_path(map)?;
        write::refuse_existing(map, args.force)?;
    }
    if let Some(plot) = &args.plot {
        chart::check_ending(plot)?;
        write::refuse_existing(plot, args.force)?;
    }
    Ok(())
}

fn reorder(args: &Reorder, order: Order, session: &Session, graph: &Graph) -> Result<Done> {
    let before = session.work(|_| Locality::of(&graph.out().csr));
    let start = Instant::now();
    let (reordered, peak) = with_peak(|| in_order(args, order, session, graph));
    let (graph, order_seconds) = reordered?;
    let reorder_seconds = start.elapsed().as_secs_f64();
    let after = session.work(|_| locality::stored(&graph));
    let panels = if args.plot.is_some() { panels(session, &graph)? } else { Vec::new() };
    let start = Instant::now();
    session.work(|control| write_files(args, &graph, &panels, control))?;
    let write_seconds = start.elapsed().as_secs_f64();
    Ok(Done { order, graph, order_seconds, reorder_seconds, peak, write_seconds, before, after })
}

/// Returns the graph stored in the order, and the seconds it took to compute the order.
fn in_order(args: &Reorder, order: Order, session: &Session, graph: &Graph) -> Result<(Graph, f64)> {
    if order == Order::Natural {
        return Ok((graph.stored_as(None)?, 0.0));
    }
    let done = session.engine.reorder(graph, order, args.seed, &session.control);
    session.clear();
    let done = done?;
    let order_seconds = done.order_seconds;
    Ok((session.work(|_| transform::stored(graph, done, order, args.seed))?, order_seconds))
}

/// Returns a search in the original order and in the stored order, for the plot.
fn panels(session: &Session, graph: &Graph) -> Result<Vec<Panel>> {
    let control = &session.control;
    let source = (graph.arcs() > 0).then(|| Source::MaxDegree.resolve(graph, 0, 0)).transpose()?;
    let searches = Searches::from(&session.engine, graph, source.into_iter().collect(), control)?;
    let panel = |inner: &Graph, map: Option<&NodeMap>, order: &str| -> Result<Option<Panel>> {
        let gap = session.work(|_| searches.locality(inner, map, 4, control))?.intra_gap;
        let gap = gap.map_or(String::new(), |gap| format!(", log gap within levels {gap:.1}"));
        Ok(session.work(|_| searches.panel(0, map, format!("{order}{gap}"), control))?)
    };
    let natural = panel(graph, None, "natural")?;
    let stored = graph.stored().map(|s| panel(s.graph(), Some(s.map()), &s.label().name)).transpose()?;
    session.clear();
    Ok(natural.into_iter().chain(stored.flatten()).collect())
}

/// Writes the graph, the map and the picture, or none of them: the graph, which takes longest, is renamed last.
fn write_files(args: &Reorder, graph: &Graph, panels: &[Panel], control: &Control) -> Result<()> {
    let mut file = AtomicFile::create(args.out(), args.force)?;
    to_writer(graph, OutputFormat::Wg, &mut file, &args.out().display().to_string(), control)?;
    let new = [&args.map, &args.plot].into_iter().flatten().filter(|path| !path.exists());
    let new: Vec<&PathBuf> = new.collect();
    let written = write_beside(args, graph, panels, control).and_then(|()| Ok(file.commit()?));
    if written.is_err() {
        // A file that cannot be removed is at least complete.
        new.into_iter().for_each(|path| drop(std::fs::remove_file(path)));
    }
    written
}

fn write_beside(args: &Reorder, graph: &Graph, panels: &[Panel], control: &Control) -> Result<()> {
    if let Some(path) = &args.plot {
        let name = Path::new(&graph.origin().name).file_name().unwrap_or_default().to_string_lossy();
        let title = format!("Active vertices by level of a search: {name}");
        chart::save(&chart::steps::figure(&title, panels), path, args.force)?;
    }
    args.map.as_ref().map_or(Ok(()), |path| write_map(graph, path, args.force, control))
}

/// Writes the number of each vertex in the stored order, by its id.
fn write_map(graph: &Graph, path: &Path, force: bool, control: &Control) -> Result<()> {
    let natural: Vec<u32>;
    let numbers = match graph.stored() {
        Some(stored) => &stored.map().masters()[..],
        None => {
            natural = (0..graph.vertices() as u32).collect();
            &natural
        }
    };
    let table = Table::of_vertices(graph.ids()).with("inner", Values::U32(numbers.into()));
    Ok(table.save(path, force, control)?)
}

fn report(args: &Reorder, session: &Session, loaded: &ReadGraph, done: &Done) -> Value {
    let lost = lost_paths(&loaded.graph, &done.graph).map(str::to_owned);
    let warnings: Vec<String> = loaded.graph.origin().warnings.iter().cloned().chain(lost).collect();
    json!({
        "schema": SCHEMA, "version": VERSION, "command": "reorder",
        "graph": GraphReport::new(&done.graph),
        "order": done.order,
        "seed": done.order.label(args.seed).seed,
        "out": {
            "path": args.out().display().to_string(), "format": "wg", "bytes": size(args.out()),
            "map": args.map.as_ref().map(|path| path.display().to_string()),
            "plot": args.plot.as_ref().map(|path| path.display().to_string()),
        },
        "locality": { "before": done.before, "after": done.after },
        "threads": session.engine.threads(),
        "seconds": {
            "load": loaded.seconds, "order": done.order_seconds, "reorder": done.reorder_seconds, "write": done.write_seconds,
        },
        "order_bytes": done.peak,
        "memory": Memory::new(&done.graph, None),
        "warnings": warnings,
    })
}

fn text(args: &Reorder, done: &Done) -> String {
    let mut rows = Rows::default();
    let memory = done.peak.map_or(String::new(), |peak| format!(", {} at most beside it", bytes(peak)));
    let found = format!("{} to find the order{memory}", seconds(done.order_seconds));
    rows.add("reordered", format!("by {} in {}: {found}", done.order, seconds(done.reorder_seconds)));
    rows.add("before", locality::words(&done.before));
    rows.add("after", locality::words(&done.after));
    let size = size(args.out()).map_or(String::new(), |n| format!(", {}", bytes(n)));
    rows.add("written", format!("{} (wg{size}) in {}", args.out().display(), seconds(done.write_seconds)));
    if let Some(map) = &args.map {
        rows.add("", format!("{} (vertex, inner)", map.display()));
    }
    if let Some(plot) = &args.plot {
        rows.add("", plot.display().to_string());
    }
    rows.text()
}

fn size(path: &Path) -> Option<u64> {
    path.metadata().ok().map(|m| m.len())
}
