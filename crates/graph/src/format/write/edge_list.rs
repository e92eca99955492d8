//! Writes text edge lists: one line `u v` or `u v w` per edge, in original ids.
//!
//! Comments at the top say whether the graph is directed, and whether its ids are names. If they are, a line that names
//! the columns precedes the edges, so that a reader does not take the first edge for such a line.

use super::{
    Output, names,
    table::{Entry, Keeps},
    text::Line,
};
use crate::{error::Result, graph::Graph, ids::Ids, weights::Weights};

pub(super) const ENTRY: Entry = Entry {
    name: "el",
    aliases: &["txt", "edge-list"],
    unweighted: None,
    keeps: Keeps { weighted: Some("wel"), isolated: false, ..Keeps::ALL },
    check: |graph| names::refuse_no_field(graph, "el"),
    write: |graph, out| write(graph, false, out),
};

pub(super) const WEIGHTED_ENTRY: Entry = Entry {
    name: "wel",
    aliases: &[],
    unweighted: Some("el"),
    keeps: Keeps { isolated: false, single: false, ..Keeps::ALL },
    check: |graph| names::refuse_no_field(graph, "wel"),
    write: |graph, out| write(graph, true, out),
};

fn write(graph: &Graph, weighted: bool, out: &mut Output<'_>) -> Result<()> {
    let word = if graph.is_directed() { "Directed" } else { "Undirected" };
    let (nodes, edges) = (graph.vertices(), graph.edges());
    // Readers look for words in comments, which the name of a file must not form.
    let name = graph.origin().name.replace(|c: char| c.is_whitespace() || c.is_control(), "_");
    out.put(format!("# {word} graph: {name}\n# Nodes: {nodes} Edges: {edges}\n").as_bytes())?;
    if let Ids::Names(_) = graph.ids() {
        let columns = names::columns(graph, weighted).join(" ");
        out.put(format!("# Ids: names\n{columns}\n").as_bytes())?;
    }
    let weights = if weighted { &graph.out().weights } else { &Weights::None };
    let line = Line {
        ids: graph.ids(),
        weights,
        open: "",
        between: " ",
        before_weight: " ",
        close: "\n",
        escape: names::push_field,
        flipped: false,
    };
    line.write(graph, out)
}
