//! Any number of processes gives the answer of `run`.

use crate::common::Bench;
use serde_json::Value;
use std::{collections::BTreeMap, path::Path};

/// Questions whose answers are numbers that do not depend on how they were computed.
const EXACT: [&str; 4] = ["wcc", "bfs --source 3", "sssp --source 3", "wcc --seed 5"];
const GRAPHS: [&str; 3] = ["kron:9,w=1..9", "grid:13x7,w=1..9", "uniform:6,degree=1"];

fn question(question: &str, graph: &str) -> String {
    let (name, flags) = question.split_once(' ').unwrap_or((question, ""));
    format!("{name} {graph} {flags}")
}

/// Reads the rows of all parts by their first column.
fn rows(folder: &Path) -> BTreeMap<String, String> {
    let mut rows = BTreeMap::new();
    for entry in folder.read_dir().unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for line in text.lines().skip(1) {
            let (vertex, rest) = line.split_once(',').unwrap();
            assert!(rows.insert(vertex.to_owned(), rest.to_owned()).is_none(), "{vertex} is there twice");
        }
    }
    rows
}

#[test]
fn any_number_of_processes_gives_the_answer_of_one() {
    let bench = Bench::new();
    for graph in GRAPHS {
        for asked in EXACT {
            let asked = question(asked, graph);
            let one = bench.json(&format!("run {asked} --device cpu --json"));
            for parts in [1, 2, 3, 4, 7] {
                let all = bench.json(&format!("cluster --local {parts} run {asked} --threads 1 --json"));
                assert_eq!(all["result"], one["result"], "{asked} in {parts}");
                for field in ["name", "vertices", "arcs", "directed", "weighted", "weight_type"] {
                    assert_eq!(all["graph"][field], one["graph"][field], "{asked} in {parts}: {field}");
                }
                assert_eq!(all["cluster"]["processes"], parts);
            }
        }
    }
}

#[test]
fn ranks_are_those_of_one_process_within_the_tolerance() {
    let bench = Bench::new();
    let asked = "pagerank kron:9 --tolerance 1e-10";
    let top = |report: &Value| -> BTreeMap<String, f64> {
        let top = report["result"]["top"].as_array().unwrap();
        top.iter().map(|row| (row["vertex"].to_string(), row["rank"].as_f64().unwrap())).collect()
    };
    let one = top(&bench.json(&format!("run {asked} --device cpu --json")));
    for parts in [1, 2, 3, 4, 7] {
        let all = top(&bench.json(&format!("cluster --local {parts} run {asked} --json")));
        assert_eq!(all.keys().collect::<Vec<_>>(), one.keys().collect::<Vec<_>>());
        for (vertex, rank) in &one {
            assert!((all[vertex] - rank).abs() < 1e-6, "{vertex}: {} in {parts} parts, {rank}", all[vertex]);
        }
    }
}

#[test]
fn the_tables_of_all_parts_together_are_that_of_one_process() {
    let bench = Bench::new();
    for graph in GRAPHS {
        bench.run(&format!("run wcc {graph} --device cpu --out one/part-0000.csv --force"));
        std::fs::create_dir_all(bench.path("one")).unwrap();
        let done = bench.run(&format!("run wcc {graph} --device cpu --out one/part-0000.csv --force"));
        assert_eq!(done.code, 0, "{}", done.stderr);
        let done = bench.run(&format!("cluster --local 3 run wcc {graph} --out all.csv --force"));
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(done.stdout.contains("all.csv (vertex, component)"), "{}", done.stdout);
        assert_eq!(rows(&bench.path("all.csv")), rows(&bench.path("one")));
    }
}

#[test]
fn files_are_read_with_the_flags_of_run() {
    let bench = Bench::new();
    bench.file("a.el", "10 20\n20 30\n40 50\n");
    let all = bench.json("cluster --local 2 run wcc a.el --undirected --json");
    assert_eq!(all["result"]["components"], 2);
    assert_eq!(all["result"]["largest"], 3);
    assert_eq!(all["graph"]["directed"], false);
}

#[test]
fn the_report_has_the_fields_of_run_and_one_more() {
    let bench = Bench::new();
    let keys = |report: &Value| report.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let one = keys(&bench.json("run wcc kron:8 --device cpu --json"));
    let all = bench.json("cluster --local 2 run wcc kron:8 --runs 3 --warmup 1 --json");
    let mut wanted = one;
    wanted.push("cluster".to_owned());
    assert_eq!(keys(&all), wanted);
    assert_eq!(all["seconds"]["runs"].as_array().unwrap().len(), 3);
    assert!(all["cluster"]["sent"].as_u64().unwrap() > 0);
    assert_eq!(all["cluster"]["hosts"].as_array().unwrap().len(), 2);
    let text = bench.run("cluster --local 2 run wcc kron:8").stdout;
    assert!(text.contains("on 2 processes") && text.contains("components"), "{text}");
}

#[test]
fn slices_answer_as_the_graph_that_was_cut() {
    let bench = Bench::new();
    for graph in GRAPHS {
        let done = bench.run(&format!("partition {graph} --parts 3 slices --force"));
        assert_eq!(done.code, 0, "{}", done.stderr);
        for asked in ["wcc", "bfs --source 3", "sssp --source 3"] {
            let one = bench.json(&format!("run {} --device cpu --json", question(asked, graph)));
            let all = bench.json(&format!("cluster --local 3 run {} --json", question(asked, "slices")));
            assert_eq!(all["result"], one["result"], "{asked} on {graph}");
        }
        let refused = bench.run("cluster --local 2 run wcc slices");
        assert_eq!(refused.code, 2);
        assert!(refused.stderr.contains("slices has 3 slices, for 2 processes"), "{}", refused.stderr);
    }
}

/// Bytes of a process without a graph: the program, its threads and connections.
const PROGRAM: u64 = 40 << 20;

#[test]
fn a_process_takes_its_share_of_memory_and_about_what_estimate_says() {
    let bench = Bench::new();
    for graph in ["uniform:20", "kron:20", "kron:19,directed,w=1..255"] {
        let peak = |line: &str| bench.json(line)["memory"]["host_peak"].as_u64().unwrap();
        let one = peak(&format!("run wcc {graph} --device cpu --threads 2 --json"));
        let most = peak(&format!("cluster --local 2 run wcc {graph} --threads 1 --json"));
        // One process needs no incoming arcs of a directed graph; parts have both directions.
        let share = if graph.contains("directed") { 1.7 } else { 1.3 };
        assert!(most as f64 <= share * one as f64 / 2.0, "{graph}: {most} bytes, of {one} in one process");
        let parts = &bench.json(&format!("estimate wcc {graph} --parts 2 --json"))["parts"];
        let [rows, state, loading] =
            ["graph_bytes", "state_bytes", "loading_bytes"].map(|of| parts[of].as_u64().unwrap());
        let estimate = loading.max(rows + state);
        assert!(most <= estimate * 5 / 4 + PROGRAM, "{graph}: {most} bytes, of {estimate} expected");
        assert!(estimate <= most * 3 / 2, "{graph}: {most} bytes, of {estimate} expected");
    }
}
