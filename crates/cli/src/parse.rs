//! Parses the command line, with two things that clap does not offer.
//!
//! A list such as `--personalize '"a,b"=2,c'` is cut at the commas outside quotes, and a negative number after a flag is
//! its value: `--source -1` asks for the vertex -1.

use crate::args::Cli;
use clap::{Arg, Command, CommandFactory, FromArgMatches};
use std::{collections::HashSet, ffi::OsString};
use warpgraph::quoted;

/// The delimiter of lists inside clap, which knows no quotes: the unit separator of ASCII.
const SEPARATOR: char = '\u{1f}';

/// Parses the arguments, the name of the program first.
pub(crate) fn parse(args: Vec<OsString>) -> Result<Cli, clap::Error> {
    let args = separated(args);
    let mut command = adapted(Cli::command());
    let matches = command.try_get_matches_from_mut(args)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Returns the innermost command that the first arguments name.
pub(crate) fn named(args: &[OsString]) -> Command {
    let mut command = Cli::command();
    for arg in args.iter().skip(1) {
        let Some(found) = command.find_subcommand(arg) else { break };
        command = found.clone();
    }
    command
}

/// Returns the command and all below it with the delimiter of this module and with negative numbers as values.
fn adapted(command: Command) -> Command {
    let adapt = |arg: Arg| match (is_list(&arg), arg.get_long().is_some() && arg.get_action().takes_values())
    {
        (true, _) => arg.value_delimiter(SEPARATOR).allow_negative_numbers(true),
        (false, takes_value) => arg.allow_negative_numbers(takes_value),
    };
    command.mut_args(adapt).mut_subcommands(adapted)
}

fn is_list(arg: &Arg) -> bool {
    arg.get_value_delimiter().is_some()
}

/// Returns the arguments with the delimiter of this module between the items of every list.
fn separated(args: Vec<OsString>) -> Vec<OsString> {
    let command = named(&args);
    let lists = command.get_arguments().filter(|arg| is_list(arg)).filter_map(|arg| arg.get_long());
    let lists: HashSet<String> = lists.map(|name| format!("--{name}")).collect();
    let join = |list: &str| quoted::split(list).join(&SEPARATOR.to_string());
    let (mut is_list, mut is_over) = (false, false);
    let separate = |arg: OsString| {
        is_over |= arg == "--";
        let Some(text) = arg.to_str().filter(|_| !is_over) else { return arg };
        if std::mem::replace(&mut is_list, lists.contains(text)) {
            return join(text).into();
        }
        match text.split_once('=') {
            Some((flag, list)) if lists.contains(flag) => format!("{flag}={}", join(list)).into(),
            _ => arg,
        }
    };
    args.into_iter().map(separate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn separated(line: &[&str]) -> Vec<String> {
        let args = line.iter().map(OsString::from).collect();
        super::separated(args)
            .into_iter()
            .map(|arg| arg.into_string().unwrap().replace(SEPARATOR, "|"))
            .collect()
    }

    #[test]
    fn lists_are_cut_outside_quotes_and_nothing_else_is() {
        let line = [
            "warpgraph",
            "run",
            "bc",
            "a,b.el",
            "--source",
            "1,\"a,b\"",
            "--source=2,3",
            "--",
            "--source",
            "4,5",
        ];
        let expected = [
            "warpgraph",
            "run",
            "bc",
            "a,b.el",
            "--source",
            "1|\"a,b\"",
            "--source=2|3",
            "--",
            "--source",
            "4,5",
        ];
        assert_eq!(separated(&line), expected);
        let one = ["warpgraph", "run", "bfs", "a.el", "--source", "a,b"];
        assert_eq!(separated(&one), one, "bfs takes one source, commas and all");
    }

    #[test]
    fn a_negative_number_is_the_value_of_the_flag_before_it() {
        let parses = |line: &str| parse(line.split(' ').map(OsString::from).collect()).is_ok();
        assert!(parses("warpgraph run bfs a.el --source -1 --target -2"));
        assert!(parses("warpgraph run bc a.el --source -1"));
        assert!(!parses("warpgraph run bfs a.el --verify -1"), "a flag without a value takes none");
    }
}
