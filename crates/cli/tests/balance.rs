//! `bench balance`: a paper's comparison of load balancing strategies, on the simulator.
//!
//! What needs the simulator is ignored, with the reason, where there is no C++ compiler.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;
use common::Bench;
use serde_json::{Value, json};
use std::process::ExitCode;
use warpgraph::{Device, Engine};
use warpgraph_testing::{Suite, tests};

const PLANS: [&str; 7] = [
    "bsp+push+node",
    "bsp+push+edge",
    "bsp+push+edge(chunking=off)",
    "bsp+push+edge(condensing=off)",
    "bsp+push+workload",
    "bsp+push+split",
    "bsp+push+hierarchical",
];

fn main() -> ExitCode {
    let simulator = Engine::on(Device::Simt, Some(1)).map(drop).map_err(|error| error.to_string());
    Suite::default()
        .tests(tests![
            without_a_gpu_it_says_what_to_do,
            files_that_are_there_are_refused_before_the_work,
            what_does_not_go_together_is_refused,
            the_other_forms_of_bench_are_as_they_were,
        ])
        .needing(
            &simulator,
            tests![
                every_plan_is_measured_by_both_algorithms_on_every_graph,
                what_is_no_plan_and_what_does_not_fit_are_rows,
                nothing_that_runs_at_all_is_exit_code_2,
                tables_are_no_wider_than_100_columns,
                tables_and_plots_are_made_again_from_the_json,
                graphs_that_are_named_come_after_those_of_a_scale,
            ],
        )
        .run()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

fn every_plan_is_measured_by_both_algorithms_on_every_graph() {
    let bench = Bench::new();
    let report = bench.json("bench balance --quick --device simt --runs 3 --warmup 0 --out out --json");
    assert_eq!(
        keys(&report),
        [
            "schema",
            "version",
            "command",
            "machine",
            "device",
            "threads",
            "gpu_memory",
            "measuring",
            "options",
            "limits",
            "graphs",
            "orders",
            "cells",
            "figures",
            "statements",
            "trouble",
            "warnings"
        ]
    );
    assert_eq!((&report["schema"], &report["command"]), (&json!(2), &json!("bench balance")));
    assert_eq!(report["device"]["label"], "simt");
    let (graphs, cells) = (report["graphs"].as_array().unwrap(), report["cells"].as_array().unwrap());
    let mut at = cells.iter();
    for graph in graphs {
        assert!(
            graph["error"].is_null() && graph["figures"]["degrees"]["threshold"].as_u64() >= Some(1),
            "{graph}"
        );
        for algorithm in ["sssp", "bfs"] {
            for plan in PLANS {
                let cell = at.next().unwrap();
                assert_eq!(
                    (&cell["graph"], &cell["hash"], &cell["algorithm"], &cell["plan"], &cell["verify"]),
                    (
                        &graph["name"],
                        &graph["graph"]["hash"],
                        &json!(algorithm),
                        &json!(plan),
                        &json!("passed")
                    ),
                    "{cell}"
                );
                looks_right(cell);
            }
        }
    }
    assert!(at.next().is_none() && graphs.len() == 4);
    assert_eq!(report["figures"]["chunking"].as_array().unwrap().len(), 8);
    let statements = report["statements"].as_array().unwrap();
    assert!(statements.len() > 20 && statements.iter().any(|s| s["outcome"] != "not-measured"));
    let folder = bench.path("out");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&read("balance.json")).unwrap()["cells"], report["cells"]);
    assert!(read("balance.md").contains("| hierarchical | "), "{}", read("balance.md"));
    for number in 7..=11 {
        assert!(read(&format!("figure{number}.svg")).contains("</svg>"));
    }
}

/// Times add up, and memory is told.
fn looks_right(cell: &Value) {
    let (seconds, memory) = (&cell["seconds"], &cell["memory"]);
    let number = |name: &str| seconds[name].as_f64().unwrap();
    let runs = cell["runs"].as_array().unwrap();
    assert!(runs.len() == 3 && runs.iter().all(|run| run["kernels"].as_f64() > Some(0.0)), "{cell}");
    let kernel = cell["kernel"].as_f64().unwrap();
    assert!(kernel > 0.0 && kernel <= number("max"), "{cell}");
    let least = cell["limit"]["seconds"].as_f64().unwrap();
    assert!(least > 0.0 && (cell["share"].as_f64().unwrap() * number("median") / least - 1.0).abs() < 1e-6);
    assert!(memory["graph"].as_u64() > Some(0) && memory["state"].as_u64() > Some(0), "{cell}");
    if cell["plan"].as_str().unwrap().contains("edge") {
        assert!(memory["extra"].as_u64() > Some(0), "{cell}");
    }
}

