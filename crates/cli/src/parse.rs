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
    // Built once: it takes a millisecond.
    let command = Cli::command();
    let path = path(&args, &command);
    let args = separated(args, innermost(&command, &path));
    let mut command = adapted(command, &path);
    let matches = command.try_get_matches_from_mut(args)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Returns the innermost command that the first arguments name, also after `help`.
pub(crate) fn named(args: &[OsString]) -> Command {
    let command = Cli::command();
    innermost(&command, &path(args, &command)).clone()
}

/// Returns the names of the commands that the first arguments name, the outermost first. Flags of `cluster` stand before the
/// command that it runs.
fn path(args: &[OsString], mut command: &Command) -> Vec<String> {
    let mut path = Vec::new();
    for arg in args.iter().skip(1).skip_while(|arg| *arg == "help") {
        match command.find_subcommand(arg) {
            Some(found) => {
                path.push(found.get_name().to_owned());
                command = found;
            }
            None if command.get_name() == "cluster" => {}
            None => break,
        }
    }
    path
}

/// Returns the command at the end of a path.
fn innermost<'a>(command: &'a Command, path: &[String]) -> &'a Command {
    path.iter().fold(command, |command, name| command.find_subcommand(name).unwrap_or(command))
}

/// Returns the command, and those below it along a path, with the delimiter of this module and with negative numbers as
/// values.
fn adapted(command: Command, path: &[String]) -> Command {
    let adapt = |arg: Arg| match (is_list(&arg), arg.get_long().is_some() && arg.get_action().takes_values())
    {
        (true, _) => arg.value_delimiter(SEPARATOR).allow_negative_numbers(true),
        (false, takes_value) => arg.allow_negative_numbers(takes_value),
    };
    let command = command.mut_args(adapt);
    match path {
        [] => command,
        [name, rest @ ..] => command.mut_subcommand(name, |below| adapted(below, rest)),
    }
}

fn is_list(arg: &Arg) -> bool {
    arg.get_value_delimiter().is_some()
}

/// Returns the arguments of a command with the delimiter of this module between the items of every list. A list that begins with a
/// negative number is joined to its flag, because clap would take it for a flag.
fn separated(args: Vec<OsString>, command: &Command) -> Vec<OsString> {
    let lists = command.get_arguments().filter(|arg| is_list(arg)).filter_map(|arg| arg.get_long());
    let lists: HashSet<String> = lists.map(|name| format!("--{name}")).collect();
    let join = |flag: &str, list: &str| {
        format!("{flag}={}", quoted::split(list).join(&SEPARATOR.to_string())).into()
    };
    let (mut done, mut args) = (Vec::new(), args.into_iter().peekable());
    while let Some(arg) = args.next() {
        let value = args.peek().and_then(|next| next.to_str()).filter(|next| !is_flag(next));
        match (arg.to_str().unwrap_or_default(), value) {
            ("--", _) => {
                done.push(arg);
                done.extend(args);
                break;
            }
            (flag, Some(list)) if lists.contains(flag) => {
                done.push(join(flag, list));
                args.next();
            }
            (text, _) => match text.split_once('=') {
                Some((flag, list)) if lists.contains(flag) => done.push(join(flag, list)),
                _ => done.push(arg),
            },
        }
    }
    done
}

/// Returns true if an argument is a flag, and not a value that begins with a negative number.
fn is_flag(arg: &str) -> bool {
    arg.strip_prefix('-').is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn separated(line: &[&str]) -> Vec<String> {
        let args: Vec<_> = line.iter().map(OsString::from).collect();
        let command = named(&args);
        super::separated(args, &command)
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
            "--source=1|\"a,b\"",
            "--source=2|3",
            "--",
            "--source",
            "4,5",
        ];
        assert_eq!(separated(&line), expected);
        let flag = ["warpgraph", "run", "bc", "a.el", "--source", "--verify"];
        assert_eq!(separated(&flag), flag, "a flag is no value");
        let one = ["warpgraph", "run", "bfs", "a.el", "--source", "a,b"];
        assert_eq!(separated(&one), one, "bfs takes one source, commas and all");
    }

    #[test]
    fn a_negative_number_is_the_value_of_the_flag_before_it() {
        let parses = |line: &str| parse(line.split(' ').map(OsString::from).collect()).is_ok();
        assert!(parses("warpgraph run bfs a.el --source -1 --target -2"));
        assert!(parses("warpgraph run bc a.el --source -1"));
        assert!(parses("warpgraph run pagerank a.el --personalize -1,2=3"));
        assert!(!parses("warpgraph run bfs a.el --verify -1"), "a flag without a value takes none");
        #[cfg(feature = "cluster")]
        assert!(parses("warpgraph cluster --local 2 --wait 5 run bfs a.el --source -1"));
    }
}
