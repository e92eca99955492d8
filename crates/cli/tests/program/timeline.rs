//! What a run waited for: `timeline` in JSON, and the waterfall of `--trace`.

use crate::common::Bench;
use serde_json::Value;

fn seconds(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is a number"))
}

/// Returns the phases of the main line, and checks that their own times and `other` add up to the total.
fn main_line(timeline: &Value) -> Vec<String> {
    let spans = timeline["spans"].as_array().unwrap().iter().filter(|span| span["lane"] == "main");
    let own: f64 = spans.clone().map(|span| seconds(&span["own"])).sum();
    let (other, total) = (seconds(&timeline["other"]), seconds(&timeline["total"]));
    assert!(
        (own + other - total).abs() < 1e-8 * total.max(1.0),
        "{own} + {other} is not {total}: {timeline}"
    );
    for span in spans.clone() {
        let (start, took) = (seconds(&span["start"]), seconds(&span["seconds"]));
        assert!(start >= 0.0 && start + took <= total && seconds(&span["own"]) <= took, "{span}");
    }
    spans.map(|span| span["phase"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_main_line_of_a_run_adds_up_to_the_wall_clock_and_hardly_anything_is_other() {
    let bench = Bench::new();
    for scale in 10..22 {
        bench.run(&format!("generate kron:{scale} a{scale}.wg"));
        let report = bench.json(&format!("run pagerank a{scale}.wg --verify --out a{scale}.npy --json"));
        let timeline = &report["timeline"];
        let phases = main_line(timeline);
        for phase in [
            "arguments",
            "threads",
            "opening",
            "checking",
            "asking",
            "preparing",
            "running",
            "verifying",
            "writing",
        ] {
            assert_eq!(phases.iter().filter(|name| *name == phase).count(), 1, "{phase}: {timeline}");
        }
        let (other, total) = (seconds(&timeline["other"]), seconds(&timeline["total"]));
        if total >= 0.2 {
            assert!(other < 0.1 * total, "{other} of {total} s: {timeline}");
            return;
        }
    }
    panic!("no run took 0.2 s");
}

#[test]
fn a_graph_that_is_read_generated_or_reordered_has_these_phases() {
    let bench = Bench::new();
    bench.file("a.el", "1 2\n2 3\n");
    let of = |line: &str| main_line(&bench.json(&format!("run bfs {line} --json"))["timeline"]);
    let has = |phases: &[String], phase: &str| phases.iter().any(|name| name == phase);
    let (read, made) = (of("a.el"), of("kron:8 --order degree"));
    assert!(["opening", "reading", "building"].iter().all(|phase| has(&read, phase)), "{read:?}");
    assert!(
        ["generating", "building", "reordering", "fetching"].iter().all(|phase| has(&made, phase)),
        "{made:?}"
    );
    assert!(!has(&read, "checking") && !has(&made, "opening") && !has(&made, "verifying"));
}

#[test]
fn a_trace_ends_with_a_waterfall_within_80_columns() {
    let bench = Bench::new();
    let traced = bench.run("run bfs grid:30x20 --source 0 --runs 5 --trace -q");
    let (steps, waterfall) = traced.stderr.split_once("\nwhat this process waited for\n").unwrap();
    assert!(steps.contains("round") && steps.contains("direction"), "{steps}");
    let first = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
    let names: Vec<String> = waterfall.lines().map(first).collect();
    assert_eq!((names[0].as_str(), names.last().unwrap().as_str()), ("phase", "total"), "{waterfall}");
    assert!(
        waterfall.contains("running x 5")
            && ["printing", "ending"].iter().all(|phase| names.contains(&(*phase).to_owned())),
        "{waterfall}"
    );
    assert!(waterfall.lines().all(|line| line.len() <= 80), "{waterfall}");
    let plain = bench.run("run bfs grid:30x20 --source 0");
    assert!(!plain.stderr.contains("waited") && !plain.stdout.contains("waited"));
}
