//! `warpgraph generate`: writes a synthetic graph to a file.

use crate::{failure::Result, load, session::Working, write::Out};
use clap::Args;

/// Write a synthetic graph to a file
///
/// The same description generates the same graph, on any number of threads. Keys: seed=S, degree=D, w=A..B (integer
/// weights), directed, and alpha, drop, size, mix, shuffle where they apply.
#[derive(Args)]
#[command(after_help = "\
Examples:
  warpgraph generate kron:12,w=1..255 kron.wg
  warpgraph generate powerlaw:10000,alpha=2.1 web.el
  warpgraph generate community:12,size=100,mix=0.2 communities.mtx

Generators: kron:SCALE and uniform:SCALE (2^SCALE vertices), grid:WxH,
powerlaw:VERTICES, community:SCALE.")]
pub(crate) struct Generate {
    /// The generator: name:size{,key=value}
    spec: String,
    #[command(flatten)]
    out: Out,
    #[command(flatten)]
    working: Working,
}

/// Generates the graph, then writes it.
pub(crate) fn run(args: &Generate) -> Result<u8> {
    args.out.save("generate", &args.working, None, |session| load::generated(session, &args.spec))
}
