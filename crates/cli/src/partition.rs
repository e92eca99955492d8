//! `warpgraph partition`: cuts a graph into parts, one file each.

use crate::{
    console::{Rows, bytes, count, seconds},
    failure::Result,
    load::{self, Source},
    orders, put_json,
    reading::Reading,
    report::{SCHEMA, VERSION},
    session::{Session, Working},
    write,
};
use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};
use warpgraph::{
    Control, Graph, Order,
    graph::{
        NodeMap,
        format::{Spilled, Streamed},
        generate::Spec,
    },
};
use warpgraph_parts::{Cut, Part};

/// Cut a graph into parts, one .wg file for each
///
/// A part owns a range of the vertices, with about as many arcs as every other part. Its file, a slice, has the arcs of its
/// own vertices and the table of all owners. An order decides which vertices are neighbours in the ranges, and so how many arcs
/// cross between parts: --order makes any order a partitioner. Parts are made one after another. In the natural order only one
/// part is in memory at a time if the graph is generated, a .wg file, or a text edge list with numbers as ids; the edges of the
/// last two may go through temporary files in the folder.
#[derive(Args)]
#[command(after_help = "\
Examples:
  warpgraph partition kron:12 --parts 4 slices
  warpgraph partition grid:200x200,shuffle --parts 8 --order bp slices --force")]
pub(crate) struct Partition {
    /// The graph: a file, - for standard input, or a generator such as kron:20
    graph: String,
    /// Folder to write: part-0000.wg, part-0001.wg, ...
    #[arg(value_name = "FOLDER")]
    out: PathBuf,
    /// Number of parts
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    parts: u32,
    /// Order of the vertices, such as degree, rcm or bp
    #[arg(long, value_name = "O", default_value = "natural", long_help = orders::help())]
    order: String,
    /// Seed of randomised orders
    #[arg(long, value_name = "S", default_value_t = warpgraph::DEFAULT_SEED)]
    seed: u64,
    /// Replace existing files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    reading: Reading,
}

/// What was written of a part.
#[derive(Debug, Serialize)]
struct Written {
    part: usize,
    vertices: usize,
    arcs: usize,
    /// Arcs to vertices of other parts.
    crossing: u64,
    /// Vertices of other parts at the end of these arcs.
    ghosts: usize,
    /// Bytes of the file.
    bytes: u64,
    path: String,
}

/// Where parts come from.
enum Whole {
    Generated(Spec),
    /// A file whose edges go through temporary files.
    Streamed(Box<Streamed>),
    Loaded {
        graph: Graph,
        inner: Option<(Graph, NodeMap)>,
    },
}

impl Whole {
    fn cut(&self, parts: usize, control: &Control) -> Result<Cut> {
        Ok(match self {
            Self::Generated(spec) => Cut::of_spec(spec, parts, control)?,
            Self::Streamed(streamed) => {
                Cut::even_by(streamed.vertices(), parts, |v| streamed.arcs_before(v) + v as u64)?
            }
            Self::Loaded { graph, inner: None } => Cut::even(&graph.out().csr, parts)?,
            Self::Loaded { inner: Some((inner, _)), .. } => Cut::even(&inner.out().csr, parts)?,
        })
    }

    /// Returns what makes the parts of a cut.
    fn in_parts(self, cut: Cut, folder: &Path, control: &Control) -> Result<InParts> {
        let source = match self {
            Self::Generated(spec) => Maker::Generated(spec),
            Self::Streamed(streamed) => {
                Maker::Spilled(Box::new(streamed.spill(folder, cut.starts(), control)?))
            }
            Self::Loaded { graph, inner } => Maker::Loaded { graph, inner },
        };
        Ok(InParts { cut, source })
    }
}

/// A cut, and where its parts come from.
struct InParts {
    cut: Cut,
    source: Maker,
}

enum Maker {
    Generated(Spec),
    Spilled(Box<Spilled>),
    Loaded { graph: Graph, inner: Option<(Graph, NodeMap)> },
}

impl InParts {
    fn part(&self, number: usize, control: &Control) -> Result<Part> {
        let cut = &self.cut;
        let part = match &self.source {
            Maker::Generated(spec) => return Ok(Part::generate(spec, cut, number, control)?),
            Maker::Spilled(spilled) => Part::of(&spilled.part(number, control)?, cut, number)?,
            Maker::Loaded { graph, inner: None } => Part::of(graph, cut, number)?,
            Maker::Loaded { graph, inner: Some((inner, map)) } => {
                Part::of_renumbered(graph, inner, map, cut, number)?
            }
        };
        Ok(part.compacted()?)
    }
}

