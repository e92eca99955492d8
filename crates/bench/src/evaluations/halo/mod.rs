//! `bench halo`: the evaluation of Gera et al., sections 6 and 10, on the graphs at hand.
//!
//! Orders of the vertices are compared by what breadth-first searches from the same sources meet in them (figures 3 and 8 to
//! 11); beside the paper what orders cost in time and memory, and what they do to times on the processor.
//!
//! Bytes moved are those of a model of unified memory, since the paper's card and its driver are not at hand; the paper's
//! times by order (figures 6 and 7) are measured on a GPU by `bench residency`. What is looked at in an order stands in
//! [`Making::figures`]: `gaps`, `transfer`, `without_prefetch` and `staircase`.

mod figures;
mod tables;
#[cfg(test)]
mod tests;

use crate::{
    chart::steps,
    evaluation::{
        About, Asked, Cell, Drawing, Evaluation, Held, Looked, Making, Ordered, Report, RunsOn, Subject,
        Wanted, tables::over,
    },
    searches::Searches,
    sheet::Sheet,
};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value, json};
use warpgraph::{
    Control, Graph, Locality, Order, Result,
    graph::{
        Ids, Origin, Vertex,
        build::{self, EdgeChunk, EdgeList, EdgeWeights, Loops, Parallel},
    },
    transform::unified::{REGION, Settings},
};

/// What is known of it before its flags are read.
pub const ABOUT: About = About {
    name: "halo",
    title: "Orders of vertices",
    head: "\
Measured after P. Gera, H. Kim, P. Sao, H. Kim, D. Bader, \"Traversing Large Graphs on GPUs with Unified Memory\", PVLDB 13(7), 2020,
sections 6 and 10. Searches start at the same random vertices in every order. Bytes moved are those of a model of unified memory
that is fed with what the searches read: pages of 4 KiB, prefetching, 2 MiB evicted at a time. Times are medians of runs on the
processor.",
    statements: "",
    runs_on: RunsOn::Processor,
    limits: false,
    as_stored: false,
    try_with: "--quick",
    defaults: ["5", "1", "600", "once"],
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
#[derive(Debug, Args, Serialize)]
#[command(after_help = EXAMPLES, next_help_heading = "Measuring")]
#[group(id = "own")]
pub struct Halo {
    /// Tiny graphs, for a first look
    #[arg(long)]
    quick: bool,
    /// Only these orders; repeat it for each [default: all]
    #[arg(long = "order", value_name = "O")]
    orders: Vec<String>,
    /// Searches per graph, from random sources
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    searches: u64,
    /// Searches that orders sample, where --order does not say
    #[arg(long, value_name = "K", default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=65_536))]
    samples: u32,
    /// Leave out the sweep over 2 to 256 samples
    #[arg(long)]
    no_sweep: bool,
    /// Leave out directed graphs made undirected
    #[arg(long)]
    no_symmetrised: bool,
    /// Bytes of an edge in the modelled array; the paper's have 8
    #[arg(long, value_name = "B", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=64))]
    edge_bytes: u32,
    /// Device memory of the model, as a part of all edges
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    memory: f64,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("expected a number above 0, and 1 at most".to_owned()),
    }
}

/// A Kronecker graph, and communities before and after they were shuffled.
const GRAPHS: [&str; 3] = ["kron:20", "community:20", "community:20,shuffle"];
/// Graphs that take seconds.
const QUICK: [&str; 3] = ["kron:12", "community:12,shuffle", "kron:11,directed"];
/// What stands behind the name of a graph that was made undirected.
const SYMMETRISED: &str = " (sym)";
/// Samples of figure 11.
const SAMPLES: [u32; 8] = [2, 4, 8, 16, 32, 64, 128, 256];
/// The order that others are compared with.
const NATURAL: &str = "natural";
const ALGORITHMS: [&str; 2] = ["bfs", "pagerank"];
/// Paths of the log gap within levels, and of bytes moved over ideal.
const WITHIN: &str = "gaps.within";
const AMPLIFICATION: &str = "transfer.amplification";

