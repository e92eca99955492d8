//! `warpgraph`: graph analytics on the command line.
//!
//! [`args`] declares the commands, [`parse`] parses the arguments, [`load`] loads a graph, each command is one module, and every error is a
//! [`failure::Failure`] with its text, its JSON and its exit code. The libraries do the work.

mod args;
mod bench;
#[cfg(feature = "cluster")]
mod cluster;
mod completions;
mod console;
mod convert;
mod describe;
mod device;
mod doctor;
mod estimate;
mod failure;
mod generate;
mod info;
mod interrupt;
mod load;
mod locality;
mod machine;
mod orders;
mod out_of_memory;
mod parse;
mod partition;
mod paths;
mod plans;
mod progress;
mod reading;
mod reorder;
mod report;
mod run;
mod session;
mod table;
mod write;

use args::Command;
use failure::{Failure, Result};
use std::process::ExitCode;
use warpgraph::graph::timeline::{Phase, Timeline};

#[global_allocator]
static ALLOCATOR: out_of_memory::Allocator = out_of_memory::Allocator;

fn main() -> ExitCode {
    let timeline = Timeline::start();
    let arguments = timeline.span(Phase::Arguments);
    let wants_json = std::env::args_os().any(|arg| arg == "--json");
    if wants_json {
        out_of_memory::report_as_json();
    }
    interrupt::ignore_size_limit();
    let args: Vec<_> = std::env::args_os().collect();
    let parsed = parse::parse(args.clone());
    arguments.end();
    let usage = |error| args::usage(&error, &args, wants_json);
    let result = parsed.map_or_else(usage, |cli| dispatch(cli.command, &timeline));
    ExitCode::from(result.unwrap_or_else(|failure| failure.report(wants_json)))
}

/// Runs a command; returns exit code 0, or 1 if an answer failed verification. `run` reports the timeline.
fn dispatch(command: Command, timeline: &Timeline) -> Result<u8> {
    match command {
        Command::Run(run) => run::run(&run, timeline),
        #[cfg(feature = "cluster")]
        Command::Cluster(cluster) => cluster::run(&cluster),
        Command::Bench(bench) => bench::run(&bench),
        Command::Estimate(estimate) => estimate::run(&estimate),
        Command::Plans(plans) => plans::run(&plans),
        Command::Doctor(doctor) => doctor::run(&doctor),
        Command::Info(info) => info::run(&info),
        Command::Convert(convert) => convert::run(&convert),
        Command::Generate(generate) => generate::run(&generate),
        Command::Reorder(reorder) => reorder::run(&reorder),
        Command::Partition(partition) => partition::run(&partition),
        Command::Completions(completions) => completions::run(&completions),
    }
}

/// Prints the one line of `--json`.
fn put_json(value: &impl serde::Serialize) -> Result<()> {
    let text = serde_json::to_string(value).map_err(|e| Failure::new("json", e.to_string(), ""))?;
    console::raw((text + "\n").as_bytes()).map_err(Failure::stdout)
}
