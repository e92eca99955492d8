//! `--max-error`: what the report and the table say of the error.

use crate::common::Bench;
use serde_json::{Value, json};

/// Returns the report on the error of a run.
fn accuracy(bench: &Bench, line: &str) -> Value {
    bench.json(&format!("run {line} --device cpu --json"))["accuracy"].clone()
}

#[test]
fn sampled_scores_say_how_near_they_are_and_how_many_samples_that_took() {
    let bench = Bench::new();
    let report = accuracy(&bench, "bc kron:12 --max-error 0.05 --confidence 0.95");
    let number = |name: &str| report[name].as_f64().unwrap_or(f64::NAN);
    assert_eq!(
        (&report["word"], &report["asked"], &report["confidence"]),
        (&json!("proved"), &json!(0.05), &json!(0.95))
    );
    assert!(number("achieved") > 0.0 && number("achieved") <= 0.05, "{report}");
    assert!(number("samples") < number("fixed_samples") && number("exact_seconds") > 0.0, "{report}");
    let text = bench.run("run bc kron:12 --device cpu --max-error 0.05 --out b.csv --force").stdout;
    assert!(text.contains("(proved, 90 % confidence)") && text.contains("samples of at most"), "{text}");
    assert!(text.contains("exact would take about"), "{text}");
    let table = std::fs::read_to_string(bench.path("b.csv")).unwrap();
    assert_eq!(table.lines().next(), Some("vertex,approximate_score"));
}

#[test]
fn the_order_of_the_highest_scores_is_settled_or_called_a_tie() {
    let report = accuracy(&Bench::new(), "bc kron:12 --max-error 0.02 --top 1");
    let reason = report["reason"].as_str().unwrap();
    assert!(reason.contains("settled"), "{report}");
    assert_eq!(report["asked"], json!(0.02));
}

#[test]
fn ranks_within_an_error_take_fewer_sweeps_and_a_limit_that_comes_first_is_a_warning() {
    let bench = Bench::new();
    let sweeps = |error: &str| {
        let report =
            bench.json(&format!("run pagerank kron:12 --device cpu --max-error {error} --verify --json"));
        let achieved = report["accuracy"]["achieved"].as_f64().unwrap();
        assert!(achieved <= error.parse().unwrap() && report["accuracy"]["word"] == "proved", "{report}");
        assert_eq!(report["accuracy"]["confidence"], json!(1.0));
        report["rounds"].as_u64().unwrap()
    };
    assert!(sweeps("0.1") < sweeps("1e-9"));
    let cut = bench.json("run pagerank kron:12 --device cpu --max-error 1e-9 --max-iterations 2 --json");
    let warnings = cut["warnings"].to_string();
    assert!(cut["accuracy"]["achieved"].as_f64().unwrap() > 1e-9, "{cut}");
    assert!(warnings.contains("the error is at most") && warnings.contains("1e-9 was allowed"), "{warnings}");
}

#[test]
fn algorithms_without_a_bound_answer_exactly_and_say_why() {
    let bench = Bench::new();
    for (line, why) in [
        ("mst grid:9x9 --max-error 0.1", "the forest of a changed graph may be of any weight"),
        ("scc grid:9x9 --max-error 0.1", "one edge may join any number of components"),
        (
            "triangles grid:9x9 --max-error 0.01",
            "counting every triangle costs no more than the samples would",
        ),
        ("closeness grid:9x9 --max-error 0.1", "that takes no more searches than the samples would"),
        ("bc grid:9x9 --max-error 0.01", "a search from every vertex costs no more than the samples would"),
    ] {
        let report = accuracy(&bench, line);
        assert_eq!(
            (&report["word"], &report["achieved"]),
            (&json!("exact"), &json!(0.0)),
            "{line}: {report}"
        );
        assert!(report["reason"].as_str().unwrap().contains(why), "{line}: {report}");
    }
    assert_eq!(accuracy(&bench, "mst grid:9x9"), Value::Null);
    bench.run("run mst grid:9x9 --max-error 0.1 --out m.csv");
    let table = std::fs::read_to_string(bench.path("m.csv")).unwrap();
    assert!(table.starts_with("source,target,weight"), "{table}");
}

#[test]
fn estimated_closeness_and_triangles_are_within_what_they_say() {
    let bench = Bench::new();
    let report = bench.json("run triangles kron:14 --device cpu --max-error 0.01 --verify --json");
    let [least, count, most] =
        ["at_least", "triangles", "at_most"].map(|name| report["result"][name].as_u64().unwrap());
    assert!(least <= count && count <= most && report["verify"] == "passed", "{report}");
    let report = bench.json("run closeness kron:11 --device cpu --max-error 0.1 --verify --json");
    assert_eq!(
        (&report["accuracy"]["word"], &report["verify"]),
        (&json!("proved"), &json!("passed")),
        "{report}"
    );
}
