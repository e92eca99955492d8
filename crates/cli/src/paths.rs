//! Paths that a `.wg` file keeps: `convert --paths` makes them, reports describe them.

use crate::{
    console::{bytes, count, seconds},
    failure::{Failure, Result},
    session::Session,
};
use clap::Args;
use serde::Serialize;
use std::time::Instant;
use warpgraph::{
    Control, DEFAULT_SEED, Graph, Plan,
    graph::{
        Paths, Stored,
        format::write::OutputFormat,
        paths::{Found, Recipe},
    },
    transform::{self, Means},
};

/// Whether to make paths, and how.
#[derive(Args)]
pub(crate) struct Keep {
    /// Also keep the graph's paths in the .wg file, for runs of the model paths
    ///
    /// Runs with --plan paths then need not make them. Options as in the plan: lambda, beta, importance, sketch, backward.
    /// An example: --paths lambda=0.005,importance=closeness
    #[arg(long, value_name = "OPTIONS", num_args = 0..=1, default_missing_value = "")]
    paths: Option<String>,
}

/// Paths that were made, and the seconds that took.
pub(crate) struct Made {
    pub(crate) graph: Graph,
    pub(crate) seconds: f64,
}

impl Keep {
    /// Returns the plan whose paths are wanted. Refuses options that paths do not have, and formats that do not keep paths.
    pub(crate) fn plan(&self, format: OutputFormat) -> Result<Option<Plan>> {
        let Some(options) = &self.paths else { return Ok(None) };
        if format != OutputFormat::Wg {
            let what = format!("a .{format} file cannot keep paths");
            return Err(Failure::new("invalid", what, "write a .wg file, or leave --paths out"));
        }
        let plan: Plan = match options.as_str() {
            "" => Plan::PATHS,
            options => format!("paths({options})").parse()?,
        };
        if plan.paths().map(|paths| paths.np) != Plan::PATHS.paths().map(|paths| paths.np) {
            let what = "--paths does not take np: it is about runs, and paths do not depend on it";
            return Err(Failure::new("invalid", what, "give np to the run: --plan 'paths(np=4)'"));
        }
        Ok(Some(plan))
    }
}

/// Returns the graph with the paths that a plan asks for: those of its arcs as a file stores them.
pub(crate) fn keep(session: &Session, graph: &Graph, plan: Plan) -> Result<Made> {
    let start = Instant::now();
    let graph = session.work(|control| with_paths(graph, plan, control))?;
    Ok(Made { graph, seconds: start.elapsed().as_secs_f64() })
}

fn with_paths(graph: &Graph, plan: Plan, control: &Control) -> warpgraph::Result<Graph> {
    let Some(stored) = graph.stored() else { return made(graph, plan, control) };
    let inner = made(stored.graph(), plan, control)?;
    let stored = Stored::new(stored.label().clone(), inner, stored.map().clone())?;
    Ok(graph.stored_as(Some(stored))?)
}

fn made(graph: &Graph, plan: Plan, control: &Control) -> warpgraph::Result<Graph> {
    let Some(plan) = plan.paths() else { return Ok(graph.clone()) };
    // Paths depend on their recipe only, so the seed is always the same.
    let means = Means::on_cpu(DEFAULT_SEED, control);
    let paths = transform::paths(graph, &plan.recipe(graph), None, &means)?;
    Ok(graph.clone().with_paths(Some(paths))?)
}

/// Returns the paths of the arcs as a file stores them.
pub(crate) fn kept(graph: &Graph) -> Option<&Paths> {
    graph.stored().map_or(graph, Stored::graph).paths().map(|paths| &**paths)
}

/// Describes paths in a line.
pub(crate) fn words(paths: &Paths) -> String {
    let (found, recipe) = (paths.found(), paths.recipe());
    let hubs = format!("{} hubs by {}", count(found.hubs), recipe.importance);
    let all = format!("{} paths ({} to hubs)", count(found.paths()), count(found.hub_paths));
    let size = format!("{} chunks, {}", count(paths.chunks() as u64), bytes(paths.bytes()));
    format!("{hubs}, {all} in {size}")
}

/// Describes paths in a line, with the time to make them.
pub(crate) fn words_timed(paths: &Paths, took: f64) -> String {
    format!("{}, made in {}", words(paths), seconds(took))
}

/// Paths in reports.
#[derive(Serialize)]
pub(crate) struct PathReport {
    recipe: Recipe,
    found: Found,
    chunks: usize,
    hub_chunks: usize,
    bytes: u64,
}

impl PathReport {
    /// Returns the report on the paths that a graph keeps; `None` if it keeps none.
    pub(crate) fn of(graph: &Graph) -> Option<Self> {
        let paths = kept(graph)?;
        Some(Self {
            recipe: paths.recipe().clone(),
            found: *paths.found(),
            chunks: paths.chunks(),
            hub_chunks: paths.hub_chunks(),
            bytes: paths.bytes(),
        })
    }
}
