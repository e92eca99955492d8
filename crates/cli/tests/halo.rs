//! `bench halo`: orders of the vertices held against each other, and what is written of it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;
use common::Bench;
use serde_json::{Value, json};

fn names(values: &Value, field: &str) -> Vec<String> {
    values.as_array().unwrap().iter().map(|value| value[field].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_order_is_measured_on_every_graph_and_on_directed_ones_made_undirected() {
    let bench = Bench::new();
    let line = "bench halo kron:15 kron:9,directed --order natural --order rcm --order halo2(k=4)";
    let report = bench.json(&format!("{line} --searches 3 --runs 2 --no-sweep --out out --json"));
    assert_eq!((&report["command"], &report["schema"]), (&json!("bench halo"), &json!(2)));
    assert_eq!(names(&report["graphs"], "name"), ["kron:15", "kron:9,directed", "kron:9,directed (sym)"]);
    let orders = ["natural", "rcm", "halo2(k=4)"];
    assert_eq!(names(&report["orders"], "order"), orders.repeat(3));
    assert_eq!(names(&report["cells"], "algorithm"), ["bfs", "pagerank"].repeat(9));
    for cell in report["cells"].as_array().unwrap() {
        assert_eq!(
            (cell["runs"].as_array().unwrap().len(), &cell["verify"]),
            (2, &json!("passed")),
            "{cell}"
        );
        assert!(cell["error"].is_null() && cell["device"] == "cpu", "{cell}");
    }
    for order in report["orders"].as_array().unwrap() {
        assert!(order["figures"]["gaps"]["within"].as_f64().unwrap() > 0.0, "{order}");
        assert_eq!(order["seconds"].is_null(), order["order"] == "natural", "{order}");
    }
    // Half of the edges of the first graph are more than a region; the others are too small for the model.
    let amplification =
        |order: usize| report["orders"][order]["figures"]["transfer"]["amplification"].as_f64();
    assert!((0..3).all(|order| amplification(order).unwrap() > 0.0) && amplification(3).is_none());
    // The same searches have the same ideal, whatever the order.
    let ideal = |order: usize| report["orders"][order]["figures"]["transfer"]["ideal_bytes"].clone();
    assert!(ideal(0) == ideal(1) && ideal(1) == ideal(2));
    let files =
        std::fs::read_dir(bench.path("out")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let files: Vec<String> = files.collect();
    for file in ["halo.json", "halo.md", "figure8-1.svg", "figure8-3.svg", "figure10.svg", "figure9.svg"] {
        assert!(files.contains(&file.to_owned()), "{file}: {files:?}");
    }
    let text = bench.run("bench halo --from out/halo.json --out again").stdout;
    assert!(text.contains("Figure 10") && text.contains("halo2(k=4)"), "{text}");
    let [first, again] =
        ["out/halo.md", "again/halo.md"].map(|file| std::fs::read_to_string(bench.path(file)).unwrap());
    assert_eq!(first, again);
}

#[test]
fn samples_are_swept_and_what_cannot_be_measured_says_why() {
    let bench = Bench::new();
    let line = "bench halo grid:9x9 none.el --order natural --order halo2 --samples 7";
    let report = bench.json(&format!("{line} --searches 2 --runs 1 --json"));
    // 32 samples are the default.
    let swept = ["(k=2)", "(k=4)", "(k=8)", "(k=16)", "", "(k=64)", "(k=128)", "(k=256)"];
    let swept = swept.map(|samples| format!("halo2{samples}"));
    let orders = ["natural", "halo2(k=7)"].map(str::to_owned).into_iter().chain(swept);
    assert_eq!(names(&report["orders"], "order"), orders.collect::<Vec<_>>());
    assert!(report["orders"][2]["figures"]["gaps"]["within"].as_f64().unwrap() > 0.0);
    assert_eq!(names(&report["cells"], "order"), ["natural", "natural", "halo2(k=7)", "halo2(k=7)"]);
    assert!(report["graphs"][1]["error"]["message"].as_str().unwrap().contains("none.el"));
    assert_eq!(bench.run("bench halo none.el").code, 2);
}

#[test]
fn wrong_flags_are_refused_before_anything_is_measured() {
    let bench = Bench::new();
    let fails = |line: &str| {
        let outcome = bench.run(line);
        assert_eq!(outcome.code, 2, "{line}: {}", outcome.stdout);
        outcome.stderr
    };
    assert!(fails("bench halo kron:8 --order halo3").contains("did you mean halo1?"));
    assert!(fails("bench halo kron:8 --memory 2").contains("above 0, and 1 at most"));
    std::fs::create_dir(bench.path("out")).unwrap();
    bench.file("out/halo.md", "precious");
    assert!(fails("bench halo kron:8 --out out").contains("halo.md"));
    bench.file("x.json", "{}");
    assert!(fails("bench halo --from x.json").contains("not a report of `warpgraph bench halo`"));
}
