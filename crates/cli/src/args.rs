//! The command line: its commands, and the answer to a command line that cannot be parsed.

#[cfg(feature = "cluster")]
use crate::cluster::Cluster;
use crate::{
    bench::Bench, completions::Completions, console, convert::Convert, doctor::Doctor, estimate::Estimate,
    failure::Failure, failure::Result, generate::Generate, info::Info, parse, partition::Partition,
    plans::Plans, reorder::Reorder, run::Run,
};
use clap::{
    Parser, Subcommand,
    error::{ContextKind, ContextValue, ErrorKind},
};
use std::ffi::OsString;
use warpgraph::graph::suggest::did_you_mean;

const EXAMPLES: &str = "\
Examples:
  warpgraph run bfs kron:16 --verify
  warpgraph generate kron:12,w=1..255 small.wg
  warpgraph info small.wg
  warpgraph run sssp small.wg --source 5 --target 9
  warpgraph run pagerank small.wg --out ranks.csv
  warpgraph estimate pagerank kron:24
  warpgraph doctor

A graph is a file (edge list, .mtx, .gr, .graph, .graphml, .npz, .parquet, .sg, .wsg,
.g500, .wg, WebGraph; .gz, .zst, .xz or .bz2 of these), - for standard input, or a generator
such as kron:20, uniform:20, grid:1024x1024, powerlaw:1000000 or community:20.
Exit codes: 0 fine, 1 verification failed, 2 error, 130 interrupted.";

/// Graph analytics: breadth-first search, shortest paths, PageRank, components
#[derive(Parser)]
#[command(name = "warpgraph", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Cli {
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Run(Run),
    #[cfg(feature = "cluster")]
    Cluster(Cluster),
    Estimate(Estimate),
    Bench(Bench),
    Info(Info),
    Convert(Convert),
    Generate(Generate),
    Reorder(Reorder),
    Partition(Partition),
    Plans(Plans),
    Doctor(Doctor),
    Completions(Completions),
}

/// Handles a command line that clap refused: prints help and version to standard output, returns mistakes as errors.
pub(crate) fn usage(error: &clap::Error, args: &[OsString], as_json: bool) -> Result<u8> {
    let wants_text = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if wants_text {
        console::out(&error.render().ansi().to_string()).map_err(Failure::stdout)?;
        return Ok(0);
    }
    let text = error.render().to_string();
    if !as_json && error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        console::err(&error.render().ansi().to_string());
        return Ok(2);
    }
    if let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    {
        return Err(no_such_command(word, &parse::named(args)));
    }
    let (message, help) = split(&text, args);
    Err(Failure::new("usage", message, help))
}

/// Returns the error for a word that names no command below `parent`, with the nearest one and all there are.
fn no_such_command(word: &str, parent: &clap::Command) -> Failure {
    let (kind, kinds) = match parent.get_name() {
        "run" => ("algorithm", "algorithms"),
        _ => ("command", "commands"),
    };
    let names: Vec<&str> = parent.get_subcommands().map(clap::Command::get_name).collect();
    let all = format!("{kinds}: {}", names.join(", "));
    Failure::new("usage", format!("there is no {kind} {word:?}"), did_you_mean(word, &names, &all))
}

/// Splits clap's text about `args` into the message and the next step (the tip and the usage line).
fn split(text: &str, args: &[OsString]) -> (String, String) {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let mut lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("cannot read the command line");
    let (mut message, mut help) = (first.to_owned(), Vec::new());
    for line in lines {
        let line = line.trim_start();
        if let Some(tip) = line.strip_prefix("tip: ") {
            help.push(reworded(tip, args));
        } else if let Some(usage) = line.strip_prefix("Usage: ") {
            help.push(format!("usage: {usage}"));
        } else if !line.starts_with("For more information") && help.is_empty() {
            message = format!("{message} {line}");
        }
    }
    (message, help.join("; "))
}

/// Returns clap's tip, except the one that suggests `-- -x`, which does not help where `-x` is the value of a flag.
fn reworded(tip: &str, args: &[OsString]) -> String {
    let Some((start, _)) = tip.strip_prefix("to pass '").and_then(|rest| rest.split_once("' as a value"))
    else {
        return tip.to_owned();
    };
    let mut pairs = args.windows(2).filter_map(|pair| Some((pair[0].to_str()?, pair[1].to_str()?)));
    match pairs.find(|(flag, value)| flag.starts_with("--") && value.starts_with(start)) {
        Some((flag, value)) => format!("if {value} is the value of {flag}, write {flag}={value}"),
        None => format!("if {start} is a file, write ./{start}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use std::collections::HashSet;

    /// Runs clap's own checks of all commands, which need debug assertions. The next test also covers release builds.
    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn arguments_and_groups_of_a_command_have_names_of_their_own() {
        all_differ(&Cli::command());
    }

    fn all_differ(command: &clap::Command) {
        let ids = command.get_arguments().map(|arg| arg.get_id());
        let mut seen = HashSet::new();
        for id in ids.chain(command.get_groups().map(|group| group.get_id())) {
            assert!(seen.insert(id), "{}: {id} is there twice", command.get_name());
        }
        command.get_subcommands().for_each(all_differ);
    }
}
