//! `bench gpu`: one table of a GPU's times, beside those of other programs and beside what the card can do at best.
//!
//! `suite` says which graphs and which algorithms. A time is that of the whole call with the graph on the device: what the
//! run reports, and what came before its clock started. Searches start at vertices of the largest component, another one per
//! run. `peers` are figures of other programs, shown beside graphs of their size only.

pub(crate) mod peers;
pub(crate) mod suite;
mod tables;

use crate::{
    evaluation::{
        About, Asked, Clock, Evaluation, Giant, GraphCase, Held, Per, Report, RunsOn, Starts, Wanted, refused,
    },
    gpu_limits,
    sheet::Sheet,
    units::count,
};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use warpgraph::{Graph, Order, Result};

/// What is known of it before its flags are read.
pub const ABOUT: About = About {
    name: "gpu",
    title: "warpgraph",
    head: "\
Times are medians of whole calls with the graph on the device, allocation and initialisation included, `spread` is the width of the
middle half of them over the median. `before` is what of that passes before the run's own clock starts (finding kernels, setting a
balance up). Bringing the answer to the host is not in the time. Searches start at random vertices of the largest component, another
one per run. A time of pagerank is that of a sweep, all sweeps over their number; the faster order counts, the other is in brackets.
`x` is the other program's time over ours, times of others are in milliseconds. `limit` is the least time by what the card was
measured to do, and what binds it; `of it` is that over ours.",
    statements: "",
    runs_on: RunsOn::Gpu,
    limits: true,
    as_stored: false,
    try_with: "--device simt --scale-down 14",
    defaults: ["8", "2", "60", "all"],
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
/// A cell is one run that is verified, warm-up runs, and timed ones: whole calls, but for bringing answers back. Searches start
/// at random vertices of the largest component. The card is measured first (as by `bench limits`), and each cell says what
/// binds it and how near it comes.
#[derive(Debug, Args, Serialize)]
#[command(after_help = EXAMPLES, next_help_heading = "Measuring")]
#[group(id = "own")]
pub struct Gpu {
    /// Only these graphs: names of the table, name=FILE to read one from a file, or generators [default: all of the table]
    #[arg(long = "graphs", id = "graphs-of-table", value_name = "G,G")]
    graphs: Vec<String>,
    /// Only these algorithms, e.g. bfs,wcc [default: all of the table]
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    algorithms: Vec<String>,
    /// Graphs of 2^K times fewer vertices than those of the table
    #[arg(long, value_name = "K", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(0..=i64::from(suite::MOST_DOWN)))]
    scale_down: u32,
}

/// The change at which pagerank ends, as cuGraph's did.
const TOLERANCE: f64 = 1e-6;

impl Gpu {
    /// Returns what is asked of a graph.
    fn algorithms_of(&self, name: &str) -> Vec<&'static str> {
        let mut all = suite::algorithms(name, self.scale_down);
        all.retain(|name| self.algorithms.is_empty() || self.algorithms.iter().any(|a| a == name));
        all
    }
}

