//! The tables: graphs, times, limits, memory, ranks, degrees, chunking. None is wider than 100 columns as text, remarks aside, while
//! graphs have names of usual length.

use super::{
    report::{Cell, GraphCase, Memory, Report},
    strategy::NODE,
};
use crate::{
    result::Failure,
    sheet::{
        Sheet,
        Side::{Left, Right},
    },
    units::{bytes, count, number, seconds},
};

const NONE: &str = "-";
/// The title of the table of limits.
pub(super) const LIMITS: &str = "Limits: what binds a run, and the share of it that is reached";
/// Letters of a name; longer ones are cut.
const NAME: usize = 40;

/// All tables, in the order of the paper.
pub fn all(report: &Report) -> Vec<Sheet> {
    vec![
        graphs(report),
        times(report, "sssp", "Figure 7: sssp by strategy"),
        times(report, "bfs", "Figure 8: bfs by strategy"),
        limits(report),
        memory(report),
        ranks(report),
        degrees(report),
        chunking(report),
    ]
}

/// Table II.
pub fn graphs(report: &Report) -> Sheet {
    let columns = [
        ("graph", Left),
        ("kind", Left),
        ("vertices", Right),
        ("arcs", Right),
        ("max", Right),
        ("mean", Right),
        ("sigma", Right),
    ];
    let mut sheet = Sheet::new("Table II: the graphs, and their out-degrees", columns);
    for graph in &report.graphs {
        let mut row = vec![name(graph)];
        match (&graph.degrees, &graph.error) {
            (Some(degrees), None) => row.extend([
                graph.kind.map_or_else(|| NONE.to_owned(), |kind| kind.to_string()),
                count(degrees.vertices),
                count(degrees.arcs),
                count(degrees.max),
                format!("{:.1}", degrees.mean),
                format!("{:.1}", degrees.deviation),
            ]),
            (_, error) => row.push(why(error.as_ref())),
        }
        sheet.row(row);
    }
    sheet
}

/// Figures 7 and 8.
pub fn times(report: &Report, algorithm: &str, title: &str) -> Sheet {
    let columns = [
        ("plan", Left),
        ("time", Right),
        ("spread", Right),
        ("kernels", Right),
        ("overhead", Right),
        ("once", Right),
        ("of node", Right),
        ("M arcs/s", Right),
        ("verified", Left),
    ];
    let mut sheet = Sheet::new(title, columns);
    for graph in &report.graphs {
        let cells: Vec<&Cell> = report.cells_on(&graph.name, algorithm).collect();
        if !cells.is_empty() {
            sheet.row([name(graph)]);
        }
        for cell in cells {
            sheet.row(time(report, cell));
        }
    }
    sheet
}

fn time(report: &Report, cell: &Cell) -> Vec<String> {
    let Some(time) = &cell.seconds else {
        return vec![cell.label().to_owned(), why(cell.error.as_ref())];
    };
    let node = report.cell(&cell.graph, &cell.algorithm, NODE).and_then(|node| node.seconds.as_ref());
    vec![
        cell.label().to_owned(),
        seconds(time.spread.median),
        format!("{:.0}%", 100.0 * time.spread.spread),
        seconds(time.kernel),
        seconds(time.overhead),
        seconds(time.prepare),
        ratio(time.spread.median, node.map(|node| node.spread.median)),
        cell.mteps.map_or_else(|| NONE.to_owned(), rate_of),
        cell.verify.clone().unwrap_or_else(|| NONE.to_owned()),
    ]
}

/// Times beside the least that the device's limits allow; no rows if these were not measured.
pub fn limits(report: &Report) -> Sheet {
    let columns = [
        ("plan", Left),
        ("sssp", Right),
        ("limit", Right),
        ("of limit", Right),
        ("bfs", Right),
        ("limit", Right),
        ("of limit", Right),
    ];
    let mut sheet = Sheet::new(LIMITS, columns);
    for graph in &report.graphs {
        let has_any = |label: &&str| held(report, graph, label).iter().any(|cell| cell[1] != NONE);
        let labels: Vec<&str> = report.labels().into_iter().filter(has_any).collect();
        if !labels.is_empty() {
            sheet.row([name(graph)]);
        }
        for label in labels {
            let cells = held(report, graph, label).into_iter().flatten();
            sheet.row(std::iter::once(label.to_owned()).chain(cells));
        }
    }
    sheet
}

/// Time, limit and share of sssp and of bfs.
fn held(report: &Report, graph: &GraphCase, label: &str) -> [[String; 3]; 2] {
    let none = || NONE.to_owned();
    ["sssp", "bfs"].map(|algorithm| {
        let Some(cell) = report.cell(&graph.name, algorithm, label) else {
            return [NONE; 3].map(str::to_owned);
        };
        [
            cell.seconds.as_ref().map_or_else(none, |time| seconds(time.spread.median)),
            cell.limit.as_ref().map_or_else(none, ToString::to_string),
            cell.share.map_or_else(none, |share| format!("{:.0}%", 100.0 * share)),
        ]
    })
}

