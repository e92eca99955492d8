//! The JSON form, field by field.

use crate::common::Bench;
use serde_json::{Value, json};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

const RUN: [&str; 38] = [
    "schema",
    "version",
    "command",
    "algorithm",
    "config",
    "graph",
    "origin",
    "device",
    "device_name",
    "device_because",
    "form",
    "plan",
    "plan_asked",
    "stored",
    "order",
    "reorder",
    "tiles",
    "partitions",
    "parts",
    "work",
    "paths",
    "deterministic",
    "approx",
    "exactness",
    "compare",
    "accuracy",
    "seed",
    "threads",
    "seconds",
    "timeline",
    "mteps",
    "rounds",
    "halt",
    "memory",
    "transfer",
    "result",
    "verify",
    "warnings",
];

#[test]
fn a_run_has_exactly_the_fields_of_the_schema() {
    let report = Bench::new()
        .json("run bfs grid:30x20 --source 0 --runs 3 --warmup 1 --verify --threads 1 --seed 7 --json");
    assert_eq!(keys(&report), RUN);
    assert_eq!(report["schema"], 1);
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&report["command"], &report["algorithm"]), (&json!("run"), &json!("bfs")));
    assert_eq!(report["config"], json!({ "source": 0, "max_depth": null }));
    let graph = &report["graph"];
    let hash = graph["hash"].as_str().unwrap();
    assert!(hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()), "{hash}");
    assert_eq!(
        *graph,
        json!({
            "name": "grid:30x20", "hash": hash, "vertices": 600, "edges": 1150, "arcs": 2300, "directed": false,
            "weighted": false, "weight_type": null, "self_loops": 0, "merged": 0, "isolated": 0
        })
    );
    assert_eq!(
        (&report["device"], &report["order"], &report["approx"]),
        (&json!("cpu"), &json!("natural"), &Value::Null)
    );
    assert!(report["device_name"].is_string() || report["device_name"].is_null());
    assert_eq!(report["device_because"], "cpu: 2300 arcs, and a GPU pays from 4194304");
    assert!(report["plan"].as_str().unwrap().starts_with("bsp"));
    assert_eq!(
        (&report["plan_asked"], &report["seed"], &report["threads"]),
        (&json!("auto"), &json!(7), &json!(1))
    );
    assert!(report["rounds"].as_u64().unwrap() >= 48);
    assert_eq!((&report["halt"], &report["transfer"]), (&json!("converged"), &Value::Null));
    assert_eq!((&report["verify"], &report["warnings"]), (&json!("passed"), &json!([])));
    assert_eq!(report["result"], json!({ "source": 0, "reached": 600, "depth": 48, "sum": 14400 }));
}

#[test]
fn seconds_and_memory_are_complete_and_consistent() {
    let report = Bench::new().json("run bfs grid:30x20 --runs 3 --verify --json");
    let seconds = &report["seconds"];
    let before = ["load", "reorder", "prepare", "transfer", "compile"];
    let after = ["runs", "median", "kernel", "overhead", "fetch", "verify"];
    assert_eq!(keys(seconds), [&before[..], &after[..]].concat());
    for field in ["reorder", "transfer", "compile", "kernel", "overhead", "fetch"] {
        assert!(seconds[field].is_null(), "{field}");
    }
    let mut runs: Vec<f64> =
        seconds["runs"].as_array().unwrap().iter().map(|r| r.as_f64().unwrap()).collect();
    runs.sort_by(f64::total_cmp);
    assert_eq!((runs.len(), seconds["median"].as_f64().unwrap()), (3, runs[1]));
    assert!(seconds["load"].as_f64().unwrap() > 0.0 && seconds["verify"].as_f64().unwrap() > 0.0);
    let mteps = report["mteps"].as_f64().unwrap();
    assert!((mteps - 2300.0 / runs[1] / 1e6).abs() <= 1e-9 * mteps, "{mteps}");
    let memory = &report["memory"];
    assert_eq!(keys(memory), ["host_peak", "device_peak", "graph", "state", "extra", "budget"]);
    assert!(memory["graph"].as_u64().unwrap() > 2300 * 4 && memory["state"].as_u64().unwrap() >= 600 * 4);
    assert!(memory["device_peak"].is_null() && memory["extra"].is_null() && memory["budget"].is_null());
}

#[test]
fn a_timeline_has_the_fields_of_the_schema_and_began_when_the_program_did() {
    let now = || std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs_f64();
    let before = now();
    let report = Bench::new().json("run bfs grid:30x20 --json");
    let timeline = &report["timeline"];
    assert_eq!(keys(timeline), ["began", "total", "other", "spans"]);
    let (began, total) = (timeline["began"].as_f64().unwrap(), timeline["total"].as_f64().unwrap());
    assert!(before <= began + 1e-3 && began + total <= now() + 1e-3, "{before} {began} {total}");
    let spans = timeline["spans"].as_array().unwrap();
    let fields = ["phase", "what", "lane", "start", "seconds", "own", "depth"];
    assert!(!spans.is_empty() && spans.iter().all(|span| keys(span) == fields), "{timeline}");
}

