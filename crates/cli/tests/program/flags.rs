//! Flags that cannot be followed are refused before anything is read, and ids of any kind can be given.

use crate::{common::Bench, errors::fails};

#[test]
fn a_configuration_that_no_graph_suits_is_refused_before_the_graph_is_read() {
    let bench = Bench::new();
    // The file does not exist: a command that looked for it first would report that instead.
    let cases = [
        (
            "pagerank nope.el --damping 2",
            "pagerank: damping must be in [0, 1), got 2",
            "0.85 is the usual choice",
        ),
        (
            "pagerank nope.el --damping -1",
            "pagerank: damping must be in [0, 1), got -1",
            "0.85 is the usual choice",
        ),
        (
            "pagerank nope.el --tolerance nan",
            "pagerank: tolerance must be a number from 0, got NaN",
            "1e-6 is the default",
        ),
        (
            "pagerank nope.el --max-iterations 0",
            "pagerank: max-iterations must be at least 1, got 0",
            "100 is the default",
        ),
        (
            "label-propagation nope.el --max-iterations 0",
            "label-propagation: max-iterations must be at least 1, got 0",
            "10 is the default",
        ),
        (
            "adsorption nope.el --p-continue 1",
            "adsorption: p-continue must be in [0, 1), got 1",
            "0.8 is the default",
        ),
        ("bc nope.el --sources 0", "bc: sources must be at least 1, got 0", "all is the default"),
        (
            "closeness nope.el --sources 3 --source 1",
            "closeness: 3 sources to draw and 1 named ones",
            "give --sources or --source, not both",
        ),
        (
            "bc nope.el --max-error 0",
            "bc: the maximum error must be a positive number, got 0",
            "leave --max-error out for an exact answer",
        ),
        (
            "bc nope.el --max-error 0.1 --weighted",
            "bc: paths are sampled by hops: a search from both ends knows no bound for sums of weights",
            "use --sources K to estimate from weighted paths, without a bound",
        ),
        (
            "pagerank nope.el --max-error 0.1 --tolerance 1e-3",
            "pagerank: both a maximum error and the tolerance 0.001 are given",
            "give one of them: the error is of the ranks, the tolerance of the change of a sweep",
        ),
        (
            "closeness nope.el --max-error 0.1 --sources 3",
            "closeness: samples estimate the values for all vertices, and --sources or --source asks about some",
            "give --max-error or sources, not both",
        ),
        (
            "triangles nope.el --max-error 0.1 --out t.csv",
            "triangles: samples estimate the total, and --local or --out asks for every vertex",
            "leave out --max-error, or else --local and --out",
        ),
        (
            "sssp nope.el --delta 0",
            "sssp: delta must be a positive number, got 0",
            "leave --delta out to have it chosen",
        ),
    ];
    for (line, message, help) in cases {
        fails(&bench, &format!("run {line}"), message, help);
    }
}

#[test]
fn threads_beyond_reason_are_refused() {
    let bench = Bench::new();
    let most = 8 * std::thread::available_parallelism().unwrap().get();
    let help = format!("ask for 1 to {most} threads");
    fails(&bench, "run bfs grid:3x3 --threads 0", "0 threads cannot work", &help);
    let message = format!("{} threads are more than 8 per processor", most + 1);
    fails(&bench, &format!("run bfs grid:3x3 --threads {}", most + 1), &message, &help);
    fails(&bench, "info grid:3x3 --threads 4000000", "4000000 threads are more than 8 per processor", &help);
    assert_eq!(bench.run(&format!("run bfs grid:3x3 -q --threads {most}")).code, 0);
}

#[test]
fn a_reading_flag_that_the_format_ignores_is_refused() {
    let bench = Bench::new();
    bench.run("generate grid:3x3 a.wg");
    bench.file("a.el", "1 2\n2 3\n").file("a.gr", "p sp 3 1\na 1 2 7\n");
    bench.file("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n");
    let bases = "leave --base out; it is for matrix-market, dimacs, metis";
    fails(&bench, "info a.wg --base 1", "a.wg: --base has no effect on wg files", bases);
    fails(
        &bench,
        "run bfs a.mtx --vertices 9",
        "a.mtx:2: --vertices has no effect: the file says 3 vertices",
        "leave --vertices out, or correct the file",
    );
    let ids =
        "leave --ids out; it is for edge-list, graphml, adjacency-list, pajek, gml, dot, node-link, parquet";
    fails(&bench, "convert a.wg b.el --ids names", "a.wg: --ids has no effect on wg files", ids);
    fails(
        &bench,
        "info a.el --base 1",
        "a.el: --base has no effect on edge-list files without --vertices",
        "give the number of vertices too, or leave --base out: then the ids are those that occur",
    );
    fails(
        &bench,
        "info a.gr --vertices 9",
        "a.gr:1: --vertices has no effect: the file says 3 vertices",
        "leave --vertices out, or correct the file",
    );
    fails(
        &bench,
        "info a.gr --columns src=2,dst=1",
        "a.gr: --columns has no effect on dimacs files",
        "leave --columns out; it is for edge-list, parquet",
    );
    fails(
        &bench,
        "info a.mtx --header no",
        "a.mtx: --header has no effect on matrix-market files",
        "leave --header out; it is for edge-list",
    );
    let outcome = bench.run("info a.el --base 1 --vertices 3");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}

