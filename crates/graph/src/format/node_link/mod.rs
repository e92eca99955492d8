//! Reads node-link JSON, as `networkx.node_link_data`, D3 and vis.js have it.
//!
//! ```text
//! { "directed": true,
//!   "nodes": [ {"id": "a"}, {"id": "b"} ],
//!   "links": [ {"source": "a", "target": "b", "weight": 2.5} ] }
//! ```
//!
//! - The edges are the list `links` or `edges`; an edge has `source` and `target`, or `from` and `to`. The vertices are
//!   the `nodes`, isolated ones too, or the ends of the edges if there is no such list. Nodes may follow the edges.
//! - Ids are strings or numbers. They are numbers if all of them are whole numbers in their usual form, else names. If
//!   no node has an `id`, the edges name nodes by position, from 0, as in older D3; then the `name` of the nodes are
//!   the ids if all nodes have one and all of them differ. A warning says so.
//! - `directed` says whether the graph is directed; without it, the graph is undirected, as in NetworkX, and a warning
//!   says so.
//! - The weight is the key `weight` of an edge, else `w`, `value`, `cost`, `distance` or `amount`, whichever the first
//!   edge has. Either all edges have it or none has.
//! - The reader skips everything else without recursion, and keeps nothing of it. JSON of another shape is an error
//!   that names the shape ([`shape`]).

mod json;
mod shape;

use self::{
    json::{HELP, Scalar},
    shape::Shape,
};
use super::{
    Format, Input, ReadOptions, detect,
    elements::{Because, Edge, Edges, Nodes, Parsed, Place, Scan, WeightKeys, after_mark},
    preview,
    table::{Entry, Sign, Used},
};
use crate::{control::Control, error::Result, graph::Graph};
use std::borrow::Cow;

pub(super) const ENTRY: Entry = Entry {
    name: "node-link",
    aliases: &["json"],
    endings: &["json"],
    sign: Sign::Content(is_json),
    is_finished: false,
    uses: &[Used::Ids, Used::WeightType],
    read_parts: None,
    read: |input, options, control| read(&input, options, control),
    preview: preview::not_at_start,
};

/// Returns true if the data start like a JSON object with a key, an empty one, or a list of strings, lists, objects or
/// several numbers. The reader refuses all of them but node-link objects, each by its name.
fn is_json(data: &[u8]) -> bool {
    let start = after_mark(&data[..data.len().min(detect::LOOK_AT)]).trim_ascii_start();
    let inside = start.get(1..).unwrap_or_default().trim_ascii_start();
    match (start.first(), inside.first()) {
        (Some(b'{'), Some(b'"' | b'}')) | (Some(b'['), Some(b'{' | b'[' | b'"' | b']')) => true,
        (Some(b'['), Some(_)) => {
            let digits = inside.iter().take_while(|b| b.is_ascii_digit()).count();
            digits > 0 && inside[digits..].trim_ascii_start().first() == Some(&b',')
        }
        _ => false,
    }
}

/// Reads a node-link file.
fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let (place, text) = Place::of(input)?;
    let mut parser = Parser {
        scan: Scan::new(place, text, control),
        nodes: Nodes::new(place, options.ids),
        edges: Edges::new(place),
        weights: WeightKeys::new(options.no_weights),
        has_nodes: false,
        has_edges: false,
        has_ids: None,
    };
    parser.file()?;
    let mut warnings: Vec<String> = parser.weights.warning().into_iter().collect();
    if parser.edges.default.is_none() && options.directed.is_none() {
        warnings.push("the file does not say \"directed\": it is taken as undirected".to_owned());
    }
    if parser.has_ids == Some(false) {
        warnings.push("no node has an \"id\": the edges name nodes by position, from 0".to_owned());
    }
    let help = "an edge names nodes by their \"id\"; add the node to \"nodes\", or remove the edge";
    let default = match parser.edges.default {
        Some(directed) => format!("the file says \"directed\": {directed}"),
        None => "node-link files are undirected unless they say otherwise".to_owned(),
    };
    let parsed = Parsed::new(parser.nodes, parser.edges, Because::of(default), help, warnings)?;
    parsed.build(input.name(), Format::NodeLink, options, control)
}

struct Parser<'i, 'c> {
    scan: Scan<'i, 'c>,
    nodes: Nodes<'i>,
    edges: Edges<'i>,
    weights: WeightKeys,
    /// True behind the list of nodes.
    has_nodes: bool,
    /// True behind the list of edges.
    has_edges: bool,
    /// True if nodes have ids, false if they have none; `None` before the first node.
    has_ids: Option<bool>,
}

