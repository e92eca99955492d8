//! Reads the networks of Pajek, `.net`.
//!
//! ```text
//! % comments
//! *Vertices 3
//! 1 "a" 0.1 0.2 0.5
//! 2 "b"
//! *Arcs
//! 1 2 2.5
//! *Edgeslist
//! 3 1 2
//! ```
//!
//! - The vertices are 1 to n, isolated ones too. If all of them have a label and all labels differ, the labels are the
//!   ids, as in NetworkX, else the numbers. The option `ids: Numbers` takes the numbers in any case. Coordinates,
//!   colours and the like are skipped.
//! - `*Arcs` and `*Arcslist` are directed, `*Edges` and `*Edgeslist` are undirected. If both kinds occur, the graph is
//!   directed, each undirected edge becomes two arcs, and a warning says so.
//! - The third number of a line of `*Arcs` or `*Edges` is the weight. Either all edges have one or none has.
//! - `*Matrix`, several networks, and the other objects of a Pajek project are errors.
//!
//! The reader makes one serial pass. Memory for the vertices is claimed when the header has been checked.

use super::{
    Format, IdKind, Input, ReadOptions, claim, detect,
    edge_list::weights::Weight,
    elements,
    elements::{Because, Edge, Edges, Parsed, Place, Scan, decoded, expected_weight},
    preview,
    table::{Entry, Sign, Used},
};
use crate::{
    control::Control,
    csr::Vertex,
    error::{Result, quote},
    graph::Graph,
    ids::Ids,
};
use std::borrow::Cow;

pub(super) const ENTRY: Entry = Entry {
    name: "pajek",
    aliases: &["net"],
    endings: &["net", "paj"],
    sign: Sign::Content(is_pajek),
    is_finished: false,
    uses: &[Used::Vertices, Used::Ids, Used::WeightType],
    read_parts: None,
    read: |input, options, control| read(&input, options, control),
    preview: preview::not_at_start,
};

const HELP: &str = "a Pajek network is `*Vertices n`, lines `number \"label\"`, then `*Arcs` or `*Edges` and lines `u v [weight]`";

/// Returns true if the first line that is neither blank nor a `%` comment starts with `*Vertices` or `*Network`.
fn is_pajek(data: &[u8]) -> bool {
    let line = detect::first_line(elements::after_mark(data), |token| token.starts_with(b"%"));
    [&b"*vertices"[..], b"*network"].iter().any(|word| line.token().eq_ignore_ascii_case(word))
}

/// Reads a Pajek file.
fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let (place, text) = Place::of(input)?;
    let (scan, edges) = (Scan::new(place, text, control), Edges::new(place));
    let mut reader = Reader { scan, edges, vertices: None, labels: Vec::new(), options };
    reader.file()?;
    let Some(vertices) = reader.vertices else { return Err(reader.scan.expected("`*Vertices n`", HELP)) };
    let mut warnings = Vec::new();
    let (ids, vertices) = ids(vertices, &reader.labels, options.ids, &place, &mut warnings)?;
    let lists = |directed| format!("the file lists `{}`", if directed { "*Arcs" } else { "*Edges" });
    let first = reader.edges.default.unwrap_or(false);
    let because = Because { default: lists(first), others: lists(!first) };
    let parsed = Parsed { ids, vertices, edges: reader.edges, because, warnings };
    parsed.build(input.name(), Format::Pajek, options, control)
}

