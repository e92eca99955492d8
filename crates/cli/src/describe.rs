//! Describes the graph that was read, because silent assumptions are the most common mistake with graph files.

use crate::{
    console::{Rows, bytes, count, counted, number, seconds},
    paths,
};
use warpgraph::{Graph, graph::Ids};

/// Returns the graph in a few aligned lines: size, direction and its reason, loops and duplicates, ids, weights,
/// memory.
pub(crate) fn describe(graph: &Graph, load_seconds: f64) -> String {
    rows(graph, load_seconds).text()
}

/// Returns the same as rows, so that callers can add more.
pub(crate) fn rows(graph: &Graph, load_seconds: f64) -> Rows {
    let mut rows = Rows::default();
    rows.add("graph", format!("{} ({})", graph.origin().name, graph.origin().format));
    rows.add("size", size(graph));
    columns(graph, &mut rows);
    rows.add("direction", direction(graph));
    rows.add("edges", edges(graph));
    rows.add("ids", ids(graph));
    rows.add("weights", weights(graph));
    if let Some(stored) = graph.stored() {
        rows.add("order", format!("stored by {}; ids are unchanged", stored.label().name));
    }
    if let Some(paths) = paths::kept(graph) {
        rows.add("paths", paths::words(paths));
    }
    rows.add("loaded", format!("in {}, {} in memory", seconds(load_seconds), bytes(graph.bytes())));
    rows
}

fn size(graph: &Graph) -> String {
    let vertices = counted(graph.vertices() as u64, "vertex", "vertices");
    let isolated = graph.counts().isolated;
    let edges = counted(graph.edges(), "edge", "edges");
    format!("{vertices} ({} isolated), {edges}", count(isolated))
}

/// Adds the line that was skipped as a header, the columns that were read and those that were ignored.
fn columns(graph: &Graph, rows: &mut Rows) {
    let origin = graph.origin();
    if let Some(header) = &origin.header {
        rows.add("header", format!("{header:?}, skipped"));
    }
    let named = |names: &[String]| names.iter().map(|n| format!("{n:?}")).collect::<Vec<_>>().join(", ");
    let mut parts: Vec<String> = ["source", "target", "weight"]
        .iter()
        .zip(&origin.columns)
        .map(|(meaning, name)| format!("{meaning} {name:?}"))
        .collect();
    if !origin.ignored.is_empty() {
        parts.push(format!("ignored {}", named(&origin.ignored)));
    }
    if !parts.is_empty() {
        rows.add("columns", parts.join(", "));
    }
}

/// Returns whether the graph is directed, and why.
fn direction(graph: &Graph) -> String {
    let origin = graph.origin();
    let word = if graph.is_directed() { "directed" } else { "undirected" };
    let because = match origin.direction_because.as_str() {
        "" => String::new(),
        reason => format!(": {reason}"),
    };
    let symmetrised = if origin.symmetrised { "; reverse arcs added" } else { "" };
    format!("{word}{because}{symmetrised}")
}

/// Returns how many loops and parallel edges were kept, dropped or merged.
fn edges(graph: &Graph) -> String {
    let origin = graph.origin();
    let kept = graph.counts().self_loops;
    let mut parts = vec![format!("{} listed", count(origin.listed))];
    if kept > 0 || origin.loops_dropped == 0 {
        parts.push(format!("{} kept", counted(kept, "self-loop", "self-loops")));
    }
    if origin.loops_dropped > 0 {
        parts.push(format!("{} dropped", counted(origin.loops_dropped, "self-loop", "self-loops")));
    }
    parts.push(match origin.merged {
        0 => "no parallel ones merged".to_owned(),
        n => format!("{} parallel ones merged", count(n)),
    });
    parts.join(", ")
}

/// Returns the range and kind of the ids.
fn ids(graph: &Graph) -> String {
    let kind = match graph.ids() {
        ids if ids.is_empty() => return "none".to_owned(),
        Ids::Range { .. } => "numbers without gaps",
        Ids::Numbers(_) => "numbers with gaps",
        Ids::Names(_) => "text",
    };
    format!("{} ({kind})", graph.ids().describe().trim_start_matches("ids "))
}

/// Returns the type and range of the weights.
fn weights(graph: &Graph) -> String {
    match (graph.weight_type(), graph.weight_range()) {
        (None, _) => "none; every edge counts 1".to_owned(),
        (Some(kind), Some((least, most))) => format!("{kind}, {} to {}", number(least), number(most)),
        (Some(kind), None) => kind.to_string(),
    }
}
