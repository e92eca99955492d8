//! Kruskal's algorithm in the order of NetworkX: edges by weight, at equal weights in the order of the graph.

use super::{
    column::{Column, Values},
    rows::Rows,
};
use rayon::slice::ParallelSliceMut;
use std::cmp::Ordering;
use warpgraph::{Control, graph};

/// Edges between two looks at the control.
const PIECE: usize = 1 << 16;

/// Returns the edges of the forest, in the order in which they join trees: the lightest first, or the heaviest.
///
/// # Errors
/// If interrupted.
pub(crate) fn forest(
    rows: &Rows,
    column: Option<&Column>,
    minimum: bool,
    control: &Control,
) -> Result<Vec<(u32, u32)>, graph::Error> {
    let mut edges = edges(rows);
    let direct = |order: Ordering| if minimum { order } else { order.reverse() };
    match column.map(|column| &column.values) {
        None => (),
        Some(Values::Ints(weights)) => {
            edges.par_sort_by(|a, b| direct(weights[a.place].cmp(&weights[b.place])));
        }
        Some(Values::Floats { values, .. }) => {
            let compare = |a: &Edge, b: &Edge| values[a.place].partial_cmp(&values[b.place]);
            edges.par_sort_by(|a, b| direct(compare(a, b).unwrap_or(Ordering::Equal)));
        }
    }
    let mut parents: Vec<u32> = (0..rows.nodes() as u32).collect();
    let mut forest = Vec::with_capacity(rows.nodes());
    for piece in edges.chunks(PIECE) {
        control.check("joining trees")?;
        for &Edge { u, v, .. } in piece {
            let (a, b) = (root(&mut parents, u), root(&mut parents, v));
            if a != b {
                parents[a.max(b) as usize] = a.min(b);
                forest.push((u, v));
            }
        }
    }
    Ok(forest)
}

#[derive(Debug, Clone, Copy)]
struct Edge {
    u: u32,
    v: u32,
    place: usize,
}

/// Lists each edge once, in the order of `G.edges`: at its end that comes first.
fn edges(rows: &Rows) -> Vec<Edge> {
    let mut edges = Vec::with_capacity(rows.targets.len() / 2 + 1);
    for u in 0..rows.nodes() as u32 {
        let row = rows.range(u).map(|place| Edge { u, v: rows.targets[place], place });
        edges.extend(row.filter(|edge| edge.v >= u));
    }
    edges
}

/// Returns the root of a tree, and halves the path to it.
fn root(parents: &mut [u32], mut v: u32) -> u32 {
    while parents[v as usize] != v {
        parents[v as usize] = parents[parents[v as usize] as usize];
        v = parents[v as usize];
    }
    v
}