impl<'i> Parser<'i, '_> {
    fn file(&mut self) -> Result<()> {
        if !json::opens(&mut self.scan, b'{') {
            return Err(shape::no_object(&self.scan));
        }
        let (mut first, mut shape) = (true, Shape::default());
        while let Some(key) = json::key(&mut self.scan, &mut first)? {
            let is_list = self.scan.peek() == Some(b'[');
            match &key[..] {
                "directed" => self.direction()?,
                "nodes" if is_list => self.node_list()?,
                "links" | "edges" if is_list => self.edge_list()?,
                key => {
                    shape.note(key);
                    json::skip(&mut self.scan)?;
                }
            }
        }
        self.scan.skip_space();
        if !self.has_edges || self.scan.peek().is_some() {
            return Err(shape.refusal(&self.scan));
        }
        if !self.has_nodes {
            self.nodes.forgive();
        }
        Ok(())
    }

    fn direction(&mut self) -> Result<()> {
        self.edges.default = match json::scalar(&mut self.scan)? {
            Some(Scalar::Word("true")) => Some(true),
            Some(Scalar::Word("false")) => Some(false),
            _ => return Err(self.scan.expected("`true` or `false` behind \"directed\"", HELP)),
        };
        Ok(())
    }

    fn node_list(&mut self) -> Result<()> {
        let again = std::mem::replace(&mut self.has_nodes, true);
        self.refuse_second(again, "nodes")?;
        let (mut first, mut position) = (true, 0u64);
        while json::next(&mut self.scan, &mut first, b']')? {
            self.node(position)?;
            position += 1;
        }
        Ok(())
    }

    fn edge_list(&mut self) -> Result<()> {
        let again = std::mem::replace(&mut self.has_edges, true);
        self.refuse_second(again, "edges")?;
        let mut first = true;
        while json::next(&mut self.scan, &mut first, b']')? {
            self.edge()?;
        }
        Ok(())
    }

    /// Moves behind the `[` of a list of nodes or edges. Fails if it is the second one.
    fn refuse_second(&mut self, again: bool, what: &str) -> Result<()> {
        if again {
            let problem = format!("the file has a second list of {what}");
            return Err(self.scan.place.error(self.scan.at, problem, "keep one of them"));
        }
        self.scan.at += 1;
        Ok(())
    }

    /// Reads a node: an object, or only its id.
    fn node(&mut self, position: u64) -> Result<()> {
        let start = self.scan.at;
        let (mut id, mut name, mut first) = (None, None, true);
        if !json::opens(&mut self.scan, b'{') {
            let node = self.id()?;
            self.has_ids = Some(true);
            return self.nodes.declare(node, start).map(drop);
        }
        while let Some(key) = json::key(&mut self.scan, &mut first)? {
            match &key[..] {
                "id" => id = Some((self.scan.at, self.id()?)),
                "name" => match json::scalar(&mut self.scan)? {
                    Some(Scalar::Text(text)) => name = Some(text),
                    Some(_) => {}
                    None => json::skip(&mut self.scan)?,
                },
                _ => json::skip(&mut self.scan)?,
            }
        }
        if self.has_ids.is_some_and(|has| has != id.is_some()) {
            let help = "give every node an \"id\", or none of them";
            return Err(self.scan.place.error(start, "only some nodes have an \"id\"", help));
        }
        self.has_ids = Some(id.is_some());
        match (id, name) {
            (Some((at, id)), _) => self.nodes.declare(id, at).map(drop),
            (None, name) => {
                let node = self.nodes.declare(Cow::Owned(position.to_string()), start)?;
                if let Some(name) = name {
                    self.nodes.label(node, name);
                }
                Ok(())
            }
        }
    }

    fn edge(&mut self) -> Result<()> {
        let start = self.scan.at;
        if !json::opens(&mut self.scan, b'{') {
            let help = "an edge is an object such as {\"source\": 1, \"target\": 2}; write them so, or as an edge list";
            return Err(self.scan.expected("an edge, an object", help));
        }
        let (mut pair, mut first) = ([None; 2], true);
        while let Some(key) = json::key(&mut self.scan, &mut first)? {
            let end = match &key[..] {
                "source" | "from" => 0,
                "target" | "to" => 1,
                key => {
                    self.attribute(key)?;
                    continue;
                }
            };
            let at = self.scan.at;
            let id = self.id()?;
            pair[end] = Some(self.nodes.number(id, at)?);
        }
        let [Some(source), Some(target)] = pair else {
            let help = "an edge has \"source\" and \"target\", or \"from\" and \"to\"";
            return Err(self.scan.place.error(start, "this edge lacks an end", help));
        };
        let weight = self.weights.end();
        self.edges.push(Edge { at: start, pair: [source, target], directed: None, weight })
    }

    /// Reads an attribute of an edge, which may be its weight.
    fn attribute(&mut self, key: &str) -> Result<()> {
        let Some(rank) = self.weights.rank(key) else { return json::skip(&mut self.scan) };
        let at = self.scan.at;
        match json::scalar(&mut self.scan)? {
            Some(value) => self.weights.put(rank, value.shown(), at, &self.scan.place),
            None => Err(self.scan.expected("a weight", "a weight is a number; --no-weights leaves them out")),
        }
    }

    /// Reads an id: a string or a number.
    fn id(&mut self) -> Result<Cow<'i, str>> {
        let start = self.scan.at;
        match json::scalar(&mut self.scan)? {
            Some(Scalar::Text(text)) => Ok(text),
            Some(Scalar::Number(text)) => Ok(Cow::Borrowed(text)),
            _ => {
                self.scan.at = start;
                let help = "ids are numbers or strings; give the nodes such ids, e.g. with networkx.convert_node_labels_to_integers";
                Err(self.scan.expected("an id, a number or a string", help))
            }
        }
    }
}
