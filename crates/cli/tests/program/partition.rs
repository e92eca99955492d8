//! `partition`: slices and the report on the cut.

use crate::common::Bench;

#[test]
fn slices_are_written_and_the_cut_is_told() {
    let bench = Bench::new();
    let said = bench.json("partition kron:8 --parts 3 slices --json");
    assert_eq!(said["cut"]["parts"], 3);
    let parts = said["parts"].as_array().unwrap();
    let sum = |key: &str| parts.iter().map(|part| part[key].as_u64().unwrap()).sum::<u64>();
    let whole = bench.json("info kron:8 --json");
    assert_eq!(said["arcs"], whole["graph"]["arcs"]);
    assert_eq!((sum("vertices"), sum("arcs")), (256, said["arcs"].as_u64().unwrap()));
    assert_eq!(sum("crossing"), said["cut"]["crossing"].as_u64().unwrap());
    assert!(said["cut"]["imbalance"].as_f64().unwrap() < 1.5);
    let again = bench.run("partition kron:8 --parts 3 slices");
    assert_eq!(again.code, 2, "{}", again.stderr);
    assert_eq!(bench.run("partition kron:8 --parts 3 --order degree slices --force").code, 0);
}

#[test]
fn an_order_of_few_crossing_arcs_is_a_better_cut() {
    let bench = Bench::new();
    let crossing = |order: &str| {
        let said =
            bench.json(&format!("partition grid:40x40,shuffle --parts 4 --order {order} {order} --json"));
        said["cut"]["crossing"].as_u64().unwrap()
    };
    assert!(2 * crossing("rcm") < crossing("natural"));
}

#[test]
fn a_slice_is_refused_where_a_whole_graph_is_wanted() {
    let bench = Bench::new();
    assert_eq!(bench.run("partition kron:6 --parts 2 slices").code, 0);
    for command in
        ["run bfs slices/part-0001.wg", "info slices/part-0001.wg", "estimate bfs slices/part-0001.wg"]
    {
        let outcome = bench.run(command);
        assert_eq!(outcome.code, 2, "{command}");
        let wanted = "holds part 1 of 2 of the graph \"kron:6\", not a whole graph";
        assert!(outcome.stderr.contains(wanted), "{command}: {}", outcome.stderr);
    }
}

#[test]
fn parts_are_estimated() {
    let bench = Bench::new();
    let said = bench.json("estimate wcc kron:20 --parts 16 --json");
    assert_eq!(said["parts"]["parts"], 16);
    assert!(said["parts"]["graph_bytes"].as_u64().unwrap() < said["bytes"]["graph"].as_u64().unwrap() / 8);
    assert!(bench.run("estimate wcc kron:20 --parts 16 -q").stdout.contains("per superstep at most"));
    assert_eq!(bench.run("estimate bc kron:10 --parts 2").code, 2);
}

#[test]
fn files_are_cut_part_by_part_as_they_are_cut_whole() {
    let bench = Bench::new();
    for spec in ["kron:8,w=1..9", "powerlaw:300,directed", "grid:20x30"] {
        assert_eq!(bench.run(&format!("generate {spec} g.{} --force", ending(spec))).code, 0);
        let text = format!("g.{}", ending(spec));
        assert_eq!(bench.run(&format!("convert {text} g.wg --force")).code, 0);
        let cut = |line: &str, said: serde_json::Value| {
            let parts = said["parts"].as_array().unwrap();
            assert_eq!(parts.len(), 5, "{line}");
            let figures = ["vertices", "arcs", "crossing", "ghosts"];
            let of_part = |part: &serde_json::Value| figures.map(|name| part[name].as_u64().unwrap());
            parts.iter().map(of_part).collect::<Vec<_>>()
        };
        // Standard input is read once, so it is in memory as a whole.
        let line = "partition - --format edge-list --parts 5 piped --force --json";
        let piped = bench.outcome(bench.command(line).write_stdin(std::fs::read(bench.path(&text)).unwrap()));
        let whole = cut(line, serde_json::from_str(&piped.stdout).unwrap());
        for file in [&*text, "g.wg"] {
            let line = format!("partition {file} --parts 5 parts --force --json");
            assert_eq!(cut(&line, bench.json(&line)), whole, "{spec}: {line}");
            let names = bench.path("parts").read_dir().unwrap().count();
            assert_eq!(names, 5, "{spec}: no temporary file stays");
            let one = bench.json(&format!("run sssp {file} --device cpu --json"));
            let parts = bench.json("cluster --local 5 run sssp parts --json");
            assert_eq!(parts["result"], one["result"], "{spec}: {line}");
            let read = bench.json(&format!("cluster --local 3 run sssp {file} --json"));
            assert_eq!(read["result"], one["result"], "{spec}: {file}");
        }
    }
}

fn ending(spec: &str) -> &'static str {
    if spec.contains("w=") { "wel" } else { "el" }
}

/// The edges are 32 MB in memory before they are built, and twice as much after: more than the limit. A part takes 8 MB.
#[cfg(target_os = "linux")]
#[test]
fn a_text_is_cut_in_less_memory_than_the_graph_takes() {
    let bench = Bench::new();
    assert_eq!(bench.run("generate uniform:16,degree=60 g.el").code, 0);
    let cut = |flags: &str| {
        let program = env!("CARGO_BIN_EXE_warpgraph");
        let line = format!(
            "ulimit -d 65536; {program} partition g.el --undirected --parts 16 --threads 1 parts {flags}"
        );
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &line]).current_dir(bench.folder()).output().unwrap()
    };
    let whole = cut("--order degree");
    assert!(!whole.status.success(), "the whole graph fits: the test says nothing");
    let parts = cut("");
    assert!(parts.status.success(), "{}", String::from_utf8_lossy(&parts.stderr));
}