impl Evaluation for Gpu {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self) -> Result<()> {
        let is_none = |name: &&String| !suite::ALGORITHMS.contains(&name.as_str());
        let Some(name) = self.algorithms.iter().find(is_none) else { return Ok(()) };
        let what = match warpgraph::find(name).is_ok() {
            true => format!("{name} is not in the table of `bench gpu`"),
            false => format!("there is no algorithm {name:?}"),
        };
        let help = format!("the table has {}; `bench` measures the others", suite::ALGORITHMS.join(", "));
        Err(refused(what, help))
    }

    fn graphs(&self, named: &[String]) -> Result<Vec<Asked>> {
        let texts: Vec<String> = self.graphs.iter().chain(named).cloned().collect();
        let mut all = suite::asked(&texts, self.scale_down)?;
        all.retain(|asked| !self.algorithms_of(&asked.name).is_empty());
        match all.is_empty() {
            false => Ok(all),
            true => Err(refused(
                "there is nothing to measure: the table has none of these algorithms for these graphs",
                "triangles and kcore are asked of kron:22, mst of kron:22 and the grid; leave --algorithms or --graphs \
                 out for all",
            )),
        }
    }

    fn cells(&self, asked: &Asked, _: &Graph) -> Result<Vec<Wanted>> {
        let cells = self.algorithms_of(&asked.name).into_iter().flat_map(|algorithm| {
            let cell = Wanted { clock: Clock::Call, ..Wanted::new(algorithm, "auto") };
            match algorithm {
                "bfs" | "sssp" | "bc" => vec![Wanted { starts: Starts::Largest, ..cell }],
                "pagerank" => {
                    let (per, config) = (Per::Sweep, json!({ "tolerance": TOLERANCE }));
                    let natural = Wanted { per, config, ..cell };
                    vec![natural.clone(), Wanted { order: Held::Order(Order::Degree), ..natural }]
                }
                _ => vec![cell],
            }
        });
        Ok(cells.collect())
    }

    fn conclude(&self, report: &mut Report) {
        for case in &mut report.graphs {
            let row = suite::row(&case.name).zip(case.graph.as_ref());
            let fits = row.is_some_and(|(row, graph)| row.fits(graph));
            case.figures.insert("has_peers".to_owned(), json!(fits));
        }
        report.warnings.extend(report.graphs.iter().flat_map(doubts));
        let [best, cugraph] = tables::summary(report);
        report.figures.insert("summary".to_owned(), json!({ "cugraph": cugraph, "best": best }));
        report.figures.insert("peers".to_owned(), peers::all());
    }

    fn tables(&self, report: &Report) -> Vec<Sheet> {
        tables::all(report)
    }

    fn remarks(&self, report: &Report) -> Vec<String> {
        let [best, cugraph] = tables::summary(report);
        vec![cugraph.line("cuGraph"), best.line("the best peer")]
    }

    fn sections(&self, report: &Report) -> Vec<(String, String)> {
        let limits = report.limits.as_ref().map(|limits| {
            let sheets = gpu_limits::tables::all(limits);
            let text = sheets.iter().map(|sheet| format!("### {}\n\n{}", sheet.title, sheet.markdown()));
            ("Limits of the card".to_owned(), text.collect::<Vec<_>>().join("\n"))
        });
        let peers = report.graphs.iter().any(has_peers);
        let peers = peers.then(|| ("The other programs".to_owned(), peers::words()));
        limits.into_iter().chain(peers).collect()
    }
}

/// Returns true if a graph has the size of one that other programs were measured on.
fn has_peers(case: &GraphCase) -> bool {
    case.figure("has_peers") == Some(true)
}

