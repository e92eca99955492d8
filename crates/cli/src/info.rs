//! `warpgraph info`: describes a graph.

use crate::{
    console::{self, LABEL, Rows, bytes, count, number},
    describe,
    failure::{Failure, Result},
    load::{self, ReadGraph},
    locality::{self, Searches},
    paths::PathReport,
    put_json,
    reading::Reading,
    report::{GraphReport, Memory, SCHEMA, VERSION},
    session::{Session, Working},
    write,
};
use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};
use std::{
    io::IsTerminal,
    path::{Path, PathBuf},
    time::Instant,
};
use warpgraph::{
    Graph, Order, Wcc,
    graph::{
        Csr, Vertex, coded,
        stats::{Blocks, DegreeStats, Stats, degree_counts},
    },
    wcc::WccSummary,
};
use warpgraph_bench::chart::{self, degrees::Series};

/// Width of the histogram in characters.
const WIDTH: usize = 78;

/// Describe a graph: size, direction, ids, weights, degrees, components
#[derive(Args)]
#[command(after_help = "\
Examples:
  warpgraph info kron:14
  warpgraph info community:12,shuffle --locality
  warpgraph info kron:14 --plot degrees.svg
  warpgraph info community:12 --json")]
pub(crate) struct Info {
    /// The graph: a file, - for standard input, or a generator such as kron:20
    graph: String,
    /// Also measure how close neighbours are to each other, in the order of the file
    ///
    /// The log gap is the mean of log2 of the difference between consecutive neighbours of a vertex. A sector is 32
    /// bytes of memory, 8 values; the report has the mean number of sectors that a tile of up to 32 neighbours of one
    /// vertex touches.
    ///
    /// The same for breadth-first searches: the gap within levels is the mean of log2 of the difference between
    /// consecutive vertices of a level; the gap between levels is that of the distance to the nearest vertex of the
    /// previous level. Pages are those of the edges that a level reads. A model of unified memory estimates how much
    /// would move to a GPU with memory for half of the edges, which starts empty and serves one search after the other.
    #[arg(long)]
    locality: bool,
    #[command(flatten)]
    searches: Searches,
    /// Draw how many vertices have at least each degree, as an SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Replace an existing picture
    #[arg(long, requires = "plot")]
    force: bool,
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    reading: Reading,
}

/// What is measured after reading.
struct Measured {
    stats: Stats,
    components: WccSummary,
    coded: Option<CodedSize>,
    locality: Option<locality::Measured>,
    seconds: f64,
}

/// The size that the targets of outgoing arcs would have in coded form, with the table of blocks.
#[derive(Serialize)]
struct CodedSize {
    bytes: u64,
    bytes_per_arc: f64,
}

impl CodedSize {
    /// Computes the size; `None` if there are no arcs.
    fn of(graph: &Graph) -> Option<Self> {
        let bytes = coded::coded_bytes(graph.out().csr.targets());
        (graph.arcs() > 0).then(|| Self { bytes, bytes_per_arc: bytes as f64 / graph.arcs() as f64 })
    }

    fn text(&self) -> String {
        let plain = size_of::<Vertex>() as f64;
        let change = match plain / self.bytes_per_arc {
            gain if gain >= 1.05 => format!("{gain:.1}x smaller"),
            _ => "no gain".to_owned(),
        };
        format!("{:.2} bytes per arc instead of {plain} ({change})", self.bytes_per_arc)
    }
}

/// Reads the graph and describes it.
pub(crate) fn run(args: &Info) -> Result<u8> {
    if let Some(path) = &args.plot {
        chart::check_ending(path)?;
        write::refuse_existing(path, args.force)?;
    }
    let session = Session::start(&args.working)?;
    let loaded = load::load(&session, &args.graph, &args.reading)?;
    let measured = measure(&session, &loaded, args)?;
    if let Some(path) = &args.plot {
        session.work(|_| draw_degrees(&loaded.graph, path, args.force))?;
    }
    if args.working.json {
        session.work(|_| put_json(&report(&session, &loaded, &measured)))?;
        return Ok(0);
    }
    loaded.graph.origin().warnings.iter().for_each(|w| console::warning(w));
    let text = session.work(|_| text(&loaded, &measured));
    console::out(&text).map_err(Failure::stdout)?;
    Ok(0)
}

