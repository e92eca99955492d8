//! What goes in and what comes out: files, pipes, signals, help.

use crate::common::Bench;
use std::{
    io::{BufRead, BufReader, Read},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

#[test]
fn the_table_of_a_run_has_one_row_a_vertex_in_original_ids() {
    let bench = Bench::new();
    bench.file("a.el", "10 20\n20 30\n40 50\n");
    let outcome = bench.run("run bfs a.el --source 10 --out a.csv --verify");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("written   a.csv (vertex, distance, parent)\n"), "{}", outcome.stdout);
    let csv = std::fs::read_to_string(bench.path("a.csv")).unwrap();
    assert_eq!(csv, "vertex,distance,parent\n10,0,10\n20,1,10\n30,2,20\n40,,\n50,,\n");
    assert_eq!(bench.run("run bfs a.el --source 10 --out - -q").stdout, csv);
    assert_eq!(bench.run("run bfs a.el --source 10 --out a.npy").code, 0);
    let npy = std::fs::read(bench.path("a.npy")).unwrap();
    assert!(npy.starts_with(b"\x93NUMPY\x01\x00") && npy.len().is_multiple_of(4));
    assert_eq!(npy.len() - npy.iter().position(|&b| b == b'\n').unwrap() - 1, 5 * (8 + 4 + 8));
    assert_eq!(bench.names(), ["a.csv", "a.el", "a.npy"]);
}

