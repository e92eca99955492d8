//! `bench halo`: the evaluation of Gera et al. \[1\], sections 6 and 10, on the graphs at hand.
//!
//! Orders of the vertices are compared by what breadth-first searches from the same sources meet in them: figure 3 (read
//! amplification in the natural order, with and without prefetching, and how often pages are fetched), figure 8 (the
//! staircases of active vertices), figure 9 (bytes moved over the least possible), figure 10 (the log gap within levels,
//! MinIntraBFS, beside the other gaps), figure 11 (`halo2` by its number of samples); beside the paper what orders cost in time
//! and memory, and what they do to times on the processor.
//!
//! Bytes moved are those of a model of unified memory, since the paper's card and its driver are not at hand; the paper's
//! times by order (figures 6 and 7) follow from them, and are not repeated. What is looked at in an order stands in
//! [`Making::figures`](crate::evaluation::Making): `gaps`, `transfer`, `without_prefetch` and `staircase`.
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7), 2020.

mod figures;
mod tables;

use crate::{
    chart::steps,
    evaluation::{
        About, Asked, Drawing, Evaluation, Held, Looked, Making, Ordered, Report, RunsOn, Subject, Wanted,
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
    transform::unified::{self, REGION},
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

impl Halo {
    fn orders(&self) -> Result<Vec<Order>> {
        match self.orders.is_empty() {
            true => Order::ALL.into_iter().map(|each| order(each.name(), self.samples)).collect(),
            false => self.orders.iter().map(|text| order(text, self.samples)).collect(),
        }
    }

    /// Looks at the searches of a graph in an order.
    fn in_order(
        &self,
        ordered: &Ordered,
        searches: &Searches,
        control: &Control,
    ) -> Result<Map<String, Value>> {
        let (inner, map) = ordered.inner();
        let arcs = Locality::of(&inner.out().csr);
        let levels = searches.locality(inner, map, self.edge_bytes, control)?;
        let mut figures = Map::from_iter([(
            "gaps".to_owned(),
            json!({
                "within": levels.intra_gap, "between": levels.inter_gap, "neighbours": arcs.log_gap,
                "sectors_per_tile": arcs.sectors_per_tile, "levels": levels.levels,
            }),
        )]);
        let mut add = |name: &str, value: Option<Value>| {
            value.map(|value| figures.insert(name.to_owned(), value));
        };
        add("transfer", self.transfer(ordered, searches, true, control)?);
        if ordered.order == Order::Natural {
            add("without_prefetch", self.transfer(ordered, searches, false, control)?);
        }
        add("staircase", searches.panel(0, map, String::new(), control)?.as_ref().map(staircase));
        Ok(figures)
    }

    /// What the model moves; `None` where its memory would be less than a region.
    fn transfer(
        &self,
        ordered: &Ordered,
        searches: &Searches,
        prefetch: bool,
        control: &Control,
    ) -> Result<Option<Value>> {
        let (inner, map) = ordered.inner();
        let memory = (inner.arcs() as f64 * f64::from(self.edge_bytes) * self.memory) as u64;
        if memory < REGION {
            return Ok(None);
        }
        let edge_bytes = self.edge_bytes;
        let settings = unified::Settings { edge_bytes, prefetch, ..unified::Settings::with_memory(memory) };
        let mut seen = json!(searches.transfer(inner, map, settings, control)?);
        seen["memory"] = json!(memory);
        Ok(Some(seen))
    }
}

/// Returns an order by its text; one that samples, with so many searches unless the text says otherwise.
fn order(text: &str, samples: u32) -> Result<Order> {
    let order: Order = text.parse()?;
    match order.searches() && !text.contains('(') {
        true => format!("{text}(k={samples})").parse(),
        false => Ok(order),
    }
}

/// Returns a staircase as JSON: each row is a text, since there are many numbers.
fn staircase(panel: &steps::Panel) -> Value {
    let text = |row: &Vec<u32>| row.iter().map(u32::to_string).collect::<Vec<String>>().join(" ");
    let rows: Vec<String> = panel.rows.iter().map(text).collect();
    json!({ "vertices": panel.vertices, "levels": panel.levels, "rows": rows })
}

/// Returns the graph with every arc both ways, once, as section 3.4 of the paper has it; without weights.
fn symmetrised(graph: &Graph, control: &Control) -> Result<Graph> {
    let csr = &graph.out().csr;
    let row = |u: Vertex| csr.neighbors(u).iter().map(move |&v| [u, v]);
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
        let suite: &[&str] = match (self.quick, named.is_empty()) {
            (true, _) => &QUICK,
            (false, true) => &GRAPHS,
            (false, false) => &[],
        };
        Ok(Asked::all(suite.iter().map(|name| (*name).to_owned()).chain(named.iter().cloned())))
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
        let samples = SAMPLES.into_iter().filter(|_| !self.no_sweep);
        let order = |samples: u32| Held::Order(Order::Halo2 { samples });
        samples.map(|samples| Wanted { order: order(samples), ..Wanted::new("bfs", "auto") }).collect()
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
        let of = |name: &str| report.options[name].as_f64().unwrap_or_default();
        vec![format!(
            "searches per graph: {}; edges of {} bytes, memory of the modelled device for {:.0}% of the edges",
            of("searches"),
            of("edge_bytes"),
            100.0 * of("memory")
        )]
    }

    fn tables(&self, report: &Report) -> Vec<Sheet> {
        tables::all(report)
    }

    fn figures(&self, report: &Report) -> Vec<Drawing> {
        figures::all(report)
    }
}

/// One order of one graph: what making it took, what was looked at, and the median times of both algorithms.
#[derive(Debug, Clone, Copy)]
struct InOrder<'a> {
    report: &'a Report,
    making: &'a Making,
}

