//! Writes the packed edges of Graph500; the reader's module describes the layout.

use super::{
    Output,
    edges::{self, Piece},
    table::{Entry, Keeps},
};
use crate::{
    csr::Vertex,
    error::{Error, Result},
    graph::Graph,
    ids::Ids,
};

pub(super) const ENTRY: Entry = Entry {
    name: "g500",
    aliases: &["graph500"],
    unweighted: None,
    keeps: Keeps { weighted: Some("wel"), assumed_directed: Some(false), isolated: false, ..Keeps::ALL },
    check: refuse_unfit,
    write,
};

/// Writes every edge in original ids, an undirected edge once.
fn write(graph: &Graph, out: &mut Output<'_>) -> Result<()> {
    let targets = graph.out().csr.targets();
    let format = |piece: &Piece| {
        let mut bytes = Vec::new();
        piece.rows(graph, |u, arcs| {
            let u = id(graph, u);
            arcs.for_each(|arc| bytes.extend_from_slice(&packed(u, id(graph, targets[arc]))));
        });
        bytes
    };
    edges::write(graph, &format, out)
}

fn packed(u: u64, v: u64) -> [u8; 12] {
    let mut bytes = [0; 12];
    bytes[..4].copy_from_slice(&(u as u32).to_le_bytes());
    bytes[4..8].copy_from_slice(&(v as u32).to_le_bytes());
    bytes[8..10].copy_from_slice(&((u >> 32) as u16).to_le_bytes());
    bytes[10..].copy_from_slice(&((v >> 32) as u16).to_le_bytes());
    bytes
}

/// Returns the id of a vertex. `refuse_unfit` has rejected graphs whose ids are names.
fn id(graph: &Graph, v: Vertex) -> u64 {
    match graph.ids() {
        Ids::Range { first, .. } => first + u64::from(v),
        Ids::Numbers(ids) => ids[v as usize],
        Ids::Names(_) => v.into(),
    }
}

/// Returns an error if the ids are names or do not fit in 48 bits.
fn refuse_unfit(graph: &Graph) -> Result<()> {
    let help = "write .wg, which keeps all ids, or .mtx, which numbers the vertices";
    if let Ids::Names(_) = graph.ids() {
        return Err(Error::invalid("a .g500 file holds numbers, and the ids of this graph are names", help));
    }
    let last = graph.vertices().checked_sub(1).map_or(0, |last| id(graph, last as Vertex));
    if last >> 48 == 0 {
        return Ok(());
    }
    Err(Error::invalid(format!("a .g500 file holds ids below 2^48, this graph has {last}"), help))
}
