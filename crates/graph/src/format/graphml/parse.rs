//! Parses the elements in the order of the file.

use super::{
    IDS_ARE_NAMES,
    tag::{Tag, Value},
};
use crate::{
    control::Control,
    error::{Error, Result, quote},
    format::{
        ReadOptions,
        claim::Meter,
        edge_list::weights::Weight,
        elements::{Edge, Edges, Nodes, Place, STRIDE, expected_weight},
    },
};
use quick_xml::{
    Reader,
    events::{BytesDecl, Event},
};
use std::borrow::Cow;

/// The length in bytes from which on the parser drops further text of a weight.
const LONGEST_NUMBER: usize = 400;

/// The kind of an open element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Graphml,
    /// The key that declares the weights.
    WeightKey,
    Graph,
    Node,
    Edge,
    /// A weight, or the default weight. The parser keeps its text.
    Weight,
    /// An element that the parser skips.
    Other,
}

/// The key that declares the weights.
#[derive(Debug)]
struct WeightKey<'i> {
    id: Cow<'i, str>,
    /// True if its type is int or long.
    whole: bool,
    default: Option<Weight>,
}

/// A parser of one file.
pub(super) struct Parser<'i, 'c> {
    place: Place<'i>,
    text: &'i str,
    xml: Reader<&'i [u8]>,
    options: &'c ReadOptions,
    meter: Meter<'c>,
    /// The offset up to which the parser has reported progress.
    told: usize,
    /// The kinds of the open elements, outermost first.
    open: Vec<Inside>,
    /// For each open graph, true if its edges are directed unless they say otherwise.
    defaults: Vec<bool>,
    key: Option<WeightKey<'i>>,
    nodes: Nodes<'i>,
    edges: Edges<'i>,
    /// The open edge.
    edge: Option<Edge>,
    /// The text of the open weight. `number_at` is the offset where it starts.
    number: String,
    number_at: usize,
    root_seen: bool,
    nested: u64,
    ports: u64,
    warnings: Vec<String>,
}

/// The contents of a file.
pub(super) struct Parsed<'i> {
    pub(super) nodes: Nodes<'i>,
    pub(super) edges: Edges<'i>,
    pub(super) warnings: Vec<String>,
}

impl<'i, 'c> Parser<'i, 'c> {
    pub(super) fn new(
        place: Place<'i>,
        text: &'i str,
        options: &'c ReadOptions,
        control: &'c Control,
    ) -> Self {
        Self {
            place,
            text,
            xml: Reader::from_str(text),
            options,
            meter: Meter::new(control, text.len()),
            told: 0,
            open: Vec::new(),
            defaults: Vec::new(),
            key: None,
            nodes: Nodes::new(place, options.ids),
            edges: Edges::new(place),
            edge: None,
            number: String::new(),
            number_at: 0,
            root_seen: false,
            nested: 0,
            ports: 0,
            warnings: Vec::new(),
        }
    }