/// Cuts the graph and writes its parts.
pub(crate) fn run(args: &Partition) -> Result<u8> {
    let order: Order = args.order.parse()?;
    let parts = args.parts as usize;
    for part in 0..parts {
        write::refuse_existing(&path_of(&args.out, part), args.force)?;
    }
    let session = Session::start(&args.working)?;
    let start = Instant::now();
    let whole = load(args, order, &session)?;
    let load_seconds = start.elapsed().as_secs_f64();
    std::fs::create_dir_all(&args.out).map_err(|e| warpgraph::graph::Error::io(&args.out, "create", e))?;
    let start = Instant::now();
    let written = session.work(|control| write(args, whole, parts, control))?;
    let write_seconds = start.elapsed().as_secs_f64();
    let report = report(args, order, &written, (load_seconds, write_seconds));
    match args.working.json {
        true => put_json(&report)?,
        false => session.say(&text(args, &written, &report, load_seconds + write_seconds)),
    }
    Ok(0)
}

/// Finds the graph, and loads it if its parts cannot be made otherwise.
fn load(args: &Partition, order: Order, session: &Session) -> Result<Whole> {
    let natural = order == Order::Natural;
    match load::find_source(&args.graph)? {
        Source::Generator(spec) if natural && args.reading == Reading::default() => {
            return Ok(Whole::Generated(spec));
        }
        Source::File(path) if natural => {
            let options = args.reading.options()?;
            if let Some(streamed) = session.work(|control| Streamed::open(path, &options, control))? {
                return Ok(Whole::Streamed(Box::new(streamed)));
            }
        }
        _ => {}
    }
    let graph = load::load(session, &args.graph, &args.reading)?.graph;
    if natural {
        return Ok(match Streamed::of_mapped(&graph) {
            Some(streamed) => Whole::Streamed(Box::new(streamed)),
            None => Whole::Loaded { graph, inner: None },
        });
    }
    let done = session.engine.reorder(&graph, order, args.seed, &session.control);
    session.clear();
    let done = done?;
    Ok(Whole::Loaded { graph, inner: Some((done.graph, done.map)) })
}

fn path_of(folder: &Path, part: usize) -> PathBuf {
    folder.join(format!("part-{part:04}.wg"))
}

fn write(args: &Partition, whole: Whole, parts: usize, control: &Control) -> Result<Vec<Written>> {
    let cut = whole.cut(parts, control)?;
    let whole = whole.in_parts(cut, &args.out, control)?;
    let one = |number: usize| -> Result<Written> {
        control.report("partitioning", number as u64, Some(parts as u64));
        let part = whole.part(number, control)?;
        let path = path_of(&args.out, number);
        part.write(&path, &args.graph, args.force, control)?;
        Ok(Written {
            part: number,
            vertices: part.vertices(),
            arcs: part.out().arcs(),
            crossing: part.crossing(),
            ghosts: part.places() - part.vertices(),
            bytes: path.metadata().map_or(0, |metadata| metadata.len()),
            path: path.display().to_string(),
        })
    };
    (0..parts).map(one).collect()
}

/// The largest part over the mean.
fn imbalance(written: &[Written]) -> f64 {
    let arcs: Vec<f64> = written.iter().map(|part| part.arcs as f64).collect();
    let mean = arcs.iter().sum::<f64>() / arcs.len().max(1) as f64;
    if mean == 0.0 { 1.0 } else { arcs.into_iter().fold(0.0, f64::max) / mean }
}

fn report(args: &Partition, order: Order, written: &[Written], seconds: (f64, f64)) -> Value {
    let sum = |of: &dyn Fn(&Written) -> u64| written.iter().map(of).sum::<u64>();
    let (arcs, crossing) = (sum(&|part| part.arcs as u64), sum(&|part| part.crossing));
    json!({
        "schema": SCHEMA, "version": VERSION, "command": "partition",
        "graph": args.graph, "order": order, "seed": order.label(args.seed).seed,
        "vertices": sum(&|part| part.vertices as u64), "arcs": arcs,
        "cut": {
            "parts": written.len(), "crossing": crossing,
            "crossing_share": crossing as f64 / arcs.max(1) as f64,
            "ghosts": sum(&|part| part.ghosts as u64),
            "imbalance": imbalance(written),
        },
        "bytes": sum(&|part| part.bytes),
        "parts": written,
        "seconds": { "load": seconds.0, "partition": seconds.1 },
    })
}

fn text(args: &Partition, written: &[Written], report: &Value, total: f64) -> String {
    let mut rows = Rows::default();
    let cut = &report["cut"];
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let share = 100.0 * cut["crossing_share"].as_f64().unwrap_or(0.0);
    rows.add(
        "cut",
        format!(
            "{} parts, {} of {} arcs cross ({share:.1} %)",
            written.len(),
            count(number(&cut["crossing"])),
            count(number(&report["arcs"]))
        ),
    );
    rows.add(
        "ghosts",
        format!(
            "{} vertices of other parts at the end of arcs, over all parts",
            count(number(&cut["ghosts"]))
        ),
    );
    rows.add(
        "balance",
        format!("the largest part has {:.2} times the mean number of arcs", imbalance(written)),
    );
    rows.add(
        "written",
        format!("{} in {} ({})", args.out.display(), seconds(total), bytes(number(&report["bytes"]))),
    );
    rows.text()
}
