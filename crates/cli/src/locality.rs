//! How near each other neighbours lie, in words: for `info --locality` and `reorder`.

use crate::console::number;
use warpgraph::{Graph, Locality};

/// Of the order that a graph is stored in.
pub(crate) fn stored(graph: &Graph) -> Locality {
    let arcs = graph.stored().map_or_else(|| graph.out(), |stored| stored.graph().out());
    Locality::of(&arcs.csr)
}

/// `log gap 9.21 bits, 4.3 sectors a tile of 12.5 neighbours`.
pub(crate) fn words(locality: &Locality) -> String {
    let figure =
        |x: Option<f64>| x.map_or_else(|| "none".to_owned(), |x| number((x * 100.0).round() / 100.0));
    let Locality { log_gap, sectors_per_tile, neighbours_per_tile } = *locality;
    let (gap, sectors, tile) = (figure(log_gap), figure(sectors_per_tile), figure(neighbours_per_tile));
    format!("log gap {gap} bits, {sectors} sectors a tile of {tile} neighbours")
}