/// The first half of figure 9.
pub fn memory(report: &Report) -> Sheet {
    let columns = [
        ("plan", Left),
        ("bfs: extra", Right),
        ("in all", Right),
        ("of node", Right),
        ("sssp: extra", Right),
        ("in all", Right),
        ("of node", Right),
    ];
    let mut sheet = Sheet::new("Figure 9: memory on the device, graph and state included", columns);
    for graph in report.graphs.iter().filter(|graph| graph.error.is_none()) {
        sheet.row([name(graph)]);
        for label in report.labels() {
            let held = |algorithm: &str, label: &str| report.cell(&graph.name, algorithm, label)?.memory;
            let cells = ["bfs", "sssp"].map(|algorithm| sizes(held(algorithm, label), held(algorithm, NODE)));
            sheet.row(std::iter::once(label.to_owned()).chain(cells.into_iter().flatten()));
        }
    }
    sheet
}

fn sizes(memory: Option<Memory>, node: Option<Memory>) -> [String; 3] {
    let Some(memory) = memory else { return [NONE; 3].map(str::to_owned) };
    let node = node.map(|node| node.total() as f64);
    [bytes(memory.extra), bytes(memory.total()), ratio(memory.total() as f64, node)]
}

/// The second half of figure 9.
pub fn ranks(report: &Report) -> Sheet {
    let columns = [
        ("plan", Left),
        ("paper", Left),
        ("time rank", Right),
        ("of node", Right),
        ("memory rank", Right),
        ("of node", Right),
        ("ran", Right),
        ("failed", Right),
    ];
    let title = "Figure 9: ranks by geometric means over all graphs, bfs and sssp";
    let mut sheet = Sheet::new(title, columns);
    let place = |rank: Option<usize>| rank.map_or_else(|| NONE.to_owned(), |rank| rank.to_string());
    let mean = |mean: Option<f64>| mean.map_or_else(|| NONE.to_owned(), |mean| format!("{mean:.2}"));
    for rank in &report.ranks {
        sheet.row([
            rank.strategy.clone(),
            rank.in_the_paper.to_owned(),
            place(rank.time_rank),
            mean(rank.time),
            place(rank.memory_rank),
            mean(rank.memory),
            rank.ran.to_string(),
            rank.failed.to_string(),
        ]);
    }
    sheet
}

/// Figure 10.
pub fn degrees(report: &Report) -> Sheet {
    let columns = [
        ("graph", Left),
        ("max", Right),
        ("MDT", Right),
        ("vertices split", Right),
        ("share", Right),
        ("entries", Right),
        ("max after", Right),
    ];
    let mut sheet = Sheet::new("Figure 10: degrees before and after node splitting", columns);
    for graph in &report.graphs {
        let Some(degrees) = &graph.degrees else { continue };
        sheet.row([
            name(graph),
            count(degrees.max),
            count(degrees.threshold),
            count(degrees.split),
            format!("{:.2}%", 100.0 * degrees.split_share()),
            count(degrees.entries),
            count(degrees.max_after),
        ]);
    }
    sheet
}

/// Figure 11.
pub fn chunking(report: &Report) -> Sheet {
    let title = "Figure 11: edge with work chunking, times as fast as without";
    let mut sheet = Sheet::new(title, [("graph", Left), ("bfs", Right), ("sssp", Right)]);
    for graph in &report.graphs {
        let gain = |algorithm: &str| {
            let found =
                report.chunking.iter().find(|gain| gain.graph == graph.name && gain.algorithm == algorithm);
            found.map(|gain| format!("{:.2}", gain.speedup))
        };
        let gains = ["bfs", "sssp"].map(gain);
        if gains.iter().any(Option::is_some) {
            let gains = gains.map(|gain| gain.unwrap_or_else(|| NONE.to_owned()));
            sheet.row(std::iter::once(name(graph)).chain(gains));
        }
    }
    sheet
}

/// The name of a graph, cut in its middle if it is long.
pub(super) fn name(graph: &GraphCase) -> String {
    let letters: Vec<char> = graph.short().chars().collect();
    match letters.len() {
        0..=NAME => graph.short().to_owned(),
        all => {
            let half = (NAME - 3) / 2;
            letters[..half].iter().chain(&['.'; 3]).chain(&letters[all - half..]).collect()
        }
    }
}

