//! Graphs larger than the GPU's memory: where edges are, what crosses the bus, and files that are read in place.

use crate::common::Bench;
use serde_json::{Value, json};

/// Returns the lines of a text, each with single blanks.
fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

pub(crate) fn a_graph_that_does_not_fit_runs_and_says_where_its_edges_are() {
    let bench = Bench::new();
    let report = bench.json("run bfs kron:12 --device simt --gpu-memory 150K --verify --json");
    assert_eq!((&report["verify"], &report["plan_asked"]), (&json!("passed"), &json!("auto")));
    assert!(report["plan"].as_str().unwrap().starts_with("zero-copy"), "{report}");
    let stored = report["stored"].as_str().unwrap();
    assert!(
        stored.contains(" of edges do not fit the ") && stored.contains(" are on the device"),
        "{stored}"
    );
    let text = bench.run("run bfs kron:12 --device simt --gpu-memory 150K -q").stdout;
    let told = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains(&format!(" stored {stored} ")), "{text}");
    assert!(text.lines().all(|line| line.len() <= 88), "{text}");
    let traced = bench.run("run bfs kron:12 --device simt --gpu-memory 350K --trace -q").stderr;
    assert!(traced.contains("stored  device(") && traced.contains("code=ef): "), "{traced}");
    let fits = bench.json("run bfs kron:8 --device simt --json");
    assert_eq!((&fits["stored"], &fits["transfer"]), (&Value::Null, &Value::Null));
}

pub(crate) fn one_more_run_counts_what_crosses_the_bus() {
    let bench = Bench::new();
    for (plan, basis) in
        [("zero-copy(hot=off,heads=off)", "counted"), ("unified", "modelled"), ("streamed", "exact")]
    {
        let report =
            bench.json(&format!("run bfs kron:10 --source 1 --device simt --plan {plan} --runs 3 --json"));
        let transfer = &report["transfer"];
        let [moved, ideal] = ["moved", "ideal"].map(|field| transfer[field].as_u64().unwrap());
        assert_eq!(
            keys(transfer),
            ["moved", "ideal", "basis", "amplification", "share_of_link", "trace"],
            "{plan}"
        );
        assert_eq!(transfer["trace"], Value::Null, "only --trace asks for it");
        assert!(ideal > 0 && moved >= ideal, "{plan}: {transfer}");
        assert_eq!(transfer["basis"], basis, "{plan}");
        let ratio = transfer["amplification"].as_f64().unwrap();
        assert!((ratio - moved as f64 / ideal as f64).abs() < 1e-9, "{plan}: {transfer}");
        assert_eq!(transfer["share_of_link"], Value::Null, "the simulator has no bus");
        assert_eq!(report["seconds"]["runs"].as_array().unwrap().len(), 3, "the additional run is not timed");
        let text = bench.run(&format!("run bfs kron:10 --device simt --plan {plan} -q")).stdout;
        let bus = lines(&text).into_iter().find(|line| line.starts_with("bus ")).unwrap();
        assert!(bus.contains(" moved, ") && bus.ends_with(&format!(" ({basis})")), "{bus}");
    }
    let all = bench.run("run bfs kron:8 --device simt --plan zero-copy -q").stdout;
    assert!(
        lines(&all).contains(&"bus nothing moved: all arcs that were read are on the device".to_owned()),
        "{all}"
    );
    let tight = bench.json("run bfs kron:12 --source 1 --device simt --gpu-memory 150K --json");
    assert_eq!((&tight["warnings"], &tight["transfer"]["basis"]), (&json!([]), &json!("counted")), "{tight}");
}

