//! `--local N`: starts N processes with the same command line, and says how they ended.

use super::{Cluster, check_parts};
use crate::{
    console,
    failure::{Failure, Result},
    interrupt,
};
use std::process::{Command, ExitStatus};
use warpgraph::{Control, graph};
use warpgraph_cluster::local::{self, Ended};

/// Tells a process that another one started it, and which part it has.
const PART: &str = "WARPGRAPH_CLUSTER_PART";

/// Returns the part of a process that another one started.
pub(super) fn part() -> Option<usize> {
    std::env::var(PART).ok()?.parse().ok()
}

/// Starts all processes and waits for them; prints what process 0 printed.
pub(super) fn run(cluster: &Cluster, parts: usize) -> Result<u8> {
    check_parts(parts)?;
    cluster.check(Some(parts))?;
    let control = Control::new();
    interrupt::cancels(&control);
    let program = std::env::current_exe().map_err(|error| graph::Error::io("this program", "find", error))?;
    let command = |part: usize| {
        let mut command = Command::new(&program);
        command.args(std::env::args_os().skip(1)).env(PART, part.to_string());
        command
    };
    let ended = local::run(parts, command, || control.is_cancelled())?;
    if control.is_cancelled() {
        return Err(Failure::new("interrupted", "interrupted while the processes ran", ""));
    }
    match blame(&ended) {
        Some(first) => Err(told(first, parts)),
        None => {
            let first = ended.iter().find(|ended| ended.part == 0);
            let text = first.map_or(&[][..], |first| &first.stdout);
            console::raw(text).map_err(Failure::stdout)?;
            Ok(0)
        }
    }
}

/// Returns the process whose end was not due to that of another.
fn blame(ended: &[Ended]) -> Option<&Ended> {
    let failed = || ended.iter().filter(|ended| !ended.status.success());
    let own = |ended: &&Ended| {
        !ended.killed && !failure(ended).is_some_and(|failure| failure.kind().starts_with("member-"))
    };
    let hung = |ended: &&Ended| ended.killed;
    failed().find(own).or_else(|| failed().find(hung)).or_else(|| failed().next())
}

/// Returns the error that a process printed.
fn failure(ended: &Ended) -> Option<Failure> {
    String::from_utf8_lossy(&ended.stdout).lines().rev().find_map(Failure::of_json)
}

/// Says which process ended, and why.
fn told(ended: &Ended, parts: usize) -> Failure {
    let whose = format!("process {} of {parts} (pid {})", ended.part, ended.process);
    if let Some(failure) = failure(ended).filter(|_| !ended.killed) {
        return failure.of(&whose);
    }
    let how = if ended.killed {
        "did not answer, and was killed".to_owned()
    } else {
        format!("was ended by {}", reason(ended.status))
    };
    let stderr = String::from_utf8_lossy(&ended.stderr);
    let last = stderr.lines().rev().find(|line| !line.trim().is_empty());
    let said = last.map_or_else(String::new, |line| format!("; its last words: {}", line.trim()));
    let help = "with --checkpoint, the run can be continued by --resume";
    Failure::new("member-lost", format!("{whose} {how}{said}"), help)
}

/// Returns the signal that ended a process.
#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

/// Returns none: only Unix has signals.
#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

fn reason(status: ExitStatus) -> String {
    match (signal(status), status.code()) {
        (Some(9), _) => "signal 9 (killed; perhaps memory was short)".to_owned(),
        (Some(signal), _) => format!("signal {signal}"),
        (None, code) => format!("exit code {}", code.unwrap_or(-1)),
    }
}