impl Halo {
    /// Returns the orders asked for; one that samples, with so many searches as asked unless its text says otherwise.
    fn orders(&self) -> Result<Vec<Order>> {
        let order = |text: &str| {
            let order: Order = text.parse()?;
            match order.searches() && !text.contains('(') {
                true => format!("{text}(k={})", self.samples).parse(),
                false => Ok(order),
            }
        };
        match self.orders.is_empty() {
            true => Order::ALL.iter().map(|each| order(each.name())).collect(),
            false => self.orders.iter().map(|text| order(text)).collect(),
        }
    }

    /// Looks at the searches of a graph in an order.
    fn in_order(&self, ordered: &Ordered, searches: &Searches, control: &Control) -> Result<Figures> {
        let (inner, map) = ordered.inner();
        let arcs = Locality::of(&inner.out().csr);
        let levels = searches.locality(inner, map, self.edge_bytes, control)?;
        let gaps = json!({
            "within": levels.intra_gap, "between": levels.inter_gap, "neighbours": arcs.log_gap,
            "sectors_per_tile": arcs.sectors_per_tile, "levels": levels.levels,
        });
        let transfer = |prefetch: bool| -> Result<Option<Value>> {
            let Some(settings) = self.model(inner, prefetch) else { return Ok(None) };
            let mut seen = json!(searches.transfer(inner, map, settings, control)?);
            seen["memory"] = json!(settings.memory);
            Ok(Some(seen))
        };
        let without = if ordered.order == Order::Natural { transfer(false)? } else { None };
        let stairs = searches.panel(0, map, String::new(), control)?;
        let all = [
            ("gaps", Some(gaps)),
            ("transfer", transfer(true)?),
            ("without_prefetch", without),
            ("staircase", stairs.as_ref().map(staircase)),
        ];
        Ok(all.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect())
    }

    /// Returns the modelled device of a graph; `None` where its memory would be less than a region.
    fn model(&self, graph: &Graph, prefetch: bool) -> Option<Settings> {
        let edge_bytes = self.edge_bytes;
        let memory = (graph.arcs() as f64 * f64::from(edge_bytes) * self.memory) as u64;
        (memory >= REGION).then(|| Settings { edge_bytes, prefetch, ..Settings::with_memory(memory) })
    }
}

/// What is seen in an order.
type Figures = Map<String, Value>;

/// Returns a staircase as JSON: each row is a text, since there are many numbers.
fn staircase(panel: &steps::Panel) -> Value {
    let text = |row: &Vec<u32>| row.iter().map(u32::to_string).collect::<Vec<String>>().join(" ");
    let rows: Vec<String> = panel.rows.iter().map(text).collect();
    json!({ "vertices": panel.vertices, "levels": panel.levels, "rows": rows })
}

/// Returns the graph with every arc both ways, once, as section 3.4 of the paper has it; without weights.
fn symmetrised(graph: &Graph, control: &Control) -> Result<Graph> {
    let row = |u: Vertex| graph.out().csr.neighbors(u).iter().map(move |&v| [u, v]);
    let pairs = (0..graph.vertices() as Vertex).flat_map(row).collect();
    let chunks = vec![EdgeChunk { pairs, weights: EdgeWeights::None }];
    let list = EdgeList { vertices: graph.vertices(), chunks };
    let how = build::Options { directed: false, loops: Loops::Keep, parallel: Parallel::First };
    let arcs = build::build(list, &how, control)?.arcs;
    let origin = Origin { name: format!("{}{SYMMETRISED}", graph.origin().name), ..Origin::default() };
    Ok(Graph::new(arcs, false, Ids::zero_based(graph.vertices()), origin)?)
}

