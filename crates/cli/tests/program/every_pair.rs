//! Every algorithm on a file of every format runs, and its answer verifies.

use crate::common::Bench;

/// Two triangles that share an edge, with a tail: 5 vertices, 6 edges.
const EDGES: [(u32, u32); 6] = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (3, 4)];

/// The graph as text, in every format that is text.
fn texts() -> Vec<(&'static str, String)> {
    let lines = |line: fn(u32, u32) -> String| EDGES.map(|(u, v)| line(u, v)).concat();
    let rows = ["2 3", "1 3 4", "1 2 4", "2 3 5", "4"].join("\n");
    let nodes: String = (0..5).map(|v| format!("<node id=\"{v}\"/>")).collect();
    let edges = lines(|u, v| format!("<edge source=\"{u}\" target=\"{v}\"/>"));
    vec![
        ("a.el", lines(|u, v| format!("{u} {v}\n"))),
        ("a.wel", lines(|u, v| format!("{u} {v} {}\n", u + v))),
        ("a.csv", lines(|u, v| format!("{u},{v},{}.5\n", u + v))),
        ("a.gr", "p sp 5 6\n".to_owned() + &lines(|u, v| format!("a {} {} {}\n", u + 1, v + 1, u + v))),
        ("a.metis", format!("5 6\n{rows}\n")),
        ("a.graphml", format!("<graphml><graph edgedefault=\"undirected\">{nodes}{edges}</graph></graphml>")),
        (
            "a.mtx",
            "%%MatrixMarket matrix coordinate pattern symmetric\n5 5 6\n".to_owned()
                + &lines(|u, v| format!("{} {}\n", v + 1, u + 1)),
        ),
    ]
}

/// The graph's arcs from the smaller end as WebGraph has them, all numbers as gamma codes, without references or intervals.
fn webgraph() -> (Vec<u8>, String) {
    let mut bits = String::new();
    let mut gamma = |number: u32| {
        let binary = format!("{:b}", number + 1);
        bits += &"0".repeat(binary.len() - 1);
        bits += &binary;
    };
    for u in 0..5 {
        let row: Vec<u32> = EDGES.iter().filter(|edge| edge.0 == u).map(|edge| edge.1).collect();
        gamma(row.len() as u32);
        for (i, &v) in row.iter().enumerate() {
            gamma(if i == 0 { 2 * (v - u) } else { v - row[i - 1] - 1 });
        }
    }
    let bytes = bits
        .as_bytes()
        .chunks(8)
        .map(|byte| byte.iter().enumerate().fold(0, |sum, (i, &bit)| sum | u8::from(bit == b'1') << (7 - i)));
    let properties = "graphclass=it.unimi.dsi.webgraph.BVGraph\nversion=0\nnodes=5\narcs=6\nwindowsize=0\n\
                      maxrefcount=0\nminintervallength=0\ncompressionflags=RESIDUALS_GAMMA\n";
    (bytes.collect(), properties.to_owned())
}

/// Writes a file of every format; their names, each with the flags it needs.
fn files(bench: &Bench) -> Vec<String> {
    let mut names = Vec::new();
    for (name, text) in texts() {
        bench.file(name, text);
        names.push(name.to_owned());
    }
    let (graph, properties) = webgraph();
    bench.file("web.graph", graph).file("web.properties", properties);
    bench.file("scipy.npz", include_bytes!("../../../graph/tests/formats/data/scipy-csr.npz"));
    for name in [
        "b.sg",
        "b.wsg",
        "b.g500",
        "b.wg",
        "b.el",
        "b.wel",
        "b.mtx",
        "b.csv",
        "b.tsv.gz",
        "b.graphml.zst",
        "b.parquet",
    ] {
        let from = if ["b.wsg", "b.wel"].contains(&name) { "a.wel" } else { "a.el" };
        assert_eq!(bench.run(&format!("convert {from} {name} --undirected")).code, 0, "{name}");
        names.push(name.to_owned());
    }
    let table = bench.run("run mst a.wel --undirected --out edges.parquet");
    assert_eq!(table.code, 0, "{}", table.stderr);
    names.extend(["web.graph", "scipy.npz", "edges.parquet"].map(str::to_owned));
    names
}

#[test]
fn every_algorithm_runs_and_verifies_on_a_file_of_every_format() {
    let bench = Bench::new();
    for file in files(&bench) {
        for algorithm in warpgraph::algorithms().iter().map(|entry| entry.name) {
            let line = format!("run {algorithm} {file} --verify --json");
            let report = bench.json(&line);
            assert_eq!(report["verify"], "passed", "{line}: {report}");
            assert!(report["graph"]["vertices"].as_u64().is_some_and(|n| n >= 3), "{line}: {report}");
        }
    }
}

#[test]
fn the_same_graph_has_the_same_answers_whatever_its_format() {
    let bench = Bench::new();
    files(&bench);
    for algorithm in ["wcc", "triangles", "kcore", "bfs --source 0", "scc"] {
        let (name, flags) = algorithm.split_once(' ').unwrap_or((algorithm, ""));
        let result = |file: &str| bench.json(&format!("run {name} {file} {flags} --json"))["result"].clone();
        let expected = result("b.wg");
        for file in [
            "a.el --undirected",
            "a.graphml",
            "b.sg",
            "b.g500",
            "web.graph --undirected",
            "b.el --undirected",
        ] {
            assert_eq!(result(file), expected, "{algorithm} on {file}");
        }
    }
}
