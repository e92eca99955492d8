//! Writes GraphML: all vertices, then the edges with their weights, in original ids.
//!
//! A reader takes ids for numbers if all of them look like numbers. If they are names nevertheless, the writer adds
//! the processing instruction [`IDS_ARE_NAMES`], which other programs skip.

use super::{
    Output, names,
    table::{Entry, Keeps},
    text::{self, Line},
};
use crate::{
    csr::Vertex,
    error::Result,
    format::graphml::IDS_ARE_NAMES,
    graph::Graph,
    ids::Ids,
    par,
    weights::{WeightType, Weights},
};

pub(super) const ENTRY: Entry = Entry {
    name: "graphml",
    aliases: &[],
    unweighted: None,
    keeps: Keeps { single: false, ..Keeps::ALL },
    check: refuse_unfit,
    write,
};

/// Number of vertices formatted at a time by one thread.
const BLOCK: usize = 1 << 16;

fn write(graph: &Graph, out: &mut Output<'_>) -> Result<()> {
    out.put(head(graph).as_bytes())?;
    nodes(graph, out)?;
    let weighted = !matches!(graph.out().weights, Weights::None);
    let line = Line {
        ids: graph.ids(),
        weights: &graph.out().weights,
        open: "    <edge source=\"",
        between: "\" target=\"",
        before_weight: "\"><data key=\"weight\">",
        close: if weighted { "</data></edge>\n" } else { "\"/>\n" },
        escape,
        flipped: false,
    };
    line.write(graph, out)?;
    out.put(b"  </graph>\n</graphml>\n")
}

fn head(graph: &Graph) -> String {
    let mut head = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    if look_like_numbers(graph.ids()) {
        head.push_str(IDS_ARE_NAMES);
        head.push('\n');
    }
    head.push_str("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    let kind = graph.weight_type().map(|kind| match kind {
        WeightType::U32 => "long",
        WeightType::I32 => "int",
        WeightType::F32 => "float",
        WeightType::F64 => "double",
    });
    if let Some(kind) = kind {
        head.push_str("  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"");
        head.push_str(kind);
        head.push_str("\"/>\n");
    }
    let word = if graph.is_directed() { "directed" } else { "undirected" };
    head + "  <graph edgedefault=\"" + word + "\">\n"
}

/// Returns true if the ids are names and each of them looks like a number.
fn look_like_numbers(ids: &Ids) -> bool {
    let Ids::Names(all) = ids else { return false };
    par::all(all.len(), par::FINE, |mut range| range.all(|i| names::is_number(all.get(i))))
}

fn nodes(graph: &Graph, out: &mut Output<'_>) -> Result<()> {
    let n = graph.vertices();
    let format = |start: usize| {
        let mut text = Vec::new();
        for v in start..n.min(start + BLOCK) {
            text.extend_from_slice(b"    <node id=\"");
            text::push_id(&mut text, graph.ids(), v as Vertex, escape);
            text.extend_from_slice(b"\"/>\n");
        }
        text
    };
    let starts: Vec<usize> = (0..n).step_by(BLOCK).collect();
    for wave in starts.chunks(4 * rayon::current_num_threads()) {
        for text in par::map(wave.len(), |i| format(wave[i])) {
            out.put(&text)?;
        }
    }
    Ok(())
}

/// Appends a name as part of an attribute. A reader would turn line ends and tabs into blanks if they stood as they are.
fn escape(text: &mut Vec<u8>, name: &str) {
    for byte in name.bytes() {
        match byte {
            b'&' => text.extend_from_slice(b"&amp;"),
            b'<' => text.extend_from_slice(b"&lt;"),
            b'>' => text.extend_from_slice(b"&gt;"),
            b'"' => text.extend_from_slice(b"&quot;"),
            b'\t' => text.extend_from_slice(b"&#9;"),
            b'\n' => text.extend_from_slice(b"&#10;"),
            b'\r' => text.extend_from_slice(b"&#13;"),
            _ => text.push(byte),
        }
    }
}

/// Returns an error if a name has a character that XML cannot hold, not even as a number.
fn refuse_unfit(graph: &Graph) -> Result<()> {
    let is_unfit =
        |c: char| (c < ' ' && !matches!(c, '\t' | '\n' | '\r')) || matches!(c, '\u{fffe}' | '\u{ffff}');
    names::refuse(graph, "graphml", &|name| {
        name.contains(is_unfit).then_some("XML has no such control characters")
    })
}