fn measure(session: &Session, loaded: &ReadGraph, args: &Info) -> Result<Measured> {
    let start = Instant::now();
    let stats = session.work(|control| Stats::of(&loaded.graph, control))?;
    let ready = session.engine.load(&loaded.graph, Order::Natural)?;
    let components = session.work(|control| ready.wcc(Wcc::default()).control(control).run())?.figures();
    let coded = session.work(|_| CodedSize::of(&loaded.graph));
    let locality =
        args.locality.then(|| locality::measure(session, &loaded.graph, &args.searches)).transpose()?;
    Ok(Measured { stats, components, coded, locality, seconds: start.elapsed().as_secs_f64() })
}

/// Draws the out-degrees and in-degrees, or the degrees of an undirected graph.
fn draw_degrees(graph: &Graph, path: &Path, force: bool) -> Result<()> {
    let series = |name: &str, csr: &Csr| Series { name: name.to_owned(), counts: degree_counts(csr) };
    let all = match graph.is_directed() {
        false => vec![series("degree", &graph.out().csr)],
        true => {
            vec![series("out-degree", &graph.out().csr), series("in-degree", &graph.incoming()?.csr)]
        }
    };
    let name = Path::new(&graph.origin().name).file_name().unwrap_or_default().to_string_lossy();
    Ok(chart::save(&chart::degrees::figure(&format!("Degrees of {name}"), &all), path, force)?)
}

fn report(session: &Session, loaded: &ReadGraph, measured: &Measured) -> Value {
    let graph = &loaded.graph;
    json!({
        "schema": SCHEMA, "version": VERSION, "command": "info",
        "graph": GraphReport::new(graph),
        "origin": graph.origin(),
        "ids": graph.ids().describe(),
        "stats": measured.stats,
        "components": measured.components,
        "order": graph.stored().map_or("natural", |stored| &stored.label().name),
        "paths": PathReport::of(graph),
        "coded": measured.coded,
        "locality": measured.locality,
        "threads": session.engine.threads(),
        "seconds": { "load": loaded.seconds, "measure": measured.seconds },
        "memory": Memory::new(graph, None),
        "warnings": graph.origin().warnings,
    })
}

fn text(loaded: &ReadGraph, measured: &Measured) -> String {
    let graph = &loaded.graph;
    let Measured { stats, components, coded, locality, .. } = measured;
    let mut rows = describe::rows(graph, loaded.seconds);
    let share = percent(components.largest as f64 / graph.vertices().max(1) as f64);
    let largest = format!("the largest has {} vertices ({share})", count(components.largest));
    rows.add("components", format!("{}, {largest}", count(components.components)));
    degrees(&mut rows, if graph.is_directed() { "out-degree" } else { "degree" }, &stats.out);
    if let Some(incoming) = &stats.incoming {
        degrees(&mut rows, "in-degree", incoming);
        let (sinks, sources) = (count(stats.sinks), count(stats.sources));
        rows.add("ends", format!("{sinks} vertices without outgoing arcs, {sources} without incoming"));
    }
    if let Some(share) = stats.reciprocity {
        rows.add("reciprocity", format!("{} of arcs have their reverse", percent(share)));
    }
    if let Some(locality) = locality {
        locality.rows(&mut rows);
    }
    let arrays: Vec<String> =
        stats.memory.iter().map(|a| format!("{} {}", a.array, bytes(a.bytes))).collect();
    rows.add("memory", arrays.join(", "));
    if let Some(coded) = coded {
        rows.add("coded (code=ef)", coded.text());
    }
    let blocks = if std::io::stdout().is_terminal() { Blocks::Unicode } else { Blocks::Ascii };
    let title = format!("\n{LABEL}vertices by degree{LABEL:#}\n");
    rows.text() + &title + &stats.out.histogram.render(WIDTH, blocks)
}

fn degrees(rows: &mut Rows, name: &str, of: &DegreeStats) {
    let spread = format!("half have at most {}, 90% {}, 99% {}", count(of.p50), count(of.p90), count(of.p99));
    rows.add(name, format!("{} to {}, mean {}", count(of.min), count(of.max), number(of.mean)));
    rows.add("", spread);
    let law = of.exponent.map_or(String::new(), |x| format!(", tail like a power law of {x:.2}"));
    rows.add("", format!("Gini {:.2}, the top 1% hold {} of arcs{law}", of.gini, percent(of.top_share)));
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}
