//! Decomposes the edges of a graph into paths, as section 4.1 of AsynGraph \[1\] does. [`warpgraph_graph::paths`] has the
//! result and its layout.
//!
//! *Hubs* ([`hubs`]) are the vertices whose importance ([`importance`]) is above a threshold, which is found from a sample.
//! The vertices are cut into *parts* ([`parts`]), ranges of about equal arcs. Each part is walked depth-first (Algorithm 1,
//! [`walk`]), along edges that no path has yet:
//!
//! - a walk that reaches a hub ends a *hub path*, which begins where the last path ended or at the root of the walk;
//! - a walk that can go no further ends a *cold path*, which begins at the last vertex with edges left;
//! - roots are the hubs of the part, then all vertices with edges left.
//!
//! Hub paths fill the first chunks, cold paths the others ([`layout`]).
//!
//! Invariants: every edge is on one path, once. An inner vertex of a path is no hub. A hub path ends at a hub; a cold
//! path does not. The result depends on the graph, the recipe, the importance and the seed, and not on
//! threads or devices.
//!
//! An arc belongs to the part of the vertex where it starts. An undirected edge that lies on one path once belongs to the
//! part of its smaller end. A walk goes on at a vertex of another part, along the edges that this vertex has in the part.
//!
//! Work: O(n + m); dealing the paths to lanes is serial, O(paths). Memory beyond the result: 8 bytes per edge (12 beyond 2^32
//! arcs), 12 bytes per path, and for each part that a thread walks 12 bytes per vertex and 8 bytes per arc.
//!
//! \[1\] Y. Zhang et al., AsynGraph: maximizing data parallelism for efficient iterative graph processing on GPUs, TACO 2020.
//! Departures:
//!
//! - the number of parts depends on the graph and not on the threads, so that the paths are the same on any machine;
//! - vertices that an edge joins to a hub of another part are no ends of paths (the paper adds them to `H^m`). On `kron:18` in
//!   two parts that would be nearly every vertex, and a hub path would have 1.03 edges in the mean instead of 1.76. Hub paths
//!   cross the borders of parts instead, since a walk goes on at vertices of other parts;
//! - the recursion is a loop with a stack on the heap, and cold edges are stored in walking order right away;
//! - a sample has at least 100 / lambda vertices, so that the threshold is the importance of the 100th of them or a later
//!   one;
//! - an undirected edge lies on one path, once, unless the recipe asks for both arcs; paths are walked both ways;
//! - a path may be cut where no chunk ends, so that the lanes are equally long.

mod cells;
mod edges;
mod growing;
mod hubs;
mod importance;
mod layout;
mod parts;
mod set;
mod strands;
mod walk;
mod write;

#[cfg(test)]
mod tests;

use crate::Means;
use cells::Cells;
use edges::{EveryArc, EveryEdge};
use hubs::Hubs;
use layout::Section;
use parts::{Parts, number};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use strands::Strands;
use warpgraph_core::Result;
use warpgraph_graph::{
    Control, Error, Graph, Paths, View, par,
    paths::{Found, Recipe, SLOTS},
    with_view,
};

/// Completes "interrupted while ..." in messages.
const DURING: &str = "making paths";

/// Decomposes the edges of a graph into paths.
///
/// With an `importance` per vertex, the most important vertices become hubs, and `recipe.importance` is only its name.
///
/// ```
/// use warpgraph_core::PathPlan;
/// use warpgraph_graph::{Control, Graph};
/// use warpgraph_transform::{Means, paths};
///
/// # fn main() -> warpgraph_core::Result<()> {
/// let star = Graph::from_edges(4, &[(2, 0), (2, 1), (2, 3)], false)?;
/// let paths = paths(&star, &PathPlan::DEFAULT.recipe(&star), None, &Means::on_cpu(1, &Control::new()))?;
/// assert_eq!(paths.found().edges(), 3);
/// paths.check(&star)?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If the importance has another length or holds NaN, if the recipe names an unknown one, if the paths need 2^32 slots or
/// more, if memory is short, if the control stops the work, or if a device fails.
pub fn paths(graph: &Graph, recipe: &Recipe, importance: Option<&[f64]>, means: &Means<'_>) -> Result<Paths> {
    means.control.check(DURING)?;
    refuse_too_many(covered(graph, recipe))?;
    let hubs = Hubs::of(graph, recipe, importance, means)?;
    in_parts(graph, recipe, &hubs, number(graph), means.control)
}

/// Decomposes the edges of a graph whose hubs are known, in this many parts.
fn in_parts(graph: &Graph, recipe: &Recipe, hubs: &Hubs, parts: usize, control: &Control) -> Result<Paths> {
    let parts = Parts::of(&graph.out().csr, parts);
    with_view!(graph.out().csr, |view| {
        let strands = strands(graph, view, recipe, &parts, hubs, control)?;
        finish(recipe, hubs, &strands, control)
    })
}

/// Walks all parts.
fn strands<O: Cells>(
    graph: &Graph,
    view: View<'_, O>,
    recipe: &Recipe,
    parts: &Parts,
    hubs: &Hubs,
    control: &Control,
) -> Result<Vec<Strands<O>>> {
    let (done, total) = (AtomicU64::new(0), covered(graph, recipe));
    par::try_map(parts.len(), |i| {
        let progress = |edges: u64| -> Result<()> {
            control.report("paths", done.fetch_add(edges, Relaxed) + edges, Some(total));
            Ok(control.check(DURING)?)
        };
        let part = parts.part(i);
        if is_once(graph, recipe) {
            walk::walk(part.clone(), EveryEdge::of(view, &part)?, hubs, &progress)
        } else {
            walk::walk(part.clone(), EveryArc::of(view, &part)?, hubs, &progress)
        }
    })
}

/// Lays the paths out in chunks.
fn finish<O: Cells>(
    recipe: &Recipe,
    hubs: &Hubs,
    strands: &[Strands<O>],
    control: &Control,
) -> Result<Paths> {
    control.check(DURING)?;
    let hub = || Section::deal(strands.iter().map(|part| &part.hub));
    let cold = || Section::deal(strands.iter().map(|part| &part.cold));
    let (hub, cold) = par::join(hub, cold);
    let (hub, cold) = (hub?, cold?);
    let chunks = hub.chunks() as u64 + cold.chunks() as u64;
    refuse_too_many(chunks * SLOTS as u64)?;
    control.check(DURING)?;
    let found = Found {
        hubs: hubs.count(),
        hub_paths: hub.paths(),
        cold_paths: cold.paths(),
        hub_edges: hub.edges(),
        cold_edges: cold.edges(),
    };
    write::write(recipe.clone(), found, &hub, &cold)
}

/// Returns true if an undirected edge lies on one path, once.
fn is_once(graph: &Graph, recipe: &Recipe) -> bool {
    !graph.is_directed() && !recipe.both_arcs
}

/// Returns the number of edges that paths cover.
fn covered(graph: &Graph, recipe: &Recipe) -> u64 {
    if is_once(graph, recipe) { graph.edges() } else { graph.arcs() as u64 }
}

/// Refuses paths with more slots than numbers of 32 bits tell apart.
fn refuse_too_many(slots: u64) -> Result<()> {
    if u32::try_from(slots).is_ok() {
        return Ok(());
    }
    let needed = format!("{slots} slots or more");
    let help = "run by supersteps (the model bsp) instead, which has no such limit".to_owned();
    let what = "the paths of this graph".to_owned();
    Err(Error::TooLarge { what, needed, limit: "2^32-1 slots".to_owned(), help }.into())
}