#[test]
fn every_algorithm_has_its_summary() {
    let bench = Bench::new();
    let result = |line: &str| bench.json(&format!("run {line} --verify --json"))["result"].clone();
    assert_eq!(keys(&result("bfs kron:8")), ["source", "reached", "depth", "sum"]);
    assert_eq!(keys(&result("sssp kron:8,w=1..9")), ["source", "reached", "farthest", "sum"]);
    assert_eq!(keys(&result("pagerank kron:8")), ["iterations", "residual", "top"]);
    assert_eq!(result("wcc grid:5x4"), json!({ "components": 1, "largest": 20 }));
    assert_eq!(keys(&result("bc kron:8 --sources 5")), ["sources", "top"]);
    assert_eq!(keys(&result("closeness kron:8")), ["sources", "diameter", "radius", "top"]);
}

#[test]
fn a_path_is_part_of_the_result_and_null_if_there_is_none() {
    let bench = Bench::new();
    bench.file("a.wel", "1 2 5\n2 3 5\n1 3 20\n9 9 1\n");
    let result = |target: u64| {
        bench.json(&format!("run sssp a.wel --source 1 --target {target} --json"))["result"].clone()
    };
    let found = result(3);
    assert_eq!((&found["target"], &found["path"]["vertices"]), (&json!(3), &json!([1, 2, 3])));
    assert_eq!(found["path"]["length"].as_f64(), Some(10.0));
    assert!(result(9)["path"].is_null());
}

#[test]
fn a_run_that_does_not_converge_says_so_and_is_no_error() {
    let bench = Bench::new();
    let outcome = bench.run("run pagerank kron:8 --max-iterations 2 --tolerance 1e-12 --json");
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((outcome.code, &report["halt"]), (0, &json!("max-iterations")));
    let warning = "pagerank stopped after 2 iterations before it met its tolerance; raise --max-iterations or --tolerance";
    assert_eq!(report["warnings"], json!([warning]));
}

#[test]
fn random_sources_repeat_with_their_seed() {
    let bench = Bench::new();
    let source = |seed: u64| {
        bench.json(&format!("run bfs kron:10 --source random --seed {seed} --json"))["result"]["source"]
            .clone()
    };
    assert_eq!(source(1), source(1));
    assert!((2..6).any(|seed| source(seed) != source(1)));
}

#[test]
fn info_convert_and_generate_report_in_json_too() {
    let bench = Bench::new();
    let info = bench.json("info powerlaw:500 --json");
    assert_eq!((&info["command"], &info["graph"]["vertices"]), (&json!("info"), &json!(500)));
    assert!(info["stats"]["out"]["max"].as_u64() > info["stats"]["out"]["p50"].as_u64());
    assert!(info["stats"]["in"]["mean"].is_number() && info["components"]["components"].is_u64());
    assert!(info["coded"]["bytes_per_arc"].as_f64().is_some_and(|bytes| bytes > 0.0 && bytes < 4.0));
    let made = bench.json("generate grid:4x4 a.wg --json");
    assert_eq!((&made["command"], &made["out"]["format"]), (&json!("generate"), &json!("wg")));
    assert_eq!(made["out"]["bytes"].as_u64(), Some(bench.path("a.wg").metadata().unwrap().len()));
    let converted = bench.json("convert a.wg a.mtx --json");
    assert_eq!(converted["graph"]["hash"], made["graph"]["hash"]);
    assert_eq!(bench.names(), ["a.mtx", "a.wg"]);
}

#[test]
fn errors_are_json_on_standard_output() {
    let bench = Bench::new();
    bench.file("a.el", "1 2\n3 x\n");
    let outcome = bench.run("run bfs a.el --ids numbers --json");
    let error: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((outcome.code, keys(&error)), (2, vec!["schema", "error"]));
    assert_eq!(keys(&error["error"]), ["kind", "message", "where", "help"]);
    assert_eq!((&error["error"]["kind"], &error["error"]["where"]), (&json!("parse"), &json!("a.el:2:3")));

    let usage: Value = serde_json::from_str(&bench.run("run bfs kron:8 --nonsense --json").stdout).unwrap();
    assert_eq!(usage["error"]["kind"], "usage");
    let both: Value = serde_json::from_str(&bench.run("run bfs kron:8 --out - --json").stdout).unwrap();
    assert_eq!(both["error"]["message"], "--json and --out - both want standard output");
}