/// Why there are no figures: kind and message, unless the message begins with the kind.
pub(crate) fn why(error: Option<&Failure>) -> String {
    match error {
        None => "nothing was measured".to_owned(),
        Some(error) if error.message.starts_with(&error.kind) => error.message.clone(),
        Some(error) => format!("{}: {}", error.kind, error.message),
    }
}

fn ratio(value: f64, base: Option<f64>) -> String {
    match base {
        Some(base) if base > 0.0 => format!("{:.2}", value / base),
        _ => NONE.to_owned(),
    }
}

/// Whole numbers from ten on, below with two digits.
fn rate_of(rate: f64) -> String {
    if rate < 9.995 { format!("{rate:.2}") } else { number(rate.round()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::testing::{Made, as_in_the_paper, report};

    #[test]
    fn a_row_has_time_its_parts_and_the_share_of_node() {
        let sheet = times(&as_in_the_paper(), "sssp", "title");
        assert_eq!(sheet.title, "title");
        assert_eq!(sheet.rows[0], ["rmat"]);
        assert_eq!(
            sheet.rows[2],
            ["edge", "3.00 s", "10%", "2.40 s", "600 ms", "100 ms", "0.30", "2.67", "passed"]
        );
        assert_eq!(sheet.rows.len(), 4 * 8, "a line for every graph and every plan");
    }

    #[test]
    fn a_time_is_beside_what_binds_it_and_its_share() {
        let sheet = limits(&report(vec![
            Made::on("g", "sssp", "node").seconds(1.0).limit(0.25),
            Made::on("g", "bfs", "node").seconds(0.1).limit(0.01),
            Made::on("g", "sssp", "edge").refused("device-memory"),
            Made::on("g", "bfs", "edge").seconds(0.04).limit(0.01),
        ]));
        assert_eq!(sheet.rows[0], ["g"]);
        assert_eq!(
            sheet.rows[1],
            ["node", "1.00 s", "barrier 250 ms", "25%", "100 ms", "barrier 10.0 ms", "10%"]
        );
        assert_eq!(sheet.rows[2], ["edge", "-", "-", "-", "40.0 ms", "barrier 10.0 ms", "25%"]);
        assert!(limits(&as_in_the_paper()).rows.is_empty(), "from before limits were measured");
    }

    #[test]
    fn what_did_not_run_says_why_in_its_row() {
        let sheet = times(&as_in_the_paper(), "bfs", "title");
        let row = &sheet.rows[3 * 8 + 2];
        assert_eq!(row[..], ["edge", "device-memory: cuda:0 has no room for worklists of 4 GiB"]);
        let sizes = memory(&as_in_the_paper());
        assert_eq!(sizes.rows[3 * 8 + 2], ["edge", "-", "-", "-", "-", "-", "-"]);
        assert_eq!(sizes.rows[2], ["edge", "1000 B", "2.0 KiB", "2.00", "1000 B", "2.0 KiB", "2.00"]);
    }

    #[test]
    fn without_the_baseline_there_is_nothing_to_be_a_share_of() {
        let sheet = times(&report(vec![Made::on("g", "bfs", "edge").seconds(1.0)]), "bfs", "title");
        assert_eq!(sheet.rows[1][6], "-");
    }

    #[test]
    fn degrees_ranks_and_chunking_are_told() {
        let report = as_in_the_paper();
        assert_eq!(degrees(&report).rows[0][..5], ["rmat", "1,181", "118", "20,650", "2.00%"]);
        assert_eq!(chunking(&report).rows[0], ["rmat", "1.82", "1.82"]);
        assert_eq!(chunking(&report).rows.len(), 3, "edge did not fit on the large one");
        let node = ranks(&report).rows.into_iter().find(|row| row[0] == "node").unwrap();
        assert_eq!(
            (node[1].as_str(), &node[3..]),
            ("BS", &["1.00", "1", "1.00", "8", "0"].map(str::to_owned)[..])
        );
        assert_eq!(graphs(&report).rows[2][1], "road-like");
    }

    #[test]
    fn a_graph_that_could_not_be_loaded_is_a_row() {
        let mut report = as_in_the_paper();
        report.graphs[0].error =
            Some(Failure { kind: "io".to_owned(), message: "gone".to_owned(), help: None });
        assert_eq!(graphs(&report).rows[0], ["rmat", "io: gone"]);
    }

    #[test]
    fn long_names_are_cut_in_the_middle() {
        let mut graph = as_in_the_paper().graphs.remove(0);
        graph.name = format!("folder/{}.gr", "x".repeat(60));
        assert_eq!(name(&graph), format!("{}...{}.gr", "x".repeat(18), "x".repeat(15)));
        graph.name = "kron:20,degree=8,directed,w=1..255".to_owned();
        assert_eq!(name(&graph), graph.name);
    }
}
