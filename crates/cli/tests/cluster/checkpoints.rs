//! A run that breaks off continues from its last checkpoint with the same answer.

use crate::{
    common::Bench,
    lost::{children, end, signal, start},
};
use std::{thread, time::Duration};

fn kept(bench: &Bench, folder: &str) -> Vec<String> {
    let entries = bench.path(folder).read_dir().unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_run_that_continues_from_its_last_checkpoint_has_the_same_answer() {
    let bench = Bench::new();
    for (asked, every) in
        [("bfs grid:200x3 --source 0", 7), ("sssp grid:60x3,w=1..9 --source 0", 7), ("pagerank kron:9", 7)]
    {
        let whole = bench.json(&format!("cluster --local 3 run {asked} --json"));
        let keep = format!("cluster --local 3 --checkpoint kept --every {every} run {asked}");
        let done = bench.run(&keep);
        assert_eq!(done.code, 0, "{}", done.stderr);
        let names = kept(&bench, "kept");
        assert!(names.len() >= 3 && names.len() <= 6, "{names:?}");
        assert!(names[0].starts_with("part-0000-of-0003.step-"), "{names:?}");
        let line = format!("cluster --local 3 --checkpoint kept --every {every} --resume run {asked} --json");
        let again = bench.outcome(&mut bench.command(&line));
        assert_eq!(again.code, 0, "{}", again.stderr);
        assert!(again.stderr.contains("continuing after superstep"), "{}", again.stderr);
        let again: serde_json::Value = serde_json::from_str(&again.stdout).unwrap();
        assert_eq!(again["result"], whole["result"], "{asked}");
        assert_eq!(again["rounds"], whole["rounds"], "{asked}");
        std::fs::remove_dir_all(bench.path("kept")).unwrap();
    }
}

#[test]
fn a_checkpoint_of_another_question_graph_or_number_of_processes_is_refused() {
    let bench = Bench::new();
    let run = |flags: &str| bench.run(&format!("cluster {flags}"));
    assert_eq!(run("--local 2 --checkpoint kept --every 5 run bfs grid:60x2 --source 0").code, 0);
    let resume = "--checkpoint kept --every 5 --resume run bfs";
    let cases = [
        (format!("--local 2 {resume} grid:60x2 --source 1"), "another question, graph, flags"),
        (format!("--local 2 {resume} grid:61x2 --source 0"), "another question, graph, flags"),
        (format!("--local 3 {resume} grid:60x2 --source 0"), "no checkpoint that all 3 processes have"),
    ];
    for (flags, words) in cases {
        let done = run(&flags);
        assert_eq!(done.code, 2, "{flags}: {}", done.stdout);
        assert!(done.stderr.contains(words), "{flags}: {}", done.stderr);
    }
    assert_eq!(run(&format!("--local 2 {resume} grid:60x2 --source 0")).code, 0);
}

/// Breaks a run off by a signal to one of its processes, and continues it.
fn continues_after(name: &str, says: &str) {
    let bench = Bench::new();
    let asked = "run pagerank kron:10 --tolerance 0 --max-iterations 1500 --threads 1";
    let launcher = start(&bench, &format!("cluster --local 3 --checkpoint kept --every 5 {asked}"));
    let processes = children(launcher.id(), 3);
    // Once one process has its second checkpoint, all have their first. Files that are being written have other endings.
    let far = |name: &String| {
        name.contains("part-0000")
            && name.ends_with(".checkpoint")
            && !name.ends_with("000000000005.checkpoint")
    };
    while !bench.path("kept").exists() || !kept(&bench, "kept").iter().any(far) {
        thread::sleep(Duration::from_millis(5));
    }
    signal(name, processes[2]);
    let (code, _, err) = end(launcher);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("process 2 of 3") && err.contains(says) && err.contains("--resume"), "{err}");
    let again =
        bench.run(&format!("cluster --local 3 --checkpoint kept --every 500 --resume {asked} --json"));
    assert_eq!(again.code, 0, "{}{}", again.stdout, again.stderr);
    let step = again.stderr.split("continuing after superstep ").nth(1).unwrap().trim();
    let step: u64 = step.lines().next().unwrap().parse().unwrap();
    assert!((5..1500).contains(&step), "continued after superstep {step}");
    let again: serde_json::Value = serde_json::from_str(&again.stdout).unwrap();
    let whole = bench.json(&format!("cluster --local 3 {asked} --json"));
    assert_eq!(again["result"], whole["result"]);
}

#[test]
fn a_run_whose_process_was_killed_continues_with_the_same_answer() {
    continues_after("KILL", "was ended by signal 9");
}

#[test]
fn a_run_whose_process_was_stopped_continues_with_the_same_answer() {
    continues_after("STOP", "did not answer, and was killed");
}
