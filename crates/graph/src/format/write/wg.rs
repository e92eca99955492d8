//! Writes warpgraph's own format; the reader's module `layout` describes the layout.

use super::{
    Output,
    table::{Entry, Keeps},
};
use crate::{
    csr::Offsets,
    error::{Error, Result},
    format::wg::{
        KeptPaths, StoredOrder,
        layout::{ALIGN, Kind, Layout},
    },
    graph::Graph,
    hash,
    ids::Ids,
    stored::Stored,
    weights::Weights,
};

pub(super) const ENTRY: Entry =
    Entry { name: "wg", aliases: &[], unweighted: None, keeps: Keeps::ALL, check: |_| Ok(()), write };

/// Hashes every section, then writes the header, the table and the sections.
fn write(graph: &Graph, out: &mut Output<'_>) -> Result<()> {
    let text = |json: serde_json::Result<Vec<u8>>| {
        json.map_err(|e| Error::invalid(format!("the origin cannot be stored: {e}"), ""))
    };
    let origin = text(serde_json::to_vec(graph.origin()))?;
    let order = graph
        .stored()
        .map(|stored| StoredOrder { label: stored.label().clone(), hash: format!("{:016x}", graph.hash()) });
    let order = order.map(|order| text(serde_json::to_vec(&order))).transpose()?;
    let kept = arcs_of(graph).paths().map(|paths| KeptPaths {
        recipe: paths.recipe().clone(),
        found: *paths.found(),
        hub_chunks: paths.hub_chunks() as u64,
    });
    let kept = kept.map(|kept| text(serde_json::to_vec(&kept))).transpose()?;
    let sections = sections(graph, &origin, order.as_deref(), kept.as_deref());
    let mut contents = Vec::with_capacity(sections.len());
    for (kind, bytes) in &sections {
        out.control.check("writing")?;
        contents.push((*kind, bytes.len() as u64, hash::bytes(bytes)));
    }
    let layout = Layout {
        directed: graph.is_directed(),
        vertices: graph.vertices() as u64,
        arcs: graph.arcs() as u64,
        first_id: if let Ids::Range { first, .. } = graph.ids() { *first } else { 0 },
        sections: Vec::new(),
    };
    let head = layout.place(&contents).encode();
    out.put(&head)?;
    let mut end = head.len() as u64;
    for (_, bytes) in sections {
        let start = end.next_multiple_of(ALIGN);
        out.put(&[0; ALIGN as usize][..(start - end) as usize])?;
        out.put(bytes)?;
        end = start + bytes.len() as u64;
        out.control.report("writing", end, None);
    }
    Ok(())
}

/// Returns the graph whose arcs the file holds.
fn arcs_of(graph: &Graph) -> &Graph {
    graph.stored().map_or(graph, Stored::graph)
}

/// Returns the sections of the file: the arcs in their stored order, with their paths, and the ids in their own order.
fn sections<'a>(
    graph: &'a Graph,
    origin: &'a [u8],
    order: Option<&'a [u8]>,
    kept: Option<&'a [u8]>,
) -> Vec<(Kind, &'a [u8])> {
    let arcs = arcs_of(graph).out();
    let mut sections = vec![match arcs.csr.offsets() {
        Offsets::Narrow(o) => (Kind::Offsets32, bytemuck::cast_slice(o)),
        Offsets::Wide(o) => (Kind::Offsets64, bytemuck::cast_slice(o)),
    }];
    sections.push((Kind::Targets, bytemuck::cast_slice(arcs.csr.targets())));
    match &arcs.weights {
        Weights::None => {}
        Weights::U32(w) => sections.push((Kind::WeightsU32, bytemuck::cast_slice(w))),
        Weights::I32(w) => sections.push((Kind::WeightsI32, bytemuck::cast_slice(w))),
        Weights::F32(w) => sections.push((Kind::WeightsF32, bytemuck::cast_slice(w))),
        Weights::F64(w) => sections.push((Kind::WeightsF64, bytemuck::cast_slice(w))),
    }
    match graph.ids() {
        Ids::Range { .. } => {}
        Ids::Numbers(ids) => sections.push((Kind::IdNumbers, bytemuck::cast_slice(ids))),
        Ids::Names(names) => {
            sections.push((Kind::NameStarts, bytemuck::cast_slice(names.starts())));
            sections.push((Kind::NameText, names.text()));
        }
    }
    sections.push((Kind::Origin, origin));
    if let (Some(stored), Some(order)) = (graph.stored(), order) {
        sections.push((Kind::Masters, bytemuck::cast_slice(stored.map().masters())));
        sections.push((Kind::Originals, bytemuck::cast_slice(stored.map().originals())));
        sections.push((Kind::Order, order));
    }
    if let (Some(paths), Some(kept)) = (arcs_of(graph).paths(), kept) {
        sections.push((Kind::Paths, kept));
        sections.push((Kind::PathVertices, bytemuck::cast_slice(paths.vertices())));
        sections.push(match paths.arcs() {
            Offsets::Narrow(arcs) => (Kind::PathArcs32, bytemuck::cast_slice(arcs)),
            Offsets::Wide(arcs) => (Kind::PathArcs64, bytemuck::cast_slice(arcs)),
        });
        sections.push((Kind::PathJoins, bytemuck::cast_slice(paths.joined())));
    }
    sections
}
