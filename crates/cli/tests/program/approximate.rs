//! `--approx`, `--compare` and the measured `--max-error`.

use crate::common::Bench;
use serde_json::{Value, json};

const SSSP: &str = "run sssp kron:9,w=1..64 --device cpu --threads 2";

#[test]
fn an_approximate_run_says_what_was_changed_and_how_far_it_is_off() {
    let outcome = Bench::new()
        .run(&format!("{SSSP} --approx latency(threshold=0.3)+coalesce(threshold=0.2) --compare --verify"));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let words = outcome.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "approx coalesce(threshold=0.2)+latency(threshold=0.3):",
        "edges added (",
        " dropped, ",
        "approximate runs are ",
        " on average, median ",
        "95 % within ",
        "verified passed on the changed graph in ",
    ] {
        assert!(words.contains(part), "{part:?} is missing: {}", outcome.stdout);
    }
    assert!(outcome.stdout.lines().all(|line| line.chars().count() <= 80), "{}", outcome.stdout);
}

#[test]
fn the_json_has_what_was_changed_and_both_times() {
    let bench = Bench::new();
    let report = bench.json(&format!("{SSSP} --approx divergence(share=0.9) --compare --runs 3 --json"));
    assert_eq!(report["approx"], "divergence(share=0.9)");
    let (exactness, compare) = (&report["exactness"], &report["compare"]);
    assert_eq!(exactness["approximation"], report["approx"]);
    assert!(exactness["added"].as_u64().unwrap() + exactness["dropped"].as_u64().unwrap() > 0, "{exactness}");
    assert_eq!(exactness["edges"], report["graph"]["edges"]);
    assert_eq!(exactness["inaccuracy"], compare["inaccuracy"]);
    assert_eq!(compare["runs"].as_array().unwrap().len(), 3);
    let times = compare["median"].as_f64().unwrap() / report["seconds"]["median"].as_f64().unwrap();
    assert!((compare["speedup"].as_f64().unwrap() / times - 1.0).abs() < 1e-9);
    let exact = bench.json(&format!("{SSSP} --json"));
    assert_eq!([&exact["approx"], &exact["exactness"], &exact["compare"]], [&Value::Null; 3]);
}

#[test]
fn at_the_exact_end_nothing_is_off_and_columns_keep_their_names() {
    let bench = Bench::new();
    for approximation in ["coalesce(threshold=1)", "latency(threshold=1)", "divergence(share=0)"] {
        let report = bench.json(&format!("{SSSP} --approx {approximation} --compare --json"));
        assert_eq!((&report["exactness"]["added"], &report["exactness"]["dropped"]), (&json!(0), &json!(0)));
        assert_eq!(
            (&report["compare"]["inaccuracy"]["worst"], &report["compare"]["inaccuracy"]["unmatched"]),
            (&json!(0.0), &json!(0))
        );
        let [changed, exact] =
            [format!("{SSSP} --approx {approximation} --out - -q"), format!("{SSSP} --out - -q")]
                .map(|line| bench.run(&line).stdout);
        assert_eq!(changed, exact, "{approximation}");
    }
}

#[test]
fn files_name_approximate_columns() {
    let bench = Bench::new();
    for ending in ["csv", "tsv", "npy", "parquet"] {
        let outcome = bench.run(&format!("{SSSP} --approx divergence(share=0.9) --out answer.{ending}"));
        assert!(outcome.stdout.contains("approximate_distance"), "{}{}", outcome.stdout, outcome.stderr);
        let bytes = std::fs::read(bench.path(&format!("answer.{ending}"))).unwrap();
        let name = b"approximate_distance";
        assert!(bytes.windows(name.len()).any(|part| part == name), "{ending}");
    }
}

#[test]
fn all_five_algorithms_compare_themselves() {
    let bench = Bench::new();
    for algorithm in ["sssp", "pagerank", "bc", "mst", "scc"] {
        let report = bench.json(&format!(
            "run {algorithm} kron:7,w=1..64 --device cpu --approx divergence(share=0.9) --compare --verify --json"
        ));
        assert_eq!(report["verify"], "passed", "{algorithm}");
        assert!(report["compare"]["inaccuracy"]["compared"].as_u64().unwrap() > 0, "{algorithm}");
    }
}

#[test]
fn slips_and_pairs_that_do_not_go_together_are_refused() {
    let bench = Bench::new();
    let refused = |line: &str, what: &str, help: &str| {
        let outcome = bench.run(line);
        assert_eq!(outcome.code, 2, "{line}");
        assert!(outcome.stderr.contains(what) && outcome.stderr.contains(help), "{line}: {}", outcome.stderr);
    };
    refused(
        &format!("{SSSP} --approx coalesc"),
        "there is no approximation \"coalesc\"",
        "did you mean coalesce?",
    );
    refused(
        &format!("{SSSP} --approx latency(threshold=2)"),
        "threshold is a number from 0 to 1",
        "latency(threshold=0.",
    );
    refused(
        &format!("{SSSP} --approx coalesce --order degree"),
        "it numbers the vertices itself",
        "leave --order out",
    );
    refused(
        &format!("{SSSP} --approx coalesce --plan paths"),
        "paths are made of the edges",
        "use --plan bsp",
    );
    refused("run bfs kron:6 --approx latency", "no measure of its error is defined", "leave --approx out");
    refused(
        &format!("{SSSP} --approx latency --max-error 0.1"),
        "does not go with --approx",
        "--compare measures",
    );
    refused(&format!("{SSSP} --compare"), "this run is exact", "add --approx or --max-error");
    refused(&format!("{SSSP} --max-error=-1"), "must be a positive number", "");
}

#[test]
fn a_measured_error_is_kept_to_on_the_question_asked() {
    let bench = Bench::new();
    let report =
        bench.json(&format!("{SSSP} --max-error 0.3 --runs 3 --source random --compare --verify --json"));
    assert_eq!((&report["verify"], &report["config"]["max_error"]), (&json!("passed"), &json!(0.3)));
    let inaccuracy = &report["compare"]["inaccuracy"];
    assert!(inaccuracy["mean"].as_f64().unwrap() < 1.0, "{inaccuracy}");
    assert_eq!(report["approx"].is_null(), report["exactness"].is_null());
}

#[test]
fn plans_says_which_algorithms_take_which_approximation() {
    let bench = Bench::new();
    let text = bench.run("plans").stdout;
    assert!(text.contains("with --approx") && text.contains("latency iterates chunks"), "{text}");
    let cells = bench.json("plans --json")["approx"].clone();
    let runs = |name: &str| {
        cells.as_array().unwrap().iter().all(|cell| cell["algorithm"] != name || cell["runs"] == true)
    };
    assert!(runs("sssp") && runs("mst") && !runs("bfs"));
}