/// Returns what is said of a graph that is not quite what the table means.
fn doubts(case: &GraphCase) -> Vec<String> {
    let (name, source) = (&case.name, &case.source);
    let row = suite::row(name).filter(|_| case.graph.is_some() && !has_peers(case));
    let other = row.map(|row| {
        let (vertices, arcs) = (count(row.vertices()), count(row.arcs));
        format!(
            "{name}: {source} is not of the size that other programs were measured on ({vertices} vertices, about {arcs} arcs), \
             so their figures are left out"
        )
    });
    let Some(giant) = case.figure::<Giant>("giant") else { return Vec::from_iter(other) };
    let share = 100.0 * giant.share;
    let small = format!(
        "{name}: the largest component has {share:.0} % of the vertices with arcs; searches reach no more"
    );
    let directed = format!(
        "{name} is directed: a search from a vertex of the largest component may reach only a part of it"
    );
    let is_directed = case.graph.as_ref().is_some_and(|graph| graph.directed);
    let of_giant = [(!giant.is_most()).then_some(small), is_directed.then_some(directed)];
    other.into_iter().chain(of_giant.into_iter().flatten()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        evaluation::{
            Making,
            testing::{Made, report},
            write::markdown,
        },
        evaluations::of,
        gpu_limits::tests::limits,
    };

    /// A report of cells; graphs of the table are of its sizes.
    fn report_of(cells: Vec<Made>) -> Report {
        let mut report = report("gpu", cells);
        report.limits = Some(limits());
        for case in &mut report.graphs {
            if let (Some(row), Some(graph)) = (suite::row(&case.name), &mut case.graph) {
                (graph.vertices, graph.arcs, graph.directed) = (row.vertices(), row.arcs, false);
            }
            let (graph, order) = (case.name.clone(), "degree".to_owned());
            let (seconds, renumber) = (Some(0.15), Some(0.05));
            report.orders.push(Making { graph, order, seconds, renumber, ..Making::default() });
        }
        report.conclude(&of::<Gpu>(""));
        report
    }

    fn made(graph: &str, algorithm: &str, seconds: f64) -> Made {
        Made::on(graph, algorithm, "auto").seconds(seconds)
    }

    #[test]
    fn cells_are_beside_peers_and_limits_and_the_faster_order_counts() {
        let report = report_of(vec![
            made("kron:22", "bfs", 1e-3).limit(0.25e-3),
            made("kron:22", "pagerank", 2e-3).per_sweep(),
            made("kron:22", "mst", 1.0).refused("device-memory"),
            made("kron:22", "pagerank", 0.5e-3).order("degree").per_sweep(),
        ]);
        let text = markdown(&of::<Gpu>(""), &report);
        for part in [
            "# warpgraph on NVIDIA H200\n",
            "\n## Times\n\n| algorithm | time |",
            "| bfs | 1.00 ms | 10% | 100 us | GSWITCH 0.577 | 0.58 | 2.58 | 2.58 | barrier 250 us | 25% | passed |",
            "| pagerank per sweep | 2.00 ms | 10% | 100 us | cuGraph 0.947 | (0.47) | 0.947 | (0.47) | - | - | passed |\n\
             | pagerank per sweep, degree | 500 us | 10% | 100 us | cuGraph 0.947 | 1.89 | 0.947 | 1.89 |",
            "| mst | device-memory: ",
            "| kron:22 | degree | 7 | 600 us | 19.1 ms | 200 ms | 125 ms |",
            "- against cuGraph: 2.21 times as fast (geometric mean), faster in 2 of 2 cells",
            "- against the best peer: 1.05 times as fast (geometric mean), faster in 1 of 2 cells",
            "\n### Random accesses, G/s\n",
            "- GSWITCH b18d2a4: the loop, without initialisation",
            "- bc on grid:4096x4096: no program is right",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        let small = markdown(&of::<Gpu>(""), &report_of(vec![made("kron:8", "bfs", 1e-3)]));
        assert!(!small.contains("GSWITCH") && small.contains("no cell has a figure"), "{small}");
    }

    #[test]
    fn graphs_that_are_not_what_the_table_means_are_warned_of() {
        let mut report = report_of(vec![made("kron:22", "bfs", 1e-3)]);
        let case = &mut report.graphs[0];
        (case.source, case.graph.as_mut().unwrap().vertices) = ("k.wg".to_owned(), 128);
        case.figures.insert("giant".to_owned(), json!(Giant { vertices: 40, share: 0.4 }));
        report.conclude(&of::<Gpu>(""));
        assert!(report.warnings[0].starts_with("kron:22: k.wg is not of the size"), "{:?}", report.warnings);
        assert!(report.warnings[1].contains("has 40 % of the vertices"), "{:?}", report.warnings);
    }

    #[test]
    fn what_cannot_be_asked_says_why() {
        let nothing = of::<Gpu>("--graphs uniform:22 --algorithms mst").graphs(&[]).unwrap_err();
        assert!(nothing.to_string().starts_with("there is nothing to measure"), "{nothing}");
        assert_eq!(of::<Gpu>("--algorithms mst").graphs(&[]).unwrap().len(), 2);
        assert!(of::<Gpu>("--algorithms scc").check().unwrap_err().to_string().contains("not in the table"));
    }
}
