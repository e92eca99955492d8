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
//! - The vertices are the nodes, isolated ones too. Ids are numbers if all of them are whole numbers in their usual
//!   form (`7`, not `07`), else names; [`IDS_ARE_NAMES`] in the file makes them names, too. Nodes may come after the edges that name them. A node that is never declared is
//!   an error, and so is one that is declared twice.
//! - `edgedefault` says whether edges are directed, and an edge's `directed` overrides it. If both kinds occur, the
//!   graph is directed, each undirected edge becomes two arcs, and a warning says so. If the options give the
//!   direction, it applies to all edges as listed.
//! - The edge key named `weight` is the weight: whole numbers if its type is int or long, decimals if it is float or
//!   double. An edge without a weight takes the key's default. Without a default, either all edges have a weight or
//!   none has. The reader skips all other data.
//! - The reader takes a nested graph as part of the graph around it, and skips ports; a warning counts each kind.
//!   Hyperedges and files of several graphs are errors.
//! - The text must be UTF-8. A document type is an error, and the reader expands only the five entities of XML and
//!   character numbers, so a file cannot grow while it is read.
//!
//! The reader makes one serial pass, with O(bytes) work. Besides the arcs it takes 8 bytes per edge, 4 or 8 bytes per
//! weight, and a hash table of the ids.
//!
//! The modules that read need the feature `graphml`. A build without it recognises such files and returns an error that
//! names the feature.

#[cfg(feature = "graphml")]
mod parse;
#[cfg(feature = "graphml")]
mod read;
#[cfg(feature = "graphml")]
mod tag;

use super::{
    detect, elements, preview,
    table::{Entry, Read, Sign, Used},
};

pub(super) const ENTRY: Entry = Entry {
    name: "graphml",
    aliases: &[],
    endings: &["graphml"],
    sign: Sign::Content(is_graphml),
    is_finished: false,
    read_parts: None,
    uses: &[Used::Ids, Used::WeightType],
    read: READ,
    preview: preview::not_at_start,
};

#[cfg(feature = "graphml")]
const READ: Read = |input, options, control| read::read(&input, options, control);
#[cfg(not(feature = "graphml"))]
const READ: Read = |input, _, _| Err(super::table::left_out(&input, "GraphML", "graphml"));

/// The processing instruction of a file whose ids are names although all of them look like numbers. warpgraph writes it.
pub(super) const IDS_ARE_NAMES: &str = "<?warpgraph ids=\"names\"?>";

/// Returns true if the data start with `<`, after a byte order mark and blanks, and the first `LOOK_AT` bytes contain
/// `<graphml` or `:graphml`.
fn is_graphml(data: &[u8]) -> bool {
    let start = &data[..data.len().min(detect::LOOK_AT)];
    let start = elements::after_mark(start).trim_ascii_start();
    let names_it = |at: usize| matches!(start[at - 1], b'<' | b':');
    start.starts_with(b"<") && memchr::memmem::find_iter(start, b"graphml").any(names_it)
}