pub(crate) fn a_run_that_copies_partitions_ahead_says_how_many() {
    let bench = Bench::new();
    let line = "run sssp kron:10,w=1..9 --source 1 --device simt --plan zero-copy(ahead=all) --gpu-memory";
    // Too little for all edges, so some partitions are copied and others pass through their places.
    let report = bench.json(&format!("{line} 150K --verify --json"));
    let partitions = &report["partitions"];
    assert_eq!(keys(partitions), ["copied", "found", "in_place", "bytes", "pages", "room"], "{report}");
    let of = |field: &str| partitions[field].as_u64().unwrap();
    assert!(of("copied") > 0 && of("bytes") > 0 && of("pages") > 0 && of("room") > 0, "{partitions}");
    let text = bench.run(&format!("{line} 150K -q")).stdout;
    let told = lines(&text).into_iter().find(|line| line.starts_with("partitions ")).unwrap();
    let words = [" copied ahead (", "), ", " found, ", " read in place"];
    assert!(words.iter().all(|word| told.contains(word)), "{told}");
    assert!(told.starts_with(&format!("partitions {} copied ahead", of("copied"))), "{told} {partitions}");
    let without = "run sssp kron:10,w=1..9 --device simt --plan zero-copy";
    assert_eq!(bench.json(&format!("{without} --json"))["partitions"], Value::Null);
    assert!(!bench.run(&format!("{without} -q")).stdout.contains("partitions"));
}

pub(crate) fn a_trace_has_what_every_superstep_reads_over_the_bus() {
    let bench = Bench::new();
    let line = |plan: &str, flags: &str| {
        format!("run bfs kron:9 --source 1 --device simt --plan {plan} --trace {flags}")
    };
    for (plan, pages, own) in [
        ("push+zero-copy(hot=off)", "exact", "sectors"),
        ("push+unified", "exact", "evicted"),
        ("streamed", "exact", "moved"),
        ("unified", "modelled", "evicted"),
    ] {
        let transfer = bench.json(&line(plan, "--json"))["transfer"].clone();
        let trace = &transfer["trace"];
        assert_eq!(keys(trace), ["gap", "pages", "sectors", "unified", "basis", "levels", "notes"], "{plan}");
        assert_eq!(keys(&trace["basis"]), ["gap", "pages", "sectors", "unified"], "{plan}");
        assert_eq!((&trace["basis"]["gap"], &trace["basis"]["pages"]), (&json!("exact"), &json!(pages)));
        let unified = &trace["unified"];
        if plan.contains("unified") {
            let fields = ["memory", "fetched_pages", "refetched_pages", "evicted_regions", "evicted_pages"];
            assert_eq!((keys(unified), &trace["basis"]["unified"]), (fields.to_vec(), &json!("modelled")));
        }
        let levels = trace["levels"].as_array().unwrap();
        let first = ["round", "direction", "frontier", "gap", "pages", "sectors", "moved", "ideal"];
        let fields = [&first[..], &["fetched_pages", "evicted_pages", "refetched_pages"]].concat();
        assert!(levels.len() > 2 && levels.iter().all(|level| keys(level) == fields), "{plan}: {trace}");
        let sum = |field: &str| levels.iter().map(|level| level[field].as_u64()).sum::<Option<u64>>();
        assert_eq!(sum("pages"), trace["pages"].as_u64(), "{plan}");
        let is_walker = plan == "unified";
        assert_eq!(sum("moved"), transfer["moved"].as_u64().filter(|_| !is_walker), "{plan}");
        assert_eq!(sum("sectors"), trace["sectors"].as_u64().filter(|_| !is_walker), "{plan}");
        let rounds: Vec<u64> = levels.iter().map(|level| level["round"].as_u64().unwrap()).collect();
        assert_eq!(rounds, (0..levels.len() as u64).collect::<Vec<_>>(), "{plan}");

        let text = bench.run(&line(plan, "-q")).stderr;
        let told = lines(&text);
        let start = told.iter().position(|line| line == "what crossed the bus in one more run").unwrap();
        assert!(told[start + 1].starts_with("round frontier direction gap pages "), "{text}");
        assert!(told[start + 1].contains(own), "{text}");
        assert!(told[start + levels.len() + 2].starts_with("total "), "{text}");
        assert!(told[start + levels.len() + 3].contains(&format!("{pages}: ")), "{text}");
    }
    let on_device = bench.run(&line("device", "-q")).stderr;
    assert!(!on_device.contains("crossed the bus"), "{on_device}");
}

