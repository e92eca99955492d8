//! `bench sage`: self-adaptive traversal measured as a paper does, on the simulator.
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
        .tests(tests![wrong_flags_are_refused_before_anything_is_measured])
        .needing(
            &simulator,
            tests![
                the_ablation_is_measured_written_and_read_back,
                parts_beside_the_figures_are_measured_alone,
            ],
        )
        .run()
}

fn texts<'a>(values: &'a Value, field: &str) -> Vec<&'a str> {
    values.as_array().unwrap().iter().map(|value| value[field].as_str().unwrap()).collect()
}

fn the_ablation_is_measured_written_and_read_back() {
    let bench = Bench::new();
    let line = "bench sage small=g.el --device simt --only fig10 --algorithms bfs --runs 2 --warmup 0";
    bench.file("g.el", "0 1\n1 2\n2 3\n0 4\n");
    let line = format!("{line} --order natural --order rcm --out out --json");
    let report = bench.json(&line);
    assert_eq!((&report["command"], &report["schema"]), (&json!("bench sage"), &json!(2)));
    assert_eq!((&report["graphs"][0]["name"], &report["device"]["label"]), (&json!("small"), &json!("simt")));
    let cells = &report["cells"];
    let plans = ["bsp+push+node", "bsp+push+tiled", "bsp+push+resident", "bsp+push+resident"];
    assert_eq!(texts(cells, "plan_asked"), plans);
    assert_eq!(texts(cells, "order"), ["natural", "natural", "natural", "rcm"]);
    assert_eq!(texts(cells, "verify"), ["passed"; 4]);
    for (place, cell) in cells.as_array().unwrap().iter().enumerate() {
        assert_eq!(
            (&cell["parts"], &cell["plan"]),
            (&json!({ "fig10": place }), &cell["plan_asked"]),
            "{cell}"
        );
        assert_eq!(
            (&cell["hash"], cell["runs"].as_array().unwrap().len()),
            (&report["graphs"][0]["graph"]["hash"], 2)
        );
        assert!(cell["speed"].as_f64().unwrap() > 0.0, "{cell}");
    }
    for file in ["sage.json", "sage.md", "figure10-bfs.svg"] {
        assert!(bench.path("out").join(file).exists(), "{file}");
    }
    let again = bench.run("bench sage --from out/sage.json --out again");
    assert!(again.code == 0 && again.stdout.contains("Figure 10: bfs by technique"), "{}", again.stderr);
    let [first, second] =
        ["out/sage.md", "again/sage.md"].map(|file| std::fs::read_to_string(bench.path(file)).unwrap());
    assert_eq!(first, second);
}

fn parts_beside_the_figures_are_measured_alone() {
    let bench = Bench::new();
    bench.file("peers.json", r#"[{"name":"Other","graph":"kron:5","algorithm":"bfs","seconds":2}]"#);
    let line = "bench sage kron:5 none.el --device simt --algorithms bfs --runs 2 --warmup 0 --plan tiled";
    let report =
        bench.json(&format!("{line} --only tiles --only table3 --only first --peers peers.json --json"));
    assert!(report["graphs"][1]["error"]["message"].as_str().unwrap().contains("none.el"));
    let cells = &report["cells"];
    assert_eq!(
        texts(cells, "plan_asked"),
        ["bsp+push+tiled", "bsp+push+resident", "bsp+push+tiled", "bsp+push"]
    );
    let part = |cell: usize| cells[cell]["parts"].as_object().unwrap().keys().next().unwrap().clone();
    assert_eq!([0, 1, 2, 3].map(part), ["table3", "tiles", "first", "first"]);
    assert!(cells.as_array().unwrap().iter().all(|cell| cell["error"].is_null()), "{cells}");
    assert!(cells[0]["runs"][0]["tiling"].as_f64() > Some(0.0), "{}", cells[0]);
    assert!(cells[1]["first"]["tiles"]["made"].as_u64() > Some(0), "{}", cells[1]);
    let (first, later) = (&cells[2]["first"]["seconds"], &cells[2]["seconds"]["median"]);
    assert!(first.as_f64() > Some(0.0) && later.as_f64() > Some(0.0), "{}", cells[2]);
    assert_eq!(report["figures"]["peers"][0]["name"], "Other");
}

fn wrong_flags_are_refused_before_anything_is_measured() {
    let bench = Bench::new();
    let fails = |line: &str| {
        let outcome = bench.run(line);
        assert_eq!(outcome.code, 2, "{line}: {}", outcome.stdout);
        outcome.stderr
    };
    assert!(fails("bench sage kron:5 --only fig8").contains("there is no part \"fig8\""));
    assert!(fails("bench sage kron:5 --algorithms mst").contains("not measured by `bench sage`"));
    assert!(fails("bench sage kron:5 --order samplde").contains("did you mean sampled?"));
    assert!(fails("bench sage kron:5 --plan tield").contains("tiled"));
    assert!(fails("bench sage kron:5 --device cpu").contains("there is no GPU to measure"));
    bench.file("peers.json", "{}");
    assert!(fails("bench sage kron:5 --peers peers.json").contains("not a list of peers"));
    std::fs::create_dir(bench.path("out")).unwrap();
    bench.file("out/figure6-bc.svg", "precious");
    assert!(fails("bench sage kron:5 --out out").contains("figure6-bc.svg"));
    bench.file("x.json", "{}");
    assert!(fails("bench sage --from x.json").contains("not a report of `warpgraph bench sage`"));
}
