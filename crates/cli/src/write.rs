//! Writes graphs to files, for `convert` and `generate`, and warns about what the format cannot hold.

use crate::{
    console::{self, Rows, bytes, count, seconds},
    describe,
    failure::Result,
    load::ReadGraph,
    paths::{self, Keep, Made, PathReport},
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
        Error, Ids, WeightType,
        format::write::{OutputFormat, Packing, WriteOptions},
    },
};

/// Where to write a graph.
#[derive(Args)]
pub(crate) struct Out {
    #[arg(help = format!(
        "File to write, its format by ending ({}), packed if .gz or .zst follows; - for standard output (needs --to)", names(".").join(", ")
    ))]
    out: PathBuf,
    #[arg(long, value_name = "F", help = format!(
        "Format to write, if the ending does not show it: {}", names("").join(", ")
    ))]
    to: Option<String>,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
}

impl Out {
    /// Loads a graph and writes it, with paths if they are wanted. Refuses a file that could not be written before any
    /// work.
    pub(crate) fn save(
        &self,
        command: &str,
        working: &Working,
        keep: Option<&Keep>,
        load: impl FnOnce(&Session) -> Result<ReadGraph>,
    ) -> Result<u8> {
        let format = format_of(&self.out, self.to.as_deref())?;
        refuse_existing(&self.out, self.force)?;
        let plan = keep.map(|keep| keep.plan(format)).transpose()?.flatten();
        let session = Session::start(working)?;
        let loaded = load(&session)?;
        session.say(&describe::describe(&loaded.graph, loaded.seconds));
        let made = plan.map(|plan| paths::keep(&session, &loaded.graph, plan)).transpose()?;
        let (graph, paths) = match made {
            Some(Made { graph, seconds }) => (graph, Some(seconds)),
            None => (loaded.graph, None),
        };
        let subject = Subject { command, graph, load: loaded.seconds, paths };
        let options = WriteOptions { format: Some(format), force: self.force };
        write(&subject, &session, working, &self.out, &options)?;
        Ok(0)
    }
}

/// Returns the format of a file's ending, unless the user named one.
fn format_of(path: &Path, asked: Option<&str>) -> Result<OutputFormat> {
    let unknown = |_| {
        let what = format!("{}: cannot tell the format by this ending", path.display());
        Error::invalid(what, format!("use one of {}, or name it with --to", names(".").join(", ")))
    };
    let format: OutputFormat = match asked {
        Some(name) => name.parse()?,
        None => Packing::of_path(path).1.parse().map_err(unknown)?,
    };
    format.refuse_packed(path)?;
    Ok(format)
}

/// Refuses a file that exists, before any work.
pub(crate) fn refuse_existing(path: &Path, force: bool) -> Result<()> {
    let is_there = path != Path::new("-") && !force && path.symlink_metadata().is_ok();
    if is_there { Err(Error::Exists { path: path.display().to_string() }.into()) } else { Ok(()) }
}

/// What is written.
struct Subject<'a> {
    command: &'a str,
    graph: Graph,
    /// Seconds to load the graph, and to make its paths.
    load: f64,
    paths: Option<f64>,
}

/// Writes the graph and reports on it.
fn write(
    subject: &Subject<'_>,
    session: &Session,
    working: &Working,
    path: &Path,
    options: &WriteOptions,
) -> Result<()> {
    let Subject { command, graph, load, paths } = subject;
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
            "paths": PathReport::of(graph),
            "threads": session.engine.threads(),
            "seconds": { "load": load, "paths": paths, "write": took },
            "memory": Memory::new(graph, None),
            "warnings": warnings,
        }));
    }
    let mut rows = Rows::default();
    if let (Some(kept), Some(took)) = (paths::kept(graph), *paths) {
        rows.add("paths", paths::words_timed(kept, took));
    }
    let size = size.map_or(String::new(), |n| format!(", {}", bytes(n)));
    rows.add("written", format!("{} ({}{size}) in {}", path.display(), format.name(), seconds(took)));
    session.say(&rows.text());
    Ok(())
}

/// Returns what the format cannot hold of this graph, one sentence each.
fn losses(graph: &Graph, format: OutputFormat) -> Vec<String> {
    let (keeps, isolated) = (format.keeps(), graph.counts().isolated);
    let mut losses = Vec::new();
    if let Some(other) = keeps.weighted.filter(|_| graph.weight_type().is_some()) {
        losses.push(format!("a .{format} file has no weights: they are left out (.{other} keeps them)"));
    }
    match (keeps.assumed_directed, graph.is_directed()) {
        (Some(false), true) => {
            losses.push(format!("a .{format} file is taken as undirected: read it with --directed"));
        }
        (Some(true), false) => {
            losses.push(format!("a .{format} file is taken as directed: read it with --undirected"));
        }
        _ => {}
    }
    if !keeps.single && graph.weight_type() == Some(WeightType::F32) {
        losses.push(format!(
            "a .{format} file does not say that weights are f32: read it with --weight-type f32"
        ));
    }
    if graph.labels().is_some() {
        losses.push(format!(
            "a .{format} file has no labels: they are left out; pass --vertex-table again when reading it"
        ));
    }
    if format != OutputFormat::Wg && paths::kept(graph).is_some() {
        losses.push(format!("a .{format} file cannot keep paths: they are left out (.wg keeps them)"));
    }
    if !keeps.isolated && isolated > 0 {
        let n = count(isolated);
        losses.push(format!("an edge list cannot name isolated vertices: {n} are left out (.wg keeps them)"));
    }
    let starts_with = |n: u64| matches!(graph.ids(), Ids::Range { first, .. } if *first == n);
    if let Some(n) = keeps.renumbered_from.filter(|&n| !starts_with(n)) {
        losses.push(format!("a .{format} file numbers vertices from {n}: the ids are lost (.wg keeps them)"));
    }
    losses
}

/// Returns the names of all formats, each after `prefix`: warpgraph's own, which keeps everything, before the others.
fn names(prefix: &str) -> Vec<String> {
    let others = OutputFormat::ALL.iter().copied().filter(|&format| format != OutputFormat::Wg);
    std::iter::once(OutputFormat::Wg).chain(others).map(|format| format!("{prefix}{format}")).collect()
}
