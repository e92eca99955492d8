//! `warpgraph completions`: prints a shell's completion script.

use crate::{args::Cli, console, failure::Failure, failure::Result};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print the completion script of a shell
///
/// For bash: warpgraph completions bash > ~/.local/share/bash-completion/completions/warpgraph
#[derive(Args)]
#[command(after_help = "Example:\n  warpgraph completions bash")]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(args: &Completions) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "warpgraph", &mut script);
    console::raw(&script).map_err(Failure::stdout)?;
    Ok(0)
}
