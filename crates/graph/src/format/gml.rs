//! Reads GML: nodes and edges as lists of keys and values.
//!
//! ```text
//! Creator "..."
//! graph [
//!   directed 1
//!   node [ id 1 label "a" ]
//!   node [ id 2 label "b" ]
//!   edge [ source 1 target 2 weight 2.5 ]
//! ]
//! ```
//!
//! - The vertices are the nodes, isolated ones too. If all nodes have a `label` and all labels differ, the labels are
//!   the ids, as in NetworkX, else the numbers `id`. The option `ids: Numbers` takes the numbers in any case.
//! - `directed 1` says directed; without it, the graph is undirected.
//! - The weight is the key `weight` of an edge, else `w`, `value`, `cost`, `distance` or `amount`, whichever the first
//!   edge has. Either all edges have it or none has.
//! - The reader skips all other keys, lists within lists included, without recursion. It decodes `&#233;` and the five
//!   entities of XML in labels. A second graph is an error.

use super::{
    Format, Input, ReadOptions, detect,
    elements::{Because, Edge, Edges, Nodes, Parsed, Place, Scan, WeightKeys, after_mark, decoded},
    preview,
    table::{Entry, Sign, Used},
};
use crate::{control::Control, error::Result, graph::Graph};
use std::borrow::Cow;

pub(super) const ENTRY: Entry = Entry {
    name: "gml",
    aliases: &[],
    endings: &["gml"],
    sign: Sign::Content(is_gml),
    is_finished: false,
    uses: &[Used::Ids, Used::WeightType],
    read_parts: None,
    read: |input, options, control| read(&input, options, control),
    preview: preview::not_at_start,
};

const HELP: &str =
    "GML is `graph [ node [ id 1 ] edge [ source 1 target 2 ] ]`; correct the file, or make it anew";

/// Returns true if the data are keys with numbers or strings, up to the key `graph` with a list.
pub(super) fn is_gml(data: &[u8]) -> bool {
    let start = after_mark(&data[..data.len().min(detect::LOOK_AT)]);
    let valid = std::str::from_utf8(start).map_or_else(|e| e.valid_up_to(), |text| text.len());
    let Ok(text) = std::str::from_utf8(&start[..valid]) else { return false };
    let control = Control::new();
    let mut scan = Scan::new(Place { file: "", data, skipped: 0 }, text, &control);
    while let Ok(Some(key)) = key(&mut scan) {
        match value(&mut scan) {
            Ok(Value::List) => return key.eq_ignore_ascii_case("graph"),
            Ok(Value::Number(number)) if number.parse::<f64>().is_ok() => {}
            Ok(Value::Text(_)) => {}
            _ => return false,
        }
    }
    false
}

/// Reads a GML file.
fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let (place, text) = Place::of(input)?;
    let mut parser = Parser {
        scan: Scan::new(place, text, control),
        nodes: Nodes::new(place, options.ids),
        edges: Edges::new(place),
        weights: WeightKeys::new(options.no_weights),
    };
    parser.file()?;
    let warnings: Vec<String> = parser.weights.warning().into_iter().collect();
    let help = "declare it with `node [ id ... ]`, or remove the edge";
    let default = match parser.edges.default {
        Some(directed) => format!("the file says `directed {}`", u8::from(directed)),
        None => "GML is undirected unless it says `directed 1`".to_owned(),
    };
    let parsed = Parsed::new(parser.nodes, parser.edges, Because::of(default), help, warnings)?;
    parsed.build(input.name(), Format::Gml, options, control)
}

struct Parser<'i, 'c> {
    scan: Scan<'i, 'c>,
    nodes: Nodes<'i>,
    edges: Edges<'i>,
    weights: WeightKeys,
}

