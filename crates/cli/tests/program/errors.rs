//! Exit codes and the exact text of errors.

use crate::common::Bench;
use std::fs::File;

/// Asserts exit code 2 and `warpgraph: message`, `help: help` on standard error, nothing on standard output.
pub(crate) fn fails(bench: &Bench, line: &str, message: &str, help: &str) {
    let outcome = bench.run(line);
    assert_eq!(outcome.code, 2, "{line}: {}", outcome.stderr);
    assert_eq!(outcome.stderr, format!("warpgraph: {message}\nhelp: {help}\n"), "{line}");
    assert_eq!(outcome.stdout, "", "{line}");
}

#[test]
fn a_missing_file_is_named_with_the_one_that_was_meant() {
    let bench = Bench::new();
    let os = "cannot open: No such file or directory (os error 2)";
    fails(
        &bench,
        "run bfs road.gr",
        &format!("road.gr: {os}"),
        "check the path; a generator such as kron:20 needs no file",
    );
    bench.file("road.gr.zst", "");
    fails(&bench, "run bfs road.gr", &format!("road.gr: {os}"), "did you mean road.gr.zst?");
    fails(&bench, "info raod.gr.zst", &format!("raod.gr.zst: {os}"), "did you mean road.gr.zst?");
}

#[test]
fn a_folder_without_files_is_no_graph() {
    fails(
        &Bench::new(),
        "info .",
        ".: the folder has no files",
        "check the path; names that start with . or _ do not count",
    );
}

#[test]
fn misspelt_generators_and_keys_are_recognised() {
    let bench = Bench::new();
    let outcome = bench.run("info krn:10");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome
            .stderr
            .starts_with("warpgraph: krn:10: there is no generator \"krn\"\nhelp: did you mean kron?")
    );
    let outcome = bench.run("info kron:10,sed=3");
    assert!(
        outcome
            .stderr
            .starts_with("warpgraph: kron:10,sed=3: kron has no key \"sed\"\nhelp: did you mean seed?")
    );
    fails(
        &bench,
        "info kron:10 --directed",
        "kron:10 is generated: reading flags do not apply",
        "say it in the description instead, e.g. kron:10,directed or kron:10,w=1..255",
    );
}

#[test]
fn a_letter_among_numbers_is_found() {
    let bench = Bench::new();
    bench.file("a.mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 5\n2 3 x\n");
    let outcome = bench.run("run sssp a.mtx");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.starts_with("warpgraph: a.mtx:4:5: expected "), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("got \"x\"\nhelp: "), "{}", outcome.stderr);
}

#[test]
fn a_source_or_target_must_be_in_the_graph() {
    let bench = Bench::new();
    let help = "ids are the file's own; `warpgraph info` shows their range";
    for line in ["run bfs grid:3x3 --source 9 -q", "run sssp grid:3x3 --target 9 -q"] {
        fails(&bench, line, "vertex 9 is not in the graph (ids 0 to 8)", help);
    }
}

#[test]
fn plans_devices_and_orders_are_refused_with_what_there_is() {
    let bench = Bench::new();
    fails(
        &bench,
        "run sssp grid:3x3 --plan pull --device cpu",
        "sssp on cpu cannot run with `pull`: delta-stepping relaxes outgoing arcs",
        "use --plan push, or leave --plan out",
    );
    fails(
        &bench,
        "run bfs grid:3x3 --order best",
        "there is no order \"best\"",
        "orders: natural, random, degree, in-degree, degree-neighbours, rcm, halo1, halo2, bp, bfs-bp, gorder, llp, sampled",
    );
}