#[test]
fn a_negative_number_is_a_value() {
    let bench = Bench::new();
    bench.file("a.el", "-1 -2\n-2 x\n");
    let found = bench.json("run bfs a.el --source -1 --target -2 --json");
    assert_eq!((&found["result"]["source"], &found["result"]["depth"]), (&"-1".into(), &2.into()));
    let found = bench.json("run bc a.el --source -1,x --json");
    assert_eq!(found["config"]["source"], serde_json::json!(["-1", "x"]));
    let help = "ids are the file's own; `warpgraph info` shows their range";
    fails(&bench, "run bfs grid:3x3 --source -1 -q", "vertex -1 is not in the graph (ids 0 to 8)", help);
    let outcome = bench.run("run bfs grid:3x3 --source -x");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("if -x is the value of --source, write --source=-x"),
        "{}",
        outcome.stderr
    );
    let outcome = bench.run("run bfs grid:3x3 --source=-x -q");
    assert!(outcome.stderr.starts_with("warpgraph: vertex -x is not in the graph"), "{}", outcome.stderr);
}

#[test]
fn ids_with_commas_and_equals_signs_can_be_named_in_lists() {
    let bench = Bench::new();
    bench.file("a.csv", "\"a,b\",c=d\nc=d,e\ne,\"a,b\"\n");
    let config = |args: &[&str]| {
        let outcome = bench.outcome(bench.command("").args(args).arg("--json"));
        assert_eq!(outcome.code, 0, "{args:?}: {}{}", outcome.stdout, outcome.stderr);
        serde_json::from_str::<serde_json::Value>(&outcome.stdout).unwrap()["config"].clone()
    };
    let share = |vertex: &str, share: f64| serde_json::json!({ "vertex": vertex, "share": share });
    let ranked =
        config(&["run", "pagerank", "a.csv", "--personalize", "\"a,b\"=2,e", "--personalize", "\"c=d\""]);
    assert_eq!(
        ranked["personalize"],
        serde_json::json!([share("a,b", 2.0), share("e", 1.0), share("c=d", 1.0)])
    );
    let counted = config(&["run", "bc", "a.csv", "--source", "\"a,b\",c=d"]);
    assert_eq!(counted["source"], serde_json::json!(["a,b", "c=d"]));
    let close = config(&["run", "closeness", "a.csv", "--source=\"a,b\"", "--source", "e"]);
    assert_eq!(close["source"], serde_json::json!(["a,b", "e"]));
    let searched = config(&["run", "bfs", "a.csv", "--source", "a,b"]);
    assert_eq!(searched["source"], "a,b", "one source needs no quotes");
    let outcome = bench.run("run pagerank a.csv --personalize c=d");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("put an id with , or = in it into double quotes"), "{}", outcome.stderr);
}

#[test]
fn a_command_that_is_nearly_right_is_suggested() {
    let bench = Bench::new();
    let outcome = bench.run("run bsf kron:8");
    assert_eq!(outcome.code, 2);
    let start = "warpgraph: there is no algorithm \"bsf\"\nhelp: did you mean bfs? algorithms: bfs, sssp, ";
    assert!(outcome.stderr.starts_with(start), "{}", outcome.stderr);
    let outcome = bench.run("rnu bfs kron:8");
    let start =
        "warpgraph: there is no command \"rnu\"\nhelp: did you mean run? commands: run, cluster, estimate, ";
    assert!(outcome.stderr.starts_with(start), "{}", outcome.stderr);
    let outcome = bench.run("help run bsf");
    assert!(outcome.stderr.contains("did you mean bfs?"), "{}", outcome.stderr);
    assert_eq!(bench.run("run bsf kron:8 --json").stdout.matches("did you mean bfs?").count(), 1);
}

#[test]
fn bench_refuses_a_missing_graph_before_it_measures() {
    let os = "cannot open: No such file or directory (os error 2)";
    let help = "check the path; a generator such as kron:20 needs no file";
    fails(&Bench::new(), "bench kron:8 nope.wg", &format!("nope.wg: {os}"), help);
    let help = "did you mean `warpgraph bench limits`?";
    fails(&Bench::new(), "bench limit", &format!("limit: {os}"), help);
}
