//! `warpgraph convert`: writes a graph in another format.

use crate::{failure::Result, load, paths::Keep, reading::Reading, session::Working, write::Out};
use clap::Args;

/// Write a graph in another format
///
/// A warning names what the format cannot hold (weights in .el, ids in .mtx). The file appears only when it is
/// complete.
#[derive(Args)]
#[command(after_help = "\
Examples:
  warpgraph convert grid:100x100 grid.mtx
  warpgraph convert grid.mtx grid.wg
  warpgraph convert kron:14 kron.wg --paths
  warpgraph convert kron:14 close.wg --paths lambda=0.01,importance=closeness")]
pub(crate) struct Convert {
    /// The graph: a file, - for standard input, or a generator such as kron:20
    graph: String,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    keep: Keep,
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    reading: Reading,
}

/// Reads the graph, then writes it.
pub(crate) fn run(args: &Convert) -> Result<u8> {
    let load = |session: &_| load::load(session, &args.graph, &args.reading);
    args.out.save("convert", &args.working, Some(&args.keep), load)
}
