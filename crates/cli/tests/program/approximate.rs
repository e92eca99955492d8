//! `--approx` of `run`, `bench` and `estimate`, `--compare` and the measured `--max-error`.

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

#[test]
fn bench_measures_changed_graphs_beside_the_original_one() {
    let bench = Bench::new();
    let line = "bench kron:8,w=1..9 --algorithms sssp,mst,bfs --approx none,divergence(share=0.9),coalesce --runs 2 \
                --warmup 0 --device cpu --threads 2 --verify";
    let report = bench.json(&format!("{line} --out first.json --json"));
    let cases = report["cases"].as_array().unwrap();
    let names: Vec<_> = cases.iter().map(|case| (&case["algorithm"], &case["approx"])).collect();
    let approximations = [json!("none"), json!("divergence(share=0.9)"), json!("coalesce(threshold=0.6)")];
    let algorithms = [json!("sssp"), json!("mst"), json!("bfs")];
    let expected: Vec<_> =
        approximations.iter().flat_map(|approx| algorithms.iter().map(move |name| (name, approx))).collect();
    assert_eq!(names, expected);
    for case in cases {
        let is_changed = case["approx"] != "none";
        if is_changed && case["algorithm"] == "bfs" {
            assert_eq!(case["error"]["kind"], "refused", "{case}");
            continue;
        }
        assert_eq!((&case["verify"], &case["error"]), (&json!("passed"), &Value::Null), "{case}");
        assert_eq!(case["exactness"].is_null(), !is_changed, "{case}");
        if is_changed {
            assert_eq!(case["exactness"]["approximation"], case["approx"]);
            assert!(case["traffic"].is_null(), "no model knows the changed graph: {case}");
        }
    }
    let changed = &cases[3]["exactness"];
    assert!(changed["added"].as_u64().unwrap() + changed["dropped"].as_u64().unwrap() > 0, "{changed}");
    let again = bench.run(&format!("{line} --compare first.json"));
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(again.stdout.contains("sssp on kron:8,w=1..9, divergence(share=0.9)"), "{}", again.stdout);
    assert!(again.stdout.contains("approx"), "{}", again.stdout);
    let slip = bench.run("bench kron:6 --approx coalesc");
    assert!(slip.code == 2 && slip.stderr.contains("did you mean coalesce?"), "{}", slip.stderr);
}

#[test]
fn what_is_estimated_of_a_changed_graph_is_nearly_what_a_run_holds() {
    let bench = Bench::new();
    let number = |value: &Value| value.as_f64().unwrap();
    for (algorithm, graph) in [("sssp", "grid:120x100,w=1..64"), ("pagerank", "uniform:13,degree=8,directed")]
    {
        for approximation in ["coalesce", "divergence"] {
            let line = format!("{algorithm} {graph} --approx {approximation}");
            let said = bench.json(&format!("estimate {line} --threads 2 --json"));
            let run = bench.json(&format!("run {line} --device cpu --threads 2 --json"));
            assert_eq!(said["approx"]["approximation"], run["approx"]);
            let held = number(&run["memory"]["graph"]) + number(&run["memory"]["extra"]);
            let graph = number(&said["bytes"]["graph"]);
            assert!((0.85..=1.2).contains(&(graph / held)), "{line}: {graph} bytes, a run held {held}");
            let peak = number(&said["bytes"]["peak"]) / number(&run["memory"]["host_peak"]);
            assert!((0.85..=1.6).contains(&peak), "{line}: {peak} of the peak of a run");
        }
    }
    let on_gpu = |more: &str| {
        let line = format!("estimate mst kron:13,w=1..64 --device cuda --gpu-memory 1G --json {more}");
        number(&bench.json(&line)["device"]["total"])
    };
    assert!(on_gpu("--approx coalesce") > on_gpu(""));
    let text = bench.run("estimate sssp kron:12,w=1..9 --approx divergence").stdout;
    assert!(text.contains("divergence(share=0.5): about ") && text.contains("changed graph"), "{text}");
    let refused = bench.run("estimate bfs kron:12 --approx coalesce");
    assert!(refused.code == 2 && refused.stderr.contains("no measure of its error"), "{}", refused.stderr);
}

#[test]
fn bench_bounds_asks_with_many_seeds_and_finds_proved_errors_to_hold() {
    let bench = Bench::new();
    let line = "bench bounds kron:10 powerlaw:600,directed --seeds 5 --device cpu --threads 2";
    let report = bench.json(&format!("{line} --out bounds.json --json"));
    assert_eq!((&report["command"], &report["device"]), (&json!("bench bounds"), &json!("cpu")));
    let rows = report["rows"].as_array().unwrap();
    let names: Vec<_> = rows.iter().map(|row| row["algorithm"].as_str().unwrap()).collect();
    assert_eq!(names, ["bc", "closeness", "triangles", "pagerank", "bc", "closeness", "pagerank"]);
    for row in rows {
        assert_eq!((&row["trials"], &row["held"]), (&json!(5), &json!(5)), "{row}");
        assert!(row["worst"].as_f64().unwrap() <= 1.0, "{row}");
    }
    assert!(rows.iter().any(|row| row["algorithm"] == "closeness" && row["proved"] == 5), "{rows:?}");
    let kept: Value = serde_json::from_slice(&std::fs::read(bench.path("bounds.json")).unwrap()).unwrap();
    assert_eq!(&kept, &report);
    assert_eq!(bench.run(&format!("{line} --out bounds.json")).code, 2, "a report is there");
    let text = bench.run("bench bounds kron:7 --algorithms pagerank --seeds 2 --device cpu").stdout;
    assert!(text.contains("pagerank") && !text.contains("closeness") && text.contains("held"), "{text}");
    let slip = bench.run("bench bounds --algorithms sssp");
    assert!(slip.code == 2 && slip.stderr.contains("no errors of \"sssp\" are proved"), "{}", slip.stderr);
}
