//! `warpgraph generate`: a synthetic graph into a file.

use crate::{
    describe,
    failure::Result,
    load,
    session::{Session, Working},
    write,
};
use clap::Args;
use std::path::PathBuf;
use warpgraph::{Device, graph::format::write::WriteOptions};

/// Write a synthetic graph to a file
///
/// The same description gives the same graph, on any number of threads. Keys: seed=S, degree=D, w=A..B (whole weights),
/// directed, and alpha, drop, size, mix, shuffle where they apply.
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
    /// The file to write: .wg, .el, .wel, .mtx, .sg, .wsg or .g500 by ending; - for standard output (needs --to)
    out: PathBuf,
    /// The format to write, if the ending does not tell: wg, el, wel, mtx, sg, wsg or g500
    #[arg(long, value_name = "F")]
    to: Option<String>,
    /// Replace the file if it is there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    working: Working,
}

/// Generates, then writes.
pub(crate) fn run(args: &Generate) -> Result<u8> {
    let format = write::format_of(&args.out, args.to.as_deref())?;
    write::refuse_existing(&args.out, args.force)?;
    let session = Session::start(&args.working, Device::Cpu)?;
    let loaded = load::generated(&session, &args.spec)?;
    session.say(&describe::describe(&loaded.graph, loaded.seconds));
    let options = WriteOptions { format: Some(format), force: args.force };
    write::write("generate", &session, &args.working, &loaded, &args.out, &options)?;
    Ok(0)
}
