//! GraphML: vertices and edges as XML elements.
//!
//! ```text
//! <graphml>
//!   <key id="d0" for="edge" attr.name="weight" attr.type="double"><default>1.0</default></key>
//!   <graph edgedefault="undirected">
//!     <node id="a"/> <node id="b"/>
//!     <edge source="a" target="b"><data key="d0">2.5</data></edge>
//!   </graph>
//! </graphml>
//! ```
//!
//! - Vertices are the nodes, isolated ones too. Ids are numbers if all are whole numbers in their usual form (`7`, not
//!   `07`), else names. Nodes may come after the edges that use them; one that never comes is an error, one that comes
//!   twice too.
//! - `edgedefault` says whether the graph is directed, an edge's `directed` overrides it. Where both kinds occur the graph
//!   is directed, undirected edges become two arcs, and a warning says so. If the caller says which, edges are taken
//!   as listed.
//! - The edge key named `weight` is the weight: whole numbers if its type is int or long, decimals if float or double. An
//!   edge without it takes the key's default. Without a default all edges have a weight, or none. Other data are read past.
//! - Nested graphs are read as part of the graph around them, ports are read past; a warning counts them. Hyperedges and
//!   files of several graphs are refused.
//! - Only UTF-8. A document type is refused and no entity is expanded but the five of XML and character numbers, so a
//!   file cannot grow while it is read.
//!
//! One pass, serial: O(bytes) work; beside the arcs, 8 bytes per edge, 4 or 8 for its weight, and a table of the ids.
//!
//! The modules that read come with the feature `graphml`; a build without it knows such files and says so.

#[cfg(feature = "graphml")]
mod edges;
#[cfg(feature = "graphml")]
mod nodes;
#[cfg(feature = "graphml")]
mod parse;
#[cfg(feature = "graphml")]
mod read;
#[cfg(feature = "graphml")]
mod tag;

#[cfg(feature = "graphml")]
use self::read::Place;
use super::{
    detect, preview,
    table::{Entry, Read, Sign},
};

pub(super) const ENTRY: Entry = Entry {
    name: "graphml",
    aliases: &[],
    endings: &["graphml"],
    sign: Sign::Content(is_graphml),
    is_finished: false,
    read: READ,
    preview: preview::not_at_start,
};

#[cfg(feature = "graphml")]
const READ: Read = |input, options, control| read::read(&input, options, control);
#[cfg(not(feature = "graphml"))]
const READ: Read = |input, _, _| Err(super::table::left_out(&input, "GraphML", "graphml"));

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns true if the first element, after the lines that XML starts with, is `graphml`.
fn is_graphml(data: &[u8]) -> bool {
    let start = &data[..data.len().min(detect::LOOK_AT)];
    let start = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start).trim_ascii_start();
    let names_it = |at: usize| matches!(start[at - 1], b'<' | b':');
    start.starts_with(b"<") && memchr::memmem::find_iter(start, b"graphml").any(names_it)
}