impl<'a> InOrder<'a> {
    /// Returns the orders of a graph that cells ran in; those of the sweep alone are not among them.
    fn all(report: &'a Report, graph: &'a str) -> Vec<Self> {
        let has_cells = |making: &&Making| {
            report.cells.iter().any(|cell| cell.graph == graph && cell.order.to_string() == making.order)
        };
        report.orders_of(graph).filter(has_cells).map(|making| Self { report, making }).collect()
    }

    /// Returns the natural order of a graph.
    fn natural(report: &'a Report, graph: &'a str) -> Option<Self> {
        Self::all(report, graph).into_iter().find(|one| one.making.order == NATURAL)
    }

    fn cell(&self, algorithm: &str) -> Option<&'a crate::evaluation::Cell> {
        let mut cells = self.report.cells.iter().filter(|cell| cell.graph == self.making.graph);
        cells.find(|cell| cell.algorithm == algorithm && cell.order.to_string() == self.making.order)
    }

    fn seconds(&self, algorithm: &str) -> Option<f64> {
        self.cell(algorithm)?.median()
    }

    /// Returns the log gap within levels.
    fn within(&self) -> Option<f64> {
        self.making.number("gaps.within")
    }

    /// Returns bytes moved over ideal.
    fn amplification(&self) -> Option<f64> {
        self.making.number("transfer.amplification")
    }

    /// Returns a value over that in the natural order.
    fn of_natural(&self, value: impl Fn(&Self) -> Option<f64>) -> Option<f64> {
        let natural = value(&Self::natural(self.report, &self.making.graph)?);
        crate::evaluation::tables::over(value(self), natural)
    }
}

