//! Writes Matrix Market files: a coordinate matrix with rows and columns numbered from 1; if the graph is undirected,
//! only the lower triangle.

use super::{
    Output, names,
    table::{Entry, Keeps},
    text::Line,
};
use crate::{error::Result, graph::Graph, ids::Ids, weights::WeightType};

pub(super) const ENTRY: Entry = Entry {
    name: "mtx",
    aliases: &["matrix-market"],
    unweighted: None,
    keeps: Keeps { renumbered_from: Some(1), single: false, ..Keeps::ALL },
    check: |_| Ok(()),
    write,
};

fn write(graph: &Graph, out: &mut Output<'_>) -> Result<()> {
    let field = match graph.out().weights.weight_type() {
        None => "pattern",
        Some(WeightType::U32 | WeightType::I32) => "integer",
        Some(WeightType::F32 | WeightType::F64) => "real",
    };
    let symmetry = if graph.is_directed() { "general" } else { "symmetric" };
    let (n, edges) = (graph.vertices(), graph.edges());
    let header = format!("%%MatrixMarket matrix coordinate {field} {symmetry}\n{n} {n} {edges}\n");
    out.put(header.as_bytes())?;
    let line = Line {
        ids: &Ids::Range { first: 1, len: n },
        weights: &graph.out().weights,
        open: "",
        between: " ",
        before_weight: " ",
        close: "\n",
        escape: names::push_field,
        // The target of an undirected edge is the larger vertex, and the row of an entry of the lower triangle.
        flipped: !graph.is_directed(),
    };
    line.write(graph, out)
}
