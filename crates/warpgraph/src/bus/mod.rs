//! What crosses the bus in runs whose edges are not all on the device, level by level.
//!
//! [`trace`] runs a question once more, with kernels that count, and watches which rows each superstep reads:
//!
//! | figure | found | basis |
//! | --- | --- | --- |
//! | gap | the mean of log2 of the gap between consecutive active vertices, [`transform::levels`](warpgraph_transform::levels) | exact |
//! | pages | the pages of 4 KiB that hold the rows of a superstep, on the device or off it, counted again in every superstep | exact; modelled if supersteps pull, since a pull may end before its row does |
//! | sectors | the sectors of 32 bytes that kernels ask for, if edges are in host memory | counted |
//! | evictions | [`transform::unified`](warpgraph_transform::unified), fed with the rows of each superstep, if edges are in managed memory | modelled |
//!
//! A fast form has no supersteps that the host knows. The levels of a breadth-first search follow from its answer: the
//! frontier of level d is the vertices at distance d. A level that pulls reads, in every row of a vertex that is not
//! found yet, up to the first arc from one that is. Of other fast forms there are totals only. If the rows of some level
//! are not known (targets are coded, or a pull looks at heads first), a further run counts the different pages in host
//! memory that all kernels touch.

mod arrays;
mod figures;
mod meter;
mod search;
#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests;

use crate::{Loaded, Options, Question};
use figures::Context;
use meter::{Meter, Watcher};
use serde::Serialize;
use std::sync::Arc;
use warpgraph_core::{Basis, Direction, Residency, Result, Run, Transfer, Watch};
use warpgraph_graph::memory::human_bytes;
use warpgraph_transform::unified::{PAGE, REGION};

/// What crossed the bus in a run, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trace {
    /// Mean of log2 of the gap between consecutive active vertices of a level; `None` if the levels are not known, or no
    /// level has two vertices.
    pub gap: Option<f64>,
    /// Pages touched, summed over levels; if those of some level are not known, the different pages in host memory that the run
    /// touched. `None` if nothing counted them.
    pub pages: Option<u64>,
    /// Sectors that kernels asked for; `None` if no edges are in host memory that they read.
    pub sectors: Option<u64>,
    /// What a model of unified memory says; `None` if no edges are there, or if it cannot be modelled.
    pub unified: Option<Unified>,
    /// How the figures were found.
    pub basis: Bases,
    /// One entry per superstep or level; empty if they are not known.
    pub levels: Vec<Level>,
    /// Why figures are missing.
    pub notes: Vec<String>,
}

/// What moved in a model of unified memory that starts with all pages on the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Unified {
    /// Bytes of device memory for edges: what the budget of the run leaves beside offsets and state.
    pub memory: u64,
    /// Pages that moved to the device, with those that were prefetched and those that came again.
    pub fetched_pages: u64,
    /// Pages among them that had been evicted before.
    pub refetched_pages: u64,
    /// Regions of 2 MiB that were evicted.
    pub evicted_regions: u64,
    /// Pages in these regions.
    pub evicted_pages: u64,
}

/// How each figure was found; `None` if there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Bases {
    /// Of gaps.
    pub gap: Option<Basis>,
    /// Of pages.
    pub pages: Option<Basis>,
    /// Of sectors.
    pub sectors: Option<Basis>,
    /// Of evictions and of pages that moved again.
    pub unified: Option<Basis>,
}

/// One superstep of a run, or one level of a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Level {
    /// Its number, from 0.
    pub round: u64,
    /// Its direction; `None` if the run does not report it.
    pub direction: Option<Direction>,
    /// Active vertices.
    pub frontier: u64,
    /// Mean of log2 of the gap between consecutive active vertices.
    pub gap: Option<f64>,
    /// Pages touched.
    pub pages: Option<u64>,
    /// Sectors that kernels asked for.
    pub sectors: Option<u64>,
    /// Bytes that crossed the bus: see [`Transfer`]. A page of managed memory counts once in a run.
    pub moved: Option<u64>,
    /// The least bytes that had to cross.
    pub ideal: Option<u64>,
    /// Pages that the model of unified memory moved to the device.
    pub fetched_pages: Option<u64>,
    /// Pages that it evicted.
    pub evicted_pages: Option<u64>,
    /// Pages that it moved again after it had evicted them.
    pub refetched_pages: Option<u64>,
}

/// Runs a question once more, and returns what crossed the bus, in all and by levels. `timed` is an earlier run of it, whose
/// edges were not all on the device. The transfer is `None` if this run counted nothing.
///
/// # Errors
/// A run's.
pub fn trace(
    loaded: &Loaded,
    question: &dyn Question,
    options: &Options,
    timed: &Run,
) -> Result<(Option<Transfer>, Trace)> {
    let (view, control) = (loaded.view(), &options.control);
    let residency = timed.plan.residency.unwrap_or(Residency::DEVICE);
    let footprint = question.footprint_on(view.graph(), options);
    let mut notes = Vec::new();
    let memory = match residency {
        Residency::Unified { .. } => memory_for_edges(loaded, footprint.rest, &mut notes),
        _ => None,
    };
    let watcher = Arc::new(Watcher::new(Meter::new(view.graph(), footprint, residency, memory, control)?));
    let watch: Option<Arc<dyn Watch>> = Some(Arc::<Watcher>::clone(&watcher));
    let counting = Options { count_transfer: true, trace: true, watch, ..options.clone() };
    let answer = loaded.ask(question, &counting)?.0;
    let (run, mut guard) = (answer.run(), watcher.meter());
    let meter = &mut *guard;
    let found = answer.levels().filter(|_| meter.steps.is_empty());
    if let Some(found) = found {
        let map = view.renumbered().map(|(_, map)| map);
        loaded.engine().install(|| search::show(meter, found, map, run, control))?;
    }
    let context = Context { run, residency, memory, is_search: found.is_some() };
    let mut trace = context.trace(meter, notes);
    if trace.pages.is_none() && matches!(residency, Residency::ZeroCopy { .. }) {
        let counting = Options { count_transfer: true, count_pages: true, ..options.clone() };
        let counted = loaded.ask(question, &counting)?.0.run().transfer;
        trace.set_pages(counted.map(|counted| counted.moved / PAGE), Basis::Counted);
        trace.levels.iter_mut().for_each(|level| level.pages = None);
    }
    Ok((run.transfer, trace))
}

/// Returns the bytes of device memory that a run has for edges, beside these; `None` if the model needs more.
fn memory_for_edges(loaded: &Loaded, rest: u64, notes: &mut Vec<String>) -> Option<u64> {
    let memory = loaded.engine().gpu()?.memory().ok()?;
    let left = memory.total.min(memory.free + memory.held).saturating_sub(rest);
    if left < REGION {
        let (left, region) = (human_bytes(left), human_bytes(REGION));
        notes.push(format!(
            "no model of unified memory: {left} are left for edges, and a region has {region}"
        ));
        return None;
    }
    Some(left)
}
