//! `warpgraph cluster`: one run in several processes, on one machine or on several.
//!
//! Every process loads its part of the graph, runs on its processor and exchanges values with the others
//! (`warpgraph_cluster`). `--local N` starts all of them here ([`launch`]); with `--hosts` the user starts one per host
//! ([`member`]). The rest of the line is that of `run`.

mod launch;
mod member;
mod out;
mod report;
mod share;

use crate::{
    failure::{Failure, Result},
    run::Run,
};
use clap::{Args, Subcommand};
use std::{path::PathBuf, time::Duration};
use warpgraph_parts::MAX_PARTS;

const EXAMPLES: &str = "\
Examples:
  warpgraph cluster --local 4 run wcc kron:18
  warpgraph cluster --local 2 --checkpoint kept --every 5 run wcc uniform:16 --out components.csv
  warpgraph cluster --hosts hosts.txt --process 0 run wcc graph.wg     (on the first host)
  warpgraph cluster --hosts hosts.txt --process 1 run wcc graph.wg     (on the second host)

hosts.txt has one line per process: host:port, or host alone for port 4700.";

/// Run an algorithm in several processes, on one machine or on several
///
/// Each process holds one part of the graph, so that together they hold graphs that one machine cannot. On graphs that
/// fit, one process is faster. docs/cluster.md says when it pays and how to deploy it.
#[derive(Args)]
#[command(after_help = EXAMPLES, subcommand_value_name = "run ...", subcommand_help_heading = "What to run")]
pub(crate) struct Cluster {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    keeping: Keeping,
    #[command(subcommand)]
    what: What,
}

/// Which processes there are, and how they meet.
#[derive(Args)]
struct Place {
    /// Start this many processes on this machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256), conflicts_with_all = ["hosts", "process", "listen", "run_id", "secret_file"])]
    local: Option<u64>,
    /// The processes, one host:port per line; the same file on every host
    #[arg(long, value_name = "FILE", requires = "process", required_unless_present = "local")]
    hosts: Option<PathBuf>,
    /// The number of this process: its line in the file of hosts, from 0
    #[arg(long, value_name = "I", requires = "hosts")]
    process: Option<usize>,
    /// Listen at this address instead of that in the file of hosts, as 0.0.0.0:4700
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// A name that all processes of this run share; processes of other runs are refused
    #[arg(long, value_name = "NAME", default_value = "warpgraph")]
    run_id: String,
    /// A file with a secret that all processes know; processes that do not are refused
    ///
    /// Without it, any program that reaches the port can take part: use a private network. Values travel unencrypted either way.
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
    /// Wait this many seconds until all processes are there
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    wait: u64,
}

/// What to keep, so that a run that breaks off can continue.
#[derive(Args)]
struct Keeping {
    /// Keep the state of each process in this folder while it runs
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// Keep the state every this many supersteps
    #[arg(long, value_name = "N", default_value_t = 10, requires = "checkpoint", value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Continue from the last state that all processes kept
    #[arg(long, requires = "checkpoint")]
    resume: bool,
}

#[derive(Subcommand)]
enum What {
    Run(Box<Run>),
}

impl Cluster {
    fn what(&self) -> &Run {
        let What::Run(run) = &self.what;
        run
    }

    fn wait(&self) -> Duration {
        Duration::from_secs(self.place.wait)
    }

    /// Refuses what cannot work, before any process starts.
    fn check(&self, parts: Option<usize>) -> Result<()> {
        let asked = self.what().in_parts()?;
        warpgraph_parts::entry(asked.question.entry().name)?;
        if self.keeping.checkpoint.is_some() && asked.runs + asked.warmup > 1 {
            let help = "leave out --runs and --warmup, or --checkpoint";
            return Err(Failure::new("invalid", "--checkpoint is for a single run", help));
        }
        share::check(asked.graph, parts)?;
        asked.out.map_or(Ok(()), |folder| out::check(folder, asked.force, parts))
    }
}

/// Takes part in a run, or starts all processes of one.
pub(crate) fn run(cluster: &Cluster) -> Result<u8> {
    match (cluster.place.local, launch::part()) {
        (Some(parts), None) => launch::run(cluster, parts as usize),
        (Some(_), Some(part)) => member::started(cluster, part),
        (None, _) => member::named(cluster),
    }
}

/// Refuses more parts than a cut can have.
fn check_parts(parts: usize) -> Result<()> {
    match parts <= MAX_PARTS {
        true => Ok(()),
        false => Err(Failure::new("invalid", format!("{parts} processes, at most {MAX_PARTS}"), "")),
    }
}
