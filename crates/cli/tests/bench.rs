//! `bench`: cases, limits, comparison.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;
use common::Bench;
use serde_json::{Value, json};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn a_case_has_its_runs_their_middle_and_its_share_of_the_limit() {
    let bench = Bench::new();
    let report = bench.json("bench kron:8,w=1..9 --runs 4 --warmup 0 --verify --json");
    assert_eq!(
        keys(&report),
        ["schema", "version", "command", "machine", "limits", "cases", "compare", "warnings"]
    );
    assert_eq!((&report["schema"], &report["command"]), (&json!(1), &json!("bench")));
    assert!(report["limits"]["copy"].as_f64().unwrap() > 0.0);
    let cases = report["cases"].as_array().unwrap();
    let plain = ["bfs", "sssp", "pagerank", "wcc"];
    for name in plain {
        let case = cases.iter().find(|case| case["algorithm"] == name).unwrap();
        assert_eq!(case["graph"]["vertices"], 256, "{name}");
        assert_eq!((&case["verify"], &case["error"]), (&json!("passed"), &Value::Null), "{name}");
        let seconds = &case["seconds"];
        let fields = [
            "load", "reorder", "prepare", "transfer", "compile", "runs", "median", "min", "max", "q1", "q3",
            "spread",
        ];
        assert_eq!(keys(seconds)[..fields.len()], fields, "{name}");
        assert_eq!(seconds["runs"].as_array().unwrap().len(), 4, "{name}");
        let (least, middle, most) =
            (seconds["min"].as_f64(), seconds["median"].as_f64(), seconds["max"].as_f64());
        assert!(least <= middle && middle <= most, "{name}: {seconds}");
        let traffic = &case["traffic"];
        let share = traffic["seconds_at_limit"].as_f64().unwrap() / middle.unwrap();
        assert!((share - traffic["share"].as_f64().unwrap()).abs() <= 1e-9 * share, "{name}: {traffic}");
        assert!(traffic["bytes"].as_u64() > Some(0), "{name}");
    }
}

