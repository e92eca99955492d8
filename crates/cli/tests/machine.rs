//! `plans` and `doctor`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;
use common::Bench;
use serde_json::json;
use warpgraph::{ALGORITHMS, Plan};

#[test]
fn plans_has_every_cell_with_its_exact_refusal() {
    let bench = Bench::new();
    let report = bench.json("plans --json");
    let cells = report["plans"].as_array().unwrap();
    assert_eq!(cells.len(), ALGORITHMS.len() * Plan::ALL.len());
    for cell in cells {
        let plan: Plan = cell["plan"].as_str().unwrap().parse().unwrap();
        let refusal =
            plan.check(cell["algorithm"].as_str().unwrap(), "cpu", false).err().map(|e| e.to_string());
        assert_eq!((&cell["runs"], &cell["refusal"]), (&json!(refusal.is_none()), &json!(refusal)));
    }
    let text = bench.run("plans").stdout;
    assert!(text.starts_with("algorithm"), "{text}");
    for algorithm in ALGORITHMS {
        assert!(text.lines().any(|line| line.starts_with(algorithm)), "{algorithm}: {text}");
    }
    assert!(text.contains("] sssp on cpu cannot run with `pull`: delta-stepping relaxes outgoing arcs\n"));
}

#[test]
fn a_run_is_refused_where_plans_says_so_and_nowhere_else() {
    let bench = Bench::new();
    for cell in bench.json("plans --json")["plans"].as_array().unwrap() {
        let (algorithm, plan) = (cell["algorithm"].as_str().unwrap(), cell["plan"].as_str().unwrap());
        let outcome = bench.run(&format!("run {algorithm} kron:5,w=1..9 --plan {plan} --verify -q"));
        match cell["refusal"].as_str() {
            None => {
                assert!(
                    !outcome.stderr.contains("cannot run with"),
                    "{algorithm} {plan}: {}",
                    outcome.stderr
                );
            }
            Some(refusal) => {
                assert_eq!(outcome.code, 2, "{algorithm} {plan}");
                assert!(outcome.stderr.starts_with(&format!("warpgraph: {refusal}\n")), "{}", outcome.stderr);
            }
        }
    }
}

#[test]
fn doctor_checks_every_algorithm_and_leaves_nothing_behind() {
    let bench = Bench::new();
    let outcome = bench.run("doctor --json");
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    let report: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((&report["command"], &report["healthy"]), (&json!("doctor"), &json!(true)));
    let checked: Vec<&str> =
        report["self_check"].as_array().unwrap().iter().map(|c| c["algorithm"].as_str().unwrap()).collect();
    assert_eq!(checked, ALGORITHMS);
    let names: Vec<&str> =
        report["findings"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    for name in ["warpgraph", "processor", "threads", "memory", "huge pages", "temporary", "here", "gpu"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    assert_eq!(bench.names(), [""; 0]);
}

#[test]
fn doctor_speaks_plainly() {
    let outcome = Bench::new().run("doctor -q");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for line in ["this build has no GPU support yet", "self-check", "random reads", "NO_COLOR is set"] {
        assert!(outcome.stdout.contains(line), "{line}: {}", outcome.stdout);
    }
    assert!(outcome.stdout.lines().any(|line| line.starts_with("bfs") && line.contains("passed, on 3 of 3")));
}

#[test]
fn doctor_names_what_is_missing_with_what_fixes_it() {
    let bench = Bench::new();
    let mut command = bench.command("doctor -q");
    let outcome = bench.outcome(command.env("TMPDIR", "/nonexistent-folder"));
    assert_eq!(outcome.code, 0, "a folder is no failure");
    assert!(outcome.stdout.contains("/nonexistent-folder cannot be written to"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("help: set TMPDIR to a folder you can write to"), "{}", outcome.stdout);
}