    /// Parses the file to its end.
    pub(super) fn parse(mut self) -> Result<Parsed<'i>> {
        loop {
            let start = self.xml.buffer_position() as usize;
            if start - self.told >= STRIDE {
                self.meter.advance(start - self.told)?;
                self.told = start;
            }
            let event = self.xml.read_event().map_err(|e| self.malformed(&e))?;
            let end = self.xml.buffer_position() as usize;
            match event {
                Event::Start(_) => self.start(&Tag::new(self.place, self.text, start, end))?,
                Event::Empty(_) => {
                    self.start(&Tag::new(self.place, self.text, start, end))?;
                    self.end(end)?;
                }
                Event::End(_) => self.end(start)?,
                Event::Text(text) => self.text(&text, start)?,
                Event::CData(text) => self.text(&text, start)?,
                Event::GeneralRef(_) => self.reference(&self.text[start..end], start)?,
                Event::Decl(decl) => self.declaration(&decl, start)?,
                Event::DocType(_) => return Err(self.document_type(start)),
                Event::PI(_) if self.text[start..end] == *IDS_ARE_NAMES => self.nodes.expect_names(),
                Event::Comment(_) | Event::PI(_) => {}
                Event::Eof => break,
            }
        }
        self.finish()
    }

    fn finish(mut self) -> Result<Parsed<'i>> {
        if self.edges.default.is_none() || !self.open.is_empty() {
            let problem = match self.open.is_empty() {
                true => "the file has no <graph>",
                false => "the file ends before its last element does",
            };
            let help = "the file is cut short or no GraphML; fetch or make it anew";
            return Err(self.place.error(self.text.len(), problem, help));
        }
        let mut count = |n: u64, what: &str| {
            if n > 0 {
                self.warnings.push(format!("{n} {what}"));
            }
        };
        count(self.nested, "nested graphs were read as part of the graph around them");
        count(self.ports, "ports were read past: edges join the nodes they belong to");
        Ok(Parsed { nodes: self.nodes, edges: self.edges, warnings: self.warnings })
    }

    /// Handles a start tag, or the start of an empty element.
    fn start(&mut self, tag: &Tag<'i>) -> Result<()> {
        let parent = self.open.last().copied();
        let inside = match (parent, tag.name()) {
            (Some(Inside::Other | Inside::Weight), _) => Inside::Other,
            (None, "graphml") if !self.root_seen => Inside::Graphml,
            (None, name) => return Err(self.not_the_root(tag, name)),
            (Some(Inside::Graphml), "key") => self.key(tag)?,
            (Some(Inside::WeightKey), "default") => self.number_starts(tag),
            (Some(Inside::Graphml | Inside::Node | Inside::Edge), "graph") => self.graph(tag)?,
            (Some(Inside::Graph), "node") => self.node(tag)?,
            (Some(Inside::Graph), "edge") => self.edge(tag)?,
            (Some(Inside::Edge), "data") => self.data(tag)?,
            (Some(_), "hyperedge") => return Err(hyperedge(tag)),
            (Some(_), name @ ("node" | "edge" | "graph" | "key")) => return Err(misplaced(tag, name)),
            (Some(Inside::Node), "port") => {
                self.ports += 1;
                Inside::Other
            }
            _ => Inside::Other,
        };
        self.root_seen = true;
        self.open.push(inside);
        Ok(())
    }

    /// Handles an end tag at `at`, or the end of an empty element. The XML reader has checked that the tag matches its
    /// start.
    fn end(&mut self, at: usize) -> Result<()> {
        match self.open.pop() {
            Some(Inside::Graph) => drop(self.defaults.pop()),
            Some(Inside::Edge) => self.edge_ends()?,
            Some(Inside::Weight) => self.number_ends(at)?,
            _ => {}
        }
        Ok(())
    }

    fn key(&mut self, tag: &Tag<'i>) -> Result<Inside> {
        let [id, target, name, kind] = tag.attributes(["id", "for", "attr.name", "attr.type"])?;
        let is = |value: &Option<Value<'_>>, word| value.as_ref().is_some_and(|v| v.text == word);
        let is_weight = name.is_some_and(|n| n.text.eq_ignore_ascii_case("weight"));
        let is_for_edges = target.is_none() || is(&target, "edge") || is(&target, "all");
        if !is_weight || !is_for_edges || self.options.no_weights {
            return Ok(Inside::Other);
        }
        let whole = is(&kind, "int") || is(&kind, "long");
        if !whole && !is(&kind, "float") && !is(&kind, "double") {
            let kind = kind.map_or("none".into(), |kind| quote(kind.text.as_bytes()));
            self.warnings.push(format!("the key weight is left out: its type is {kind}, no number"));
            return Ok(Inside::Other);
        }
        if self.edges.default.is_some() {
            let help = "move the key of the weights in front of <graph>";
            return Err(tag.place.error(tag.start, "a key after the graph that uses it", help));
        }
        if self.key.is_some() {
            let help = "rename one of them, or pass --no-weights to leave weights out";
            return Err(tag.place.error(tag.start, "a second edge key is named weight", help));
        }
        self.key = Some(WeightKey { id: tag.required(id, "id")?.text, whole, default: None });
        Ok(Inside::WeightKey)
    }

    fn graph(&mut self, tag: &Tag<'i>) -> Result<Inside> {
        // An edge that contains a graph is complete here, because its own data precede the graph.
        self.edge_ends()?;
        let [default] = tag.attributes(["edgedefault"])?;
        let outer = self.defaults.last().copied();
        let directed = match default.as_ref().map(|d| (&d.text[..], d.at)) {
            Some(("directed", _)) => true,
            Some(("undirected", _)) => false,
            Some((other, at)) => return Err(self.expected(at, "directed or undirected", other)),
            None => outer.unwrap_or(false),
        };
        if outer.is_some() {
            self.nested += 1;
        } else if self.edges.default.is_some() {
            let help = "keep one graph in the file; they may use the same ids for other nodes";
            return Err(tag.place.error(tag.start, "the file has a second graph", help));
        } else {
            if default.is_none() {
                self.warnings.push("the graph has no edgedefault: it is taken as undirected".to_owned());
            }
            self.edges.default = Some(directed);
        }
        self.defaults.push(directed);
        Ok(Inside::Graph)
    }

    fn node(&mut self, tag: &Tag<'i>) -> Result<Inside> {
        let [id] = tag.attributes(["id"])?;
        let id = tag.required(id, "id")?;
        self.nodes.declare(id.text, id.at)?;
        Ok(Inside::Node)
    }

    fn edge(&mut self, tag: &Tag<'i>) -> Result<Inside> {
        let [source, target, directed] = tag.attributes(["source", "target", "directed"])?;
        let (source, target) = (tag.required(source, "source")?, tag.required(target, "target")?);
        let directed = match directed.as_ref().map(|d| (&d.text[..], d.at)) {
            None => self.defaults.last().copied().unwrap_or(false),
            Some(("true" | "1", _)) => true,
            Some(("false" | "0", _)) => false,
            Some((other, at)) => return Err(self.expected(at, "true or false", other)),
        };
        let source = self.nodes.number(source.text, source.at)?;
        let target = self.nodes.number(target.text, target.at)?;
        self.edge =
            Some(Edge { at: tag.start, pair: [source, target], directed: Some(directed), weight: None });
        Ok(Inside::Edge)
    }

    fn edge_ends(&mut self) -> Result<()> {
        let Some(mut edge) = self.edge.take() else { return Ok(()) };
        edge.weight = edge.weight.or(self.key.as_ref().and_then(|key| key.default));
        self.edges.push(edge)
    }

    fn data(&mut self, tag: &Tag<'i>) -> Result<Inside> {
        let Some(weight) = &self.key else { return Ok(Inside::Other) };
        let [key] = tag.attributes(["key"])?;
        if tag.required(key, "key")?.text != weight.id {
            return Ok(Inside::Other);
        }
        match &self.edge {
            Some(Edge { weight: None, .. }) => Ok(self.number_starts(tag)),
            _ => Err(tag.place.error(tag.start, "a second weight for one edge", "keep one of them")),
        }
    }

    fn number_starts(&mut self, tag: &Tag<'i>) -> Inside {
        self.number.clear();
        self.number_at = tag.start;
        Inside::Weight
    }

    fn number_ends(&mut self, at: usize) -> Result<()> {
        let Some(key) = &mut self.key else { return Ok(()) };
        let text = self.number.trim_ascii();
        let weight = match key.whole {
            true => match Weight::read(text.as_bytes()) {
                Ok(Weight::Decimal(_)) if text.contains(['.', 'e', 'E']) => Err("a whole weight"),
                weight => weight,
            },
            false => Weight::decimal(text.as_bytes()),
        };
        let weight = weight.map_err(|expected| {
            let at = if text.is_empty() { at } else { self.number_at };
            let got = if text.is_empty() { "nothing".to_owned() } else { quote(text.as_bytes()) };
            expected_weight(self.place.position(at), expected, got)
        })?;
        match (&mut self.edge, self.open.last()) {
            (Some(edge), Some(Inside::Edge)) => edge.weight = Some(weight),
            _ => key.default = Some(weight),
        }
        Ok(())
    }

    /// Handles text between two tags.
    fn text(&mut self, text: &str, at: usize) -> Result<()> {
        match self.open.last() {
            Some(Inside::Weight) if self.number.len() < LONGEST_NUMBER => {
                if self.number.trim_ascii_start().is_empty() {
                    self.number_at = at + text.len() - text.trim_ascii_start().len();
                }
                self.number.extend(text.chars().take(LONGEST_NUMBER));
                Ok(())
            }
            None if !text.trim_ascii().is_empty() => Err(self.expected(at, "<graphml>", text.trim_ascii())),
            _ => Ok(()),
        }
    }

    /// Handles a reference such as `&amp;` or `&#49;`, which has an effect only in a weight.
    fn reference(&mut self, reference: &str, at: usize) -> Result<()> {
        if self.open.last() != Some(&Inside::Weight) {
            return Ok(());
        }
        let text = quick_xml::escape::unescape(reference)
            .map_err(|_| expected_weight(self.place.position(at), "a weight", quote(reference.as_bytes())))?;
        self.text(&text, at)
    }

    fn declaration(&self, decl: &BytesDecl<'_>, at: usize) -> Result<()> {
        let Some(Ok(encoding)) = decl.encoding() else { return Ok(()) };
        let is_known = ["utf-8", "utf8", "us-ascii", "ascii"].contains(&&*encoding.to_ascii_lowercase());
        if is_known || self.text.is_ascii() {
            return Ok(());
        }
        let problem = format!("the encoding is {}, only UTF-8 is read", quote(encoding.as_bytes()));
        let help = "convert the file, e.g. with `iconv -f latin1 -t utf8`, and its first line";
        Err(self.place.error(at, problem, help))
    }

    fn document_type(&self, at: usize) -> Error {
        let help = "remove the <!DOCTYPE ...>; GraphML needs none, and entities are not expanded";
        self.place.error(at, "a document type is not read", help)
    }

    fn not_the_root(&self, tag: &Tag<'_>, name: &str) -> Error {
        if self.root_seen {
            let help = "two files were joined; keep one of them";
            return tag.place.error(tag.start, "the file goes on after </graphml>", help);
        }
        self.expected(tag.start, "<graphml>", &format!("<{name}>"))
    }

    fn expected(&self, at: usize, expected: &str, got: &str) -> Error {
        Error::Parse {
            at: self.place.position(at),
            expected: expected.to_owned(),
            got: quote(got.as_bytes()),
            help: "this is no GraphML as its specification has it; correct it, or make the file anew"
                .to_owned(),
        }
    }

    fn malformed(&self, error: &quick_xml::Error) -> Error {
        let at = (self.xml.error_position() as usize).min(self.text.len());
        let help = "the file is cut short or damaged; fetch or make it anew";
        self.place.error(at, format!("this is no well-formed XML: {error}"), help)
    }
}

fn hyperedge(tag: &Tag<'_>) -> Error {
    let help = "write it as edges, or as a node with an edge to each of its ends";
    tag.place.error(tag.start, "hyperedges are not supported", help)
}

fn misplaced(tag: &Tag<'_>, name: &str) -> Error {
    let problem = format!("a <{name}> where there can be none");
    tag.place.error(tag.start, problem, "nodes and edges stand in a <graph>, keys and graphs in <graphml>")
}
