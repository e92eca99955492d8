//! `bench limits` and `bench gpu`, on the simulator.
//!
//! What needs the simulator is ignored, with the reason, where there is no C++ compiler.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;
use common::Bench;
use serde_json::{Value, json};
use std::process::ExitCode;
use warpgraph::{Device, Engine};
use warpgraph_testing::{Suite, tests};

fn main() -> ExitCode {
    let simulator = Engine::on(Device::Simt, Some(1)).map(drop).map_err(|error| error.to_string());
    Suite::default()
        .tests(tests![
            the_limits_of_the_processor_are_those_of_bench,
            wrong_flags_say_what_is_right,
            files_that_are_there_are_refused_before_the_work,
        ])
        .needing(
            &simulator,
            tests![
                the_limits_of_a_gpu_are_measured_and_told,
                the_whole_table_runs_is_verified_and_is_written,
                a_file_stands_for_a_graph_and_one_of_another_size_has_no_peers_beside_it,
            ],
        )
        .run()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn the_limits_of_a_gpu_are_measured_and_told() {
    let bench = Bench::new();
    let report = bench.json("bench limits --device simt --json");
    assert_eq!(keys(&report), ["schema", "version", "command", "machine", "device", "processor", "gpu"]);
    assert_eq!((&report["command"], &report["processor"]), (&json!("bench limits"), &Value::Null));
    let gpu = &report["gpu"];
    for rates in ["gather", "atomic_add", "atomic_min"] {
        assert_eq!(gpu[rates].as_array().unwrap().len(), 8, "{rates}");
    }
    assert!(gpu["copy"].as_f64() > Some(0.0) && gpu["launch"]["waited"].as_f64() > Some(0.0), "{gpu}");
    let text = bench.run("bench limits --device simt -q").stdout;
    for part in
        ["simulated GPU (simt), 2 multiprocessors", "Random accesses, G/s", "barrier over 4 blocks of 256"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
}

fn the_limits_of_the_processor_are_those_of_bench() {
    let bench = Bench::new();
    let report = bench.json("bench limits --device cpu --json");
    assert!(report["gpu"].is_null() && report["device"].is_null(), "{report}");
    let of_bench = bench.json("bench --limits --device cpu --json");
    assert_eq!(keys(&report["processor"]), keys(&of_bench["limits"]));
}

/// The cells of the table: graphs of 2^8 and 2^10 vertices.
const CELLS: [(&str, &[&str]); 4] = [
    ("kron:8", &["bfs", "sssp", "pagerank", "wcc", "bc", "triangles", "kcore", "mst", "pagerank"]),
    ("kron:10", &["bfs", "sssp", "pagerank", "wcc", "bc", "pagerank"]),
    ("uniform:8", &["bfs", "sssp", "pagerank", "wcc", "bc", "pagerank"]),
    ("grid:32x32", &["bfs", "sssp", "pagerank", "wcc", "bc", "mst", "pagerank"]),
];

fn the_whole_table_runs_is_verified_and_is_written() {
    let bench = Bench::new();
    let outcome =
        bench.run("bench gpu --device simt --scale-down 14 --runs 2 --warmup 1 --verify once --out out");
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    for part in ["measuring the limits of simulated GPU", "loading uniform:8,w=1..255", "  verified in "] {
        assert!(outcome.stderr.contains(part), "{part} in {}", outcome.stderr);
    }
    assert_eq!(outcome.stderr.matches("verified in ").count(), 28, "once per cell: {}", outcome.stderr);
    let read = |name: &str| std::fs::read_to_string(bench.path("out").join(name)).unwrap();
    let report: Value = serde_json::from_str(&read("gpu.json")).unwrap();
    assert_eq!((&report["schema"], &report["command"]), (&json!(2), &json!("bench gpu")));
    let mut cells = report["cells"].as_array().unwrap().iter();
    for (graph, algorithms) in CELLS {
        for algorithm in algorithms {
            let cell = cells.next().unwrap();
            assert_eq!((&cell["graph"], &cell["algorithm"]), (&json!(graph), &json!(algorithm)), "{cell}");
            assert_eq!((&cell["verify"], &cell["error"]), (&json!("passed"), &Value::Null), "{cell}");
            assert_eq!(cell["runs"].as_array().unwrap().len(), 2, "{cell}");
            assert!(cell["share"].as_f64() > Some(0.0) && cell["seconds"]["median"].as_f64() > Some(0.0));
            assert!(cell["runs"][0]["before"].as_f64() > Some(0.0), "{cell}");
            let has_source = ["bfs", "sssp", "bc"].contains(algorithm);
            assert_eq!(cell["runs"][0]["source"].is_null(), !has_source, "{cell}");
        }
    }
    assert!(cells.next().is_none());
    assert_eq!(report["figures"]["summary"]["cugraph"]["cells"], 0, "no figures beside small graphs");
    for text in [outcome.stdout, read("gpu.md")] {
        for part in ["pagerank per sweep, degree", "grid:32x32", "against cuGraph: no cell has a figure"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}

fn a_file_stands_for_a_graph_and_one_of_another_size_has_no_peers_beside_it() {
    let bench = Bench::new();
    assert_eq!(bench.run("generate kron:7,w=1..9 k.wg -q").code, 0);
    let line =
        "bench gpu --device simt --graphs kron:22=k.wg,gone=gone.wg --algorithms bfs,wcc --runs 3 --json";
    let report = bench.json(line);
    let graphs = report["graphs"].as_array().unwrap();
    assert_eq!((&graphs[0]["name"], &graphs[0]["source"]), (&json!("kron:22"), &json!("k.wg")));
    assert_eq!(
        (&graphs[0]["figures"]["has_peers"], &graphs[0]["graph"]["vertices"]),
        (&json!(false), &json!(128))
    );
    assert_eq!(graphs[1]["error"]["kind"], "io");
    let cells = report["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 2);
    let runs = cells[0]["runs"].as_array().unwrap();
    assert!(runs.iter().all(|run| run["verify"].as_f64() > Some(0.0)), "every answer is verified: {runs:?}");
    assert!(runs.iter().any(|run| run["source"] != runs[0]["source"]), "sources differ: {runs:?}");
    let warning = report["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("kron:22: k.wg is not of the size that other programs"), "{warning}");
}

fn wrong_flags_say_what_is_right() {
    let bench = Bench::new();
    for (line, message, help) in [
        ("--algorithms bsf", "there is no algorithm \"bsf\"", "the table has bfs, sssp, "),
        ("--algorithms scc", "scc is not in the table of `bench gpu`", "`bench` measures the others"),
        ("--graphs kron:9 --scale-down 3", "\"kron:9\" is none of them", "name one of kron:22, "),
        (
            "--graphs uniform:22 --algorithms mst",
            "there is nothing to measure",
            "mst of kron:22 and the grid",
        ),
        ("--verify never", "invalid value 'never' for '--verify <all|once>'", ""),
        ("--scale-down 99", "invalid value '99' for '--scale-down <K>'", ""),
        ("--device cpu", "there is no GPU to measure: --device cpu is none", "--device simt --scale-down 14"),
    ] {
        let outcome = bench.run(&format!("bench gpu {line}"));
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{line}: {}", outcome.stderr);
        assert!(
            outcome.stderr.contains(message) && outcome.stderr.contains(help),
            "{line}: {}",
            outcome.stderr
        );
    }
}

fn files_that_are_there_are_refused_before_the_work() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("out")).unwrap();
    bench.file("out/gpu.md", "mine");
    let outcome = bench.run("bench gpu --device simt --out out");
    assert!(outcome.code == 2 && outcome.stderr.starts_with("warpgraph: out/gpu.md: "), "{}", outcome.stderr);
    assert_eq!(std::fs::read(bench.path("out/gpu.md")).unwrap(), b"mine");
}