/// Returns the labels as ids if they can be, else the numbers from 1 on, and the vertex of each number.
fn ids(
    vertices: usize,
    labels: &[(Cow<'_, str>, Vertex)],
    kind: IdKind,
    place: &Place<'_>,
    warnings: &mut Vec<String>,
) -> Result<(Ids, Vec<Vertex>)> {
    if !labels.is_empty() && kind != IdKind::Numbers {
        let labels = labels.iter().map(|(label, v)| (&label[..], *v)).collect();
        match elements::usable(labels, vertices) {
            Ok(labels) => return elements::ids_of(labels, kind, place.file),
            Err(warning) => warnings.push(warning),
        }
    }
    if kind == IdKind::Names {
        let numbers: Vec<String> = (1..=vertices).map(|n| n.to_string()).collect();
        let names = numbers.iter().zip(0..).map(|(number, v)| (&number[..], v)).collect();
        return elements::ids_of(names, kind, place.file);
    }
    Ok((Ids::Range { first: 1, len: vertices }, (0..vertices as Vertex).collect()))
}

struct Reader<'i, 'c> {
    scan: Scan<'i, 'c>,
    edges: Edges<'i>,
    /// The number of vertices; `None` before `*Vertices`.
    vertices: Option<usize>,
    /// The labels and their vertices, in the order of the file.
    labels: Vec<(Cow<'i, str>, Vertex)>,
    options: &'c ReadOptions,
}

/// The kind of the lines that follow.
#[derive(Debug, Clone, Copy)]
enum Section {
    /// Nothing but other sections.
    None,
    /// `number "label" ...`.
    Vertices,
    /// `u v [weight] ...`, directed or not.
    Pairs(bool),
    /// `u v v ...`, directed or not.
    Lists(bool),
}

impl<'i> Reader<'i, '_> {
    fn file(&mut self) -> Result<()> {
        let mut section = Section::None;
        // The vertices that have a line, by one bit each.
        let mut seen = Vec::new();
        loop {
            self.scan.tick()?;
            self.scan.skip_space();
            match (self.scan.peek(), section) {
                (None, _) => return Ok(()),
                (Some(b'%'), _) => drop(self.scan.skip_line()),
                (Some(b'*'), _) => section = self.section()?,
                (_, Section::Vertices) => self.vertex(&mut seen)?,
                (_, Section::Pairs(directed)) => self.pair(directed)?,
                (_, Section::Lists(directed)) => self.list(directed)?,
                (_, Section::None) => return Err(self.scan.expected("`*Vertices n`", HELP)),
            }
        }
    }

    /// Reads a line that starts with `*`.
    fn section(&mut self) -> Result<Section> {
        let start = self.scan.at;
        let line = self.scan.skip_line().trim_ascii();
        let mut words = line.split(|c: char| c.is_ascii_whitespace() || c == ':');
        let word = words.next().unwrap_or_default();
        let is = |name: &str| word[1..].eq_ignore_ascii_case(name);
        if is("network") && self.vertices.is_none() {
            return Ok(Section::None);
        }
        if is("network") || (is("vertices") && self.vertices.is_some()) {
            let help = "keep one network in the file";
            return Err(self.scan.place.error(start, "the file has a second network", help));
        }
        if is("vertices") {
            self.count(start, words.find(|word| !word.is_empty()))?;
            return Ok(Section::Vertices);
        }
        let section = match () {
            () if is("arcs") => Section::Pairs(true),
            () if is("edges") => Section::Pairs(false),
            () if is("arcslist") => Section::Lists(true),
            () if is("edgeslist") => Section::Lists(false),
            () => {
                let problem = format!("{} is not read", quote(word.as_bytes()));
                let help = "save the network from Pajek with *Arcs and *Edges, or write it with networkx.write_pajek";
                return Err(self.scan.place.error(start, problem, help));
            }
        };
        if let Section::Pairs(directed) | Section::Lists(directed) = section {
            self.edges.default.get_or_insert(directed);
        }
        match self.vertices {
            Some(_) => Ok(section),
            None => Err(self.scan.place.error(start, "there is no `*Vertices n` before this line", HELP)),
        }
    }

    /// Takes the number of vertices.
    fn count(&mut self, start: usize, number: Option<&str>) -> Result<()> {
        let number = number.unwrap_or_default();
        let count = number.parse::<u64>().map_err(|_| {
            self.scan.place.expected(start, "the number of vertices behind `*Vertices`", number, HELP)
        })?;
        let at = claim::line_of(self.scan.place.file, self.scan.place.data, self.scan.place.skipped + start);
        self.vertices = Some(claim::vertices(&at, count)?);
        claim::backed(&at, count, self.scan.place.data.len(), self.options)?;
        Ok(())
    }

    /// Reads the line of a vertex.
    fn vertex(&mut self, seen: &mut Vec<u64>) -> Result<()> {
        let at = self.scan.at;
        let vertex = self.number()?;
        let (word, bit) = (vertex as usize / 64, 1u64 << (vertex % 64));
        if seen.len() <= word {
            seen.resize((2 * word + 1).min(self.vertices.unwrap_or(0) / 64 + 1), 0);
        }
        if seen[word] & bit != 0 {
            let problem = format!("the vertex {} has a second line", vertex + 1);
            return Err(self.scan.place.error(at, problem, "keep one of them"));
        }
        seen[word] |= bit;
        self.blanks();
        if let Some(label) = self.label()? {
            self.labels.push((label, vertex));
        }
        self.scan.skip_line();
        Ok(())
    }

    /// Reads a label: a word, or a text in quotes.
    fn label(&mut self) -> Result<Option<Cow<'i, str>>> {
        if !self.scan.take(b'"') {
            let word = self.word();
            return Ok((!word.is_empty()).then_some(Cow::Borrowed(word)));
        }
        let start = self.scan.at;
        let line = self.scan.skip_line();
        let Some(len) = line.find('"') else {
            return Err(self.scan.place.error(start - 1, "this label has no closing quote", HELP));
        };
        self.scan.at = start + len + 1;
        Ok(Some(decoded(&line[..len])))
    }

    /// Reads a line `u v [weight]`. What follows the weight is about drawing.
    fn pair(&mut self, directed: bool) -> Result<()> {
        let start = self.scan.at;
        let source = self.number()?;
        self.blanks();
        let target = self.number()?;
        self.blanks();
        let at = self.scan.at;
        let word = self.word();
        let weight = match !self.options.no_weights && !word.is_empty() {
            false => None,
            true => Some(Weight::read(word.as_bytes()).map_err(|expected| {
                expected_weight(self.scan.place.position(at), expected, quote(word.as_bytes()))
            })?),
        };
        self.scan.skip_line();
        self.edges.push(Edge { at: start, pair: [source, target], directed: Some(directed), weight })
    }

    /// Reads a line `u v v ...`.
    fn list(&mut self, directed: bool) -> Result<()> {
        let source = self.number()?;
        loop {
            self.blanks();
            if matches!(self.scan.peek(), None | Some(b'\n')) {
                return Ok(());
            }
            let at = self.scan.at;
            let pair = [source, self.number()?];
            self.edges.push(Edge { at, pair, directed: Some(directed), weight: None })?;
        }
    }

    /// Reads the number of a vertex, from 1 on.
    fn number(&mut self) -> Result<Vertex> {
        let start = self.scan.at;
        let count = self.vertices.unwrap_or(0);
        match self.word().parse::<usize>() {
            Ok(number) if (1..=count).contains(&number) => Ok((number - 1) as Vertex),
            _ => {
                self.scan.at = start;
                let what = format!("a vertex from 1 to {count}");
                if matches!(self.scan.peek(), Some(b'\n')) {
                    return Err(self.scan.place.expected(start, &what, "", HELP));
                }
                Err(self.scan.expected(&what, HELP))
            }
        }
    }

    /// Moves over blanks, but not over a line end.
    fn blanks(&mut self) {
        self.scan.skip_while(|b| b.is_ascii_whitespace() && b != b'\n');
    }

    fn word(&mut self) -> &'i str {
        self.scan.skip_while(|b| !b.is_ascii_whitespace())
    }
}