/// A value. The reader is behind the `[` of a list.
enum Value<'i> {
    Number(&'i str),
    Text(&'i str),
    List,
}

impl<'i> Parser<'i, '_> {
    /// Reads the keys outside of the graph.
    fn file(&mut self) -> Result<()> {
        let mut has_graph = false;
        while let Some(key) = key(&mut self.scan)? {
            let at = self.scan.at - key.len();
            match value(&mut self.scan)? {
                Value::List if key.eq_ignore_ascii_case("graph") => {
                    if has_graph {
                        let help = "keep one graph in the file; they may use the same ids for other nodes";
                        return Err(self.scan.place.error(at, "the file has a second graph", help));
                    }
                    has_graph = true;
                    self.graph()?;
                }
                Value::List => skip_list(&mut self.scan)?,
                _ => {}
            }
        }
        match (self.scan.peek(), has_graph) {
            (Some(_), _) => Err(self.scan.expected("a key", HELP)),
            (None, false) => Err(self.scan.expected("`graph [`", HELP)),
            (None, true) => Ok(()),
        }
    }

    /// Reads the list of the graph, to its `]`.
    fn graph(&mut self) -> Result<()> {
        while let Some(key) = self.key()? {
            let at = self.scan.at;
            match (key, value(&mut self.scan)?) {
                ("node", Value::List) => self.node(at)?,
                ("edge", Value::List) => self.edge(at)?,
                ("directed", Value::Number("0")) => self.edges.default = Some(false),
                ("directed", Value::Number("1")) => self.edges.default = Some(true),
                ("directed", _) => {
                    return Err(self.scan.place.error(at, "`directed` is neither 0 nor 1", HELP));
                }
                (_, Value::List) => skip_list(&mut self.scan)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn node(&mut self, start: usize) -> Result<()> {
        let (mut id, mut label) = (None, None);
        while let Some(key) = self.key()? {
            match (key, value(&mut self.scan)?) {
                ("id", Value::Number(number)) => id = Some(number),
                ("label", Value::Number(text) | Value::Text(text)) => label = Some(decoded(text)),
                (_, Value::List) => skip_list(&mut self.scan)?,
                _ => {}
            }
        }
        let Some(id) = id else {
            return Err(self.scan.place.error(start, "this node has no number `id`", HELP));
        };
        let node = self.nodes.declare(Cow::Borrowed(id), start)?;
        if let Some(label) = label {
            self.nodes.label(node, label);
        }
        Ok(())
    }

    fn edge(&mut self, start: usize) -> Result<()> {
        let (mut source, mut target) = (None, None);
        while let Some(key) = self.key()? {
            let at = self.scan.at;
            match (key, value(&mut self.scan)?) {
                ("source", Value::Number(number)) => source = Some((number, at)),
                ("target", Value::Number(number)) => target = Some((number, at)),
                (key, Value::Number(text) | Value::Text(text)) => {
                    if let Some(rank) = self.weights.rank(key) {
                        self.weights.put(rank, text, at, &self.scan.place)?;
                    }
                }
                (_, Value::List) => skip_list(&mut self.scan)?,
            }
        }
        let (Some((source, s)), Some((target, t))) = (source, target) else {
            let problem = "this edge has no number `source` or no number `target`";
            return Err(self.scan.place.error(start, problem, HELP));
        };
        let pair =
            [self.nodes.number(Cow::Borrowed(source), s)?, self.nodes.number(Cow::Borrowed(target), t)?];
        let weight = self.weights.end();
        self.edges.push(Edge { at: start, pair, directed: None, weight })
    }

    /// Returns the next key of a list, or `None` behind its `]`.
    fn key(&mut self) -> Result<Option<&'i str>> {
        if let Some(key) = key(&mut self.scan)? {
            return Ok(Some(key));
        }
        match self.scan.take(b']') {
            true => Ok(None),
            false => Err(self.scan.expected("a key or `]`", HELP)),
        }
    }
}

/// Returns the next key, or `None` if something else follows.
fn key<'i>(scan: &mut Scan<'i, '_>) -> Result<Option<&'i str>> {
    scan.tick()?;
    skip_blanks(scan);
    let key = match scan.peek() {
        Some(b) if b.is_ascii_alphabetic() || b == b'_' => {
            scan.skip_while(|b| b.is_ascii_alphanumeric() || b == b'_')
        }
        _ => return Ok(None),
    };
    skip_blanks(scan);
    Ok(Some(key))
}

/// Reads a value, or the `[` of a list.
fn value<'i>(scan: &mut Scan<'i, '_>) -> Result<Value<'i>> {
    match scan.peek() {
        Some(b'[') => {
            scan.at += 1;
            Ok(Value::List)
        }
        Some(b'"') => {
            let start = scan.at + 1;
            let Some(len) = memchr::memchr(b'"', &scan.text.as_bytes()[start..]) else {
                return Err(scan.place.error(scan.at, "this string has no end", HELP));
            };
            scan.at = start + len + 1;
            Ok(Value::Text(&scan.text[start..start + len]))
        }
        Some(b) if b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.') => {
            Ok(Value::Number(scan.skip_while(|b| !b.is_ascii_whitespace() && !matches!(b, b'[' | b']'))))
        }
        _ => Err(scan.expected("a number, a string or a list", HELP)),
    }
}

/// Moves behind the `]` of a list, over all lists in it.
fn skip_list(scan: &mut Scan<'_, '_>) -> Result<()> {
    let mut open = 1usize;
    while open > 0 {
        scan.tick()?;
        skip_blanks(scan);
        match scan.peek() {
            Some(b']') => {
                scan.at += 1;
                open -= 1;
            }
            Some(b'[') => {
                scan.at += 1;
                open += 1;
            }
            Some(b'"') => {
                value(scan)?;
            }
            Some(_) => {
                let word = scan.skip_while(|b| !b.is_ascii_whitespace() && !matches!(b, b'[' | b']' | b'"'));
                debug_assert!(!word.is_empty(), "the reader moves on");
            }
            None => return Err(scan.expected("`]`", HELP)),
        }
    }
    Ok(())
}

/// Moves over white space and over comments, which reach from `#` to the end of the line.
fn skip_blanks(scan: &mut Scan<'_, '_>) {
    scan.skip_space();
    while scan.peek() == Some(b'#') {
        scan.skip_line();
        scan.skip_space();
    }
}