#[test]
fn graphml_and_sparse_matrices_are_graphs() {
    let bench = Bench::new();
    bench.file(
        "a.graphml",
        "<graphml><graph edgedefault='undirected'><node id='x'/><node id='y'/><node id='z'/>\
         <edge source='x' target='y'/></graph></graphml>",
    );
    let bfs = bench.run("run bfs a.graphml --source x --out - -q");
    assert_eq!(bfs.stdout, "vertex,distance,parent\nx,0,x\ny,1,x\nz,,\n", "{}", bfs.stderr);
    // 0 -> 1 -> 3 -> 0 of four vertices, as scipy wrote it.
    bench.file("a.npz", include_bytes!("../../../graph/tests/formats/data/scipy-csr.npz"));
    let bfs = bench.run("run bfs a.npz --source 1 --out - -q");
    assert_eq!(bfs.stdout, "vertex,distance,parent\n0,2,3\n1,0,1\n2,,\n3,1,1\n", "{}", bfs.stderr);
    bench.file("a.zip", include_bytes!("../../../graph/tests/formats/data/scipy-csr.npz"));
    assert_eq!(bench.json("info a.zip --json")["origin"]["format"], "npz");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_is_read_and_written() {
    let bench = Bench::new();
    // 3 -> 1 -> 7 -> 3 and 3 -> 7, as pyarrow wrote it.
    bench.file("a.parquet", include_bytes!("../../../graph/tests/formats/data/pyarrow-snappy.parquet"));
    let outcome = bench.run("run bfs a.parquet --source 3 --out b.parquet --verify");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(
        outcome.stdout.contains("written   b.parquet (vertex, distance, parent)\n"),
        "{}",
        outcome.stdout
    );
    // The table as an edge list: parent is a word for sources, distance one for weights, so that vertex is the target.
    let again = bench.run("info b.parquet").stderr + &bench.run("info b.parquet").stdout;
    assert!(again.contains("\"parent\" and \"vertex\" are taken as source and target"), "{again}");
    let csv = bench.run("run bfs a.parquet --source 3 --out - -q").stdout;
    assert_eq!(csv, "vertex,distance,parent\n1,1,3\n3,0,3\n7,1,3\n");
    bench.file(
        "cut.parquet",
        &include_bytes!("../../../graph/tests/formats/data/pyarrow-snappy.parquet")[..600],
    );
    let outcome = bench.run("info cut.parquet");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.starts_with("warpgraph: cut.parquet: a Parquet file starts and ends with PAR1"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_written_table_reads_back_as_an_edge_list() {
    let bench = Bench::new();
    bench.run("run wcc kron:8 --out parts.csv");
    let again = bench.json("info parts.csv --json");
    assert_eq!(again["graph"]["vertices"], 256);
}

#[test]
fn standard_input_is_a_graph() {
    let bench = Bench::new();
    let mut command = bench.command("run wcc - --json");
    let outcome = bench.outcome(command.write_stdin("a b\nb c\nx y\n"));
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    assert!(outcome.stdout.contains(r#""result":{"components":2,"largest":3}"#), "{}", outcome.stdout);
    assert!(outcome.stdout.contains(r#""name":"<stdin>""#), "{}", outcome.stdout);
}

#[test]
fn what_was_read_is_said_and_can_be_silenced() {
    let bench = Bench::new();
    bench.file("a.wel", "1 2 0.5\n2 1 0.25\n3 3 2\n");
    let said = bench.run("run bfs a.wel --undirected").stderr;
    for line in [
        "graph      a.wel (edge-list)\n",
        "size       3 vertices (0 isolated), 2 edges\n",
        "edges      3 listed, 1 self-loop kept, 1 parallel ones merged\n",
        "ids        1 to 3 (numbers without gaps)\n",
        "weights    f64, 0.25 to 2\n",
    ] {
        assert!(said.contains(line), "{line}{said}");
    }
    assert!(said.contains("direction  undirected: "), "{said}");
    assert_eq!(bench.run("run bfs a.wel --undirected --quiet").stderr, "");
}

#[test]
fn formats_that_lose_something_say_what() {
    let bench = Bench::new();
    bench.file("a.wel", "10 20 3\n20 30 4\n");
    let said = bench.run("convert a.wel a.el").stderr;
    assert!(
        said.contains("warning: a .el file has no weights: they are left out (.wel keeps them)\n"),
        "{said}"
    );
    let said = bench.run("convert a.wel a.mtx").stderr;
    assert!(
        said.contains("warning: a .mtx file numbers vertices from 1: the ids are lost (.wg keeps them)\n"),
        "{said}"
    );
    let said = bench.run("convert a.wel a.wg").stderr;
    assert!(!said.contains("warning") && said.contains("written  a.wg (wg, "), "{said}");
    assert_eq!(
        bench.json("info a.wel --json")["graph"]["hash"],
        bench.json("info a.wg --trust --json")["graph"]["hash"]
    );
    assert_eq!(
        bench.run("convert a.wel - --to el -q").stdout.lines().filter(|l| !l.starts_with('#')).count(),
        2
    );
}

#[test]
fn csv_and_tables_of_f32_say_how_to_read_them_back() {
    let bench = Bench::new();
    bench.file("a.wel", "10 20 0.1\n20 30 4\n");
    let said = bench.run("convert a.wel a.csv --undirected --weight-type f32").stderr;
    for warning in [
        "warning: a .csv file is taken as directed: read it with --undirected\n",
        "warning: a .csv file does not say that weights are f32: read it with --weight-type f32\n",
    ] {
        assert!(said.contains(warning), "{said}");
    }
    assert_eq!(
        std::fs::read_to_string(bench.path("a.csv")).unwrap(),
        "source,target,weight\n10,20,0.1\n20,30,4.0\n"
    );
}

#[test]
fn names_of_every_look_come_back_from_what_convert_writes() {
    let bench = Bench::new();
    bench.file("a.csv", "source,target\n\"//x\",from\nfrom,from\n007,7\n\"a,b\",7\nsource,target\n");
    let sizes = |file: &str| {
        let report = bench.json(&format!("info {file} --json"));
        (report["graph"]["vertices"].clone(), report["graph"]["arcs"].clone(), report["graph"]["ids"].clone())
    };
    let expected = sizes("a.csv --ids names");
    assert_eq!(expected.1, 5, "{expected:?}");
    for file in ["b.el", "b.csv", "b.tsv", "b.graphml", "b.parquet", "b.wg", "b.csv.gz", "b.el.zst"] {
        let outcome = bench.run(&format!("convert a.csv {file} --ids names"));
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert_eq!(sizes(file), expected, "{file}");
    }
    bench.file("c.csv", "source,target\n007,7\n");
    let refused = bench.run("convert c.csv d.csv --ids names");
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("the name \"007\" would be read from a .csv file as a number\n"));
}

#[test]
fn answers_are_packed_by_a_second_ending() {
    let bench = Bench::new();
    assert_eq!(bench.run("run bfs grid:20x20 --source 0 --out a.csv").code, 0);
    for file in ["b.csv.gz", "b.csv.zst", "b.tsv.gz", "b.npy.zst"] {
        let outcome = bench.run(&format!("run bfs grid:20x20 --source 0 --out {file}"));
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    }
    let plain = std::fs::read_to_string(bench.path("a.csv")).unwrap();
    for file in ["b.csv.gz", "b.csv.zst"] {
        let unpacked =
            warpgraph::graph::Input::open(&bench.path(file), &warpgraph::graph::Control::new()).unwrap();
        assert_eq!(String::from_utf8_lossy(&unpacked), plain, "{file}");
    }
}

#[test]
fn a_trace_is_a_table_on_standard_error() {
    let said = Bench::new().run("run bfs grid:5x5 --source 0 --device cpu --trace -q").stderr;
    assert!(said.starts_with("round "), "{said}");
    let steps = said.lines().take_while(|line| !line.is_empty());
    assert_eq!(steps.count(), 10, "{said}");
    let first: Vec<&str> = said.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(first[..5], ["0", "1", "2", "push", "-"], "a corner has two arcs: {said}");
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let bench = Bench::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_warpgraph"))
        .args(["run", "wcc", "grid:1000x1000", "--out", "-", "-q"])
        .current_dir(bench.folder())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first, "vertex,component\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

/// Starts a long command, interrupts it after a moment, and gives its exit code and standard error.
#[cfg(unix)]
fn interrupted(bench: &Bench, line: &str) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_warpgraph"))
        .args(line.split_whitespace())
        .current_dir(bench.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(400));
    assert!(child.try_wait().unwrap().is_none(), "{line}: too quick to be interrupted");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let (start, limit) = (Instant::now(), Duration::from_secs(20));
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > limit {
            child.kill().unwrap();
            panic!("{line}: did not end within {limit:?} of the interrupt");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code(), said)
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_file_and_exits_with_130() {
    let bench = Bench::new();
    for line in [
        "generate kron:21,degree=32 a.el -q",
        "convert uniform:21,degree=32 a.mtx -q",
        "run pagerank kron:14 --runs 1000000 --out a.csv -q",
        "reorder kron:19 a.wg --order gorder --map a.csv --plot a.svg -q",
        "reorder kron:20 a.wg --order bp --map a.csv -q",
    ] {
        let (code, said) = interrupted(&bench, line);
        assert_eq!(code, Some(130), "{line}: {said}");
        assert!(said.starts_with("warpgraph: interrupted while "), "{line}: {said}");
        assert_eq!(bench.names(), [""; 0], "{line}");
    }
}

#[test]
fn completions_exist_for_every_shell() {
    let bench = Bench::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = bench.run(&format!("completions {shell}")).stdout;
        assert!(script.contains("warpgraph") && script.contains("verify"), "{shell}");
    }
}

/// The `warpgraph ...` lines of a help text.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().filter_map(|line| line.strip_prefix("  warpgraph "));
    lines.map(str::to_owned).collect()
}

#[test]
fn every_example_in_the_help_runs() {
    let mut seen = 0;
    for command in [
        "",
        "run",
        "info",
        "convert",
        "generate",
        "reorder",
        "partition",
        "completions",
        "estimate",
        "bench",
        "plans",
        "doctor",
    ] {
        let bench = Bench::new();
        let help = bench.run(&format!("{command} --help")).stdout;
        for example in examples(&help) {
            let outcome = bench.run(&example);
            assert_eq!(outcome.code, 0, "{example}: {}", outcome.stderr);
            seen += 1;
        }
    }
    assert!(seen >= 28, "{seen} examples");
}

#[test]
fn help_fits_eighty_columns_and_has_a_short_and_a_long_form() {
    let bench = Bench::new();
    let help =
        |flag: &str| bench.outcome(bench.command(&format!("run bfs {flag}")).env("COLUMNS", "80")).stdout;
    let (short, long) = (help("-h"), help("--help"));
    assert!(short.lines().count() < long.lines().count());
    for flag in [
        "--source",
        "--target",
        "--plan",
        "--verify",
        "--out",
        "--json",
        "--directed",
        "--trust",
        "--time-limit",
    ] {
        assert!(short.contains(flag) && long.contains(flag), "{flag}");
    }
}
