//! `estimate`: held against what a run then takes.

use crate::common::Bench;
use serde_json::{Value, json};

fn total(estimate: &Value) -> (u64, u64) {
    (estimate["bytes"]["graph"].as_u64().unwrap(), estimate["bytes"]["state"].as_u64().unwrap())
}

/// What a run held, its transpose included where it built one.
fn held(run: &Value) -> (u64, u64) {
    (run["memory"]["graph"].as_u64().unwrap(), run["memory"]["state"].as_u64().unwrap())
}

#[test]
fn what_is_estimated_is_what_a_run_takes() {
    let bench = Bench::new();
    // Generators whose size is certain: nothing is dropped, merged or drawn.
    for graph in ["grid:40x30", "grid:40x30,w=1..9", "grid:40x30,w=1..9,directed"] {
        for algorithm in ["bfs", "sssp", "pagerank", "wcc"] {
            let estimate = bench.json(&format!("estimate {algorithm} {graph} --json"));
            let run = bench.json(&format!("run {algorithm} {graph} --json"));
            assert_eq!(total(&estimate), held(&run), "{algorithm} {graph}");
        }
    }
}

#[test]
fn files_are_estimated_by_their_header() {
    let bench = Bench::new();
    for name in ["a.wg", "a.mtx", "a.wsg", "a.wel"] {
        bench.run(&format!("generate grid:40x30,w=1..9 {name}"));
        let estimate = bench.json(&format!("estimate bfs {name} --json"));
        let run = bench.json(&format!("run bfs {name} --json"));
        assert_eq!(total(&estimate), held(&run), "{name}");
        assert_eq!(estimate["graph"]["exact"], true, "{name}");
    }
}

/// The promise is to be within 10 % above; the rest is for machines with other page sizes and more threads.
#[cfg(target_os = "linux")]
#[test]
fn the_peak_is_what_a_run_takes_or_a_little_more() {
    let bench = Bench::new();
    bench.run("generate kron:16 a.el");
    bench.run("generate kron:16,w=1..255 w.wel");
    bench.run("generate uniform:16,degree=16,directed d.el");
    for (from, to) in [("a.el", "a.wg"), ("w.wel", "w.wg"), ("a.el", "a.mtx")] {
        bench.run(&format!("convert {from} {to}"));
    }
    for (name, algorithm) in [
        ("a.el", "bfs"),
        ("a.mtx", "bfs"),
        ("a.wg", "bfs"),
        ("w.wel", "sssp"),
        ("w.wg", "sssp"),
        ("d.el", "wcc"),
        ("kron:16", "pagerank"),
    ] {
        let estimate = bench.json(&format!("estimate {algorithm} {name} --threads 2 --json"));
        let said = estimate["bytes"]["peak"].as_f64().unwrap();
        // Threads that wait for a busy machine hold fewer pieces of a file at once: the peak is that of several runs.
        let peak = |_| {
            let run = bench.json(&format!("run {algorithm} {name} --threads 2 --json"));
            run["memory"]["host_peak"].as_f64().unwrap()
        };
        let took = (0..4).map(peak).fold(0.0, f64::max);
        assert!(0.95 * took <= said && said <= 1.15 * took, "{algorithm} {name}: said {said}, took {took}");
    }
}

#[test]
fn an_edge_list_without_a_header_is_a_guess_and_says_so() {
    let bench = Bench::new();
    let lines: String = (0..5000).map(|i| format!("{} {}\n", i % 700, (i * 7 + 1) % 700)).collect();
    bench.file("a.el", lines);
    let estimate = bench.json("estimate wcc a.el --json");
    assert_eq!(estimate["graph"]["exact"], false);
    assert!(estimate["graph"]["basis"].as_str().unwrap().starts_with("a guess: "));
    assert_eq!((&estimate["graph"]["vertices"], &estimate["graph"]["edges"]), (&json!(700), &json!(5000)));
}

#[test]
fn sizes_can_be_given_and_what_does_not_fit_is_said() {
    let bench = Bench::new();
    let small = bench.json("estimate pagerank --vertices 1000 --edges 5000 --directed --json");
    // Offsets and targets, and the same once more for incoming arcs.
    assert_eq!(small["bytes"]["graph"], 2 * (4 * 1001 + 4 * 5000));
    assert_eq!((&small["memory"]["fits"], &small["graph"]["arcs"]), (&json!("yes"), &json!(5000)));
    let huge = bench.run("estimate bfs --vertices 4000000000 --edges 900000000000 --weighted -q");
    assert_eq!(huge.code, 0, "{}", huge.stderr);
    assert!(huge.stdout.contains("fits") && huge.stdout.contains("no: "), "{}", huge.stdout);
    let wide = bench.json("estimate bfs --vertices 10 --edges 3000000000 --json");
    assert_eq!(wide["bytes"]["arrays"][0], json!({ "array": "offsets", "bytes": 88 }));
}

#[test]
fn a_time_is_labelled_as_a_guess() {
    let bench = Bench::new();
    let text = bench.run("estimate pagerank kron:20 -q").stdout;
    assert!(text.contains("time ") && text.contains(" a run, a guess; at least "), "{text}");
    let estimate = bench.json("estimate pagerank kron:20 --json");
    let seconds = |field: &str| estimate["seconds"][field].as_f64().unwrap();
    assert!(seconds("least") > 0.0 && seconds("guess") >= seconds("least"));
    assert!(estimate["seconds"]["basis"].as_str().unwrap().starts_with("a guess"));
}

#[test]
fn what_cannot_be_estimated_is_an_error() {
    let bench = Bench::new();
    let error = |line: &str| {
        let outcome = bench.run(line);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{line}");
        outcome.stderr
    };
    assert!(error("estimate bsf kron:4").starts_with("warpgraph: there is no algorithm \"bsf\"\n"));
    assert!(error("estimate bfs -").contains("cannot be looked at beforehand"));
    assert!(error("estimate bfs gone.el").starts_with("warpgraph: gone.el: cannot open"));
    assert!(error("estimate bfs").contains("required"));
    assert!(error("estimate bfs kron:4 --vertices 3 --edges 2").contains("cannot be used with"));
}
