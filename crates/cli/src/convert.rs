//! `warpgraph convert`: a graph from one format to another.

use crate::{
    describe,
    failure::Result,
    load,
    reading::Reading,
    session::{Session, Working},
    write,
};
use clap::Args;
use std::path::PathBuf;
use warpgraph::{Device, graph::format::write::WriteOptions};

/// Write a graph in another format
///
/// What the format cannot hold (weights in .el, ids in .mtx) is said in a warning. The file appears when it is complete.
#[derive(Args)]
#[command(after_help = "\
Examples:
  warpgraph convert grid:100x100 grid.mtx
  warpgraph convert grid.mtx grid.wg")]
pub(crate) struct Convert {
    /// The graph: a file, - for standard input, or a generator such as kron:20
    graph: String,
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
    #[command(flatten)]
    reading: Reading,
}

/// Reads, then writes.
pub(crate) fn run(args: &Convert) -> Result<u8> {
    let format = write::format_of(&args.out, args.to.as_deref())?;
    write::refuse_existing(&args.out, args.force)?;
    let session = Session::start(&args.working, Device::Cpu)?;
    let loaded = load::load(&session, &args.graph, &args.reading)?;
    session.say(&describe::describe(&loaded.graph, loaded.seconds));
    let options = WriteOptions { format: Some(format), force: args.force };
    write::write("convert", &session, &args.working, &loaded, &args.out, &options)?;
    Ok(0)
}