/// Returns `halo2` of a graph by its number of samples.
fn sweep<'a>(report: &'a Report, graph: &'a str) -> Vec<(u32, &'a Making)> {
    let is_swept = report.options["no_sweep"] == json!(false);
    let samples = |making: &Making| match making.order.parse() {
        Ok(Order::Halo2 { samples }) if SAMPLES.contains(&samples) => Some(samples),
        _ => None,
    };
    let all = report.orders_of(graph).filter(|_| is_swept);
    let mut all: Vec<(u32, &Making)> = all.filter_map(|making| Some((samples(making)?, making))).collect();
    all.sort_by_key(|(samples, _)| *samples);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        evaluation::{
            testing::{Made, failure, report},
            write::markdown,
        },
        evaluations::of,
    };
    use warpgraph::graph::generate::Spec;

    /// Of one order: gap within levels, bytes moved over ideal, seconds of a search.
    fn made(graph: &str, order: &str, (within, ratio, seconds): (f64, f64, f64)) -> (Making, [Made; 2]) {
        let mib = 1 << 20;
        let transfer = json!({
            "ideal_bytes": 100 * mib, "moved_bytes": (ratio * 100.0 * f64::from(mib)) as u64, "amplification": ratio,
            "prefetched_pages": 5_600, "evicted_pages": 24_000, "refetched_pages": 23_000,
            "pages_by_fetches": [0, 512, 256, 128, 128, 512, 0, 0, 0, 512],
        });
        let gaps = json!({
            "within": within, "between": within / 2.0, "neighbours": within + 1.0, "sectors_per_tile": 12.5, "levels": 9.0,
        });
        let panel = steps::Panel {
            title: String::new(),
            vertices: 10,
            levels: 2,
            rows: vec![vec![1, 0], vec![4, 5]],
        };
        let mut figures = Map::from_iter([
            ("gaps".to_owned(), gaps),
            ("transfer".to_owned(), transfer),
            ("staircase".to_owned(), staircase(&panel)),
        ]);
        if order == NATURAL && graph != "kron:20" {
            figures.insert("without_prefetch".to_owned(), json!({ "amplification": 1.5 }));
        }
        let making = Making {
            graph: graph.to_owned(),
            order: order.to_owned(),
            seconds: (order != NATURAL).then_some(1.5),
            renumber: Some(0.5),
            memory: Some(3 << 20),
            figures,
            ..Making::default()
        };
        let cell = |algorithm, seconds| Made::on(graph, algorithm, "auto").order(order).seconds(seconds);
        (making, [cell("bfs", seconds), cell("pagerank", 10.0 * seconds)])
    }

    fn report_of(all: Vec<(Making, [Made; 2])>) -> Report {
        let (orders, cells): (Vec<Making>, Vec<[Made; 2]>) = all.into_iter().unzip();
        let mut report = report("halo", cells.into_iter().flatten().collect());
        (report.orders, report.device, report.options) = (orders, None, json!(of::<Halo>("")));
        report
    }

    /// Two graphs in three orders, one of which did not run on the second, and a sweep on the first.
    fn as_in_the_paper() -> Report {
        let order = "random".to_owned();
        let refused = Making {
            graph: "kron:20".to_owned(),
            order,
            error: Some(failure("memory")),
            ..Making::default()
        };
        let cells = ["bfs", "pagerank"]
            .map(|name| Made::on("kron:20", name, "auto").order("random").refused("memory"));
        let mut report = report_of(vec![
            made("data/web.bv", "natural", (8.0, 2.25, 2.0)),
            made("data/web.bv", "random", (16.0, 4.5, 4.0)),
            made("data/web.bv", "halo2(k=20)", (2.0, 1.125, 0.5)),
            made("kron:20", "natural", (12.0, 3.0, 1.0)),
            (refused, cells),
            made("kron:20", "halo2(k=20)", (6.0, 2.0, 1.0)),
        ]);
        for samples in [2, 4, 8] {
            let order = format!("halo2(k={samples})");
            let (making, _) = made("data/web.bv", &order, (2.0 + 1.0 / f64::from(samples), 1.5, 1.0));
            report.orders.push(Making { seconds: Some(0.25 * f64::from(samples)), ..making });
        }
        report
    }

    #[test]
    fn the_page_has_a_row_for_every_order_of_every_graph() {
        let text = markdown(&of::<Halo>(""), &as_in_the_paper());
        for part in [
            "# Orders of vertices\n",
            "searches per graph: 50; edges of 8 bytes, memory of the modelled device for 50% of the edges",
            "| web.bv | yes | 1,048,576 | 16,777,216 | 9.0 | 1.50 s |",
            "| halo2(k=20) | 2 | 4.00 | 1.50 | 0.50 | 0.50 |",
            "| web.bv | 2.25 | 1.50 | 25% | 12% | 12% | 25% | 25% |",
            "| kron:20 | 3.00 | - |",
            "| halo2(k=20) | 112.5 MiB | 100.0 MiB | 1.12 | 0.50 | 5,600 | 24,000 | 23,000 |",
            "| random | memory: cuda:0 has no room",
            "| halo2(k=20) | 2.00 | 0.25 | 1.00 | 3.00 | 12.50 |",
            "| 2 | 500 ms | 2.50 | 1.50 |\n| 4 | 1.00 s | 2.25 | 1.50 |\n| 8 | 2.00 s | 2.12 | 1.50 |",
            "| random | 1.50 s | 500 ms | 3.0 MiB | 0.8 | - |",
            "| halo2(k=20) | 1.50 s | 500 ms | 3.0 MiB | 0.8 | 2 |",
            "| halo2(k=20) | 500 ms | 10% | 0.25 | 5.00 s | 10% | 0.25 | passed |",
            "![figure9](figure9.svg)",
            "In the paper, natural moves 2.31 times the ideal",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        let cost = text.split("## Cost").nth(1).unwrap().split("##").next().unwrap();
        assert!(!cost.contains("| natural |"), "{cost}");
    }

    #[test]
    fn every_figure_says_what_it_shows() {
        let drawn = figures::all(&as_in_the_paper());
        let files: Vec<&str> = drawn.iter().map(|one| one.file.as_str()).collect();
        assert_eq!(files.len(), 12, "{files:?}");
        for (file, words) in [
            ("figure3", &["without", "2.25", "1.50", "ideal"][..]),
            ("figure3-fetches", &["once", "3-4", "25.0"]),
            (
                "figure8-1",
                &["web.bv", "natural, log gap 8.00 bits", "halo2(k=20), log gap 2.00 bits", "BFS level"],
            ),
            ("figure9", &["halo2", "1.12", "kron:20", "bytes moved / ideal"]),
            ("figure10", &["of 50 searches", "16.0", "log gap (bits)"]),
            ("figure11", &["samples", ">8<", "web.bv"]),
            ("figure11-time", &["time to order", " s<"]),
            ("cost", &["1.50 s", "random"]),
            ("bfs", &["0.25", "time in the natural order"]),
        ] {
            let svg = drawn.iter().find(|one| one.file == file).unwrap().figure.svg();
            words.iter().for_each(|word| assert!(svg.contains(word), "{file}: {word}\n{svg}"));
            assert_eq!(
                svg.contains(">natural<"),
                !["cost", "figure11", "figure11-time"].contains(&file)
                    && !file.starts_with("figure3")
                    && !file.starts_with("figure8"),
                "{file}"
            );
        }
        assert!(figures::all(&report_of(vec![])).is_empty());
    }

    #[test]
    fn orders_sample_as_often_as_asked() {
        let orders = Halo::orders(&of::<Halo>("--samples 9")).unwrap();
        let names: Vec<String> = orders.iter().map(ToString::to_string).collect();
        assert!(names.contains(&"halo2(k=9)".to_owned()) && names.contains(&"rcm".to_owned()), "{names:?}");
        let texts = ["halo2", "halo2(k=7)", "rcm"].map(|text| order(text, 9).unwrap().to_string());
        assert_eq!(texts, ["halo2(k=9)", "halo2(k=7)", "rcm"]);
        assert!(of::<Halo>("--order halo3").check().is_err());
        for name in GRAPHS.into_iter().chain(QUICK) {
            name.parse::<Spec>().unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }

    #[test]
    fn a_symmetrised_graph_has_every_arc_both_ways_once() {
        let graph = Graph::from_edges(4, &[(0, 1), (1, 0), (2, 1), (3, 3)], true).unwrap();
        let both = symmetrised(&graph, &Control::new()).unwrap();
        let rows: Vec<&[Vertex]> = (0..4).map(|v| both.out().csr.neighbors(v)).collect();
        assert!(!both.is_directed());
        assert_eq!(rows, [&[1][..], &[0, 2], &[1], &[3]]);
    }
}
