//! Paths in `.wg` files: `convert --paths` keeps them, `info` shows them, and nothing else depends on them.

use crate::common::Bench;
use serde_json::{Value, json};

/// What `info` says about the paths of a file.
fn paths(bench: &Bench, file: &str) -> Value {
    bench.json(&format!("info {file} --json"))["paths"].clone()
}

#[test]
fn paths_are_kept_and_described() {
    let bench = Bench::new();
    let said = bench.run("convert kron:10 a.wg --paths");
    assert_eq!(said.code, 0, "{}", said.stderr);
    let line = said.stderr.lines().find(|line| line.starts_with("paths")).unwrap().to_owned();
    for part in [" hubs by degree, ", " paths (", " to hubs) in ", " chunks, ", " KiB, made in "] {
        assert!(line.contains(part), "{part}: {line}");
    }
    let info = bench.run("info a.wg").stdout;
    let kept = info.lines().find(|line| line.starts_with("paths")).unwrap();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
    assert!(words(&line).starts_with(&words(kept)), "{kept}, not {line}");
    let (all, kept) = (bench.json("info a.wg --json"), paths(&bench, "a.wg"));
    let edges = kept["found"]["hub_edges"].as_u64().unwrap() + kept["found"]["cold_edges"].as_u64().unwrap();
    assert_eq!(edges, all["graph"]["edges"].as_u64().unwrap());
    assert_eq!(
        kept["recipe"],
        json!({ "lambda": 5000, "beta": 10000, "importance": "degree", "both_arcs": false })
    );
    assert_eq!(all["graph"]["hash"], bench.json("info kron:10 --json")["graph"]["hash"]);
    assert_eq!(paths(&bench, "kron:10"), Value::Null);
    assert_eq!(bench.json("info a.wg --trust --json")["paths"], kept);
}

#[test]
fn options_are_those_of_the_plan() {
    let bench = Bench::new();
    let made =
        bench.json("convert kron:10 a.wg --json --paths lambda=0.1,beta=1,importance=closeness,backward=off");
    let recipe =
        json!({ "lambda": 100_000, "beta": 1_000_000, "importance": "closeness", "both_arcs": true });
    assert_eq!(made["paths"]["recipe"], recipe);
    assert!(made["paths"]["found"]["hubs"].as_u64().unwrap() > 50 && made["seconds"]["paths"].is_number());
    assert_eq!(made["paths"], paths(&bench, "a.wg"));
    bench.run("convert kron:10 b.wg --paths=sketch=off");
    let off = paths(&bench, "b.wg");
    assert_eq!((&off["recipe"]["lambda"], &off["hub_chunks"]), (&json!(0), &json!(0)));
    let plain = bench.json("convert kron:10 c.wg --json");
    assert_eq!((&plain["paths"], &plain["seconds"]["paths"]), (&Value::Null, &Value::Null));
}

#[test]
fn wrong_options_and_formats_are_refused_before_any_work() {
    let bench = Bench::new();
    for (line, message) in [
        ("convert no-such-file a.wg --paths lambda=2", "lambda is a share from 0.000001 to 1, got \"2\""),
        ("convert no-such-file --paths a.wg b.wg", "expected key=value, got \"a.wg\""),
        ("convert no-such-file a.wg --paths np=4", "--paths does not take np"),
        ("convert no-such-file a.wg --paths hubs=4", "hubs"),
        ("convert no-such-file a.el --paths", "a .el file cannot keep paths"),
    ] {
        let outcome = bench.run(line);
        assert!(outcome.code == 2 && outcome.stderr.contains(message), "{line}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("help: "), "{line}: {}", outcome.stderr);
    }
    assert!(bench.names().is_empty());
}

#[test]
fn paths_stay_with_the_arcs_that_they_are_of() {
    let bench = Bench::new();
    bench.run("convert kron:9,w=1..9 a.wg --paths");
    // The same arcs.
    bench.run("convert a.wg b.wg");
    assert_eq!(paths(&bench, "b.wg"), paths(&bench, "a.wg"));
    let said = bench.run("convert a.wg a.wel").stderr;
    assert!(
        said.contains("warning: a .wel file cannot keep paths: they are left out (.wg keeps them)\n"),
        "{said}"
    );
    // Other arcs.
    let said = bench.run("convert a.wg c.wg --no-weights");
    assert!(
        said.stderr
            .contains("warning: reading flags changed the graph: the paths that it keeps are not used\n")
    );
    assert_eq!(paths(&bench, "c.wg"), Value::Null);
    let said = bench.run("reorder a.wg d.wg --order degree").stderr;
    assert!(
        said.contains("warning: the paths that the graph keeps are of another order: they are left out"),
        "{said}"
    );
    assert_eq!(paths(&bench, "d.wg"), Value::Null);
    // A stored order has paths of its own.
    bench.run("convert d.wg e.wg --paths");
    let stored = bench.json("info e.wg --json");
    assert_eq!((&stored["order"], stored["paths"].is_object()), (&json!("degree"), true));
    assert_eq!(stored["graph"]["hash"], bench.json("info a.wg --json")["graph"]["hash"]);
    let distances = |file: &str| bench.json(&format!("run sssp {file} --source 17 --json"))["result"].clone();
    assert_eq!(distances("e.wg"), distances("a.wg"));
    // New paths replace old ones.
    bench.run("convert a.wg f.wg --paths sketch=off");
    assert_eq!(paths(&bench, "f.wg")["recipe"]["lambda"], 0);
}

#[test]
fn damaged_paths_are_refused() {
    let bench = Bench::new();
    bench.run("convert grid:30x30 a.wg --paths");
    let mut file = std::fs::read(bench.path("a.wg")).unwrap();
    let last = file.len() - 1;
    file[last] ^= 1;
    std::fs::write(bench.path("b.wg"), file).unwrap();
    let outcome = bench.run("info b.wg");
    assert!(
        outcome.stderr.starts_with("warpgraph: b.wg: section path-joins: checksum "),
        "{}",
        outcome.stderr
    );
    assert_eq!(outcome.code, 2);
}
