//! Whatever is read can be stopped and is bounded; memory that runs out is an error.

#![cfg(target_os = "linux")]

use crate::common::{Bench, Outcome};
use assert_cmd::Command;
use std::{
    os::unix::process::ExitStatusExt,
    process::Stdio,
    time::{Duration, Instant},
};

/// Runs a line of the program after a line of the shell, such as `ulimit -v 600000`.
fn after(bench: &Bench, shell: &str, line: &str) -> Outcome {
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_warpgraph");
    command.args(["-c", &format!("{shell}; exec {program} {line}")]).current_dir(bench.folder());
    bench.outcome(command.env("NO_COLOR", "1"))
}

/// Asserts the exit code of an error and its form, without a trace of a panic or an abort.
fn is_error(outcome: &Outcome, line: &str) {
    assert_eq!(outcome.code, 2, "{line}: {}", outcome.stderr);
    assert!(outcome.stderr.starts_with("warpgraph: "), "{line}: {}", outcome.stderr);
    for word in ["panicked", "memory allocation of", "RUST_BACKTRACE", "damaged", "terminate"] {
        assert!(!outcome.stderr.contains(word), "{line}: {}", outcome.stderr);
    }
}

fn pipe(bench: &Bench) {
    let made = std::process::Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap();
    assert!(made.success());
}

#[test]
fn a_pipe_that_never_sends_ends_with_the_time_limit() {
    let bench = Bench::new();
    pipe(&bench);
    let start = Instant::now();
    let outcome = bench.run("run bfs pipe --time-limit 0.2");
    is_error(&outcome, "a pipe without a writer");
    assert!(outcome.stderr.contains("the time limit passed while reading"), "{}", outcome.stderr);
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn ctrl_c_ends_the_reading_of_a_pipe_that_never_sends() {
    let bench = Bench::new();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_warpgraph"))
        .args(["run", "bfs", "-", "--quiet"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .current_dir(bench.folder())
        .spawn()
        .unwrap();
    // The threads of the engine are there once the signal is handled.
    let tasks = format!("/proc/{}/task", child.id());
    while std::fs::read_dir(&tasks).unwrap().count() < 2 {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(20), "it does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.status.signal()), (Some(130), None));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "warpgraph: interrupted while reading\n");
}

#[test]
fn a_device_without_end_is_refused_at_the_limit_which_is_named() {
    let bench = Bench::new();
    for line in ["run bfs --threads 2 /dev/zero", "run bfs --threads 2 - < /dev/zero"] {
        let outcome = after(&bench, "ulimit -v 300000", line);
        is_error(&outcome, line);
        assert!(outcome.stderr.contains(": reading it needs more than "), "{}", outcome.stderr);
        assert!(
            outcome.stderr.contains("left of 293.0 MiB of address space (ulimit -v)"),
            "{}",
            outcome.stderr
        );
    }
}

#[test]
fn a_compressed_file_of_zeroes_is_refused_at_the_limit() {
    let bench = Bench::new();
    let outcome = after(
        &bench,
        "head -c 120000000 /dev/zero | gzip -1 > a.el.gz; ulimit -v 300000",
        "run bfs a.el.gz --threads 2",
    );
    is_error(&outcome, "a.el.gz");
    assert!(
        outcome.stderr.starts_with("warpgraph: a.el.gz: unpacking it needs more than "),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_graph_beyond_the_limit_of_the_process_is_refused_before_it_is_generated() {
    let outcome = after(&Bench::new(), "ulimit -v 600000", "run bfs kron:22 --threads 2");
    is_error(&outcome, "kron:22");
    let start = "warpgraph: kron:22 needs about 1.0 GiB for 67108864 edges, the limit is ";
    assert!(outcome.stderr.starts_with(start), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("left of 585.9 MiB of address space (ulimit -v)"), "{}", outcome.stderr);
}

#[test]
fn memory_that_runs_out_at_any_point_is_an_error() {
    let bench = Bench::new();
    let lines: String = (0..200_000u32).map(|i| format!("v{} v{}\n", i % 70_000, i * 7 % 60_000)).collect();
    bench.file("names.el", lines);
    // Below this limit not even the system's loader has enough.
    let starts = |limit: &u32| after(&bench, &format!("ulimit -v {limit}"), "--version").code == 0;
    let least = (20_000..400_000).step_by(4_000).find(starts).unwrap();
    let (mut refused, mut done) = (0, 0);
    for line in ["run pagerank kron:15", "run bfs names.el", "convert names.el out.wg --force"] {
        for limit in (least..least + 260_000).step_by(40_000) {
            let shell = format!("ulimit -v {limit}");
            let outcome = after(&bench, &shell, &format!("{line} --threads 2 -q"));
            if outcome.code == 0 {
                done += 1;
            } else if outcome.stderr.contains("failed to allocate an alternative stack") {
                // The standard library itself gives up while it starts a thread.
                assert_ne!(outcome.code, 0);
            } else {
                is_error(&outcome, &format!("{shell}; {line}"));
                refused += 1;
            }
        }
    }
    assert!(refused > 3 && done > 3, "{refused} refused, {done} done");
}

#[test]
fn memory_that_runs_out_is_told_in_json_too() {
    let bench = Bench::new();
    let outcome = after(&bench, "ulimit -v 600000", "run bfs kron:22 --threads 2 --json");
    let value: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((outcome.code, &value["error"]["kind"]), (2, &serde_json::json!("too-large")));
}

#[test]
fn a_header_is_believed_as_far_as_its_file_backs_it() {
    let bench = Bench::new();
    bench.file("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n1000000000 1000000000 1\n1 2\n");
    let start = Instant::now();
    let outcome = bench.run("run bfs a.mtx");
    is_error(&outcome, "a.mtx");
    assert_eq!(
        outcome.stderr,
        "warpgraph: a.mtx:2: 1000000000 vertices in a file of 77 bytes, expected 4194304 at most\n\
         help: correct the count; if nearly all vertices have no edges, confirm it with --vertices 1000000000\n"
    );
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_file_beyond_the_size_limit_is_an_error_and_leaves_nothing() {
    let bench = Bench::new();
    let outcome = after(&bench, "ulimit -f 100", "generate kron:12 a.wg -q");
    is_error(&outcome, "a.wg");
    assert!(outcome.stderr.contains("(ulimit -f)"), "{}", outcome.stderr);
    assert_eq!(bench.names(), [""; 0]);
}

#[test]
fn what_a_killed_run_left_is_removed_by_the_next() {
    let bench = Bench::new();
    bench.file(".a.el.4194000-0.tmp", "0 1\n");
    assert_eq!(bench.run("generate grid:3x3 a.el -q").code, 0);
    assert_eq!(bench.names(), ["a.el"]);
}

#[test]
fn files_that_cannot_be_written_or_read_say_what_to_do() {
    let bench = Bench::new();
    std::os::unix::fs::symlink("loop.el", bench.path("loop.el")).unwrap();
    for line in ["run bfs loop.el", "generate grid:3x3 loop.el --force -q"] {
        let outcome = bench.run(line);
        is_error(&outcome, line);
        assert!(
            outcome.stderr.contains("help: the link leads back to itself; "),
            "{line}: {}",
            outcome.stderr
        );
    }
    let outcome = bench.run("run bfs grid:3x3 --out /proc/x.csv -q");
    is_error(&outcome, "/proc/x.csv");
    assert!(
        outcome.stderr.contains("/proc/x.csv: the system creates no files in /proc\n"),
        "{}",
        outcome.stderr
    );
}
