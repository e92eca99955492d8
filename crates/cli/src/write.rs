//! Writes graphs to files, for `convert` and `generate`, and warns about what the format cannot hold.

use crate::{
    console::{self, Rows, bytes, count, seconds},
    describe,
    failure::Result,
    load::ReadGraph,
    put_json,
    report::{GraphReport, Memory, SCHEMA, VERSION},
    session::{Session, Working},
};
use clap::Args;
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    time::Instant,
};
use warpgraph::{
    Graph,
    graph::{
        Error, Ids,
        format::write::{OutputFormat, WriteOptions},
    },
};

/// Where to write a graph.
#[derive(Args)]
pub(crate) struct Out {
    /// File to write: .wg, .el, .wel, .mtx, .sg, .wsg or .g500 by ending; - for standard output (needs --to)
    out: PathBuf,
    /// Format to write, if the ending does not show it: wg, el, wel, mtx, sg, wsg or g500
    #[arg(long, value_name = "F")]
    to: Option<String>,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
}

impl Out {
    /// Loads a graph and writes it. Refuses a file that could not be written before any work.
    pub(crate) fn save(
        &self,
        command: &str,
        working: &Working,
        load: impl FnOnce(&Session) -> Result<ReadGraph>,
    ) -> Result<u8> {
        let format = format_of(&self.out, self.to.as_deref())?;
        refuse_existing(&self.out, self.force)?;
        let session = Session::start(working)?;
        let loaded = load(&session)?;
        session.say(&describe::describe(&loaded.graph, loaded.seconds));
        let options = WriteOptions { format: Some(format), force: self.force };
        write(command, &session, working, &loaded, &self.out, &options)?;
        Ok(0)
    }
}

/// Returns the format of a file's ending, unless the user named one.
pub(crate) fn format_of(path: &Path, asked: Option<&str>) -> Result<OutputFormat> {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let unknown = |_| {
        let what = format!("{}: cannot tell the format by this ending", path.display());
        Error::invalid(what, "use one of .wg, .el, .wel, .mtx, .sg, .wsg, .g500, or name it with --to")
    };
    Ok(match asked {
        Some(name) => name.parse()?,
        None => ending.parse().map_err(unknown)?,
    })
}

/// Refuses a file that exists, before any work.
pub(crate) fn refuse_existing(path: &Path, force: bool) -> Result<()> {
    let is_there = path != Path::new("-") && !force && path.symlink_metadata().is_ok();
    if is_there { Err(Error::Exists { path: path.display().to_string() }.into()) } else { Ok(()) }
}

/// Writes the graph and reports on it.
fn write(
    command: &str,
    session: &Session,
    working: &Working,
    loaded: &ReadGraph,
    path: &Path,
    options: &WriteOptions,
) -> Result<()> {
    let graph = &loaded.graph;
    let format = options.format.unwrap_or(OutputFormat::Wg);
    let warnings = [graph.origin().warnings.clone(), losses(graph, format)].concat();
    if !working.json {
        warnings.iter().for_each(|w| console::warning(w));
    }
    let start = Instant::now();
    session.work(|control| graph.write(path, options, control))?;
    let took = start.elapsed().as_secs_f64();
    let size = path.metadata().ok().map(|m| m.len());
    if working.json {
        return put_json(&json!({
            "schema": SCHEMA, "version": VERSION, "command": command,
            "graph": session.work(|_| GraphReport::new(graph)),
            "out": { "path": path.display().to_string(), "format": format.name(), "bytes": size },
            "threads": session.engine.threads(),
            "seconds": { "load": loaded.seconds, "write": took },
            "memory": Memory::new(graph, None),
            "warnings": warnings,
        }));
    }
    let mut rows = Rows::default();
    let size = size.map_or(String::new(), |n| format!(", {}", bytes(n)));
    rows.add("written", format!("{} ({}{size}) in {}", path.display(), format.name(), seconds(took)));
    session.say(&rows.text());
    Ok(())
}

/// Returns what the format cannot hold of this graph, one sentence each.
fn losses(graph: &Graph, format: OutputFormat) -> Vec<String> {
    let name = format.name();
    let weighted = graph.weight_type().is_some();
    let isolated = graph.counts().isolated;
    let (is_list, is_gap) = (matches!(name, "el" | "wel" | "g500"), matches!(name, "sg" | "wsg"));
    let first = if is_gap { 0 } else { 1 };
    let renumbered =
        (is_gap || name == "mtx") && !matches!(graph.ids(), Ids::Range { first: f, .. } if *f == first);
    let mut losses = Vec::new();
    if weighted && matches!(name, "el" | "sg") {
        losses.push(format!("a .{name} file has no weights: they are left out (.w{name} keeps them)"));
    }
    if name == "g500" && weighted {
        losses.push("a .g500 file has no weights: they are left out (.wel keeps them)".to_owned());
    }
    if name == "g500" && graph.is_directed() {
        losses.push("a .g500 file is taken as undirected: read it with --directed".to_owned());
    }
    if is_list && isolated > 0 {
        let n = count(isolated);
        losses.push(format!("an edge list cannot name isolated vertices: {n} are left out (.wg keeps them)"));
    }
    if renumbered {
        losses
            .push(format!("a .{name} file numbers vertices from {first}: the ids are lost (.wg keeps them)"));
    }
    losses
}