fn what_is_no_plan_and_what_does_not_fit_are_rows() {
    let bench = Bench::new();
    let line = "bench balance kron:8,degree=20,w=1..9 --device simt --runs 1 --warmup 0 --plan push+node \
                --plan push+edge --plan push+warp";
    let report = bench.json(&format!("{line} --json"));
    let cells = report["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 6);
    assert_eq!((&cells[2]["plan_asked"], &cells[2]["error"]["kind"]), (&json!("push+warp"), &json!("plan")));
    let bytes = |cell: &Value| ["graph", "state", "extra"].map(|part| cell["memory"][part].as_u64().unwrap());
    // Too little for worklists of arcs.
    let budget: u64 = bytes(&cells[0]).iter().sum();
    let outcome = bench.run(&format!("{line} -q --gpu-memory {budget}"));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let row = |start: &str| {
        let found = outcome.stdout.lines().find(|line| line.starts_with(&format!("{start} ")));
        found.unwrap_or_else(|| panic!("{start} in {}", outcome.stdout))
    };
    let why = "warning: the limits of simt could not be measured: simt has no room for ";
    assert!(outcome.stderr.starts_with(why) && !outcome.stdout.contains("Limits: "), "{}", outcome.stderr);
    assert!(row("node").ends_with("passed"), "{}", outcome.stdout);
    assert!(row("edge").contains("  device-memory: simt has no room for "), "{}", outcome.stdout);
    assert!(row("push+warp").contains("plan \"push+warp\": unknown name \"warp\""), "{}", outcome.stdout);
}

fn nothing_that_runs_at_all_is_exit_code_2() {
    let outcome = Bench::new().run("bench balance gone.el --device simt -q");
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("gone.el  io: gone.el: cannot open"), "{}", outcome.stdout);
}

fn tables_are_no_wider_than_100_columns() {
    let text = Bench::new().run("bench balance --quick --device simt --runs 2 -q").stdout;
    for line in text.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    for title in [
        "Table II",
        "Figure 7",
        "Figure 8",
        "Limits: ",
        "Figure 9",
        "Figure 10",
        "Figure 11",
        "What the paper says",
    ] {
        assert!(text.contains(title), "{title} in {text}");
    }
}

fn tables_and_plots_are_made_again_from_the_json() {
    let bench = Bench::new();
    let line =
        "bench balance uniform:6,w=1..9 --device simt --runs 1 --plan push+node --plan push+workload -q";
    let first = bench.run(&format!("{line} --out a"));
    assert_eq!(first.code, 0, "{}", first.stderr);
    let again = bench.run("bench balance --from a/balance.json --out b -q");
    assert_eq!((again.code, again.stdout), (0, first.stdout), "{}", again.stderr);
    let text = std::fs::read_to_string(bench.path("b/balance.md")).unwrap();
    assert!(text.contains("| plan | sssp | limit | of limit | bfs | limit | of limit |"), "{text}");
    for name in ["balance.md", "figure7.svg", "figure10.svg"] {
        let read = |folder: &str| std::fs::read(bench.path(folder).join(name)).unwrap();
        assert_eq!(read("a"), read("b"), "{name}");
    }
}

fn without_a_gpu_it_says_what_to_do() {
    let outcome = Bench::new().run("bench balance --device cpu");
    let expected = "warpgraph: there is no GPU to measure: --device cpu is none\n\
                    help: use --device cuda where there is one, or --device simt --quick to try it on a simulated one\n";
    assert_eq!((outcome.code, outcome.stderr.as_str(), outcome.stdout.as_str()), (2, expected, ""));
}

fn files_that_are_there_are_refused_before_the_work() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("out")).unwrap();
    bench.file("out/figure9.svg", "mine").file("taken", "");
    let outcome = bench.run("bench balance kron:30 --device simt --out out");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.starts_with("warpgraph: out/figure9.svg: "), "{}", outcome.stderr);
    assert_eq!(std::fs::read(bench.path("out/figure9.svg")).unwrap(), b"mine");
    let outcome = bench.run("bench balance kron:30 --device simt --out taken");
    assert!(outcome.stderr.starts_with("warpgraph: taken: cannot create the folder: "), "{}", outcome.stderr);
}

fn graphs_that_are_named_come_after_those_of_a_scale() {
    let line = "bench balance --scale 2 grid:3x3,w=1..9 --device simt --plan push+node --runs 1 --json";
    let report = Bench::new().json(line);
    let names: Vec<&str> =
        report["graphs"].as_array().unwrap().iter().map(|graph| graph["name"].as_str().unwrap()).collect();
    assert_eq!((names[0], names[3]), ("kron:2,degree=8,directed,w=1..255", "grid:2x2,drop=0.1,w=1..255"));
    assert_eq!((names.len(), names[5]), (6, "grid:3x3,w=1..9"));
}

fn what_does_not_go_together_is_refused() {
    let bench = Bench::new();
    for line in ["--quick --scale 9", "--from a.json kron:6", "--from a.json --quick"] {
        let outcome = bench.run(&format!("bench balance {line}"));
        assert!(
            outcome.code == 2 && outcome.stderr.contains("cannot be used with"),
            "{line}: {}",
            outcome.stderr
        );
    }
    bench.file("a.json", "{}");
    let outcome = bench.run("bench balance --from a.json");
    assert!(
        outcome
            .stderr
            .starts_with("warpgraph: a.json: not a report of `warpgraph bench balance`\nhelp: make it with"),
        "{}",
        outcome.stderr
    );
}

fn the_other_forms_of_bench_are_as_they_were() {
    let bench = Bench::new();
    let report = bench.json("bench grid:3x3 --algorithms bfs --runs 1 --json");
    assert_eq!(report["cases"][0]["name"], "grid:3x3");
    let help = bench.run("bench --help").stdout;
    assert!(help.contains("balance") && help.contains("--algorithms"), "{help}");
    assert!(bench.run("bench balance --help").stdout.contains("--quick"), "its own help");
}
