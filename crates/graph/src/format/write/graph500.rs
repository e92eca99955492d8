//! Writes the packed edges of Graph500; the reader's module describes the layout.

use super::{
    Output,
    table::{Entry, Keeps},
    text::pieces,
};
use crate::{
    csr::Vertex,
    error::{Error, Result},
    graph::Graph,
    ids::Ids,
    par,
};

pub(super) const ENTRY: Entry = Entry {
    name: "g500",
    aliases: &["graph500"],
    unweighted: None,
    keeps: Keeps { weighted: Some("wel"), direction: false, isolated: false, renumbered_from: None },
    check: refuse_unfit,
    write,
};

/// Writes every edge in original ids, an undirected edge once.
fn write(graph: &Graph, out: &mut Output<'_>) -> Result<()> {
    let csr = &graph.out().csr;
    let is_written = |u: Vertex, v: Vertex| graph.is_directed() || u <= v;
    for wave in pieces(graph).chunks(4 * rayon::current_num_threads()) {
        let packed = par::map(wave.len(), |i| {
            let mut bytes = Vec::new();
            for u in wave[i].clone() {
                let row = csr.neighbors(u).iter().filter(|&&v| is_written(u, v));
                row.for_each(|&v| bytes.extend_from_slice(&packed(id(graph, u), id(graph, v))));
            }
            bytes
        });
        for bytes in packed {
            out.put(&bytes)?;
        }
        let done = wave.last().map_or(0, |vertices| vertices.end.into());
        out.control.report("writing", done, Some(graph.vertices() as u64));
    }
    Ok(())
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
