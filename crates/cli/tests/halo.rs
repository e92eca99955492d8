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
    assert_eq!((&report["command"], &report["schema"]), (&json!("bench halo"), &json!(1)));
    assert_eq!(names(&report["graphs"], "name"), ["kron:15", "kron:9,directed", "kron:9,directed (sym)"]);
    let orders = ["natural", "rcm", "halo2(k=4)"];
    assert_eq!(names(&report["cells"], "order"), orders.repeat(3));
    for cell in report["cells"].as_array().unwrap() {
        assert_eq!(cell["bfs"]["runs"].as_array().unwrap().len(), 2, "{cell}");
        assert_eq!(
            (&cell["bfs"]["verify"], &cell["pagerank"]["verify"]),
            (&json!("passed"), &json!("passed"))
        );
        assert!(cell["gaps"]["within"].as_f64().unwrap() > 0.0 && cell["error"].is_null(), "{cell}");
        assert_eq!(cell["ordering"].is_null(), cell["order"] == "natural");
    }
    // Half of the edges of the first graph are more than a region; the others are too small for the model.
    let amplification = |cell: usize| report["cells"][cell]["transfer"]["amplification"].as_f64();
    assert!((0..3).all(|cell| amplification(cell).unwrap() > 0.0) && amplification(3).is_none());
    let files =
        std::fs::read_dir(bench.path("out")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let files: Vec<String> = files.collect();
    for file in ["halo.json", "halo.md", "figure8-1.svg", "figure8-3.png", "figure10.svg", "figure9.png"] {
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
    assert_eq!(names(&report["cells"], "order"), ["natural", "halo2(k=7)"]);
    let samples: Vec<u64> =
        report["sweep"].as_array().unwrap().iter().map(|s| s["samples"].as_u64().unwrap()).collect();
    assert_eq!(samples, [2, 4, 8, 16, 32, 64, 128, 256]);
    assert!(report["sweep"][0]["within"].as_f64().unwrap() > 0.0);
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