#[test]
fn an_output_that_exists_or_cannot_be_is_refused_before_the_work() {
    let bench = Bench::new();
    bench.file("a.csv", "mine").file("a.wg", "mine");
    let help = "pass --force to overwrite it, or choose another name";
    fails(&bench, "run bfs kron:31 --out a.csv", "a.csv: exists already", help);
    fails(&bench, "generate kron:31 a.wg", "a.wg: exists already", help);
    fails(&bench, "convert kron:31 a.wg", "a.wg: exists already", help);
    fails(
        &bench,
        "run bfs kron:31 --out b.xlsx",
        "b.xlsx: cannot tell the form of the table by this ending",
        "name the file with one of the endings .csv, .tsv, .npy or .parquet, of which .gz or .zst packs the first three, or \
         - for CSV on standard output",
    );
    fails(
        &bench,
        "convert kron:31 b.xyz",
        "b.xyz: cannot tell the format by this ending",
        "use one of .wg, .el, .wel, .csv, .tsv, .mtx, .graphml, .parquet, .sg, .wsg, .g500, or name it with --to",
    );
    let inside = |name: &str| format!("{name}: a Parquet file is compressed inside, and not packed again");
    let help = "leave .gz or .zst out, or write .csv.gz";
    fails(&bench, "convert kron:31 b.parquet.gz", &inside("b.parquet.gz"), help);
    fails(&bench, "run bfs kron:31 --out b.parquet.zst", &inside("b.parquet.zst"), help);
    let gone = "gone/b.csv: the folder gone is not there";
    fails(&bench, "run bfs kron:31 --out gone/b.csv", gone, "make the folder first, or choose another");
    assert_eq!(std::fs::read_to_string(bench.path("a.wg")).unwrap(), "mine");
    assert_eq!(bench.run("run bfs grid:3x3 --out a.csv --force").code, 0);
}

#[test]
fn a_time_limit_ends_the_work() {
    let outcome = Bench::new().run("run pagerank kron:14 --runs 1000000 --time-limit 0.3 -q");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.starts_with("warpgraph: the time limit passed while "), "{}", outcome.stderr);
    assert!(outcome.stderr.ends_with("help: allow more time, or ask for less\n"), "{}", outcome.stderr);
}

#[test]
fn a_negative_cycle_is_named() {
    let bench = Bench::new();
    bench.file("a.wel", "1 2 3\n2 3 -5\n3 1 1\n");
    let outcome = bench.run("run sssp a.wel --source 1 -q --time-limit 10");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("negative cycle"), "{}", outcome.stderr);
}

#[test]
fn usage_errors_exit_with_2_and_say_what_is_known() {
    let bench = Bench::new();
    let outcome = bench.run("run bfs kron:8 --verfy");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.starts_with("warpgraph: unexpected argument '--verfy' found\nhelp: "),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains("'--verify'"), "{}", outcome.stderr);
    assert_eq!(bench.run("").code, 2);
    assert_eq!(bench.run("run").code, 2);
    assert_eq!(bench.run("--version").stdout, format!("warpgraph {}\n", env!("CARGO_PKG_VERSION")));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for line in
        ["run wcc grid:100x100 --out - -q", "run wcc grid:9x9 -q", "run wcc grid:9x9 --json", "info grid:9x9"]
    {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_warpgraph"));
        let output = command.args(line.split_whitespace()).stdout(full).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {stderr}");
        if !line.contains("--json") {
            let expected = "warpgraph: standard output: cannot write: No space left on device (os error 28)\n\
                            help: free some space or write to another disk; nothing was left behind\n";
            assert_eq!(stderr, expected, "{line}");
        }
    }
}

#[test]
fn a_gzip_file_that_is_cut_short_is_an_error() {
    let bench = Bench::new();
    // gzip of "1 2\n2 3\n" without its last eight bytes.
    let gz = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x33, 0x54, 0x30, 0xe2, 0x32, 0x52, 0x30, 0xe6];
    bench.file("a.el.gz", gz);
    let outcome = bench.run("run bfs a.el.gz -q");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
    assert!(outcome.stderr.starts_with("warpgraph: a.el.gz: "), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("\nhelp: "), "{}", outcome.stderr);
}

#[test]
fn trust_takes_no_other_reading_flag() {
    let bench = Bench::new();
    bench.run("generate grid:3x3 a.wg");
    let outcome = bench.run("info a.wg --trust --directed");
    assert_eq!(outcome.code, 2);
    assert_eq!(
        outcome.stderr,
        "warpgraph: --trust takes a file as it is: other reading flags do not apply\n\
         help: leave --trust out, or convert the file once with these flags\n"
    );
}