#[test]
fn every_algorithm_is_measured_unless_some_are_named() {
    let bench = Bench::new();
    let names = |line: &str| -> Vec<String> {
        let report = bench.json(line);
        let cases = report["cases"].as_array().unwrap();
        cases.iter().map(|case| case["algorithm"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        names("bench grid:9x9,w=1..9 --runs 1 --warmup 0 --json"),
        warpgraph::algorithms().iter().map(|entry| entry.name).collect::<Vec<_>>()
    );
    assert_eq!(names("bench grid:5x5 --algorithms wcc,bfs --runs 1 --json"), ["wcc", "bfs"]);
}

#[test]
fn a_case_that_cannot_run_is_a_row_and_not_the_end() {
    let bench = Bench::new();
    bench.file("broken.el", "1 2\n3\n");
    let outcome = bench.run("bench broken.el kron:6 --algorithms sssp,bfs --plan pull --runs 2 -q");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let line = |start: &[&str]| {
        let found =
            outcome.stdout.lines().find(|line| line.split_whitespace().take(2).eq(start.iter().copied()));
        found.unwrap_or_else(|| panic!("{start:?} in {}", outcome.stdout))
    };
    assert!(
        line(&["broken.el", "bfs"]).contains("broken.el:2:2: expected a target id"),
        "{}",
        outcome.stdout
    );
    assert!(line(&["kron:6", "sssp"]).contains("refused: sssp on cpu cannot run with `pull`"));
    assert!(line(&["kron:6", "bfs"]).contains("bsp+pull"));
    assert_eq!(bench.run("bench gone.el --algorithms bfs -q").code, 2);
}

#[test]
fn a_slow_case_is_given_up() {
    let report =
        Bench::new().json("bench kron:16 --algorithms pagerank --runs 1000000 --case-limit 1 --json");
    let case = &report["cases"][0];
    let runs = case["seconds"]["runs"].as_array().unwrap().len();
    assert!((1..1_000_000).contains(&runs), "{runs} runs");
}

#[test]
fn results_are_kept_and_compared() {
    let bench = Bench::new();
    let line = "bench kron:8 --algorithms bfs,wcc --runs 3 -q";
    assert_eq!(bench.run(&format!("{line} --out a.json")).code, 0);
    let saved: Value = serde_json::from_slice(&std::fs::read(bench.path("a.json")).unwrap()).unwrap();
    assert_eq!(saved["cases"].as_array().unwrap().len(), 2);
    let again = bench.run(&format!("{line} --out a.json"));
    assert_eq!((again.code, again.stdout.as_str()), (2, ""));
    assert!(again.stderr.starts_with("warpgraph: a.json: exists already\n"), "{}", again.stderr);
    let compared = bench.json(&format!("{line} --compare a.json --json"));
    let comparison = &compared["compare"];
    assert_eq!(comparison["cases"].as_array().unwrap().len(), 2);
    assert!(comparison["geometric_mean"].as_f64().unwrap() > 0.0);
    assert_eq!(comparison["warnings"], json!([]));
    let text = bench.run("bench kron:8 --algorithms bfs --runs 3 -q --compare a.json").stdout;
    assert!(text.contains("geometric mean of the ratios"), "{text}");
    assert!(text.contains("only in the old one: wcc on kron:8"), "{text}");
}

#[test]
fn a_file_that_is_no_result_is_refused_before_the_work() {
    let bench = Bench::new();
    bench.file("a.json", "{}").file("b.json", "x");
    for (file, problem) in [("a.json", "not a report of `warpgraph bench`"), ("b.json", "not JSON: ")] {
        let outcome = bench.run(&format!("bench kron:30 --compare {file}"));
        assert_eq!(outcome.code, 2);
        assert!(outcome.stderr.starts_with(&format!("warpgraph: {file}: {problem}")), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("help: make it with `warpgraph bench --out`"), "{}", outcome.stderr);
    }
    let unknown = bench.run("bench --algorithms bsf");
    assert!(unknown.stderr.starts_with("warpgraph: there is no algorithm \"bsf\"\nhelp: did you mean bfs?"));
}

#[test]
fn a_wait_is_split_into_phases_that_add_up_to_the_wall_clock() {
    let bench = Bench::new();
    let line = "bench wait kron:8 --runs 2 --device cpu";
    let report = bench.json(&format!("{line} --algorithms bfs,wcc --out wait --json"));
    let fields = ["schema", "version", "command", "machine", "threads", "runs", "memory", "bus", "cases"];
    assert_eq!((keys(&report), &report["command"]), (fields.to_vec(), &json!("bench wait")));
    let cases = report["cases"].as_array().unwrap();
    assert_eq!([&cases[0]["algorithm"], &cases[1]["algorithm"]], ["bfs", "wcc"]);
    let case = &cases[0];
    assert_eq!(
        (&case["device"], &case["verify"], &case["error"]),
        (&json!("cpu"), &json!("passed"), &Value::Null)
    );
    let [bytes, memory] = [&case["bytes"], &report["memory"]].map(|value| value.as_f64().unwrap());
    let limits = &case["limits"];
    assert_eq!((keys(limits), &limits["bus"]), (vec!["page_cache", "bus", "sum"], &Value::Null));
    for limit in ["page_cache", "sum"] {
        // The JSON may differ in the last digit.
        let seconds = limits[limit].as_f64().unwrap();
        assert!((seconds / (bytes / memory) - 1.0).abs() < 1e-12, "{limits}");
    }
    let names: Vec<&Value> = case["starts"].as_array().unwrap().iter().map(|start| &start["start"]).collect();
    assert_eq!(names, ["warm", "open"], "kernels make no difference here");
    for run in case["starts"].as_array().unwrap().iter().flat_map(|start| start["runs"].as_array().unwrap()) {
        let seconds = |value: &Value| value.as_f64().unwrap();
        let phases: f64 =
            run["phases"].as_array().unwrap().iter().map(|spent| seconds(&spent["seconds"])).sum();
        let all = seconds(&run["before"]) + phases + seconds(&run["after"]);
        assert!((all - seconds(&run["wall"])).abs() < 1e-8, "{run}");
    }
    assert_eq!(bench.run(&format!("{line} --out wait")).code, 2, "a report is there");
    let text = bench.run("bench wait --from wait/wait.json").stdout;
    assert!(text.contains("bfs on kron:8") && text.contains("wall clock"), "{text}");
}

#[test]
fn a_wait_for_what_is_not_there_is_an_error_and_for_what_cannot_run_a_row() {
    let bench = Bench::new();
    let gone = bench.run("bench wait gone.wg");
    assert_eq!(gone.code, 2);
    assert!(gone.stderr.starts_with("warpgraph: gone.wg: cannot open"), "{}", gone.stderr);
    bench.file("a.wg", "no graph");
    let damaged = bench.run("bench wait a.wg --runs 1 -q");
    assert_eq!(damaged.code, 2);
    assert!(damaged.stdout.contains("a.wg"), "{}{}", damaged.stdout, damaged.stderr);
}

#[test]
fn limits_alone_are_a_few_lines() {
    let outcome = Bench::new().run("bench --limits -q");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for label in ["copying", "random reads", "atomic adds", "waking"] {
        assert!(outcome.stdout.contains(label), "{}", outcome.stdout);
    }
    assert!(!outcome.stdout.contains("median"));
}

#[test]
fn asynchronous_runs_are_compared_on_the_processor_and_made_again_from_the_json() {
    let bench = Bench::new();
    let line = "bench asyn grid:5x9,w=1..9 none.el --device cpu --only main --runs 2 --warmup 0";
    let report = bench.json(&format!("{line} --out out --json"));
    assert_eq!((&report["command"], &report["device"]), (&json!("bench asyn"), &Value::Null));
    let cells = report["cells"].as_array().unwrap();
    let plans = |plan: &str| cells.iter().filter(|cell| cell["plan_asked"] == plan).count();
    assert_eq!(["paths", "bsp+push", "auto"].map(plans), [4, 4, 4]);
    for cell in cells.iter().filter(|cell| cell["plan_asked"] != "bsp+push") {
        assert_eq!((&cell["device"], &cell["verify"]), (&json!("cpu"), &json!("passed")), "{cell}");
    }
    let updates = |cell: &Value| cell["counted"]["work"]["updates"].as_u64() > Some(0);
    assert!(cells.iter().filter(|cell| cell["plan_asked"] != "auto").all(updates));
    assert!(report["graphs"][1]["error"]["message"].as_str().unwrap().contains("none.el"));
    for file in ["asyn.md", "figure7.svg", "figure8-auto.svg", "figure9-pagerank.svg"] {
        assert!(bench.path("out").join(file).exists(), "{file}");
    }
    let again = bench.run("bench asyn --from out/asyn.json --out again");
    assert!(
        again.code == 0 && again.stdout.contains("a serial reference counted its work"),
        "{}",
        again.stderr
    );
    let wrong = bench.run("bench asyn --only fig7 --device cpu");
    assert!(wrong.code == 2 && wrong.stderr.contains("there is no part"), "{}", wrong.stderr);
}

#[test]
fn graphs_in_parts_are_measured_modelled_and_simulated() {
    let bench = Bench::new();
    let line = "bench many --scale 7 --runs 1 --only devices,cuts --algorithms bfs,pagerank";
    let report = bench.json(&format!("{line} --out many.json --json"));
    assert_eq!((&report["schema"], &report["command"]), (&json!(1), &json!("bench many")));
    let rows = |name: &str| report[name].as_array().unwrap().clone();
    // Four graphs in two orders, two algorithms, in four numbers of parts.
    assert_eq!(rows("devices").len(), 4 * 2 * 2 * 4);
    for row in rows("devices") {
        assert_eq!(row["parts"] == 1, row["bytes"] == 0, "{row}");
        assert_eq!(row["modelled"].as_array().unwrap().len(), 8, "{row}");
        assert_ne!(row["same"], false, "{row}");
    }
    // Four orders, and five numbers of parts.
    assert_eq!((rows("cuts").len(), rows("processes").len()), (4 * 4 * 5, 0));
    assert!(rows("cuts").iter().all(|row| row["crossing_share"].as_f64().unwrap() <= 1.0));
    let seen = rows("statements").iter().filter(|one| one["outcome"] != "not-measured").count();
    assert_eq!(seen, 5, "{}", report["statements"]);
    let kept: Value = serde_json::from_slice(&std::fs::read(bench.path("many.json")).unwrap()).unwrap();
    assert_eq!(keys(&kept), keys(&report));
    assert_eq!(bench.run(&format!("{line} --out many.json")).code, 2, "a report is there");
    let text = bench.run(&format!("{line} grid:8x8 --orders natural --links 10 --speeds 2")).stdout;
    for words in ["Virtual devices", "Modelled", "Simulated cuts", "2x", "10 GB/s"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert_eq!(bench.run("bench many --algorithms bc").code, 2);
}

#[cfg(feature = "cluster")]
#[test]
fn processes_are_measured_beside_one_process() {
    let bench = Bench::new();
    let report = bench.json("bench many kron:7 --runs 1 --only processes --algorithms wcc --json");
    let rows = report["processes"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["processes"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 4]);
    for row in rows {
        assert_eq!(row["error"], Value::Null, "{row}");
        assert!(row["seconds"].as_f64() > Some(0.0) && row["one"].as_f64() > Some(0.0), "{row}");
        assert_eq!(row["sent"] == 0, row["processes"] == 1, "{row}");
    }
    let report = bench.json("bench many none.el --only processes --json");
    assert!(report["error"]["message"].as_str().unwrap().contains("none.el"), "{report}");
}