impl Evaluation for Halo {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self) -> Result<()> {
        Self::orders(self).map(drop)
    }

    fn graphs(&self, named: &[String]) -> Result<Vec<Asked>> {
        let own = if self.quick { QUICK } else { GRAPHS };
        let own = own.into_iter().filter(|_| self.quick || named.is_empty());
        Ok(Asked::all(own.chain(named.iter().map(String::as_str))))
    }

    fn cells(&self, _: &Asked, _: &Graph) -> Result<Vec<Wanted>> {
        let of = |order: Order| {
            let (order, random) = (Held::Order(order), json!({ "source": "random" }));
            let bfs = Wanted { order, config: random, ..Wanted::new("bfs", "auto") };
            [bfs, Wanted { order, ..Wanted::new("pagerank", "auto") }]
        };
        Ok(Self::orders(self)?.into_iter().flat_map(of).collect())
    }

    fn orders(&self) -> Vec<Wanted> {
        let order = |samples: u32| Held::Order(Order::Halo2 { samples });
        let bfs = |samples: u32| Wanted { order: order(samples), ..Wanted::new("bfs", "auto") };
        SAMPLES.into_iter().filter(|_| !self.no_sweep).map(bfs).collect()
    }

    fn made_from(&self, graph: &Graph, control: &Control) -> Result<Option<Graph>> {
        let is_made = graph.is_directed() && !self.no_symmetrised;
        is_made.then(|| symmetrised(graph, control)).transpose()
    }

    fn look<'a>(&'a self, subject: &Subject<'a>) -> Result<Looked<'a>> {
        let Subject { graph, processor, control, measuring, .. } = *subject;
        let searches = Searches::of(processor, graph, (self.searches, measuring.seed), control)?;
        let in_order =
            move |ordered: &Ordered| processor.install(|| self.in_order(ordered, &searches, control));
        Ok(Looked { figures: Map::new(), in_order: Some(Box::new(in_order)) })
    }

    fn facts(&self, report: &Report) -> Vec<String> {
        let [searches, edge, memory] = ["searches", "edge_bytes", "memory"]
            .map(|name| report.options[name].as_f64().unwrap_or_default());
        let model = format!("memory of the modelled device for {:.0}% of the edges", 100.0 * memory);
        vec![format!("searches per graph: {searches}; edges of {edge} bytes, {model}")]
    }

    fn tables(&self, report: &Report) -> Vec<Sheet> {
        tables::all(report)
    }

    fn figures(&self, report: &Report) -> Vec<Drawing> {
        figures::all(report)
    }
}

/// One order of one graph: what making it took, what was looked at, and the times of both algorithms.
#[derive(Debug, Clone, Copy)]
struct InOrder<'a> {
    report: &'a Report,
    making: &'a Making,
}

impl<'a> InOrder<'a> {
    /// Returns the orders of a graph that cells ran in; those of the sweep alone are not among them.
    fn all(report: &'a Report, graph: &'a str) -> impl Iterator<Item = Self> {
        let all = report.orders_of(graph).map(move |making| Self { report, making });
        all.filter(|one| ALGORITHMS.iter().any(|name| one.cell(name).is_some()))
    }

    fn natural(report: &'a Report, graph: &'a str) -> Option<Self> {
        Self::all(report, graph).find(|one| one.making.order == NATURAL)
    }

    fn cell(self, algorithm: &str) -> Option<&'a Cell> {
        let mut cells = self.report.cells.iter().filter(|cell| cell.graph == self.making.graph);
        cells.find(|cell| cell.algorithm == algorithm && cell.order.to_string() == self.making.order)
    }

    /// Returns a figure by its path, the median time of an algorithm by its name, the time to order by `order`.
    fn value(self, path: &str) -> Option<f64> {
        match path {
            "order" => self.making.seconds,
            _ if ALGORITHMS.contains(&path) => self.cell(path)?.median(),
            path => self.making.number(path),
        }
    }

    /// Returns a value over that in the natural order.
    fn of_natural(self, path: &str) -> Option<f64> {
        over(self.value(path), Self::natural(self.report, &self.making.graph)?.value(path))
    }
}

/// Returns `halo2` of a graph by its number of samples.
fn sweep<'a>(report: &'a Report, graph: &'a str) -> Vec<(u32, InOrder<'a>)> {
    let find = |samples: u32| {
        let is_it = |making: &&Making| making.order.parse().ok() == Some(Order::Halo2 { samples });
        report.orders_of(graph).find(is_it).map(|making| (samples, InOrder { report, making }))
    };
    let is_swept = report.options["no_sweep"] == json!(false);
    SAMPLES.into_iter().filter(|_| is_swept).filter_map(find).collect()
}