pub(crate) fn unified_memory_exceeds_the_budget_only_on_request() {
    let bench = Bench::new();
    let line = "run bfs kron:12 --device simt --plan unified --gpu-memory 150K";
    let refused = bench.run(line);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("simt has no room for "), "{}", refused.stderr);
    assert!(refused.stderr.ends_with("or leave the residency open\n"), "{}", refused.stderr);
    let report = bench.json(&format!("{line} --oversubscribe --verify --json"));
    assert_eq!((&report["verify"], &report["plan"]), (&json!("passed"), &json!("unified")));
}

pub(crate) fn oversubscribing_anything_else_is_refused() {
    let bench = Bench::new();
    for (line, plan) in [
        ("run bfs grid:3x3 --device simt", "auto"),
        ("run bfs grid:3x3 --device simt --plan zero-copy", "zero-copy"),
        ("bench grid:3x3 --device simt --plan streamed", "streamed"),
        ("bench limits --device simt", "auto"),
        ("reorder grid:3x3 a.wg --order degree --device simt", "auto"),
    ] {
        let outcome = bench.run(&format!("{line} --oversubscribe"));
        let expected = format!(
            "warpgraph: --oversubscribe is for unified memory, and the plan is {plan}\n\
             help: use --plan unified, or leave --oversubscribe out: an open plan runs graphs of any size\n"
        );
        assert_eq!((outcome.code, outcome.stderr), (2, expected), "{line}");
    }
}

pub(crate) fn an_estimate_says_what_a_gpu_must_hold() {
    let bench = Bench::new();
    bench.run("generate kron:12 a.wg");
    let ask = |flags: &str| bench.json(&format!("estimate bfs a.wg --json {flags}"))["device"].clone();
    assert_eq!((ask(""), ask("--device cpu")), (Value::Null, Value::Null));
    let free = ask("--device simt");
    let [rest, edges, total, least] =
        ["rest", "edges", "total", "least"].map(|field| free[field].as_u64().unwrap());
    assert_eq!((total, &free["residency"]), (rest + edges, &json!("device")), "{free}");
    assert!(rest < least && least < total, "{free}");
    for (memory, residency) in [(total, "device"), (total - 1, "zero-copy"), (least, "zero-copy")] {
        let said = ask(&format!("--device cuda --gpu-memory {memory}"));
        assert_eq!((&said["residency"], &said["free"]), (&json!(residency), &json!(memory)));
        let run = bench.json(&format!("run bfs a.wg --device simt --gpu-memory {memory} --json"));
        let plan = run["plan"].as_str().unwrap();
        let is_as_said = plan.starts_with(residency) || plan.ends_with("code=ef)") || plan == "auto";
        assert!(is_as_said && (plan == "auto") == (residency == "device"), "{memory}: {plan}");
    }
    assert_eq!(ask(&format!("--device cuda --gpu-memory {}", least - 1))["residency"], Value::Null);
    let text = bench.run(&format!("estimate bfs a.wg --device cuda --gpu-memory {least}")).stdout;
    for start in ["on a GPU ", "at least ", "residency zero-copy: "] {
        assert!(lines(&text).iter().any(|line| line.starts_with(start)), "{start}: {text}");
    }
    let text = bench.run("estimate bfs a.wg --device cuda --gpu-memory 1K").stdout;
    assert!(
        lines(&text).contains(&"residency none: 1.0 KiB are free; use --device cpu".to_owned()),
        "{text}"
    );
}

pub(crate) fn every_algorithm_has_an_estimate_for_gpus() {
    let bench = Bench::new();
    for entry in warpgraph::algorithms() {
        for graph in ["kron:8", "kron:8,w=1..9", "uniform:8,degree=4,directed"] {
            let said =
                &bench.json(&format!("estimate {} {graph} --device simt --json", entry.name))["device"];
            assert!(
                said["rest"].as_u64() > Some(0) && said["edges"].as_u64() > Some(0),
                "{}: {said}",
                entry.name
            );
        }
    }
}
