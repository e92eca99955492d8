//! Reads adjacency lists: lines of a vertex and its neighbours, as `networkx.write_adjlist` writes them.
//!
//! ```text
//! # comment
//! a b c
//! b c
//! d
//! ```
//!
//! - A line `a b c` has the edges a -> b and a -> c; `d` alone is a vertex. Blanks or tabs separate the ids. What
//!   follows a `#` on a line is a comment.
//! - Ids are numbers if all of them are whole numbers in their usual form, else names.
//! - There are no weights. The file cannot say whether it is directed: like an edge list it is directed unless the
//!   options say otherwise. NetworkX lists an undirected edge at one of its ends only.
//!
//! Nothing in such lines tells them from an edge list or a METIS graph, so detection takes only files with the comment
//! that NetworkX writes at the top, and the endings `.adjlist` and `.adj`.

use super::{
    Format, Input, ReadOptions, detect, dot,
    elements::{Because, Edge, Edges, Nodes, Parsed, Place, Scan},
    gml, preview,
    table::{Entry, Sign, Used},
};
use crate::{control::Control, error::Result, graph::Graph};
use std::borrow::Cow;

pub(super) const ENTRY: Entry = Entry {
    name: "adjacency-list",
    aliases: &["adjlist", "adj"],
    endings: &["adjlist", "adj"],
    sign: Sign::Content(is_adjacency),
    is_finished: false,
    uses: &[Used::Ids, Used::WeightType],
    read_parts: None,
    read: |input, options, control| read(&input, options, control),
    preview: preview::not_at_start,
};

/// Returns true if the first two lines are comments of which the second is the date that NetworkX writes, `# GMT ...`,
/// and the rest is neither GML nor DOT, which may start with such comments too.
fn is_adjacency(data: &[u8]) -> bool {
    let mut lines = data[..data.len().min(detect::LOOK_AT)].split(|&b| b == b'\n');
    let has_date = lines.next().is_some_and(|line| line.starts_with(b"#"))
        && lines.next().is_some_and(|line| line.starts_with(b"# GMT "));
    has_date && !gml::is_gml(data) && !dot::is_dot(data)
}

/// Reads an adjacency list.
fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let (place, text) = Place::of(input)?;
    let mut nodes = Nodes::new(place, options.ids);
    let mut edges = Edges::new(place);
    edges.default = Some(true);
    let mut scan = Scan::new(place, text, control);
    while scan.at < text.len() {
        line(&mut scan, &mut nodes, &mut edges)?;
        scan.take(b'\n');
    }
    let mut warnings = Vec::new();
    if edges.len() == 0 {
        warnings.push("the file has no edges".to_owned());
    }
    let because = Because::of("adjacency lists are directed unless --undirected is given".to_owned());
    let parsed = Parsed::new(nodes, edges, because, "", warnings)?;
    parsed.build(input.name(), Format::AdjacencyList, options, control)
}

/// Reads a line, up to its line end.
fn line<'i>(scan: &mut Scan<'i, '_>, nodes: &mut Nodes<'i>, edges: &mut Edges<'i>) -> Result<()> {
    let mut source = None;
    loop {
        scan.tick()?;
        scan.skip_while(|b| b.is_ascii_whitespace() && b != b'\n');
        match scan.peek() {
            None | Some(b'\n') => return Ok(()),
            Some(b'#') => {
                scan.skip_line();
                return Ok(());
            }
            Some(b'{') => return Err(multiline(scan)),
            Some(_) => {}
        }
        let at = scan.at;
        let word = scan.skip_while(|b| !b.is_ascii_whitespace() && b != b'#');
        if let Some(mark) = word.find([',', ';']) {
            let help = "separate the ids by blanks; for lines of `source,target` pass --format edge-list";
            return Err(scan.place.expected(at + mark, "a blank", &word[mark..], help));
        }
        let node = nodes.mention(Cow::Borrowed(word), at)?;
        match source {
            None => source = Some(node),
            Some(source) => edges.push(Edge { at, pair: [source, node], directed: None, weight: None })?,
        }
    }
}

fn multiline(scan: &Scan<'_, '_>) -> crate::Error {
    let help =
        "write it with networkx.write_adjlist, or with networkx.write_weighted_edgelist to keep weights";
    scan.place.error(
        scan.at,
        "the attributes of an adjacency list with several lines per vertex are not read",
        help,
    )
}
