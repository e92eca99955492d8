//! Runs in several processes of this machine, started through the program itself, beside one process on as many threads.

use crate::result::Failure;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    path::Path,
    process::{Command, Stdio},
};

/// A question in some processes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Row {
    pub graph: String,
    pub algorithm: String,
    pub processes: usize,
    /// Threads of each process.
    pub threads: usize,
    /// Supersteps.
    pub rounds: Option<u64>,
    /// The median of the runs, and the seconds of loading.
    pub seconds: Option<f64>,
    pub load: Option<f64>,
    /// Of one process that has as many threads as all of them together; and its supersteps.
    pub one: Option<f64>,
    pub one_rounds: Option<u64>,
    /// Bytes that all processes sent in a run.
    pub sent: Option<u64>,
    /// The peak memory of all processes together, and of the largest.
    pub memory: Option<u64>,
    pub memory_largest: Option<u64>,
    pub error: Option<Failure>,
}

impl Row {
    /// Returns the time over that of one process: per superstep where that is what is compared, of the run elsewhere.
    pub fn over_one(&self) -> Option<f64> {
        let per = |seconds: f64, rounds: Option<u64>| match self.algorithm.as_str() {
            "pagerank" => Some(seconds / rounds.filter(|&rounds| rounds > 0)? as f64),
            _ => Some(seconds),
        };
        Some(per(self.seconds?, self.rounds)? / per(self.one?, self.one_rounds)?)
    }
}

/// How to start the program.
#[derive(Debug, Clone, Copy)]
pub struct Program<'a> {
    /// The program.
    pub path: &'a Path,
    /// Timed runs.
    pub runs: usize,
    /// Threads of each process.
    pub threads: usize,
}

impl Program<'_> {
    /// Runs a question in so many processes, and in one. What fails is in the row.
    pub fn row(&self, graph: &str, algorithm: &str, processes: usize) -> Row {
        let asked = Row {
            graph: graph.to_owned(),
            algorithm: algorithm.to_owned(),
            processes,
            threads: self.threads,
            ..Row::default()
        };
        let (local, threads) = (processes.to_string(), (processes * self.threads).to_string());
        let many = self.run(&["cluster", "--local", &local], algorithm, graph, &self.threads.to_string());
        let one = self.run(&[], algorithm, graph, &threads);
        match many.and_then(|many| Ok((many, one?))) {
            Ok((many, one)) => Row {
                rounds: many["rounds"].as_u64(),
                seconds: many["seconds"]["median"].as_f64(),
                load: many["seconds"]["load"].as_f64(),
                one: one["seconds"]["median"].as_f64(),
                one_rounds: one["rounds"].as_u64(),
                sent: many["cluster"]["sent"].as_u64(),
                memory: many["cluster"]["memory"].as_u64(),
                memory_largest: many["memory"]["host_peak"].as_u64(),
                ..asked
            },
            Err(error) => Row { error: Some(error), ..asked },
        }
    }

    fn run(&self, before: &[&str], algorithm: &str, graph: &str, threads: &str) -> Result<Value, Failure> {
        let mut command = Command::new(self.path);
        command.args(before).args(["run", algorithm, graph, "--warmup", "1", "--json"]);
        command.args(["--runs", &self.runs.to_string(), "--threads", threads]).stdin(Stdio::null());
        if before.is_empty() {
            command.args(["--device", "cpu"]);
        }
        let failed =
            |error: std::io::Error| Failure::new("io", format!("the program cannot be started: {error}"));
        let output = command.output().map_err(failed)?;
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        if report["seconds"].is_null() {
            return Err(Failure::of_child(&report, &String::from_utf8_lossy(&output.stderr)));
        }
        Ok(report)
    }
}
