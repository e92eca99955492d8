//! Tests on made-up reports: the page, figures; orders, graphs.

use super::*;
use crate::{
    evaluation::testing::{Made, failure, figures_have, page_has, report},
    evaluations::of,
};
use warpgraph::graph::generate::Spec;

/// Of one order: gap within levels, bytes moved over ideal, seconds of a search.
fn made(graph: &str, order: &str, (within, ratio, seconds): (f64, f64, f64)) -> (Making, [Made; 2]) {
    let (vertices, levels, rows) = (10, 2, vec![vec![1, 0], vec![4, 5]]);
    let mut figures = json!({
        "gaps": {
            "within": within, "between": within / 2.0, "neighbours": within + 1.0, "sectors_per_tile": 12.5,
            "levels": 9.0,
        },
        "transfer": {
            "ideal_bytes": 100 << 20, "moved_bytes": (ratio * f64::from(100 << 20)) as u64, "amplification": ratio,
            "prefetched_pages": 5_600, "evicted_pages": 24_000, "refetched_pages": 23_000,
            "pages_by_fetches": [0, 512, 256, 128, 128, 512, 0, 0, 0, 512],
        },
        "staircase": staircase(&steps::Panel { title: String::new(), vertices, levels, rows }),
    });
    if order == NATURAL && graph != "kron:20" {
        figures["without_prefetch"] = json!({ "amplification": 1.5 });
    }
    let making = Making {
        graph: graph.to_owned(),
        order: order.to_owned(),
        seconds: (order != NATURAL).then_some(1.5),
        renumber: Some(0.5),
        memory: Some(3 << 20),
        figures: serde_json::from_value(figures).unwrap(),
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
    let (making, cells) = made("kron:20", "random", (1.0, 1.0, 1.0));
    let refused = Making { seconds: None, figures: Map::new(), error: Some(failure("memory")), ..making };
    let mut report = report_of(vec![
        made("data/web.bv", "natural", (8.0, 2.25, 2.0)),
        made("data/web.bv", "random", (16.0, 4.5, 4.0)),
        made("data/web.bv", "halo2(k=20)", (2.0, 1.125, 0.5)),
        made("kron:20", "natural", (12.0, 3.0, 1.0)),
        (refused, cells.map(|cell| cell.refused("memory"))),
        made("kron:20", "halo2(k=20)", (6.0, 2.0, 1.0)),
    ]);
    for samples in [2.0, 4.0, 8.0] {
        let (making, _) =
            made("data/web.bv", &format!("halo2(k={samples})"), (2.0 + 1.0 / samples, 1.5, 1.0));
        report.orders.push(Making { seconds: Some(0.25 * samples), ..making });
    }
    report
}

#[test]
fn the_page_has_a_row_for_every_order_of_every_graph() {
    let parts = [
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
    ];
    let text = page_has(&of::<Halo>(""), &as_in_the_paper(), &parts);
    let cost = text.split("## Cost").nth(1).unwrap().split("##").next().unwrap();
    assert!(!cost.contains("| natural |"), "{cost}");
}

#[test]
fn every_figure_says_what_it_shows() {
    let gaps = ["web.bv", "natural, log gap 8.00 bits", "halo2(k=20), log gap 2.00 bits", "BFS level"];
    let without_natural: [(&str, &[&str]); 6] = [
        ("figure3", &["without", "2.25", "1.50", "ideal"]),
        ("figure3-fetches", &["once", "3-4", "25.0"]),
        ("figure8-1", &gaps),
        ("figure11", &["samples", ">8<", "web.bv"]),
        ("figure11-time", &["time to order", " s<"]),
        ("cost", &["1.50 s", "random"]),
    ];
    let with_natural: [(&str, &[&str]); 3] = [
        ("figure9", &[">natural<", "halo2", "1.12", "kron:20", "bytes moved / ideal"]),
        ("figure10", &[">natural<", "of 50 searches", "16.0", "log gap (bits)"]),
        ("bfs", &[">natural<", "0.25", "time in the natural order"]),
    ];
    let (halo, report) = (of::<Halo>(""), as_in_the_paper());
    let drawn = figures_have(&halo, &report, &[&without_natural[..], &with_natural].concat());
    assert_eq!(drawn.len(), 12, "{:?}", drawn.keys());
    without_natural.iter().for_each(|(file, _)| assert!(!drawn[*file].contains(">natural<"), "{file}"));
    assert!(halo.figures(&report_of(vec![])).is_empty());
}

#[test]
fn orders_sample_as_often_as_asked_and_generators_take_every_graph() {
    let names = |line: &str| -> Vec<String> {
        Halo::orders(&of::<Halo>(line)).unwrap().iter().map(ToString::to_string).collect()
    };
    let all = names("--samples 9");
    assert!(["halo2(k=9)", "rcm"].iter().all(|name| all.iter().any(|order| order == name)), "{all:?}");
    let some = names("--samples 9 --order halo2 --order halo2(k=7) --order rcm");
    assert_eq!(some, ["halo2(k=9)", "halo2(k=7)", "rcm"]);
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
