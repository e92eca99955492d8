//! `plans` and `doctor`.

use crate::common::Bench;
use serde_json::json;
use warpgraph::{Device, Options, Plan, algorithms, find};

#[test]
fn plans_has_every_cell_with_its_exact_refusal() {
    let bench = Bench::new();
    let report = bench.json("plans --json");
    let cells = report["plans"].as_array().unwrap();
    assert_eq!(cells.len(), 2 * algorithms().len() * Plan::ALL.len(), "the processor and GPUs");
    for cell in cells {
        let plan: Plan = cell["plan"].as_str().unwrap().parse().unwrap();
        let (algorithm, device) = (cell["algorithm"].as_str().unwrap(), cell["device"].as_str().unwrap());
        let kind = if device == "cpu" { Device::Cpu } else { Device::FIRST_GPU };
        let refused = find(algorithm).unwrap().rules.check(kind, &Options { plan, ..Options::default() });
        let refusal = refused.err().map(|e| e.to_string().replace("on cuda:0", "on gpu"));
        assert_eq!((&cell["runs"], &cell["refusal"]), (&json!(refusal.is_none()), &json!(refusal)));
    }
    let text = bench.run("plans").stdout;
    let titles: Vec<&str> = text.lines().filter(|line| line.starts_with("on ")).collect();
    assert_eq!(titles, ["on cpu", "on gpu"]);
    for plan in Plan::ALL {
        let rows = text.lines().filter(|line| line.split_whitespace().next() == Some(&plan.to_string()));
        assert_eq!(rows.count(), 2, "{plan}: {text}");
    }
    assert!(text.contains("] sssp on cpu cannot run with `pull`: delta-stepping relaxes outgoing arcs\n"));
    assert!(
        text.contains(
            "] nothing on cpu can run with `node`: balances share arcs among the threads of a GPU\n"
        )
    );
    let gpu = bench.run("plans --device gpu").stdout;
    assert!(gpu.starts_with("on gpu\n") && text.ends_with(&gpu), "{gpu}");
    let cpu = bench.json("plans --device cpu --json");
    assert!(cpu["plans"].as_array().unwrap().iter().all(|cell| cell["device"] == "cpu"));
}

#[test]
fn a_run_is_refused_where_plans_says_so_and_nowhere_else() {
    let bench = Bench::new();
    for cell in bench.json("plans --device cpu --json")["plans"].as_array().unwrap() {
        let (algorithm, plan) = (cell["algorithm"].as_str().unwrap(), cell["plan"].as_str().unwrap());
        let outcome =
            bench.run(&format!("run {algorithm} kron:5,w=1..9 --device cpu --plan {plan} --verify -q"));
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
    let checks = report["self_check"].as_array().unwrap();
    let on = |is_cpu: bool| checks.iter().filter(move |check| (check["device"] == "cpu") == is_cpu);
    let checked: Vec<&str> = on(true).map(|check| check["algorithm"].as_str().unwrap()).collect();
    assert_eq!(checked, algorithms().iter().map(|entry| entry.name).collect::<Vec<_>>());
    let on_gpus = on(false).count();
    let usable = report["devices"].as_array().unwrap().iter().filter(|device| device["error"].is_null());
    assert_eq!(on_gpus, algorithms().len() * usable.count(), "each device that can be opened: {checks:?}");
    for device in report["devices"].as_array().unwrap().iter().filter(|device| device["error"].is_null()) {
        let model = &device["cost_model"];
        assert!(model["costs"]["tiled"]["arc"].as_f64().unwrap() >= 0.0, "{device}");
        assert!(device["label"] != "simt" || model["measured"].is_null(), "{device}");
    }
    let names: Vec<&str> =
        report["findings"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    for name in
        ["warpgraph", "processor", "threads", "memory", "huge pages", "temporary", "here", "gpu", "nvrtc"]
    {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    assert_eq!(bench.names(), [""; 0]);
}

#[test]
fn doctor_speaks_plainly() {
    let outcome = Bench::new().run("doctor -q");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for line in ["kernel cache  ", "self-check on cpu", "random reads", "NO_COLOR is set"] {
        assert!(outcome.stdout.contains(line), "{line}: {}", outcome.stdout);
    }
    assert!(outcome.stdout.lines().any(|line| line.starts_with("bfs") && line.contains("passed, on 3 of 3")));
}

#[test]
fn doctor_names_what_is_missing_with_what_fixes_it() {
    let bench = Bench::new();
    bench.file("no-folder", "");
    let mut command = bench.command("doctor -q");
    command.env("TMPDIR", "/nonexistent-folder").env("CXX", "/nonexistent-compiler");
    command.env("XDG_CACHE_HOME", bench.path("no-folder")).env("WARPGRAPH_NVRTC", "/nonexistent-nvrtc.so");
    let outcome = bench.outcome(&mut command);
    assert_eq!(outcome.code, 0, "what is missing is no failure: {}", outcome.stdout);
    assert!(!outcome.stdout.contains("self-check on simt"), "{}", outcome.stdout);
    for (value, help) in [
        ("simulator     --device simt cannot be used: a C++ compiler was not found", "apt install g++"),
        ("kernel cache  kernels are compiled anew by every process", "set XDG_CACHE_HOME"),
        ("nvrtc         NVRTC was not found: /nonexistent-nvrtc.so", "pip install nvidia-cuda-nvrtc"),
    ] {
        let mut lines = outcome.stdout.lines().skip_while(|line| !line.starts_with(value));
        assert!(lines.next().is_some(), "{value}: {}", outcome.stdout);
        assert!(
            lines.next().is_some_and(|line| line.trim_start().starts_with(&format!("help: {help}"))),
            "{value}: {}",
            outcome.stdout
        );
    }
    assert!(outcome.stdout.contains("/nonexistent-folder cannot be written to"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("help: set TMPDIR to a folder you can write to"), "{}", outcome.stdout);
}
