//! Lists the edges of a graph as columns, row group by row group.

use super::{
    super::{
        Output,
        edges::{self, Piece},
    },
    columns::{Cells, Column, GROUP_ROWS, Kind, Sheet, Values},
};
use crate::{
    csr::Vertex,
    error::Result,
    format::parquet::DIRECTED,
    graph::Graph,
    ids::Ids,
    par,
    weights::{WeightType, Weights},
};

pub(super) fn write(graph: &Graph, out: &mut Output<'_>) -> Result<()> {
    let pieces = edges::pieces(graph);
    let edges = par::map(pieces.len(), |i| count(graph, &pieces[i]));
    let (groups, bounds) = groups(&pieces, &edges);
    let cells = |group: usize, column: usize| Cells {
        values: match column {
            0 => ids(graph, groups[group], |u, _| u),
            1 => ids(graph, groups[group], |_, arc| graph.out().csr.targets()[arc]),
            _ => weights(graph, groups[group]),
        },
        levels: None,
    };
    let notes = vec![(DIRECTED, graph.is_directed().to_string())];
    let sheet = Sheet { columns: columns(graph), notes, bounds, cells: &cells };
    sheet.write(out.out, out.name, "writing", out.control)
}

fn columns(graph: &Graph) -> Vec<Column<'static>> {
    let column = |name, kind| Column { name, kind, optional: false, ascending: false };
    let kind = Kind::of_ids(graph.ids());
    let id = |name| Column { ascending: kind != Kind::Text, ..column(name, kind) };
    let mut columns = vec![id("source"), id("target")];
    columns.extend(graph.weight_type().map(|kind| match kind {
        WeightType::U32 => column("weight", Kind::U32),
        WeightType::I32 => column("weight", Kind::I32),
        WeightType::F32 => column("weight", Kind::F32),
        WeightType::F64 => column("weight", Kind::F64),
    }));
    columns
}

/// Returns the number of edges of a piece.
fn count(graph: &Graph, piece: &Piece) -> usize {
    let mut edges = 0;
    piece.rows(graph, |_, arcs| edges += arcs.len());
    edges
}

/// Joins pieces to row groups, none of them empty, and returns the bounds of their rows.
fn groups<'p>(pieces: &'p [Piece], edges: &[usize]) -> (Vec<&'p [Piece]>, Vec<usize>) {
    let (mut groups, mut bounds, mut start, mut rows) = (Vec::new(), vec![0], 0, 0);
    for (i, edges) in edges.iter().enumerate() {
        rows += edges;
        let in_group = rows - bounds[bounds.len() - 1];
        if in_group >= GROUP_ROWS || (in_group > 0 && i + 1 == pieces.len()) {
            groups.push(&pieces[start..=i]);
            bounds.push(rows);
            start = i + 1;
        }
    }
    (groups, bounds)
}

/// Returns the ids of one end of each edge.
fn ids<'g>(graph: &'g Graph, pieces: &[Piece], end: impl Fn(Vertex, usize) -> Vertex) -> Values<'g> {
    match graph.ids() {
        Ids::Range { first, .. } => {
            Values::Wide(collect(graph, pieces, |u, arc| (first + u64::from(end(u, arc))) as i64))
        }
        Ids::Numbers(ids) => Values::Wide(collect(graph, pieces, |u, arc| ids[end(u, arc) as usize] as i64)),
        Ids::Names(names) => Values::Text(collect(graph, pieces, |u, arc| names.get(end(u, arc) as usize))),
    }
}

fn weights<'g>(graph: &'g Graph, pieces: &[Piece]) -> Values<'g> {
    match &graph.out().weights {
        Weights::None => Values::Narrow(Vec::new()),
        Weights::U32(w) => Values::Narrow(collect(graph, pieces, |_, arc| w[arc] as i32)),
        Weights::I32(w) => Values::Narrow(collect(graph, pieces, |_, arc| w[arc])),
        Weights::F32(w) => Values::F32(collect(graph, pieces, |_, arc| w[arc])),
        Weights::F64(w) => Values::F64(collect(graph, pieces, |_, arc| w[arc])),
    }
}

fn collect<T>(graph: &Graph, pieces: &[Piece], value: impl Fn(Vertex, usize) -> T) -> Vec<T> {
    let mut values = Vec::new();
    for piece in pieces {
        piece.rows(graph, |u, arcs| values.extend(arcs.map(|arc| value(u, arc))));
    }
    values
}
